"""The neural extractor applied to parts of a document that is encoded once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch

from longsum.arrays import Array
from longsum.documents.model import Document
from longsum.models.extractive.decoding import read_logits
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel, decision, with_decision
from longsum.systems.extractive.neural import NeuralExtractor
from longsum.systems.extractive.salience import EncodedDocument
from longsum.systems.extractive.summarizer import PartRequest
from longsum.systems.system import Request


class PartExtractor(NeuralExtractor):
    """Selects sentences of a part, conditioned on the whole document, which is encoded once.

    `rank` takes a `PartRequest`; sentences outside the part are not candidates. All positions refer
    to the whole document, so a ranking can be conditioned (`choose`) on choices anywhere in it.
    """

    _last: tuple[Document, EncodedDocument] | None = None

    def encode(self, request: Request) -> EncodedDocument:
        """Encode a document, reusing the encoding of the last one, and restrict it to its part."""
        if self._last is None or self._last[0] is not request.document:
            self._last = request.document, super().encode(request)
        whole = self._last[1]
        if not isinstance(request, PartRequest) or request.part is None:
            return whole
        within = slice(request.part.start, request.part.stop)
        shared = {field.name: getattr(whole, field.name) for field in fields(EncodedDocument)}
        narrowed = _narrowed(whole.model, whole.reading, within)
        return _EncodedPart(**shared, whole=whole, within=within, narrowed=narrowed)


@dataclass(frozen=True, eq=False)
class _EncodedPart(EncodedDocument):
    """An encoded document of which only a part is scored.

    A step of a stepwise model scores all sentences, at a cost that grows with the document. If
    sentences do not attend to one another after the plan is encoded, those of the part are computed
    alone, with the same logits.

    Attributes:
        whole: The whole document.
        within: The positions of the part.
        narrowed: The encoding that suffices to score the part; None if it takes the whole.
    """

    whole: EncodedDocument
    within: slice
    narrowed: Any

    def contributions(self, sentence: int, groups: Sequence[Sequence[int]]) -> list[float]:
        """Return those of the whole document."""
        return self.whole.contributions(sentence, groups)

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return the network's logits, `[n + 1]`, the end last; −∞ outside the part.

        So a stepwise model's probabilities sum to 1 over the part.
        """
        within, whole = self.within, self.whole
        logits = np.full(len(whole.texts) + 1, -np.inf)
        if plan and self.narrowed is not None:
            with self.computing():
                found = read_logits(whole.model, self.narrowed, [plan])[0].numpy()
            logits[within], logits[-1] = found[:-1], found[-1]
        else:
            found = whole.logits(plan) if plan else whole.unchosen
            logits[within], logits[-1] = found[within], found[-1]
            if self.model.decides_end:
                odds = decision(torch.from_numpy(found))
                logits = with_decision(torch.from_numpy(logits[:-1]), odds).numpy()
        return logits


def _narrowed(model: ExtractiveModel, reading: Any, within: slice) -> Any:
    """Return the slice of an encoding that suffices to score a part, or None if it takes the whole.

    The slice suffices if only the highest layer reads the plan: the keys and values of the other
    sentences in that layer are then known before any choice. The vectors stay whole, since a plan
    may contain any sentence.
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
    """Return a slice of `[b, n + 1, …]` along with the last entry, the end of the plan."""
    return torch.cat([units[:, within], units[:, -1:]], dim=1)
