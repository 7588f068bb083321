"""The pages around the viewer: library, search results, job progress and comparison."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any
from urllib.parse import quote as quoted

from jinja2 import Environment, PackageLoader

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import length_name
from longsum.core.pages.page import asset, render_page
from longsum.core.recipes import DEFAULT
from longsum.service.jobs import Wanted, ready_systems
from longsum.service.lines import FORM, Lines
from longsum.service.reader.search import MOST, Hit
from longsum.service.records import Job, StoredDocument
from longsum.service.service import JobView, Service

_PACKAGE = "longsum.service.reader"
LENGTHS = {"short": "100 words", "medium": "250 words", "long": "600 words", "10%": "a tenth"}
_PAGE = 50
"""Documents per page of the library."""
_OTHERS = 12
"""Number of other summaries that a page links to."""
_SHOWN_WORDS = 8
"""Number of words of a hit that its link searches for."""


class Pages:
    """The templates in the folder `assets`, which escape whatever is inserted."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._templates = Environment(
            loader=PackageLoader(_PACKAGE, "assets"), autoescape=True, trim_blocks=True
        )
        self._templates.filters |= {
            "anchor": _anchor,
            "counted": counted,
            "day": _day,
            "label": label,
            "stage": lambda job: stage(service.job_view(job)),
            "title_of": title_of,
        }
        self._templates.globals |= {
            "lengths": LENGTHS,
            "systems": ready_systems,
            "usual": DEFAULT,
            "writers": service.settings.writers,
        }

    def _filled(self, name: str, **parts: Any) -> str:
        return self._templates.get_template(name).render(parts)

    def _shell(self, title: str, name: str, /, **parts: Any) -> str:
        """Return a page with the reader's own style and script."""
        style = asset("base.css") + asset("reader.css", _PACKAGE)
        script = asset("reader.js", _PACKAGE)
        body = f'{self._filled(name, **parts)}\n<script type="module">{script}</script>'
        return render_page(escape(title), body, style=style, script=script, hosted=True)

    def library(self, query: str, hits: Sequence[Hit] | None, before: float | None) -> str:
        """Return the documents, the latest first, or the search results."""
        documents = self._service.store.documents(before=before, most=_PAGE)
        return self._shell(
            "Library · longsum",
            "library.html",
            query=query,
            hits=len(hits or ()),
            most=MOST,
            found=None if hits is None else self._found(hits),
            cards=[self._card(each) for each in documents] if hits is None else [],
            earlier=documents[-1].created if hits is None and len(documents) == _PAGE else None,
            size=f"{self._service.settings.limits.size / 1e6:,.0f} MB",
        )

    def _card(self, document: StoredDocument) -> dict[str, Any]:
        store = self._service.store
        return {
            "document": document,
            "about": document.facts,
            "members": store.members(document.id),
            "jobs": [job for job in store.jobs(document.id) if job.state != "expired"],
            "comparable": self._comparable(document.id),
        }

    def _found(self, hits: Iterable[Hit]) -> list[Any]:
        """Return the hits by document, each with the job that shows it."""
        by_document: dict[str, list[Hit]] = {}
        for hit in hits:
            by_document.setdefault(hit.document, []).append(hit)
        found = []
        for document in self._service.store.stored(*by_document):
            latest = next((job.id for job in self._done(document.id)), "")
            found.append((document, [(hit, hit.job or latest) for hit in by_document[document.id]]))
        return found

    def _done(self, document: str) -> list[Job]:
        return [job for job in self._service.store.jobs(document) if job.state == "done"]

    def _comparable(self, document: str) -> list[Job]:
        """Return the jobs that made summaries for the reader, which trees of questions are not."""
        return [job for job in self._done(document) if FORM in self._service.store.forms(job.id)]

    def waiting(self, job: Job) -> str:
        """Return a job's progress, or why it has no result; the page follows it to its end."""
        return self._shell(
            "Summarizing · longsum",
            "waiting.html",
            job=job,
            view=self._service.job_view(job),
            document=next(iter(self._service.store.stored(job.document)), None),
            live=job.state in ("queued", "running"),
        )

    def controls(self, job: Job) -> str:
        """Return the controls of a summary: other summaries, comparison, a new one, exports."""
        others = [each for each in self._done(job.document) if each.id != job.id]
        comparable = self._comparable(job.document)
        return self._filled(
            "controls.html", job=job, others=others[:_OTHERS], comparable=comparable
        )

    def compared(self, jobs: Sequence[Job], summaries: Sequence[Lines]) -> str:
        """Return two summaries of a document side by side, section by section."""
        shown = [summary.shown for summary in summaries]
        both = {line.start for line in shown[0]} & {line.start for line in shown[1]} - {None}
        starts: dict[str, int] = {}
        rows: dict[str, tuple[list[Any], list[Any]]] = {}
        for side, (job, summary) in enumerate(zip(jobs, summaries, strict=True)):
            for place, line in enumerate(summary.lines):
                if summary.start in line.rungs:
                    starts.setdefault(line.heading, line.start or 0)
                    told = {"text": line.text, "both": line.start in both, "job": job.id}
                    cells = rows.setdefault(line.heading, ([], []))
                    cells[side].append(told | {"place": place})
        return self._shell(
            "Two summaries · longsum",
            "compare.html",
            title=summaries[0].title,
            shared=len(both),
            done=self._comparable(jobs[0].document),
            sides=list(zip(("left", "right"), jobs, shown, strict=True)),
            rows=sorted(rows.items(), key=lambda row: starts[row[0]]),
        )


NAVIGATION = '<nav><a class="home" href="/" aria-label="Library">←<span> Library</span></a></nav>\n'
"""The link from a summary to the library."""


def label(job: Job) -> str:
    """Return what a job makes: `250 words · by stepwise · on “prices”`."""
    if job.state == "expired":
        return "an expired summary"
    wanted = Wanted.model_validate_json(job.wanted)
    if wanted.kind == "table":
        return "report of a table"
    length = "as long as it needs" if wanted.budget.automatic else length_name(wanted.budget)
    parts = [
        f"questions, {length} each" if wanted.kind == "questions" else length,
        f"by {wanted.writer}" if wanted.writer else f"by {wanted.system or DEFAULT}",
        f"on “{wanted.focus or wanted.question}”" if wanted.focus or wanted.question else "",
    ]
    return " · ".join(filter(None, parts))


def title_of(document: StoredDocument) -> str:
    """Return the title of a document, or else its name."""
    return document.facts.get("title") or document.name


def stage(view: JobView) -> str:
    """Return a job's progress in words."""
    if view.state == "queued":
        return "next in the queue" if not view.ahead else f"{view.ahead:,} ahead in the queue"
    if view.state == "running":
        return view.stage + (f", {view.done:,} of {view.total:,}" if view.total else "")
    if view.state == "failed" and view.problem is not None:
        return view.problem.detail
    return "expired" if view.state == "expired" else view.state


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%d %B %Y}".lstrip("0")


def _anchor(hit: Hit) -> str:
    """Return the link target of a hit: some words from the first match on."""
    if hit.kind == "title":
        return ""
    first = hit.parts[1] if len(hit.parts) > 1 else ""
    at = hit.text.find(first)
    words = " ".join(hit.text[max(at, 0) :].split()[:_SHOWN_WORDS])
    return f"#find={quoted(words)}"
