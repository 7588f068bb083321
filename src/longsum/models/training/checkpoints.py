"""Checkpoints of runs: weights and the optimizer's state, for any number of processes.

Both are safetensors. Each process writes the parts that it holds, and reads those that it needs of
all that were written, so that a run can continue with more or fewer processes, and with its weights
divided or whole (`torch.distributed.checkpoint`).
"""

import json
import shutil
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.distributed.checkpoint.api import CheckpointException
from torch.distributed.checkpoint.hf_storage import (
    HuggingFaceStorageReader,
    HuggingFaceStorageWriter,
)
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save
from torch.optim import Optimizer
from transformers import Trainer
from transformers.trainer import TRAINER_STATE_NAME
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

from longsum.common.errors import LongsumError
from longsum.common.files import write_text

WEIGHTS = "weights"
OPTIMIZER = "optimizer"


def last_checkpoint(folder: Path) -> Path | None:
    """Return the last complete checkpoint in a folder; None if there is none.

    Raises:
        LongsumError: The last one was written by an earlier version, in another format.
    """
    # The state of the trainer is written last.
    complete = [
        path
        for path in folder.glob(f"{PREFIX_CHECKPOINT_DIR}-*")
        if (path / TRAINER_STATE_NAME).is_file()
    ]
    if not complete:
        return None
    last = max(complete, key=lambda path: int(path.name.rpartition("-")[2]))
    if not (last / WEIGHTS).is_dir():
        raise LongsumError(
            f"The checkpoint '{last}' is of an earlier version of longsum, which this one cannot "
            "resume; train in a new folder."
        )
    return last


def save_weights(model: nn.Module, folder: Path) -> None:
    """Write the weights of a model to a checkpoint; all processes call this."""
    _save(_weights(model), folder / WEIGHTS)


def load_weights(model: nn.Module, folder: Path) -> None:
    """Read the weights of a checkpoint into a model.

    Raises:
        LongsumError: They cannot be read, or are those of another model.
    """
    _load(_weights(model), folder / WEIGHTS)


def save_optimizer(model: nn.Module, optimizer: Optimizer, folder: Path) -> None:
    """Write the state of an optimizer to a checkpoint; all processes call this."""
    state = {
        name: torch.as_tensor(weight_state[key])
        for name, weight_state, key in _entries(model, optimizer)
    }
    _save(state, folder / OPTIMIZER)


def load_optimizer(model: nn.Module, optimizer: Optimizer, folder: Path) -> None:
    """Read the state of an optimizer from a checkpoint; learning rates are the schedule's.

    Raises:
        LongsumError: It cannot be read.
    """
    path = folder / OPTIMIZER
    _create_state(optimizer)
    stored = HuggingFaceStorageReader(str(path)).read_metadata().state_dict_metadata
    entries = [entry for entry in _entries(model, optimizer) if entry[0] in stored]
    state = {name: torch.as_tensor(weight_state[key]) for name, weight_state, key in entries}
    _load(state, path)
    for name, weight_state, key in entries:
        if not isinstance(weight_state[key], Tensor):
            weight_state[key] = type(weight_state[key])(state[name].item())
    known = {id(weight_state) for _, weight_state, _ in entries}
    for weight_state in optimizer.state.values():
        if id(weight_state) not in known:
            # The weight has not had a gradient yet.
            weight_state.clear()


def _weights(model: nn.Module) -> dict[str, Tensor]:
    """Return the weights and buffers of a model, each of those with several names only once."""
    once: dict[int, tuple[str, Tensor]] = {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        once.setdefault(id(tensor), (name, tensor.detach()))
    return dict(once.values())


def _entries(model: nn.Module, optimizer: Optimizer) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield each entry of an optimizer's state: its name, the dict that holds it, and its key."""
    names = {id(weight): name for name, weight in model.named_parameters()}
    for weight, weight_state in optimizer.state.items():
        for key in weight_state:
            yield f"{names[id(weight)]}/{key}", weight_state, key


def _create_state(optimizer: Optimizer) -> None:
    """Let an optimizer create the state of its first update, without changing any weight."""
    rates = [group["lr"] for group in optimizer.param_groups]
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    for group in optimizer.param_groups:
        group["lr"] = 0.0
    for weight in weights:
        weight.grad = torch.zeros_like(weight)
    optimizer.step()
    optimizer.zero_grad()
    for group, rate in zip(optimizer.param_groups, rates, strict=True):
        group["lr"] = rate


def _save(state: dict[str, Tensor], folder: Path) -> None:
    writer = HuggingFaceStorageWriter(str(folder), save_distributed=True)
    _all_together(save, state, storage_writer=writer)


def _load(state: dict[str, Tensor], folder: Path) -> None:
    try:
        reader = HuggingFaceStorageReader(str(folder))
        _all_together(load, state, storage_reader=reader)
    # Several libraries read it, each with its own errors.
    except (Exception, CheckpointException) as error:
        raise LongsumError(
            f"The checkpoint '{folder.parent}' cannot be read ({type(error).__name__}); delete it "
            "to resume from the one before."
        ) from error


def _all_together(act: Callable[..., Any], state: dict[str, Tensor], **how: Any) -> None:
    """Save or load together with all other processes, if there are any."""
    with warnings.catch_warnings():
        # It warns if there is only one process.
        warnings.filterwarnings("ignore", "torch.distributed is disabled", UserWarning)
        act(state, **how)


_SCHEDULE = "schedule.json"


class StoredTrainer(Trainer):
    """A trainer that keeps weights and the optimizer's state as `training.checkpoints` does.

    The random state of each process, such as that of dropout, continues if the same number of
    processes resume the run, and begins anew otherwise.
    """

    def save_model(self, output_dir: str | None = None, _internal_call: bool = False) -> None:
        """Write the weights to a new checkpoint."""
        folder = Path(output_dir or cast(str, self.args.output_dir))
        # What a killed process left behind.
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
        """The trained model, without a wrapper that distributes it."""
        return cast(nn.Module, self.model)

    @property
    def _inner_optimizer(self) -> Optimizer:
        """The optimizer within `accelerate`'s, which skips steps that it takes for accumulation."""
        return cast(Optimizer, getattr(self.optimizer, "optimizer", self.optimizer))
