"""A recipe's variants are recipes too, which state only their differences."""

from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from longsum.common.errors import LongsumError
from longsum.core.recipes import load_recipe, recipe_file, recipe_names
from longsum.core.recipes.recipe import parse_recipe

TEXT = """
name: base
title: The base
paper: A paper
kind: lead
settings: {model: {size: 2, kind: a}, bias: {kind: x}, steps: 3}
data: {arxiv: {steps: 4}}
published: [{table: "1", data: arxiv, scores: {rouge1: 40}}]
variants:
  other:
    title: Another
    paper: The same
    settings: {model: {size: 3}, bias: null}
    data: null
"""


def test_a_variant_differs_from_its_recipe_only_as_it_says(tmp_path: Path) -> None:
    found = parse_recipe(TEXT, "x", "other")
    assert (found.name, found.title, found.paper) == ("other", "Another", "The same")
    assert found.kind == "lead"
    assert found.settings == {"model": {"size": 3, "kind": "a"}, "steps": 3}
    assert found.data == {}
    assert found.published == ()
    # A file with variants is read as the recipe itself.
    for path in (tmp_path / "mine.yaml", tmp_path / "mine.yml"):
        path.write_text(TEXT)
        found = load_recipe(path)
        assert (found.name, found.settings["steps"]) == ("base", 3)
        assert found.published[0].scores == {"rouge1": 40}


@pytest.mark.parametrize("field", ["title", "paper"])
def test_a_variant_has_its_own_title_and_paper(field: str) -> None:
    lines = TEXT.splitlines()
    start = lines.index("  other:")
    kept = [line for line in lines[start:] if not line.strip().startswith(field)]
    with pytest.raises(LongsumError, match=f"'{field}': field required"):
        parse_recipe("\n".join(lines[:start] + kept), "x", "other")


def test_every_recipe_name_has_a_file() -> None:
    found = {}
    for entry in files("longsum.core.recipes").iterdir():
        path = Path(entry.name)
        if path.suffix == ".yaml" and path.stem != "published":
            values = yaml.safe_load(entry.read_text(encoding="utf-8"))
            assert values["name"] == path.stem
            found |= dict.fromkeys([path.stem, *values.get("variants", {})], path.name)
    assert {name: recipe_file(name) for name in recipe_names()} == found
