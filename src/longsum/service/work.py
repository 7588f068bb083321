"""What a worker does: it reads a document, makes what is wanted of it, and tells how far it is.

A worker knows the files of one job at a time, and neither the database nor the network.
"""

import json
import signal
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from longsum.batch.workers import end_with_parent
from longsum.common.errors import LongsumError
from longsum.common.files import write_kept
from longsum.common.threads import limit_blas_threads, wait_passively
from longsum.service.jobs import Wanted
from longsum.service.records import failure

if TYPE_CHECKING:
    from longsum.core.summaries import NestedSummaries, Summary
    from longsum.documents import Document
    from longsum.documents.readers.limits import ReadLimits

_BEAT = 1.0
"""Seconds between two signs of life."""
_APART = 0.3
"""Seconds between two reports of one stage."""
_MOST_PARSED = 2_000_000_000
_READ = "read.json"


@dataclass(frozen=True, slots=True)
class Task:
    """A job as a worker gets it.

    Attributes:
        wanted: The request, as JSON values.
        name: The document's name.
        place: The document's folder.
        members: The names and folders of those that it consists of, if it is several.
        limits: Limits of what is read.
        writer: The folder or address of the language model that is wanted.
        allow_net: Whether that may be on another machine.
    """

    wanted: Mapping[str, Any]
    name: str
    place: Path
    members: tuple[tuple[str, Path], ...]
    limits: "ReadLimits"
    writer: str | None = None
    allow_net: bool = False


Report = Literal["ready", "alive", "stage", "read", "done", "failed"]
"""What a worker tells, with what belongs to it: its stage, what it has read, the end of its job."""


