"""The processes of a run, started by torchrun or `accelerate launch`.

If weights are divided among them, each holds a part and gathers layers as it needs them (FSDP2;
Zhao et al. 2023, PyTorch FSDP; Rajbhandari et al. 2020, ZeRO, stage 3).
"""

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.models.training.run_settings import OptimizationConfig


def check_launch() -> None:
    """Refuse to run if `accelerate launch` is set to divide the model among processes."""
    if os.environ.get("ACCELERATE_USE_FSDP", "false").lower() in ("1", "true"):
        raise LongsumError(
            "longsum divides its models itself; leave FSDP out of accelerate's settings "
            "(--use_fsdp), and set training.sharding=full."
        )


def is_first_process() -> bool:
    """Tell whether this process is the one that reports for all processes of a run."""
    return os.environ.get("RANK", "0") == "0"


def shares(settings: OptimizationConfig, began: int, processes: int) -> tuple[int, int]:
    """Return the examples per batch and the batches per update of each process.

    An update of a resumed run has as many examples as at the beginning, so batches may become
    smaller, and more or fewer of them make an update.

    The run began with `began` processes.

    Raises:
        LongsumError: So many processes cannot share an update evenly.
    """
    examples = settings.batch * settings.accumulate * began
    per_process, rest = divmod(examples, processes)
    if rest:
        raise LongsumError(
            f"The updates of this run have {counted(examples, 'example')}, which {processes} "
            "processes cannot share evenly; resume it with a number of processes that divides them."
        )
    batch = max(size for size in range(1, settings.batch + 1) if per_process % size == 0)
    return batch, per_process // batch


def leave() -> None:
    """Close the process group: a process that exits while it is open aborts."""
    if dist.is_initialized():
        dist.destroy_process_group()


def shard(model: nn.Module, device: torch.device, whole: Collection[nn.Module] = ()) -> None:
    """Divide the weights of a model among all processes, in place.

    The weights of a layer are gathered while the layer runs, all others while the model runs.
    Layers are modules of the classes in `_no_split_modules`, except those that share weights with
    others, as those of a decoder may with an encoder's: these stay with the rest.

    Args:
        model: The model, the same on all processes.
        device: The device of this process.
        whole: Modules whose weights are read outside of the layer that holds them.
    """
    mesh = init_device_mesh(device.type, (dist.get_world_size(),))
    for layer in _layers(model, whole):
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)


def _layers(model: nn.Module, whole: Collection[nn.Module]) -> list[nn.Module]:
    names = set(getattr(model, "_no_split_modules", None) or ())
    layers = [part for part in model.modules() if type(part).__name__ in names]
    inside = {id(part) for layer in layers for part in layer.modules()}
    rest = [part for part in model.modules() if id(part) not in inside]
    holders = Counter(id(weight) for layer in layers for weight in layer.parameters())
    holders.update(id(weight) for part in rest for weight in part.parameters(recurse=False))
    holders.update(id(weight) for part in whole for weight in part.parameters())
    return [
        layer for layer in layers if all(holders[id(weight)] == 1 for weight in layer.parameters())
    ]


def is_sharded(model: nn.Module) -> bool:
    """Tell whether the weights of a model are divided."""
    return isinstance(model, FSDPModule)


@contextmanager
def gathered(model: nn.Module) -> Iterator[None]:
    """Gather all weights of a model within the `with`, for code that calls only parts of it."""
    parts = [part for part in model.modules() if isinstance(part, FSDPModule)]
    for part in parts:
        part.unshard()
    try:
        yield
    finally:
        release(model)


def release(model: nn.Module) -> None:
    """Free the weights that were gathered from other processes."""
    for part in model.modules():
        if isinstance(part, FSDPModule):
            part.reshard()


def join(model: nn.Module, keep: bool) -> None:
    """Make a divided model whole again, on the CPU; it cannot be trained any more.

    All processes call this, since each sends its parts.

    Args:
        model: The model.
        keep: Whether this process keeps it; the models of the others are unusable afterwards.
    """
    release(model)
    joined: dict[int, nn.Parameter] = {}
    for module in model.modules():
        for name, weight in list(module.named_parameters(recurse=False)):
            if not isinstance(weight, DTensor):
                continue
            if id(weight) not in joined:
                full: Tensor = weight.full_tensor().detach()
                values = full.cpu() if keep else full.new_empty(0)
                joined[id(weight)] = nn.Parameter(values, requires_grad=weight.requires_grad)
            setattr(module, name, joined[id(weight)])
        if isinstance(module, FSDPModule):
            # `fully_shard` put its own class before the module's, and its name would be saved.
            module.__class__ = type(module).__mro__[2]
