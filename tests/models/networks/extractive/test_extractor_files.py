import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import DocumentEncoderConfig, FlatConfig, HibertConfig
from longsum.models.networks.extractive.extractor_files import (
    ARCHITECTURES,
    build,
    load_extractor,
    save_extractor,
)
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.units import ExtractiveModel

from .conftest import SMALL_ETC, randomised, score, units

PLACED = DocumentEncoderConfig(layers=2, feed_forward=12, positions="places", places=(3, 3))
PLANS = torch.tensor([[[0, 2], [3, -1]], [[6, 1], [-1, -1]]])

Make = Callable[[str], ExtractiveModel]


@pytest.fixture
def make(tiny) -> Make:
    settings = {
        "hibert": HibertConfig(True, tiny, PLACED),
        "flat": FlatConfig(False, tiny),
        "etc": SMALL_ETC,
    }
    return lambda architecture: randomised(lambda: build(architecture, settings[architecture]))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_loaded_model_equals_the_saved_one(architecture, make, tmp_path) -> None:
    model = make(architecture)
    save_extractor(model.train(), tmp_path / "new")
    loaded = load_extractor(tmp_path / "new")
    assert type(loaded) is type(model)
    assert loaded.config == model.config
    assert not loaded.training
    assert all(parameter.requires_grad for parameter in loaded.parameters())
    assert torch.equal(score(loaded, units(4, 7), PLANS), score(model.eval(), units(4, 7), PLANS))


def test_the_weights_saved_last_are_loaded(make: Make, tmp_path: Path) -> None:
    model = make("flat")
    for compact, limit in ((False, None), (True, 400), (True, None), (False, None)):
        with torch.no_grad():
            model.get_parameter("salience.bias").add_(1)
        save_extractor(model, tmp_path, compact=compact, limit=limit)
        loaded = load_extractor(tmp_path).get_parameter("salience.bias")
        torch.testing.assert_close(loaded, model.get_parameter("salience.bias"), atol=2e-3, rtol=0)


def test_loading_needs_no_transformers() -> None:
    code = "import sys, longsum.models.networks.extractive; sys.exit('transformers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def _change(**values) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        (folder / "config.json").write_text(json.dumps(config | values), encoding="utf-8")

    return change


def _cut(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).write_bytes((folder / name).read_bytes()[:-9])


def _rename(old: str, new: str) -> Callable[[Path], None]:
    def rename(folder: Path) -> None:
        state = load_file(folder / "model.safetensors")
        state[new] = state.pop(old)
        save_file(state, folder / "model.safetensors")

    return rename


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: (folder / "config.json").unlink(), r"has no readable config\.json"),
        (lambda folder: (folder / "model.safetensors").unlink(), r"has no model\.safetensors"),
        (_cut("config.json"), r"config\.json' is damaged"),
        (_cut("model.safetensors"), r"model\.safetensors' is damaged"),
        (_change(model_type="bert"), "holds no extractive model"),
        (_change(architecture=None), "no extractive model 'None'"),
        (_change(settings=None), "settings cannot be None"),
        (_change(settings={"depth": 3}), "no setting 'depth'; choose among .*stepwise"),
        (_change(settings={"encoder": {"layers": "two"}}), "\"two\" as 'layers'"),
        (_change(settings={"encoder": {"size": 12}}), "has another size|lacks"),
        (_change(settings={"encoder": {"heads": 5}}), "cannot be divided among 5 heads"),
        (_change(architecture="hibert", settings={}), "lacks sentence_encoder"),
        (_rename("extractor.salience.bias", "extractor.bias"), r"lacks salience\.bias"),
    ],
)
def test_files_that_are_missing_damaged_or_unfitting_are_refused(
    spoil, problem, make, tmp_path
) -> None:
    save_extractor(make("flat"), tmp_path)
    spoil(tmp_path)
    with pytest.raises(LongsumError, match=problem):
        load_extractor(tmp_path)


def test_a_missing_part_is_refused(make: Make, tmp_path: Path) -> None:
    save_extractor(make("flat"), tmp_path, compact=True, limit=400)
    next(iter(tmp_path.glob("compact-00002-of-*"))).unlink()
    with pytest.raises(LongsumError, match="has no compact-00002-of-"):
        load_extractor(tmp_path)


def test_models_of_other_kinds_are_not_saved(tiny, tmp_path: Path) -> None:
    class Other(FlatSum):
        pass

    with pytest.raises(LongsumError, match="Other cannot be saved"):
        save_extractor(Other(FlatConfig(True, tiny)), tmp_path)
