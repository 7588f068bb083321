"""The extractive models as a Hugging Face model."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.core.encoder.extractor_settings import write_settings
from longsum.models.networks.base import LongsumModel, register
from longsum.models.networks.extractive.architectures import architecture_of, build
from longsum.models.networks.extractive.configuration_extractive import LongsumExtractorConfig
from longsum.models.networks.extractive.extractor_loss import (
    counted_choices,
    decision_loss,
    plan_loss,
    salience_loss,
)
from longsum.models.networks.extractive.units import ExtractiveModel, Units


@dataclass
class ExtractorOutput(ModelOutput):
    """What an extractive model returns.

    Attributes:
        loss: A mean, where targets are given.
        logits: `[b, k, n + 1]`, see `ExtractiveModel.logits`.
    """

    loss: Tensor | None = None
    logits: Tensor | None = None


class LongsumExtractor(LongsumModel):
    """Any of the extractive models, to be trained, saved and loaded by `transformers`."""

    config: LongsumExtractorConfig
    config_class = LongsumExtractorConfig
    base_model_prefix = "extractor"
    _supports_sdpa = True
    # Of layers of the sentence encoder, or of the one encoder that there is.
    supports_gradient_checkpointing = True

    def __init__(self, config: LongsumExtractorConfig) -> None:
        super().__init__(config)
        self.extractor = build(config.architecture, config.extractor_settings())
        if not next(self.extractor.parameters()).is_meta:
            # It has drawn its weights; `_init_weights` is for what a checkpoint lacks.
            for module in self.extractor.modules():
                module._is_hf_initialized = True  # type: ignore[assignment]
        # HiBERT's are run once for each group of sentences, or in parts.
        self._no_split_modules = {"etc": ["EtcLayer"], "flat": ["Layer"]}.get(
            config.architecture, []
        )
        self.post_init()

    @classmethod
    def of(cls, extractor: ExtractiveModel, *, positive_weight: float = 1.0) -> "LongsumExtractor":
        """Wrap a model as it is.

        Args:
            extractor: The model.
            positive_weight: See `LongsumExtractorConfig`.

        Raises:
            LongsumError: The model is of no known architecture.
        """
        config = LongsumExtractorConfig(
            architecture=architecture_of(extractor),
            settings=write_settings(extractor.config),
            positive_weight=positive_weight,
        )
        with torch.device("meta"):
            made = cls(config)
        made.extractor = extractor
        return made

    def forward(
        self,
        tokens: Tensor,
        lengths: Tensor,
        sentences: Tensor,
        headings: Tensor,
        places: Tensor,
        plans: Tensor,
        targets: Tensor | None = None,
        vectors: Tensor | None = None,
    ) -> ExtractorOutput:
        """Score what may be chosen next, and learn from what should be.

        Args:
            tokens: `[m, t]`, as the following a field of `Units`.
            lengths: `[m]`.
            sentences: `[b, n]`.
            headings: `[b, n]`.
            places: `[b, n, F]`.
            plans: `[b, k, m]`, −1 where padded; see `ExtractiveModel.logits`.
            targets: `[b, k, n + 1]`: how probable each choice should be, for a stepwise model; for
                another 1 for each sentence of the summary, and 0 for others.
            vectors: `[m, D]`, see `Units`.

        Returns:
            Logits `[b, k, n + 1]`, and with targets the loss.
        """
        units = Units(tokens, lengths, sentences, headings, places, vectors)
        with self.attending():
            logits = self.extractor.logits(self.extractor.read(units), plans)
        loss = None
        if targets is not None and self.extractor.decides_end:
            loss = decision_loss(logits, targets)
        elif targets is not None and self.extractor.stepwise:
            loss = plan_loss(logits, targets)
        elif targets is not None:
            loss = salience_loss(logits, targets, self.config.positive_weight)
        return ExtractorOutput(loss=loss, logits=logits)

    def counted(self, plans: Tensor, targets: Tensor, **units: Tensor) -> Tensor:
        """Return over how many targets the loss of `forward` is a mean; nothing is encoded.

        Args:
            plans: As of `forward`.
            targets: As of `forward`.
            units: Fields of `Units`.
        """
        scored = self.extractor.scored(Units(**units), plans)
        return counted_choices(scored, targets) if self.extractor.stepwise else scored.sum()

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if type(module).__module__.startswith("longsum."):
            # Learned vectors that stand for a unit.
            for vector in module.parameters(recurse=False):
                init.normal_(vector, std=0.02)


register(LongsumExtractor)
