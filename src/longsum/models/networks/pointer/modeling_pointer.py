"""The pointer-generator network as a Hugging Face model (See et al. 2017)."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.models.networks.base import register
from longsum.models.networks.pointer.configuration_pointer import LongsumPointerConfig
from longsum.models.networks.pointer.pointer_layers import (
    Decoder,
    DecoderState,
    EncodedSource,
    Encoder,
    Step,
)
from longsum.models.networks.words.modeling_words import WordModel
from longsum.models.networks.words.word_loss import (
    IGNORED,
    mean_by_target,
    target_log_probability,
    vocabulary_log_probability,
)


@dataclass
class PointerOutput(ModelOutput):
    """What the network returns.

    Attributes:
        loss: The likelihood loss, plus λ times the coverage loss if coverage is on.
        likelihood_loss: Mean negative log-probability of the target's words.
        coverage_loss: Mean overlap of attention and coverage (Eq. 12), whether or not it is on.
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
            extended_ids: The same with ids from V on for out-of-vocabulary words, `[b, n]`.
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
        taken = []
        for word in words.unbind(dim=1):
            step, state = self.decoder(word, state, source)
            taken.append(step)
        return Step(*(torch.stack(parts, dim=1) for parts in zip(*taken, strict=True)))

    def step(
        self, words: Tensor, state: DecoderState, source: EncodedSource
    ) -> tuple[Tensor, DecoderState]:
        """Return log-probabilities over the extended vocabulary; see `WordModel.step`."""
        step, state = self.decoder(self.embedding(self.known(words)), state, source)
        lifted = Step(*(part[:, None] for part in step))
        return self.log_probabilities(lifted, source.extended)[:, 0], state

    def log_probabilities(self, steps: Step, extended: Tensor) -> Tensor:
        """Return the logarithm of the final distribution (Eq. 9), `[b, t, V + O]`, in fp32.

        Args:
            steps: Of `[b, t, …]`.
            extended: Extended ids of the sources, `[b, n]`.
        """
        generated = self.vocabulary(steps.output).float().softmax(dim=-1)
        own = max(int(extended.max()) + 1 - self.config.vocab_size, 0)
        share = steps.generate.float().sigmoid()[..., None]
        final = F.pad(share * generated, (0, own))
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
    made = torch.zeros_like(bias)
    quarter = len(bias) // 4
    if open_gate:
        made[quarter : 2 * quarter] = 1.0
    return made


register(LongsumPointerGenerator)
