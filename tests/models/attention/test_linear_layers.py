"""Products through oneDNN equal PyTorch's, and layers that do more than multiply are called."""

from collections.abc import Callable, Iterator

import pytest
import torch
from accelerate.hooks import ModelHook, add_hook_to_module
from torch import nn
from torch.nn.modules.module import register_module_forward_hook
from torch.nn.utils import parametrizations, prune

from longsum.models.attention import linear_layers
from longsum.models.attention.encoder_attention import PatternAttention
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.attention.learned.linformer import LinformerAttention
from longsum.models.attention.learned.lsh import LshAttention
from longsum.models.attention.learned.sinkhorn import SinkhornAttention
from longsum.models.attention.linear_layers import (
    is_plain,
    linear,
    onednn_is_better,
    project,
    split_heads,
)
from longsum.models.attention.patterns import Full, GlobalTokens, RandomBlocks, Window

HERE = hasattr(torch.ops.mkldnn, "_linear_pointwise")


def draw(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, ...]]]:
    """Make oneDNN the preferred library, and record its calls."""
    seen: list[tuple[int, ...]] = []
    through = linear_layers._onednn if HERE else torch.nn.functional.linear

    def noted(states: torch.Tensor, weight: torch.Tensor, bias) -> torch.Tensor:
        # Of a weight with gaps oneDNN makes a thousand times the work.
        assert all(each is None or each.is_contiguous() for each in (states, weight, bias))
        seen.append(tuple(states.shape))
        return through(states, weight, bias)

    monkeypatch.setattr(linear_layers, "_onednn", noted)
    monkeypatch.setattr(linear_layers, "onednn_is_better", lambda: True)
    return seen


