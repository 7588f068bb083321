"""The trainer of ETC before any summary: hidden words and hidden sentences together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import torch
from torch import Generator, Tensor, nn
from torch.utils.data import Dataset

from longsum.models.extractive.etc import EtcEncoder
from longsum.models.extractive.etc_pretraining import (
    ContrastivePrediction,
    MaskedLanguageModel,
    Masking,
)
from longsum.models.extractive.units import Units, join
from longsum.tasks.extraction.prepared import ExtractionSplit
from longsum.tasks.extraction.units import EncodedDocument
from longsum.training.extraction.lessons import as_batch
from longsum.training.trainer import ByLength

_REPEATED = ("words.encoder.", "sentences.encoder.")


class EtcPretraining(nn.Module):
    """An encoder with the heads of both objectives, which are of no use afterwards.

    Args:
        encoder: The encoder that learns.
        masking: What is hidden.
        contrast: Weight of the loss of hidden sentences; that of hidden words is 1.
    """

    def __init__(self, encoder: EtcEncoder, masking: Masking, contrast: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.words = MaskedLanguageModel(encoder, masking)
        self.sentences = ContrastivePrediction(encoder, masking)
        self.contrast = contrast
        # The heads hold the encoder too, and files of weights refuse what is in them twice.
        self.register_state_dict_post_hook(_leave_out_repeated)
        self.register_load_state_dict_post_hook(_miss_nothing_repeated)

    def losses(self, units: Units, generator: Generator | None = None) -> tuple[Tensor, Tensor]:
        """Return the losses of hidden words and of hidden sentences.

        Args:
            units: The documents.
            generator: Source of chance, on their device; by default PyTorch's own.
        """
        return self.words.loss(units, generator), self.sentences.loss(units, generator)

    def forward(self, **batch: Tensor) -> dict[str, Tensor]:
        """Return the loss of documents, given as the fields of `Units`."""
        words, sentences = self.losses(Units(**batch))
        return {"loss": words + self.contrast * sentences}


class Documents(Dataset[EncodedDocument]):
    """The documents of a split, to be read alone."""

    def __init__(self, split: ExtractionSplit) -> None:
        self.split = split

    def __len__(self) -> int:
        return len(self.split)

    def __getitem__(self, index: int) -> EncodedDocument:
        return self.split[index].document

    def lengths(self) -> list[int]:
        """Return the tokens of each."""
        return self.split.lengths()


class PretrainingTrainer(ByLength):
    """Trains an encoder on `Documents`.

    Args:
        given: As of `ByLength`, the model being an encoder with its heads.
        pad: Id of the padding token.
        named: As of `ByLength`.
    """

    def __init__(self, *given: Any, pad: int, **named: Any) -> None:
        def collate(documents: Sequence[EncodedDocument]) -> dict[str, Tensor]:
            return as_batch(join(documents, pad))

        super().__init__(*given, collate=collate, **named)

    @torch.no_grad()
    def totals(self, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
        """Return both losses; the same words and sentences are hidden each time."""
        model, device = cast(EtcPretraining, self.model).eval(), self.args.device
        generator = Generator(device).manual_seed(self.args.seed)
        total = torch.zeros(3, device=device)
        for batch in batches:
            words, sentences = model.losses(Units(**batch), generator)
            total += torch.stack([words, sentences, torch.ones_like(words)])
        return total

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss that is trained on, and both of its parts."""
        words, sentences = means
        loss = words + cast(EtcPretraining, self.model).contrast * sentences
        return {"loss": loss, "words": words, "sentences": sentences}


def _leave_out_repeated(
    _module: nn.Module, state: dict[str, Tensor], prefix: str, _metadata: dict[str, Any]
) -> None:
    for name in [name for name in state if name.removeprefix(prefix).startswith(_REPEATED)]:
        del state[name]


def _miss_nothing_repeated(_module: nn.Module, found: Any) -> None:
    missing = [name for name in found.missing_keys if not name.startswith(_REPEATED)]
    found.missing_keys[:] = missing
