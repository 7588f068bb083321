"""BERTSum, RoBERTaSum and Stepwise RoBERTaSum: a document read as one text (Stepwise, §6)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import FlatConfig
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, initialise, score
from longsum.models.networks.extractive.units import ExtractiveModel, Units


@dataclass(frozen=True, slots=True)
class FlatReading:
    """Documents as read before any choice.

    Attributes:
        units: The documents.
        scores: `[b, n]`, of a model that is not stepwise; else None.
    """

    units: Units
    scores: Tensor | None


class FlatSum(ExtractiveModel):
    """An encoder over the sentences of a document, one after another.

    Each sentence has its own start and end token, without segment embeddings (§6.1), and is
    represented by the state of its start, which a linear layer scores. In a stepwise model the
    sentences of the partial summary follow those of the document, distinguished only by position
    (§6.2).

    Where the paper leaves it open, the end of the plan (∅) is one more token with its own learned
    vector, after the summary, scored as sentences are. A document that is too long is truncated; a
    sentence whose start remains is scored (as Liu & Lapata do), and the others have −∞.

    Raises:
        LongsumError: The settings ask for another representation than the first state.
    """

    config: FlatConfig

    def __init__(self, config: FlatConfig) -> None:
        super().__init__()
        if config.encoder.representation != "first":
            raise LongsumError(
                f"A flat extractor cannot represent a sentence by {config.encoder.representation!r}"
                "; set its encoder's representation to 'first'."
            )
        self.config = config
        self.stepwise = config.stepwise
        self.encoder = SentenceEncoder(config.encoder)
        self.salience = nn.Linear(config.encoder.size, 1)
        initialise(self)
        if config.stepwise:
            self.end = nn.Parameter(torch.zeros(config.encoder.size))
            nn.init.normal_(self.end, std=0.02)

    def read(self, units: Units) -> FlatReading:
        """Lay out documents; a model that is not stepwise scores them here."""
        if self.stepwise:
            return FlatReading(units, None)
        counts = _cut(_counts(units, units.sentences), self._room)
        tokens, lengths = _concatenate(units.tokens, units.sentences, counts)
        return FlatReading(units, self._scores(self.encoder.states(tokens, lengths), counts))

    def logits(self, reading: FlatReading, plans: Tensor) -> Tensor:
        """Score what may be chosen next; see `ExtractiveModel.logits`."""
        rows, count, _ = plans.shape
        if reading.scores is not None:
            ends = torch.full_like(reading.scores[:, :1], -torch.inf)
            return torch.cat([reading.scores, ends], dim=1)[:, None].expand(-1, count, -1)
        units = reading.units
        document, summary = self._tokens_read(units, plans)
        sentences = units.sentences.repeat_interleave(count, dim=0)
        tokens, lengths = _concatenate(
            units.tokens,
            torch.cat([sentences, _chosen(units, plans)], dim=1),
            torch.cat([document, summary], dim=1),
        )
        states = self._closed(tokens, lengths)
        last = states[torch.arange(len(states), device=states.device), lengths]
        scores = [self._scores(states, document), score(self.salience, last)[:, None]]
        return torch.cat(scores, dim=1).view(rows, count, -1)

    def scored(self, units: Units, plans: Tensor) -> Tensor:
        """Return which sentences have their start in the space that the summary leaves."""
        if not self.stepwise:
            return self.with_end(_cut(_counts(units, units.sentences), self._room) > 0, plans)
        document, _ = self._tokens_read(units, plans)
        return pad(document > 0, (0, 1), value=True).view(*plans.shape[:2], -1)

    def _tokens_read(self, units: Units, plans: Tensor) -> tuple[Tensor, Tensor]:
        """Return the tokens read of each sentence, `[b · k, n]`, and of each chosen one."""
        summary = _cut(_counts(units, _chosen(units, plans)), self._room)
        sentences = units.sentences.repeat_interleave(plans.shape[1], dim=0)
        room = self._room - summary.sum(1, keepdim=True)
        return _cut(_counts(units, sentences), room), summary

    @property
    def _room(self) -> int:
        """How many tokens the input holds besides ∅."""
        return self.config.encoder.positions - int(self.stepwise)

    def _closed(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the states of tokens `[r, t]` with ∅ after the last of each row, `[r, t + 1]`."""
        vectors = pad(self.encoder.embedding.tokens(tokens), (0, 0, 0, 1))
        places = torch.arange(vectors.shape[1], device=tokens.device)
        ends = (places == lengths[:, None])[..., None]
        vectors = torch.where(ends, self.end.to(vectors.dtype), vectors)
        placed = self.encoder.embedding.place(vectors)
        return self.encoder.transform(placed, places <= lengths[:, None])

    def _scores(self, states: Tensor, counts: Tensor) -> Tensor:
        """Score the texts that come first in an input.

        Args:
            states: `[r, t, D]`.
            counts: `[r, n]`, tokens read of each text.

        Returns:
            `[r, n]`, −∞ for a text that is not read.
        """
        salience = score(self.salience, states)
        starts = (counts.cumsum(1) - counts).clamp_max(states.shape[1] - 1)
        return salience.gather(1, starts).masked_fill(counts == 0, -torch.inf)


def _chosen(units: Units, plans: Tensor) -> Tensor:
    """Return the texts of the sentences of plans `[b, k, m]`, `[b · k, m]`; −1 where none."""
    chosen = units.sentences.gather(1, plans.clamp_min(0).flatten(1)).view(plans.shape)
    return chosen.masked_fill(plans < 0, -1).flatten(0, 1)


def _counts(units: Units, texts: Tensor) -> Tensor:
    """Return the tokens of each text `[r, u]`; 0 for none."""
    return units.lengths[texts.clamp_min(0)] * (texts >= 0)


def _cut(counts: Tensor, room: Tensor | int) -> Tensor:
    """Return the tokens of each of consecutive texts, `[r, u]`, that fit in a room, `[r, 1]`."""
    return torch.minimum(counts, (room - (counts.cumsum(1) - counts)).clamp_min(0))


def _concatenate(tokens: Tensor, texts: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
    """Concatenate the first tokens of texts.

    Args:
        tokens: `[m, t]`, one text per row.
        texts: `[r, u]`, which texts to take.
        counts: `[r, u]`, number of tokens of each.

    Returns:
        `[r, longest]`, any tokens where padded, and the lengths `[r]`.
    """
    ends = counts.cumsum(1)
    lengths = ends[:, -1]
    places = torch.arange(int(lengths.max()), device=tokens.device).repeat(len(texts), 1)
    which = torch.searchsorted(ends, places, right=True).clamp_max(ends.shape[1] - 1)
    inside = places - (ends - counts).gather(1, which)
    rows = texts.gather(1, which).clamp_min(0)
    return tokens[rows, inside.clamp_max(tokens.shape[1] - 1)], lengths
