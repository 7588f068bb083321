"""The convolutional encoder–decoder with a target length (Liu, Luo and Zhu 2018), A3 of MLS (§3).

Letters in shapes: b sources, n source words, t target words, E features of a word, H of a state,
V words of the vocabulary, k kernel width of a convolution.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.common.errors import LongsumError
from longsum.models.networks.base import register
from longsum.models.networks.words.modeling_words import (
    IGNORED,
    WordModel,
    WordModelConfig,
    mean_by_target,
    vocabulary_log_probability,
)
from longsum.models.networks.words.vocabulary import PAD, STOP


class LongsumConvolutionalConfig(WordModelConfig):
    """Settings of the network; the defaults are those of the code of Liu, Luo and Zhu 2018.

    For the rest see `WordModelConfig`.

    Attributes:
        layers: Convolutions of the encoder, and of the decoder.
        width: Kernel width of a convolution (k), an odd number.
        dropout: Dropout rate.

    Raises:
        LongsumError: A size is not positive, or the width is even.
    """

    model_type = "longsum_convolutional"

    embedding_size: int = 256
    hidden_size: int = 512
    max_source_tokens: int = 500
    max_target_tokens: int = 200
    layers: int = 8
    width: int = 3
    dropout: float = 0.2

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.layers < 1 or self.width < 1 or self.width % 2 == 0:
            raise LongsumError(
                "A convolutional model needs at least one layer, and an odd number as 'width'."
            )


_HALF = 0.5**0.5
"""Halves the variance of a sum of two terms (§3.5)."""

_LENGTH = 100
"""Target length that counts as 1, as in the code of Liu, Luo and Zhu 2018."""


class NormedLinear(nn.Module):
    """A weight-normalised linear map: its rows have separate directions and lengths (§3.5).

    It is not an `nn.Linear`, since adding to its weight, as merged adapters do, does not add to the
    output.
    """

    def __init__(self, size: int, outputs: int, gain: float = 1.0) -> None:
        super().__init__()
        self.out_features = outputs
        self.variance = gain / size
        self.weight = nn.Parameter(torch.empty(outputs, size))
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.length = nn.Parameter(torch.ones(outputs, 1))
        nn.init.normal_(self.weight, std=self.variance**0.5)

    def forward(self, input: Tensor) -> Tensor:
        """Map `[…, size]` to `[…, outputs]`."""
        return F.linear(input, F.normalize(self.weight, dim=-1) * self.length, self.bias)


class EncodedSource(NamedTuple):
    """Encoded sources, as the decoder attends to them.

    Attributes:
        keys: Keys of the attention, `[b, n, E]`.
        values: Values of the attention, `[b, n, E]`.
        mask: Which positions are words, `[b, n]`.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor


class DecoderState(NamedTuple):
    """The state of the decoder between words.

    Attributes:
        length: Target length in words, `[b]`.
        place: Number of words read, including the start, `[b]`.
        before: Last inputs of each layer's convolution, `[b, layers, k − 1, H]`.
    """

    length: Tensor
    place: Tensor
    before: Tensor


class Convolution(nn.Module):
    """A gated linear unit over a window of words."""

    def __init__(self, config: LongsumConvolutionalConfig) -> None:
        super().__init__()
        size, self.width = config.hidden_size, config.width
        self.map = NormedLinear(self.width * size, 2 * size, 4 * (1 - config.dropout))

    def forward(self, states: Tensor) -> Tensor:
        """Return a state for each k consecutive inputs, `[b, t + k − 1, H]`."""
        count = states.shape[1] - self.width + 1
        window = [states[:, place : place + count] for place in range(self.width)]
        return F.glu(self.map(torch.cat(window, dim=-1)), dim=-1)


class Embedding(nn.Module):
    """Embeddings of words and positions."""

    def __init__(self, config: LongsumConvolutionalConfig, places: int) -> None:
        super().__init__()
        self.words = nn.Embedding(config.vocab_size, config.embedding_size)
        self.places = nn.Embedding(places, config.embedding_size)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, places: Tensor) -> Tensor:
        """Embed ids `[b, n]` at positions `[b or 1, n]`."""
        embedded: Tensor = self.dropout(self.words(ids) + self.places(places))
        return embedded


