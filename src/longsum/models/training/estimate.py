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
from longsum.evaluation.datasets import load
from longsum.evaluation.datasets.catalogue import check_folders
from longsum.models.training.callbacks import StepProgress
from longsum.models.training.documents import PreparedCache, parts_of
from longsum.models.training.processes import check_launch, leave
from longsum.models.training.run_settings import DataConfig, RunSettings
from longsum.models.training.trainer import LengthGroupedTrainer, Lengths, training_arguments
from longsum.models.training.training_run import CHECKPOINTS, METRICS, PREPARED, Run, Started
from longsum.models.training.update_order import UpdateOrder

TIMED = 8
"""Updates that are timed. Before them come the two largest, which take most memory: what
happens only once, such as making the state of the optimizer, is not timed."""

_UNTIMED = 2
_BETWEEN_LOOKS = 0.5
_DOCUMENTS = 250
_ACCUMULATED = 4
"""Batches of an update that are tried; of a larger update each takes as long."""
_PATIENCE = 60.0
"""Seconds of a trial, its preparation included, after which no further update is tried."""
_LONGEST = 300.0
"""Seconds after which the trial is ended, whatever it is at."""
_MEASURED = 16
_WRITTEN = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run will take on this machine and device.

    Of several processes, seconds and memory are those of the process that takes most.

    Attributes:
        parameters: Weights of the model.
        timed: Updates that were timed; 0 if time was left for the largest alone, whose seconds
            count for all then.
        updates: Updates of the run.
        seconds_per_update: Mean seconds of an update.
        computed_per_update: Mean seconds that all cores computed for an update, which does not
            grow where other programs are at work; on a GPU this says little.
        measurements: How often validation data are measured.
        seconds_per_measurement: Seconds of one measurement. What is written for ROUGE counts as
            long as it may become.
        checkpoints: How often a checkpoint is written.
        seconds_per_checkpoint: Seconds of one.
        memory: Peak memory of a process in bytes: on the device if it is a GPU.
        device: Where it was tried.
        processes: On how many processes.
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
    def told(self) -> list[str]:
        """The same in lines."""
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

    Updates of all sizes are tried, the largest first; after a minute no further one. They run in a
    process of their own, whose memory is that of the run alone. Of several processes, all call
    this; they are tried together, with all that they send each other, and all get the same.

    Where the settings name no folder of prepared data (`data.prepared`), only the first documents
    are prepared, and a vocabulary that is learned may be smaller than the run's.

    Args:
        run: The kind of run.
        settings: Its settings.
        step: Called about twice a second with the number of updates that were tried, and of all.

    Raises:
        LongsumError: As `Run.train`; or there is not enough memory for a single update, or not
            enough time.
    """
    check_launch()
    run.check(settings)
    check_folders(settings.data.names)
    context = multiprocessing.get_context("spawn")
    done = context.Value("i", 0)
    ends, others = time.monotonic() + _LONGEST, multiprocessing.active_children()
    with ProcessPoolExecutor(1, mp_context=context, initializer=_share, initargs=(done,)) as apart:
        trial = apart.submit(tried, run.kind, settings)
        while wait([trial], _BETWEEN_LOOKS).not_done:
            step(done.value, _UNTIMED + TIMED)
            if time.monotonic() > ends:
                for child in set(multiprocessing.active_children()).difference(others):
                    child.kill()
                wait([trial])
        try:
            return trial.result()
        except BrokenProcessPool as error:
            if time.monotonic() > ends:
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
"""How many updates were tried, shared with the process that waits; None if nobody does."""


def _share(done: Any) -> None:
    global _done
    _done = done


def _count(number: int, _: int) -> None:
    if _done is not None:
        _done.value = number


def tried(kind: str, settings: RunSettings) -> Estimate:
    """Try a few updates of a run in this process, whose memory nothing else has used; see above."""
    from longsum.models.training.run_seq2seq import run_for

    run = run_for(kind)
    clock = _Clock()
    with TemporaryDirectory() as folder:
        started = _started(run, settings, folder)
        trainer = run.trainer(started)
        trainer.order = cast(UpdateOrder, TriedUpdates(trainer.order, _lengths(trainer)))
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
        # The folder of one is that of others, which may still read it.
        own = (*clock.means(), measured, saved, float(peak_memory()))
        taken = gather_object([own])
        leave()
    wall, computed, measured, saved, memory = map(max, zip(*taken, strict=True))
    training = settings.training
    larger = training.accumulate / min(_ACCUMULATED, training.accumulate)
    return Estimate(
        parameters=parameters,
        timed=clock.timed,
        updates=training.steps,
        seconds_per_update=wall * larger,
        computed_per_update=computed * larger,
        measurements=training.steps // settings.evaluate_every + 1,
        seconds_per_measurement=measured,
        checkpoints=-(-training.steps // int(started.arguments.save_steps)),
        seconds_per_checkpoint=saved,
        memory=int(memory),
        device=_device(),
        processes=len(taken),
    )


def _started(
    run: Run[Any, Any, Any, Any], settings: RunSettings, own: str
) -> Started[Any, Any, Any, Any]:
    data, training = (
        settings.data,
        replace(
            settings.training,
            steps=_UNTIMED + TIMED,
            accumulate=min(_ACCUMULATED, settings.training.accumulate),
        ),
    )
    if data.prepared is None:
        few = min(_DOCUMENTS, data.limit or _DOCUMENTS)
        measured = min(_MEASURED, data.validation_limit or _MEASURED)
        data = replace(data, limit=few, validation_limit=measured)
    few_written: dict[str, Any] = {}
    if written := getattr(settings, "rouge_documents", 0):
        few_written = {"rouge_documents": min(_WRITTEN, written)}
    trial = replace(settings, data=data, training=training, **few_written)
    arguments = training_arguments(
        Path(own) / CHECKPOINTS,
        training,
        save_every=settings.save_every,
        evaluate_every=settings.evaluate_every,
        best=run.best(settings),
    )
    # Both are done apart.
    arguments.save_strategy = SaveStrategy.NO
    arguments.eval_strategy = IntervalStrategy.NO
    arguments.load_best_model_at_end = False
    # The processes of a machine share a folder, as those of a run do.
    folders = gather_object([(platform.node(), own)])
    folder = Path(next(path for machine, path in folders if machine == platform.node()))
    arguments.output_dir = str(folder / CHECKPOINTS)
    set_seed(training.seed)
    cache = PreparedCache(data, folder / PREPARED, lambda _: None)
    with arguments.main_process_first(local=True):
        prepared = run.prepare(trial, cache)
    model = run.model(trial, prepared.tokens)
    return Started(trial, prepared, model, arguments, folder / METRICS, cache)


class TriedUpdates(Sampler[int]):
    """Draws the two largest of many updates, and then some of all sizes, evenly spaced."""

    def __init__(self, order: UpdateOrder, lengths: Sequence[int]) -> None:
        enough = -(-TIMED // order.updates)
        updates = np.concatenate([order.epoch(number) for number in range(enough)])
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


def _lengths(trainer: LengthGroupedTrainer) -> Sequence[int]:
    return cast(Lengths, trainer.train_dataset).lengths()


def _seconds_of_measurement(
    trainer: LengthGroupedTrainer, started: Started[Any, Any, Any, Any], settings: RunSettings
) -> float:
    """Return how long the run will measure each time, from a measurement on a few documents."""
    writing = 0.0
    extra = trainer.extra_metrics

    def timed() -> dict[str, float]:
        nonlocal writing
        begun = _now()
        found = extra()
        writing = _now() - begun
        return found

    trainer.extra_metrics = timed  # type: ignore[method-assign]
    begun = _now()
    trainer.evaluate()
    reading = _now() - begun - writing
    documents = _validation_documents(settings.data)
    found = documents * reading / _validation_documents(started.settings.data)
    if written := getattr(settings, "rouge_documents", 0):
        found += min(documents, written) * writing / started.settings.rouge_documents
    return found


class _Clock(TrainerCallback):
    """Times updates, from the end of one to the end of the next: making batches is included."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._times: list[tuple[float, float]] = []

    @property
    def timed(self) -> int:
        """How many updates were timed."""
        return max(len(self._times) - 1 - _UNTIMED, 0)

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Take the time, by the clock and of computation."""
        self._times.append((_now(), time.process_time()))

    def on_step_end(self, args: Any, state: Any, control: TrainerControl, **_: Any) -> None:
        """Take the time, and end the trial where it takes too long."""
        self.on_train_begin()
        # Several processes take the same number of updates.
        if args.world_size == 1 and time.monotonic() - self._begun > _PATIENCE:
            control.should_training_stop = True
        del state

    def means(self) -> tuple[float, float]:
        """Return the mean seconds of the timed updates, by the clock and of computation."""
        taken = np.diff(np.array(self._times), axis=0)
        timed = taken[_UNTIMED:] if self.timed else taken[-1:]
        wall, computed = timed.mean(axis=0).tolist()
        return wall, computed


def _now() -> float:
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter()


def _validation_documents(data: DataConfig) -> int:
    """Return how many documents a measurement has."""
    parts = parts_of(data, "validation")
    return sum(1 for part in parts for _ in load(part.name, part.split, limit=part.limit))


def peak_memory() -> int:
    """Return the most memory that this process has had: on its device if that is a GPU."""
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    with suppress(OSError):
        # `getrusage` also counts the process that this one was begun by.
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
