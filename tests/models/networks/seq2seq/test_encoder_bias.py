"""The model with biases of its encoder: inputs, padding, conversion, training, disk, generation."""

import pytest
import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import PARENTS, SECTION_OF, TOKENS, config, randomised, sources

SECTIONS = {"section_of": SECTION_OF, "section_parents": PARENTS}
ATTENTIONS = {
    "window": {"window": 8, "global_tokens": 1},
    "adaptive_span": {"kind": "adaptive_span", "window": 8},
    "lsh": {"kind": "lsh", "chunk": 4},
}


def build(bias: dict, **settings):
    made = randomised(config(encoder_bias=bias, **settings), 1)
    with torch.no_grad():
        for table in tables(made):
            table.mul_(5)
    return made


def tables(model: LongsumForConditionalGeneration) -> list[Tensor]:
    return [layer.self_attn.bias.table for layer in model.model.encoder.layers]


@pytest.mark.parametrize("separate", [True, False])
@pytest.mark.parametrize("everywhere", [True, False])
def test_queries_of_global_tokens_have_biases_unless_they_are_to_have_none(
    separate, everywhere
) -> None:
    """The table changes what the first token reads in the first layer only if it should."""
    torch.manual_seed(0)
    model = LongsumForConditionalGeneration(
        config(
            encoder_layers=1,
            encoder_bias={"global_biases": everywhere, "start": "zeros"},
            encoder_attention=ATTENTIONS["window"],
            global_projections=separate,
        )
    ).eval()
    ids, mask = sources(TOKENS, 11)
    before = model.get_encoder()(ids, mask, **SECTIONS).last_hidden_state
    torch.nn.init.normal_(tables(model)[0], std=3.0)
    after = model.get_encoder()(ids, mask, **SECTIONS).last_hidden_state
    moved = (after - before).abs().amax(dim=-1)
    assert bool((moved[:, 0] > 1e-5).all()) == everywhere
    assert (moved[0, 1:] > 1e-6).float().mean() > 0.5


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_autocast_is_near(labels, attention) -> None:
    model = build({}, encoder_attention=ATTENTIONS[attention], dropout=0.0)
    ids, mask = sources(TOKENS, 11)
    losses = []
    for enabled in (False, True):
        with torch.autocast("cpu", torch.bfloat16, enabled=enabled):
            losses.append(model(ids, mask, labels=labels, **SECTIONS).loss)
        losses[-1].backward()
    assert losses[0].item() == pytest.approx(losses[1].item(), rel=0.02)
    assert all(table.grad.isfinite().all() and table.grad.any() for table in tables(model))


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({}, "reads sections; give section_of"),
        ({"section_of": SECTION_OF}, "give section_of, .* and section_parents"),
        ({**SECTIONS, "section_of": SECTION_OF[:, 1:]}, r"section_of of the shape \(2, 29\)"),
        ({**SECTIONS, "section_parents": PARENTS[:1]}, r"section_parents of \(1, 4\)"),
        ({**SECTIONS, "section_of": SECTION_OF + 1}, "names section 4, which its row"),
        ({**SECTIONS, "section_of": SECTION_OF - 2}, "names section -2, which its row"),
        # Itself: who climbs to the root would never get there.
        ({**SECTIONS, "section_parents": PARENTS + 1}, "does not come before its own"),
        # The least is −2, for none.
        ({**SECTIONS, "section_parents": PARENTS.clamp(max=-3)}, "−1 above .* and −2 for none"),
    ],
)
def test_sections_that_do_not_fit(labels, sections, message) -> None:
    ids, mask = sources(TOKENS, 0)
    with pytest.raises(LongsumError, match=message):
        build({})(ids, mask, labels=labels, **sections)


def test_a_model_without_biases_leaves_sections_and_distances_need_none(labels) -> None:
    ids, mask = sources(TOKENS, 11)
    distances = build({"kind": "token_distance", "token_reach": 4})
    for model in (distances, LongsumForConditionalGeneration(config()).eval()):
        found = model(ids, mask, labels=labels, **SECTIONS).logits
        torch.testing.assert_close(found, model(ids, mask, labels=labels).logits)
