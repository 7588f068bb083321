"""Extractive models in PyTorch as networks: every architecture, on a CPU or a GPU."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor

from longsum.common.arrays import Array, Ints, Places
from longsum.core.encoder.network import Encoded, Rows
from longsum.core.encoder.networks import Precision, in_bf16
from longsum.core.encoder.text_vectors import RoughVectors
from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.extractive.contributions import Contributions
from longsum.models.networks.extractive.document_encoder import DocumentStates as Read
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import ExtractiveModel, join

# Id of padding, which the models mask.
_PAD = 0


class TorchReading:
    """A document as an extractive model has read it.

    Args:
        model: The model.
        read: What its `read` returned, of one document.
        bf16: Whether products are computed in bf16.
    """

    def __init__(self, model: ExtractiveModel, read: Any, *, bf16: bool = False) -> None:
        self._model = model
        self._read = read
        self._bf16 = bf16
        self.vectors: Rows | None = None
        if isinstance(read, Read):
            self.vectors = read.vectors[0].float().cpu().numpy()

    def logits(self, plans: Sequence[tuple[int, ...]]) -> Array:
        """Score all that may follow partial plans; in fp64, so that the improbable stays apart."""
        device = _device(self._model)
        # The empty plan is one of padding.
        partial = torch.tensor([[plan or (-1,) for plan in plans]], device=device)
        with computing(device, self._bf16):
            found: Array = self._model.logits(self._read, partial)[0].double().cpu().numpy()
        return found

    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the logits of sentences as features are added; see `Contributions`."""
        with computing(_device(self._model), self._bf16):
            found: list[list[float]] = self._contributions(sentences, groups).tolist()
        return found

    def part(self, within: slice | Places) -> Self | None:
        """Return what suffices to score some sentences, None if that takes the whole.

        It suffices if only the highest layer reads the plan: the keys and values of the other
        sentences in that layer are then known before any choice. The vectors stay whole, since a
        plan may contain any sentence.
        """
        model, read = self._model, self._read
        if not (isinstance(model, Hibert) and model.stepwise):
            return None
        encoder = model.document_encoder
        if encoder.summary_from + 1 < len(encoder.layers) or encoder.following is not None:
            return None
        narrowed = replace(
            read,
            real=_with_end(read.real, within),
            states=_with_end(read.states, within),
            attended=_with_end(read.attended, within),
        )
        return type(self)(model, narrowed, bf16=self._bf16)

    @cached_property
    def _contributions(self) -> Contributions:
        assert isinstance(self._model, Hibert)
        return Contributions(self._model.document_encoder, self._read)


class TorchNetwork:
    """An extractive model.

    Args:
        model: The model.
        device: Where it computes: `cpu` or `cuda`.
        precision: `bf16` computes matrix products in bf16; `auto` does so where the hardware
            supports it.
        rough: Returns rough vectors of texts; None if documents cannot be skimmed.
    """

    def __init__(
        self,
        model: ExtractiveModel,
        device: str,
        precision: Precision,
        rough: RoughVectors | None = None,
    ) -> None:
        self.model = model.to(device).eval()
        self.stepwise = model.stepwise
        self.decides_end = model.decides_end
        self.concurrent = False
        self.compares = isinstance(model, Hibert)
        self.rough = rough
        self._bf16 = in_bf16(precision, device)

    def read(self, document: Encoded, texts: Rows | None = None) -> TorchReading:
        """Compute what does not depend on the choices; see `Network.read`."""
        device = _device(self.model)
        units = join([document], _PAD)
        if texts is not None:
            units = replace(units, vectors=torch.from_numpy(texts))
        units = units.to(device)
        with computing(device, self._bf16):
            read = self.model.read(units)
        return TorchReading(self.model, read, bf16=self._bf16)

    def encode(self, texts: Sequence[Ints]) -> Rows:
        """Return the vectors of texts as tokens, `[m, D]`."""
        assert isinstance(self.model, Hibert)
        device = _device(self.model)
        lengths = np.array([len(text) for text in texts])
        tokens = np.full((len(texts), lengths.max()), _PAD, dtype=np.int64)
        tokens[np.arange(tokens.shape[1]) < lengths[:, None]] = np.concatenate(texts)
        with computing(device, self._bf16):
            found = self.model.encode(
                torch.from_numpy(tokens).to(device), torch.from_numpy(lengths).to(device)
            )
        vectors: Rows = found.float().cpu().numpy()
        return vectors


@contextmanager
def computing(device: torch.device, bf16: bool) -> Iterator[None]:
    """Compute without gradients, products in bf16 if asked."""
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        yield


def _device(model: ExtractiveModel) -> torch.device:
    return next(model.parameters()).device


def _with_end(units: Tensor, within: slice | Places) -> Tensor:
    """Return some of `[b, n + 1, …]` along with the last entry, the end of the plan."""
    return torch.cat([units[:, within], units[:, -1:]], dim=1)


def load_torch_network(folder: ModelFolder, precision: Precision) -> TorchNetwork:
    """Load the extractor in a folder, on the GPU where there is one.

    Raises:
        LongsumError: The folder holds no extractor that can be loaded.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load_extractor(folder)
    rough = None
    if isinstance(model, Hibert):
        tokens = model.sentence_encoder.embedding.tokens.weight.detach()
        size = tokens.shape[1]
        rough = RoughVectors.of(folder.path, size, lambda: tokens.float().cpu().numpy())
    return TorchNetwork(model, device, precision, rough)
