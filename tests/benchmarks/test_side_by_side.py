"""The trainings of the scripts that compare systems on a GPU."""

from collections.abc import Iterator

import pytest
import side_by_side
import train_structure
import train_top_down
import yaml

from longsum.core.recipes import load_recipe
from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
from longsum.models.training.run_seq2seq import SEQ2SEQ


def systems() -> Iterator[tuple]:
    for name in (*train_top_down.SYSTEMS, *train_top_down.WINDOWS, train_top_down.ADAPOOL):
        yield name, train_top_down.system_settings(name, "a-tagger")
    for name in train_structure.SYSTEMS:
        yield name, train_structure.system_settings(name, "summaries")


@pytest.mark.parametrize(("name", "settings"), list(systems()))
def test_a_recipe_is_written_that_trains(name, settings, tmp_path) -> None:
    arguments = [str(tmp_path), "--steps", "40", "--set", "training.batch=3"]
    options = side_by_side.parser("", [name]).parse_args(arguments)
    path = side_by_side.write_recipe(name, settings, options)
    found = SEQ2SEQ.settings_of(load_recipe(path), {})
    assert (found.training.steps, found.training.warmup_steps) == (40, 4)
    assert found.training.batch == 3
    assert found.training.optimizer == "adamw"
    assert found.task.source_tokens == 2048
    LongsumSeq2SeqConfig(encoder_layers=6, **found.model)
    assert yaml.safe_load(path.read_text(encoding="utf-8"))["name"] == name


def test_windows_differ_and_nothing_else_does() -> None:
    base = train_top_down.system_settings("top-down", None)
    windows = []
    for name in train_top_down.WINDOWS:
        settings = train_top_down.system_settings(name, None)
        windows.append(settings["model"]["encoder_attention"].pop("window"))
        settings["model"]["encoder_attention"]["window"] = train_top_down.WINDOW
        assert settings == base
    assert sorted([*windows, train_top_down.WINDOW]) == [32, 64, 128, 256, 512, 1024]


@pytest.mark.parametrize(
    ("name", "importance"),
    [("top-down-oracle-adapool", "oracle"), ("top-down-adapool", "tagger")],
)
def test_only_adapool_has_a_tagger(name: str, importance: str) -> None:
    task = train_top_down.system_settings(name, "a-tagger")["task"]
    assert task["importance"] == importance
    assert (task["tagger"] == "a-tagger") == (importance == "tagger")
