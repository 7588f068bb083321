"""What a trainer reports while it runs: its progress, and a log of metrics."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerState

from longsum.common.files import append_text, write_text
from longsum.models.training.update_order import UpdateOrder


class StepProgress(TrainerCallback):
    """Reports the number of completed steps, and of all; a resumed run includes earlier ones.

    During a measurement it reports the number of batches measured so far, and of all.
    """

    def __init__(
        self, step: Callable[[int, int], None], measured: Callable[[int, int], None]
    ) -> None:
        self.step, self.measured = step, measured
        self._batches = 0

    def on_train_begin(self, args: Any, state: TrainerState, control: Any, **_: Any) -> None:  # noqa: ARG002
        """Report before the first step, and after each one."""
        if state.is_world_process_zero:
            self.step(state.global_step, state.max_steps)

    on_step_end = on_train_begin

    def on_prediction_step(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,
        control: Any,  # noqa: ARG002
        **loaders: Any,
    ) -> None:
        """Report after each measured batch."""
        self._batches += 1
        if state.is_world_process_zero:
            self.measured(self._batches, len(loaders["eval_dataloader"]))

    def on_evaluate(self, *_: Any, **__: Any) -> None:
        """Reset the count of batches."""
        self._batches = 0


class EpochStart(TrainerCallback):
    """Tells the order of updates which epoch begins or, in a resumed run, continues."""

    def __init__(self, order: UpdateOrder) -> None:
        self.order = order

    def on_epoch_begin(self, args: Any, state: TrainerState, control: Any, **_: Any) -> None:  # noqa: ARG002
        """Move the order to the epoch of the next update."""
        self.order.begin_at(state.global_step)


class MetricsLog(TrainerCallback):
    """Writes a line of JSON for each step that is logged; a resumed run continues the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_train_begin(self, args: Any, state: TrainerState, control: Any, **_: Any) -> None:  # noqa: ARG002
        """Drop what an interrupted run logged after its last checkpoint."""
        if state.is_world_process_zero and self.path.exists():
            lines = self.path.read_text(encoding="utf-8").splitlines()
            kept = [line for line in lines if json.loads(line)["step"] <= state.global_step]
            write_text(self.path, "".join(f"{line}\n" for line in kept))

    def on_log(
        self,
        args: Any,  # noqa: ARG002
        state: TrainerState,
        control: Any,  # noqa: ARG002
        logs: Mapping[str, float] | None = None,
        **_: Any,
    ) -> None:
        """Append a line."""
        if state.is_world_process_zero and logs:
            line = {"step": state.global_step, **logs}
            append_text(self.path, json.dumps(line) + "\n")
