"""How a worker does jobs of every kind, and what it reports meanwhile."""

import itertools
import json
import multiprocessing
import os
import signal
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, call

import pytest

import longsum
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.documents import DocumentBuilder, Source
from longsum.documents.dossier import joined
from longsum.documents.readers import ReadLimits
from longsum.service import work
from longsum.service.jobs import Wanted
from longsum.service.lines import lines_of
from longsum.service.records import failure
from longsum.service.work import Task, _Reporter, _Worker, serve_jobs
from reader_pages import ladder, make_document
from service_calls import until

TEXT = (
    "# Dams\n\nThe dam holds back the river.\n\n# Fish\n\nFish climb ladders in spring. It is wide."
)
TABLE = "planet,moons\nMars,2\nEarth,1\nSaturn,146\n"
Do = Callable[..., list[tuple[str, Any]]]


@pytest.fixture
def do(tmp_path) -> Do:
    """Do a job; return the worker's messages."""

    def call(text: str = TEXT, name: str = "a.md", others: Any = (), **wanted: Any) -> Any:
        places = [tmp_path / str(number) for number in range(len(others) + 1)]
        for place, said in zip(places, (text, *others), strict=True):
            if said is not None:
                place.mkdir(exist_ok=True)
                (place / "original").write_text(said, encoding="utf-8")
        members = [(f"{place.name}.md", place) for place in places[1:]]
        told: list[tuple[str, Any]] = []
        worker = _Worker(_Reporter(SimpleNamespace(send=told.append)))
        asked = {name: wanted.pop(name) for name in ("writer", "allow_net") if name in wanted}
        worker.do(Task(Wanted(**wanted), name, places[0], tuple(members), ReadLimits(), **asked))
        return told

    return call


def stages(told: list[tuple[str, Any]]) -> list[str]:
    return [value[0] for what, value in told if what == "stage"]


def test_a_summary_is_the_librarys(do: Do) -> None:
    told = do(system="lead", length="9w")
    assert stages(told) == ["reading", "loading", "summarizing", "writing"]
    assert told[0] == ("stage", ("reading", 0, 0))
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
        (
            {"keep": "table,,code", "system": "lead", "length": "6w"},
            "The dam holds back the river.",
        ),
        ({"lengths": True, "system": "lead", "length": "6w"}, "The dam holds back the river."),
        ({"kind": "questions", "length": "6w"}, "dam"),
        (
            {"kind": "questions", "depth": 1, "question": "When do fish climb?"},
            "Fish climb ladders",
        ),
        ({"kind": "table", "text": TABLE, "name": "a.csv"}, "Saturn"),
    ],
)
def test_every_kind_has_its_forms(do: Do, wanted: dict[str, Any], said: str) -> None:
    told = do(**wanted)
    what, forms = told[-1]
    assert what == "done"
    own = {"table": ["planning"], "questions": ["loading", "summarizing sections"]}
    middle = own.get(wanted.get("kind", ""), ["loading", "summarizing"])
    assert stages(told) == ["reading", *middle, "writing"]
    page = {"lines", "html"} if "lengths" in wanted else {"html"} if "kind" in wanted else set()
    assert set(forms) == {"json", "text", "markdown"} | page
    for form, body in forms.items():
        assert said in body.decode(), form


def test_several_are_one_document(do: Do) -> None:
    told = do(others=["It rains in the hills.", "Boats were sold."], system="lead", length="99w")
    assert [value for what, value in told if what == "stage"][:3] == [
        ("reading", 0, 0),
        *(("reading documents", number, 2) for number in (1, 2)),
    ]
    assert [value[0] for what, value in told if what == "read"] == ["1", "2", "0"]
    text = told[-1][1]["text"].decode()
    assert text == "1.md\nIt rains in the hills.\n\n2.md\nBoats were sold.\n"


def test_members_that_are_gone_are_left_out(do: Do) -> None:
    what, forms = do(others=["It rains.", None, "Fish swim."], system="lead", length="99w")[-1]
    assert (what, forms["text"].decode()) == ("done", "1.md\nIt rains.\n\n3.md\nFish swim.\n")
    assert "Left out: 2.md was removed in the meantime; send it again." in forms["json"].decode()


@pytest.mark.parametrize("kind", ["summary", "questions"])
@pytest.mark.parametrize(
    ("writer", "said"), [("http://192.0.2.1/v1#x", "give --allow-net"), ("/no/model", "/no/model")]
)
def test_a_writer_that_cannot_be_used_is_reported(
    do: Do, kind: str, writer: str, said: str
) -> None:
    what, problem = do(kind=kind, writer=writer)[-1]
    assert (what, problem["reason"]) == ("failed", "unreadable")
    assert said in problem["detail"]


def test_information_about_a_document() -> None:
    document = longsum.read_bytes(TEXT.encode(), "a.md")
    told = work.about(document)
    assert told["words"] == 14
    assert (told["title"], told["pages"], told["warnings"]) == (document.title, None, [])
    assert {"language", "sentences", "sections", "sha256", "format"} <= told.keys()
    builder = DocumentBuilder()
    builder.paragraph("It is.", page=7)
    builder.paragraph("And so on.", page=2)
    builder.omit("table", "a | b")
    told = work.about(builder.build("", Source("a.pdf", "pdf")))
    assert (told["pages"], told["omitted"]) == (7, {"table": 1})


