"""FlexAttention against the dense definition: its visible pairs, and its results.

Most tests run it uncompiled, which is quick and computes the same.
"""

from dataclasses import replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.attention import flex_attention as torch_flex

from effort import examples
from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import (
    EncoderAttentionConfig,
    build_encoder_attention,
)
from longsum.models.attention.backends import flex
from longsum.models.attention.backends.flex import block_mask, flex_attention
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.encoder_attention import PatternAttention
from longsum.models.attention.patterns import (
    Full,
    GlobalTokens,
    RandomBlocks,
    Stride,
    Window,
    dense_grid,
)

HEADS, BLOCK, CPU = 2, 128, torch.device("cpu")
PATTERNS = [
    Full(),
    Window(6),
    GlobalTokens(3),
    Stride(5),
    RandomBlocks(40, seed=1),
    Window(6) | GlobalTokens(3),
    Window(64) | GlobalTokens(130) | Stride(7) | RandomBlocks(30),
]
SIZES = [(1, 16), (127, 4), (128, 16)]
each_pattern = pytest.mark.parametrize("pattern", PATTERNS, ids=str)


def inputs(tokens, batch=2, size=16, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (batch, HEADS, tokens, size)
    return [torch.randn(shape, generator=generator).to(dtype) for _ in range(3)]


def rows(*lengths, tokens):
    return torch.arange(tokens) < torch.tensor(lengths)[:, None]


def definition(pattern, tokens, lengths):
    """Return what is visible, `[b, h, n, n]`."""
    ends = torch.tensor(lengths)
    shown = pattern.visible(dense_grid(tokens, HEADS, ends))
    return (shown & rows(*lengths, tokens=tokens)[:, None, None]).expand(-1, HEADS, -1, -1)


def assert_blocks(pattern, tokens, lengths):
    """Check that listed blocks contain a visible pair, and full ones no other pair."""
    mask = block_mask(pattern, tokens, HEADS, tuple(lengths), CPU)
    blocks = tokens // BLOCK
    cut = definition(pattern, tokens, lengths).view(-1, HEADS, blocks, BLOCK, blocks, BLOCK)
    shown = mask.to_dense().bool().expand(-1, HEADS, -1, -1)
    assert torch.equal(shown, cut.any(dim=5).any(dim=3))
    whole = torch_flex._ordered_to_dense(mask.full_kv_num_blocks, mask.full_kv_indices, blocks)
    assert torch.equal(whole.bool().expand_as(shown), cut.all(dim=5).all(dim=3))


@each_pattern
def test_blocks_are_the_same_when_gone_through_bit_by_bit(pattern, monkeypatch):
    block_mask.cache_clear()
    monkeypatch.setattr(flex, "_PAIRS_AT_ONCE", 1)
    assert_blocks(pattern, 384, (300,))
    block_mask.cache_clear()


@settings(max_examples=examples(25))
@given(
    blocks=st.integers(2, 4),
    lengths=st.lists(st.integers(0, 256), min_size=1, max_size=3),
    side=st.integers(0, 150),
    count=st.integers(0, 140),
    stride=st.integers(1, 200),
    block=st.integers(1, 140),
    seed=st.integers(0, 99),
)
def test_any_union_has_the_pairs_of_its_definition(
    blocks, lengths, side, count, stride, block, seed
):
    tokens = blocks * BLOCK
    pattern = Window(2 * side) | GlobalTokens(count) | RandomBlocks(block, seed) | Stride(stride)
    assert_blocks(pattern, tokens, lengths)
    mask_mod = block_mask(pattern, tokens, HEADS, tuple(lengths), CPU).mask_mod
    pairs = torch_flex.create_mask(mask_mod, len(lengths), HEADS, tokens, tokens, "cpu")
    assert torch.equal(pairs, definition(pattern, tokens, lengths))


@pytest.mark.parametrize(
    ("pattern", "tokens", "size"),
    [
        *((pattern, 300, 24) for pattern in PATTERNS[-1:]),
        *((pattern, *SIZES[place % 3]) for place, pattern in enumerate(PATTERNS)),
    ],
    ids=str,
)
@pytest.mark.usefixtures("uncompiled")
def test_output_is_that_of_the_definition(pattern, tokens, size):
    arguments = inputs(tokens, size=size)
    for real in (None, rows(tokens, tokens // 2, tokens=tokens)):
        found = flex_attention(*arguments, pattern, real)
        expected = reference_attention(*arguments, pattern, real)
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)


def test_layers_share_a_mask_and_heads_that_agree_share_its_tables():
    first = block_mask(Window(6), 256, HEADS, (256, 200), CPU)
    assert block_mask(Window(6), 256, HEADS, (256, 200), CPU) is first
    assert first.kv_indices.shape == (2, 1, 2, 2)
    block_mask.cache_clear()
    with torch.inference_mode():
        mask = block_mask(RandomBlocks(8), 256, HEADS, (256,), CPU)
    assert mask.kv_indices.shape[1] == HEADS
    # One made in inference mode serves training.
    assert not mask.kv_indices.is_inference()
    assert not mask.q_indices.is_inference()


def test_random_blocks_are_the_same_with_32_bit_positions():
    pattern = RandomBlocks(1, seed=2)
    grid = dense_grid(70_000, 1, torch.tensor([70_000]))
    queries, drawn = torch.arange(60_000, 60_100), []
    for kind in (torch.int64, torch.int32):
        drawn.append(pattern.on(CPU)._drawn(grid.head.to(kind), queries.to(kind), grid.length))
    assert torch.equal(*drawn)


def test_unsupported_inputs_raise(monkeypatch):
    query, key, value = inputs(20)
    with pytest.raises(LongsumError, match="no gradients on a CPU"):
        flex_attention(query, key.requires_grad_(), value, Window(4))
    with pytest.raises(LongsumError, match="fp32, bf16 or fp16"):
        flex_attention(*(tensor.double() for tensor in inputs(20)), Window(4))
    with pytest.raises(LongsumError, match="on the right alone"):
        flex._lengths(rows(20, 9, tokens=20).flip(1), 2, 20)
    monkeypatch.setattr(flex, "find_spec", lambda _: None)
    with pytest.raises(LongsumError, match="needs Triton"):
        flex._compiled.__wrapped__("cuda")
    monkeypatch.setattr(flex.shutil, "which", lambda _: None)
    flex._compiled.cache_clear()
    with pytest.raises(LongsumError, match="needs a compiler"), torch.no_grad():
        flex_attention(*inputs(20), Window(4))


@pytest.mark.parametrize("kind", ["linformer", "lsh", "sinkhorn"])
def test_learned_attentions_have_no_execution_of_patterns(kind):
    for execution in ("tiled", "flex"):
        config = EncoderAttentionConfig(kind=kind, execution=execution)
        with pytest.raises(LongsumError, match="runs its own code"):
            build_encoder_attention(config, heads=HEADS, head_dim=8, tokens=256)


@pytest.mark.usefixtures("uncompiled")
def test_the_settings_choose_the_execution():
    config = EncoderAttentionConfig(kind="pattern", window=8, execution="flex")
    made = build_encoder_attention(config, heads=HEADS, head_dim=16, tokens=64)
    assert isinstance(made, PatternAttention)
    assert made.execution == "flex"
    dense = replace(config, execution="reference")
    other = build_encoder_attention(dense, heads=HEADS, head_dim=16, tokens=64)
    torch.testing.assert_close(made(*inputs(50)), other(*inputs(50)), atol=1e-5, rtol=1e-5)
    unknown = EncoderAttentionConfig(execution="quick")  # type: ignore[arg-type]
    with pytest.raises(LongsumError, match="no execution 'quick'"):
        build_encoder_attention(unknown, heads=HEADS, head_dim=16, tokens=64)
