"""What a training run will take, measured on a few of its updates before it starts."""

import resource
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import torch
from transformers import PrinterCallback, TrainerCallback, set_seed
from transformers.trainer_utils import SaveStrategy

from longsum.datasets import load
from longsum.training.documents import parts_of
from longsum.training.frame import METRICS, PREPARED, Run, Started
from longsum.training.prepared_cache import PreparedCache
from longsum.training.run_settings import DataConfig, RunSettings
from longsum.training.trainer import training_arguments
from longsum.wording import counted

UPDATES = 10
"""Updates that are tried. The first two are not timed: they include what happens once, and where
batches are grouped by length, the first is the longest."""

_UNTIMED = 2
_DOCUMENTS = 1000
_MEASURED = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run will take on this machine and device.

    Attributes:
        parameters: Weights of the model.
        updates: Updates of the run.
        seconds_per_update: Mean seconds of an update.
        measurements: How often validation data are measured.
        seconds_per_measurement: Seconds of one measurement; without ROUGE or other metrics for
            which something is generated.
        memory: Peak memory in bytes: of the device if it is a GPU, otherwise of the process.
        device: Where it was tried.
    """

    parameters: int
    updates: int
    seconds_per_update: float
    measurements: int
    seconds_per_measurement: float
    memory: int
    device: str

    @property
    def seconds(self) -> float:
        """Seconds of the run, without the preparation of its data."""
        measured = self.measurements * self.seconds_per_measurement
        return self.updates * self.seconds_per_update + measured

    @property
    def told(self) -> list[str]:
        """The same in lines."""
        return [
            f"{self.parameters:,} parameters on {self.device}",
            f"{counted(self.updates, 'update')} of {self.seconds_per_update:.2f} s",
            f"{counted(self.measurements, 'measurement')} of {self.seconds_per_measurement:.1f} s",
            f"{_duration(self.seconds)} in all, without the preparation of the data",
            f"{self.memory / 1e9:.2f} GB of memory at the peak",
        ]


def estimate(run: Run[Any, Any, Any, Any], settings: RunSettings) -> Estimate:
    """Try a few updates of a run and measure them; nothing is kept.

    Where the settings name no folder of prepared data (`data.prepared`), only the first documents
    are prepared, and a vocabulary that is learned may be smaller than the run's.

    Args:
        run: The kind of run.
        settings: Its settings.

    Raises:
        LongsumError: As `Run.train`.
    """
    run.check(settings)
    with TemporaryDirectory() as folder:
        started = _started(run, settings, Path(folder))
        trainer = run.trainer(started)
        clock = _Clock()
        trainer.add_callback(clock)
        # It prints losses, which mean nothing here.
        trainer.remove_callback(PrinterCallback)
        trainer.train()
        begun = time.perf_counter()
        trainer.evaluate()
        measured = (time.perf_counter() - begun) / len(started.data.validation)
        parameters = started.model.num_parameters()
    return Estimate(
        parameters=parameters,
        updates=settings.training.steps,
        seconds_per_update=fmean(clock.seconds[_UNTIMED:]),
        measurements=settings.training.steps // settings.evaluate_every + 1,
        seconds_per_measurement=measured * _validation_documents(settings.data),
        memory=_peak(),
        device=_device(),
    )


def _started(
    run: Run[Any, Any, Any, Any], settings: RunSettings, folder: Path
) -> Started[Any, Any, Any, Any]:
    data, training = settings.data, replace(settings.training, steps=UPDATES)
    if data.prepared is None:
        few = min(_DOCUMENTS, data.limit or _DOCUMENTS)
        measured = min(_MEASURED, data.validation_limit or _MEASURED)
        data = replace(data, limit=few, validation_limit=measured)
    tried = replace(settings, data=data, training=training, save_every=10**9, evaluate_every=10**9)
    arguments = training_arguments(
        folder / "checkpoints", training, save_every=10**9, evaluate_every=10**9
    )
    arguments.save_strategy = SaveStrategy.NO
    set_seed(training.seed)
    cache = PreparedCache(data, folder / PREPARED, lambda _: None)
    prepared = run.prepare(tried, cache)
    model = run.model(tried, prepared.tokens)
    return Started(tried, prepared, model, arguments, folder / METRICS, cache)


class _Clock(TrainerCallback):
    """Times updates, from the end of one to the end of the next: making batches is included."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._last = 0.0

    def on_train_begin(self, *_: Any, **__: Any) -> None:
        """Start the clock."""
        self._last = self._now()

    def on_step_end(self, *_: Any, **__: Any) -> None:
        """Take the time."""
        now = self._now()
        self.seconds.append(now - self._last)
        self._last = now

    def _now(self) -> float:
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return time.perf_counter()


def _validation_documents(data: DataConfig) -> int:
    """Return how many documents a measurement has."""
    parts = parts_of(data, "validation")
    return sum(1 for part in parts for _ in load(part.name, part.split, limit=part.limit))


def _peak() -> int:
    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak


def _device() -> str:
    if torch.cuda.is_available():
        return torch.cuda.get_device_name()
    return f"the CPU with {counted(torch.get_num_threads(), 'thread')}"


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    if minutes < 2:
        return f"{seconds:.0f} seconds"
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"
