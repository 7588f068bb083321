"""The document encoder of HiBERT in NumPy; `extractive.document_encoder` of the models defines it.

One document at a time, in fp32. A plan affects only the layers that read the summary, so a step
computes just their feed-forward networks and their attention to the summary.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from longsum.common.arrays import Array, Ints, Places
from longsum.common.threads import single_thread
from longsum.core.encoder.extractor_settings import HibertConfig
from longsum.core.encoder.network import with_decision
from longsum.core.encoder.onnx_runtime.layers import Attention, FeedForward, Linear, Memory, Norm
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights


@dataclass(frozen=True, slots=True)
class DocumentLayer:
    """A layer: self-attention of document and summary, attention to the summary, feed-forward.

    Both self-attentions have the same weights. Layers that do not read the summary have no
    attention to it.
    """

    attention: Attention
    summary_attention: Attention | None
    feed_forward: FeedForward


class DocumentEncoder:
    """Scores sentences given the document and the choices so far.

    Raises:
        LongsumError: A weight is missing.
    """

    def __init__(self, config: HibertConfig, stored: StoredWeights) -> None:
        encoder, sizes = config.document_encoder, config.sentence_encoder
        self.config, self.stepwise = encoder, config.stepwise
        epsilon = sizes.norm_epsilon
        reading = encoder.layers if encoder.summary_layers is None else encoder.summary_layers
        self.summary_from = encoder.layers - reading if config.stepwise else encoder.layers
        self.layers = [
            DocumentLayer(
                Attention.of(stored, f"layers.{number}.attention", sizes.heads, epsilon),
                Attention.of(stored, f"layers.{number}.summary_attention", sizes.heads, epsilon)
                if number >= self.summary_from
                else None,
                FeedForward.of(stored, f"layers.{number}.feed_forward", epsilon),
            )
            for number in range(encoder.layers)
        ]
        self.positions = [
            stored.floats(f"positions.{number}.weight")
            for number in range(len(encoder.position_tables))
        ]
        self.heading = Linear.of(stored, "heading") if encoder.headings else None
        self.norm = Norm.of(stored, "norm", epsilon)
        self.salience = Linear.of(stored, "salience")
        if config.stepwise:
            self.plan_positions = stored.floats("plan_positions.weight")
            self.begin, self.end = stored.floats("begin"), stored.floats("end")
        pointing = config.stepwise and encoder.points
        self.pointer = Linear.of(stored, "pointer") if pointing else None

    @property
    def decides_end(self) -> bool:
        """Whether the end of the plan is a decision of its own."""
        return self.stepwise and self.config.end == "decision"

    @single_thread()
    def read(self, vectors: Floats, headings: Floats | None, places: Ints) -> "LightReading":
        """Compute everything about a document that does not depend on the choices.

        Args:
            vectors: `[n, D]`, from the sentence encoder.
            headings: `[n, D]`, the headings above the sentences; zeros if there is none.
            places: `[n, F]`, see `longsum.documents.sentence_features`.
        """
        known = len(vectors)
        if self.config.positions == "learned":
            known = min(known, self.config.sentences)
        states = vectors[:known] + self.placed(places[:known])
        if self.heading is not None and headings is not None:
            states += self.heading(headings[:known])
        if self.stepwise:
            # ∅ is one more unit of the document.
            states = np.concatenate([states, self.end[None]])
        states = self.norm(states)
        below: list[Floats] = []
        for layer in self.layers[: self.summary_from]:
            below.append(states)
            states = layer.feed_forward(layer.attention(states, states))
        attended = states
        if self.summary_from < len(self.layers):
            attended = self.layers[self.summary_from].attention(states, states)
        return LightReading(
            self, vectors, headings, places, states, attended, tuple(below), len(vectors)
        )

    def placed(self, places: Ints) -> Floats:
        """Return the embeddings of the places of sentences, `[n, D]` of `[n, F]`."""
        if self.config.positions == "learned":
            return self.positions[0][: len(places)]
        return self.placed_by(places, range(len(self.positions)))

    def placed_by(self, places: Ints, columns: Sequence[int]) -> Floats:
        """Return the embeddings of some place features, `[…, D]` of `[…, F]`."""
        # Added one at a time: together, they would take many times the memory of the states.
        tables = (
            self.positions[number][places[..., number]]
            for number in columns
            if number < len(self.positions)
        )
        return sum(tables, np.zeros((), dtype=np.float32))

    def scores(self, states: Floats, last: Floats | None) -> Floats:
        """Return the scores of states `[n, D]`, given that of the latest choice, `[D]`: `[n]`."""
        salience: Floats = self.salience(states)[:, 0]
        if self.pointer is None or last is None:
            return salience
        return salience + states @ self.pointer(last) / np.float32(np.sqrt(len(last)))

    def summary(self, vectors: Floats, plan: Sequence[int]) -> Floats:
        """Return the units of a partial summary, `[m + 1, D]`, for a plan of m sentences."""
        units = np.concatenate([self.begin[None], vectors[list(plan)]])
        places = np.arange(len(units))
        if self.config.counted == "end":
            places = places[::-1]
        places = np.minimum(places, self.config.plan)
        return self.norm(units + self.plan_positions[places])


@dataclass(frozen=True, eq=False)
class LightReading:
    """A document as the encoder has read it.

    Attributes:
        encoder: The encoder.
        vectors: `[n, D]`, sentences regardless of their place in the document.
        headings: `[n, D]`, the headings above them, if the model reads headings.
        places: `[n, F]`.
        states: `[n + 1, D]`, the end last, below the lowest layer that reads the summary; in a
            model that is not stepwise, `[n, D]`, above all layers.
        attended: Likewise, the output of the document's self-attention in that layer.
        below: The states below each layer that does not read the summary.
        count: Number of sentences that are scored; in a part, fewer than there are vectors.
    """

    encoder: DocumentEncoder
    vectors: Floats
    headings: Floats | None
    places: Ints
    states: Floats
    attended: Floats
    below: tuple[Floats, ...]
    count: int

    @single_thread()
    def logits(self, plans: Sequence[tuple[int, ...]]) -> Array:
        """Score everything that may follow partial plans; see `longsum.core.encoder.network`."""
        encoder = self.encoder
        logits = np.full((len(plans), self.count + 1), -np.inf)
        for row, plan in zip(logits, plans, strict=True):
            states, last = self._conditioned(plan) if encoder.stepwise else (self.states, None)
            scores = encoder.scores(states, last).astype(np.float64)
            sentences = scores[:-1] if encoder.stepwise else scores
            row[: len(sentences)] = sentences
            if encoder.decides_end:
                row[:] = with_decision(row[:-1], scores[-1])
            elif encoder.stepwise:
                row[-1] = scores[-1]
        return logits

    @single_thread()
    def contributions(
        self, sentences: Sequence[int], groups: Sequence[Sequence[int]]
    ) -> list[list[float]]:
        """Return the logits of sentences as features are added; see `Reading.contributions`."""
        encoder = self.encoder
        states = [row for sentence in sentences for row in self._partial_states(sentence, groups)]
        rows = encoder.norm(np.stack(states))
        summaries, memories = self._unchosen
        for number, layer in enumerate(encoder.layers):
            rows = layer.attention.look(rows, memories[number])
            if layer.summary_attention is not None:
                rows = layer.summary_attention(rows, summaries[number])
            rows = layer.feed_forward(rows)
        (begin,) = summaries[-1]
        scores = encoder.scores(rows, begin)
        logits: list[list[float]] = scores.reshape(len(sentences), -1).tolist()
        return logits

    def part(self, within: slice | Places) -> "LightReading | None":
        """Return a reading that suffices to score some sentences; see `Reading.part`."""
        encoder = self.encoder
        if not encoder.stepwise or encoder.summary_from + 1 < len(encoder.layers):
            return None
        return replace(
            self,
            states=np.concatenate([self.states[:-1][within], self.states[-1:]]),
            attended=np.concatenate([self.attended[:-1][within], self.attended[-1:]]),
            count=len(self.vectors[within]),
        )

    def _conditioned(self, plan: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Return states given a plan, `[n + 1, D]`, and the state of the latest choice, `[D]`."""
        encoder, states = self.encoder, self.attended
        summary = encoder.summary(self.vectors, plan)
        for number, layer in enumerate(encoder.layers):
            summary = layer.attention(summary, summary)
            if layer.summary_attention is not None:
                queries = self._first_queries
                if number > encoder.summary_from:
                    states, queries = layer.attention(states, states), None
                memory = layer.summary_attention.remember(summary)
                states = layer.summary_attention.look(states, memory, queries)
                states = layer.feed_forward(states)
            if number + 1 < len(encoder.layers):
                summary = layer.feed_forward(summary)
        return states, summary[-1]

    @cached_property
    def _first_queries(self) -> Floats | None:
        """The queries of the lowest layer that reads the summary, which no choice affects."""
        layers, first = self.encoder.layers, self.encoder.summary_from
        attention = layers[first].summary_attention if first < len(layers) else None
        return None if attention is None else attention.ask(self.attended)

    @cached_property
    def _unchosen(self) -> tuple[list[Floats], list[Memory]]:
        """The summary's states before any choice, and each layer's memory of the document."""
        encoder = self.encoder
        summary = encoder.summary(self.vectors, ())
        inputs, states, summaries = [*self.below, self.states], self.attended, []
        for number, layer in enumerate(encoder.layers):
            summary = layer.attention(summary, summary)
            summaries.append(summary)
            if number + 1 < len(encoder.layers):
                if layer.summary_attention is not None:
                    states = layer.feed_forward(layer.summary_attention(states, summary))
                    inputs.append(states)
                    states = encoder.layers[number + 1].attention(states, states)
                summary = layer.feed_forward(summary)
        pairs = zip(encoder.layers, inputs, strict=True)
        return summaries, [layer.attention.remember(memory) for layer, memory in pairs]

    def _partial_states(self, sentence: int, groups: Sequence[Sequence[int]]) -> Iterator[Floats]:
        """Yield a sentence's state as its features are added one by one."""
        encoder = self.encoder
        state = self.vectors[sentence]
        yield state
        if encoder.heading is not None and self.headings is not None:
            state = state + encoder.heading(self.headings[sentence])
        yield state
        for columns in groups:
            if encoder.config.positions == "places":
                state = state + encoder.placed_by(self.places[sentence], columns)
            yield state
