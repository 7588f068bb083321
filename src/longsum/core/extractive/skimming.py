"""Skimming of long documents: only promising sentences are read closely, the others roughly.

The network first reads a document with rough vectors (`longsum.core.encoder.encode_units`). The
sentences that it scores highest are then encoded, and the document is read again; the others keep
their rough vectors, as context, and are chosen only when nothing else is left.
"""

from dataclasses import dataclass, fields

import numpy as np

from longsum.common.arrays import Array, Mask
from longsum.core.encoder.network import Reading, decision, with_decision
from longsum.core.extractive.network_ranking import EncodedDocument


def worth_reading(skimmed: EncodedDocument, share: float, whole: Mask) -> Mask:
    """Return which sentences are worth reading closely, `[n]`; at least one.

    Args:
        skimmed: The document, as the network reads it with rough vectors.
        share: The share of sentences to read closely. Those of higher preference come first, as in
            the selection.
        whole: Which sentences the encoder reads without truncation, `[n]`. The others are the most
            expensive to encode and hardly ever chosen, and their rough vectors represent their
            first words, too.
    """
    scores = skimmed.unchosen[:-1] - skimmed.penalties
    levels = np.asarray(skimmed.preferred, dtype=np.int64)
    order = np.lexsort((-scores, -levels))
    order = order[whole[order]] if whole.any() else order[:1]
    worth = np.zeros(len(scores), dtype=bool)
    worth[order[: int(np.ceil(share * len(scores)))]] = True
    return worth


@dataclass(frozen=True, eq=False)
class SkimmedDocument(EncodedDocument):
    """An encoded document of which only some sentences were read closely.

    A step of a stepwise model scores only these, if possible; the others keep the scores that they
    had before any choice.

    Attributes:
        close: Which sentences were read closely, `[n]`.
        narrowed: An encoding sufficient to score them; None if the whole is needed.
    """

    close: Mask
    narrowed: Reading | None

    @classmethod
    def of(cls, read: EncodedDocument, close: Mask) -> "SkimmedDocument":
        """Return an encoded document that prefers closely read sentences to all others."""
        attributes = {field.name: getattr(read, field.name) for field in fields(EncodedDocument)}
        levels = np.asarray(read.preferred)
        attributes["preferred"] = levels + (levels.max(initial=0) + 1) * close
        return cls(**attributes, close=close, narrowed=read.reading.part(np.flatnonzero(close)))

    def logits(self, plan: tuple[int, ...]) -> Array:
        """Return the network's logits after a partial plan, `[n + 1]`, the end last."""
        if not plan or self.narrowed is None:
            return super().logits(plan)
        scored = self.narrowed.logits([plan])[0]
        logits = self.unchosen.copy()
        logits[:-1][self.close], logits[-1] = scored[:-1], scored[-1]
        if self.network.decides_end:
            logits = with_decision(logits[:-1], decision(scored))
        return logits
