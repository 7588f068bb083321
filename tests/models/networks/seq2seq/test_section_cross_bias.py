"""The decoder with section biases: Eq. 3 of HIBRIDS between its last two layers."""

from functools import partial

import pytest
import torch
from torch import Tensor

from longsum.models.attention.biases import section_cross_bias
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree, label_values
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import CROSS, config, in_sections, logits, randomised

HEADS = 4
BIASES = {
    "plain": {"kind": "hibrids"},
    "shared": {"kind": "hibrids", "shared": True},
    "head_by_head": {"kind": "hibrids", "average": False},
    "selected": {"kind": "hibrids_selected"},
}
PARENTS = torch.tensor([[ROOT, ROOT, 1, 2, ROOT], [ROOT, 0, 0, NO_SECTION, NO_SECTION]])
SECTION_OF = (torch.tensor([0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]), torch.tensor([0, 0, 1, 1, 1, 2, 2]))
inputs = partial(in_sections, SECTION_OF, PARENTS)


@pytest.fixture(autouse=True, params=["few", "many"])
def queries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few and many queries take different code paths; here all take one of them."""
    monkeypatch.setattr(section_cross_bias, "_FEW", 1000 if request.param == "few" else 0)


def build(cross: str = "full", bias: str = "plain"):
    model = randomised(config(cross_attention=CROSS[cross], decoder_bias=BIASES[bias]))
    # Biases that show.
    with torch.no_grad():
        model.model.decoder.section_bias.table.mul_(20.0)
    return model.double()


def watch(model: LongsumForConditionalGeneration) -> list[tuple]:
    """Record inputs and outputs of the last two cross-attentions."""
    seen = []
    for layer in model.model.decoder.layers[-2:]:
        layer.encoder_attn.register_forward_hook(
            lambda _, given, found: seen.append((given[0].detach(), found[0].detach()))
        )
    return seen


def states_of(attention, hidden: Tensor, encoded: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return query, key and value of one row, `[h, t or n, d]`."""
    query, key, value = (
        project(rows).unflatten(-1, (HEADS, -1)).transpose(0, 1)
        for project, rows in (
            (attention.q_proj, hidden),
            (attention.k_proj, encoded),
            (attention.v_proj, encoded),
        )
    )
    return query * query.shape[-1] ** -0.5, key, value


@pytest.mark.parametrize(
    ("cross", "bias", "side"),
    [
        ("full", "plain", "right"),
        ("hepos", "shared", "left"),
        ("contiguous", "head_by_head", "right"),
        ("hepos", "selected", "right"),
    ],
)
def test_the_last_layer_is_biased_by_equation_3(labels, cross, bias, side) -> None:
    model, given = build(cross, bias), inputs(4, side)
    seen = watch(model)
    with torch.no_grad():
        output = model(**given, labels=labels)
    visible = model.config.cross_pattern().visible(HEADS, 11, given["attention_mask"].bool())
    module = model.model.decoder.section_bias
    tree = SectionTree(given["section_of"], given["section_parents"])
    pairs = label_values(module.table, module.labelling.of(tree)).detach()
    earlier, last = (layer.encoder_attn for layer in model.model.decoder.layers[-2:])
    for row in range(2):
        real = given["attention_mask"][row].bool()
        section_of = given["section_of"][row][real]
        encoded = output.encoder_last_hidden_state[row][real]
        hidden = visible.expand(2, -1, -1, -1)[row, :, :, real]
        query, key, _ = states_of(earlier, seen[0][0][row], encoded)
        weights = (query @ key.mT).masked_fill(~hidden, -torch.inf).softmax(-1)
        if module.average:
            weights = weights.mean(0).expand(HEADS, -1, -1)
        query, key, value = states_of(last, seen[1][0][row], encoded)
        heads = []
        for head in range(HEADS):
            table = pairs[row, head % pairs.shape[1]]
            added = weights[head] @ table[section_of[:, None], section_of]
            scores = (query[head] @ key[head].T + added).masked_fill(~hidden[head], -torch.inf)
            heads.append(scores.softmax(-1) @ value[head])
        expected = last.out_proj(torch.cat(heads, dim=-1))
        torch.testing.assert_close(seen[1][1][row], expected)


@pytest.mark.parametrize("cross", ["hepos", "linformer"])
def test_a_table_of_zeros_changes_nothing(labels, cross) -> None:
    model, given = build(cross), inputs()
    plain = LongsumForConditionalGeneration(config(cross_attention=CROSS[cross])).double().eval()
    plain.load_state_dict(model.state_dict(), strict=False)
    expected, biased = (logits(each, **given, labels=labels) for each in (plain, model))
    torch.nn.init.zeros_(model.model.decoder.section_bias.table)
    found = logits(model, **given, labels=labels)
    torch.testing.assert_close(found, expected)
    assert (biased - expected).abs().max() > 1e-3


def test_gradients_reach_the_weights_of_the_layer_before(labels) -> None:
    """Eq. 3 depends on its queries and keys, but not on its values."""
    model, given = build(), inputs()
    earlier = model.model.decoder.layers[-2].encoder_attn
    with torch.no_grad():
        # What it reads goes nowhere but into the bias.
        earlier.out_proj.weight.zero_()
    model(**given, labels=labels).loss.backward()
    assert earlier.q_proj.weight.grad.abs().max() > 1e-6
    assert not earlier.v_proj.weight.grad.any()
