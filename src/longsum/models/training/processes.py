"""The processes of a run, as torchrun or `accelerate launch` starts them.

Where weights are divided among them, each holds a part, and gathers layers as it needs them (FSDP2;
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
    """Refuse to run where `accelerate launch` is to divide the model among processes."""
    if os.environ.get("ACCELERATE_USE_FSDP", "false").lower() in ("1", "true"):
        raise LongsumError(
            "longsum divides its models itself; leave FSDP out of accelerate's settings "
            "(--use_fsdp), and set training.sharding=full."
        )


def is_first_process() -> bool:
    """Tell whether this process is the one of a run that speaks for all."""
    return os.environ.get("RANK", "0") == "0"


def shares(settings: OptimizationConfig, began: int, processes: int) -> tuple[int, int]:
    """Return the examples of a batch, and the batches of an update, of each process.

    An update of a resumed run has as many examples as at the beginning, so batches may become
    smaller, and more or fewer of them make an update.

    The run began with `began` processes.

    Raises:
        LongsumError: So many processes cannot share an update evenly.
    """
    examples = settings.batch * settings.accumulate * began
    own, rest = divmod(examples, processes)
    if rest:
        raise LongsumError(
            f"The updates of this run have {counted(examples, 'example')}, which {processes} "
            "processes cannot share evenly; resume it with a number of processes that divides them."
        )
    batch = max(size for size in range(1, settings.batch + 1) if own % size == 0)
    return batch, own // batch


def leave() -> None:
    """Close the group of processes: those that leave with their group open abort."""
    if dist.is_initialized():
        dist.destroy_process_group()


def shard(model: nn.Module, device: torch.device, whole: Collection[nn.Module] = ()) -> None:
    """Divide the weights of a model among all processes, in place.

    What each layer holds is gathered while the layer runs; all other weights while the model does.
    Layers are the classes that the model names as `_no_split_modules`, except for those that share
    weights with anything else, such as a decoder with an encoder: these stay with the rest.

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
    holders = Counter(id(each) for layer in layers for each in layer.parameters())
    holders.update(id(each) for part in rest for each in part.parameters(recurse=False))
    holders.update(id(each) for part in whole for each in part.parameters())
    return [layer for layer in layers if all(holders[id(each)] == 1 for each in layer.parameters())]


def is_sharded(model: nn.Module) -> bool:
    """Tell whether the weights of a model are divided."""
    return isinstance(model, FSDPModule)


@contextmanager
def gathered(model: nn.Module) -> Iterator[None]:
    """Have all weights of a model whole within the `with`, for what does not call it as a whole."""
    parts = [part for part in model.modules() if isinstance(part, FSDPModule)]
    for part in parts:
        part.unshard()
    try:
        yield
    finally:
        release(model)


def release(model: nn.Module) -> None:
    """Give back what was gathered of the others' weights."""
    for part in model.modules():
        if isinstance(part, FSDPModule):
            part.reshard()


def join(model: nn.Module, keep: bool) -> None:
    """Make a divided model whole again, on the CPU; it is no longer to be trained.

    All processes call this, since each sends its parts.

    Args:
        model: The model.
        keep: Whether this process is to have it; the model of any other is of no use afterwards.
    """
    release(model)
    made: dict[int, nn.Parameter] = {}
    for module in model.modules():
        for name, weight in list(module.named_parameters(recurse=False)):
            if not isinstance(weight, DTensor):
                continue
            if id(weight) not in made:
                full: Tensor = weight.full_tensor().detach()
                values = full.cpu() if keep else full.new_empty(0)
                made[id(weight)] = nn.Parameter(values, requires_grad=weight.requires_grad)
            setattr(module, name, made[id(weight)])
        if isinstance(module, FSDPModule):
            # `fully_shard` put a class before the module's own, whose name would be saved.
            module.__class__ = type(module).__mro__[2]
