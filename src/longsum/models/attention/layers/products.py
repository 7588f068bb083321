"""Matrix products on the CPU, by whichever of PyTorch's two libraries is faster there.

PyTorch multiplies fp32 matrices with MKL. Its CPU build holds oneDNN too, which bf16 goes through
by default. On AMD processors oneDNN takes 0.37 to 0.52 of MKL's time in fp32, for 4 rows as for
8,192, and differs from a product in fp64 by less than 1e-6 of the largest element. No public switch
chooses it without allowing a coarser precision, so this calls the operator that PyTorch's own
compiler calls, on such processors and once it has shown that it is there and equal. It has no
gradient: where one is needed, and for all other types and devices, the product is PyTorch's own.
So it is for a weight that is a view with gaps: oneDNN reads that number by number, and takes a
thousand times as long.

The processor's maker decides and no clock: the two libraries differ in the last bits, and a machine
that is busy would choose now one and now the other.
"""

import platform
from functools import cache
from pathlib import Path

import torch
from torch import Tensor

# Below so many multiplications the operator's own 10 µs outweigh what it saves.
WORTHWHILE = 2**20
TOLERANCE = 1e-5


def linear(states: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Multiply by a weight: `states @ weight.T + bias`, in the precision of the inputs.

    Args:
        states: `[…, in]`.
        weight: `[out, in]`.
        bias: `[out]`, or None.

    Returns:
        `[…, out]`.
    """
    if _fits(states, weight, bias) and onednn_is_better():
        # The operator would copy states that are a view itself, layout by layout at its own pace.
        return _onednn(states.contiguous(), weight, bias)
    return torch.nn.functional.linear(states, weight, bias)


@cache
def onednn_is_better() -> bool:
    """Tell whether oneDNN's product is there, equal and faster; found out once a process."""
    if "AuthenticAMD" not in _processor():
        return False
    generator = torch.Generator().manual_seed(0)
    states = torch.randn(256, 1024, generator=generator)
    weight, bias = torch.randn(1024, 1024, generator=generator), torch.ones(1024)
    with torch.no_grad():
        expected = torch.nn.functional.linear(states, weight, bias)
        try:
            found = _onednn(states, weight, bias)
        except (AttributeError, RuntimeError):
            return False
    # A NaN fails this too.
    return bool((found - expected).abs().amax() <= TOLERANCE * expected.abs().amax())


def _processor() -> str:
    """Return what the system says of the processor, its maker's name included."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except OSError:
        return platform.processor()


def _fits(states: Tensor, weight: Tensor, bias: Tensor | None) -> bool:
    """Tell whether the operator may take the product, and it is large enough to gain."""
    tensors = (states, weight) if bias is None else (states, weight, bias)
    return (
        not torch.compiler.is_compiling()
        and all(each.is_contiguous() for each in tensors[1:])
        and states.numel() * weight.shape[0] >= WORTHWHILE
        and all(each.dtype == torch.float32 and each.device.type == "cpu" for each in tensors)
        and not (torch.is_grad_enabled() and any(each.requires_grad for each in tensors))
        and not torch.is_autocast_enabled("cpu")
        and bool(torch.backends.mkldnn.enabled)
    )


def _onednn(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    found: Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return found
