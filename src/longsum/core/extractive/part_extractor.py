"""The neural extractor applied to parts of a document that is encoded once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from longsum.common.arrays import Array
from longsum.core.encoder.network import Reading, decision, with_decision
from longsum.core.extractive.network_ranking import EncodedDocument
from longsum.core.extractive.neural import NeuralExtractor
from longsum.core.extractive.summarizer import PartRequest
from longsum.core.systems.system import Request
from longsum.documents.model import Document


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
        narrowed = whole.reading.part(within)
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
        narrowed: An encoding sufficient to score the part; None if the whole is needed.
    """

    whole: EncodedDocument
    within: slice
    narrowed: Reading | None

    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the contributions in the whole document."""
        return self.whole.contributions(sentences, groups)

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return the network's logits, `[n + 1]`, the end last; −∞ outside the part.

        This way a stepwise model's probabilities sum to 1 over the part.
        """
        within, whole = self.within, self.whole
        logits = np.full(len(whole.texts) + 1, -np.inf)
        if plan and self.narrowed is not None:
            scored = self.narrowed.logits([plan])[0]
            logits[within], logits[-1] = scored[:-1], scored[-1]
        else:
            scored = whole.logits(plan) if plan else whole.unchosen
            logits[within], logits[-1] = scored[within], scored[-1]
            if self.network.decides_end:
                logits = with_decision(logits[:-1], decision(scored))
        return logits
