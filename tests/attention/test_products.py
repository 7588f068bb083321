"""Products through oneDNN equal PyTorch's own, and only those that may go there do."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch

from longsum.attention import products
from longsum.attention.products import linear, onednn_is_better

HERE = hasattr(torch.ops.mkldnn, "_linear_pointwise")


def draw(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(len(shape)), dtype=dtype)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, ...]]]:
    """Let oneDNN be the better library, and note what goes there."""
    seen: list[tuple[int, ...]] = []
    through = products._onednn if HERE else torch.nn.functional.linear

    def noted(states: torch.Tensor, weight: torch.Tensor, bias: Any) -> torch.Tensor:
        seen.append(tuple(states.shape))
        return through(states, weight, bias)

    monkeypatch.setattr(products, "_onednn", noted)
    monkeypatch.setattr(products, "onednn_is_better", lambda: True)
    return seen


@pytest.mark.parametrize("with_bias", [True, False])
@pytest.mark.parametrize(
    "states",
    [
        draw(4, 512),
        draw(3, 5, 512),
        draw(512),
        draw(5, 3, 512).transpose(0, 1),
        draw(7, 1024)[:, ::2],
        draw(1, 1, 512).expand(2, 3, 512),
    ],
    ids=["rows", "batch", "one", "transposed", "strided", "expanded"],
)
def test_equals_pytorch(calls: list[Any], states: torch.Tensor, with_bias: bool) -> None:
    weight, bias = draw(2048, 512), draw(2048) if with_bias else None
    expected = torch.nn.functional.linear(states.double(), weight.double())
    expected = expected if bias is None else expected + bias.double()
    found = linear(states, weight, bias)
    assert calls == [tuple(states.shape)]
    assert found.dtype == torch.float32
    # True fp32: half the digits would be gone if a coarser format were used inside.
    torch.testing.assert_close(found.double(), expected, atol=1e-4, rtol=1e-5)


def test_a_part_of_a_weight(calls: list[Any]) -> None:
    states, weight = draw(9, 300), draw(2048, 600)[::2, 1:301]
    torch.testing.assert_close(
        linear(draw(9, 300).repeat(2, 1), weight), states.repeat(2, 1) @ weight.T, atol=1e-4, rtol=0
    )
    assert len(calls) == 1


def test_gradients_are_pytorchs_own(calls: list[Any]) -> None:
    states, weight = draw(4, 512), draw(2048, 512).requires_grad_()
    linear(states, weight).sum().backward()
    assert weight.grad is not None
    torch.testing.assert_close(weight.grad[0], states.sum(dim=0))
    assert calls == []
    with torch.no_grad():
        linear(states, weight)
    assert len(calls) == 1


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float64])
def test_other_types_stay(calls: list[Any], dtype: torch.dtype) -> None:
    assert linear(draw(4, 512, dtype=dtype), draw(2048, 512, dtype=dtype)).dtype == dtype
    assert calls == []


@pytest.mark.filterwarnings("ignore:TF32")
def test_small_products_autocast_and_a_closed_switch_stay(calls: list[Any]) -> None:
    states, weight = draw(4, 512), draw(2048, 512)
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
def test_a_library_that_differs_is_not_used(monkeypatch: pytest.MonkeyPatch, broken: Any) -> None:
    monkeypatch.setattr(products, "_processor", lambda: "AuthenticAMD")
    monkeypatch.setattr(products, "_onednn", broken)
    assert not onednn_is_better.__wrapped__()


@pytest.mark.parametrize(("maker", "better"), [("AuthenticAMD", HERE), ("GenuineIntel", False)])
def test_the_processors_maker_decides(
    monkeypatch: pytest.MonkeyPatch, maker: str, better: bool
) -> None:
    monkeypatch.setattr(products, "_processor", lambda: f"processor: 0\nvendor_id: {maker}\n")
    assert onednn_is_better.__wrapped__() is better


def test_the_check_is_made_once_and_leaves_the_seed_alone() -> None:
    torch.manual_seed(0)
    expected = torch.rand(1)
    torch.manual_seed(0)
    assert onednn_is_better() is onednn_is_better()
    assert onednn_is_better.cache_info().misses <= 1
    assert torch.equal(torch.rand(1), expected)