class _Told:
    """The end of a connection that several threads may use."""

    def __init__(self, connection: "Connection[Any, Any]") -> None:
        self._connection, self._lock = connection, threading.Lock()
        self._stage, self._last = "", 0.0

    def __call__(self, what: Report, value: Any = None) -> None:
        with self._lock:
            self._connection.send((what, value))

    def stage(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Tell what is being done, but no more often than anybody reads."""
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
    from longsum.documents.readers.isolation.reading_process import stand_by

    # Before there is another thread.
    stand_by()
    tell = _Told(connection)
    with suppress(EOFError, OSError):
        worker = _Worker(tell)
        worker.warm_up()
        tell("ready")
        threading.Thread(target=_beat, args=(tell,), daemon=True).start()
        while True:
            worker.do(connection.recv())


def _beat(tell: _Told) -> None:
    # The supervisor has gone once nobody hears.
    with suppress(OSError):
        while True:
            time.sleep(_BEAT)
            tell("alive")
    signal.raise_signal(getattr(signal, "SIGKILL", signal.SIGTERM))


class _Worker:
    """Does jobs, one after the other, with systems that it keeps."""

    def __init__(self, tell: _Told) -> None:
        from longsum.core.loading import load_system
        from longsum.core.system_cache import KeptSystems

        self._tell = tell
        self._systems = KeptSystems(load_system)

    def warm_up(self) -> None:
        """Make a summary, so that the first job finds all loaded, and the worker works."""
        from longsum.documents.readers.reading import read_bytes

        document = read_bytes(b"The river is wide. Dams hold it back. Fish climb the ladders.")
        self._summary(Wanted(length="1s"), document, None, False)

    def do(self, task: Task) -> None:
        """Do a job, and tell how it ends."""
        try:
            wanted = Wanted.model_validate(task.wanted)
            self._tell("done", self._made(wanted, task))
        except LongsumError as error:
            self._tell("failed", failure("unreadable", str(error)))
        except MemoryError:
            # What is left of it may be in any state.
            sys.exit(1)
        except Exception as error:
            said = f"Something went wrong within longsum ({type(error).__name__}: {error})."
            self._tell("failed", failure("fault", said))

    def _made(self, wanted: Wanted, task: Task) -> dict[str, bytes]:
        if wanted.kind == "table":
            return self._table(wanted, task)
        document = self._document(task, wanted)
        if wanted.kind == "questions":
            return self._questions(wanted, task, document)
        nested = self._summary(wanted, document, task.writer, task.allow_net)
        self._tell.stage("writing")
        return summary_forms(wanted, nested)

    def _document(self, task: Task, wanted: Wanted) -> "Document":
        """Return the document, or several as one, with what is wanted of it."""
        from longsum.documents import subset
        from longsum.dossiers.gathering import gather

        self._tell.stage("reading")
        if not task.members:
            document = self._read(task.name, task.place, task.limits)
        else:
            of_each = partial(self._member, task)
            document = gather(enumerate(task.members, start=1), of_each).document
            self._tell("read", (task.place.name, about(document)))
        if not wanted.keep:
            return document
        return subset.keep(document, [name for name in wanted.keep.split(",") if name.strip()])

    def _member(self, task: Task, numbered: tuple[int, tuple[str, Path]]) -> "Document":
        number, (name, place) = numbered
        self._tell.stage("reading documents", number, len(task.members))
        if not place.is_dir():
            raise LongsumError(f"{name} was removed meanwhile.")
        return self._read(name, place, task.limits)

    def _read(self, name: str, place: Path, limits: "ReadLimits") -> "Document":
        """Return a document, which is read once and kept."""
        from longsum.common.files import read_kept
        from longsum.documents.document_json import document_from_json, document_to_json
        from longsum.documents.readers.reading import read_bytes

        try:
            values = json.loads(read_kept(place / _READ, _MOST_PARSED))
            return document_from_json(values)
        except (OSError, ValueError, LongsumError):
            document = read_bytes((place / "original").read_bytes(), name, limits=limits)
            kept = json.dumps(document_to_json(document), ensure_ascii=False)
            write_kept(place / _READ, kept.encode())
            self._tell("read", (place.name, about(document)))
            return document

    def _summary(
        self, wanted: Wanted, document: "Document", writer: str | None, allow_net: bool
    ) -> "NestedSummaries":
        from longsum.core import pipeline

        def show_part(level: int, done: int, total: int) -> None:
            self._tell.stage(f"summarizing parts, level {level}", done, total)

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
        from longsum.dossiers.dossier_system import prepared

        self._tell.stage("loading")
        with self._system(wanted, writer, allow_net) as system:
            self._tell.stage("summarizing")
            system, options = prepared(system, document, options)
            make = pipeline.summarize_lengths if wanted.lengths else pipeline.summarize_length
            return make(document, wanted.budget, system, options)

    def _system(self, wanted: Wanted, writer: str | None, allow_net: bool) -> Any:
        from contextlib import nullcontext

        from longsum.core.pipeline import SystemOptions
        from longsum.core.recipes import DEFAULT

        if writer is None:
            return self._systems.using(wanted.system or DEFAULT)
        return nullcontext(
            SystemOptions(model=writer, endpoint=_endpoint(writer, allow_net)).load()
        )

    def _questions(self, wanted: Wanted, task: Task, document: "Document") -> dict[str, bytes]:
        from longsum.core.summaries.question_summary import questions_to_markdown
        from longsum.core.summaries.result_file import dump_json
        from longsum.core.systems.system import TreeOptions
        from longsum.core.tree_makers import load_tree_maker

        self._tell.stage("loading")
        settings = {} if task.writer is None else _endpoint(task.writer, task.allow_net)
        maker = load_tree_maker(task.writer, **settings)
        self._tell.stage("summarizing sections")
        options = TreeOptions(wanted.budget, wanted.depth, wanted.question)
        tree = maker.make(document, options)
        self._tell.stage("writing")
        return _encoded(
            json=dump_json(tree.to_dict()),
            text=str(tree),
            markdown=questions_to_markdown(tree),
            html=tree.to_html(),
        )

    def _table(self, wanted: Wanted, task: Task) -> dict[str, bytes]:
        from longsum.core.summaries.result_file import dump_json
        from longsum.tables.inputs.read import read_table_apart
        from longsum.tables.planning import table_systems
        from longsum.tables.planning.planners import planner
        from longsum.tables.report import report_to_json
        from longsum.tables.table_page import render_table
        from longsum.tables.templates import realize, report_to_markdown, report_to_text

        self._tell.stage("reading")
        table, _ = read_table_apart(
            task.place / "original", task.name, game=wanted.game, limits=task.limits
        )
        self._tell.stage("planning")
        report = realize(table, planner(wanted.planner or table_systems.RULES)(table))
        self._tell.stage("writing")
        return _encoded(
            json=dump_json(report_to_json(report)),
            text=report_to_text(report),
            markdown=report_to_markdown(report),
            html=render_table(report),
        )


def _endpoint(writer: str, allow_net: bool) -> dict[str, Any]:
    from longsum.core.loading import is_endpoint

    return {"allow_net": True} if allow_net and is_endpoint(writer) else {}


def about(document: "Document") -> dict[str, Any]:
    """Return what the list of documents tells of one."""
    from longsum.core.summaries.result_file import document_to_json

    pages = max((sentence.page or 0 for sentence in document.sentences), default=0)
    stated = document_to_json(document)
    known = ("title", "language", "words", "sentences", "sections", "omitted", "sha256")
    return {name: stated[name] for name in known if name in stated} | {
        "format": document.source.format,
        "pages": pages or None,
        "warnings": list(document.warnings),
    }


def summary_forms(wanted: Wanted, nested: "NestedSummaries") -> dict[str, bytes]:
    """Return a summary in each of its forms; as a page if all lengths were made."""
    from longsum.core.summaries.formats import to_markdown, to_text
    from longsum.core.summaries.result_file import dump_json, summary_to_json

    summary: Summary = nested.summaries[nested.start]
    values = summary_to_json(summary, levels=wanted.levels, importance=wanted.explain)
    forms = _encoded(
        json=dump_json(values),
        text=to_text(summary, wanted.explain, headings=wanted.headings),
        markdown=to_markdown(summary, wanted.explain, headings=wanted.headings),
    )
    if wanted.lengths:
        from longsum.service.lines import FORM, lines_of

        page = nested.to_html(shaded=wanted.explain, headings=wanted.headings is not False)
        forms |= _encoded(**{"html": page, FORM: lines_of(nested).model_dump_json()})
    return forms


def _encoded(**texts: str) -> dict[str, bytes]:
    return {form: text.encode("utf-8", "backslashreplace") for form, text in texts.items()}
