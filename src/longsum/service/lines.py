"""The sentences of a summary at all its lengths, as the reader keeps them beside the page."""

from dataclasses import dataclass
from typing import Any

from longsum.core.pages.lengths_view import LengthsView, length_name
from longsum.core.summaries import NestedSummaries
from longsum.core.summaries.result_file import sentence_to_json
from longsum.language.words import count_words

FORM = "lines"
"""The form of a result that holds them."""
_BEFORE = 60
"""Characters of the document before a sentence that tell it from the same words elsewhere."""


def lines_to_json(nested: NestedSummaries) -> dict[str, Any]:
    """Return the sentences in the order of the page, each with its place in the document."""
    view = LengthsView.of(nested)
    text = view.document.text
    lines = []
    for line in view.lines:
        sources = line.sentence.sources
        start = sources[0].start if sources else 0
        lines.append(
            sentence_to_json(line.sentence, view.document)
            | {
                "rungs": list(line.rungs),
                "words": count_words(line.sentence.text),
                "citation": view.citation(sources[0]) if sources else "",
                "heading": "" if line.section is None else view.place(line.section),
                "before": text[max(start - _BEFORE, 0) : start] if sources else "",
            }
        )
    return {
        "title": view.title,
        "start": nested.start,
        "rungs": [length_name(summary.budget) for summary in nested.summaries],
        "system": view.summary.system,
        "lines": lines,
    }


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a page.

    Attributes:
        text: What it says.
        citation: Its section and page, in brackets.
        heading: The section it stands under.
        before: What stands before its source in the document.
        start: Where its first source starts in the document; None if it has none.
        end: Where that ends.
        page: The page of its source.
        rungs: The lengths that contain it.
        values: All that is known of it, as JSON values.
    """

    text: str
    citation: str
    heading: str
    before: str
    start: int | None
    end: int | None
    page: int | None
    rungs: tuple[int, ...]
    values: dict[str, Any]


def lines_of(values: dict[str, Any]) -> list[Line]:
    """Return the sentences that `lines_to_json` wrote."""
    found = []
    for each in values["lines"]:
        source = each["sources"][0] if each["sources"] else {}
        found.append(
            Line(
                each["text"],
                each["citation"],
                each["heading"],
                each["before"],
                source.get("start"),
                source.get("end"),
                source.get("page"),
                tuple(each["rungs"]),
                each,
            )
        )
    return found
