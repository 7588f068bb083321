"""HiBERT: a sentence encoder under a document encoder, stepwise or not (Stepwise, §4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.encoder.transition_scores import OWNER, Following
from longsum.models.attention.linear_layers import project
from longsum.models.networks.extractive.extractor_layers import (
    Attention,
    FeedForward,
    SentenceEncoder,
    encode_sorted,
    initialise,
    score,
)
from longsum.models.networks.extractive.units import ExtractiveModel, Units, with_decision


@dataclass(frozen=True, slots=True)
class DocumentStates:
    """Documents as read before any choice.

    Attributes:
        vectors: `[b, n, D]`, sentences without their place in the document.
        real: Boolean `[b, n + 1]`, True for sentences and for the end of the plan, which is last.
        states: `[b, n + 1, D]`, the input of the lowest layer that reads the summary; for a model
            that is not stepwise, the output of the last layer.
        attended: `[b, n + 1, D]`, the states after document self-attention in that layer.
        below: `[b, n + 1, D]` each, the input of each layer that does not read the summary.
        headings: `[b, n, D]`, the heading above each sentence, if the model reads headings.
        places: `[b, n, F]`, the place of each sentence; see `Units.places`.
    """

    vectors: Tensor
    real: Tensor
    states: Tensor
    attended: Tensor
    below: tuple[Tensor, ...]
    headings: Tensor | None
    places: Tensor


class DocumentLayer(nn.Module):
    """Document and summary self-attention side by side, document–summary attention, feed-forward.

    The two self-attentions share their parameters (§4, Figure 2).

    Args:
        config: Settings of the document encoder.
        encoder: Settings of the sentence encoder, whose size and heads it shares.
        informed: Whether the layer reads the summary.
    """

    def __init__(
        self, config: DocumentEncoderConfig, encoder: SentenceEncoderConfig, informed: bool
    ) -> None:
        super().__init__()

        def attention() -> Attention:
            return Attention(
                encoder.size,
                encoder.heads,
                config.dropout,
                encoder.norm_epsilon,
                config.attention_dropout,
            )

        self.attention = attention()
        self.summary_attention = attention() if informed else None
        self.feed_forward = FeedForward(
            encoder.size, config.feed_forward, config.dropout, encoder.norm_epsilon
        )


class DocumentEncoder(nn.Module):
    """Scores sentences given the document and the sentences chosen so far.

    Where the paper leaves it open, the end of the plan (∅) is one more unit of the document with
    its own learned vector, read and scored as sentences are. The summary begins with a learned
    vector too, so that there is something to attend to before the first choice.

    Args:
        config: Its settings.
        encoder: Settings of the sentence encoder, whose size and heads it shares.
        stepwise: Whether there are partial summaries.

    Raises:
        LongsumError: The summary would be read by no layer, or by more layers than there are.
    """

    def __init__(
        self, config: DocumentEncoderConfig, encoder: SentenceEncoderConfig, stepwise: bool
    ) -> None:
        super().__init__()
        self.config = config
        size, epsilon = encoder.size, encoder.norm_epsilon
        self.summary_from = config.layers
        if stepwise:
            informed = config.layers if config.summary_layers is None else config.summary_layers
            if not 1 <= informed <= config.layers:
                raise LongsumError(
                    f"The summary cannot be read by {informed} of {config.layers} layers; "
                    f"give summary_layers from 1 to {config.layers}."
                )
            self.summary_from = config.layers - informed
            self.plan_positions = nn.Embedding(config.plan + 1, size)
            self.begin = nn.Parameter(torch.zeros(size))
            self.end = nn.Parameter(torch.zeros(size))
        self.pointer = nn.Linear(size, size) if stepwise and config.points else None
        self.following = Following(config.kinds) if stepwise and config.kinds else None
        self.owner = nn.Linear(size, size, bias=False) if config.owners else None
        self.layers = nn.ModuleList(
            DocumentLayer(config, encoder, number >= self.summary_from)
            for number in range(config.layers)
        )
        self.positions = nn.ModuleList(
            nn.Embedding(count, size) for count in config.position_tables
        )
        self.heading = nn.Linear(size, size, bias=False) if config.headings else None
        self.norm = nn.LayerNorm(size, eps=epsilon)
        self.salience = nn.Linear(size, 1)
        self.stepwise = stepwise

    def read(
        self, vectors: Tensor, headings: Tensor | None, places: Tensor, real: Tensor
    ) -> DocumentStates:
        """Compute the states of documents that do not depend on choices.

        Args:
            vectors: `[b, n, D]`, from the sentence encoder; any values where padded.
            headings: `[b, n, D]`, the heading above each sentence, 0 where there is none.
            places: `[b, n, F]`, see `Units.places`.
            real: Boolean `[b, n]`; see `within`.
        """
        real = self.within(real)
        states = vectors if self.config.positions == "none" else vectors + self._placed(places)
        if self.heading is not None and headings is not None:
            states = states + project(self.heading, headings)
        if self.owner is not None:
            states = states + project(self.owner, _of_owners(vectors, places[..., OWNER], real))
        # ∅ has a column in each document, but only a stepwise model has a vector for it.
        ends = torch.full_like(real[:, :1], self.stepwise)
        end = self.end if self.stepwise else states.new_zeros(states.shape[-1])
        states = torch.cat([states, end.expand(len(states), 1, -1).to(states.dtype)], dim=1)
        states = dropout(self.norm(states), self.config.dropout, self.training)
        reading_real = torch.cat([real, ends], dim=1)
        mask = reading_real[:, None, None, :]
        below = []
        for layer in self.stack[: self.summary_from]:
            below.append(states)
            states = layer.feed_forward(layer.attention(states, states, mask))
        attended = states
        if self.stepwise and self.summary_from < len(self.layers):
            attended = self.stack[self.summary_from].attention(states, states, mask)
        read = headings if self.heading is not None else None
        return DocumentStates(vectors, reading_real, states, attended, tuple(below), read, places)

    def within(self, real: Tensor) -> Tensor:
        """Return which sentences are read, `[b, n]`: all, or those with a learned position."""
        if self.config.positions == "learned":
            return real & (torch.arange(real.shape[1], device=real.device) < self.config.sentences)
        return real

    def logits(self, reading: DocumentStates, plans: Tensor) -> Tensor:
        """Score what may be chosen next; see `ExtractiveModel.logits`."""
        rows, count, _ = plans.shape
        states, last = reading.states, None
        if self.stepwise:
            states, last = self._conditioned(reading, plans)
        scores = self.scores(states, last)
        scores = scores.view(rows, -1, scores.shape[-1]).expand(-1, count, -1)
        if self.following is not None:
            scores = scores + self.following(reading.places, plans)
        scores = scores.masked_fill(~reading.real[:, None], -torch.inf)
        if self.stepwise and self.config.end == "decision":
            return with_decision(scores[..., :-1], scores[..., -1])
        return scores

    @property
    def stack(self) -> list[DocumentLayer]:
        """The layers, the lowest first."""
        return cast("list[DocumentLayer]", list(self.layers))

    def scores(self, states: Tensor, last: Tensor | None) -> Tensor:
        """Score states `[…, n, D]` given the state of the last choice, `[…, D]`: `[…, n]`."""
        salience = score(self.salience, states)
        if self.pointer is None or last is None:
            return salience
        query = project(self.pointer, last)[..., None]
        pointed: Tensor = (states @ query).squeeze(-1).float() / states.shape[-1] ** 0.5
        return salience + pointed

    def _conditioned(self, reading: DocumentStates, plans: Tensor) -> tuple[Tensor, Tensor]:
        """Return states given plans, `[b·k, n + 1, D]`, and the last choice, `[b·k, D]`."""
        count = plans.shape[1]
        summary, summary_mask = self.summary(reading.vectors, plans)
        states = reading.states.repeat_interleave(count, dim=0)
        real = reading.real.repeat_interleave(count, dim=0)[:, None, None, :]
        for number, layer in enumerate(self.stack):
            summary = layer.attention(summary, summary, summary_mask)
            if number >= self.summary_from:
                if number == self.summary_from:
                    states = reading.attended.repeat_interleave(count, dim=0)
                else:
                    states = layer.attention(states, states, real)
                assert layer.summary_attention is not None
                states = layer.summary_attention(states, summary, summary_mask)
                states = layer.feed_forward(states)
            if number + 1 < len(self.layers):
                summary = layer.feed_forward(summary)
        length = summary_mask.flatten(1).sum(-1)
        return states, summary[torch.arange(len(summary), device=length.device), length - 1]

    def summary(self, vectors: Tensor, plans: Tensor) -> tuple[Tensor, Tensor]:
        """Return the units of partial summaries `[b · k, m + 1, D]`, and which are not padding."""
        rows, count, length = plans.shape
        size = vectors.shape[-1]
        chosen = plans.clamp_min(0).view(rows, -1, 1).expand(-1, -1, size)
        units = vectors.gather(1, chosen).view(rows * count, length, size)
        begin = self.begin.to(units.dtype).expand(len(units), 1, -1)
        units = torch.cat([begin, units], dim=1)
        real = torch.cat([plans.new_ones(rows, count, 1) > 0, plans >= 0], dim=-1)
        real = real.view(rows * count, length + 1)
        places = torch.arange(length + 1, device=plans.device)
        if self.config.counted == "end":
            places = (real.sum(-1, keepdim=True) - 1 - places).clamp_min(0)
        places = places.clamp_max(self.config.plan)
        units = dropout(
            self.norm(units + self.plan_positions(places)), self.config.dropout, self.training
        )
        return units, real[:, None, None]

    def placed_by(self, places: Tensor, columns: Sequence[int]) -> Tensor:
        """Embed some features of places, in a model that reads them: `[…, F]` to `[…, D]`.

        Args:
            places: See `Units.places`.
            columns: Which features; those that the model does not know are ignored.
        """
        tables = [
            self.positions[number](places[..., number])
            for number in columns
            if number < len(self.positions)
        ]
        return torch.stack(tables).sum(0)

    def _placed(self, places: Tensor) -> Tensor:
        """Return the embedded place of each sentence, `[b, n, D]` or `[1, n, D]`."""
        if self.config.positions == "places":
            return self.placed_by(places, range(len(self.positions)))
        numbers = torch.arange(places.shape[1], device=places.device)
        rows: Tensor = self.positions[0](numbers.clamp_max(self.config.sentences - 1))
        return rows[None]


def _of_owners(vectors: Tensor, owners: Tensor, real: Tensor) -> Tensor:
    """Return the mean vector of the entries of each entry's entity, `[b, n, D]`; 0 without one."""
    same = (owners[:, :, None] == owners[:, None]) & (owners > 0)[:, None] & real[:, None]
    shares = same.to(vectors.dtype)
    return shares @ vectors / shares.sum(-1, keepdim=True).clamp_min(1)


