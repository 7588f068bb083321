"""The processes of a run, as torchrun or `accelerate launch` starts them."""

import os

import torch.distributed as dist

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.models.training.run_settings import OptimizationConfig


def check_launch() -> None:
    """Check that nothing else divides the model among processes.

    Raises:
        LongsumError: `accelerate launch` is to.
    """
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

    Args:
        settings: The settings.
        began: Number of processes that the run began with.
        processes: Number of processes now.

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
