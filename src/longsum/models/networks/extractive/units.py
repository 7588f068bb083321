"""The input of extractive models, and the interface that they share."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from longsum.common.arrays import Ints, Places
from longsum.core.encoder.network import Encoded


@dataclass(frozen=True, slots=True)
class Units:
    """Sentences of a batch of documents.

    Attributes:
        tokens: `[m, t]`, one text per row, padded on the right: the sentences and headings of all
            documents, each between the tokenizer's start and end.
        lengths: `[m]`, tokens of each text.
        sentences: `[b, n]`, row of each document's sentence in `tokens`; −1 where padded.
        headings: `[b, n]`, row of the heading above the sentence; −1 where none.
        places: `[b, n, F]`, the place of each sentence, as whole numbers from 0 (see
            `longsum.documents.sentence_features`); 0 where padded.
        vectors: `[m, D]`, vectors of the texts that a sentence encoder has already computed, in
            which case `tokens` and `lengths` are ignored; None if it has yet to read them.
    """

    tokens: Tensor
    lengths: Tensor
    sentences: Tensor
    headings: Tensor
    places: Tensor
    vectors: Tensor | None = None

    @property
    def real(self) -> Tensor:
        """Boolean `[b, n]`, True for sentences, False for padding."""
        return self.sentences >= 0

    def parts(self) -> dict[str, Tensor]:
        """Return the fields by name, without those that are None."""
        parts = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: part for name, part in parts.items() if part is not None}

    def to(self, device: torch.device) -> "Units":
        """Return the units on a device."""
        return Units(**{name: part.to(device) for name, part in self.parts().items()})


class ExtractiveModel(nn.Module, ABC):
    """Scores the sentences of documents, conditioned on earlier choices or on none.

    Attributes:
        config: The settings, a dataclass.
        stepwise: Whether earlier choices change the scores.
        decides_end: Whether the end of the plan is a separate decision (`with_decision`).
    """

    config: Any
    stepwise: bool
    decides_end: bool = False

    @abstractmethod
    def read(self, units: Units) -> Any:
        """Compute what does not depend on the choices, once for each document."""

    @abstractmethod
    def logits(self, reading: Any, plans: Tensor) -> Tensor:
        """Score what may be chosen next.

        Args:
            reading: What `read` returned for b documents.
            plans: `[b, k, m]`, k partial plans of each document: positions of the sentences chosen
                before, in the order of choice, −1 where padded on the right.

        Returns:
            `[b, k, n + 1]`: a stepwise model's unnormalised log-probabilities of each sentence and,
            last, of the end of the plan (∅); of another model the log-odds that a sentence belongs
            to the summary, and −∞ last. −∞ where padded.
        """

    @abstractmethod
    def scored(self, units: Units, plans: Tensor) -> Tensor:
        """Return which choices `logits` would score: Boolean `[b, k, n + 1]`.

        The plans are as for `logits`.
        """

    def with_end(self, sentences: Tensor, plans: Tensor) -> Tensor:
        """Extend `[b, n]` to `[b, k, n + 1]`, True for the end of a stepwise model's plan."""
        closed = pad(sentences, (0, 1), value=self.stepwise)
        return closed[:, None].expand(-1, plans.shape[1], -1)


def with_decision(sentences: Tensor, odds: Tensor) -> Tensor:
    """Append the end to logits so that it has given log-odds, whatever the logits of sentences.

    The logits are `[…, n]`, −∞ for sentences that cannot be chosen; the odds are `[…]`. In the
    softmax of the result, `[…, n + 1]`, the end has the sigmoid of the odds.
    """
    rest = sentences.logsumexp(-1)
    ends = odds + rest.masked_fill(rest.isneginf(), 0.0)
    return torch.cat([sentences, ends[..., None]], dim=-1)


def decision(logits: Tensor) -> Tensor:
    """Return the log-odds of the end in logits `[…, n + 1]`; see `with_decision`."""
    rest = logits[..., :-1].logsumexp(-1)
    return logits[..., -1] - rest.masked_fill(rest.isneginf(), 0.0)


def padded(tokens: Ints, lengths: Places, pad: int) -> Places:
    """Return texts that follow each other as rows, padded on the right, `[m, t]`."""
    rows = np.full((len(lengths), int(lengths.max())), pad, dtype=np.int64)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = tokens
    return rows


def join(documents: Sequence[Encoded], pad: int) -> Units:
    """Join documents into a batch."""
    lengths = np.concatenate([np.diff(document.ends, prepend=0) for document in documents])
    tokens = padded(np.concatenate([document.tokens for document in documents]), lengths, pad)
    longest = max(len(document.headings) for document in documents)
    features = documents[0].places.shape[1]
    sentences = np.full((len(documents), longest), -1, dtype=np.int64)
    headings = np.full((len(documents), longest), -1, dtype=np.int64)
    places = np.zeros((len(documents), longest, features), dtype=np.int64)
    first = 0
    for number, document in enumerate(documents):
        count = len(document.headings)
        sentences[number, :count] = np.arange(first, first + count)
        headings[number, :count] = np.where(document.headings < 0, -1, first + document.headings)
        places[number, :count] = document.places
        first += len(document.ends)
    arrays = (tokens, lengths.astype(np.int64), sentences, headings, places)
    return Units(*map(torch.from_numpy, arrays))
