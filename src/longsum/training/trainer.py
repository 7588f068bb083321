"""The trainer of `transformers`, with batches of like length, an exact loss and a plain log."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn
from torch.utils.data import Dataset, Sampler, SequentialSampler
from transformers import (
    PreTrainedModel,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    Trainer,
    TrainerCallback,
    TrainerControl,
    TrainerState,
    TrainingArguments,
)
from transformers.trainer_pt_utils import LengthGroupedSampler

from longsum.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.files import append_text, write_text
from longsum.models.precision import in_bf16
from longsum.models.seq2seq import LongsumForConditionalGeneration
from longsum.models.seq2seq.convert_checkpoints import is_new
from longsum.models.seq2seq.section_relations import SectionRelations, counted_pairs
from longsum.training.measure import token_loss
from longsum.training.run_settings import OptimizationConfig
from longsum.training.training_dataset import collate

METRICS = "metrics.jsonl"


class Lengths(Protocol):
    """Lessons that know beforehand how long each is."""

    def lengths(self) -> list[int]:
        """Return the tokens of each."""


class ByLength(Trainer, ABC):
    """A trainer whose batches hold lessons of like length, and that measures in order.

    However an update's lessons are cut into batches and spread over processes, its loss is the mean
    over all targets of all of them: each batch counts by its targets, for a mean of means would
    give those of a small batch more weight. A process takes one device.

    Args:
        model: What learns. Its loss is a mean over the targets of a batch, or a sum of such means.
        arguments: What `training_arguments` makes.
        train: What to learn from.
        validation: What to measure on.
        collate: Joins items to a batch.
        metrics: File of the log.
        callbacks: What else is told of each step.
    """

    def __init__(
        self,
        model: nn.Module,
        arguments: Seq2SeqTrainingArguments,
        train: Dataset[Any],
        validation: Dataset[Any],
        *,
        collate: Callable[[Any], Any],
        metrics: Path,
        callbacks: Sequence[TrainerCallback] = (),
    ) -> None:
        # Several devices of one process would each return the mean of their own share.
        arguments._n_gpu = min(arguments.n_gpu, 1)
        super().__init__(
            model=model,
            args=arguments,
            train_dataset=train,
            eval_dataset=validation,
            data_collator=collate,
            callbacks=[MetricsLog(metrics), *callbacks],
        )
        # The division by the number of batches is `Trainer`'s, and made good in `compute_loss`.
        self.model_accepts_loss_kwargs = False
        self._targets = torch.zeros(0)

    @abstractmethod
    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return how many targets each of `means` is over, in a batch: `[m]`."""

    def means(self, outputs: Any) -> Tensor:
        """Return what the model's outputs say of a batch, `[m]`; their sum is to be small."""
        loss: Tensor = outputs["loss"]
        return loss[None]

    def numbered(self, batch: dict[str, Any], place: int) -> dict[str, Any]:  # noqa: ARG002
        """Return a batch of an update with what it needs beside its lessons.

        Args:
            batch: What `collate` has made.
            place: Its place among those of the update and of all processes.
        """
        return batch

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], None]:
        """Take the batches of an update, and count the targets of all processes."""
        taken, _ = super().get_batch_samples(epoch_iterator, num_batches, device)
        first = self.accelerator.process_index * num_batches
        batches = [
            self.numbered(self._prepare_inputs(batch), first + place)
            for place, batch in enumerate(taken)
        ]
        if batches:
            own = torch.stack([self.targets(batch) for batch in batches]).sum(dim=0)
            self._targets = self.accelerator.reduce(own, reduction="sum")
        return batches, None

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002
    ) -> Any:
        """Return the share of a batch in the loss of its update.

        Gradients of processes are averaged, and the result is divided by the number of batches, so
        the share is as many times as large.
        """
        outputs = model(**inputs)
        times = self.accelerator.num_processes * self.current_gradient_accumulation_steps
        shares = self.targets(inputs) / self._targets.clamp_min(1)
        loss = (times * shares * self.means(outputs)).sum()
        return (loss, outputs) if return_outputs else loss

    def _get_train_sampler(self, train_dataset: Dataset[Any] | None = None) -> Sampler[int] | None:
        """Group lessons of like length, by the lengths that they know beforehand."""
        if self.args.train_sampling_strategy != "group_by_length":
            sampler: Sampler[int] | None = super()._get_train_sampler(train_dataset)
            return sampler
        lessons = cast(Lengths, self.train_dataset if train_dataset is None else train_dataset)
        return LengthGroupedSampler(
            self.args.train_batch_size * self.args.gradient_accumulation_steps,
            lengths=lessons.lengths(),
        )

    def _get_eval_sampler(self, eval_dataset: Dataset[Any]) -> Sampler[int]:
        return SequentialSampler(cast(Sized, eval_dataset))

    @abstractmethod
    def totals(self, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
        """Return sums over batches on this device and, last, what to divide them by: `[m + 1]`."""

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the measurements by name, of the means that `totals` leads to."""
        return {"loss": means[0]}

    def beside(self) -> dict[str, float]:
        """Return what else is measured, by name."""
        return {}

    def evaluate(
        self,
        eval_dataset: Dataset[Any] | dict[str, Dataset[Any]] | None = None,
        ignore_keys: list[str] | None = None,  # noqa: ARG002
        metric_key_prefix: str = "eval",
        **_settings: Any,
    ) -> dict[str, float]:
        """Measure means over the whole set, however it is cut into batches; log and return them."""
        assert not isinstance(eval_dataset, dict)
        # Nothing is measured twice to give every process as much.
        even, self.accelerator.even_batches = self.accelerator.even_batches, False
        batches = map(self._prepare_inputs, self.get_eval_dataloader(eval_dataset))
        self.accelerator.even_batches = even
        with self.compute_loss_context_manager():
            total = self.totals(batches)
            beside = self.beside()
        *sums, count = self.accelerator.reduce(total, reduction="sum").tolist()
        found = self.named([each / count for each in sums]) | beside
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in found.items()}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics


class LongsumTrainer(ByLength, Seq2SeqTrainer):
    """Trains an encoder–decoder on `Lessons`.

    Args:
        given: As of `ByLength`.
        pad: Id of the padding token.
        span_loss: Coefficient of the span loss of adaptive spans.
        new_rate: How many times as fast as the others the weights of new parts learn.
        rouge2: Returns the ROUGE-2 of what a model writes, to be measured beside the loss.
        named: As of `ByLength`.
    """

    def __init__(
        self,
        *given: Any,
        pad: int,
        span_loss: float = 0.0,
        new_rate: float = 1.0,
        rouge2: Callable[[PreTrainedModel], float] | None = None,
        **named: Any,
    ) -> None:
        made = partial(collate, pad=pad)
        super().__init__(*given, collate=made, callbacks=[SpanClamp()], **named)
        self.span_loss = span_loss
        self.new_rate = new_rate
        self.rouge2 = rouge2

    def create_optimizer(self, *args: Any) -> torch.optim.Optimizer:
        """Make the optimizer, in which new parts may have a rate of their own."""
        optimizer = super().create_optimizer(*args)
        if self.new_rate != 1:
            named = cast(nn.Module, self.model).named_parameters()
            new = {id(each) for name, each in named if is_new(name)}
            set_apart(optimizer, new, self.new_rate)
        return optimizer

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the tokens that are to be written and, where they count, the pairs of sections."""
        tokens: Tensor = (batch["labels"] != -100).sum()
        relations = self._relations
        if relations is None:
            return tokens[None]
        sections = (batch["section_of"], batch["section_parents"], batch["attention_mask"])
        return torch.stack([tokens, counted_pairs(*sections)])

    def means(self, outputs: Any) -> Tensor:
        """Return the loss of a token, with the span loss where one is asked for, and of a pair."""
        loss: Tensor = outputs["loss"]
        relations = self._relations
        if self.span_loss:
            # The shares of an update's batches make one.
            adaptive = _adaptive(cast(nn.Module, self.model))
            spans = [part.span_loss(self.span_loss) for part in adaptive]
            loss = loss + torch.stack(spans).sum()
        if relations is None:
            return loss[None]
        paired = relations.loss_weight * outputs["relation_loss"]
        return torch.stack([loss - paired, paired])

    @property
    def _relations(self) -> SectionRelations | None:
        return cast(LongsumForConditionalGeneration, self.model).section_relations

    def totals(self, batches: Iterable[Mapping[str, Tensor]]) -> Tensor:
        """Return the cross-entropy of all tokens of the set, and their number."""
        return token_loss(cast(PreTrainedModel, self.model), batches)

    def beside(self) -> dict[str, float]:
        """Return the ROUGE-2 of what the model writes, where it is asked for."""
        if self.rouge2 is None:
            return {}
        # Devices that round differently have to agree on which weights are the best.
        found = torch.tensor(self.rouge2(cast(PreTrainedModel, self.model))).to(self.args.device)
        return {"rouge2": self.accelerator.reduce(found, reduction="mean").item()}


def set_apart(optimizer: torch.optim.Optimizer, parameters: set[int], times: float) -> None:
    """Give some parameters, known by `id`, groups of their own that learn so many times as fast."""
    for group in list(optimizer.param_groups):
        apart = [each for each in group["params"] if id(each) in parameters]
        if apart:
            group["params"] = [each for each in group["params"] if id(each) not in parameters]
            optimizer.add_param_group({**group, "params": apart, "lr": times * group["lr"]})


class SpanClamp(TrainerCallback):
    """Keeps the parameters of adaptive spans where they mean something, after every update."""

    def on_optimizer_step(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,  # noqa: ARG002
        control: TrainerControl,  # noqa: ARG002
        model: nn.Module | None = None,
        **_: Any,
    ) -> None:
        """Clamp them."""
        for part in _adaptive(model) if model is not None else ():
            part.clamp_()


class StepsTold(TrainerCallback):
    """Tells how many steps are done, of how many; at first those of a run that is gone on with."""

    def __init__(self, step: Callable[[int, int], None]) -> None:
        self.step = step

    def on_train_begin(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **_: Any,
    ) -> None:
        """Tell it before the first step."""
        self._tell(state)

    def on_step_end(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **_: Any,
    ) -> None:
        """Tell it after each step."""
        self._tell(state)

    def _tell(self, state: TrainerState) -> None:
        if state.is_world_process_zero:
            self.step(state.global_step, state.max_steps)


class MetricsLog(TrainerCallback):
    """Writes a line of JSON for each step that is logged; a resumed run goes on where it began."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_train_begin(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        **_: Any,
    ) -> None:
        """Forget what a run that was broken off logged after its last checkpoint."""
        if state.is_world_process_zero and self.path.exists():
            lines = self.path.read_text(encoding="utf-8").splitlines()
            kept = [line for line in lines if json.loads(line)["step"] <= state.global_step]
            write_text(self.path, "".join(f"{line}\n" for line in kept))

    def on_log(
        self,
        args: TrainingArguments,  # noqa: ARG002
        state: TrainerState,
        control: TrainerControl,  # noqa: ARG002
        logs: Mapping[str, float] | None = None,
        **_: Any,
    ) -> None:
        """Append a line."""
        if state.is_world_process_zero and logs:
            line = {"step": state.global_step, **logs}
            append_text(self.path, json.dumps(line) + "\n")


def training_arguments(
    output: Path,
    settings: OptimizationConfig,
    *,
    save_every: int,
    evaluate_every: int,
    best_rouge2: bool = False,
) -> Seq2SeqTrainingArguments:
    """Say the settings in the words of `transformers`.

    Args:
        output: Folder of the checkpoints.
        settings: How the weights move.
        save_every: Updates between two checkpoints.
        evaluate_every: Updates between two measurements.
        best_rouge2: Whether the weights with the highest ROUGE-2 are kept, of those measured; else
            the last.
    """
    return Seq2SeqTrainingArguments(
        output_dir=str(output),
        max_steps=settings.steps,
        per_device_train_batch_size=settings.batch,
        per_device_eval_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate,
        optim="adafactor" if settings.optimizer == "adafactor" else "adamw_torch",
        learning_rate=settings.learning_rate,
        lr_scheduler_type=settings.schedule,
        warmup_steps=settings.warmup_steps,
        weight_decay=settings.weight_decay,
        adam_beta1=settings.adam_betas[0],
        adam_beta2=settings.adam_betas[1],
        max_grad_norm=settings.clip,
        bf16=in_bf16(settings.precision, "cuda" if torch.cuda.is_available() else "cpu"),
        train_sampling_strategy="group_by_length" if settings.group_by_length else "random",
        dataloader_num_workers=settings.workers,
        logging_steps=max(1, min(50, settings.steps // 20)),
        eval_strategy="steps",
        eval_steps=evaluate_every,
        save_steps=evaluate_every if best_rouge2 else save_every,
        save_total_limit=2,
        load_best_model_at_end=best_rouge2,
        metric_for_best_model="rouge2" if best_rouge2 else None,
        seed=settings.seed,
        ddp_find_unused_parameters=False,
        remove_unused_columns=False,
        use_cpu=not torch.cuda.is_available(),
        report_to=[],
        disable_tqdm=True,
    )


def _adaptive(model: nn.Module) -> list[AdaptiveSpanAttention]:
    return [part for part in model.modules() if isinstance(part, AdaptiveSpanAttention)]