@pytest.mark.parametrize(
    "states",
    [
        draw(4, 512),
        draw(512),
        draw(5, 3, 512).transpose(0, 1),
        draw(7, 1024)[:, ::2],
        draw(1, 1, 512).expand(2, 3, 512),
    ],
    ids=["rows", "one", "transposed", "strided", "expanded"],
)
def test_equals_pytorch(calls: list, states: torch.Tensor) -> None:
    weight, bias = draw(2048, 512), draw(2048)
    expected = torch.nn.functional.linear(states.double(), weight.double(), bias.double())
    found = linear(states, weight, bias)
    assert calls == [tuple(states.shape)]
    assert found.dtype == torch.float32
    # True fp32: half the digits would be gone if a coarser format were used inside.
    torch.testing.assert_close(found.double(), expected, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize(
    "weight",
    [draw(2048, 1200)[:, :300], draw(300, 2048).T],
    ids=["part of rows", "transposed"],
)
def test_a_weight_that_is_a_view_with_gaps_is_pytorchs_own(calls, weight) -> None:
    states = draw(18, 300)
    torch.testing.assert_close(linear(states, weight), states @ weight.T, atol=1e-4, rtol=0)
    assert calls == []


@pytest.mark.parametrize(
    ("attention", "products_taken"),
    [
        # Hashing is a product for each head; the others have none of their own.
        (LshAttention(64, rounds=4), 4),
        (SinkhornAttention(4, 64, 512), 0),
        (LinformerAttention(512, 32), 0),
        (AdaptiveSpanAttention(4, 64, parametrization="sigmoid"), 0),
        (PatternAttention(Window(64) | GlobalTokens(4) | RandomBlocks(32)), 0),
        (PatternAttention(Full()), 0),
    ],
    ids=["lsh", "sinkhorn", "linformer", "adaptive span", "pattern", "full"],
)
def test_the_layout_of_a_models_heads_costs_nothing(calls, attention, products_taken) -> None:
    """Heads are side by side in a model's projections; slicing them must not be slower."""
    heads = [split_heads(draw(1, 512, 4 * 64, seed=seed), 4) for seed in range(3)]
    assert not heads[0].is_contiguous()
    with torch.no_grad():
        found = attention(*heads)
        assert len(calls) == products_taken
        apart = attention(*(each.contiguous() for each in heads))
    torch.testing.assert_close(found, apart, atol=1e-5, rtol=1e-5)


def test_gradients_are_pytorchs_own(calls: list) -> None:
    states, weight = draw(4, 512), draw(2048, 512).requires_grad_()
    linear(states, weight).sum().backward()
    assert weight.grad is not None
    torch.testing.assert_close(weight.grad[0], states.sum(dim=0))
    assert calls == []
    with torch.no_grad():
        linear(states, weight)
    assert len(calls) == 1


@pytest.mark.filterwarnings("ignore:TF32")
def test_other_types_small_products_autocast_and_a_closed_switch_stay(calls: list) -> None:
    states, weight = draw(4, 512), draw(2048, 512)
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        assert linear(states.to(dtype), weight.to(dtype)).dtype == dtype
    linear(draw(4, 16), draw(16, 16))
    linear(draw(0, 512), weight)
    with torch.autocast("cpu", torch.bfloat16):
        assert linear(states, weight).dtype == torch.bfloat16
    with torch.backends.mkldnn.flags(enabled=False):
        linear(states, weight)
    assert linear(states.to("meta"), weight.to("meta")).device.type == "meta"
    assert calls == []


@pytest.mark.parametrize(
    "broken",
    [
        lambda states, weight, _: states @ weight.T,
        lambda states, weight, bias: (states @ weight.T + bias) * torch.nan,
        lambda *_: torch.ops.mkldnn.no_such_operator,
    ],
    ids=["other numbers", "no numbers", "absent"],
)
def test_a_library_that_differs_is_not_used(monkeypatch: pytest.MonkeyPatch, broken) -> None:
    monkeypatch.setattr(linear_layers, "processor", lambda: "AuthenticAMD")
    monkeypatch.setattr(linear_layers, "_onednn", broken)
    assert not onednn_is_better.__wrapped__()


@pytest.mark.parametrize(("maker", "better"), [("AuthenticAMD", HERE), ("GenuineIntel", False)])
def test_the_processors_maker_decides(monkeypatch, maker, better) -> None:
    monkeypatch.setattr(linear_layers, "processor", lambda: f"processor: 0\nvendor_id: {maker}\n")
    assert onednn_is_better.__wrapped__() is better


def test_the_check_is_made_once_and_does_not_change_the_seed() -> None:
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    assert onednn_is_better() is onednn_is_better()
    assert onednn_is_better.cache_info().misses <= 1
    assert torch.equal(torch.rand(1), expected)


STATES = draw(3, 4)


class Doubled(nn.Linear):
    def forward(self, input: torch.Tensor) -> torch.Tensor:
        return 2 * super().forward(input)


class DoubledWeight(torch.Tensor):
    """A weight of another kind, as quantized and distributed ones are."""


class Add(ModelHook):
    def post_forward(self, _module: nn.Module, output: torch.Tensor) -> torch.Tensor:
        return output + 1


def held_otherwise(layer: nn.Linear, name: str) -> None:
    other = layer.get_parameter(name).detach().as_subclass(DoubledWeight)
    setattr(layer, name, nn.Parameter(other))


CHANGES: dict[str, Callable[[nn.Linear], object]] = {
    "hook": lambda layer: layer.register_forward_hook(lambda _module, _given, found: found + 1),
    "hook before": lambda layer: layer.register_forward_pre_hook(lambda _, given: (given[0] + 1,)),
    "other forward": lambda layer: add_hook_to_module(layer, Add()),
    "parametrization": parametrizations.weight_norm,
    "pruning": lambda layer: prune.l1_unstructured(layer, "weight", amount=0.5),
    "other weight": lambda layer: held_otherwise(layer, "weight"),
    "other bias": lambda layer: held_otherwise(layer, "bias"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_layer_that_does_more_is_called(change: Callable[[nn.Linear], object]) -> None:
    layer = nn.Linear(4, 5)
    assert is_plain(layer)
    torch.testing.assert_close(project(layer, STATES), layer(STATES))
    change(layer)
    assert not is_plain(layer)
    assert torch.equal(project(layer, STATES), layer(STATES))


def test_subclasses_and_other_modules_are_called() -> None:
    doubled = Doubled(4, 5)
    assert not is_plain(doubled)
    assert torch.equal(project(doubled, STATES), doubled(STATES))
    assert not is_plain(nn.Sequential(nn.Linear(4, 5)))
    bare = nn.Linear(4, 5, bias=False)
    assert is_plain(bare)
    torch.testing.assert_close(project(bare, STATES), STATES @ bare.weight.T)
    # A weight that is not there is not read.
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
