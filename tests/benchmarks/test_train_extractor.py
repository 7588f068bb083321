"""What the scripts train that compare extractors."""

import argparse
import sys
from pathlib import Path

import pytest

from longsum.core.encoder.extractor_settings import read_settings
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.models.training.extraction.run_extraction import EXTRACTION

sys.path.insert(0, str(Path(__file__).parents[2] / "gpu"))
import held_out_genre
import train_extractor

BASE = load_recipe("stepwise-small").settings


@pytest.mark.parametrize("name", train_extractor.SYSTEMS)
def test_a_recipe_is_written_that_trains(name: str, tmp_path: Path) -> None:
    recipe = load_recipe(train_extractor.write_recipe(name, tmp_path))
    found = EXTRACTION.settings_of(recipe, {})
    assert found.data.names == BASE["data"]["names"]
    assert found.rouge_documents == 0
    read_settings(found.architecture, found.model)
    stepwise = found.model.get("stepwise", True)
    assert (found.task.history.per_word is None) == (
        not stepwise or name in ("f1-targets", "hard-targets")
    )


def test_systems_differ_from_the_first_in_what_they_say() -> None:
    for name, changes in train_extractor.SYSTEMS.items():
        settings = BASE
        for change in changes:
            settings = merged(settings, change)
        assert (settings == BASE) == (name == "stepwise")


@pytest.mark.parametrize("genre", [held_out_genre.ALL, *held_out_genre.GENRES])
def test_a_genre_is_left_out_as_a_whole(genre: str) -> None:
    options = argparse.Namespace(
        output=Path("out"), checkpoint="c", steps=7, settings=["training.batch=2"]
    )
    command = held_out_genre.command(genre, options)
    (names,) = (each.removeprefix("data.names=") for each in command if "data.names" in each)
    left_out = set(BASE["data"]["names"].split("+")) - set(names.split("+"))
    assert left_out == set(held_out_genre.GENRES.get(genre, ()))
    assert command[-1] == "training.batch=2"


def test_genres_are_made_of_what_is_learned_from() -> None:
    sets = [name for genre in held_out_genre.GENRES.values() for name in genre]
    assert len(sets) == len(set(sets))
    assert set(sets) <= set(BASE["data"]["names"].split("+"))
