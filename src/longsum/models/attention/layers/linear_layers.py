"""Linear layers that are passed by, and projections of sequences."""

from typing import TypeGuard

import torch
from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from longsum.common.errors import LongsumError
from longsum.models.attention.layers.products import linear

# Some products go past their layers: they take only the rows of some heads
# (`FoldedSource.project`), carry a few queries through the weight of the keys (`GlobalQueries`), or
# go to the faster of two libraries (`longsum.models.attention.layers.products`). They would also go
# past whatever has been put there: an adapter (PEFT), a hook, a parametrization, a quantized
# weight, or a weight that is kept elsewhere until its layer runs (offloading by `accelerate`). So a
# layer's weight is read only where `is_plain` says that nothing of the kind is there, and otherwise
# the layer is called.

_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")


def is_plain(layer: nn.Module) -> TypeGuard[nn.Linear]:
    """Tell whether a layer does nothing but multiply by its weight and add its bias.

    Subclasses of `nn.Linear` (quantized and parametrized layers) and of its parameters (quantized
    and distributed weights) count as no plain layers, and neither do layers whose weight is not
    there at the moment.
    """
    if type(layer) is not nn.Linear:
        return False
    own = vars(layer)
    if "forward" in own or any(own[hooks] for hooks in _HOOKS) or _has_any_global_hook():  # type: ignore[no-untyped-call]
        return False
    weight, bias = own["_parameters"].get("weight"), own["_parameters"].get("bias")
    return all(
        type(held) is nn.Parameter and not held.is_meta
        for held in ((weight,) if bias is None else (weight, bias))
    )


def project(layer: nn.Module, states: Tensor) -> Tensor:
    """Return what a linear layer makes of states, by the faster library where it is a plain one.

    Args:
        layer: A linear layer, or what stands in its place.
        states: `[…, in]`.

    Returns:
        `[…, out]`.
    """
    if is_plain(layer):
        return linear(states, layer.weight, layer.bias)
    found: Tensor = layer(states)
    return found


class SequenceProjection(nn.Module):
    """Mixes a sequence of up to n tokens to k: k · n new parameters (HEPOS, Table 1: O(n)).

    Args:
        tokens: The longest sequence, n, whose positions the projection knows.
        projected: Number of mixtures, the paper's k.
    """

    def __init__(self, tokens: int, projected: int) -> None:
        super().__init__()
        self.projection = nn.Parameter(torch.empty(projected, tokens))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the projection, so that a mixture is about as large as a token."""
        nn.init.normal_(self.projection, std=self.projection.shape[1] ** -0.5)

    def columns(self, tokens: int) -> Tensor:
        """Return the part of the projection for so many positions, `[k, tokens]`.

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
