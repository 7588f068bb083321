"""Weights that are quantized, computed from others, or offloaded until a layer runs."""

import copy
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn
from torchao.quantization import (
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    quantize_,
)

from longsum.models.attention.cross import Hepos
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import KINDS, converted, logits, sources

pytestmark = pytest.mark.slow


TRIED = [kind for kind in KINDS if kind not in ("linformer", "lsh")]
each_kind = pytest.mark.parametrize(
    "kind", [*(KINDS[kind] for kind in TRIED), {"family": "longt5_tglobal"}], ids=[*TRIED, "longt5"]
)


@pytest.fixture
def given(labels: Tensor) -> dict[str, Tensor]:
    ids, mask = sources(13, 4)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def linears(model: nn.Module) -> dict[str, nn.Linear]:
    return {name: part for name, part in model.named_modules() if type(part) is nn.Linear}


@each_kind
def test_the_model_computes_with_its_int8_weights(given, kind) -> None:
    torch.manual_seed(4)
    plain = converted(kind)
    quantized = copy.deepcopy(plain)
    quantize_(quantized, Int8WeightOnlyConfig())
    before = logits(plain, **given)
    with torch.no_grad():
        for name, layer in linears(plain).items():
            layer.weight = nn.Parameter(quantized.get_submodule(name).weight.dequantize())
    found = logits(quantized, **given)
    torch.testing.assert_close(found, logits(plain, **given), atol=2e-5, rtol=1e-4)
    assert (found - before).abs().max() > 1e-3


@pytest.mark.parametrize("stride", [1, 2, 4])
def test_quantized_activations_are_those_of_each_token(stride: int) -> None:
    """Int8 by int8: a token's keys must not depend on how the source is folded."""
    torch.manual_seed(0)
    layer = nn.Linear(32, 64).requires_grad_(False)
    hidden = torch.randn(1, 13, 32)
    holder = nn.Sequential(layer)
    quantize_(holder, Int8DynamicActivationInt8WeightConfig())
    pattern = Hepos(stride)
    source = pattern.fold(hidden)
    found = source.project(holder[0], 8)
    whole = holder[0](hidden)[0].view(13, 8, 8)
    for head in range(8):
        seen = source.seen[0, head % stride]
        places = source.places[0, head % stride][seen]
        torch.testing.assert_close(found[0, head][seen], whole[places, head])


def loaded_in_parts(model, folder: Path):
    model.save_pretrained(folder / "saved")
    size = sum(weight.nbytes for weight in model.parameters())
    loaded = LongsumForConditionalGeneration.from_pretrained(
        folder / "saved",
        device_map="auto",
        max_memory={"cpu": size // 2},
        offload_folder=folder / "offload",
    )
    assert "disk" in loaded.hf_device_map.values()
    return loaded


@each_kind
def test_weights_that_are_elsewhere_are_fetched(given, tmp_path, kind) -> None:
    torch.manual_seed(4)
    model = converted(kind)
    # Of the first source, which has an odd number of tokens, too.
    alone = {name: each[:1] for name, each in given.items()}
    expected, single = logits(model, **given), logits(model, **alone)
    beams = {"num_beams": 3, "max_new_tokens": 6, "min_new_tokens": 6}
    source = {name: given[name] for name in ("input_ids", "attention_mask")}
    written = model.generate(**source, **beams)
    away = loaded_in_parts(model, tmp_path)
    assert any(weight.is_meta for weight in away.parameters())
    torch.testing.assert_close(logits(away, **given), expected, atol=2e-5, rtol=1e-4)
    torch.testing.assert_close(logits(away, **alone), single, atol=2e-5, rtol=1e-4)
    assert torch.equal(away.generate(**source, **beams), written)


@each_kind
def test_a_hook_hears_every_linear_layer(given, kind) -> None:
    model = converted(kind)
    expected = logits(model, **given)
    heard: set[str] = set()
    for name, layer in linears(model).items():
        layer.register_forward_hook(lambda *_, name=name: heard.add(name))
    torch.testing.assert_close(logits(model, **given), expected, atol=2e-5, rtol=1e-4)
    assert heard == set(linears(model))