class Encoder(nn.Module):
    """Convolutions over the words of a source."""

    def __init__(self, config: LongsumConvolutionalConfig) -> None:
        super().__init__()
        words, size = config.embedding_size, config.hidden_size
        self.embedding = Embedding(config, config.max_source_tokens)
        self.input = NormedLinear(words, size, 1 - config.dropout)
        self.layers = nn.ModuleList(Convolution(config) for _ in range(config.layers))
        self.output = NormedLinear(size, words)
        self.dropout = nn.Dropout(config.dropout)
        self.padding = config.width // 2

    def forward(self, ids: Tensor) -> EncodedSource:
        """Encode sources, given as ids padded on the right with `PAD`, `[b, n]`."""
        mask = ids != PAD
        embedded = self.embedding(ids, torch.arange(ids.shape[1], device=ids.device)[None])
        states = self.input(embedded)
        for layer in self.layers:
            # Padding is treated as zero.
            inputs = self.dropout(states).masked_fill(~mask[..., None], 0.0)
            inputs = F.pad(inputs, (0, 0, self.padding, self.padding))
            states = (layer(inputs) + states) * _HALF
        keys = self.output(states)
        return EncodedSource(keys, (keys + embedded) * _HALF, mask)


class Attention(nn.Module):
    """Attention of a decoder layer to the source (Eq. 1 and 2)."""

    def __init__(self, config: LongsumConvolutionalConfig) -> None:
        super().__init__()
        self.query = NormedLinear(config.hidden_size, config.embedding_size)
        self.output = NormedLinear(config.embedding_size, config.hidden_size)

    def forward(
        self, states: Tensor, words: Tensor, source: EncodedSource
    ) -> tuple[Tensor, Tensor]:
        """Return updated states, `[b, t, H]`, and the attention, `[b, t, n]`.

        Args:
            states: The layer's states.
            words: Embeddings of the input words, `[b, t, E]`.
            source: The sources.
        """
        query = (self.query(states) + words) * _HALF
        scores = (query @ source.keys.mT).masked_fill(~source.mask[:, None], -torch.inf)
        attention = scores.float().softmax(dim=-1)
        # The mean of n words has 1 / √n of the standard deviation of one (§3.5).
        spread = source.mask.sum(dim=-1).sqrt()[:, None, None]
        context = self.output((attention.to(states.dtype) @ source.values) * spread)
        return (context + states) * _HALF, attention


class Decoder(nn.Module):
    """Convolutions with attention over the words written so far, given a target length."""

    def __init__(self, config: LongsumConvolutionalConfig) -> None:
        super().__init__()
        words, size = config.embedding_size, config.hidden_size
        # The start precedes the words that are written.
        self.embedding = Embedding(config, config.max_target_tokens + 1)
        self.input = NormedLinear(words, size, 1 - config.dropout)
        self.layers = nn.ModuleList(Convolution(config) for _ in range(config.layers))
        self.attentions = nn.ModuleList(Attention(config) for _ in range(config.layers))
        self.output = NormedLinear(size, words)
        self.dropout = nn.Dropout(config.dropout)
        self.before = config.width - 1

    def start(self, lengths: Tensor) -> DecoderState:
        """Return the initial state for texts of the given target lengths, `[b]`."""
        layers, size = len(self.layers), self.input.out_features
        dtype = self.input.weight.dtype
        before = torch.zeros(
            len(lengths), layers, self.before, size, dtype=dtype, device=lengths.device
        )
        return DecoderState(lengths, torch.zeros_like(lengths), before)

    def forward(
        self, ids: Tensor, state: DecoderState, source: EncodedSource
    ) -> tuple[Tensor, Tensor, DecoderState]:
        """Read words and predict the one after each.

        The first layer's inputs are multiplied by the target length: the initial state of Liu, Luo
        and Zhu 2018, as in their code, since the paper leaves it open.

        The ids are `[b, t]`; the state is that after the previous words.

        Returns:
            Inputs of the output layer, `[b, t, E]`; attention, the mean over layers,
            `[b, t, n]`, in fp32; and the state after the last word.
        """
        places = state.place[:, None] + torch.arange(ids.shape[1], device=ids.device)
        words = self.embedding(ids, places)
        states = self.input(words) * (state.length / _LENGTH).to(words.dtype)[:, None, None]
        last_inputs, attentions = [], []
        for number, (layer, attend) in enumerate(zip(self.layers, self.attentions, strict=True)):
            inputs = torch.cat([state.before[:, number], self.dropout(states)], dim=1)
            last_inputs.append(inputs[:, inputs.shape[1] - self.before :])
            attended, attention = attend(layer(inputs), words, source)
            states = (attended + states) * _HALF
            attentions.append(attention)
        following = DecoderState(
            state.length, state.place + ids.shape[1], torch.stack(last_inputs, dim=1)
        )
        output = self.dropout(self.output(states))
        return output, torch.stack(attentions).mean(dim=0), following


