"""Pretraining of ETC: masked words, masked sentences, and starting from a Transformer's weights.

Ainslie et al. 2020 (ETC), §2 and §3; Stepwise, A.2.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cross_entropy, gelu, linear

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import EtcConfig
from longsum.models.attention.linear_layers import project
from longsum.models.networks.extractive.etc import (
    EtcEncoder,
    EtcInput,
    keep_fitting_prefix,
    lay_out,
)
from longsum.models.networks.extractive.extractor_layers import initialise
from longsum.models.networks.extractive.units import Units


@dataclass(frozen=True, slots=True)
class Masking:
    """What is masked, and the roles of a tokenizer's tokens.

    Attributes:
        mask: The mask token.
        special: Tokens that are never masked, such as a text's start and end.
        continues: Boolean `[vocabulary]`, True for tokens that continue the word of the token
            before; None if the tokenizer does not tell, and each token counts as a word.
        words: Share of the words that are masked (BERT: 15 %).
        sentences: Share of the sentences that are masked; not stated in the paper.
    """

    mask: int
    special: Sequence[int]
    continues: Tensor | None = None
    words: float = 0.15
    sentences: float = 0.15


class MaskedPrediction(nn.Module, ABC):
    """Learns to predict what is masked in a document."""

    def __init__(self, encoder: EtcEncoder, masking: Masking) -> None:
        super().__init__()
        self.encoder = encoder
        self.masking = masking

    @abstractmethod
    def loss(self, units: Units, generator: Generator | None = None) -> Tensor:
        """Mask parts of the documents and return the mean cross-entropy of predicting them.

        Args:
            units: The documents.
            generator: Random number generator, on their device; by default PyTorch's own.
        """


class MaskedLanguageModel(MaskedPrediction):
    """Predicts masked words from their context (Devlin et al. 2019), whole words at a time.

    Of the masked tokens 80 % are replaced by the mask, 10 % by a random token, and 10 % are kept.
    The encoder's token embeddings are also those of the output layer.
    """

    def __init__(self, encoder: EtcEncoder, masking: Masking) -> None:
        super().__init__(encoder, masking)
        config = encoder.config
        self.dense = nn.Linear(config.size, config.size)
        self.norm = nn.LayerNorm(config.size, eps=config.norm_epsilon)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary))
        initialise(self.dense)

    def loss(self, units: Units, generator: Generator | None = None) -> Tensor:
        """Mask words; see `MaskedPrediction.loss`. 0 if none is masked."""
        documents = whole_documents(units, self.encoder.config)
        masked = self.choose(documents, generator)
        states, _ = self.encoder(
            replace(documents, tokens=self._mask(documents, masked, generator))
        )
        hidden = self.norm(gelu(project(self.dense, states[masked])))
        vocabulary = self.encoder.config.vocabulary
        scores = linear(hidden, self.encoder.tokens.weight[:vocabulary], self.bias)
        summed = cross_entropy(scores.float(), documents.tokens[masked], reduction="sum")
        return summed / max(len(hidden), 1)

    def choose(self, documents: EtcInput, generator: Generator | None = None) -> Tensor:
        """Choose the words to mask, Boolean `[b, n]`."""
        tokens = documents.tokens
        special = torch.isin(tokens, tokens.new_tensor(list(self.masking.special)))
        begins = torch.ones_like(special)
        if self.masking.continues is not None:
            # A byte-level tokenizer marks the space before a word; a sentence's first has none.
            begins = ~self.masking.continues.to(tokens.device)[tokens] | special
            begins[:, 1:] |= special[:, :-1]
        words = begins.cumsum(dim=1)
        drawn = torch.rand(
            len(tokens), tokens.shape[1] + 1, generator=generator, device=tokens.device
        )
        chosen = drawn.gather(1, words) < self.masking.words
        return chosen & ~special & documents.structure.real

    def _mask(self, documents: EtcInput, masked: Tensor, generator: Generator | None) -> Tensor:
        """Return the tokens with the masked ones replaced."""
        tokens = documents.tokens
        drawn = torch.rand(tokens.shape, generator=generator, device=tokens.device)
        others = torch.randint(
            self.encoder.config.vocabulary, tokens.shape, generator=generator, device=tokens.device
        )
        replaced = torch.where(drawn < 0.8, self.masking.mask, others)
        return torch.where(masked & (drawn < 0.9), replaced, tokens)


class ContrastivePrediction(MaskedPrediction):
    """Recognises a masked sentence among others (contrastive predictive coding, van den Oord 2018).

    All tokens of a sentence are masked, and the state of its global token, which is computed from
    its context, must be more similar to the state of the sentence encoded alone than to those of
    the other masked sentences of the batch. Similarity is a bilinear form, divided by √D.
    """

    def __init__(self, encoder: EtcEncoder, masking: Masking) -> None:
        super().__init__(encoder, masking)
        self.predict = nn.Linear(encoder.config.size, encoder.config.size, bias=False)
        initialise(self.predict)

    def loss(self, units: Units, generator: Generator | None = None) -> Tensor:
        """Mask sentences; see `MaskedPrediction.loss`. 0 if fewer than two are masked."""
        documents = whole_documents(units, self.encoder.config)
        masked = self.choose(documents, generator)
        covered = masked.gather(1, documents.sentences.clamp_min(0)) & documents.structure.real
        _, units_in_context = self.encoder(
            replace(documents, tokens=documents.tokens.masked_fill(covered, self.masking.mask))
        )
        predicted = project(self.predict, units_in_context[masked])
        if len(predicted) < 2:
            zero: Tensor = predicted.sum() * 0.0
            return zero
        _, alone = self.encoder(
            lay_out(units.tokens, units.lengths, documents.rows[masked][:, None])
        )
        scores = predicted @ alone[:, 0].T * predicted.shape[-1] ** -0.5
        return cross_entropy(scores.float(), torch.arange(len(scores), device=scores.device))

    def choose(self, documents: EtcInput, generator: Generator | None = None) -> Tensor:
        """Choose the sentences to mask, Boolean `[b, g]`."""
        drawn = torch.rand(documents.rows.shape, generator=generator, device=documents.rows.device)
        return (drawn < self.masking.sentences) & (documents.rows >= 0)


def whole_documents(units: Units, config: EtcConfig) -> EtcInput:
    """Lay out documents without a summary, as far as `long_tokens` and `global_tokens` reach."""
    rows = keep_fitting_prefix(
        units.sentences, units.lengths, config.long_tokens, config.global_tokens
    )
    return lay_out(units.tokens, units.lengths, rows)


def from_bert_layers(config: EtcConfig, weights: Mapping[str, Tensor]) -> EtcEncoder:
    """Make an encoder that starts from the weights of BERT or RoBERTa.

    Token vectors and the lower layers are used; positions are dropped, since ETC's are relative
    (Stepwise, note 5). The token type that all tokens have becomes the segment of the document and
    of the summary. Global tokens start with the projections of long ones. Parts that BERT lacks –
    the labels, the global token, the end of the plan – keep their random initial values.

    Args:
        config: The settings, with the sizes and heads of the weights, and as many layers or fewer.
        weights: Named as in `longsum.models.networks.extractive.extractor_layers.SentenceEncoder`.

    Raises:
        LongsumError: The weights lack a tensor, or one is of another shape.
    """
    encoder = EtcEncoder(config)
    for name, target in encoder.state_dict().items():
        source = _source(name)
        if source is None:
            continue
        if source not in weights:
            raise LongsumError(
                f"The initial weights lack {source}; give a model with as many layers or more."
            )
        initial = weights[source]
        if name == "segments.weight":
            initial = initial[:1].expand(len(target), -1)
        if name == "tokens.weight":
            target = target[:-1]
        if initial.shape != target.shape:
            raise LongsumError(
                f"{source} is {list(initial.shape)} in the initial weights and must be "
                f"{list(target.shape)}; take the settings of the model that they come from."
            )
        target.copy_(initial)
    return encoder


def _source(name: str) -> str | None:
    """Return the name of the weight from which one of ours starts; None if there is none."""
    if name == "segments.weight":
        return "embedding.types.weight"
    if name.startswith(("tokens.", "norm.")):
        return f"embedding.{name}"
    if not name.startswith("layers.") or ".labels." in name:
        return None
    return name.replace(".global_attention.", ".attention.").replace(".other_", ".")
