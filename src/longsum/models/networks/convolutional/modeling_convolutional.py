"""The convolutional encoder–decoder as a Hugging Face model (Liu, Luo and Zhu 2018)."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.models.networks.base import register
from longsum.models.networks.convolutional.configuration_convolutional import (
    LongsumConvolutionalConfig,
)
from longsum.models.networks.convolutional.convolutional_layers import (
    Decoder,
    DecoderState,
    EncodedSource,
    Encoder,
    NormedLinear,
)
from longsum.models.networks.words.modeling_words import WordModel
from longsum.models.networks.words.vocabulary import STOP
from longsum.models.networks.words.word_loss import (
    IGNORED,
    mean_by_target,
    vocabulary_log_probability,
)


@dataclass
class ConvolutionalOutput(ModelOutput):
    """What the network returns.

    Attributes:
        loss: Mean negative log-probability of the target's words.
        likelihood_loss: The same.
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
        found = mean_by_target(-log_probability, labels != IGNORED)
        return ConvolutionalOutput(loss=found, likelihood_loss=found.detach())

    def read(self, input_ids: Tensor, lengths: Tensor) -> tuple[EncodedSource, DecoderState]:
        """Encode sources, for texts of the given lengths, `[b]`; see `forward`."""
        return self.encoder(input_ids), self.decoder.start(lengths)

    def steps(
        self, source: EncodedSource, state: DecoderState, labels: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run the decoder over targets with teacher forcing.

        Args:
            source: What `read` returned.
            state: The same.
            labels: See `forward`.

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
