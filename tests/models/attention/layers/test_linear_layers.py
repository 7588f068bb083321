"""Which layers are their weight and bias alone, and that all others are called."""

from collections.abc import Callable

import pytest
import torch
from accelerate.hooks import ModelHook, add_hook_to_module
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.nn.utils import parametrizations, prune, weight_norm

from longsum.models.attention.layers.linear_layers import is_plain, project

STATES = torch.randn(3, 4, generator=torch.Generator().manual_seed(1))


class Doubled(nn.Linear):
    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return 2 * super().forward(input)


class DoubledWeight(torch.Tensor):
    """A weight of another kind, as quantized and distributed ones are."""


class Add(ModelHook):
    def post_forward(self, _module: nn.Module, output: torch.Tensor) -> torch.Tensor:
        return output + 1


def with_hook(layer: nn.Linear) -> None:
    layer.register_forward_hook(lambda _module, _given, found: found + 1)


def with_hook_before(layer: nn.Linear) -> None:
    layer.register_forward_pre_hook(lambda _module, given: (given[0] + 1,))


def with_other_forward(layer: nn.Linear) -> None:
    add_hook_to_module(layer, Add())


def with_other_weight(layer: nn.Linear) -> None:
    layer.weight = nn.Parameter(layer.weight.detach().as_subclass(DoubledWeight))


def with_other_bias(layer: nn.Linear) -> None:
    layer.bias = nn.Parameter(layer.bias.detach().as_subclass(DoubledWeight))


CHANGES: dict[str, Callable[[nn.Linear], object]] = {
    "hook": with_hook,
    "hook before": with_hook_before,
    "other forward": with_other_forward,
    "parametrization": parametrizations.weight_norm,
    "old parametrization": weight_norm,
    "pruning": lambda layer: prune.l1_unstructured(layer, "weight", amount=0.5),
    "other weight": with_other_weight,
    "other bias": with_other_bias,
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_layer_that_does_more_is_called(change: Callable[[nn.Linear], object]) -> None:
    layer = nn.Linear(4, 5)
    assert is_plain(layer)
    change(layer)
    assert not is_plain(layer)
    assert torch.equal(project(layer, STATES), layer(STATES))


@pytest.mark.parametrize("bias", [True, False])
def test_a_plain_layer_is_its_weight_and_bias(bias: bool) -> None:
    layer = nn.Linear(4, 5, bias=bias)
    assert is_plain(layer)
    expected = STATES.double() @ layer.weight.double().T
    if bias:
        expected = expected + layer.bias.double()
    torch.testing.assert_close(project(layer, STATES).double(), expected, atol=1e-6, rtol=1e-6)


def test_subclasses_and_other_modules_are_called() -> None:
    doubled = Doubled(4, 5)
    assert not is_plain(doubled)
    assert torch.equal(project(doubled, STATES), doubled(STATES))
    assert not is_plain(nn.Sequential(nn.Linear(4, 5)))


def test_a_weight_that_is_not_there_is_not_read() -> None:
    assert not is_plain(nn.Linear(4, 5, device="meta"))


def test_a_hook_on_all_modules_is_heard() -> None:
    layer, heard = nn.Linear(4, 5), []
    handle = register_module_forward_hook(lambda module, _given, _found: heard.append(module))
    try:
        project(layer, STATES)
    finally:
        handle.remove()
    assert heard == [layer]
    assert is_plain(layer)
