"""What a training run will take, measured on a few of its updates before it starts."""

import multiprocessing
import platform
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import torch
from accelerate.utils import gather_object
from torch.utils.data import Sampler
from transformers import PrinterCallback, TrainerCallback, TrainerControl, set_seed
from transformers.trainer_utils import IntervalStrategy, SaveStrategy

from longsum.common.arrays import Places
from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.evaluation.datasets.catalogue import check_folders
from longsum.models.training.callbacks import StepProgress
from longsum.models.training.documents import PreparedCache, load_part, parts_of
from longsum.models.training.processes import check_launch, leave
from longsum.models.training.run_seq2seq import run_for
from longsum.models.training.run_settings import DataConfig, RunSettings
from longsum.models.training.trainer import LengthGroupedTrainer, Lengths
from longsum.models.training.training_run import CHECKPOINTS, METRICS, PREPARED, Run, Started
from longsum.models.training.update_order import UpdateOrder

TIMED = 8
"""Updates that are timed. The two largest run before them, since they take the most memory; work
that is done only once, such as making the state of the optimizer, is not timed."""

_UNTIMED = 2
_POLLING_INTERVAL = 0.5
_TRAINING_DOCUMENTS = 250
_ACCUMULATED = 4
"""Batches of an update that are tried; the others of a larger update take as long."""
_PATIENCE = 60.0
"""Seconds of a trial, its preparation included, after which no more updates are tried."""
_LONGEST = 300.0
"""Seconds after which the trial is killed, whatever it is doing."""
_VALIDATION_DOCUMENTS = 16
_ROUGE_DOCUMENTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run will take on this machine and device.

    With several processes, seconds and memory are those of the process that takes the most.

    Attributes:
        parameters: Weights of the model.
        timed: Updates that were timed; 0 if there was time only for the largest, whose seconds then
            stand for all.
        updates: Updates of the run.
        seconds_per_update: Mean seconds of an update.
        computed_per_update: Mean processor seconds of an update on all cores, which other programs
            do not increase; on a GPU they say little.
        measurements: Number of measurements on validation data.
        seconds_per_measurement: Seconds of one measurement, with summaries for ROUGE at their
            greatest length.
        checkpoints: Number of checkpoints written.
        seconds_per_checkpoint: Seconds of one.
        memory: Peak memory of a process in bytes; on a GPU, that of the device.
        device: Device of the trial.
        processes: Number of processes.
    """

    parameters: int
    timed: int = TIMED
    updates: int
    seconds_per_update: float
    computed_per_update: float
    measurements: int
    seconds_per_measurement: float
    checkpoints: int
    seconds_per_checkpoint: float
    memory: int
    device: str
    processes: int = 1

    @property
    def seconds(self) -> float:
        """Seconds of the run, without the preparation of its data."""
        return (
            self.updates * self.seconds_per_update
            + self.measurements * self.seconds_per_measurement
            + self.checkpoints * self.seconds_per_checkpoint
        )

    @property
    def lines(self) -> list[str]:
        """The estimate as lines of text."""
        alone = self.processes == 1
        on = "" if alone else f"{self.processes:,} processes, each on "
        return [
            f"{self.parameters:,} parameters on {on}{self.device}",
            f"{counted(self.updates, 'update')} of {self.seconds_per_update:.2f} s"
            f" ({f'the mean of {self.timed}' if self.timed else 'the largest alone was tried'})",
            f"{counted(self.measurements, 'measurement')} of {self.seconds_per_measurement:.1f} s",
            f"{counted(self.checkpoints, 'checkpoint')} of {self.seconds_per_checkpoint:.1f} s",
            f"{duration(self.seconds)} in all, without the preparation of the data",
            f"{self.memory / 1e9:.2f} GB of memory at the peak{'' if alone else ' of a process'}",
        ]


def estimate(
    run: Run[Any, Any, Any, Any],
    settings: RunSettings,
    step: Callable[[int, int], None] = lambda *_: None,
) -> Estimate:
    """Try a few updates of a run and measure them; nothing is kept.

    Updates of all sizes are tried, the largest first; after a minute no more are begun. They run in
    a separate process, whose memory is that of the run alone. If there are several processes, all
    call this; they are tried together, communication included, and all return the same.

    If the settings name no folder of prepared data (`data.prepared`), only the first documents are
    prepared, so that a learned vocabulary may be smaller than the run's.

    Args:
        run: The kind of run.
        settings: Its settings.
        step: Called about twice a second with the number of updates tried so far, and of all.

    Raises:
        LongsumError: As for `Run.train`; or there is not enough memory for a single update, or not
            enough time.
    """
    check_launch()
    run.check(settings)
    check_folders(settings.data.names)
    context = multiprocessing.get_context("spawn")
    done = context.Value("i", 0)
    deadline, other_processes = time.monotonic() + _LONGEST, multiprocessing.active_children()
    with ProcessPoolExecutor(
        1, mp_context=context, initializer=_share, initargs=(done,)
    ) as executor:
        trial = executor.submit(tried, run.kind, settings)
        while wait([trial], _POLLING_INTERVAL).not_done:
            step(done.value, _UNTIMED + TIMED)
            if time.monotonic() > deadline:
                for child in set(multiprocessing.active_children()).difference(other_processes):
                    child.kill()
                wait([trial])
        try:
            return trial.result()
        except BrokenProcessPool as error:
            if time.monotonic() > deadline:
                raise LongsumError(
                    f"Only {counted(done.value, 'update')} could be tried within "
                    f"{duration(_LONGEST)}; give data.limit=50, or make training.batch or what is "
                    "read smaller."
                ) from error
            raise LongsumError(
                "The trial was ended from outside, as happens to programs that need more memory "
                "than there is; make training.batch or what is read smaller."
            ) from error


_done: Any = None
"""Number of updates tried so far, shared with the process that waits; None if none does."""


def _share(done: Any) -> None:
    global _done
    _done = done


def _count(number: int, _: int) -> None:
    if _done is not None:
        _done.value = number


def tried(kind: str, settings: RunSettings) -> Estimate:
    """Try a few updates of a run in this process, which must be a new one; see `estimate`."""
    run = run_for(kind)
    clock = _Clock()
    with TemporaryDirectory() as folder:
        started = _started(run, settings, folder)
        trainer = run.trainer(started)
        lengths = cast(Lengths, trainer.train_dataset).lengths()
        trainer.order = cast(UpdateOrder, TriedUpdates(trainer.order, lengths))
        trainer.add_callback(clock)
        trainer.add_callback(StepProgress(_count, lambda *_: None))
        # It prints losses, which mean nothing here.
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        parameters = started.model.num_parameters()
        measured = _seconds_of_measurement(trainer, started, settings)
        begun = _now()
        trainer._save_checkpoint(trainer.trained, None)
        saved = _now() - begun
        cost = (*clock.means(), measured, saved, float(peak_memory()))
        # This waits for processes that still read the folder, which several may share.
        costs = gather_object([cost])
        leave()
    wall, computed, measured, saved, memory = map(max, zip(*costs, strict=True))
    training = settings.training
    scale = training.accumulate / min(_ACCUMULATED, training.accumulate)
    return Estimate(
        parameters=parameters,
        timed=clock.timed,
        updates=training.steps,
        seconds_per_update=wall * scale,
        computed_per_update=computed * scale,
        measurements=training.steps // settings.evaluate_every + 1,
        seconds_per_measurement=measured,
        checkpoints=-(-training.steps // int(started.arguments.save_steps)),
        seconds_per_checkpoint=saved,
        memory=int(memory),
        device=_device(),
        processes=len(costs),
    )


def _started(
    run: Run[Any, Any, Any, Any], settings: RunSettings, own_folder: str
) -> Started[Any, Any, Any, Any]:
    data = settings.data
    training = replace(
        settings.training,
        steps=_UNTIMED + TIMED,
        accumulate=min(_ACCUMULATED, settings.training.accumulate),
    )
    if data.prepared is None:
        data = replace(
            data,
            limit=min(_TRAINING_DOCUMENTS, data.limit or _TRAINING_DOCUMENTS),
            validation_limit=min(
                _VALIDATION_DOCUMENTS, data.validation_limit or _VALIDATION_DOCUMENTS
            ),
        )
    rouge: dict[str, Any] = {}
    if documents := getattr(settings, "rouge_documents", 0):
        rouge = {"rouge_documents": min(_ROUGE_DOCUMENTS, documents)}
    trial = replace(settings, data=data, training=training, **rouge)
    arguments = run.arguments(trial, Path(own_folder))
    # Both are timed separately.
    arguments.save_strategy = SaveStrategy.NO
    arguments.eval_strategy = IntervalStrategy.NO
    arguments.load_best_model_at_end = False
    # The processes of a machine share a folder, as those of a run do.
    folders = gather_object([(platform.node(), own_folder)])
    folder = Path(next(path for machine, path in folders if machine == platform.node()))
    arguments.output_dir = str(folder / CHECKPOINTS)
    set_seed(training.seed)
    cache = PreparedCache(data, folder / PREPARED, lambda _: None)
    with arguments.main_process_first(local=True):
        prepared = run.prepare(trial, cache)
    model = run.model(trial, prepared.tokens)
    return Started(trial, prepared, model, arguments, folder / METRICS, cache)


class TriedUpdates(Sampler[int]):
    """Draws the two largest of many updates, then some of all sizes, evenly spaced."""

    def __init__(self, order: UpdateOrder, lengths: Sequence[int]) -> None:
        epochs = -(-TIMED // order.updates)
        updates = np.concatenate([order.epoch(number) for number in range(epochs)])
        # Memory and time grow with what a batch is padded to.
        sizes = np.asarray(lengths)[updates]
        ranks = np.lexsort((sizes.sum(axis=1), sizes.max(axis=1)))
        middles = ((np.arange(TIMED) + 0.5) * len(updates) / TIMED).astype(int)
        largest = np.resize(ranks[::-1], _UNTIMED)
        self._drawn: Places = updates[[*largest, *ranks[middles]]]
        self.updates = len(self._drawn)

    def __len__(self) -> int:
        return self._drawn.size

    def __iter__(self) -> Iterator[int]:
        return iter(self._drawn.flatten().tolist())


def _seconds_of_measurement(
    trainer: LengthGroupedTrainer, started: Started[Any, Any, Any, Any], settings: RunSettings
) -> float:
    """Return how long each measurement of the run will take, from one on a few documents."""
    writing = 0.0
    extra = trainer.extra_metrics

    def timed() -> dict[str, float]:
        nonlocal writing
        begun = _now()
        metrics = extra()
        writing = _now() - begun
        return metrics

    trainer.extra_metrics = timed  # type: ignore[method-assign]
    begun = _now()
    trainer.evaluate()
    reading = _now() - begun - writing
    documents = _validation_documents(settings.data)
    seconds = documents * reading / _validation_documents(started.settings.data)
    if summarised := getattr(settings, "rouge_documents", 0):
        seconds += min(documents, summarised) * writing / started.settings.rouge_documents
    return seconds


class _Clock(TrainerCallback):
    """Times updates from the end of one to the end of the next, the making of batches included."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._times: list[tuple[float, float]] = []

    @property
    def timed(self) -> int:
        """The number of timed updates."""
        return max(len(self._times) - 1 - _UNTIMED, 0)

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Record the wall-clock and processor time."""
        self._times.append((_now(), time.process_time()))

    def on_step_end(
        self,
        args: Any,
        state: Any,  # noqa: ARG002
        control: TrainerControl,
        **_: Any,
    ) -> None:
        """Record the times, and end the trial if it takes too long."""
        self.on_train_begin()
        # Several processes must all make the same number of updates.
        if args.world_size == 1 and time.monotonic() - self._begun > _PATIENCE:
            control.should_training_stop = True

    def means(self) -> tuple[float, float]:
        """Return the mean wall-clock and processor seconds of the timed updates."""
        times = np.diff(np.array(self._times), axis=0)
        timed = times[_UNTIMED:] if self.timed else times[-1:]
        wall, computed = timed.mean(axis=0).tolist()
        return wall, computed


def _now() -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()


def _validation_documents(data: DataConfig) -> int:
    """Return the number of documents that each measurement reads."""
    parts = parts_of(data, "validation")
    return sum(1 for part in parts for _ in load_part(part))


def peak_memory() -> int:
    """Return the peak memory of this process in bytes; on a GPU, that of the device."""
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    with suppress(OSError):
        # `getrusage` also counts the process that started this one.
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
        for line in lines:
            if line.startswith("VmHWM:"):
                return 1024 * int(line.split()[1])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _device() -> str:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"the CPU with {counted(torch.get_num_threads(), 'thread')}"


def duration(seconds: float) -> str:
    """Return a time in words."""
    minutes = seconds / 60
    if minutes < 2:
        return f"{seconds:.0f} seconds"
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
