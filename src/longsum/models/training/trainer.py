"""The trainer of `transformers`, with updates that are the same on any number of processes."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Sized
from functools import partial
from pathlib import Path
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn
from torch.utils.data import Dataset, Sampler, SequentialSampler
from transformers import Seq2SeqTrainingArguments, Trainer
from transformers.optimization import Adafactor

from longsum.core.encoder.networks import in_bf16
from longsum.models.training.adafactor import ShardedAdafactor
from longsum.models.training.callbacks import EpochStart, MetricsLog
from longsum.models.training.checkpoints import StoredTrainer
from longsum.models.training.processes import gathered, is_sharded, release, shard
from longsum.models.training.run_settings import OptimizationConfig
from longsum.models.training.update_order import UpdateOrder


class Lengths(Protocol):
    """Examples whose lengths are known in advance."""

    def __len__(self) -> int:
        """Return the number of examples."""

    def lengths(self) -> list[int]:
        """Return the number of tokens of each example."""


class LengthGroupedTrainer(StoredTrainer, ABC):
    """A trainer whose batches hold examples of similar length.

    The loss of an update is the mean over the targets of all its examples, however they are split
    into batches and processes: each batch is weighted by its number of targets, since a mean of
    means would give more weight to those of a small batch. Nor do the processes change which
    examples these are (`UpdateOrder`). Each process uses one device, and holds the whole model or,
    with `sharding`, a part of it (`longsum.models.training.processes`).

    Args:
        model: The model. Its loss is a mean over the targets of a batch, or a sum of such means.
        arguments: What `training_arguments` returns.
        train: Training examples.
        validation: Examples to measure on.
        collate: Joins examples into a batch; worker processes need it to be picklable.
        settings: Optimizer and schedule settings.
        metrics: File of the log.
        extra: Returns further metrics of the model by name, such as the ROUGE of what it writes.

    Attributes:
        terms: Number of values that `sums` returns.
        order: Which examples make up each update.
    """

    terms: int

    def __init__(
        self,
        model: nn.Module,
        arguments: Seq2SeqTrainingArguments,
        train: Lengths,
        validation: Lengths,
        *,
        collate: Callable[[Any], dict[str, Tensor]],
        settings: Any,
        metrics: Path,
        extra: Callable[[Any], dict[str, float]] | None = None,
    ) -> None:
        self.settings = settings
        self.extra = extra
        # Several devices of one process would each return a mean over their own part.
        arguments._n_gpu = min(arguments.n_gpu, 1)
        super().__init__(
            model=model,
            args=arguments,
            data_collator=collate,
            train_dataset=cast(Dataset[Any], train),
            eval_dataset=cast(Dataset[Any], validation),
        )
        self.order = UpdateOrder(
            len(train),
            examples_of_update(arguments),
            train.lengths() if settings.group_by_length else None,
            arguments.seed,
        )
        self.add_callback(MetricsLog(metrics))
        self.add_callback(EpochStart(self.order))
        if settings.sharding == "full" and self.accelerator.num_processes > 1:
            shard(model, arguments.device, self.read_apart())
            # Otherwise it would copy the whole model to each process, and average gradients again.
            prepare = partial(self.accelerator.prepare_model, evaluation_mode=True)
            self.accelerator.prepare_model = prepare
        # `Trainer` divides by the number of batches, which `compute_loss` compensates for.
        self.model_accepts_loss_kwargs = False
        self._targets = torch.zeros(0)

    def create_optimizer(self, model: nn.Module | None = None) -> torch.optim.Optimizer:
        """Make the optimizer, if there is none yet."""
        if self.optimizer is None:
            self.optimizer = self.new_optimizer(
                cast(nn.Module, self.model if model is None else model)
            )
        return super().create_optimizer(model)

    @staticmethod
    def get_optimizer_cls_and_kwargs(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        """Return the optimizer that the arguments name, able to update divided weights too."""
        kind, settings = Trainer.get_optimizer_cls_and_kwargs(*args, **kwargs)
        return ShardedAdafactor if kind is Adafactor else kind, settings

    def read_apart(self) -> Collection[nn.Module]:
        """Return the modules whose weights are read outside of the layers that hold them."""
        return ()

    def new_optimizer(self, model: nn.Module) -> torch.optim.Optimizer | None:  # noqa: ARG002
        """Make an optimizer; None for the one that the arguments name."""
        return None

    @abstractmethod
    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of targets in a batch over which each of `means` is taken: `[m]`."""

    def means(self, outputs: Any) -> Tensor:
        """Return the mean losses of a batch, `[m]`, from its outputs; their sum is minimised."""
        loss: Tensor = outputs["loss"]
        return loss[None]

    def seeded(self, batch: dict[str, Any], update: int, place: int) -> dict[str, Any]:  # noqa: ARG002
        """Return a batch with a seed for its random draws, if it has any.

        Args:
            batch: What `collate` returned.
            update: Number of the update, from 1; 0 when measuring.
            place: Index of the batch within the update, counted over all processes.
        """
        return batch

    def get_batch_samples(
        self, epoch_iterator: Iterator[Any], num_batches: int, device: torch.device
    ) -> tuple[list[Any], None]:
        """Return the batches of an update, and count the targets of all processes."""
        taken, _ = super().get_batch_samples(epoch_iterator, num_batches, device)
        update, processes = self.state.global_step + 1, self.accelerator.num_processes
        batches = [
            self.seeded(
                self._prepare_inputs(batch), update, turn * processes + self.args.process_index
            )
            for turn, batch in enumerate(taken)
        ]
        if batches:
            targets = torch.stack([self.targets(batch) for batch in batches]).sum(dim=0)
            self._targets = self.accelerator.reduce(targets, reduction="sum")
        return batches, None

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,  # noqa: ARG002
    ) -> Any:
        """Return the contribution of a batch to the loss of its update.

        `Trainer` averages gradients over processes and batches, so the contribution is multiplied
        by the number of both.
        """
        outputs = model(**inputs)
        scale = self.accelerator.num_processes * self.current_gradient_accumulation_steps
        shares = self.targets(inputs) / self._targets.clamp_min(1)
        loss = (scale * shares * self.means(outputs)).sum()
        return (loss, outputs) if return_outputs else loss

    def _get_train_sampler(self, train_dataset: Dataset[Any] | None = None) -> Sampler[int]:  # noqa: ARG002
        return self.order

    def _get_eval_sampler(self, eval_dataset: Dataset[Any]) -> Sampler[int]:
        return SequentialSampler(cast(Sized, eval_dataset))

    @staticmethod
    @abstractmethod
    def sums(model: Any, batch: Mapping[str, Any]) -> Tensor:
        """Return the measures of a batch as sums and, last, their divisor: `[terms]`, fp64."""

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the metrics by name, from the means of what `sums` measures, over all batches."""
        return {"loss": means[0]}

    def extra_metrics(self) -> dict[str, float]:
        """Return further metrics by name, if there are any."""
        return {} if self.extra is None else self.extra(self.model)

    def evaluate(
        self,
        eval_dataset: Dataset[Any] | dict[str, Dataset[Any]] | None = None,
        ignore_keys: list[str] | None = None,  # noqa: ARG002
        metric_key_prefix: str = "eval",
        **_settings: Any,
    ) -> dict[str, float]:
        """Measure over the whole dataset, however it is batched; log and return the metrics.

        After the last update the weights are saved first, since a measurement may take long, unless
        the metrics decide which weights are kept.
        """
        assert not isinstance(eval_dataset, dict)
        ended = self.state.global_step >= self.state.max_steps
        if ended and self.control.should_save and not self.args.load_best_model_at_end:
            self._save_checkpoint(self.trained, None)
            self.control = self.callback_handler.on_save(self.args, self.state, self.control)
        # A process without batches contributes to the sum too.
        total = torch.zeros(self.terms, dtype=torch.float64, device=self.args.device)
        model = self.trained.eval()
        with self.compute_loss_context_manager(), torch.no_grad():
            for batch, counts in self._validation_batches(eval_dataset):
                sums = self.sums(model, batch)
                total += sums if counts else 0.0
            with gathered(model):
                extra = self.extra_metrics()
        release(model)
        *totals, divisor = self.accelerator.reduce(total, reduction="sum").tolist()
        named = self.named([value / divisor for value in totals]) | extra
        metrics = {f"{metric_key_prefix}_{name}": value for name, value in named.items()}
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics

    def _validation_batches(
        self, dataset: Dataset[Any] | None
    ) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the batches that this process measures, and whether each one counts.

        Processes that gather weights from each other must all read the same number of batches.
        """
        # No example is measured twice to even out the processes.
        even, self.accelerator.even_batches = self.accelerator.even_batches, False
        loader = self.get_eval_dataloader(dataset)
        self.accelerator.even_batches = even
        missing = 0
        if is_sharded(self.trained):
            count = torch.tensor([len(loader)], device=self.args.device)
            missing = int((cast(Tensor, self.accelerator.gather(count)).max() - count).item())
        self.callback_handler.eval_dataloader = loader
        for place, batch in enumerate(loader):
            number = place * self.accelerator.num_processes + self.args.process_index
            yield self.seeded(self._prepare_inputs(batch), 0, number), True
            self.control = self.callback_handler.on_prediction_step(
                self.args, self.state, self.control
            )
        items = cast(Any, self.eval_dataset if dataset is None else dataset)
        for _ in range(missing):
            yield self.seeded(self._prepare_inputs(self.data_collator([items[0]])), 0, 0), False


