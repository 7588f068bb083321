"""The interface of an extractor's networks, and of the documents that they read.

There are two implementations: `torch_network.py`, for all architectures and GPUs, and
`longsum.core.encoder.onnx_runtime`, without PyTorch.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array, Ints, Places


class Encoded(Protocol):
    """A document as tokens; see `longsum.core.encoder.encode_units.EncodedDocument`."""

    @property
    def tokens(self) -> Ints:
        """Tokens of all texts, one after the other: sentences first, then headings."""

    @property
    def ends(self) -> Places:
        """Where each text ends in `tokens`."""

    @property
    def headings(self) -> Ints:
        """`[n]`, index of the text with each sentence's heading; −1 if there is none."""

    @property
    def places(self) -> Ints:
        """`[n, F]`, the place of each sentence."""


def texts_of(document: Encoded) -> list[Ints]:
    """Return the tokens of each text of a document."""
    return np.split(document.tokens, document.ends[:-1])


Rows = NDArray[np.float32]
"""Vectors of sentences, `[n, D]`."""


class Reading(Protocol):
    """A document as a network has read it, before any choice."""

    @property
    def vectors(self) -> Rows | None:
        """`[n, D]`, sentences regardless of their place in the document; None if there are none."""

    def logits(self, plans: Sequence[tuple[int, ...]]) -> Array:
        """Score everything that may follow partial plans.

        Args:
            plans: k plans of one length: positions of sentences in the order of choice.

        Returns:
            `[k, n + 1]`, the end (∅) last. For a stepwise network, unnormalised log-probabilities;
            for another, the log-odds that a sentence belongs to the summary, and −∞ for the end.
            Sentences that were not read have −∞.
        """

    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the logits of k sentences before any choice as features are added one by one.

        Each sentence has `2 + len(groups)` of them: with its words alone, with its heading added,
        and with each group of its places added in turn. Only a stepwise HiBERT provides this.

        Args:
            sentences: Their positions.
            groups: Columns of `longsum.documents.sentence_features.PLACES`.
        """

    def part(self, within: slice | Places) -> "Reading | None":
        """Return a reading that suffices to score some sentences; None if the whole is needed.

        Plans still refer to sentences of the whole document.
        """


class Network(Protocol):
    """A trained extractor.

    Attributes:
        stepwise: Whether earlier choices change the scores.
        decides_end: Whether the end of the plan is a decision of its own (`with_decision`).
        compares: Whether it has vectors of sentences, and of any other texts.
        concurrent: Whether concurrent calls are faster, as each computes in one thread.
    """

    stepwise: bool
    decides_end: bool
    compares: bool
    concurrent: bool

    @property
    def rough(self) -> Callable[[Sequence[Ints]], Rows] | None:
        """Returns rough vectors of tokenized texts, `[m, D]` (`RoughVectors`); may be None."""

    def read(self, document: Encoded, texts: Rows | None = None) -> Reading:
        """Compute everything that does not depend on the choices.

        Args:
            document: The document.
            texts: `[m, D]`, what `encode` returned for its texts; None to encode them now.
        """

    def encode(self, texts: Sequence[Ints]) -> Rows:
        """Return the vectors of texts as tokens, `[m, D]`; only for a network that `compares`."""


def with_decision(sentences: Array, odds: Array) -> Array:
    """Return logits in which the end has given log-odds, regardless of the sentences' logits.

    The logits are `[…, n]`, −∞ for sentences that cannot be chosen; the odds are `[…]`.

    In the result, `[…, n + 1]`, the softmax of the last logit is the sigmoid of the odds.
    """
    ends = np.asarray(odds) + _log_weight(sentences)
    return np.concatenate([sentences, ends[..., None]], axis=-1)


def decision(logits: Array) -> Array:
    """Return the log-odds of the end, `[…]`, in logits `[…, n + 1]`; see `with_decision`."""
    odds: Array = logits[..., -1] - _log_weight(logits[..., :-1])
    return odds


def log_softmax(logits: Array) -> Array:
    """Return normalised log-probabilities over the last axis; −∞ if all logits are."""
    total = np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    normalised: Array = logits - np.where(np.isneginf(total), 0.0, total)
    return normalised


def _log_weight(sentences: Array) -> Array:
    """Return the log of the sentences' total weight; 0 if none can be chosen."""
    total: Array = np.logaddexp.reduce(sentences, axis=-1)
    return np.where(np.isneginf(total), 0.0, total)
