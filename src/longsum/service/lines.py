"""The sentences of a summary at all its lengths, stored for the reader beside the page."""

from typing import Any

from pydantic import BaseModel, ConfigDict

from longsum.core.pages.lengths_view import LengthsView, length_name
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.result_file import sentence_to_json
from longsum.documents.dossier import Dossier
from longsum.language.words import count_words

FORM = "lines"
"""The result form that contains them."""
_BEFORE = 60
"""Characters of preceding text that distinguish a sentence from the same words elsewhere."""


class Line(BaseModel):
    """A sentence of a page, with everything that result files say about it.

    Attributes:
        text: The sentence.
        citation: Its section and page, in brackets.
        heading: The heading of its section.
        before: The text before its source in the document.
        rungs: The lengths whose summaries contain it.
        words: Number of words.
        sources: Its sources, as in result files.
        sha256: The SHA-256 of the text of its document.
    """

    model_config = ConfigDict(extra="allow")

    text: str
    citation: str
    heading: str
    before: str
    rungs: list[int]
    words: int
    sources: list[dict[str, Any]]
    sha256: str = ""

    @property
    def start(self) -> int | None:
        """Where its first source starts in the document; None if it has none."""
        return self.sources[0]["start"] if self.sources else None

    @property
    def page(self) -> int | None:
        """The page of its source."""
        return self.sources[0].get("page") if self.sources else None


class Lines(BaseModel):
    """The sentences of a summary in the order of the page.

    Its lengths are the rungs; the one at `start` was requested.
    """

    title: str
    start: int
    rungs: list[str]
    system: str
    lines: list[Line]

    @property
    def shown(self) -> list[Line]:
        """The sentences at the requested length."""
        return [line for line in self.lines if self.start in line.rungs]


def lines_of(nested: NestedSummaries) -> Lines:
    """Return the sentences of a summary, each with its place in the document."""
    view = LengthsView.of(nested)
    document, text = view.document, view.document.text
    lines = []
    for line in view.lines:
        sources = line.sentence.sources
        start = sources[0].start if sources else 0
        own = document
        if sources and isinstance(document, Dossier):
            own = document.member_of(sources[0].sentence).document
        lines.append(
            Line(
                **sentence_to_json(line.sentence, document),
                rungs=list(line.rungs),
                words=count_words(line.sentence.text),
                citation=view.citation(sources[0]) if sources else "",
                heading="" if line.section is None else view.place(line.section),
                before=text[max(start - _BEFORE, 0) : start] if sources else "",
                sha256=own.sha256,
            )
        )
    return Lines(
        title=view.title,
        start=nested.start,
        rungs=[length_name(summary.budget) for summary in nested.summaries],
        system=view.summary.system,
        lines=lines,
    )
