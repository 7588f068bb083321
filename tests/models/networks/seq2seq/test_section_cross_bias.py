"""The decoder with biases of sections: Eq. 3 of HIBRIDS between its last two layers."""

from functools import partial
from typing import Any

import pytest
import torch

from longsum.models.attention.biases import section_cross_bias
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import CROSS, Build, Config, in_sections, logits, randomised

PARENTS = torch.tensor([[ROOT, ROOT, 1, 2, ROOT], [ROOT, 0, 0, NO_SECTION, NO_SECTION]])
SECTION_OF = (torch.tensor([0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4]), torch.tensor([0, 0, 1, 1, 1, 2, 2]))
inputs = partial(in_sections, SECTION_OF, PARENTS)


@pytest.fixture(autouse=True, params=["few", "many"])
def queries(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few queries and many take different ways; here all take the one or the other."""
    monkeypatch.setattr(section_cross_bias, "_FEW", 1000 if request.param == "few" else 0)


@pytest.fixture
def build(config: Config) -> Build:
    def make(cross: str = "full") -> Any:
        settings = {"cross_attention": CROSS[cross], "decoder_bias": {"kind": "hibrids"}}
        model = randomised(config(**settings))
        # Biases that show.
        with torch.no_grad():
            model.model.decoder.section_bias.table.mul_(20.0)
        return model.double()

    return make


@pytest.mark.parametrize("cross", ["hepos", "linformer"])
def test_a_table_of_zeros_changes_nothing(build, config, labels, cross) -> None:
    model, given = build(cross), inputs()
    plain = LongsumForConditionalGeneration(config(cross_attention=CROSS[cross])).double().eval()
    plain.load_state_dict(model.state_dict(), strict=False)
    expected, biased = (logits(each, **given, labels=labels) for each in (plain, model))
    torch.nn.init.zeros_(model.model.decoder.section_bias.table)
    found = logits(model, **given, labels=labels)
    torch.testing.assert_close(found, expected)
    assert (biased - expected).abs().max() > 1e-3


def test_gradients_reach_the_weights_of_the_layer_before(build, labels) -> None:
    """Its values do not depend on its queries and keys alone: Eq. 3 does."""
    model, given = build(), inputs()
    earlier = model.model.decoder.layers[-2].encoder_attn
    with torch.no_grad():
        # What it reads goes nowhere but into the bias.
        earlier.out_proj.weight.zero_()
    model(**given, labels=labels).loss.backward()
    assert earlier.q_proj.weight.grad.abs().max() > 1e-6
    assert not earlier.v_proj.weight.grad.any()
