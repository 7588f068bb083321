"""From options to a system; contradictory options are refused before anything is loaded."""

from dataclasses import replace

import pytest

from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.core.pipeline import Options, SystemOptions, prepare, summarize_lengths, summarize_with
from longsum.core.summaries import Budget

MODEL = str(shipped_folder())


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "stepwise"),
        ({"system": "lead"}, "lead"),
        ({"prototype": "lead"}, "mls"),
        ({"prototype": "graph", "system": "mls"}, "mls"),
        ({"model": MODEL}, "extractor"),
    ],
)
def test_options_name_the_system(given: dict[str, str], name: str) -> None:
    system = SystemOptions(**given).load()
    assert system.name == name
    if "prototype" in given:
        assert system.settings["prototype"]["system"] == given["prototype"]


def test_contradictory_options_are_refused(tmp_path) -> None:
    (tmp_path / "file").touch()
    for given, says in (
        ({"system": "lead", "model": MODEL}, "either --system or --model"),
        ({"prototype": "lead", "model": MODEL}, "as --prototype alone"),
        ({"beams": 2}, "--beams needs --model"),
        ({"model": ""}, "The model's name is empty"),
    ):
        with pytest.raises(LongsumError, match=says):
            SystemOptions(**given).load()
    for given, says in (
        ({"at_once": True, "levels": True}, "leave out one of them"),
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


def test_only_some_models_need_transformers(tmp_path) -> None:
    (tmp_path / "config.json").write_text("{")
    assert not SystemOptions(prototype=str(tmp_path)).uses_transformers
    assert not SystemOptions(prototype="lead").uses_transformers
    for name in ("model", "importance", "prototype"):
        assert SystemOptions(**{name: "owner/a-model"}).uses_transformers
        assert not SystemOptions(**{name: MODEL}).uses_transformers


def test_a_ladder_starts_at_the_requested_length(small) -> None:
    system = SystemOptions(system="lead").load()
    ladder = summarize_lengths(small, Budget(60), system)
    assert ladder.summaries[ladder.start].budget == Budget(60)
    assert len(ladder.summaries) > ladder.start > 0
    found = summarize_with(small, Budget(60), system)
    assert found.sentences == ladder.summaries[ladder.start].sentences


def test_a_system_that_works_in_steps_gets_its_folder_and_progress(small, tmp_path) -> None:
    system = SystemOptions(system="lead").load()
    told: list[object] = []
    system.resuming_in = lambda *given: told.append(given) or system
    prepare(system, small, Options(work=tmp_path, progress=print))
    assert told == [(tmp_path, print)]


def test_an_automatic_length_is_where_the_model_would_end(small) -> None:
    system = SystemOptions().load()
    found = summarize_with(small, Budget.parse("auto"), system)
    again = summarize_with(small, replace(found.budget, automatic=False), system)
    assert (found.sentences, found.words) == (again.sentences, found.budget.amount)
    assert 0 < len(found.sentences) < len(small.sentences)
    with pytest.raises(LongsumError, match="no length of its own; give one"):
        summarize_with(small, Budget.parse("auto"), SystemOptions(system="graph").load())
    system = SystemOptions(system="lead").load()
    system.own_length = Budget(30)
    made = summarize_with(small, Budget.parse("auto"), system)
    assert made.budget == Budget(30, automatic=True)
    assert 20 < made.words <= 30


def test_the_way_of_filling_is_passed_to_systems_that_have_a_choice(small) -> None:
    systems = {name: SystemOptions(system=name).load() for name in ("stepwise", "graph", "lead")}
    filled = systems["stepwise"].with_fill("strict")
    assert (filled.settings["fill"], systems["stepwise"].settings["fill"]) == ("strict", "sensible")
    own = systems["graph"].rules.fill
    assert systems["graph"].with_fill(own) is systems["graph"]
    for name, fill in (("graph", {"strict": "sensible"}.get(own, "strict")), ("lead", own)):
        with pytest.raises(LongsumError, match="fill"):
            summarize_with(small, Budget(20), systems[name], Options(fill=fill))
