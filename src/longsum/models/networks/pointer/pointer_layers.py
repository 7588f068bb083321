"""Encoder, attention and decoder of the pointer-generator network (See et al. 2017, §2)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from longsum.models.attention.layers.linear_layers import is_plain
from longsum.models.networks.pointer.configuration_pointer import LongsumPointerConfig
from longsum.models.networks.words.vocabulary import PAD


class EncodedSource(NamedTuple):
    """Encoded sources, as the decoder attends to them.

    Attributes:
        states: Encoder states, `[b, n, 2H]`.
        keys: W_h h_i of each, `[b, n, 2H]`, computed once.
        mask: Which positions are words, `[b, n]`.
        extended: Extended ids, `[b, n]`.
    """

    states: Tensor
    keys: Tensor
    mask: Tensor
    extended: Tensor


class DecoderState(NamedTuple):
    """The state of the decoder between words.

    Attributes:
        hidden: s_t, `[b, H]`.
        cell: `[b, H]`.
        context: h*_t, `[b, 2H]`.
        coverage: Sum of all attention so far, `[b, n]`.
    """

    hidden: Tensor
    cell: Tensor
    context: Tensor
    coverage: Tensor


class Step(NamedTuple):
    """One step of the decoder.

    Attributes:
        output: Input of the output layer, `[b, H]`.
        attention: a^t over the source, `[b, n]`, in fp32.
        generate: Logit of p_gen, `[b]`.
        overlap: Coverage loss of the step, Σ_i min(a_i, c_i) (Eq. 12), `[b]`.
    """

    output: Tensor
    attention: Tensor
    generate: Tensor
    overlap: Tensor


class Encoder(nn.Module):
    """A bidirectional LSTM, whose last states are reduced to one for the decoder."""

    def __init__(self, config: LongsumPointerConfig) -> None:
        super().__init__()
        size = config.hidden_size
        self.lstm = nn.LSTM(config.embedding_size, size, batch_first=True, bidirectional=True)
        self.reduce_hidden = nn.Linear(2 * size, size)
        self.reduce_cell = nn.Linear(2 * size, size)
        self.key = nn.Linear(2 * size, 2 * size, bias=False)

    def forward(self, words: Tensor, ids: Tensor, extended: Tensor) -> tuple[EncodedSource, Tensor]:
        """Encode sources.

        Args:
            words: Embeddings, `[b, n, E]`.
            ids: Their ids, padded on the right with `PAD`, `[b, n]`; no source is empty.
            extended: Extended ids, `[b, n]`.

        Returns:
            The sources, and the first hidden and cell state of the decoder, `[2, b, H]`.
        """
        mask = ids != PAD
        packed = pack_padded_sequence(
            words, mask.sum(dim=1).cpu(), batch_first=True, enforce_sorted=False
        )
        outputs, (hidden, cell) = self.lstm(packed)
        states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=ids.shape[1])
        # [2, b, H] → [b, 2H]
        hidden, cell = (torch.cat([*last], dim=-1) for last in (hidden, cell))
        first = torch.stack([self.reduce_hidden(hidden).relu(), self.reduce_cell(cell).relu()])
        return EncodedSource(states, self.key(states), mask, extended), first


class Decoder(nn.Module):
    """An LSTM with Bahdanau attention and a switch between generating and copying."""

    def __init__(self, config: LongsumPointerConfig) -> None:
        super().__init__()
        size, words = config.hidden_size, config.embedding_size
        self.with_coverage = config.coverage
        self.input = nn.Linear(words + 2 * size, words)
        self.lstm = nn.LSTMCell(words, size)
        self.query = nn.Linear(2 * size, 2 * size)
        self.coverage = nn.Linear(1, 2 * size, bias=False)
        self.score = nn.Linear(2 * size, 1, bias=False)
        self.generate = nn.Linear(4 * size + words, 1)
        self.output = nn.Linear(3 * size, size)

    def forward(
        self, word: Tensor, state: DecoderState, source: EncodedSource
    ) -> tuple[Step, DecoderState]:
        """Run one step.

        Args:
            word: Embedding of the last word, `[b, E]`.
            state: The state after the previous step.
            source: The sources.
        """
        given = self.input(torch.cat([word, state.context], dim=-1))
        hidden, cell = self.lstm(given, (state.hidden, state.cell))
        query = torch.cat([cell, hidden], dim=-1)
        attention = self._attention(query, state.coverage, source)
        # [b, 1, n] @ [b, n, 2H]
        context = (attention.to(hidden.dtype)[:, None] @ source.states)[:, 0]
        generate = self.generate(torch.cat([context, query, given], dim=-1))[:, 0]
        output = self.output(torch.cat([hidden, context], dim=-1))
        overlap = torch.minimum(attention, state.coverage).sum(dim=-1)
        following = DecoderState(hidden, cell, context, state.coverage + attention)
        return Step(output, attention, generate, overlap), following

    def _attention(self, query: Tensor, coverage: Tensor, source: EncodedSource) -> Tensor:
        """Return a^t = softmax(v · tanh(W_h h_i + W_s s_t + w_c c_i + b)) (Eq. 1 and 11).

        tanh(x) = 2σ(2x) − 1, and the softmax is invariant to the −1. On a CPU, σ takes a sixth of
        the time of tanh, which would dominate a training step.
        """
        features = source.keys + self.query(query)[:, None]
        if self.with_coverage:
            covered = coverage.to(features.dtype)[..., None]
            if is_plain(self.coverage):
                features = torch.addcmul(features, covered, self.coverage.weight[:, 0])
            else:
                features = features + self.coverage(covered)
        scores = 2 * self.score(features.mul_(2).sigmoid_())[..., 0].float()
        attention: Tensor = scores.masked_fill(~source.mask, -torch.inf).softmax(dim=-1)
        return attention
