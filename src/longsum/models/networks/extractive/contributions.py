"""What each thing that a network is told of a sentence adds to the sentence's score."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from longsum.models.attention.layers.linear_layers import project
from longsum.models.networks.extractive.document_encoder import DocumentEncoder, DocumentStates


class Contributions:
    """Scores of single sentences before any choice, as the network is told more of them.

    The document encoder reads the sum of a sentence's vector, its heading and its places. A
    sentence is scored again with a part of that sum, while all that it looks at in the document
    stays as it was read: what the rest adds is what the network makes of it here. A score costs one
    row of each layer's attention, not the document once more.

    Not in the paper, whose model gives no reasons.

    Args:
        encoder: The document encoder of a stepwise model.
        reading: What it read, of one document.
    """

    def __init__(self, encoder: DocumentEncoder, reading: DocumentStates) -> None:
        self._encoder = encoder
        self._reading = reading
        nothing = torch.full((1, 1, 0), -1, device=reading.vectors.device)
        summary, mask = encoder.summary(reading.vectors, nothing)
        memories, states = [*reading.below, reading.states], reading.attended
        self._summaries: list[Tensor] = []
        for number, layer in enumerate(encoder.stack):
            summary = layer.attention(summary, summary, mask)
            self._summaries.append(summary)
            if number + 1 < len(encoder.stack):
                if number >= encoder.summary_from:
                    assert layer.summary_attention is not None
                    states = layer.feed_forward(layer.summary_attention(states, summary, mask))
                    memories.append(states)
                    above = encoder.stack[number + 1]
                    states = above.attention(states, states, self._real)
                summary = layer.feed_forward(summary)
        self._memories = [
            layer.attention.remember(memory)
            for layer, memory in zip(encoder.stack, memories, strict=True)
        ]

    @property
    def _real(self) -> Tensor:
        return self._reading.real[:, None, None, :]

    def __call__(self, sentences: Sequence[int], groups: Sequence[Sequence[int]]) -> Tensor:
        """Return logits as the network is told more of k sentences, `[k, 2 + len(groups)]`.

        First its own words, then its heading, then each group of its places in turn. Where the
        groups hold all columns, the last is the logit that the model gives before any choice.

        Args:
            sentences: Their positions.
            groups: Columns of `Units.places`; they tell nothing where a model is told no places.
        """
        told = [row for sentence in sentences for row in self._told(sentence, groups)]
        rows = self._encoder.norm(torch.stack(told))[None]
        for number, layer in enumerate(self._encoder.stack):
            rows = layer.attention.look(rows, self._memories[number], self._real)
            if number >= self._encoder.summary_from:
                assert layer.summary_attention is not None
                rows = layer.summary_attention(rows, self._summaries[number], None)
            rows = layer.feed_forward(rows)
        scores = self._encoder.scores(rows, self._summaries[-1][:, -1])[0]
        return scores.view(len(sentences), -1)

    def _told(self, sentence: int, groups: Sequence[Sequence[int]]) -> Iterator[Tensor]:
        encoder, reading = self._encoder, self._reading
        told = reading.vectors[0, sentence]
        yield told
        if encoder.heading is not None and reading.headings is not None:
            told = told + project(encoder.heading, reading.headings[0, sentence])
        yield told
        for columns in groups:
            if encoder.config.positions == "places":
                told = told + encoder.placed_by(reading.places[0, sentence], columns)
            yield told
