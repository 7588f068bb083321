"""Tests that every learned encoder attention must pass, and tests of each."""

from functools import partial

import pytest
import torch

from alike import assert_alike
from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import (
    EncoderAttentionConfig,
    build_encoder_attention,
)
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.backends.tiled import tiled_attention
from longsum.models.attention.learned import sinkhorn as sinkhorn_module
from longsum.models.attention.learned import sorted_chunks
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.attention.learned.linformer import LinformerAttention
from longsum.models.attention.learned.lsh import LshAttention, bucket_factors
from longsum.models.attention.learned.sinkhorn import SinkhornAttention
from longsum.models.attention.patterns import GlobalTokens, RandomBlocks, Stride

HEADS, SIZE, MOST = 4, 8, 64


def span(execution="fast", **options):
    module = AdaptiveSpanAttention(HEADS, 12, ramp=3, execution=execution, **options)
    with torch.no_grad():
        module.span.copy_(torch.tensor([0.0, 0.3, 0.7, 1.0]))
    return module


def joined_span(execution="fast"):
    return span(execution, beside=GlobalTokens(2) | Stride(7) | RandomBlocks(5, seed=1))


def lsh(execution="fast"):
    return LshAttention(SIZE, chunk=8, rounds=3, seed=1, execution=execution)


def paired_lsh(execution="fast"):
    return LshAttention(SIZE, chunk=4, rounds=2, seed=2, execution=execution)


def sinkhorn(execution="fast", sorting="free"):
    torch.manual_seed(3)
    return SinkhornAttention(HEADS, SIZE, MOST, 8, sorting=sorting, execution=execution)


def learned_sinkhorn(execution="fast"):
    return sinkhorn(execution, "learned")


def linformer(execution="fast"):  # noqa: ARG001 - it has one execution, its definition
    torch.manual_seed(4)
    return LinformerAttention(MOST, 5)


ALL = [span, joined_span, lsh, paired_lsh, sinkhorn, learned_sinkhorn, linformer]
each = pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)


