"""The worker: reads a document, makes what is requested, and reports its progress.

A worker sees the files of one job at a time, and neither the database nor the network.
"""

import json
import signal
import sys
import threading
import time
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from longsum.batch.workers import end_with_parent
from longsum.common.errors import LongsumError
from longsum.common.files import read_kept, write_kept
from longsum.common.threads import limit_blas_threads, wait_passively
from longsum.core import pipeline
from longsum.core.loading import is_endpoint, load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import NestedSummaries, result_file
from longsum.core.summaries.formats import to_markdown, to_text
from longsum.core.system_cache import SystemCache
from longsum.core.systems.system import System, TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents import Document, subset
from longsum.documents.document_json import document_from_json, document_to_json
from longsum.documents.readers.isolation.reading_process import stand_by
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.reading import read_bytes
from longsum.dossiers.gathering import gather
from longsum.service.jobs import Wanted
from longsum.service.lines import FORM, lines_of
from longsum.service.records import failure

_BEAT = 1.0
"""Seconds between two heartbeats."""
_APART = 0.3
"""Seconds between two reports of the same stage."""
_MOST_PARSED = 2_000_000_000
_READ = "read.json"


@dataclass(frozen=True, slots=True)
class Task:
    """A job as passed to a worker.

    Attributes:
        wanted: The request.
        name: The document's name.
        place: The document's folder.
        members: The names and folders of its members, if it is several documents.
        limits: Limits of what is read.
        writer: The folder or address of the requested language model.
        allow_net: Whether the model may be on another machine.
    """

    wanted: Wanted
    name: str
    place: Path
    members: tuple[tuple[str, Path], ...]
    limits: ReadLimits
    writer: str | None = None
    allow_net: bool = False


Report = Literal["ready", "alive", "stage", "read", "done", "failed"]
"""The kinds of a worker's reports, each with a value: stage, facts read, end of the job."""


