"""Adapters and quantized weights in the extractive models."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from torch.nn.utils import parametrizations

from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    FlatConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.models.networks.extractive.extractor_layers import score
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.units import ExtractiveModel, Units

pytestmark = pytest.mark.slow

Join = Callable[..., Units]
PLANS = torch.tensor([[[0, 2], [3, -1]], [[6, 1], [-1, -1]]])


def hibert(tiny: SentenceEncoderConfig) -> ExtractiveModel:
    document = DocumentEncoderConfig(2, 12, positions="places", places=(3, 3), headings=True)
    return Hibert(HibertConfig(True, tiny, document))


def flat(tiny: SentenceEncoderConfig) -> ExtractiveModel:
    return FlatSum(FlatConfig(True, tiny))


def batch(units: Units) -> dict[str, Any]:
    return {part.name: getattr(units, part.name) for part in fields(units)} | {"plans": PLANS}


@pytest.mark.parametrize("make", [hibert, flat])
def test_adapters_on_every_linear_layer_merge(
    tiny: SentenceEncoderConfig,
    randomise: Callable[..., None],
    units: Join,
    make: Callable[[SentenceEncoderConfig], ExtractiveModel],
) -> None:
    torch.manual_seed(0)
    inner = make(tiny).eval()
    randomise(inner)
    model, given = LongsumExtractor.of(inner), batch(units(4, 7))
    with torch.no_grad():
        before = model(**given).logits
        adapted = get_peft_model(model, LoraConfig(r=2, target_modules="all-linear"))
        assert any("salience" in name for name, part in adapted.named_modules() if "lora" in name)
        for name, weight in adapted.named_parameters():
            if "lora" in name:
                nn.init.normal_(weight, std=0.3)
        adapted.eval()
        unmerged = adapted(**given).logits
        merged = adapted.merge_and_unload()(**given).logits
    torch.testing.assert_close(unmerged, merged, atol=1e-4, rtol=1e-4)
    seen = before.isfinite()
    assert (unmerged[seen] - before[seen]).abs().max() > 0.05


@pytest.mark.parametrize("changed", [False, True])
def test_a_score_has_the_digits_of_fp32_under_autocast(changed: bool) -> None:
    torch.manual_seed(0)
    layer, states = nn.Linear(64, 1), torch.randn(3, 5, 64)
    if changed:
        parametrizations.weight_norm(layer)
    expected = layer(states)[..., 0]
    with torch.autocast("cpu", torch.bfloat16):
        found = score(layer, states)
        half = layer(states)[..., 0]
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, expected)
    assert (half - expected).abs().max() > 1e-4


def test_a_score_of_weights_in_bf16() -> None:
    layer = nn.Linear(64, 1).bfloat16()
    states = torch.randn(5, 64).bfloat16()
    expected = states.double() @ layer.weight[0].double() + layer.bias[0].double()
    plain = score(layer, states)
    parametrizations.weight_norm(layer)
    torch.testing.assert_close(plain.double(), expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(score(layer, states).double(), expected, atol=0.05, rtol=0.05)