def inputs(tokens, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (2, HEADS, tokens, SIZE)
    return [torch.randn(shape, generator=generator).to(dtype).requires_grad_() for _ in range(3)]


@each
@pytest.mark.parametrize("tokens", [1, 8, 9, 33])
def test_fast_equals_dense_in_value_and_gradient(make, tokens):
    real = torch.ones(2, tokens, dtype=torch.bool)
    real[1, max(1, tokens - 5) :] = False
    arguments = inputs(tokens)
    fast, slow = make(), make("reference")
    outputs = [module(*arguments, real) * real[:, None, :, None] for module in (fast, slow)]
    learned = [[*arguments, *module.parameters()] for module in (fast, slow)]
    assert_alike(*outputs, *learned, atol=1e-5, rtol=1e-5)


@each
def test_rows_without_a_key_give_zeros(make):
    real = torch.ones(2, 17, dtype=torch.bool)
    real[1] = False
    arguments = inputs(17)
    output = make()(*arguments, real)
    assert (output[1] == 0).all()
    for gradient in torch.autograd.grad(output.sum(), arguments):
        assert gradient.isfinite().all()


@each
def test_bf16_is_finite_and_evaluation_repeats(make):
    arguments, module = inputs(40, torch.bfloat16), make()
    output = module(*arguments)
    assert output.dtype == torch.bfloat16
    assert output.isfinite().all()
    assert torch.equal(module(*arguments), output)
    assert torch.equal(make()(*arguments), output)


@pytest.mark.parametrize(
    ("make", "count"),
    # HEPOS, Table 1: adaptive span O(1), here one a head; Linformer O(n), k a constant; LSH and
    # Sinkhorn with free sorting none; learned sorting h · d a block.
    [
        (span, HEADS),
        (joined_span, HEADS),
        (linformer, 5 * MOST),
        (lsh, 0),
        (sinkhorn, 0),
        (learned_sinkhorn, 4 * 8 * 8),
    ],
)
def test_number_of_new_parameters(make, count):
    assert sum(parameter.numel() for parameter in make().parameters()) == count


class TestAdaptiveSpan:
    def test_trimming_follows_the_widest_head(self):
        for module, size in ((span(), 12), (AdaptiveSpanAttention(HEADS, 1000, ramp=4), 8)):
            pattern, _ = module.spanned.of(module.spans(), tokens=6)
            assert pattern.size == size

    def test_the_loss_is_the_mean_span_and_clamping_keeps_it_in_range(self):
        module = span()
        # Spans of 0, .3, .7 and 1 of 6 tokens: 3 on average.
        assert module.span_loss(0.5).item() == pytest.approx(1.5)
        with torch.no_grad():
            module.span.add_(torch.tensor([-1.0, 0.0, 0.0, 1.0]))
        module.clamp_()
        torch.testing.assert_close(module.span.data, torch.tensor([0.0, 0.3, 0.7, 1.0]))

    def test_tiles_share_the_bias_and_its_gradient(self):
        module, arguments = span(), inputs(45)
        fast, slow = (
            attend(*arguments, pattern, None, biases)
            for attend in (partial(tiled_attention, block=8), reference_attention)
            for pattern, biases in [module.spanned.of(module.spans(), tokens=6)]
        )
        assert_alike(fast, slow, [module.span], atol=1e-5, rtol=1e-4)

    def test_the_sigmoid_form_starts_at_73_per_cent(self):
        module = AdaptiveSpanAttention(HEADS, 200, parametrization="sigmoid")
        assert module.spans()[0].item() == pytest.approx(73.1, abs=0.05)


class TestLsh:
    def test_groups_of_heads_and_blocks_of_chunks_change_nothing(self, monkeypatch):
        arguments, real = inputs(50), torch.arange(50).expand(2, -1) < torch.tensor([[50], [41]])
        found = []
        # Scores of three heads and of two chunks; then of all at once.
        for group, block in ((3 * 50 * 16, 2 * 8 * 16), (2**21, 2**19)):
            monkeypatch.setattr(sorted_chunks, "_GROUP", group)
            monkeypatch.setattr(sorted_chunks, "_BLOCK", block)
            output = lsh()(*arguments, real) * real[:, None, :, None]
            found.append((output, *torch.autograd.grad(output.square().sum(), arguments)))
        torch.testing.assert_close(*found, atol=1e-5, rtol=1e-5)

    def test_a_chunk_wider_than_the_row_costs_no_more_than_the_row(self, monkeypatch):
        scored = []
        through = sorted_chunks._scores
        monkeypatch.setattr(
            sorted_chunks,
            "_scores",
            lambda queries, keys, block: (
                scored.append(len(queries) * queries.shape[1]) or through(queries, keys, block)
            ),
        )
        found = {chunk: LshAttention(SIZE, chunk)(*inputs(20), None) for chunk in (20, 4096)}
        torch.testing.assert_close(found[4096], found[20], rtol=0, atol=0)
        assert sum(scored) == 2 * 4 * 2 * HEADS * 20

    @pytest.mark.parametrize(
        ("tokens", "factors"),
        [
            *((64, ()), (65, (2,)), (4096, (128,))),
            # More than twice the chunk are pairs, as in `transformers`.
            *((8191, (128,)), (16_384, (16, 32))),
        ],
    )
    def test_buckets_are_two_to_a_chunk_of_the_row(self, tokens, factors):
        assert bucket_factors(tokens, 64) == factors


class TestSinkhorn:
    def test_padding_beyond_the_length_of_learned_sorting_is_ignored(self):
        arguments = [tensor.detach() for tensor in inputs(90)]
        found = learned_sinkhorn()(*arguments, torch.arange(90).expand(2, -1) < 64)
        alone = learned_sinkhorn()(*(tensor[:, :, :64] for tensor in arguments))
        torch.testing.assert_close(found[:, :, :64], alone, atol=1e-6, rtol=1e-6)

    def test_a_few_heads_at_a_time_change_nothing(self, monkeypatch):
        arguments = inputs(40)
        together = sinkhorn()(*arguments)
        monkeypatch.setattr(sinkhorn_module, "_STATES", 3 * 40 * SIZE)
        torch.testing.assert_close(sinkhorn()(*arguments), together)


def test_what_does_not_fit_is_refused():
    with pytest.raises(LongsumError, match="at least 1"):
        LshAttention(SIZE, chunk=0)
    AdaptiveSpanAttention(HEADS, window=2, ramp=1)
    for window, ramp in ((3, 1), (0, 1), (2, 0)):
        with pytest.raises(LongsumError, match=f"window of {window} and a ramp of {ramp}; give"):
            AdaptiveSpanAttention(HEADS, window=window, ramp=ramp)
    with pytest.raises(LongsumError, match="adds to the scores, which FlexAttention does not"):
        AdaptiveSpanAttention(HEADS, window=8, execution="flex")
    settings = {"heads": HEADS, "head_dim": SIZE, "tokens": 64}
    with pytest.raises(LongsumError, match="needs a window, global tokens, a stride"):
        build_encoder_attention(EncoderAttentionConfig(kind="pattern", window=0), **settings)
    with pytest.raises(LongsumError, match="no encoder attention of kind 'other'; choose full"):
        build_encoder_attention(EncoderAttentionConfig(kind="other"), **settings)
    learned_sinkhorn()(*inputs(64))
    sinkhorn()(*inputs(65))
    for make in (learned_sinkhorn, linformer):
        with pytest.raises(LongsumError, match="64 tokens and got 65; shorten"):
            make()(*inputs(65))
