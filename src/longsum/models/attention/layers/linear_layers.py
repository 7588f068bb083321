"""When a linear layer is its weight and bias alone, and when it has to be called.

Some products go past their layers: they take only the rows of some heads (`FoldedSource.project`),
carry a few queries through the weight of the keys (`GlobalQueries`), or go to the faster of two
libraries (`longsum.models.attention.layers.products`). They would also go past whatever has been
put
there: an adapter (PEFT), a hook, a parametrization, a quantized weight, or a weight that is kept
elsewhere until its layer runs (offloading by `accelerate`). So a layer's weight is read only where
`is_plain` says that nothing of the kind is there, and otherwise the layer is called.
"""

from typing import TypeGuard

from torch import Tensor, nn
from torch.nn.modules.module import _has_any_global_hook

from longsum.models.attention.layers.products import linear

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
