"""What the script trains that makes the networks of MLS."""

import sys
from argparse import Namespace
from pathlib import Path

import pytest

from longsum.core.recipes import load_recipe
from longsum.models.training.words.run_words import WORDS

sys.path.insert(0, str(Path(__file__).parents[2] / "gpu"))
import train_words


@pytest.fixture
def options(tmp_path: Path) -> Namespace:
    return Namespace(
        output=tmp_path,
        steps=40,
        coverage_steps=4,
        convolutional_steps=30,
        tuning_steps=20,
        settings=["training.batch=3", "model.max_source_tokens=70"],
    )


def test_all_runs_are_possible(options: Namespace) -> None:
    runs = train_words.pretraining(options) | train_words.tuning(options)
    assert len(runs) == 8
    for name, own in runs.items():
        settings = WORDS.settings_of(load_recipe(train_words.write_recipe(name, own, options)), {})
        assert (settings.training.batch, settings.model["max_source_tokens"]) == (3, 70)
        assert (settings.architecture == "convolutional") == name.startswith("convolutional")
        assert settings.data.words == "sumpubmed+squality+qmsum"


def test_only_mls_star_starts_from_nothing_on_a_stand_in(options: Namespace) -> None:
    for name, settings in train_words.tuning(options).items():
        kind, data = name.split("-")
        assert settings["data"]["names"] == data
        start = None if kind == "star" else str(options.output / kind)
        assert settings.get("start") == start
