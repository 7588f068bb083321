"""`torch.compile` of the model: no graph breaks, and the same numbers."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

pytestmark = pytest.mark.slow

DISTANCES = {"kind": "token_distance", "token_reach": 5, "global_biases": False}
KINDS = {
    "LED": {"kind": "pattern", "window": 4, "global_tokens": 1},
    "union": {"kind": "pattern", "window": 4, "stride": 5, "random_block": 4},
    "spans": {"kind": "adaptive_span", "window": 8, "global_tokens": 1, "span_ramp": 2},
    "sigmoid": {"kind": "adaptive_span", "window": 8, "span_parametrization": "sigmoid"},
    "BigBird": {"kind": "pattern", "sparse_block": 2, "sparse_random": 1},
    "distances": {"kind": "pattern", "window": 6, "global_tokens": 2, "random_block": 4},
    "lsh": {"kind": "lsh", "chunk": 4, "rounds": 2},
    "sinkhorn": {"kind": "sinkhorn", "block": 4},
}


@pytest.fixture(autouse=True)
def _afresh() -> None:
    torch._dynamo.reset()


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_compiles_to_one_graph_and_learns_the_same(
    config: Callable[..., Any], kind: str
) -> None:
    settings: dict[str, Any] = {"encoder_attention": KINDS[kind], "dropout": 0.0}
    settings |= {"encoder_layers": 1, "decoder_layers": 1}  # Each costs seconds.
    if kind == "distances":
        settings |= {"encoder_bias": DISTANCES, "decoder_token_reach": 5}
    model = LongsumForConditionalGeneration(config(**settings))
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    ids = torch.randint(3, model.config.vocab_size, (2, 21))
    right = torch.ones_like(ids)
    right[1, 15:] = 0
    for mask in (right, right.flip(1)):
        plain, fast = (_learned(each, model, ids, mask) for each in (model, compiled))
        for expected, found in zip(plain, fast, strict=True):
            torch.testing.assert_close(found, expected)


def _learned(call: Any, model: Any, ids: Tensor, mask: Tensor | None) -> list[Tensor]:
    output = call(ids, mask, labels=ids[:, :5])
    gradients = torch.autograd.grad(output.loss, [*model.parameters()], allow_unused=True)
    return [output.logits, *(each for each in gradients if each is not None)]


def test_a_step_of_the_decoder_compiles_to_one_graph(config: Callable[..., Any]) -> None:
    model = LongsumForConditionalGeneration(config()).eval()
    ids = torch.randint(3, model.config.vocab_size, (2, 21))
    encoded = model.model.encoder(ids).last_hidden_state
    decoder = model.model.decoder
    begun = decoder(ids[:, :3], encoder_hidden_states=encoded, use_cache=True)
    cache = begun.past_key_values
    told = torch._dynamo.explain(decoder)(
        ids[:, 3:4], encoder_hidden_states=encoded, past_key_values=cache, use_cache=True
    )
    assert told.graph_count == 1
