"""What a worker makes of jobs of every kind, and what it tells meanwhile."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import longsum
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.documents.readers import ReadLimits
from longsum.service.records import failure
from longsum.service.work import Task, _Told, _Worker

TEXT = (
    "# Dams\n\nThe dam holds back the river.\n\n# Fish\n\nFish climb ladders in spring. It is wide."
)
TABLE = "planet,moons\nMars,2\nEarth,1\nSaturn,146\n"
Do = Callable[..., list[tuple[str, Any]]]


@pytest.fixture
def do(tmp_path: Path) -> Do:
    """Do a job; return what the worker tells."""

    def call(text: str = TEXT, name: str = "a.md", others: Any = (), **wanted: Any) -> Any:
        places = [tmp_path / str(number) for number in range(len(others) + 1)]
        for place, said in zip(places, (text, *others), strict=True):
            place.mkdir(exist_ok=True)
            if said is not None:
                (place / "original").write_text(said, encoding="utf-8")
        members = [(f"{place.name}.md", place) for place in places[1:]]
        told: list[tuple[str, Any]] = []
        worker = _Worker(_Told(SimpleNamespace(send=told.append)))
        worker.do(Task(wanted, name, places[0], tuple(members), ReadLimits()))
        return told

    return call


def stages(told: list[tuple[str, Any]]) -> list[str]:
    return [value[0] for what, value in told if what == "stage"]


def test_a_summary_is_the_librarys(do: Do) -> None:
    told = do(system="lead", length="9w")
    assert stages(told) == ["reading", "loading", "summarizing", "writing"]
    (read,) = (value for what, value in told if what == "read")
    assert (read[0], read[1]["format"], read[1]["sentences"]) == ("0", "markdown", 3)
    what, forms = told[-1]
    expected = longsum.summarize(longsum.read_bytes(TEXT.encode(), "a.md"), "9w", "lead")
    assert what == "done"
    assert forms["text"].decode() == to_text(expected)
    assert forms["markdown"].decode() == to_markdown(expected)
    found = json.loads(forms["json"])
    assert found["summary"]["text"] == expected.text
    # A document is read once.
    again = do(system="lead", length="9w")
    assert [what for what, _ in again].count("read") == 0
    assert json.loads(again[-1][1]["json"])["summary"] == found["summary"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"focus": "fish", "system": "graph", "length": "6w"}, "Fish climb ladders in spring."),
        ({"keep": "table", "system": "lead", "length": "6w"}, "The dam holds back the river."),
        ({"lengths": True, "system": "lead", "length": "6w"}, "The dam holds back the river."),
        ({"kind": "questions", "length": "6w"}, "dam"),
        ({"kind": "table", "text": TABLE, "name": "a.csv"}, "Saturn"),
    ],
)
def test_every_kind_has_its_forms(do: Do, wanted: dict[str, Any], said: str) -> None:
    what, forms = do(**wanted)[-1]
    assert what == "done"
    page = {"lines", "html"} if "lengths" in wanted else {"html"} if "kind" in wanted else set()
    assert set(forms) == {"json", "text", "markdown"} | page
    for form, body in forms.items():
        assert said in body.decode(), form


def test_several_are_one_document(do: Do) -> None:
    told = do(others=["It rains in the hills.", "Boats were sold."], system="lead", length="99w")
    assert stages(told)[:3] == ["reading", "reading documents", "reading documents"]
    assert [value[0] for what, value in told if what == "read"] == ["1", "2", "0"]
    text = told[-1][1]["text"].decode()
    assert text == "1.md\nIt rains in the hills.\n\n2.md\nBoats were sold.\n"


def test_failures_are_told_apart(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = "a.md is empty; there is nothing to summarize."
    assert do("")[-1] == ("failed", failure("unreadable", empty))

    def broken(*_: object) -> None:
        raise ValueError("no")

    monkeypatch.setattr(_Worker, "_document", broken)
    said = "Something went wrong within longsum (ValueError: no)."
    assert do()[-1] == ("failed", failure("fault", said))
