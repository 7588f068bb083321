"""The document beside its summary, with its omitted parts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from math import inf

from longsum.common.wording import counted
from longsum.core.pages.lengths_view import LengthsView
from longsum.core.summaries.formats import BANDS, shades
from longsum.core.summaries.summary import Importance, Word
from longsum.documents.model import Document, Omission, Paragraph, Section, Sentence

_LONGEST = 20_000
"""Maximum number of characters of one omitted part that the page shows."""


def slug(kind: str) -> str:
    """Return a kind of part in the form used in addresses: `contents-line`."""
    return "-".join(re.findall(r"\w+", kind.lower()))


class Omissions:
    """Hands out the omitted parts of a document in the order of its text.

    Consecutive parts of one kind at one place, such as lines of a table of contents, are joined.
    """

    def __init__(self, omitted: Sequence[Omission]) -> None:
        shown = [part for part in omitted if part.text]
        self._groups = [list(parts) for _, parts in groupby(shown, lambda o: (o.place, o.kind))]
        self._next = 0
        self._seen: set[str] = set()

    def before(self, offset: float) -> Iterator[str]:
        """Yield the markup of the parts located before an offset of the text."""
        while self._next < len(self._groups) and self._groups[self._next][0].place < offset:
            yield self._markup(self._groups[self._next])
            self._next += 1

    def _markup(self, parts: Sequence[Omission]) -> str:
        kind = parts[0].kind
        name = f' data-kind="{slug(kind)}"'
        name += "" if kind in self._seen else f' id="left-out-{slug(kind)}"'
        self._seen.add(kind)
        text = "\n".join(part.text for part in parts)
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
        label = kind if len(parts) == 1 else counted(len(parts), kind)
        return (
            f'<details class="omitted"{name}><summary>{escape(label)}, left out</summary>'
            f"<pre>{escape(shown)}</pre></details>"
        )


Mark = tuple[int, int, str, str]
"""Start and end of a part of a text, and the markup before and after it."""


def shaded_stretches(document: Document, importance: Importance | None) -> list[list[Mark]]:
    """Return the shaded spans of each sentence: its words, or else all of it."""
    stretches: list[list[Mark]] = [[] for _ in document.sentences]
    if importance is None:
        return stretches
    weights = [word.weight for word in importance.words] or importance.sentences
    parts: Sequence[Word | Sentence] = importance.words or document.sentences
    place = 0
    for part, shade in zip(parts, shades(weights), strict=True):
        while document.sentences[place].end < part.end:
            place += 1
        if shade:
            opening = f'<span class="heat-{shade}">'
            stretches[place].append((part.start, part.end, opening, "</span>"))
    return stretches


def marked_text(text: str, marks: Iterable[Mark], origin: int = 0) -> str:
    """Return a text, escaped, with markup around parts of it.

    Args:
        text: The text.
        marks: The markup; a mark that is empty, or starts within another one, is left out.
        origin: The offset of the text from which the marks count.
    """
    shown, reached = "", 0
    for first, last, opening, closing in sorted(marks):
        start, end = first - origin, last - origin
        if start < reached or end <= start:
            continue
        shown += f"{escape(text[reached:start])}{opening}{escape(text[start:end])}{closing}"
        reached = end
    return shown + escape(text[reached:])


def render_scale(importance: Importance | None, *, shown: bool) -> str:
    """Return the legend and the switch of the shades, which works without a script.

    It is empty if there is no importance; `shown` says whether shades are shown initially.
    """
    if importance is None:
        return ""
    checked = " checked" if shown else ""
    parts = "words" if importance.words else "sentences"
    scale = "".join(
        f'<span class="heat-{shade}">{band:.0%}</span>' for shade, band in enumerate(BANDS, start=1)
    )
    return (
        f'<p class="heat"><label title="Importance, by {escape(importance.origin)}">'
        f'<input type="checkbox" id="heat" autocomplete="off"{checked}> Importance</label> '
        f'<span class="scale">the most important {scale} of the {parts}, '
        f"by {escape(importance.origin)}</span></p>"
    )


_DEEPEST_HEADING = 6
_FIRST_HEADING = 3


@dataclass(frozen=True, slots=True)
class _Marks:
    """Markup inserted into the text.

    `opening` and `closing` go around marked sentences, by position; `shaded` are the stretches of
    every sentence.
    """

    opening: dict[int, str]
    closing: dict[int, str]
    shaded: list[list[Mark]]


def render_document(view: LengthsView) -> str:
    """Return the document section by section.

    Only source sentences (runners-up, and evidence of doubts), page breaks, paragraphs, speakers
    and shaded spans get markup, so the size stays proportional to the text. Omitted parts of the
    text, such as code and tables, are folded in place.
    """
    marks = _marks(view)
    unread = {
        number for summary in view.nested.summaries for number in summary.coverage.unread_sections
    }
    parts: list[str] = []
    position = 0
    page: int | None = None
    left_out = Omissions(view.document.omitted)
    starts = [*(section.start for section in view.tree.sections[1:]), inf]
    parts.extend(left_out.before(view.tree.sections[0].start) if view.tree.sections else ())
    for section, after in zip(view.tree.sections, starts, strict=False):
        parts.append(f'<section class="part" id="sec-{section.number}">')
        parts.append(_heading(view, section, section.number in unread))
        for paragraph in section.paragraphs:
            parts.extend(left_out.before(paragraph[0].start))
            pieces = _pieces(view.document, paragraph, position, page, marks)
            parts.append(f"<p>{''.join(pieces)}</p>")
            position += len(paragraph)
            page = paragraph[-1].page
        parts.extend(left_out.before(after))
        parts.append("</section>")
    return "\n".join(filter(None, parts))


def _marks(view: LengthsView) -> _Marks:
    numbers = view.start_numbers
    opening, closing = {}, {}
    for source, indexes in view.uses.items():
        used = " used" if any(index in numbers for index in indexes) else ""
        opening[source] = f'<mark class="source{used}" id="s-{source}">'
        closing[source] = "</mark>" + "".join(
            _badge(index, numbers.get(index)) for index in indexes
        )
    for line in view.lines:
        evidence = [doubt.sentence for doubt in line.sentence.doubts]
        for place in (line.sentence.runner_up, *evidence):
            if place is not None and place not in opening:
                opening[place], closing[place] = f'<mark class="source" id="s-{place}">', "</mark>"
    return _Marks(opening, closing, shaded_stretches(view.document, view.summary.importance))


def _badge(index: int, number: int | None) -> str:
    state = "" if number else " hidden"
    return (
        f'<a class="badge" href="#k-{index}" data-k="{index}"{state} '
        f'aria-label="Summary sentence {number or ""}">{number or ""}</a>'
    )


def _heading(view: LengthsView, section: Section, unread: bool) -> str:
    note = ' <small class="unread">not read</small>' if unread else ""
    if not section.title:
        return f"<p>{note}</p>" if note else ""
    label = view.label(section.number)
    label_mark = f'<span class="label">{label}</span> ' if label else ""
    rank = min(_FIRST_HEADING - 1 + section.level, _DEEPEST_HEADING)
    return f"<h{rank}>{label_mark}<bdi>{escape(section.title)}</bdi>{note}</h{rank}>"


def _pieces(
    document: Document, paragraph: Paragraph, position: int, page: int | None, marks: _Marks
) -> Iterator[str]:
    reached, speaker = paragraph[0].start, ""
    for index, sentence in enumerate(paragraph, start=position):
        yield escape(document.text[reached : sentence.start])
        if sentence.speaker != speaker:
            speaker = sentence.speaker
            yield f'<b class="speaker">{escape(speaker)}:</b> ' if speaker else ""
        if sentence.page is not None and sentence.page != page:
            page = sentence.page
            yield f'<span class="page">p. {page}</span> '
        yield marks.opening.get(index, "")
        text = document.text[sentence.start : sentence.end]
        yield marked_text(text, marks.shaded[index], sentence.start)
        yield marks.closing.get(index, "")
        reached = sentence.end