@dataclass
class ConvolutionalOutput(ModelOutput):
    """What the network returns.

    Attributes:
        loss: Mean negative log-probability of the target's words.
        likelihood_loss: The same, under the name that all word-level models have.
    """

    loss: Tensor | None = None
    likelihood_loss: Tensor | None = None


class LongsumConvolutional(WordModel):
    """Generates words of its vocabulary, given a target length."""

    config: LongsumConvolutionalConfig
    config_class = LongsumConvolutionalConfig
    base_model_prefix = "convolutional"

    def __init__(self, config: LongsumConvolutionalConfig) -> None:
        super().__init__(config)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.vocabulary = NormedLinear(config.embedding_size, config.vocab_size, 1 - config.dropout)
        self.post_init()

    def forward(self, input_ids: Tensor, labels: Tensor, **_: Any) -> ConvolutionalOutput:
        """Compute the loss of targets given their sources and lengths.

        Args:
            input_ids: Ids of the vocabulary, padded on the right with `PAD`, `[b, n]`.
            labels: Ids of the targets, each ending with `STOP`, −100 where padded, `[b, t]`; ids
                from V on are out-of-vocabulary words.
            _: Inputs of other word-level models.
        """
        labels = self.known(labels)
        lengths = ((labels != IGNORED) & (labels != STOP)).sum(dim=1)
        output = self.steps(*self.read(input_ids, lengths), labels)[0]
        log_probability = vocabulary_log_probability(
            output, self.vocabulary, self.config.vocab_size, labels
        )
        loss = mean_by_target(-log_probability, labels != IGNORED)
        return ConvolutionalOutput(loss=loss, likelihood_loss=loss.detach())

    def read(self, input_ids: Tensor, lengths: Tensor) -> tuple[EncodedSource, DecoderState]:
        """Encode sources, for texts of the given lengths, `[b]`; see `forward`."""
        return self.encoder(input_ids), self.decoder.start(lengths)

    def steps(
        self, source: EncodedSource, state: DecoderState, labels: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run the decoder over targets with teacher forcing.

        Source and state are those that `read` returns; for the labels see `forward`.

        Returns:
            Inputs of the output layer, `[b, t, E]`, and attention, `[b, t, n]`.
        """
        output, attention, _ = self.decoder(self.decoder_inputs(labels), state, source)
        return output, attention

    def step(
        self, words: Tensor, state: DecoderState, source: EncodedSource
    ) -> tuple[Tensor, DecoderState]:
        """Return log-probabilities over the vocabulary; see `WordModel.step`."""
        output, _, state = self.decoder(words[:, None], state, source)
        return self.vocabulary(output[:, 0]).float().log_softmax(dim=-1), state

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, NormedLinear):
            init.normal_(module.weight, std=module.variance**0.5)
            init.copy_(module.length, module.weight.norm(dim=-1, keepdim=True))
            init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=0.1)


register(LongsumConvolutional)
