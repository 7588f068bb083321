"""Tests that every fixed pattern must pass: fast = dense, padding, odd lengths, bf16, seeds."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from alike import assert_alike
from effort import examples
from longsum.common.errors import LongsumError
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.backends.tiled import tiled_attention
from longsum.models.attention.patterns import (
    Blocks,
    Full,
    GlobalTokens,
    RandomBlocks,
    Stride,
    Union,
    Window,
    dense_grid,
)
from longsum.models.attention.sparse_blocks import sparse_blocks

PATTERNS = [
    Full(),
    Window(6),
    GlobalTokens(3),
    Stride(5),
    RandomBlocks(4, seed=1),
    Blocks(6),
    Blocks(11, first=5) | GlobalTokens(2),
    Window(4) | GlobalTokens(2) | Stride(7) | RandomBlocks(3),
    Union(sparse_blocks(3, 1)),
    Union((*sparse_blocks(2, 0), Stride(3))),
]
BLOCK = 8
LENGTHS = [1, BLOCK, BLOCK + 1, 4 * BLOCK + 1]
each_pattern = pytest.mark.parametrize("pattern", PATTERNS, ids=str)


def inputs(tokens, batch=2, heads=4, size=8, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (batch, heads, tokens, size)
    return [torch.randn(shape, generator=generator).to(dtype).requires_grad_() for _ in range(3)]


def visible(pattern, tokens, heads=4):
    """Return which keys each head shows to each query of one row, `[h, n, n]`."""
    shown = pattern.visible(dense_grid(tokens, heads, torch.tensor([tokens])))
    return shown.expand(1, heads, tokens, tokens)[0]


@each_pattern
@pytest.mark.parametrize("tokens", LENGTHS)
def test_fast_equals_dense_in_value_and_gradient(pattern, tokens):
    real = torch.ones(2, tokens, dtype=torch.bool)
    real[1, max(1, tokens - 5) :] = False
    arguments = inputs(tokens)
    slow = reference_attention(*arguments, pattern, real)
    fast = tiled_attention(*arguments, pattern, real, block=BLOCK)
    assert_alike(fast, slow, arguments, atol=1e-5, rtol=1e-5)


@each_pattern
@pytest.mark.parametrize("attention", [reference_attention, tiled_attention])
def test_rows_without_a_key_give_zeros(pattern, attention):
    arguments = inputs(17)
    real = torch.ones(2, 17, dtype=torch.bool)
    real[1] = False
    output = attention(*arguments, pattern, real)
    assert (output[1] == 0).all()
    for gradient in torch.autograd.grad(output.sum(), arguments):
        assert gradient.isfinite().all()
        assert (gradient[1] == 0).all()


@each_pattern
def test_bf16_is_finite_and_near(pattern):
    arguments = inputs(33, dtype=torch.bfloat16)
    output = tiled_attention(*arguments, pattern, block=BLOCK)
    exact = reference_attention(*(tensor.float() for tensor in arguments), pattern)
    assert output.dtype == torch.bfloat16
    torch.testing.assert_close(output.float(), exact, atol=0.05, rtol=0.05)
    for gradient in torch.autograd.grad(output.float().sum(), arguments):
        assert gradient.isfinite().all()


@settings(max_examples=examples(40))
@given(
    tokens=st.integers(1, 40),
    window=st.integers(0, 8).map(lambda side: 2 * side),
    count=st.integers(0, 6),
    stride=st.integers(1, 9),
    block=st.integers(1, 9),
    tile=st.integers(1, 16),
    padding=st.integers(0, 40),
    seed=st.integers(0, 99),
)
def test_any_union_equals_its_definition(tokens, window, count, stride, block, tile, padding, seed):
    pattern = GlobalTokens(count) | Stride(stride) | RandomBlocks(block, seed) | Window(window)
    arguments = inputs(tokens, batch=1, heads=2, seed=seed)
    real = torch.arange(tokens)[None] < tokens - padding
    with torch.no_grad():
        fast = tiled_attention(*arguments, pattern, real, block=tile)
        slow = reference_attention(*arguments, pattern, real)
    torch.testing.assert_close(fast, slow, atol=1e-5, rtol=1e-5)


def test_visible_pairs_of_fixed_patterns():
    # Half of 4 to the left, half to the right, and the token itself.
    assert visible(Window(4), 9)[0, 4].tolist() == [0, 0, 1, 1, 1, 1, 1, 0, 0]
    with pytest.raises(LongsumError, match="even size"):
        Window(5)
    assert visible(Stride(3), 8)[0, 4].tolist() == [0, 1, 0, 0, 1, 0, 0, 1]
    shown = visible(GlobalTokens(2), 6)[0]
    assert torch.equal(shown, shown.T)
    assert shown.sum() == 2 * 2 * 6 - 2 * 2


def test_random_blocks_show_one_block_to_each_block_and_head():
    shown = visible(RandomBlocks(4, seed=3), 64, heads=8)
    assert (shown.sum(-1) == 4).all()
    rows = shown.view(8, 16, 4, 64)
    assert (rows == rows[:, :, :1]).all()
    # Heads draw apart, seeds draw apart.
    assert len({tuple(head.flatten().tolist()) for head in shown}) == 8
    assert not torch.equal(shown, visible(RandomBlocks(4, seed=4), 64, heads=8))
    # Of many draws every block is one.
    assert visible(RandomBlocks(2, seed=0), 32, heads=64).any(dim=0).any(dim=0).all()
