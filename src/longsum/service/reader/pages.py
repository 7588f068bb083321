"""The pages around the viewer: the library, what was found, how far a job is, two summaries."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import Any
from urllib.parse import quote as quoted

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import length_name
from longsum.core.pages.page import asset as shared_asset
from longsum.core.pages.page import render_page
from longsum.core.recipes import DEFAULT
from longsum.service.api.answers import JobView, job_view
from longsum.service.jobs import Wanted, ready_systems
from longsum.service.lines import Line
from longsum.service.reader.search import Hit
from longsum.service.records import Job, StoredDocument
from longsum.service.service import Service

LENGTHS = {"short": "100 words", "medium": "250 words", "long": "600 words", "10%": "a tenth"}
_SHOWN_WORDS = 8
"""Words of a hit that are looked for where it stands."""


@cache
def asset(name: str) -> str:
    """Return the text of a file in the folder `assets`."""
    return files("longsum.service.reader").joinpath("assets", name).read_text(encoding="utf-8")


def fill(name: str, **parts: str) -> str:
    """Return a template in the folder `assets` with all its fields filled."""
    return Template(asset(name).rstrip("\n")).substitute(parts)


def shell(title: str, body: str) -> str:
    """Return a page with the reader's own style and script."""
    style = shared_asset("base.css") + asset("reader.css")
    script = asset("reader.js")
    module = f'{body}\n<script type="module">{script}</script>'
    return render_page(escape(title), module, style=style, script=script, hosted=True)


def label(job: Job) -> str:
    """Say what a job makes: `250 words · by stepwise · on “prices”`."""
    if job.state == "expired":
        return "a summary whose time is up"
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
    about = json.loads(document.about) if document.about else {}
    return about.get("title") or document.name


def options(service: Service) -> str:
    """Return the fields that say what is wanted."""
    lengths = "".join(
        f'<option value="{value}"{" selected" if value == "medium" else ""}>{escape(told)}</option>'
        for value, told in LENGTHS.items()
    )
    systems = "".join(
        f"<option{' selected' if name == DEFAULT else ''}>{escape(name)}</option>"
        for name in ready_systems()
    )
    writers = "".join(
        f"<option>{escape(name)}</option>" for name in sorted(service.settings.writers)
    )
    none = '<option value="">none: it copies</option>'
    writing = f'<label>Writer <select name="writer">{none}{writers}</select></label>'
    return fill(
        "options.html", lengths=lengths, systems=systems, writers=writing if writers else ""
    )


def library(service: Service, query: str, hits: Sequence[Hit] | None, before: float | None) -> str:
    """Return the documents, the latest first, or what was found in them."""
    documents = service.store.documents(before=before)
    if hits is not None:
        listed = found(service, query, hits)
    elif documents:
        listed = "".join(_card(service, document) for document in documents)
        if len(documents) == 50:
            listed += f'<p><a href="/?before={documents[-1].created!r}">Earlier ones</a></p>'
    else:
        listed = "<p class='quiet'>Nothing here yet. Add a document above.</p>"
    heading = "Documents" if hits is None else f"Found: {counted(len(hits), 'place')}"
    body = fill(
        "library.html",
        query=escape(query),
        adding="" if hits is None else "hidden",
        options=options(service),
        heading=heading,
        documents=listed,
        size=f"{service.settings.limits.size / 1e6:,.0f} MB",
    )
    return shell("Library · longsum", body)


def _card(service: Service, document: StoredDocument) -> str:
    jobs = [job for job in service.store.jobs(document.id) if job.state != "expired"]
    about: dict[str, Any] = json.loads(document.about) if document.about else {}
    pages = about.get("pages")
    members = service.store.members(document.id)
    facts = [
        counted(len(members), "document") if members else "",
        document.name if about.get("title") else "",
        counted(about["words"], "word") if about else f"{document.size:,} bytes",
        counted(pages, "page") if pages else "",
        _day(document.created),
    ]
    title = escape(title_of(document))
    best = next((job for job in jobs if job.state == "done"), jobs[0] if jobs else None)
    linked = f'<a href="/read/{best.id}">{title}</a>' if best else title
    done = [job for job in jobs if job.state == "done"]
    compared = (
        f'<li><a href="/compare?left={done[1].id}&amp;right={done[0].id}">Compare two</a></li>'
        if len(done) > 1
        else ""
    )
    return fill(
        "card.html",
        id=escape(document.id),
        title=linked,
        facts=escape(" · ".join(filter(None, facts))),
        jobs="".join(f"<li>{_job_line(service, job)}</li>" for job in jobs) + compared,
        options=options(service),
    )


def _job_line(service: Service, job: Job) -> str:
    link = f'<a href="/read/{job.id}">{escape(label(job))}</a>'
    if job.state == "done":
        return link
    view = job_view(job, service)
    live = f' data-job="{job.id}"' if job.state in ("queued", "running") else ""
    return f'{link} <span class="stage"{live}>{escape(stage(view))}</span>'


def _day(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%d %B %Y}".lstrip("0")


def stage(view: JobView) -> str:
    """Say how far a job is, in words."""
    if view.state == "queued":
        return "next in the queue" if not view.ahead else f"waits behind {view.ahead:,}"
    if view.state == "running":
        part = f", {view.done:,} of {view.total:,}" if view.total else ""
        return f"{view.stage}{part}"
    if view.state == "failed" and view.problem is not None:
        return view.problem.detail
    return {"cancelled": "cancelled", "expired": "its time is up"}.get(view.state, view.state)


