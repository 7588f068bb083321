"""The trainer of ETC before any summary: hidden words and hidden sentences together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Generator, Tensor, nn
from torch.utils.data import Dataset

from longsum.models.extractive.etc import EtcEncoder
from longsum.models.extractive.etc_pretraining import (
    ContrastivePrediction,
    MaskedLanguageModel,
    Masking,
    whole_documents,
)
from longsum.models.extractive.units import Units, join
from longsum.tasks.extraction.encode_units import EncodedDocument
from longsum.tasks.extraction.prepared_units import ExtractionSplit
from longsum.training.extraction.extraction_dataset import as_batch
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

    def forward(self, draw: int, **batch: Tensor) -> dict[str, Tensor]:
        """Return the loss of documents and its parts.

        Args:
            draw: A number that says what is hidden.
            batch: The documents, as the fields of `Units`.
        """
        units = Units(**batch)
        first, second = _chances(draw, units)
        words, sentences = self.words.loss(units, first), self.sentences.loss(units, second)
        loss = words + self.contrast * sentences
        return {"loss": loss, "words": words, "sentences": sentences}

    def counted(self, draw: int, **batch: Tensor) -> Tensor:
        """Return how many words and how many sentences `forward` is asked for, `[2]`."""
        units = Units(**batch)
        given = whole_documents(units, self.encoder.config)
        first, second = _chances(draw, units)
        words = self.words.choose(given, first).sum()
        sentences = self.sentences.choose(given, second).sum()
        # A sentence alone has none to be told from.
        return torch.stack([words, sentences * (sentences > 1)])


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

    def numbered(self, batch: dict[str, Any], place: int) -> dict[str, Any]:
        """Return a batch with what is hidden in it; a run that is gone on with hides the same."""
        return batch | {"draw": _draw(self.args.seed, self.state.global_step + 1, place)}

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return how many words and how many sentences are hidden."""
        return cast(EtcPretraining, self.model).counted(**batch)

    def means(self, outputs: Any) -> Tensor:
        """Return the loss of a word and, with its weight, of a sentence."""
        contrast = cast(EtcPretraining, self.model).contrast
        return torch.stack([outputs["words"], contrast * outputs["sentences"]])

    @torch.no_grad()
    def totals(self, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
        """Return both losses and their numbers; the same is hidden each time: `[5]`, fp64."""
        model = cast(EtcPretraining, self.model).eval()
        total = torch.zeros(5, dtype=torch.float64, device=self.args.device)
        for place, batch in enumerate(batches):
            given: Any = {**batch, "draw": _draw(self.args.seed, 0, place)}
            found, counts = model(**given), model.counted(**given).double()
            losses = torch.stack([found["words"], found["sentences"]]).double()
            total += torch.cat([losses * counts, counts, torch.ones_like(counts[:1])])
        return total

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the loss that is trained on, and both of its parts."""
        words, sentences = (
            loss / count if count else 0.0 for loss, count in zip(means[:2], means[2:], strict=True)
        )
        loss = words + cast(EtcPretraining, self.model).contrast * sentences
        return {"loss": loss, "words": words, "sentences": sentences}


def _draw(seed: int, step: int, place: int) -> int:
    """Return a number for what is hidden in a batch, which its place in the run decides."""
    return int(np.random.SeedSequence((seed, step, place)).generate_state(1)[0])


def _chances(draw: int, units: Units) -> tuple[Generator, Generator]:
    """Return where the chance comes from that hides words, and that which hides sentences."""
    device = units.sentences.device
    first, second = (Generator(device).manual_seed(2 * draw + each) for each in range(2))
    return first, second


def _leave_out_repeated(
    _module: nn.Module, state: dict[str, Tensor], prefix: str, _metadata: dict[str, Any]
) -> None:
    for name in [name for name in state if name.removeprefix(prefix).startswith(_REPEATED)]:
        del state[name]


def _miss_nothing_repeated(_module: nn.Module, found: Any) -> None:
    missing = [name for name in found.missing_keys if not name.startswith(_REPEATED)]
    found.missing_keys[:] = missing
