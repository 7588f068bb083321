"""Every recipe through its whole life at toy size: build, summarize, save, load, same output."""

import time

import pytest

from longsum import load_system
from longsum.documents import Document
from longsum.errors import LongsumError
from longsum.recipes import Recipe, load_recipe, recipes
from longsum.recipes.recipe import parse_recipe
from longsum.summaries import Budget
from longsum.systems import save_system
from longsum.systems.oracle import Oracle

SECONDS = 3.0


def summary_of(system, document: Document):
    if isinstance(system, Oracle):
        system = system.with_references(["Floods of the river damaged bridges and roads."])
    return system.summarize(document, Budget(40))


@pytest.mark.parametrize("recipe", list(recipes()), ids=lambda recipe: recipe.name)
def test_life_of_a_recipe(recipe: Recipe, small: Document, tmp_path):
    began = time.process_time()
    system = load_system(recipe.name)
    before = summary_of(system, small)
    assert before.sentences
    save_system(system, recipe, tmp_path / "saved")
    loaded = load_system(tmp_path / "saved")
    assert (loaded.name, loaded.settings) == (system.name, system.settings)
    assert summary_of(loaded, small) == before
    for overrides in recipe.data.values():
        load_system(recipe.name, **overrides)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("recipe", list(recipes()), ids=lambda recipe: recipe.name)
def test_a_recipe_names_itself_and_its_paper(recipe: Recipe):
    assert load_recipe(recipe.name) == recipe
    assert recipe.title
    assert recipe.paper


def test_saved_settings_are_complete(tmp_path):
    system = load_system("kernels", keywords=7, dimensions=5)
    save_system(system, load_recipe("kernels"), tmp_path / "new")
    assert load_system(tmp_path / "new").settings == system.settings


def test_nothing_is_overwritten(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(LongsumError, match="not empty"):
        save_system(load_system("lead"), load_recipe("lead"), tmp_path)


def test_a_recipe_file_of_ones_own(small: Document, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ntitle: t\npaper: p\nkind: systematic\nsettings: {interval: 2}\n")
    summary = load_system(path).summarize(small, Budget(2, "sentences"))
    assert (summary.system, summary.settings) == ("mine", {"interval": 2})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: [", "not valid YAML"),
        ("name: x\ntitle: t\npaper: p", "'kind'"),
        ("name: x\ntitle: t\npaper: p\nkind: lead\ncolour: red", "'colour'"),
        ("just text", "its content"),
    ],
)
def test_a_wrong_recipe_is_refused_in_one_sentence(text, says):
    with pytest.raises(LongsumError, match=says):
        parse_recipe(text, "x")


@pytest.mark.parametrize(
    ("settings", "says"),
    [({"keyword": 3}, "'keyword'"), ({"topics": "many"}, "'topics'"), ({"redundancy": "x"}, "red")],
)
def test_a_wrong_setting_is_refused_in_one_sentence(settings, says):
    with pytest.raises(LongsumError, match=says):
        load_system("kernels", **settings)


def test_unknown_names_and_kinds(tmp_path):
    with pytest.raises(LongsumError, match="'longsum systems' lists them"):
        load_system("kernel")
    path = tmp_path / "odd.yaml"
    path.write_text("name: odd\ntitle: t\npaper: p\nkind: odd\n")
    with pytest.raises(LongsumError, match="unknown kind"):
        load_system(path)
