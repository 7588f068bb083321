"""Runs over corpora: whatever happens, each document ends up with one row."""

import dataclasses
import errno
import json
import os
import socket
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest

from batch_runs import TEXT, Here, finished, made, nobody, rows_of
from deadly_worker import end_at_once, serve_dangerously
from longsum import __version__
from longsum.batch import summarizing
from longsum.batch.corpora.corpus import Fields, LinesCorpus
from longsum.batch.corpora.open_corpus import ParquetCorpus, open_corpus
from longsum.batch.inspection import listed, status, verify
from longsum.batch.rows import Row, RowSentence, read_rows, write_rows
from longsum.batch.run import LOCK, BatchRun
from longsum.batch.settings import BatchSettings, described
from longsum.batch.stored import read_sealed, write_sealed
from longsum.batch.summarizing import BlockSummarizer
from longsum.batch.workers import LocalEngine
from longsum.common.errors import LongsumError
from longsum.common.shared_files import locked
from longsum.core.extractive.baselines import Lead
from longsum.core.loading import load_system
from longsum.core.pipeline import Options, SystemOptions
from longsum.core.summaries import SourceSpan
from longsum.documents import Document
from longsum.documents.readers.limits import ReadLimits


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    for name in ("b.txt", "a.md", "deep/c.txt", "deep/er/d.txt"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{TEXT}\n\nThis is {name}.", encoding="utf-8")
    (folder / "nothing.txt").touch()
    (folder / ".hidden").write_text(TEXT)
    return folder


@pytest.fixture
def run(corpus: Path, tmp_path: Path) -> BatchRun:
    """A started run over the corpus."""
    begun = made(corpus, tmp_path / "out")
    begun.begin()
    return begun


def test_every_file_of_a_folder_has_a_row(run: BatchRun) -> None:
    run.resume(Here, nobody)
    rows = rows_of(run)
    assert list(rows) == ["a.md", "b.txt", "nothing.txt", "deep/c.txt", "deep/er/d.txt"]
    assert rows["nothing.txt"].error_type == "unreadable"
    assert "is empty" in rows["nothing.txt"].error
    for name, row in rows.items():
        if name != "nothing.txt":
            assert row.summary == "Dams hold back the river in spring."
            (sentence,) = row.sentences
            assert sentence.end - sentence.start == len(row.summary)
    found = status(run)
    assert (found.done, found.documents, found.failures) == (5, 5, {"unreadable": 1})
    assert verify(run).sound


def test_a_row_records_the_outcome_for_a_document(tmp_path, monkeypatch) -> None:
    texts = {"dams": f"Rivers\n======\n\n{TEXT}", "long": "word " * 300, "odd": TEXT}
    records = [{"id": name, "title": "Dams", "text": text} for name, text in texts.items()]
    path = tmp_path / "corpus.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    run = made(path, tmp_path / "out", limits=ReadLimits(characters=1000))
    run.begin()
    summarize_with = summarizing.summarize_with

    def refusing(document: Document, *given):
        if not document.text.startswith("Dams\n\nRivers"):
            raise LongsumError("It is odd.")
        found = summarize_with(document, *given)
        (sentence,) = found.sentences
        sources = (*sentence.sources, SourceSpan.of(document, 2))
        return dataclasses.replace(
            found, sentences=(dataclasses.replace(sentence, sources=sources),)
        )

    monkeypatch.setattr(summarizing, "summarize_with", refusing)
    run.resume(Here, nobody)
    dams, long, odd = (dataclasses.asdict(row) for row in rows_of(run).values())
    assert 0 < dams.pop("seconds") < 9
    assert len(dams.pop("sha256")) == 64
    empty = {"notices": (), "error_type": None, "error": "", "result": ""}
    said = "Dams hold back the river in spring."
    sentence = {"text": said, "start": 14, "end": 49, "page": None, "section": "Rivers"}
    assert dams == empty | {
        **{"id": "dams", "status": "ok", "summary": said, "words": 7, "title": "Dams"},
        **{"characters": 100, "sentences_read": 3, "sentences_total": 3},
        **{"finish_reason": "budget", "sentences": ({**sentence, "doubts": ()},)},
    }
    assert "more than 1,000 characters" in long.pop("error")
    nothing = {"summary": "", "sentences": (), "words": 0, "sentences_read": 0, "seconds": 0.0}
    nothing |= {"finish_reason": "", "status": "failed", "result": "", "notices": ()}
    unread = {"title": "", "sha256": "", "characters": 0, "sentences_total": 0}
    assert long == nothing | unread | {"id": "long", "error_type": "unreadable"}
    assert len(odd.pop("sha256")) == 64
    read = {"title": "Dams", "characters": 92, "sentences_total": 3}
    assert odd == nothing | read | {"id": "odd", "error_type": "refused", "error": "It is odd."}
    found = status(run)
    assert (found.blocks, found.blocks_done, found.documents, found.done) == (2, 2, 3, 3)
    assert (found.words, found.characters, found.damaged) == (7, 192, ())
    assert verify(run).lines == [
        "3 documents planned, 3 rows found",
        "nothing is missing, and nothing duplicated",
    ]


def test_a_run_of_another_version_is_refused(run: BatchRun) -> None:
    assert BatchRun.open(run.folder) == run
    manifest = read_sealed(run.folder / "manifest.json")
    assert manifest["schema"] == "longsum/batch/1"
    for change in ({"schema": "longsum/batch/0"}, {"settings": {}}, {"block_size": {"x": 1}}):
        write_sealed(run.folder / "manifest.json", manifest | change)
        with pytest.raises(LongsumError, match="begun by another version"):
            BatchRun.open(run.folder)


def test_missing_documents_are_named(run: BatchRun, corpus: Path) -> None:
    assert listed(list("abcde")) == "a, b, c, d, e"
    assert listed(list("abcdefg")) == "a, b, c, d, e and 2 more"
    (corpus / "z.txt").write_text(TEXT)
    found = verify(run)
    assert (found.documents, found.rows, found.sound) == (5, 0, False)
    assert found.lines == [
        "5 documents planned, 0 rows found",
        "without a row: a.md, b.txt, deep/c.txt, deep/er/d.txt, nothing.txt",
        "1 document added to the corpus since; resume the run to summarize them",
        "the run is incomplete; resume it",
    ]
    wrong = {
        "missing": "without a row",
        "doubled": "with several rows",
        "unknown": "that the plan does not have",
        "damaged": "damaged, or no part of the run",
    }
    for one, said in wrong.items():
        only = dict.fromkeys(wrong, ()) | {one: ("a",)}
        told = dataclasses.replace(found, unplanned=None, **only).lines
        assert told[1:] == [f"{said}: a", "the run is incomplete; resume it"]


def test_a_path_that_is_not_a_file_has_a_row_with_the_reason(corpus, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(corpus)
    os.mkfifo("fifo")
    with socket.socket(socket.AF_UNIX) as held:
        held.bind("socket")
    for name, to in (("self", "self"), ("lost", "nothing"), ("zero", "/dev/zero"), ("all", ".")):
        Path(name).symlink_to(to)
    run = finished(corpus, tmp_path / "out")
    told = {name: row.error for name, row in rows_of(run).items() if row.error}
    del told["nothing.txt"]
    assert told == {
        "fifo": "'fifo' is a FIFO; only files are read.",
        "socket": "'socket' is a socket; only files are read.",
        "self": "'self' does not lead to a file (Too many levels of symbolic links).",
        "lost": "'lost' does not lead to a file (No such file or directory).",
        "zero": "'zero' is a device; only files are read.",
        "all": "'all' is a link to a folder; only files are read.",
    }


@pytest.mark.parametrize("links", [True, False])
def test_rows_that_are_committed_first_are_kept(links, corpus, tmp_path, monkeypatch) -> None:
    if not links:
        refused = PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        monkeypatch.setattr(os, "link", Mock(side_effect=refused))
    run = made(corpus, tmp_path / "out")
    run.begin()
    with pytest.raises(KeyboardInterrupt):
        run.resume(lambda ledger, settings: Here(ledger, settings, 1), nobody)
    block = next(run.ledger.plan.blocks())
    first = run.ledger.rows(block)
    second = BlockSummarizer(made(corpus, tmp_path, length="2s").settings).rows(block)
    assert first != second
    assert run.ledger.commit(block, second) == run.ledger.done(block)
    assert run.ledger.rows(block) == first
    run.resume(Here, nobody)
    assert verify(run).sound


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_rows_are_read_as_they_were_written(form, corpus: Path, tmp_path: Path) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="rows in Parquet need pyarrow")
    (corpus / "half.txt").write_text("A sign \\ud83d that is one half. " + TEXT, encoding="utf-8")
    run = made(corpus, tmp_path / "out", form=form, full=True)
    run.begin()
    made_rows = []
    summarizer = BlockSummarizer(run.settings)
    run.ledger.open()
    for block in run.ledger.plan.blocks():
        made_rows.extend(summarizer.rows(block))
        run.ledger.commit(block, made_rows[-len(block.items) :])
    read = [row for block in run.ledger.plan.blocks() for row in run.ledger.rows(block)]
    assert [(row.id, row.sentences, row.notices, row.error) for row in read] == [
        (row.id, row.sentences, row.notices, row.error) for row in made_rows
    ]
    assert json.loads(read[0].result)["schema"] == "longsum/summary/1"


def test_half_a_character_is_a_mark_in_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="rows in Parquet need pyarrow")
    sentence = RowSentence(text="Half \ud83d.", doubts=("\ud83d?",))
    write_rows(tmp_path / "rows", [Row(id="a", status="ok", sentences=(sentence,))], "parquet")
    (row,) = read_rows(tmp_path / "rows", "parquet")
    assert row.sentences == (RowSentence(text="Half ?.", doubts=("??",)),)
    # Rows without a summary have the columns of the others.
    parquet = pytest.importorskip("pyarrow.parquet")
    write_rows(tmp_path / "failed", [Row.failed("a", "crash", "It ended.")], "parquet")
    schema = parquet.read_schema(tmp_path / "failed")
    assert schema == parquet.read_schema(tmp_path / "rows")
    assert schema.names == [field.name for field in dataclasses.fields(Row)]
    assert "null" not in str(schema).replace("not null", "")


