"""Rows of the papers' tables that differ in the task or in the selection of sentences."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from every_recipe import RECIPES
from longsum.cli.assignments import parse_assignments
from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.loading import load_system
from longsum.core.recipes import load_recipe
from longsum.models.training.extraction.extraction_settings import ChoiceConfig
from longsum.models.training.extraction.run_extraction import EXTRACTION
from longsum.models.training.run_seq2seq import SEQ2SEQ

TABLE_1 = {
    row.table.partition(", ")[2]: recipe.name
    for recipe in RECIPES
    for row in recipe.published
    if row.table.startswith("Table 1, ") and row.data == "cnn_dailymail"
}
OURS = ("BERTSum", "RoBERTaSum", "HiBERT", "ETCSum")
ROWS = [*OURS, *(f"Stepwise {name}" for name in OURS[1:])]
QUESTIONS = [recipe for recipe in RECIPES if recipe.tasks]
KINDS = {"QSGen-Hier": "question_hierarchy", "QSGen-ChildQ": "child_questions"}


@pytest.mark.parametrize("row", ROWS)
def test_every_stepwise_model_has_a_recipe_with_and_without_trigram_blocking(row: str) -> None:
    plain, blocking = (load_recipe(TABLE_1[name]) for name in (row, f"{row} + TriBlk"))
    assert blocking.name == f"{plain.name}-triblk"
    settings = [EXTRACTION.settings_of(each, {}) for each in (plain, blocking)]
    assert settings[0].summaries == ChoiceConfig(blocking=False)
    # They differ in nothing else.
    assert replace(settings[0], summaries=ChoiceConfig(blocking=True)) == settings[1]


def trained(folder: Path, summaries: object) -> Path:
    shutil.copytree(shipped_folder(), folder)
    saved = {"recipe": "hibert-triblk", "settings": {"summaries": summaries}}
    (folder / "training.yaml").write_text(yaml.safe_dump(saved), encoding="utf-8")
    return folder


def test_a_model_blocks_as_its_training_settings_say(tmp_path: Path) -> None:
    assert load_system(trained(tmp_path / "a", {"blocking": True})).settings["blocking"]
    assert not load_system(tmp_path / "a", blocking=False).settings["blocking"]
    assert not load_system(trained(tmp_path / "b", {})).settings["blocking"]
    for said, says in (("all", r"training\.yaml are 'all'"), ({"blocked": True}, "'blocked'")):
        with pytest.raises(LongsumError, match=says):
            load_system(trained(tmp_path / says[-4:], said))


def test_the_recipe_file_of_the_page_adds_blocking_to_a_trained_network(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs/papers/stepwise.md"
    text = page.read_text(encoding="utf-8").partition("```yaml\n")[2].partition("```")[0]
    file = tmp_path / "blocking.yaml"
    file.write_text(text.replace("runs/stepwise-hibert", str(shipped_folder())), encoding="utf-8")
    found = load_system(file)
    assert found.settings | {"blocking": True, "beams": 3, "steps": 4} == found.settings
    assert found.settings["ends"]


def test_the_systems_of_hibrids_have_its_question_tasks() -> None:
    names = {recipe.name for recipe in QUESTIONS}
    assert {"hibrids-enc", "hibrids-s-dec", "multitask", "longformer", "hierenc"} <= names
    for recipe in RECIPES:
        tables = {row.table.rpartition(" ")[2] for row in recipe.published}
        assert tables & set(KINDS) <= set(recipe.tasks)


@pytest.mark.parametrize("recipe", QUESTIONS, ids=lambda recipe: recipe.name)
def test_settings_of_a_question_task_train_that_task(recipe) -> None:
    for task, said in recipe.tasks.items():
        settings = SEQ2SEQ.settings_of(recipe, parse_assignments(said.split()))
        assert settings.task.kind == KINDS[task]
        assert settings.data.names == "govreport_qs"