def test_a_page_has_headings_by_default_and_shades_on_request() -> None:
    nested = ladder(make_document(), (1, 11))
    for headings, explain in itertools.product((None, True, False), (True, False)):
        forms = work.summary_forms(Wanted(lengths=True, headings=headings, explain=explain), nested)
        shown = nested.to_html(shaded=explain, headings=headings is not False)
        assert forms["html"].decode() == shown
        text = to_text(nested.summaries[0], explain, headings=headings)
        assert forms["text"].decode() == text


def test_the_lines_of_a_page_have_their_places() -> None:
    document = make_document(pages=True)
    told = lines_of(ladder(document, (1,), (1, 0, 21), start=1))
    assert (told.title, told.start, told.system) == (document.title, 1, "by hand")
    assert told.rungs == ["1 sentence", "3 sentences"]
    assert [each.rungs for each in told.lines] == [[1], [0, 1], [1]]
    assert (told.shown, told.model_copy(update={"start": 0}).shown) == (told.lines, told.lines[1:2])
    for line, place in zip(told.lines, (0, 1, 21), strict=True):
        source = document.sentences[place]
        assert (line.text, line.words, line.sha256) == (source.text, 6, document.sha256)
        assert (line.start, line.page) == (source.start, source.page)
        assert line.before == document.text[: source.start][-60:]
        assert line.heading == f"§{source.page} {document.walk()[place // 10].title}"
        assert line.citation == f"({line.heading}, p. {source.page})"
    several = joined([make_document("One"), make_document("Two")])
    own = [each.sha256 for each in lines_of(ladder(several, (0, 31))).lines]
    assert own == [each.document.sha256 for each in several.members]  # type: ignore[attr-defined]
    bare = told.lines[0].model_copy(update={"sources": []})
    assert (bare.start, bare.page) == (None, None)


def test_progress_is_not_reported_more_often_than_it_can_be_read(monkeypatch) -> None:
    told: list[Any] = []
    now = [0.0]
    monkeypatch.setattr(work, "time", SimpleNamespace(monotonic=lambda: now[0]))
    tell = _Reporter(SimpleNamespace(send=told.append))  # type: ignore[arg-type]
    for at, stage, done in (
        (1, "a", 1),
        (1.2, "a", 2),
        (1.4, "a", 3),
        (1.5, "b", 4),
        (1.6, "b", 9),
    ):
        now[0] = at
        tell.stage(stage, done, 9)
    assert told == [
        ("stage", each) for each in (("a", 1, 9), ("a", 3, 9), ("b", 4, 9), ("b", 9, 9))
    ]


def test_a_worker_is_set_up_before_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    names = ("end_with_parent", "wait_passively", "limit_blas_threads", "stand_by", "_beat")
    for name in names:
        monkeypatch.setattr(work, name, lambda *_, name=name: done.append(name))
    monkeypatch.setattr(_Worker, "warm_up", lambda _: done.append("warm_up"))
    monkeypatch.setattr(signal, "signal", lambda *given: done.append(given))
    serve_jobs(SimpleNamespace(send=done.append, recv=Mock(side_effect=EOFError)))  # type: ignore[arg-type]
    until(lambda: "_beat" in done)
    assert done[:2] == [(signal.SIGINT, signal.SIG_IGN), (signal.SIGTERM, signal.SIG_DFL)]
    assert done[2:] == [*names[:4], "warm_up", ("ready", None), "_beat"]


def test_a_worker_runs_until_its_parent_is_gone(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(work, "_BEAT", 0.01)
    (tmp_path / "original").write_text(TEXT)
    ours, theirs = multiprocessing.Pipe()

    def serve() -> None:
        ours.close()
        serve_jobs(theirs)

    process = multiprocessing.get_context("fork").Process(target=serve, daemon=True)
    process.start()
    theirs.close()

    def heard(what: str) -> None:
        told = ""
        while told != what:
            assert ours.poll(20)
            told, _ = ours.recv()

    heard("ready")
    os.kill(process.pid, signal.SIGINT)  # Ctrl-C is the server's.
    ours.send(Task(Wanted(length="1s"), "a.md", tmp_path, (), ReadLimits()))
    heard("done")
    heard("alive")
    ours.close()
    process.join(20)
    assert process.exitcode in (0, -signal.SIGKILL)


def test_a_worker_ends_during_a_job_if_its_parent_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[signal.Signals] = []
    slept: list[float] = []
    monkeypatch.setattr(work, "time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setattr(signal, "raise_signal", raised.append)
    tell = Mock(side_effect=[None, None, OSError])
    work._beat(tell)
    assert tell.call_args_list == 3 * [call("alive")]
    assert slept == [1.0] * 3
    assert raised == [signal.SIGKILL]


def test_failures_are_distinguished(do: Do, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = "a.md is empty; there is nothing to summarize."
    assert do("")[-1] == ("failed", failure("unreadable", empty))
    monkeypatch.setattr(_Worker, "_document", Mock(side_effect=MemoryError))
    with pytest.raises(SystemExit, match=r"^1$"):
        do()
    monkeypatch.setattr(_Worker, "_document", Mock(side_effect=ValueError("no")))
    said = "Something went wrong within longsum (ValueError: no)."
    assert do()[-1] == ("failed", failure("fault", said))
