"""Linear layers whose weights are laid out for decoding, while a text is generated.

A decoding step multiplies a few rows by every weight of the decoder, and takes as long as reading
these. oneDNN reads a weight in its own layout faster than one in rows (docs/results/speed.md). So a
packed layer replaces a plain one while a generation runs, and computes the same up to the last
bits, as any two libraries do.

A weight is never in memory twice for longer than it takes to pack it. One that something else
refers to (an optimizer, a state dict, another layer) would be, so it stays plain, and training is
not affected. Whatever calls the model meanwhile, from other threads too, gets the same results, and
a state dict has the plain weights. Only `parameters()` lacks packed weights.
"""

import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

from longsum.models.attention.linear_layers import TOLERANCE, WORTHWHILE, is_plain, processor

WORTHWHILE_STEPS = 64
"""Packing and unpacking a weight takes as long as some thirty steps save."""
# For a single row in fp32, PyTorch's code for vectors is faster.
_FEWEST_ROWS = 2

_lock = threading.Lock()
_generations: "weakref.WeakKeyDictionary[nn.Module, _Generations]" = weakref.WeakKeyDictionary()


class PackedLinear(nn.Module):
    """A plain layer with a packed weight.

    Args:
        layer: The plain layer. It is not changed, and its weight is not kept.
        rows: The number of rows it is packed for; it accepts any number.
    """

    def __init__(self, layer: nn.Linear, rows: int) -> None:
        super().__init__()
        self.bias = layer.bias
        self.training = layer.training
        weight = layer.weight
        self._layer = {name: value for name, value in vars(layer).items() if name != "_parameters"}
        self._weight = vars(weight).copy(), weight.requires_grad
        with torch.inference_mode(mode=False), torch.no_grad():
            self._packed = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), rows)

    def forward(self, states: Tensor) -> Tensor:
        """Return the product, `[…, in]` to `[…, out]`; as a plain layer if the operator cannot."""
        plain = (
            torch.is_grad_enabled()
            or torch.is_autocast_enabled("cpu")
            or states.dtype != self._packed.dtype
            or not states.numel()
        )
        if plain:
            return nn.functional.linear(states, self._packed.to_dense(), self.bias)
        return _product(states.contiguous(), self._packed, self.bias)

    def unpacked(self, weight: nn.Parameter | None = None) -> nn.Linear:
        """Return the plain layer as it was, with its weight if that still exists."""
        if weight is None:
            attributes, learns = self._weight
            with torch.inference_mode(mode=False), torch.no_grad():
                weight = nn.Parameter(self._packed.to_dense(), learns)
            vars(weight).update(attributes)
        layer = nn.Linear.__new__(nn.Linear)
        vars(layer).update(self._layer, _parameters={"weight": weight, "bias": self.bias})
        return layer

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        destination[prefix + "weight"] = self._packed.to_dense()
        super()._save_to_state_dict(destination, prefix, keep_vars)


class _Generations:
    """The running generations of a model, and the layers packed for them."""

    def __init__(self) -> None:
        self.running = 0
        self.packed: list[tuple[nn.Module, str]] = []


@contextmanager
def generating(model: nn.Module) -> Iterator[None]:
    """Let a model generate; when the last of its generations ends, its layers are plain again."""
    with _lock:
        ours = _generations.setdefault(model, _Generations())
        ours.running += 1
    try:
        yield
    finally:
        with _lock:
            ours.running -= 1
            while not ours.running and ours.packed:
                parent, name = ours.packed.pop()
                setattr(parent, name, getattr(parent, name).unpacked())


def pack(model: nn.Module, layers: Sequence[tuple[nn.Module, str]], rows: int, steps: int) -> None:
    """Pack the layers of a model that gain from it, if one of its generations runs.

    Args:
        model: The model.
        layers: The layers that a step multiplies by: for each its parent, and its name there.
        rows: Number of rows that a step multiplies.
        steps: Maximum number of steps.
    """
    if steps < WORTHWHILE_STEPS or rows < _FEWEST_ROWS or _is_called_otherwise(model):
        return
    with _lock:
        ours = _generations.get(model)
        if ours is None or not ours.running or ours.packed:
            return
        for parent, name in layers:
            if _gains(getattr(parent, name)):
                if not _replace(parent, name, rows):
                    return
                ours.packed.append((parent, name))


def _is_called_otherwise(model: nn.Module) -> bool:
    """Tell whether a compiler or hook calls a part of the model, or a gradient may be needed."""
    return (
        torch.is_grad_enabled()
        or torch.is_autocast_enabled("cpu")
        or not torch.backends.mkldnn.enabled
        or any({"forward", "_compiled_call_impl"} & vars(part).keys() for part in model.modules())
    )


def _gains(layer: nn.Module) -> bool:
    if not is_plain(layer):
        return False
    weight = layer.weight
    return (
        weight.device.type == "cpu"
        and weight.numel() * _FEWEST_ROWS >= WORTHWHILE
        # Elsewhere plain weights in bf16 are read nearly as fast.
        and (weight.dtype == torch.float32 or "AuthenticAMD" in processor())
        and weight.is_contiguous()
        and weight.grad is None
        and not weight._backward_hooks
        and _packs(weight.dtype)
        and _uses(weight) == _uses(torch.empty(1))
    )


def _uses(weight: Tensor) -> int:
    """Return how many tensors share a tensor's memory, including the given one."""
    return int(torch._C._storage_Use_Count(weight.untyped_storage()._cdata))


def _replace(parent: nn.Module, name: str, rows: int) -> bool:
    """Replace a plain layer by a packed one, unless something else refers to it."""
    layer = getattr(parent, name)
    packed = PackedLinear(layer, rows)
    original, weight = weakref.ref(layer), weakref.ref(layer.weight)
    setattr(parent, name, packed)
    del layer
    if weight() is None:
        return True
    setattr(parent, name, original() or packed.unpacked(weight()))
    return False


@cache
def _packs(dtype: torch.dtype) -> bool:
    """Tell whether weights of a type can be packed and restored correctly; checked once."""
    counts = hasattr(torch._C, "_storage_Use_Count")
    if dtype not in (torch.float32, torch.bfloat16) or not counts:
        return False
    generator = torch.Generator().manual_seed(0)
    states, weight = (torch.randn(size, 1000, generator=generator).to(dtype) for size in (4, 1000))
    with torch.no_grad():
        expected = states @ weight.T
        try:
            packed = torch.ops.mkldnn._reorder_linear_weight(weight, len(states))
            product = _product(states, packed, None)
        except (AttributeError, RuntimeError):
            return False
        back = packed.to_dense()
    return torch.equal(back, weight) and bool(
        (product - expected).abs().amax() <= TOLERANCE * expected.abs().amax()
    )


def _product(states: Tensor, packed: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, packed, bias, "none", [], "")
    return product