def test_documents_are_encoded_together_up_to_a_size(corpus, tmp_path, monkeypatch) -> None:
    run = made(corpus, tmp_path / "out", size=9)
    run.begin()
    # Each has 100 characters or so.
    monkeypatch.setattr(summarizing, "_TOGETHER", 250)
    (block,) = run.ledger.plan.blocks()
    told = []
    BlockSummarizer(run.settings).rows(block, told.append)
    a, b, none, c, d = block.ids
    assert [list(ids) for ids in told] == [[a], [b], [none], [c], [a, b, c], [d], [d], []]
    told.clear()
    BlockSummarizer(run.settings).rows(block, told.append, alone={b})
    assert [list(ids) for ids in told] == [[a], [b], [b], [none], [c], [d], [a, c, d], []]


def test_a_corpus_that_grew_is_planned_further(run: BatchRun, corpus: Path) -> None:
    run.resume(Here, nobody)
    (corpus / "aa.txt").write_text(TEXT)
    (corpus / "b.txt").write_text(TEXT + TEXT)
    (corpus / "nothing.txt").unlink()
    assert verify(run).unplanned == 1
    growth = run.renew_plan()
    assert (growth.new, growth.changed, growth.gone) == (1, 1, 1)
    assert growth.lines == [
        "New in the corpus, and added: 1 document.",
        "1 document changed or moved; what is done stays.",
        "Gone from the corpus: 1 document.",
    ]
    reported = []
    run.resume(Here, reported.append)
    assert [done.rows for done in reported] == [1]
    assert verify(run).sound
    assert run.renew_plan().lines == ["Gone from the corpus: 1 document."]
    # What is done stays, and what moved is planned anew even where nothing came.
    (corpus / "b.txt").write_text(TEXT)
    assert (run.renew_plan().changed, run.renew_plan().changed) == (1, 0)


