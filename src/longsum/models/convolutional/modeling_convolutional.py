"""The convolutional encoder–decoder as a Hugging Face model (Liu, Luo and Zhu 2018)."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from transformers import AutoConfig, AutoModel
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.models.base import LongsumModel
from longsum.models.convolutional.configuration_convolutional import LongsumConvolutionalConfig
from longsum.models.convolutional.convolutional_layers import (
    Decoder,
    DecoderState,
    EncodedSource,
    Encoder,
    NormedLinear,
)
from longsum.models.pointer.pointer_loss import IGNORED, mean_by_target, written_log_probability
from longsum.models.words.beam import Hypothesis, write_words
from longsum.models.words.vocabulary import PAD, START, STOP, UNK


@dataclass
class ConvolutionalOutput(ModelOutput):
    """What the network returns.

    Attributes:
        loss: Mean negative log-probability of the target's words.
        likelihood_loss: The same.
    """

    loss: Tensor | None = None
    likelihood_loss: Tensor | None = None


class LongsumConvolutional(LongsumModel):
    """Writes words of its vocabulary, about as many as it is asked for."""

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
        """Read sources and learn from their targets, whose lengths it is told.

        Args:
            input_ids: Ids of the vocabulary, padded on the right with `PAD`, `[b, n]`.
            labels: Ids of the targets with `STOP` at their ends, −100 where padded, `[b, t]`; those
                of V and above are words that it does not know.
            _: What other models of words are told.
        """
        labels = self.known(labels)
        lengths = ((labels != IGNORED) & (labels != STOP)).sum(dim=1)
        output = self.steps(*self.read(input_ids, lengths), labels)[0]
        log_probability = written_log_probability(
            output, self.vocabulary, self.config.vocab_size, labels
        )
        found = mean_by_target(-log_probability, labels != IGNORED)
        return ConvolutionalOutput(loss=found, likelihood_loss=found.detach())

    def read(self, input_ids: Tensor, lengths: Tensor) -> tuple[EncodedSource, DecoderState]:
        """Encode sources, for texts of so many words, `[b]`; see `forward`."""
        return self.encoder(input_ids), self.decoder.start(lengths)

    def steps(
        self, source: EncodedSource, state: DecoderState, labels: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Run the decoder over targets, each word given those before it.

        Args:
            source: What `read` returned.
            state: The same.
            labels: See `forward`.

        Returns:
            What the vocabulary is scored by, `[b, t, E]`, and attention, `[b, t, n]`.
        """
        started = F.pad(labels[:, :-1], (1, 0), value=START)
        output, attention, _ = self.decoder(
            self.known(started).masked_fill(started == IGNORED, PAD), state, source
        )
        return output, attention

    def known(self, ids: Tensor) -> Tensor:
        """Return ids of the vocabulary, with `UNK` for those that it lacks."""
        return ids.masked_fill(ids >= self.config.vocab_size, UNK)

    def search(
        self, source: EncodedSource, state: DecoderState, *, least: int, most: int
    ) -> Hypothesis:
        """Write a text for one source by beam search.

        Args:
            source: What `read` returned, of one source.
            state: The same.
            least: Fewest words.
            most: Most words.
        """

        def step(words: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
            ids = words.to(self.device)[:, None]
            output, _, state = self.decoder(ids, state, source.repeated(len(words)))
            return self.vocabulary(output[:, 0]).float().log_softmax(dim=-1), state

        beams = self.config.beams
        return write_words(step, state, DecoderState.select, beams=beams, least=least, most=most)

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, NormedLinear):
            init.normal_(module.weight, std=module.variance**0.5)
            init.copy_(module.length, module.weight.norm(dim=-1, keepdim=True))
            init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=0.1)


def register() -> None:
    """Make the model known to AutoConfig and AutoModel."""
    AutoConfig.register(
        LongsumConvolutionalConfig.model_type, LongsumConvolutionalConfig, exist_ok=True
    )
    AutoModel.register(LongsumConvolutionalConfig, LongsumConvolutional, exist_ok=True)


register()
