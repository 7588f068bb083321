"""The trainings of the scripts that compare extractors, and make realizers and MLS's networks."""

from argparse import Namespace
from pathlib import Path

import held_out_genre
import pytest
import train_extractor
import train_realizer
import train_words

from longsum.core.encoder.extractor_settings import read_settings
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import merged
from longsum.models.training.documents import parts_of
from longsum.models.training.extraction.run_extraction import EXTRACTION
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.words.run_words import WORDS

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


def test_systems_differ_from_the_first_as_they_state() -> None:
    for name, changes in train_extractor.SYSTEMS.items():
        settings = BASE
        for change in changes:
            settings = merged(settings, change)
        assert (settings == BASE) == (name == "stepwise")


@pytest.mark.parametrize("genre", [held_out_genre.ALL, *held_out_genre.GENRES])
def test_a_genre_is_left_out_as_a_whole(genre: str) -> None:
    options = Namespace(output=Path("out"), checkpoint="c", steps=7, settings=["training.batch=2"])
    command = held_out_genre.command(genre, options)
    (names,) = (each.removeprefix("data.names=") for each in command if "data.names" in each)
    left_out = set(BASE["data"]["names"].split("+")) - set(names.split("+"))
    assert left_out == set(held_out_genre.GENRES.get(genre, ()))
    assert command[-1] == "training.batch=2"


def options(folder: Path, **more: object) -> Namespace:
    given = {
        "output": folder,
        "recipe": "table-realizer-small",
        "generated": 50,
        "rotowire": False,
        "steps": 9,
        "settings": ["training.batch=3"],
    }
    return Namespace(**{**given, **more})


@pytest.mark.parametrize("recipe", ["table-realizer-small", "table-realizer"])
def test_the_held_out_games_are_measured_and_not_learned(tmp_path: Path, recipe: str) -> None:
    path = train_realizer.write_recipe(options(tmp_path, recipe=recipe))
    settings = SEQ2SEQ.settings_of(load_recipe(path), {})
    assert (settings.training.steps, settings.training.batch) == (9, 3)
    assert settings.task.kind == "realization"
    learned, measured = (
        {(part.name, part.split) for part in parts_of(settings.data, split)}
        for split in ("train", "validation")
    )
    assert measured == {("rotowire_games", "fold5")}
    assert len(learned) == 5
    assert not learned & measured


def test_rotowire_is_used_for_training_if_requested(tmp_path: Path) -> None:
    settings = train_realizer.settings_of(options(tmp_path, rotowire=True))
    assert settings["data"]["names"].endswith("+rotowire")


@pytest.fixture
def words_options(tmp_path: Path) -> Namespace:
    return Namespace(
        output=tmp_path,
        steps=40,
        coverage_steps=4,
        convolutional_steps=30,
        tuning_steps=20,
        settings=["training.batch=3", "model.max_source_tokens=70"],
    )


def test_all_runs_are_possible(words_options: Namespace) -> None:
    runs = train_words.pretraining(words_options) | train_words.tuning(words_options)
    assert len(runs) == 8
    for name, own in runs.items():
        settings = WORDS.settings_of(
            load_recipe(train_words.write_recipe(name, own, words_options)), {}
        )
        assert (settings.training.batch, settings.model["max_source_tokens"]) == (3, 70)
        assert (settings.architecture == "convolutional") == name.startswith("convolutional")
        assert settings.data.words == "sumpubmed+squality+qmsum"


def test_only_mls_star_starts_from_nothing_on_a_stand_in(words_options: Namespace) -> None:
    for name, settings in train_words.tuning(words_options).items():
        kind, data = name.split("-")
        assert settings["data"]["names"] == data
        start = None if kind == "star" else str(words_options.output / kind)
        assert settings.get("start") == start
