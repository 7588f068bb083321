"""ETCSum: one encoder over a whole document and the partial summary (Stepwise, §5).

It reads sentences end to end as the long input, and one global token for each.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, pad

from longsum.core.encoder.extractor_settings import EtcConfig
from longsum.core.encoder.transition_scores import Following
from longsum.models.attention.biases.relative import RelativeLabels
from longsum.models.attention.global_local import (
    GlobalLocal,
    Side,
    Structure,
    global_local_attention,
)
from longsum.models.attention.linear_layers import merge_heads, project, split_heads
from longsum.models.networks.extractive.extractor_layers import (
    FeedForward,
    RecomputedLayer,
    all_rows,
    initialise,
    score,
)
from longsum.models.networks.extractive.units import ExtractiveModel, Units


@dataclass(frozen=True, slots=True)
class EtcInput:
    """A batch of long inputs and their global inputs; n long tokens, g global tokens at most.

    Attributes:
        tokens: `[b, n]`, padded on the right with 0.
        sentences: `[b, n]`, the global token of the sentence of each token; −1 where padded.
        rows: `[b, g]`, the text of each global token; −1 where padded, on the right.
        starts: `[b, g]`, where each text begins in `tokens`.
        lengths: `[b, g]`, tokens of each text; 0 where padded.
        summary: Boolean `[b, g]`, True for texts of the partial summary.
    """

    tokens: Tensor
    sentences: Tensor
    rows: Tensor
    starts: Tensor
    lengths: Tensor
    summary: Tensor

    @property
    def structure(self) -> Structure:
        """How the two inputs are linked, and which of their tokens are padding."""
        return Structure(self.sentences, self.sentences >= 0, self.rows >= 0)


def lay_out(
    texts: Tensor, lengths: Tensor, rows: Tensor, summary: Tensor | None = None
) -> EtcInput:
    """Lay texts end to end.

    Args:
        texts: `[m, t]`, tokens of the texts, padded on the right.
        lengths: `[m]`, tokens of each.
        rows: `[b, u]`, the texts of each input, in order; −1, in any place, for none.
        summary: Boolean `[b, u]`, True for texts of the partial summary; by default none is.
    """
    if summary is None:
        summary = torch.zeros_like(rows, dtype=torch.bool)
    order = (rows < 0).int().argsort(dim=1, stable=True)
    widest = max(int((rows >= 0).sum(dim=1).amax()), 1)
    rows, summary = (part.gather(1, order)[:, :widest] for part in (rows, summary))
    counts = lengths[rows.clamp_min(0)].masked_fill(rows < 0, 0)
    ends = counts.cumsum(dim=1)
    starts = ends - counts
    longest = max(int(ends[:, -1].amax()), 1)
    places = torch.arange(longest, device=rows.device).expand(len(rows), -1).contiguous()
    real = places < ends[:, -1:]
    # Padding has no length and is never found: of several equal ends, the last one counts.
    sentences = torch.searchsorted(ends, places, right=True).clamp_max(widest - 1)
    within = (places - starts.gather(1, sentences)).clamp_max(texts.shape[1] - 1)
    tokens = texts[rows.gather(1, sentences).clamp_min(0), within]
    return EtcInput(
        tokens.masked_fill(~real, 0),
        sentences.masked_fill(~real, -1),
        rows,
        starts,
        counts,
        summary,
    )


def keep_fitting_prefix(rows: Tensor, lengths: Tensor, tokens: int, sentences: int) -> Tensor:
    """Keep the longest prefix of whole texts that fits the input; others become −1.

    Args:
        rows: `[…, u]`, which texts; −1 where none.
        lengths: `[m]`, tokens of each text.
        tokens: Maximum number of tokens.
        sentences: Maximum number of texts.
    """
    real = rows >= 0
    reach = lengths[rows.clamp_min(0)].masked_fill(~real, 0).cumsum(dim=-1)
    return rows.masked_fill((reach > tokens) | (real.cumsum(dim=-1) > sentences), -1)


class SideAttention(nn.Module):
    """How one input reads itself and the other: projections, residual connection, normalisation.

    If `separate`, the other input's keys and values have their own projections.
    """

    def __init__(self, config: EtcConfig, separate: bool) -> None:
        super().__init__()
        size = config.size
        self.heads = config.heads
        self.dropout = config.dropout
        self.query = nn.Linear(size, size)
        self.key = nn.Linear(size, size)
        self.value = nn.Linear(size, size)
        self.other_key = nn.Linear(size, size) if separate else None
        self.other_value = nn.Linear(size, size) if separate else None
        self.labels = nn.Embedding(RelativeLabels(config.relative).count, size)
        self.output = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size, eps=config.norm_epsilon)

    def side(self, own: Tensor, other: Tensor) -> Side:
        """Project states of this input, `[b, q, D]`, and of the other, `[b, k, D]`."""
        return Side(
            split_heads(project(self.query, own), self.heads),
            split_heads(project(self.key, own), self.heads),
            split_heads(project(self.value, own), self.heads),
            split_heads(project(self.other_key or self.key, other), self.heads),
            split_heads(project(self.other_value or self.value, other), self.heads),
            all_rows(self.labels, own.device).unflatten(-1, (self.heads, -1)),
        )

    def close(self, states: Tensor, read: Tensor) -> Tensor:
        """Add what was read, `[b, h, q, d]`, to the states, `[b, q, D]`."""
        update = project(self.output, merge_heads(read))
        update = dropout(update, self.dropout, self.training)
        return self.norm(states + update)  # type: ignore[no-any-return]


class EtcLayer(RecomputedLayer):
    """Global–local attention, and a feed-forward network that both inputs share, as in ETC."""

    def __init__(self, config: EtcConfig) -> None:
        super().__init__()
        self.pattern = GlobalLocal(config.radius, RelativeLabels(config.relative))
        self.dropout = config.dropout
        self.attention = SideAttention(config, config.separate)
        self.global_attention = SideAttention(config, True) if config.separate else None
        self.feed_forward = FeedForward(
            config.size, config.feed_forward, config.dropout, config.norm_epsilon
        )

    def forward(self, long: Tensor, units: Tensor, structure: Structure) -> tuple[Tensor, Tensor]:
        """Return new states of long tokens, `[b, n, D]`, and of global tokens, `[b, g, D]`."""
        attention, other = self.attention, self.global_attention or self.attention
        rate = self.dropout if self.training else 0.0
        read, units_read = global_local_attention(
            attention.side(long, units), other.side(units, long), structure, self.pattern, rate
        )
        long = self.feed_forward(attention.close(long, read))
        return long, self.feed_forward(other.close(units, units_read))


class EtcEncoder(nn.Module):
    """ETC's layers over a long and a global input.

    All global tokens begin as the same learned vector, and differ by the tokens linked to them. The
    table of tokens has one row past the vocabulary, for the end of the plan (∅).

    Labels begin as N(0, 1), not as the N(0, 0.02²) of all other weights: with labels that small,
    all global tokens read the same, and stay the same for long. In small trials, contrastive
    prediction of masked sentences then learned to distinguish documents, but not their sentences.
    """

    def __init__(self, config: EtcConfig) -> None:
        super().__init__()
        self.config = config
        self.tokens = nn.Embedding(config.vocabulary + 1, config.size)
        self.unit = nn.Embedding(1, config.size)
        self.segments = nn.Embedding(2 if config.segments else 1, config.size)
        self.norm = nn.LayerNorm(config.size, eps=config.norm_epsilon)
        self.layers = nn.ModuleList(EtcLayer(config) for _ in range(config.layers))
        initialise(self)
        for part in self.modules():
            if isinstance(part, SideAttention):
                nn.init.normal_(part.labels.weight)

    def forward(self, inputs: EtcInput) -> tuple[Tensor, Tensor]:
        """Return the states of long tokens, `[b, n, D]`, and of global tokens, `[b, g, D]`."""
        structure, rate = inputs.structure, self.config.dropout
        segments = inputs.summary.long() * self.config.segments
        token_segments = segments.gather(1, inputs.sentences.clamp_min(0))
        long = self.norm(self.tokens(inputs.tokens) + self.segments(token_segments))
        units = self.norm(all_rows(self.unit, segments.device) + self.segments(segments))
        long, units = (dropout(states, rate, self.training) for states in (long, units))
        for layer in self.layers:
            long, units = layer(long, units, structure)
        return long, units

    def vectors(self, inputs: EtcInput) -> Tensor:
        """Return the vector of each text, from the states of its tokens, `[b, g, D]`."""
        states, _ = self(inputs)
        size = states.shape[-1]
        if self.config.representation == "first":
            places = inputs.starts.clamp_max(states.shape[1] - 1)
            first: Tensor = states.gather(1, places[..., None].expand(-1, -1, size))
            return first
        places = inputs.sentences.clamp_min(0)[..., None].expand(-1, -1, size)
        states = states * inputs.structure.real[..., None]
        sums: Tensor = states.new_zeros(*inputs.rows.shape, size).scatter_add(1, places, states)
        return sums / inputs.lengths.clamp_min(1)[..., None]


@dataclass(frozen=True, slots=True)
class EtcReading:
    """Documents as read before any choice.

    Attributes:
        texts: `[m + 1, t]`, the tokens of all texts; last the end of the plan, a text of one token.
        lengths: `[m + 1]`, tokens of each.
        sentences: `[b, n]`, rows of the sentences that are read; −1 for others and for padding.
        scores: `[b, n]`, of a model that is not stepwise; else None.
        places: `[b, n, F]`, see `Units.places`.
    """

    texts: Tensor
    lengths: Tensor
    sentences: Tensor
    scores: Tensor | None
    places: Tensor


class EtcSum(ExtractiveModel):
    """Stepwise ETCSum, or ETCSum.

    Where the paper leaves it open, the end of the plan (∅) is a text of one token at the beginning
    of the input, as the special strings of B.3 are, with a global token like any sentence. A
    sentence is read whole or not at all. If a partial summary exceeds its share of the input, the
    sentences chosen last are read. Headings and places are not read: the input itself shows order
    and distance.

    As in the paper, the whole input is encoded again at each step.
    """

    def __init__(self, config: EtcConfig) -> None:
        super().__init__()
        self.config = config
        self.stepwise = config.stepwise
        self.encoder = EtcEncoder(config)
        self.salience = nn.Linear(config.size, 1)
        self.following = Following(config.kinds) if config.stepwise and config.kinds else None
        initialise(self.salience)

    def read(self, units: Units) -> EtcReading:
        """Find the sentences that fit, and score them unless scores depend on the plan."""
        end = units.tokens.new_zeros(1, units.tokens.shape[1])
        end[:, 0] = self.config.vocabulary
        texts = torch.cat([units.tokens, end])
        lengths = pad(units.lengths, (0, 1), value=1)
        sentences = self._read_of(units)
        scores = None
        if not self.stepwise:
            scores = self._score(lay_out(texts, lengths, sentences), units.real.shape[1])
        return EtcReading(texts, lengths, sentences, scores, units.places)

    def scored(self, units: Units, plans: Tensor) -> Tensor:
        """Return which sentences fit."""
        return self.with_end(self._read_of(units) >= 0, plans)

    def _read_of(self, units: Units) -> Tensor:
        """Return the rows of the sentences that fit, `[b, n]`; −1 for others."""
        sizes = self.config.document_tokens, self.config.document_sentences
        return keep_fitting_prefix(units.sentences, units.lengths, *sizes)

    def logits(self, reading: EtcReading, plans: Tensor) -> Tensor:
        """Score what may be chosen next; see `ExtractiveModel.logits`."""
        rows, steps, _ = plans.shape
        count = reading.sentences.shape[1]
        if reading.scores is None:
            scores = self._conditioned(reading, plans).view(rows, steps, count + 1)
            if self.following is not None:
                scores = scores + self.following(reading.places, plans)
        else:
            scores = pad(reading.scores, (0, 1))[:, None].expand(-1, steps, -1)
        real = pad(reading.sentences >= 0, (0, 1), value=self.stepwise)
        return scores.float().masked_fill(~real[:, None], -torch.inf)

    def _conditioned(self, reading: EtcReading, plans: Tensor) -> Tensor:
        """Score sentences and, last, the end of the plan, given plans, `[b · k, n + 1]`."""
        chosen = self._chosen(reading, plans).flatten(0, 1)
        document = reading.sentences.repeat_interleave(plans.shape[1], dim=0)
        end = torch.full_like(document[:, :1], len(reading.texts) - 1)
        inputs = torch.cat([end, document, chosen], dim=1)
        summary = torch.zeros_like(inputs, dtype=torch.bool)
        summary[:, end.shape[1] + document.shape[1] :] = True
        scores = self._score(
            lay_out(reading.texts, reading.lengths, inputs, summary), document.shape[1] + 1
        )
        return scores.roll(-1, dims=1)

    def _chosen(self, reading: EtcReading, plans: Tensor) -> Tensor:
        """Return the rows of the texts of partial summaries, `[b, k, m]`; −1 where none."""
        sentences = reading.sentences[:, None].expand(-1, plans.shape[1], -1)
        chosen = sentences.gather(2, plans.clamp_min(0)).masked_fill(plans < 0, -1)
        fit = keep_fitting_prefix(
            chosen.flip(-1),
            reading.lengths,
            self.config.summary_tokens,
            self.config.summary_sentences,
        )
        return fit.flip(-1)

    def _score(self, inputs: EtcInput, count: int) -> Tensor:
        """Score the first texts of each input, `[b, count]`; any value where there are fewer."""
        scores = score(self.salience, self.encoder.vectors(inputs))
        return pad(scores, (0, max(count - scores.shape[1], 0)))[:, :count]
