"""The pointer-generator network (See et al. 2017), which writes the prototype of MLS (§2.1).

Letters in shapes: b sources, k hypotheses, n source tokens, t target tokens, E features of a word,
H of a state (2H of an encoder state), V words of the vocabulary, O out-of-vocabulary words in the
sources of a batch.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.common.errors import LongsumError
from longsum.models.attention.linear_layers import is_plain
from longsum.models.networks.base import register
from longsum.models.networks.words.modeling_words import (
    IGNORED,
    WordModel,
    WordModelConfig,
    mean_by_target,
    target_log_probability,
    vocabulary_log_probability,
)
from longsum.models.networks.words.vocabulary import PAD


class LongsumPointerConfig(WordModelConfig):
    """Settings of the network; the defaults are those of See et al. 2017 and their code.

    Sources have 400 words and targets 100, or 500 and 200 in the fine-tuning of MLS (§2.3);
    `hidden_size` is that of each direction of the encoder. For the rest see `WordModelConfig`.

    Attributes:
        coverage: Whether attention is conditioned on previous attention, and the loss penalises
            repeating it. The paper turns it on for a last, short phase; its weights always exist,
            so that a checkpoint of either phase can initialise the other.
        coverage_weight: λ, the weight of the coverage loss.
        min_target_tokens: Minimum number of words of a text.
        lstm_init: LSTM weights are initialised uniformly between minus and plus this.
        init_std: Standard deviation of other initial weights.

    Raises:
        LongsumError: A size is not positive, or the minimum of words exceeds the maximum.
    """

    model_type = "longsum_pointer"

    coverage: bool = False
    coverage_weight: float = 1.0
    min_target_tokens: int = 35
    lstm_init: float = 0.02
    init_std: float = 1e-4

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if not 0 <= self.min_target_tokens <= self.max_target_tokens:
            raise LongsumError(
                "'min_target_tokens' of a pointer-generator network must be between 0 and "
                "'max_target_tokens'."
            )


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
    """A bidirectional LSTM, whose last states are reduced to the first of the decoder."""

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
            words: Embedded words, `[b, n, E]`.
            ids: Their ids, padded on the right with `PAD`, `[b, n]`; no source is empty.
            extended: Extended ids, `[b, n]`.

        Returns:
            The sources, and the initial hidden and cell state of the decoder, `[2, b, H]`.
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
        combined = self.input(torch.cat([word, state.context], dim=-1))
        hidden, cell = self.lstm(combined, (state.hidden, state.cell))
        query = torch.cat([cell, hidden], dim=-1)
        attention = self._attention(query, state.coverage, source)
        # [b, 1, n] @ [b, n, 2H]
        context = (attention.to(hidden.dtype)[:, None] @ source.states)[:, 0]
        generate = self.generate(torch.cat([context, query, combined], dim=-1))[:, 0]
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


@dataclass
class PointerOutput(ModelOutput):
    """What the network returns.

    Attributes:
        loss: The likelihood loss, plus λ times the coverage loss if coverage is on.
        likelihood_loss: Mean negative log-probability of the target's words.
        coverage_loss: Mean overlap of attention and coverage (Eq. 12), even if coverage is off.
        attention: a^t, `[b, t, n]`.
        generate: p_gen, `[b, t]`.
    """

    loss: Tensor | None = None
    likelihood_loss: Tensor | None = None
    coverage_loss: Tensor | None = None
    attention: Tensor | None = None
    generate: Tensor | None = None


class LongsumPointerGenerator(WordModel):
    """Generates words of its vocabulary, or copies words of the source.

    The final distribution is P(w) = p_gen P_vocab(w) + (1 − p_gen) Σ a_i over the positions i of w
    in the source (Eq. 9).
    """

    config: LongsumPointerConfig
    config_class = LongsumPointerConfig
    base_model_prefix = "pointer"

    def __init__(self, config: LongsumPointerConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.vocabulary = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def use_coverage(self, on: bool = True) -> None:
        """Turn coverage on for the last phase of training, or off."""
        self.config.coverage = on
        self.decoder.with_coverage = on

    def forward(
        self,
        input_ids: Tensor,
        extended_ids: Tensor,
        labels: Tensor,
    ) -> PointerOutput:
        """Compute the loss of targets given their sources.

        Args:
            input_ids: Ids of the vocabulary, padded on the right with `PAD`, `[b, n]`.
            extended_ids: The same, with ids from V on for out-of-vocabulary words, `[b, n]`.
            labels: Extended ids of the targets, each ending with `STOP`, −100 where padded,
                `[b, t]`.
        """
        source, state = self.read(input_ids, extended_ids)
        steps = self.steps(source, state, labels)
        generated = vocabulary_log_probability(
            steps.output, self.vocabulary, self.config.vocab_size, labels
        )
        log_probability = target_log_probability(
            generated, steps.attention, steps.generate, extended_ids, labels
        )
        counted = labels != IGNORED
        likelihood = mean_by_target(-log_probability, counted)
        overlap = mean_by_target(steps.overlap, counted)
        loss = likelihood
        if self.config.coverage:
            loss = loss + self.config.coverage_weight * overlap
        return PointerOutput(
            loss=loss,
            likelihood_loss=likelihood.detach(),
            coverage_loss=overlap.detach(),
            attention=steps.attention,
            generate=steps.generate.sigmoid(),
        )

    def read(self, input_ids: Tensor, extended_ids: Tensor) -> tuple[EncodedSource, DecoderState]:
        """Encode sources; see `forward`."""
        source, (hidden, cell) = self.encoder(self.embedding(input_ids), input_ids, extended_ids)
        coverage = torch.zeros_like(input_ids, dtype=torch.float32)
        context = torch.zeros_like(source.states[:, 0])
        return source, DecoderState(hidden, cell, context, coverage)

    def steps(self, source: EncodedSource, state: DecoderState, labels: Tensor) -> Step:
        """Run the decoder over targets with teacher forcing: a `Step` of `[b, t, …]`."""
        words = self.embedding(self.decoder_inputs(labels))
        steps = []
        for word in words.unbind(dim=1):
            step, state = self.decoder(word, state, source)
            steps.append(step)
        return Step(*(torch.stack(parts, dim=1) for parts in zip(*steps, strict=True)))

    def step(
        self, words: Tensor, state: DecoderState, source: EncodedSource
    ) -> tuple[Tensor, DecoderState]:
        """Return log-probabilities over the extended vocabulary; see `WordModel.step`."""
        step, state = self.decoder(self.embedding(self.known(words)), state, source)
        steps = Step(*(part[:, None] for part in step))
        return self.log_probabilities(steps, source.extended)[:, 0], state

    def log_probabilities(self, steps: Step, extended: Tensor) -> Tensor:
        """Return the logarithm of the final distribution (Eq. 9), `[b, t, V + O]`, in fp32.

        The fields of the steps are `[b, t, …]`, the extended ids of the sources `[b, n]`.
        """
        generated = self.vocabulary(steps.output).float().softmax(dim=-1)
        unknown = max(int(extended.max()) + 1 - self.config.vocab_size, 0)
        share = steps.generate.float().sigmoid()[..., None]
        final = F.pad(share * generated, (0, unknown))
        places = extended[:, None].expand(steps.attention.shape)
        # Padding has an attention of 0 and adds nothing.
        final = final.scatter_add(-1, places, (1 - share) * steps.attention)
        return final.clamp_min(torch.finfo(torch.float32).tiny).log()

    def _init_weights(self, module: nn.Module) -> None:
        config = self.config
        if isinstance(module, nn.LSTM | nn.LSTMCell):
            for name, parameter in module.named_parameters():
                if "weight" in name:
                    init.uniform_(parameter, -config.lstm_init, config.lstm_init)
                else:
                    init.copy_(parameter, _lstm_bias(parameter, open_gate="ih" in name))
        elif isinstance(module, nn.Linear | nn.Embedding):
            init.trunc_normal_(
                module.weight,
                std=config.init_std,
                a=-2 * config.init_std,
                b=2 * config.init_std,
            )
            if isinstance(module, nn.Linear) and module.bias is not None:
                init.zeros_(module.bias)


def _lstm_bias(bias: Tensor, *, open_gate: bool) -> Tensor:
    """Return zeros, with ones for the forget gate in one of an LSTM's two biases."""
    values = torch.zeros_like(bias)
    quarter = len(bias) // 4
    if open_gate:
        values[quarter : 2 * quarter] = 1.0
    return values


register(LongsumPointerGenerator)
