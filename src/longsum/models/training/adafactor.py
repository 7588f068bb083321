"""Adafactor for weights that are divided among processes (Shazeer & Stern 2018)."""

import math
from collections.abc import Callable
from typing import Any, cast

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.tensor import DTensor, Shard, zeros
from transformers.optimization import Adafactor


class ShardedAdafactor(Adafactor):
    """Adafactor of `transformers`, for weights that are whole or divided by rows.

    For a divided weight, each process has the statistics of its own rows; the means of the columns
    and the sizes of updates are those of the whole weight, so that updates equal those of a single
    process. Learning rates are taken as given, and there is no first moment, as with
    `optim="adafactor"` of `TrainingArguments`.
    """

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> Any:
        """Update the weights that have a gradient; return what the closure returns."""
        divided = [
            (group, weight)
            for group in self.param_groups
            for weight in group["params"]
            if isinstance(weight, DTensor) and weight.grad is not None
        ]
        if not divided:
            return super().step(closure)
        loss = None if closure is None else closure()
        for group, weight in divided:
            state = self.state[weight]
            if not state:
                state.update(_first_state(weight))
            state["step"] += 1
            _update(weight, group, state)
        return loss


def _first_state(weight: DTensor) -> dict[str, Any]:
    """Return the statistics of a weight before its first update."""
    shape = weight.shape
    if weight.dim() < 2:
        return {"step": 0, "exp_avg_sq": _rows_of(shape, weight)}
    columns = torch.Size((*shape[:-2], shape[-1]))
    return {
        "step": 0,
        "exp_avg_sq_row": _rows_of(shape[:-1], weight),
        # Those of a matrix are means over the rows of all processes.
        "exp_avg_sq_col": (
            _rows_of(columns, weight)
            if weight.dim() > 2
            else torch.zeros(columns, device=weight.device)
        ),
    }


def _rows_of(shape: torch.Size, weight: DTensor) -> DTensor:
    """Return zeros, divided by rows among the processes as a weight is."""
    mesh = weight.device_mesh
    return zeros(shape, dtype=torch.float32, device_mesh=mesh, placements=[Shard(0)])


def _update(weight: DTensor, group: dict[str, Any], state: dict[str, Any]) -> None:
    """Update the rows of a weight that this process has (Algorithm 4, with a given rate)."""
    assert weight.grad is not None
    elements, among = weight.numel(), weight.device_mesh.get_group()
    rows, gradient = weight.to_local(), cast(DTensor, weight.grad).to_local().float()
    decay = 1.0 - math.pow(state["step"], group["decay_rate"])
    squares = gradient.square() + group["eps"][0]
    if weight.dim() < 2:
        mean = state["exp_avg_sq"].to_local()
        mean.mul_(decay).add_(squares, alpha=1 - decay)
        update = mean.rsqrt() * gradient
    else:
        row = state["exp_avg_sq_row"].to_local()
        row.mul_(decay).add_(squares.mean(dim=-1), alpha=1 - decay)
        if weight.dim() > 2:
            column = state["exp_avg_sq_col"].to_local()
            column.mul_(decay).add_(squares.mean(dim=-2), alpha=1 - decay)
            row_mean = row.mean(dim=-1, keepdim=True)
        else:
            column = state["exp_avg_sq_col"]
            sums = torch.cat([squares.sum(dim=0), row.sum()[None]])
            sums = _summed(sums, among) / weight.shape[0]
            column.mul_(decay).add_(sums[:-1], alpha=1 - decay)
            row_mean = sums[-1:]
        update = (row / row_mean).rsqrt().unsqueeze(-1) * column.rsqrt().unsqueeze(-2) * gradient
    size = (_summed(update.square().sum(), among) / elements).sqrt()
    update = update / (size / group["clip_threshold"]).clamp(min=1.0) * group["lr"]
    rows.mul_(1 - group["weight_decay"] * group["lr"]).sub_(update)


def _summed(values: Tensor, among: dist.ProcessGroup) -> Tensor:
    dist.all_reduce(values, group=among)
    return values
