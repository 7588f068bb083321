"""Dropout of attention weights, against its definition: each weight is 0 or p / (1 − rate)."""

from functools import partial

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.attention.encoder_attention import PatternAttention
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.attention.learned.linformer import LinformerAttention
from longsum.models.attention.learned.lsh import LshAttention
from longsum.models.attention.learned.sinkhorn import SinkhornAttention
from longsum.models.attention.patterns import Full, GlobalTokens, RandomBlocks, Stride, Window

HEADS, SIZE, TOKENS, RATE = 2, 4, 100, 0.3

PATTERN = Window(20) | GlobalTokens(2) | Stride(7) | RandomBlocks(16)
WHOLE = {
    "full": partial(PatternAttention, Full()),
    "full, reference": partial(PatternAttention, Full(), "reference"),
    "union": partial(PatternAttention, PATTERN),
    "union, reference": partial(PatternAttention, PATTERN, "reference"),
    "span": partial(AdaptiveSpanAttention, HEADS, 16, 8),
    "lsh": partial(LshAttention, SIZE, chunk=16, rounds=1),
    "lsh, reference": partial(LshAttention, SIZE, chunk=16, rounds=1, execution="reference"),
}
MIXED = {
    "lsh of rounds": partial(LshAttention, SIZE, chunk=16, rounds=3),
    "sinkhorn": partial(SinkhornAttention, HEADS, SIZE, TOKENS, 16),
    "linformer": partial(LinformerAttention, TOKENS, 12),
}


def states(seed=0, size=SIZE, tokens=TOKENS, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(2, HEADS, tokens, size, generator=generator, dtype=dtype)


@pytest.fixture(params=[name for name in (*WHOLE, *MIXED) if "reference" not in name])
def attention(request):
    module = {**WHOLE, **MIXED}[request.param]().double()
    module.dropout = RATE
    return module


def test_values_of_one_token_each_show_the_weights_that_are_left():
    query, key = states(1), states(2)
    value = torch.eye(TOKENS, dtype=torch.float64).expand(2, HEADS, -1, -1)
    for name, make in WHOLE.items():
        module = make().double()
        weights = module(query, key, value)
        module.dropout = RATE
        found = module(query, key, value)
        dropped = (found == 0) & (weights > 0)
        scaled = torch.where(dropped, 0.0, weights / (1 - RATE))
        if name.startswith("lsh"):
            # A token that sees no other reads itself, whatever is dropped.
            alone = weights.diagonal(dim1=-2, dim2=-1) == 1
            scaled[alone], dropped = weights[alone], dropped[~alone]
            weights = weights[~alone]
        torch.testing.assert_close(found, scaled, msg=lambda told, name=name: f"{name}: {told}")
        seen = int((weights > 0).sum())
        share = int(dropped.sum()) / seen
        assert abs(share - RATE) < 5 * (RATE * (1 - RATE) / seen) ** 0.5, name


@pytest.mark.parametrize("attention", MIXED, indirect=True)
def test_the_mean_of_many_draws_equals_the_output_without_dropout(attention):
    query, key, value = states(1), states(2), states(3)
    drawn = torch.stack([attention(query, key, value) for _ in range(40)])
    attention.dropout = 0.0
    error = drawn.mean(dim=0) - attention(query, key, value)
    # Of independent draws the mean is off by its deviation over their root.
    assert drawn.std(dim=0).mean() > 0.01
    assert (error / (drawn.std(dim=0) / 40**0.5).clamp_min(1e-9)).square().mean() < 1.5


def test_the_backward_pass_drops_the_same_weights_as_the_forward_pass(attention):
    def seeded(*given):
        torch.manual_seed(5)
        return attention(*given)

    # Small enough for finite differences; the buckets of LSH do not change within them.
    given = [states(seed, tokens=20).requires_grad_() for seed in (1, 2, 3)]
    assert torch.autograd.gradcheck(seeded, given, fast_mode=True)


def test_nothing_is_dropped_in_evaluation_and_without_a_rate(attention):
    query, key, value = states(1), states(2), states(3)
    attention.eval()
    read = attention(query, key, value)
    assert torch.equal(read, attention(query, key, value))
    attention.train()
    attention.dropout = 0.0
    state = torch.get_rng_state()
    assert torch.equal(read, attention(query, key, value))
    assert torch.equal(state, torch.get_rng_state())


def test_flex_attention_refuses_dropout():
    module = PatternAttention(Window(4), "flex")
    module.dropout = 0.1
    with pytest.raises(LongsumError, match="drops no attention weights"):
        module(*(states(seed, dtype=torch.float32) for seed in (1, 2, 3)))
