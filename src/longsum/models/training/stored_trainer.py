"""A trainer whose checkpoints any number of processes can resume."""

import json
import shutil
from pathlib import Path
from typing import Any, cast

from torch import nn
from torch.optim import Optimizer
from transformers import Trainer

from longsum.common.files import write_text
from longsum.models.training.checkpoints import (
    load_optimizer,
    load_weights,
    save_optimizer,
    save_weights,
)

_SCHEDULE = "schedule.json"


class StoredTrainer(Trainer):
    """A trainer that keeps weights and the optimizer's state as `training.checkpoints` does.

    What is random in a process, such as dropout, goes on where it was if as many processes resume
    the run, and begins anew otherwise.
    """

    def save_model(self, output_dir: str | None = None, _internal_call: bool = False) -> None:
        """Write the weights to a new checkpoint."""
        folder = Path(output_dir or cast(str, self.args.output_dir))
        # What was left when a process was killed.
        if self.is_world_process_zero() and folder.exists():
            shutil.rmtree(folder)
        self.accelerator.wait_for_everyone()
        save_weights(self.trained, folder)

    def _save_optimizer_and_scheduler(self, output_dir: str) -> None:
        save_optimizer(self.trained, self._inner_optimizer, Path(output_dir))
        if self.is_world_process_zero():
            state = json.dumps(cast(Any, self.lr_scheduler).state_dict())
            write_text(Path(output_dir) / _SCHEDULE, state)

    def _load_from_checkpoint(
        self,
        resume_from_checkpoint: str,
        model: nn.Module | None = None,  # noqa: ARG002
    ) -> None:
        load_weights(self.trained, Path(resume_from_checkpoint))

    def _load_best_model(self) -> None:
        self._load_from_checkpoint(cast(str, self.state.best_model_checkpoint))

    def _load_optimizer_and_scheduler(self, checkpoint: str | None) -> None:
        if checkpoint is None:
            return
        optimizer, schedule = self._inner_optimizer, cast(Any, self.lr_scheduler)
        load_optimizer(self.trained, optimizer, Path(checkpoint))
        schedule.load_state_dict(json.loads((Path(checkpoint) / _SCHEDULE).read_text("utf-8")))
        for group, rate in zip(optimizer.param_groups, schedule.get_last_lr(), strict=True):
            group["lr"] = rate

    @property
    def trained(self) -> nn.Module:
        """What is trained, without what distributes it."""
        return cast(nn.Module, self.model)

    @property
    def _inner_optimizer(self) -> Optimizer:
        """The optimizer within that of `accelerate`, which skips what it takes for accumulation."""
        return cast(Optimizer, getattr(self.optimizer, "optimizer", self.optimizer))