def examples_of_update(arguments: Seq2SeqTrainingArguments) -> int:
    """Return the number of examples of an update, over all processes."""
    per_process = arguments.per_device_train_batch_size * arguments.gradient_accumulation_steps
    return int(per_process * arguments.world_size)


def training_arguments(
    output: Path,
    settings: OptimizationConfig,
    *,
    save_every: int,
    evaluate_every: int,
    best: str | None = None,
) -> Seq2SeqTrainingArguments:
    """Return the settings as arguments of `transformers`.

    Args:
        output: Folder of the checkpoints.
        settings: Optimizer and schedule settings.
        save_every: Updates between checkpoints.
        evaluate_every: Updates between measurements.
        best: The metric whose highest value decides which weights are kept; None keeps the last.
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
        dataloader_num_workers=settings.workers,
        logging_steps=max(1, min(50, settings.steps // 20)),
        eval_strategy="steps",
        eval_steps=evaluate_every,
        save_steps=save_every if best is None else evaluate_every,
        save_total_limit=2,
        load_best_model_at_end=best is not None,
        metric_for_best_model=best,
        seed=settings.seed,
        ddp_find_unused_parameters=False,
        remove_unused_columns=False,
        use_cpu=not torch.cuda.is_available(),
        report_to=[],
        disable_tqdm=True,
    )
