"""The neural extractor on parts of a document that it reads once."""

from dataclasses import replace
from typing import Any

import numpy as np
import torch

from longsum.arrays import Array
from longsum.documents.model import Document
from longsum.models.extractive.contributions import Contributions
from longsum.models.extractive.decoding import read_logits
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel
from longsum.systems.extractive.neural import NeuralExtractor
from longsum.systems.extractive.salience import Read
from longsum.systems.extractive.summarizer import PartRequest
from longsum.systems.system import Request


class PartExtractor(NeuralExtractor):
    """Chooses among the sentences of a part in sight of the whole document, which is read once.

    `rank` takes a `PartRequest`; sentences outside of the part are no candidates. All positions
    are those of the whole, so a ranking can be told (`choose`) what was chosen anywhere in it.
    """

    _last: tuple[Document, Read] | None = None

    def read(self, request: Request) -> Read:
        """Let the model read a document, unless it is the one read last; then take its part."""
        if self._last is None or self._last[0] is not request.document:
            self._last = request.document, super().read(request)
        whole = self._last[1]
        if not isinstance(request, PartRequest) or request.part is None:
            return whole
        return _PartRead(whole, request.part)


class _PartRead(Read):
    """A document that the model has read, of which only a part is scored.

    A step of a stepwise model scores all sentences, at a cost that grows with the document. Where
    sentences do not look at one another once the plan is read, those of the part are computed
    alone, to the same logits.
    """

    def __init__(self, whole: Read, part: range) -> None:
        self._whole = whole
        self._within = slice(part.start, part.stop)
        self._narrowed = _narrowed(whole.model, whole.reading, self._within)
        super().__init__(
            whole.texts,
            whole.model,
            whole.reading,
            whole.leanings,
            whole.preferred,
            whole.computing,
        )

    @property
    def contributions(self) -> Contributions:
        """Those of the whole document."""
        return self._whole.contributions

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return what the network alone says, `[n + 1]`, the end last; −∞ outside of the part.

        So a stepwise model's probabilities sum to 1 over the part.
        """
        within, whole = self._within, self._whole
        logits = np.full(len(whole.texts) + 1, -np.inf)
        if plan and self._narrowed is not None:
            with self.computing():
                found = read_logits(whole.model, self._narrowed, [plan])[0].numpy()
            logits[within], logits[-1] = found[:-1], found[-1]
        else:
            found = whole.logits(plan) if plan else whole.unchosen
            logits[within], logits[-1] = found[within], found[-1]
        return logits


def _narrowed(model: ExtractiveModel, reading: Any, within: slice) -> Any:
    """Return of a reading what it takes to score a part, or None where that takes all of it.

    The part suffices where the highest layer alone reads the plan: what sentences see of one
    another in that layer is known before any choice. The vectors stay whole, since a plan may hold
    any sentence.
    """
    if not (isinstance(model, Hibert) and model.stepwise):
        return None
    encoder = model.document_encoder
    if encoder.summary_from + 1 < len(encoder.layers):
        return None
    return replace(
        reading,
        real=_with_end(reading.real, within),
        states=_with_end(reading.states, within),
        attended=_with_end(reading.attended, within),
    )


def _with_end(units: torch.Tensor, within: slice) -> torch.Tensor:
    """Return a stretch of `[b, n + 1, …]` and what stands last, the end of the plan."""
    return torch.cat([units[:, within], units[:, -1:]], dim=1)
