"""The trainer of encoder–decoders."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel, Seq2SeqTrainer, TrainerCallback

from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.convert_checkpoints import is_new
from longsum.models.networks.seq2seq.section_relations import SectionRelations, counted_pairs
from longsum.models.training.measure import token_loss
from longsum.models.training.run_settings import Seq2SeqOptimizationConfig
from longsum.models.training.trainer import LengthGroupedTrainer


class LongsumSeq2SeqTrainer(LengthGroupedTrainer, Seq2SeqTrainer):
    """Trains an encoder–decoder on a `TrainingDataset`.

    Args:
        given: As for `LengthGroupedTrainer`.
        rouge2: Returns the ROUGE-2 of what a model generates, measured in addition to the loss.
        named: As for `LengthGroupedTrainer`.
    """

    settings: Seq2SeqOptimizationConfig
    terms = 2

    def __init__(
        self, *given: Any, rouge2: Callable[[PreTrainedModel], float] | None = None, **named: Any
    ) -> None:
        super().__init__(*given, **named)
        self.add_callback(SpanClamp())
        self.rouge2 = rouge2

    def create_optimizer(self, *args: Any) -> torch.optim.Optimizer:
        """Make the optimizer, with a separate learning rate for new parts."""
        optimizer = super().create_optimizer(*args)
        if self.settings.new_rate != 1:
            named = cast(nn.Module, self.model).named_parameters()
            new = {id(each) for name, each in named if is_new(name)}
            set_apart(optimizer, new, self.settings.new_rate)
        return optimizer

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of target tokens and, where they count, of pairs of sections."""
        tokens: Tensor = (batch["labels"] != -100).sum()
        relations = self._relations
        if relations is None:
            return tokens[None]
        sections = (batch["section_of"], batch["section_parents"], batch["attention_mask"])
        return torch.stack([tokens, counted_pairs(*sections)])

    def means(self, outputs: Any) -> Tensor:
        """Return the loss per token, with the span loss if there is one, and per pair."""
        loss: Tensor = outputs["loss"]
        relations = self._relations
        if self.settings.span_loss:
            # The weights of an update's batches add up to one.
            adaptive = _adaptive(cast(nn.Module, self.model))
            spans = [part.span_loss(self.settings.span_loss) for part in adaptive]
            loss = loss + torch.stack(spans).sum()
        if relations is None:
            return loss[None]
        paired = relations.loss_weight * outputs["relation_loss"]
        return torch.stack([loss - paired, paired])

    def read_apart(self) -> Collection[nn.Module]:
        """Return the adaptive spans, if they are part of the loss."""
        return _adaptive(cast(nn.Module, self.model)) if self.settings.span_loss else ()

    @property
    def _relations(self) -> SectionRelations | None:
        return cast(LongsumForConditionalGeneration, self.model).section_relations

    @staticmethod
    def sums(model: PreTrainedModel, batch: Mapping[str, Any]) -> Tensor:
        """Return the cross-entropy summed over all target tokens, and their number."""
        return token_loss(model, [batch])

    def extra_metrics(self) -> dict[str, float]:
        """Return the ROUGE-2 of what the model generates, if it is to be measured."""
        if self.rouge2 is None:
            return {}
        # Devices that round differently must agree on which weights are best.
        found = torch.tensor(self.rouge2(cast(PreTrainedModel, self.model))).to(self.args.device)
        return {"rouge2": self.accelerator.reduce(found, reduction="mean").item()}


def set_apart(optimizer: torch.optim.Optimizer, parameters: set[int], times: float) -> None:
    """Move parameters, given by `id`, to groups whose learning rate is multiplied by `times`."""
    for group in list(optimizer.param_groups):
        apart = [each for each in group["params"] if id(each) in parameters]
        if apart:
            group["params"] = [each for each in group["params"] if id(each) not in parameters]
            optimizer.add_param_group({**group, "params": apart, "lr": times * group["lr"]})


class SpanClamp(TrainerCallback):
    """Clamps the parameters of adaptive spans to their range after every update."""

    def on_optimizer_step(self, *_: Any, **given: Any) -> None:
        """Clamp them."""
        for part in _adaptive(given["model"]):
            part.clamp_()


def _adaptive(model: nn.Module) -> list[AdaptiveSpanAttention]:
    return [part for part in model.modules() if isinstance(part, AdaptiveSpanAttention)]
