"""The model with an encoder of sections (HierEnc): definition, padding, cache, start, disk."""

from functools import partial

import pytest
import torch
from torch import Tensor

from longsum.models.attention.biases.section_tree import (
    NO_SECTION,
    ROOT,
    SectionTree,
    SelectedLabels,
    label_values,
)
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.sections import section_marks

from .conftest import attended, config, fed_forward, in_sections, randomised

SECTIONS = {
    "plain": {"layers": 2},
    "biased": {"layers": 2, "bias": {"kind": "hibrids_selected"}},
}
# The second section of the first row has no token, as a heading that is not read.
PARENTS = torch.tensor([[ROOT, ROOT, 1, 2, ROOT], [ROOT, 0, 0, NO_SECTION, NO_SECTION]])
FIRST = torch.tensor([0, 0, 2, 2, 2, 2, 2, 3, 3, 4, 4])
SECOND = torch.tensor([0, 0, 1, 1, 1, 2, 2])
inputs = partial(in_sections, (FIRST, SECOND), PARENTS)


def build(sections: str = "plain", **settings):
    return randomised(config(section_encoder=SECTIONS[sections], **settings)).double()


def encoded_sections(
    model: LongsumForConditionalGeneration, states: Tensor, parents: Tensor, kept: list[int]
) -> Tensor:
    """Apply plain Transformer layers to the states of marks, `[1, sections, D]`, written out."""
    labels = SelectedLabels().of(SectionTree(parents, parents))[:, kept][:, :, kept]
    for layer in model.model.decoder.section_encoder.layers:
        bias = layer.self_attn.bias
        added = None if bias is None else label_values(bias.table, labels)
        read = attended(layer.self_attn, states, states, added)
        states = fed_forward(layer, layer.self_attn_layer_norm(states + read))
    return states


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("sections", ["plain", "biased"])
def test_marks_go_through_plain_layers_to_every_decoder_layer(labels, sections, side) -> None:
    """Rohde et al. 2021, with sections in place of sentences."""
    model, given = build(sections), inputs(side=side)
    layers = model.model.decoder.layers
    seen: list[tuple[Tensor, Tensor]] = []
    for layer in layers:
        layer.encoder_attn_layer_norm.register_forward_hook(
            lambda _, __, found: seen.append((found, found))
        )
        layer.section_attn_layer_norm.register_forward_hook(
            lambda _, __, found: seen.append((seen.pop()[0], found))
        )
    with torch.no_grad():
        encoded = model(**given, labels=labels).encoder_last_hidden_state
        around = tuple(seen)
        for row, (places, kept) in enumerate(
            [([0, 2, 7, 9], [0, 2, 3, 4]), ([0, 2, 5], [0, 1, 2])]
        ):
            tokens = encoded[row][given["attention_mask"][row].bool()]
            parents = PARENTS[row : row + 1]
            keys = encoded_sections(model, tokens[places][None], parents, kept)
            for layer, (before, after) in zip(layers, around, strict=True):
                states = before[row : row + 1]
                expected = layer.section_attn_layer_norm(
                    states + attended(layer.section_attn, states, keys)
                )
                torch.testing.assert_close(after[row : row + 1], expected)


def test_sections_are_encoded_once_a_text() -> None:
    model, calls = build(), []
    model.model.decoder.section_encoder.register_forward_hook(lambda *_: calls.append(1))
    model.generate(**inputs(), max_new_tokens=6, min_new_tokens=6, num_beams=2)
    assert len(calls) == 1


def test_marks_are_the_first_tokens_of_sections() -> None:
    section_of = torch.tensor([[0, 0, 2, 2, 1], [0, 0, 0, 1, 1]])
    real = torch.tensor([[True] * 5, [False, False, True, True, False]])
    parents = torch.tensor([[ROOT, ROOT, 1, ROOT], [ROOT, ROOT, NO_SECTION, NO_SECTION]])
    marks = section_marks(SectionTree(section_of, parents), real)
    assert marks.present.tolist() == [[True, True, True, False], [True, True, False, False]]
    assert marks.places[0, :3].tolist() == [0, 4, 2]
    assert marks.places[1, :2].tolist() == [2, 3]
    hidden = torch.arange(10.0).view(2, 5, 1)
    assert marks.states(hidden)[0, :3, 0].tolist() == [0, 4, 2]
