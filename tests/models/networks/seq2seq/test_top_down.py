"""The model with segments above its tokens: definition, padding, start, conversion, disk."""

import pytest
import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_tree import SectionTree, label_values
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import TOKENS, TOP_DOWN, attended, config, fed_forward, inputs, randomised, sources

BASE = {"layers": 2, "segment_layers": 1, "kernel": 4, "stride": 3}


def build(kind: str = "average", **settings):
    own = {"encoder_layers": 3, "encoder_attention": {"window": 4}, "dropout": 0.0}
    return randomised(config(top_down=BASE | TOP_DOWN[kind], **own, **settings)).double()


def pooled(states: Tensor, weights: Tensor | None) -> Tensor:
    """Means over windows of 4 tokens, one every 3, `[1, n, D]` to `[1, M, D]`."""
    weights = torch.ones(1, states.shape[1]) if weights is None else weights
    starts = range(0, max(states.shape[1] - 4, 0) + 3, 3)
    spans = [slice(start, start + 4) for start in starts]
    rows = [weights[0, span].double() @ states[0, span] / weights[0, span].sum() for span in spans]
    return torch.stack(rows)[None]


@pytest.mark.parametrize(
    ("side", "kind", "bias"),
    [
        ("right", "average", {"kind": "hibrids_selected"}),
        ("left", "adaptive", None),
        ("right", "concat", None),
    ],
)
def test_segments_and_top_down_layers_written_out(kind, side, bias) -> None:
    model = build(kind, encoder_bias=bias)
    given = inputs(model, side=side)
    encoder, real = model.get_encoder(), given["attention_mask"][1].bool()
    seen = {}
    for layer in encoder.layers:
        layer.self_attn_layer_norm.register_forward_hook(
            lambda norm, _, found: seen.__setitem__(norm, found)
        )
    with torch.no_grad():
        states = encoder(**given, output_hidden_states=True).hidden_states
        tokens = states[1][1:, real]
        weights = given["importance"][1:, real] if kind == "adaptive" else None
        segments = pooled(tokens, weights)
        # Ten tokens in a section and nine in another: three segments in each, by most of theirs.
        labels = None
        if bias is not None:
            tree = SectionTree(given["section_of"], given["section_parents"])
            labels = encoder.biases.labels(tree).pairs[1:]
            labels = labels[:, [0] * 3 + [1] * 3][..., [0] * 3 + [1] * 3]
        for layer in encoder.segments.layers:
            attention = layer.self_attn
            added = None if labels is None else label_values(attention.bias.table, labels)
            read = attended(attention, segments, segments, added)
            segments = fed_forward(layer, layer.self_attn_layer_norm(segments + read))
        for number in (1, 2):
            layer = encoder.layers[number]
            local = seen[layer.self_attn_layer_norm][1:, :19]
            if kind == "concat":
                own = [[s for s in range(6) if 3 * s <= place < 3 * s + 4] for place in range(19)]
                means = torch.stack([segments[0, each].mean(dim=0) for each in own])[None]
                read = layer.segment_update.proj(torch.cat([local, means], dim=-1))
            else:
                read = attended(layer.segment_update, local, segments)
            expected = fed_forward(layer, layer.segment_update_layer_norm(local + read))
            torch.testing.assert_close(states[number + 1][1:, real], expected)


def test_importance_of_two_levels_written_out() -> None:
    """A segment of segments is their mean, weighted by their importance."""
    model = build("two levels")
    given = inputs(model)
    level, made = model.get_encoder().segments, []
    # What enters the layers of a level is what was pooled for it.
    for each in (level, level.above):
        each.layers[0].register_forward_pre_hook(lambda _, taken: made.append(taken[0]))
        each.layers[0].register_forward_hook(lambda _, __, found: made.append(found))
    seen: list[Tensor] = []
    level.register_forward_pre_hook(lambda _, taken: seen.append(taken[0]))
    with torch.no_grad():
        model.get_encoder()(**given)
    # The first source is whole: 30 tokens, ten windows of them, and three of windows.
    weights, tokens = given["importance"][:1], seen[0][:1]
    first, first_read, second, _ = (each[:1] for each in made)
    weights = weights / weights.amax()
    torch.testing.assert_close(first, pooled(tokens, weights))
    averages = pooled(weights[..., None].double(), None)[..., 0]
    assert averages.std() > 0.05
    torch.testing.assert_close(second, pooled(first_read, averages))


@pytest.mark.parametrize("update", ["cross", "none"])
def test_distant_tokens_are_read_only_through_segments(update) -> None:
    torch.manual_seed(0)
    settings = BASE | {"update": update}
    model = LongsumForConditionalGeneration(
        config(encoder_attention={"window": 4}, top_down=settings, init_std=0.3)
    )
    ids, _ = sources(TOKENS, 0)
    changed = ids.clone()
    changed[:, -1] = (ids[:, -1] + 1) % 50
    with torch.no_grad():
        before, after = (
            model.eval().get_encoder()(each).last_hidden_state for each in (ids, changed)
        )
    # Two layers carry a token four places.
    moved = (before - after).abs().amax(dim=-1)[:, : TOKENS - 5]
    assert bool((moved > 1e-6).all()) == (update != "none")
    assert bool((moved == 0).all()) == (update == "none")


@pytest.mark.parametrize("scale", [2.0**-100, 2.0**127])
def test_importance_may_be_of_any_scale(scale) -> None:
    encoder = build("two levels").get_encoder().float()
    given = inputs(encoder)
    importance, real = given.pop("importance"), given["attention_mask"].bool()
    with torch.no_grad():
        first, scaled = (
            encoder(**given, importance=each).last_hidden_state[real]
            for each in (importance, importance * scale)
        )
    torch.testing.assert_close(scaled, first)


def test_biases_of_token_distances_are_none_of_segments() -> None:
    encoder = build(encoder_bias={"kind": "token_distance", "token_reach": 4}).get_encoder()
    assert encoder.layers[2].self_attn.bias is not None
    assert encoder.segments.layers[0].self_attn.bias is None


@pytest.mark.parametrize(
    ("importance", "message"),
    [
        (None, "give importance"),
        (torch.ones(2, 7), r"got importance of the shape \(2, 7\)"),
        (-torch.ones(2, TOKENS), "negative or no number"),
        (torch.full((2, TOKENS), torch.nan), "negative or no number"),
    ],
)
def test_importance_that_does_not_fit(importance, message) -> None:
    with pytest.raises(LongsumError, match=message):
        build("adaptive").get_encoder()(*sources(TOKENS, 11), importance=importance)