class Hibert(ExtractiveModel):
    """Stepwise HiBERT, or HiBERT.

    Sentences are encoded once; a step runs only those layers of the document encoder that read the
    summary.
    """

    def __init__(self, config: HibertConfig) -> None:
        super().__init__()
        self.config = config
        self.stepwise = config.stepwise
        self.decides_end = config.stepwise and config.document_encoder.end == "decision"
        self.sentence_encoder = SentenceEncoder(config.sentence_encoder)
        self.document_encoder = DocumentEncoder(
            config.document_encoder, config.sentence_encoder, config.stepwise
        )
        initialise(self)
        if config.stepwise:
            for unit in (self.document_encoder.begin, self.document_encoder.end):
                nn.init.normal_(unit, std=0.02)

    def encode(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the vectors of texts, `[m, D]`; for the arguments see `Units`."""
        return encode_sorted(self.sentence_encoder, tokens, lengths)

    def read(self, units: Units) -> DocumentStates:
        """Encode sentences and headings, and compute the states that do not depend on choices."""
        texts = units.vectors
        if texts is None:
            texts = self.encode(units.tokens, units.lengths)
        headings = None
        if self.config.document_encoder.headings:
            headings = texts[units.headings.clamp_min(0)] * (units.headings >= 0)[..., None]
        vectors = texts[units.sentences.clamp_min(0)]
        return self.document_encoder.read(vectors, headings, units.places, units.real)

    def logits(self, reading: DocumentStates, plans: Tensor) -> Tensor:
        """Score what may be chosen next; see `ExtractiveModel.logits`."""
        return self.document_encoder.logits(reading, plans)

    def scored(self, units: Units, plans: Tensor) -> Tensor:
        """Return which sentences have a position."""
        return self.with_end(self.document_encoder.within(units.real), plans)