class _Reporter:
    """Sends reports over a connection; several threads may use it."""

    def __init__(self, connection: "Connection[Any, Any]") -> None:
        self._connection, self._lock = connection, threading.Lock()
        self._stage, self._last = "", 0.0

    def __call__(self, what: Report, value: Any = None) -> None:
        with self._lock:
            self._connection.send((what, value))

    def stage(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Report the stage, but no more often than anyone would read it."""
        now = time.monotonic()
        if stage != self._stage or done == total or now - self._last > _APART:
            self._stage, self._last = stage, now
            self("stage", (stage, done, total))


def serve_jobs(connection: "Connection[Any, Any]") -> None:
    """Do jobs that come in until the supervisor closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    end_with_parent()
    wait_passively()
    limit_blas_threads()
    # Before any other thread starts.
    stand_by()
    tell = _Reporter(connection)
    with suppress(EOFError, OSError):
        worker = _Worker(tell)
        worker.warm_up()
        tell("ready")
        threading.Thread(target=_beat, args=(tell,), daemon=True).start()
        while True:
            worker.do(connection.recv())


def _beat(tell: _Reporter) -> None:
    # If nobody listens, the supervisor is gone.
    with suppress(OSError):
        while True:
            time.sleep(_BEAT)
            tell("alive")
    signal.raise_signal(getattr(signal, "SIGKILL", signal.SIGTERM))


class _Worker:
    """Does jobs one after the other, with cached systems."""

    def __init__(self, tell: _Reporter) -> None:
        self._tell = tell
        self._systems = SystemCache(load_system)

    def warm_up(self) -> None:
        """Make a summary, so that everything is loaded and tested before the first job."""
        document = read_bytes(b"The river is wide. Dams hold it back. Fish climb the ladders.")
        self._summary(Task(Wanted(length="1s"), "", Path(), (), ReadLimits()), document)

    def do(self, task: Task) -> None:
        """Do a job, and report its end."""
        try:
            self._tell("done", self._made(task))
        except LongsumError as error:
            self._tell("failed", failure("unreadable", str(error)))
        except MemoryError:
            # The systems may be in any state now.
            sys.exit(1)
        except Exception as error:
            detail = f"Something went wrong within longsum ({type(error).__name__}: {error})."
            self._tell("failed", failure("fault", detail))

    def _made(self, task: Task) -> dict[str, bytes]:
        if task.wanted.kind == "table":
            return self._table(task)
        document = self._document(task)
        if task.wanted.kind == "questions":
            return self._questions(task, document)
        nested = self._summary(task, document)
        self._tell.stage("writing")
        return summary_forms(task.wanted, nested)

    def _document(self, task: Task) -> Document:
        """Return the document, or several as one."""
        self._tell.stage("reading")
        if not task.members:
            document = self._read(task.name, task.place, task.limits)
        else:
            numbers = range(1, len(task.members) + 1)
            document = gather(numbers, lambda number: self._member(task, number)).document
            self._tell("read", (task.place.name, about(document)))
        keep = task.wanted.keep
        return subset.keep(document, keep.split(",")) if keep else document

    def _member(self, task: Task, number: int) -> Document:
        self._tell.stage("reading documents", number, len(task.members))
        name, place = task.members[number - 1]
        if not place.is_dir():
            raise LongsumError(f"{name} was removed in the meantime; send it again.")
        return self._read(name, place, task.limits)

    def _read(self, name: str, place: Path, limits: ReadLimits) -> Document:
        """Return a document, which is read once and stored."""
        try:
            return document_from_json(json.loads(read_kept(place / _READ, _MOST_PARSED)))
        except (OSError, ValueError, LongsumError):
            document = read_bytes((place / "original").read_bytes(), name, limits=limits)
            kept = json.dumps(document_to_json(document), ensure_ascii=False)
            write_kept(place / _READ, kept.encode())
            self._tell("read", (place.name, about(document)))
            return document

    def _summary(self, task: Task, document: Document) -> NestedSummaries:
        # It imports NumPy, which the serving process does not need.
        from longsum.dossiers.dossier_system import prepared

        def show_part(level: int, done: int, total: int) -> None:
            self._tell.stage(f"summarizing parts, level {level}", done, total)

        wanted = task.wanted
        options = pipeline.Options(
            focus=wanted.focus,
            seed=wanted.seed,
            as_written=wanted.as_written,
            at_once=wanted.at_once,
            levels=wanted.levels,
            shorten=wanted.shorten,
            fill=wanted.fill,
            progress=show_part,
        )
        self._tell.stage("loading")
        lent: AbstractContextManager[System]
        if task.writer is None:
            lent = self._systems.using(wanted.system or DEFAULT)
        else:
            chosen = pipeline.SystemOptions(model=task.writer, endpoint=_endpoint(task))
            lent = nullcontext(chosen.load())
        with lent as system:
            self._tell.stage("summarizing")
            system, options = prepared(system, document, options)
            make = pipeline.summarize_lengths if wanted.lengths else pipeline.summarize_length
            return make(document, wanted.budget, system, options)

    def _questions(self, task: Task, document: Document) -> dict[str, bytes]:
        from longsum.core.summaries.question_summary import questions_to_markdown

        self._tell.stage("loading")
        maker = load_tree_maker(task.writer, **_endpoint(task))
        self._tell.stage("summarizing sections")
        wanted = task.wanted
        tree = maker.make(document, TreeOptions(wanted.budget, wanted.depth, wanted.question))
        self._tell.stage("writing")
        return _encoded(
            json=result_file.dump_json(tree.to_dict()),
            text=str(tree),
            markdown=questions_to_markdown(tree),
            html=tree.to_html(),
        )

    def _table(self, task: Task) -> dict[str, bytes]:
        from longsum.tables.inputs.read import read_table_apart
        from longsum.tables.planning import table_systems
        from longsum.tables.planning.planners import planner
        from longsum.tables.report import report_to_json
        from longsum.tables.table_page import render_table
        from longsum.tables.templates import realize, report_to_markdown, report_to_text

        self._tell.stage("reading")
        wanted, original = task.wanted, task.place / "original"
        table, _ = read_table_apart(original, task.name, game=wanted.game, limits=task.limits)
        self._tell.stage("planning")
        report = realize(table, planner(wanted.planner or table_systems.RULES)(table))
        self._tell.stage("writing")
        return _encoded(
            json=result_file.dump_json(report_to_json(report)),
            text=report_to_text(report),
            markdown=report_to_markdown(report),
            html=render_table(report),
        )


def _endpoint(task: Task) -> dict[str, Any]:
    is_allowed = task.allow_net and task.writer is not None and is_endpoint(task.writer)
    return {"allow_net": True} if is_allowed else {}


def about(document: Document) -> dict[str, Any]:
    """Return the facts that the list of documents shows of one."""
    stated = result_file.document_to_json(document)
    known = ("title", "language", "words", "sentences", "sections", "omitted", "sha256")
    return {name: stated[name] for name in known if name in stated} | {
        "format": document.source.format,
        "pages": max((sentence.page or 0 for sentence in document.sentences), default=0) or None,
        "warnings": list(document.warnings),
    }


def summary_forms(wanted: Wanted, nested: NestedSummaries) -> dict[str, bytes]:
    """Return a summary in each of its forms, including a page if all lengths were made."""
    summary = nested.summaries[nested.start]
    values = result_file.summary_to_json(summary, levels=wanted.levels, importance=wanted.explain)
    forms = {
        "json": result_file.dump_json(values),
        "text": to_text(summary, wanted.explain, headings=wanted.headings),
        "markdown": to_markdown(summary, wanted.explain, headings=wanted.headings),
    }
    if wanted.lengths:
        page = nested.to_html(shaded=wanted.explain, headings=wanted.headings is not False)
        forms |= {"html": page, FORM: lines_of(nested).model_dump_json()}
    return _encoded(**forms)


def _encoded(**texts: str) -> dict[str, bytes]:
    return {form: text.encode("utf-8", "backslashreplace") for form, text in texts.items()}