def test_settings_on_which_rows_depend_are_distinguished(tmp_path: Path) -> None:
    assert BatchSettings(corpus="c").options == Options()
    given = {"focus": "x", "seed": 3, "as_written": True, "at_once": True, "shorten": False}
    given["fill"] = "strict"
    settings = BatchSettings(corpus="c", choice=SystemOptions(prototype=str(tmp_path)), **given)
    assert settings.options == Options(**given)
    system = load_system("lead")
    (tmp_path / "model.safetensors").write_bytes(b"v")
    before = described(settings, system)
    (tmp_path / "model.safetensors").write_bytes(b"w")
    changed = [name for name, value in described(settings, system).items() if value != before[name]]
    assert changed == ["weights"]
    assert (before["version"], before["system"]) == (__version__, "lead")
    for name, value in given.items():
        assert before[name] == json.dumps(value)
    assert {len(before[name]) for name in ("settings of the system", "weights", "limits")} == {16}


def test_parquet_is_missed_before_anything_is_done(corpus, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("longsum.common.extras.find_spec", lambda _: None)
    with pytest.raises(LongsumError, match=r"pip install 'longsum\[parquet\]'"):
        made(corpus, tmp_path / "out", form="parquet").begin()
    assert not (tmp_path / "out").exists()


def test_other_settings_are_refused(run, monkeypatch) -> None:
    run.check_unchanged()
    monkeypatch.setattr("longsum.batch.settings._weights_of", lambda _: ["others"])
    for begin in (run.check_unchanged, partial(BlockSummarizer.of_run, run.ledger, run.settings)):
        with pytest.raises(LongsumError, match="The weights changed after"):
            begin()


def test_two_do_not_work_on_one_run(run: BatchRun) -> None:
    with locked(run.folder / LOCK) as alone:
        assert alone
        assert status(run).running
        with pytest.raises(LongsumError, match="Another process"):
            run.resume(Here, nobody)
    assert not status(run).running


def test_records_are_found_by_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    lines = [
        json.dumps({"id": "one", "article": TEXT, "title": "Dams"}),
        "",
        json.dumps({"id": "one", "article": "Rain fell all day. It stopped."}),
        "{ this is no record",
        json.dumps({"article": 3}),
        json.dumps({"id": 7, "body": TEXT}),
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    run = finished(path, tmp_path / "out", fields=Fields(text="article"))
    rows = rows_of(run)
    assert list(rows) == ["one", "one#2", "line-4", "line-5", "7"]
    assert rows["one"].title == "Dams"
    assert rows["one#2"].summary == "Rain fell all day."
    assert "Line 4 of corpus.jsonl is not valid JSON" in rows["line-4"].error
    assert rows["line-5"].status == "failed"
    assert "only id, body" in rows["7"].error


def test_rows_of_parquet_are_documents(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    names = [f"d{number}" for number in range(150)]
    texts = [f"Number {number} is the first. {TEXT}" for number in range(150)]
    table = pa.table({"id": names, "text": texts, "other": texts})
    parquet.write_table(table, tmp_path / "c.parquet", row_group_size=70)
    run = made(tmp_path / "c.parquet", tmp_path / "out", size=20)
    run.begin()
    # Backwards too, as when blocks are tried again.
    summarizer = BlockSummarizer(run.settings)
    found = [
        row for block in reversed(list(run.ledger.plan.blocks())) for row in summarizer.rows(block)
    ]
    assert {row.id: row.summary for row in found} == {
        name: f"Number {number} is the first." for number, name in enumerate(names)
    }
    content = (tmp_path / "c.parquet").read_bytes()
    (tmp_path / "c.parquet").write_bytes(bytes(2000) + content[2000:])
    with pytest.raises(LongsumError, match="cannot be read as a Parquet file"):
        run.renew_plan()
    # What failed is opened anew.
    (tmp_path / "c.parquet").write_bytes(content[:1000] + bytes(3000) + content[4000:])
    item = next(run.ledger.plan.blocks()).items[0]
    again = open_corpus(tmp_path / "c.parquet", Fields())
    with pytest.raises(LongsumError, match="cannot be read as a Parquet file"):
        again.read(item, ReadLimits())
    (tmp_path / "c.parquet").write_bytes(content)
    assert again.read(item, ReadLimits()).sentences


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_text_that_is_named_comes_before_sections(ending: str, tmp_path: Path) -> None:
    section = {"title": "A", "level": 1, "paragraphs": ["It is. It was."]}
    record = {"body": TEXT, "sections": [section], "title": "B", "paragraph_unit": "sentence"}
    path = tmp_path / f"c.{ending}"
    if ending == "parquet":
        pa = pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist([record]), path)
    else:
        path.write_text(json.dumps(record))
    for fields, text in ((Fields(text="body"), TEXT), (Fields(), "It is. It was.")):
        corpus = open_corpus(path, fields)
        (item,) = corpus.items()
        document = corpus.read(item, ReadLimits())
        assert (document.text.endswith(text), document.title) == (True, "B")
        # A paragraph of sections is a sentence.
        assert (len(document.sentences) == 1) == (text != TEXT)


def test_a_parquet_row_that_cannot_be_unpacked_affects_no_other(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="reading Parquet needs pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    texts = [TEXT.encode(), b"\xff is no text.", TEXT.encode() * 99, TEXT.encode()]
    table = pa.table({"text": pa.array(texts, pa.binary()).view(pa.string())})
    parquet.write_table(table, tmp_path / "c.parquet")
    corpus = open_corpus(tmp_path / "c.parquet", Fields())
    first, broken, large, last = corpus.items()
    limits = ReadLimits(size=10 * len(TEXT))
    assert corpus.read(first, limits).text == corpus.read(last, limits).text
    for item, told in ((broken, "cannot be read as a Parquet file"), (large, "row-0-2 has more")):
        with pytest.raises(LongsumError, match=told):
            corpus.read(item, limits)
    assert corpus.read(last, limits).sentences
    ids = pa.array([b"\xfe"], pa.binary()).view(pa.string())
    parquet.write_table(pa.table({"id": ids, "text": [TEXT]}), tmp_path / "c.parquet")
    with pytest.raises(LongsumError, match="cannot be read as a Parquet file"):
        list(open_corpus(tmp_path / "c.parquet", Fields()).items())


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("missing", "There is no folder or file"),
        ("a.txt", "one file, not a corpus"),
        ("a.jsonl.gz", "unpack it first"),
        ("empty", "There is no document"),
    ],
)
def test_a_path_that_is_not_a_corpus_is_refused(name: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "a.jsonl.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "empty").mkdir()
    run = made(tmp_path / name, tmp_path / "out")
    with pytest.raises(LongsumError, match=told):
        run.begin()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("ending", "kind"),
    [
        *(("jsonl", LinesCorpus), ("ndjson", LinesCorpus), ("JSONL", LinesCorpus)),
        *(("parquet", ParquetCorpus), ("pq", ParquetCorpus)),
        *((ending, None) for ending in ("gz", "xz", "bz2", "zst", "zip", "tar", "tgz", "ZIP")),
    ],
)
def test_the_file_ending_determines_the_kind_of_corpus(
    ending: str, kind: type | None, tmp_path: Path
) -> None:
    path = tmp_path / f"a.{ending}"
    path.touch()
    if kind is not None:
        assert type(open_corpus(path)) is kind
        return
    with pytest.raises(LongsumError, match=f"'{path}' is compressed"):
        open_corpus(path)


def test_nothing_of_the_users_is_overwritten(corpus, tmp_path, monkeypatch) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine").touch()
    with pytest.raises(LongsumError, match="not an empty folder"):
        made(corpus, full).begin()
    monkeypatch.chdir(corpus)
    (tmp_path / "link").symlink_to(corpus / "deep")
    for inside in (
        corpus / "out",
        Path("out"),
        corpus / ".." / "corpus" / "out",
        tmp_path / "link" / "out",
    ):
        with pytest.raises(LongsumError, match="is inside the folder of documents"):
            made(corpus, inside).begin()
        with pytest.raises(LongsumError, match="is inside the folder of documents"):
            made(tmp_path / "other" / ".." / "corpus", inside).begin()
    run = made(corpus, tmp_path / "out")
    run.begin()
    with pytest.raises(LongsumError, match="batch resume"):
        run.begin()


def test_a_fault_of_the_program_is_a_row(corpus, tmp_path, monkeypatch) -> None:
    fail = Mock(side_effect=ZeroDivisionError("always"))
    monkeypatch.setattr(Lead, "with_encodings", fail)
    monkeypatch.setattr("longsum.batch.summarizing.summarize_with", fail)
    run = finished(corpus, tmp_path / "out", size=9)
    assert status(run).failures == {"unreadable": 1, "fault": 4}
    assert rows_of(run)["a.md"].error == "ZeroDivisionError: always"


@pytest.mark.slow
def test_documents_at_which_processes_end_are_given_up(corpus: Path, tmp_path: Path) -> None:
    (corpus / "b deadly.txt").write_text(TEXT)
    (corpus / "deep" / "er" / "z sleepy.txt").write_text(TEXT)
    run = made(corpus, tmp_path / "out", size=3)
    run.begin()
    run.resume(
        lambda ledger, settings: LocalEngine(
            ledger, settings, workers=2, timeout=3, serve=serve_dangerously
        ),
        nobody,
    )
    rows = rows_of(run)
    assert verify(run).sound
    assert status(run).failures == {"unreadable": 1, "crash": 1, "timeout": 1}
    assert "by signal 9" in rows["b deadly.txt"].error
    assert rows["deep/er/z sleepy.txt"].error_type == "timeout"
    assert rows["a.md"].summary == rows["deep/c.txt"].summary != ""


@pytest.mark.slow
def test_processes_that_never_start_are_reported(run: BatchRun) -> None:
    with pytest.raises(LongsumError, match="end before they begin"):
        run.resume(
            lambda ledger, settings: LocalEngine(
                ledger, settings, workers=2, timeout=9, serve=end_at_once
            ),
            nobody,
        )
    assert not status(run).running
