"""`torch.compile` of the model: no graph breaks, and the same numbers."""

import pytest
import torch

from longsum.models.attention import encoder_attention
from longsum.models.attention.backends import compiled
from longsum.models.attention.learned import adaptive_span, lsh, sinkhorn
from longsum.models.attention.patterns import Window
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import config

DISTANCES = {"kind": "token_distance", "token_reach": 5, "global_biases": False}
# As many layers to a model as its other settings allow: it costs seconds apart from them.
KINDS = {
    "LED": [{"kind": "pattern", "window": 4, "global_tokens": 1}],
    "layers apart": [
        {"kind": "pattern", "window": 4, "stride": 5, "random_block": 4},
        {"kind": "pattern", "sparse_block": 2, "sparse_random": 1},
        {"kind": "pattern", "window": 4, "transient_block": 4},
        {"kind": "adaptive_span", "window": 8, "global_tokens": 1, "span_ramp": 2},
        {"kind": "adaptive_span", "window": 8, "span_parametrization": "sigmoid"},
        {"kind": "lsh", "chunk": 4, "rounds": 2},
        {"kind": "linformer", "projected": 5},
        {"kind": "sinkhorn", "block": 4},
        {"kind": "sinkhorn", "block": 4, "sorting": "learned"},
    ],
    "distances, T5": [
        {"kind": "pattern", "window": 6, "global_tokens": 2, "random_block": 4},
        {"kind": "pattern", "window": 4, "transient_block": 4},
    ],
    "leading": [{"kind": "pattern", "local_block": 4, "staggered": True, "global_tokens": 2}],
    "top-down": [{"kind": "pattern", "window": 4, "global_tokens": 1}] * 2,
}
MORE = {
    "LED": {"global_projections": True},
    "distances, T5": {"encoder_bias": DISTANCES, "decoder_token_reach": 5},
    "leading": {"leading_tokens": 2},
    "top-down": {
        "top_down": {"layers": 1, "levels": 2, "kernel": 4, "stride": 3, "pooling": "adaptive"},
    },
}
CROSS = {
    "full": None,
    "hepos": {"kind": "hepos", "stride": 2},
    "contiguous": {"kind": "contiguous", "stride": 2},
    "linformer": {"kind": "linformer", "projected": 5},
}


@pytest.fixture(autouse=True)
def _afresh() -> None:
    torch._dynamo.reset()


@pytest.mark.parametrize("kind", KINDS)
def test_operators_of_compiled_graphs_compute_and_learn_the_same(kind, monkeypatch) -> None:
    """They are called as under a compiler, but without one."""
    layers = {"encoder_layers": len(KINDS[kind]), "decoder_layers": 1}
    settings = {"encoder_attention": KINDS[kind], "dropout": 0.0, **layers, **MORE.get(kind, {})}
    model = LongsumForConditionalGeneration(config(**settings))
    more = {"importance": torch.rand(2, 21)} if model.config.reads_importance else {}
    ids = torch.randint(3, model.config.vocab_size, (2, 21))
    mask = torch.ones_like(ids)
    mask[1, 15:] = 0

    def computed() -> tuple:
        output = model(ids, mask, labels=ids[:, :5], **more)
        weights = [*model.parameters()]
        return output.logits, torch.autograd.grad(output.loss, weights, allow_unused=True)

    expected = computed()
    for module in (encoder_attention, adaptive_span, lsh, sinkhorn):
        monkeypatch.setattr(module, "is_compiling", lambda: True)
    torch.testing.assert_close(computed(), expected)
    with torch.no_grad():
        logits = model(ids, mask, labels=ids[:, :5], **more).logits
    torch.testing.assert_close(logits, expected[0])


def test_shapes_declared_to_the_compiler_are_those_of_the_operators() -> None:
    query, key, value = torch.randn(3, 2, 2, 12, 4).unbind()
    real = torch.ones(2, 12, dtype=torch.bool)
    pattern = Window(4)
    compiled.compiled_attention(query, key, value, pattern, real)
    number = compiled._PATTERNS.index(pattern)
    states = (query, key, value.transpose(1, 2).contiguous().transpose(1, 2))
    attend, learn = torch.ops.longsum.tiled_attention, torch.ops.longsum.tiled_attention_backward
    output, sums = attend(*states, real, None, number, True)
    order, bucket = (torch.arange(12).expand(2, 4, 12).contiguous() // of for of in (1, 4))
    sort = (order, bucket, 3, 4)
    flat = query.flatten(0, 1), value.flatten(0, 1)
    found, log_sums = torch.ops.longsum.sorted_attention(*flat, *sort)
    for operator, given in (
        (attend, (*states, real, None, number, True)),
        (learn, (output, *states, output, sums, real, None, number)),
        (torch.ops.longsum.lsh_buckets, (query, real, 1, 2, 4, 4)),
        (torch.ops.longsum.sorted_attention, (*flat, *sort)),
        (torch.ops.longsum.sorted_attention_backward, (found, *flat, found, log_sums, *sort)),
    ):
        torch.library.opcheck(operator.default, given, test_utils="test_faketensor")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_model_compiles_to_one_graph_and_learns_the_same(kind) -> None:
    layers = {"encoder_layers": len(KINDS[kind]), "decoder_layers": 1}
    settings = {"encoder_attention": KINDS[kind], "dropout": 0.0, **layers, **MORE.get(kind, {})}
    model = LongsumForConditionalGeneration(config(**settings))
    more = {"importance": torch.rand(2, 21)} if model.config.reads_importance else {}
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    ids = torch.randint(3, model.config.vocab_size, (2, 21))
    right = torch.ones_like(ids)
    right[1, 15:] = 0
    for mask in (right, right.flip(1)):
        plain, fast = (call(ids, mask, labels=ids[:, :5], **more) for call in (model, compiled))
        torch.testing.assert_close(fast.logits, plain.logits)
        expected, found = (
            torch.autograd.grad(output.loss, [*model.parameters()], allow_unused=True)
            for output in (plain, fast)
        )
        torch.testing.assert_close(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("cross", CROSS)
def test_both_steps_of_the_decoder_compile_to_one_graph(cross) -> None:
    settings = {"cross_attention": CROSS[cross], "encoder_layers": 1, "decoder_layers": 1}
    model = LongsumForConditionalGeneration(config(**settings)).eval()
    ids = torch.randint(3, model.config.vocab_size, (2, 21))
    right = torch.ones_like(ids)
    right[1, 15:] = 0
    decoder = model.model.decoder
    compiled = torch.compile(decoder, fullgraph=True, backend="eager")
    given = {"encoder_attention_mask": right, "use_cache": True}
    found = []
    with torch.no_grad():
        given["encoder_hidden_states"] = model.model.encoder(ids, right).last_hidden_state
        for call in (decoder, compiled):
            begun = call(ids[:, :3], **given)
            step = call(ids[:, 3:4], past_key_values=begun.past_key_values, **given)
            found.append([begun.last_hidden_state, step.last_hidden_state])
    torch.testing.assert_close(*found)
