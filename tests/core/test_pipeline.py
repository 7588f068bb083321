"""From options to a system, and what contradicts itself is refused before anything is loaded."""

import json
from pathlib import Path

import pytest

from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.pipeline import Options, SystemOptions, summarize_ladder, summarize_with
from longsum.core.summaries import Budget
from longsum.core.systems.shipped_weights import learned_from
from longsum.documents import Document

MODEL = str(shipped_folder())


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "stepwise"),
        ({"system": "lead"}, "lead"),
        ({"prototype": "lead"}, "mls"),
        ({"prototype": "graph", "system": "mls"}, "mls"),
    ],
)
def test_a_system_is_the_one_that_is_named(given: dict[str, str], name: str) -> None:
    system = SystemOptions(**given).load()
    assert system.name == name
    if "prototype" in given:
        assert system.settings["prototype"]["system"] == given["prototype"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"system": "lead", "model": MODEL}, "either --system or --model"),
        ({"prototype": "lead", "model": MODEL}, "as --prototype alone"),
        ({"beams": 2}, "--beams needs --model"),
    ],
)
def test_what_contradicts_itself_names_no_system(given: dict[str, str], says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        SystemOptions(**given).load()


def test_options_that_contradict_each_other(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for given, says in (
        ({"at_once": True, "levels": True}, "leave out --levels"),
        ({"at_once": True, "work": tmp_path}, "no parts for --work"),
        ({"work": tmp_path / "file"}, "is a file; give --work a folder"),
    ):
        with pytest.raises(LongsumError, match=says):
            Options(**given)
    Options(work=tmp_path / "none")
    SystemOptions(model=MODEL).check(Options(as_written=True))
    SystemOptions().check(Options())
    with pytest.raises(LongsumError, match="give --model, or leave it out"):
        SystemOptions().check(Options(as_written=True))


def test_transformers_is_used_for_what_it_loads() -> None:
    for name in ("model", "importance", "prototype"):
        assert SystemOptions(**{name: "owner/a-model"}).uses_transformers
        assert not SystemOptions(**{name: MODEL}).uses_transformers


def test_a_ladder_starts_at_the_length_asked_for(small: Document) -> None:
    system = SystemOptions(system="lead").load()
    ladder = summarize_ladder(small, Budget(60), system)
    assert ladder.rungs[ladder.start].budget == Budget(60)
    assert len(ladder.rungs) > ladder.start > 0
    found = summarize_with(small, Budget(60), system)
    assert found.sentences == ladder.rungs[ladder.start].sentences


def test_a_folder_tells_what_its_model_learned_from(tmp_path: Path) -> None:
    rows = [("a", "train", 3), ("b", "train", 1), ("a", "train", 2), ("c", "validation", 9)]
    parts = [{"name": name, "split": split, "documents": count} for name, split, count in rows]
    (tmp_path / "documents.json").write_text(json.dumps(parts), encoding="utf-8")
    assert learned_from(tmp_path) == {"a": 5, "b": 1}
    for wrong in ("{", '[{"name": "a"}]', "3"):
        (tmp_path / "documents.json").write_text(wrong, encoding="utf-8")
        with pytest.raises(LongsumError, match=r"no readable documents\.json"):
            learned_from(tmp_path)
