"""The model that a folder loads is the one that its settings describe."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.networks.hugging_face import (
    load_config,
    load_generation,
    load_model,
    load_tokenizer,
    weights_of,
)
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes


def _config(**other: object) -> LongsumSeq2SeqConfig:
    sizes = tiny_sizes(16, 2, 16, positions=(40, 8))
    return LongsumSeq2SeqConfig(vocab_size=31, **sizes, **other)


@pytest.mark.parametrize(("more", "says"), [(1, "it lacks"), (-1, "it has no place for")])
def test_weights_that_are_not_those_of_the_settings_are_refused(tmp_path, more, says) -> None:
    LongsumForConditionalGeneration(_config()).save_pretrained(tmp_path)
    file = tmp_path / "config.json"
    settings = json.loads(file.read_text())
    file.write_text(json.dumps(settings | {"encoder_layers": settings["encoder_layers"] + more}))
    with pytest.raises(LongsumError, match=rf"{says} .*encoder\.layers\..* such weights\)"):
        load_model(LongsumForConditionalGeneration, tmp_path)


@pytest.mark.parametrize(
    ("more", "allowed"), [(1, {"new": ["layers.2"]}), (-1, {"spare": ["other", "layers.1."]})]
)
def test_weights_may_be_missing_or_left_over_only_if_allowed(tmp_path, more, allowed) -> None:
    made = LongsumForConditionalGeneration(_config())
    made.save_pretrained(tmp_path)
    file = tmp_path / "config.json"
    settings = json.loads(file.read_text())
    file.write_text(json.dumps(settings | {"encoder_layers": 2 + more}))
    loaded = load_model(LongsumForConditionalGeneration, tmp_path, **allowed)
    assert loaded.config.name_or_path == loaded.name_or_path == str(tmp_path)
    assert not loaded.training
    assert len(loaded.get_encoder().layers) == 2 + more
    for name, weight in loaded.state_dict().items():
        if "encoder.layers.2" not in name:
            assert torch.equal(weight, made.state_dict()[name])
    for others in ({name: ["layers.7"] for name in allowed}, {}):
        with pytest.raises(LongsumError, match="do not match its weights"):
            load_model(LongsumForConditionalGeneration, tmp_path, **others)


def test_the_error_names_what_a_folder_contains_instead(tmp_path: Path) -> None:
    LongsumForConditionalGeneration(_config()).save_pretrained(tmp_path)
    settings = json.loads((tmp_path / "config.json").read_text())

    def refused(load: Callable[[Path], object], problem: str) -> None:
        with pytest.raises(LongsumError, match=problem):
            load(tmp_path)

    def write(name: str, **changed: object) -> None:
        (tmp_path / name).write_text(json.dumps(changed))

    load_whole = partial(load_model, LongsumForConditionalGeneration)
    write("generation_config.json", num_beams=3, max_length=7)
    assert (load_generation(tmp_path).num_beams, load_generation(tmp_path).max_length) == (3, 7)
    write("generation_config.json", cache_implementation="none")
    refused(load_generation, r"generation_config.json' holds settings for generation that cannot")
    (tmp_path / "generation_config.json").unlink()
    write("config.json", **settings, num_beams=4)
    assert load_generation(tmp_path).num_beams == 4
    refused(load_tokenizer, "no tokenizer")
    write("config.json", **settings | {"d_model": 6})
    refused(load_whole, "cannot be loaded")
    write("config.json", **settings | {"model_type": "x" * 50})
    refused(load_config, f"belongs to a model of the kind '{'x' * 40}', which neither longsum nor")
    write("config.json", **settings | {"model_type": "bart", "id2label": 3})
    refused(load_config, "holds settings that cannot be used")
    write("tokenizer_config.json", tokenizer_class="BertTokenizer")
    (tmp_path / "tokenizer.json").write_text('{"model": 3}')
    refused(load_tokenizer, "has no tokenizer that can be read")


@pytest.mark.parametrize(("length", "shown"), [(100, "x" * 100 + ")"), (300, "…)")])
def test_settings_that_make_no_model_are_reported_in_one_line(monkeypatch, length, shown) -> None:
    def broken(*_: object) -> None:
        raise ValueError("y\n" + "x" * length)

    monkeypatch.setattr(LongsumForConditionalGeneration, "__init__", broken)
    with pytest.raises(LongsumError, match="settings make no model") as caught:
        weights_of(LongsumForConditionalGeneration, _config())
    assert "y x" in str(caught.value)
    assert shown in str(caught.value)
    assert len(str(caught.value)) < 300
