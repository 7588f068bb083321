"""The extractive models as a Hugging Face model: settings, model and loss."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import PreTrainedConfig
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.core.encoder.extractor_settings import MODEL_TYPE, read_settings, write_settings
from longsum.models.networks.base import LongsumModel, register
from longsum.models.networks.extractive.extractor_files import architecture_of, build
from longsum.models.networks.extractive.units import ExtractiveModel, Units, decision


def plan_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the cross-entropy of the next choice against its target distribution (§4, §5).

    Sentences that a model did not read cannot be chosen: their share of a target goes to the rest.
    Rows whose target is 0, or wholly on unread sentences, are left out.

    Args:
        logits: `[…, n + 1]`, unnormalised log-probabilities; −∞ where nothing can be chosen.
        targets: `[…, n + 1]`, shares of at least 0, in any unit.

    Returns:
        The mean over the rows that are not left out; 0 if there are none.
    """
    counted = counted_choices(~logits.isneginf(), targets)
    return plan_loss_rows(logits, targets).sum() / counted.clamp_min(1)


def plan_loss_rows(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the terms of `plan_loss`, `[…]`; 0 for the rows that are left out."""
    closed = logits.isneginf()
    shares = targets.to(logits.dtype).masked_fill(closed, 0.0)
    total = shares.sum(-1, keepdim=True)
    counted = total > 0
    # A row of only −∞ has no softmax, and its NaN would reach all gradients.
    log_probabilities = logits.masked_fill(~counted, 0.0).log_softmax(-1).masked_fill(closed, 0.0)
    return -(shares * log_probabilities).sum(-1) / torch.where(counted, total, 1.0).squeeze(-1)


def decision_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the loss of the next sentence and of the end as separate decisions.

    They are the cross-entropy of the next sentence, given that there is one, against its target
    distribution, and the binary cross-entropy of the end. So a model still learns what comes next
    where a summary of the references' length would have ended.

    Args:
        logits: `[…, n + 1]`, unnormalised log-probabilities, the end last; −∞ where nothing can be
            chosen.
        targets: `[…, n + 1]`, shares of the sentences in any unit, and the probability of the end.

    Returns:
        The mean of their sums over the rows with a target; 0 if there are none.
    """
    counted = (targets.masked_fill(logits.isneginf(), 0.0).sum(-1) > 0).float()
    choice = plan_loss_rows(logits[..., :-1], targets[..., :-1])
    ends = binary_cross_entropy_with_logits(
        decision(logits), targets[..., -1].to(logits.dtype), reduction="none"
    )
    return ((choice + ends) * counted).sum() / counted.sum().clamp_min(1)


def counted_choices(scored: Tensor, targets: Tensor) -> Tensor:
    """Return the number of rows in the mean of `plan_loss`, given what is scored, `[…, n + 1]`."""
    return (targets.masked_fill(~scored, 0.0).sum(-1) > 0).sum()


def salience_loss(logits: Tensor, labels: Tensor, positive_weight: float = 1.0) -> Tensor:
    """Return the cross-entropy of whether each sentence belongs to the summary (Stepwise, §6.1).

    Args:
        logits: `[…, n]`, log-odds; −∞ for unread sentences, which are left out.
        labels: `[…, n]`, 1 for sentences of the summary, 0 for others.
        positive_weight: Weight of a sentence of the summary; that of any other is 1 (A.2).

    Returns:
        The mean over the sentences that were read; 0 if there are none.
    """
    read = ~logits.isneginf()
    losses = binary_cross_entropy_with_logits(
        logits.masked_fill(~read, 0.0),
        labels.to(logits.dtype),
        pos_weight=logits.new_tensor(positive_weight),
        reduction="none",
    )
    return (losses * read).sum() / read.sum().clamp_min(1)


class LongsumExtractorConfig(PreTrainedConfig):
    """Which extractive model it is, and its settings.

    Attributes:
        architecture: A key of `longsum.core.encoder.extractor_settings.SETTINGS`.
        settings: Fields of that architecture's dataclass, nested as there; missing ones are filled
            in with their defaults.
        positive_weight: Weight of a sentence of the summary in the loss of a model that is not
            stepwise; that of any other is 1 (A.2).

    Raises:
        LongsumError: The architecture or a setting is unknown, or a value is of the wrong type.
    """

    model_type = MODEL_TYPE

    architecture: str = "hibert"
    settings: dict[str, Any] | None = None
    positive_weight: float = 1.0

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        self.settings = write_settings(self.extractor_settings())

    def extractor_settings(self) -> Any:
        """Return the settings as the architecture's dataclass."""
        return read_settings(self.architecture, self.settings or {})


@dataclass
class ExtractorOutput(ModelOutput):
    """What an extractive model returns.

    Attributes:
        loss: A mean, if there are targets.
        logits: `[b, k, n + 1]`, see `ExtractiveModel.logits`.
    """

    loss: Tensor | None = None
    logits: Tensor | None = None


class LongsumExtractor(LongsumModel):
    """Any of the extractive models, trained, saved and loaded by `transformers`."""

    config: LongsumExtractorConfig
    config_class = LongsumExtractorConfig
    base_model_prefix = "extractor"
    _supports_sdpa = True
    # Of the layers of the sentence encoder, or of the only encoder.
    supports_gradient_checkpointing = True

    def __init__(self, config: LongsumExtractorConfig) -> None:
        super().__init__(config)
        self.extractor = build(config.architecture, config.extractor_settings())
        if not next(self.extractor.parameters()).is_meta:
            # Its weights are initialised; `_init_weights` is for those that a checkpoint lacks.
            for module in self.extractor.modules():
                module._is_hf_initialized = True  # type: ignore[assignment]
        # HiBERT's layers run once for each group of sentences, or in parts.
        self._no_split_modules = {"etc": ["EtcLayer"], "flat": ["Layer"]}.get(
            config.architecture, []
        )
        self.post_init()

    @classmethod
    def of(cls, extractor: ExtractiveModel, *, positive_weight: float = 1.0) -> "LongsumExtractor":
        """Wrap a model as it is.

        `positive_weight` is as in `LongsumExtractorConfig`.

        Raises:
            LongsumError: The model is of no known architecture.
        """
        config = LongsumExtractorConfig(
            architecture=architecture_of(extractor),
            settings=write_settings(extractor.config),
            positive_weight=positive_weight,
        )
        with torch.device("meta"):
            model = cls(config)
        model.extractor = extractor
        return model

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
        """Score what may be chosen next, `[b, k, n + 1]`, and compute the loss against targets.

        Args:
            tokens: `[m, t]`; like the next four, a field of `Units`.
            lengths: `[m]`.
            sentences: `[b, n]`.
            headings: `[b, n]`.
            places: `[b, n, F]`.
            plans: `[b, k, m]`, −1 where padded; see `ExtractiveModel.logits`.
            targets: `[b, k, n + 1]`: for a stepwise model, how probable each choice should be; for
                others, 1 for each sentence of the summary, else 0.
            vectors: `[m, D]`, see `Units`.
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
        """Return the number of targets in the mean loss of `forward`, without encoding anything.

        Plans and targets are as for `forward`, and `units` are fields of `Units`.
        """
        scored = self.extractor.scored(Units(**units), plans)
        return counted_choices(scored, targets) if self.extractor.stepwise else scored.sum()

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if type(module).__module__.startswith("longsum."):
            # Learned vectors of units.
            for vector in module.parameters(recurse=False):
                init.normal_(vector, std=0.02)


register(LongsumExtractor)
