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
from longsum.core.encoder.encode_units import RoughVectors
from longsum.core.encoder.network import Encoded, Rows
from longsum.core.encoder.networks import Precision, in_bf16
from longsum.core.model_files.folders import ModelFolder
from longsum.models.attention.linear_layers import project
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.networks.extractive.hibert import (
    DocumentEncoder,
    DocumentStates,
    Hibert,
)
from longsum.models.networks.extractive.units import ExtractiveModel, join, padded


class Contributions:
    """Scores of single sentences before any choice, as the network is given more about them.

    The document encoder reads the sum of a sentence's vector, its heading and its places. A
    sentence is scored again with a part of that sum, while everything that it attends to in the
    document stays as read: the difference is what the network makes of the rest. A score costs one
    row of each layer's attention, not another reading of the document.

    This is not in the paper, whose model gives no reasons.

    The encoder is that of a stepwise model, and has read one document.
    """

    def __init__(self, encoder: DocumentEncoder, reading: DocumentStates) -> None:
        self._encoder = encoder
        self._reading = reading
        nothing = torch.full((1, 1, 0), -1, device=reading.vectors.device)
        summary, mask = encoder.summary(reading.vectors, nothing)
        memories, states = [*reading.below, reading.states], reading.attended
        self._summaries: list[Tensor] = []
        for number, layer in enumerate(encoder.stack):
            summary = layer.attention(summary, summary, mask)
            self._summaries.append(summary)
            if number + 1 < len(encoder.stack):
                if number >= encoder.summary_from:
                    assert layer.summary_attention is not None
                    states = layer.feed_forward(layer.summary_attention(states, summary, mask))
                    memories.append(states)
                    above = encoder.stack[number + 1]
                    states = above.attention(states, states, self._real)
                summary = layer.feed_forward(summary)
        self._memories = [
            layer.attention.remember(memory)
            for layer, memory in zip(encoder.stack, memories, strict=True)
        ]

    @property
    def _real(self) -> Tensor:
        return self._reading.real[:, None, None, :]

    def __call__(self, sentences: Sequence[int], groups: Sequence[Sequence[int]]) -> Tensor:
        """Return logits as the network is given more about k sentences, `[k, 2 + len(groups)]`.

        First a sentence's words, then its heading, then each group of its places in turn. If the
        groups contain all columns, the last logit is that of the model before any choice.

        Args:
            sentences: Their positions.
            groups: Columns of `Units.places`; they change nothing in a model without places.
        """
        inputs = [row for sentence in sentences for row in self._inputs(sentence, groups)]
        rows = self._encoder.norm(torch.stack(inputs))[None]
        for number, layer in enumerate(self._encoder.stack):
            rows = layer.attention.look(rows, self._memories[number], self._real)
            if number >= self._encoder.summary_from:
                assert layer.summary_attention is not None
                rows = layer.summary_attention(rows, self._summaries[number], None)
            rows = layer.feed_forward(rows)
        scores = self._encoder.scores(rows, self._summaries[-1][:, -1])[0]
        return scores.view(len(sentences), -1)

    def _inputs(self, sentence: int, groups: Sequence[Sequence[int]]) -> Iterator[Tensor]:
        encoder, reading = self._encoder, self._reading
        total = reading.vectors[0, sentence]
        yield total
        if encoder.heading is not None and reading.headings is not None:
            total = total + project(encoder.heading, reading.headings[0, sentence])
        yield total
        for columns in groups:
            if encoder.config.positions == "places":
                total = total + encoder.placed_by(reading.places[0, sentence], columns)
            yield total


# Id of padding, which the models mask.
_PAD = 0


class TorchReading:
    """A document as an extractive model has read it.

    `read` is what its model's `read` returned for one document.
    """

    def __init__(self, model: ExtractiveModel, read: Any, *, bf16: bool = False) -> None:
        self._model = model
        self._read = read
        self._bf16 = bf16
        self.vectors: Rows | None = None
        if isinstance(read, DocumentStates):
            self.vectors = read.vectors[0].float().cpu().numpy()

    def logits(self, plans: Sequence[tuple[int, ...]]) -> Array:
        """Score what may follow partial plans, in fp64, so that improbable choices do not tie."""
        device = _device(self._model)
        # The empty plan consists of padding.
        partial = torch.tensor([[plan or (-1,) for plan in plans]], device=device)
        with computing(device, self._bf16):
            logits: Array = self._model.logits(self._read, partial)[0].double().cpu().numpy()
        return logits

    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the logits of sentences as features are added; see `Contributions`."""
        with computing(_device(self._model), self._bf16):
            logits: list[list[float]] = self._contributions(sentences, groups).tolist()
        return logits

    def part(self, within: slice | Places) -> Self | None:
        """Return a reading that can score some sentences; None if that takes the whole.

        A part can do so if only the highest layer reads the plan: the keys and values of the other
        sentences in that layer are then known before any choice. The vectors are those of all
        sentences, since a plan may contain any of them.
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
        tokens = padded(np.concatenate(texts), lengths, _PAD)
        with computing(device, self._bf16):
            encoded = self.model.encode(
                torch.from_numpy(tokens).to(device), torch.from_numpy(lengths).to(device)
            )
        vectors: Rows = encoded.float().cpu().numpy()
        return vectors


@contextmanager
def computing(device: torch.device, bf16: bool) -> Iterator[None]:
    """Compute without gradients and, if `bf16`, with products in bf16."""
    with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        yield


def _device(model: ExtractiveModel) -> torch.device:
    return next(model.parameters()).device


def _with_end(units: Tensor, within: slice | Places) -> Tensor:
    """Return some of `[b, n + 1, …]` along with the last entry, the end of the plan."""
    return torch.cat([units[:, within], units[:, -1:]], dim=1)


def load_torch_network(folder: ModelFolder, precision: Precision) -> TorchNetwork:
    """Load the extractor in a folder, on the GPU if there is one.

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