def found(service: Service, query: str, hits: Sequence[Hit]) -> str:
    """Return what was found, document by document."""
    if not hits:
        return f"<p class='quiet'>Nothing has all of “{escape(query)}”.</p>"
    parts = []
    by_document: dict[str, list[Hit]] = {}
    for hit in hits:
        by_document.setdefault(hit.document, []).append(hit)
    for identity, own in by_document.items():
        document = service.store.document(identity)
        if document is None:
            continue
        done = [job for job in service.store.jobs(identity) if job.state == "done"]
        latest = next((job.id for job in done), "")
        items = "".join(_hit(hit, hit.job or latest) for hit in own)
        parts.append(
            f"<article><h3>{escape(title_of(document))}</h3><ul class='hits'>{items}</ul></article>"
        )
    return "".join(parts)


_KINDS = {"title": "title", "source": "document", "summary": "summary"}


def _hit(hit: Hit, job: str) -> str:
    said = "".join(
        f"<mark>{escape(part)}</mark>" if number % 2 else escape(part)
        for number, part in enumerate(hit.parts)
    )
    place = " · ".join(filter(None, (_KINDS[hit.kind], hit.place)))
    looked = _looked_for(hit)
    where = "" if hit.kind == "title" else f"#find={quoted(looked)}"
    linked = f'<a href="/read/{job}{where}">{said}</a>' if job else said
    return f"<li><small>{escape(place)}</small> {linked}</li>"


def _looked_for(hit: Hit) -> str:
    """Return some words of the text that begin where the first word was found."""
    first = hit.parts[1] if len(hit.parts) > 1 else ""
    at = hit.text.find(first)
    return " ".join(hit.text[max(at, 0) :].split()[:_SHOWN_WORDS])


def waiting(service: Service, job: Job) -> str:
    """Return how far a job is, or why it has no result; the page follows the job to its end."""
    view = job_view(job, service)
    document = service.store.document(job.document)
    live = job.state in ("queued", "running")
    body = fill(
        "waiting.html",
        job=job.id if live else "",
        id=escape(job.document),
        title=escape(title_of(document) if document else "A document that was removed"),
        label=escape(label(job)),
        stage=escape(stage(view)),
        done=str(view.done),
        total=str(view.total or 1),
        left="" if view.seconds_left is None else f"about {view.seconds_left:,.0f} s left",
        live="" if live else "hidden",
        ended="hidden" if live or document is None else "",
        options=options(service),
        refresh='<noscript><meta http-equiv="refresh" content="2"></noscript>' if live else "",
    )
    return shell("Summarizing · longsum", body)


def navigation() -> str:
    """Return the way from a summary to the library."""
    return '<nav><a class="home" href="/" aria-label="Library">←<span> Library</span></a></nav>\n'


def controls(service: Service, job: Job, others: Iterable[Job]) -> str:
    """Return what a summary's page offers: other summaries, comparing, another one, files."""
    links = "".join(
        f'<li><a href="/read/{each.id}">{escape(label(each))}</a> '
        f'<a href="/compare?left={job.id}&amp;right={each.id}">compare</a></li>'
        for each in others
    )
    return fill(
        "controls.html",
        job=job.id,
        document=escape(job.document),
        options=options(service),
        others=f"<h3>Other summaries</h3><ul>{links}</ul>" if links else "",
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """What two summaries take of one section, and where that begins."""

    start: int
    sides: tuple[list[str], list[str]]


def compared(
    service: Service,
    jobs: tuple[Job, Job],
    values: tuple[Mapping[str, Any], Mapping[str, Any]],
    lines: tuple[Sequence[Line], Sequence[Line]],
) -> str:
    """Return two summaries of a document beside each other, section by section."""
    starts = [
        [line for line in own if value["start"] in line.rungs]
        for own, value in zip(lines, values, strict=True)
    ]
    places = [{line.start for line in own} for own in starts]
    both = places[0] & places[1] - {None}
    sections: dict[str, _Row] = {}
    for side, own in enumerate(starts):
        for heading, members in groupby(own, key=lambda line: line.heading):
            for line in members:
                row = sections.setdefault(heading, _Row(line.start or 0, ([], [])))
                row.sides[side].append(_side(jobs[side], lines[side], line, line.start in both))
    rows = "".join(
        f"<tr><th colspan='2' scope='rowgroup'>{escape(heading) or 'The document'}</th></tr>"
        f"<tr><td>{''.join(row.sides[0])}</td><td>{''.join(row.sides[1])}</td></tr>"
        for heading, row in sorted(sections.items(), key=lambda item: item[1].start)
    )
    done = [each for each in service.store.jobs(jobs[0].document) if each.state == "done"]
    body = fill(
        "compare.html",
        title=escape(values[0]["title"]),
        shared=counted(len(both), "sentence"),
        left=_choice("left", done, jobs[0]),
        right=_choice("right", done, jobs[1]),
        heads="".join(
            f'<th scope="col"><a href="/read/{job.id}">{escape(label(job))}</a> '
            f"<small>{counted(len(own), 'sentence')}, "
            f"{counted(sum(line.values['words'] for line in own), 'word')}</small></th>"
            for job, own in zip(jobs, starts, strict=True)
        ),
        rows=rows,
    )
    return shell("Two summaries · longsum", body)


def _side(job: Job, lines: Sequence[Line], line: Line, both: bool) -> str:
    said = f'<a href="/read/{job.id}#k-{lines.index(line)}">{escape(line.text)}</a>'
    shared = ' <small class="both">in both</small>' if both else ""
    return f"<p{' class=shared' if both else ''}>{said}{shared}</p>"


def _choice(name: str, jobs: Iterable[Job], chosen: Job) -> str:
    entries = []
    for job in jobs:
        state = " selected" if job.id == chosen.id else ""
        entries.append(f'<option value="{job.id}"{state}>{escape(label(job))}</option>')
    return f'<label>{name.capitalize()} <select name="{name}">{"".join(entries)}</select></label>'
