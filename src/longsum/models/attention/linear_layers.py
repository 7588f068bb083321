"""Products and layers that attentions and networks are built from.

Matrix products on the CPU use whichever of PyTorch's two libraries is faster there. PyTorch
multiplies fp32 matrices with MKL. Its CPU build also contains oneDNN, which is the default for
bf16. On AMD processors oneDNN takes 0.37 to 0.52 of MKL's time in fp32, for 4 rows as well as for
8,192, and differs from a product in fp64 by less than 1e-6 of the largest element. No public switch
selects it without allowing a coarser precision, so this calls the operator that PyTorch's own
compiler calls, on such processors, after checking that it exists and gives equal results. It has no
gradient: where one is needed, and for all other types and devices, the product is PyTorch's own.
The same holds for a weight that is a view with gaps, which oneDNN reads number by number, taking a
thousand times as long.

The choice depends on the processor's vendor, not on timing: the two libraries differ in the last
bits, and a busy machine would choose now one and now the other.
"""

import platform
from functools import cache
from pathlib import Path
from typing import TypeGuard

import torch
from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from longsum.common.errors import LongsumError

# Below so many multiplications the operator's own 10 µs outweigh what it saves.
WORTHWHILE = 2**20
# Relative to the largest result; rounding in fp32 over 1,024 products makes √1024·2⁻²⁴ = 2e-6.
TOLERANCE = 1e-5


def linear(states: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Multiply by a weight: `states @ weight.T + bias`, `[…, out]`, in the precision of the inputs.

    Args:
        states: `[…, in]`.
        weight: `[out, in]`.
        bias: `[out]`, or None.
    """
    if _fits(states, weight, bias) and onednn_is_better():
        # The operator would copy states that are a view itself, and slowly.
        return _onednn(states.contiguous(), weight, bias)
    return torch.nn.functional.linear(states, weight, bias)


@cache
def onednn_is_better() -> bool:
    """Tell whether oneDNN's product exists, is equal and faster; checked once per process."""
    if "AuthenticAMD" not in processor():
        return False
    generator = torch.Generator().manual_seed(0)
    states = torch.randn(256, 1024, generator=generator)
    weight, bias = torch.randn(1024, 1024, generator=generator), torch.ones(1024)
    with torch.no_grad():
        expected = torch.nn.functional.linear(states, weight, bias)
        try:
            product = _onednn(states, weight, bias)
        except (AttributeError, RuntimeError):
            return False
    # A NaN fails this too.
    return bool((product - expected).abs().amax() <= TOLERANCE * expected.abs().amax())


def processor() -> str:
    """Return the system's description of the processor, including its vendor."""
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except OSError:
        return platform.processor()


def _fits(states: Tensor, weight: Tensor, bias: Tensor | None) -> bool:
    """Tell whether the operator can compute the product, and it is large enough to gain."""
    tensors = (states, weight) if bias is None else (states, weight, bias)
    return (
        not torch.compiler.is_compiling()
        and all(tensor.is_contiguous() for tensor in tensors[1:])
        and states.numel() * weight.shape[0] >= WORTHWHILE
        and all(tensor.dtype == torch.float32 and tensor.device.type == "cpu" for tensor in tensors)
        and not (torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors))
        and not torch.is_autocast_enabled("cpu")
        and bool(torch.backends.mkldnn.enabled)
    )


def _onednn(states: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")
    return product


# Some products bypass their layers: they take only the rows of some heads (`FoldedSource.project`),
# carry a few queries through the weight of the keys (`GlobalQueries`), or go to the faster of two
# libraries (`linear`). They would also bypass whatever has been attached there: an adapter (PEFT),
# a hook, a parametrization, a quantized weight, or a weight that is kept elsewhere until its layer
# runs (offloading by `accelerate`). So a layer's weight is read only if `is_plain` says that there
# is nothing of the kind, and otherwise the layer is called.

_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")


def is_plain(layer: nn.Module) -> TypeGuard[nn.Linear]:
    """Tell whether a layer does nothing but multiply by its weight and add its bias.

    Subclasses of `nn.Linear` (quantized and parametrized layers) and of its parameters (quantized
    and distributed weights) do not count as plain layers, nor do layers whose weight is currently
    elsewhere.
    """
    if type(layer) is not nn.Linear:
        return False
    fields = vars(layer)
    if "forward" in fields or any(fields[hooks] for hooks in _HOOKS) or _has_any_global_hook():  # type: ignore[no-untyped-call]
        return False
    weight, bias = fields["_parameters"].get("weight"), fields["_parameters"].get("bias")
    return all(
        type(parameter) is nn.Parameter and not parameter.is_meta
        for parameter in ((weight,) if bias is None else (weight, bias))
    )


def project(layer: nn.Module, states: Tensor) -> Tensor:
    """Apply a linear layer to states, by the faster library if the layer is plain.

    The states are `[…, in]`, and the result `[…, out]`.
    """
    if is_plain(layer):
        return linear(states, layer.weight, layer.bias)
    result: Tensor = layer(states)
    return result


class SequenceProjection(nn.Module):
    """Mixes a sequence of up to n tokens into k: k · n new parameters (HEPOS, Table 1: O(n)).

    Args:
        tokens: The longest sequence, n, whose positions the projection knows.
        projected: Number of mixtures, the paper's k.
    """

    def __init__(self, tokens: int, projected: int) -> None:
        super().__init__()
        self.projection = nn.Parameter(torch.empty(projected, tokens))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the projection so that a mixture is about as large as a token."""
        nn.init.normal_(self.projection, std=self.projection.shape[1] ** -0.5)

    def columns(self, tokens: int) -> Tensor:
        """Return the part of the projection for a number of positions, `[k, tokens]`.

        Raises:
            LongsumError: They are more than the projection knows.
        """
        longest = self.projection.shape[1]
        if tokens > longest:
            raise LongsumError(
                f"Linformer was made for {longest} tokens and got {tokens}; shorten the source or "
                "make it for more."
            )
        return self.projection[:, :tokens]


def split_heads(states: Tensor, heads: int) -> Tensor:
    """Lay out `[b, n, h · d]` as `[b, h, n, d]`."""
    return states.view(*states.shape[:-1], heads, -1).transpose(1, 2)


def merge_heads(states: Tensor) -> Tensor:
    """Lay out `[b, h, n, d]` as `[b, n, h · d]`."""
    return states.transpose(1, 2).flatten(2)
