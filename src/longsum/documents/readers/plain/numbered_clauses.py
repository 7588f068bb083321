"""Finds the titles of numbered clauses and questions, as in licences, contracts and FAQs.

`5. Conveying Modified Source Versions.` ends like a sentence, and in `3. Grant of Patent License.
Subject to …` the title runs into the text. Neither is told from an item of a list by itself, but
numbers that count up over text between them are.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.documents.fitness.forms import is_title_case

_NUMBERED = re.compile(r"\s*(?P<number>\d{1,2})[.)]\s+(?P<text>\S.*)", re.DOTALL)
_RUN_IN = re.compile(
    r"(?P<title>[^.?!]{2,90}?)[.:](?:\s+|\s*-+\s*)(?P<rest>[\"“'‘(]?[A-Z].*)", re.DOTALL
)
_MOST_WORDS = 24
_MOST_RUN_IN_WORDS = 10
_FEWEST = 3
_LARGEST_STEP = 2
"""Most that a number may exceed the one before; a title in between may be too long to be seen."""
_MOST_LINES = 2


@dataclass(frozen=True, slots=True)
class Clause:
    """The opening of a numbered clause.

    Attributes:
        number: Its number.
        title: Its title with the number, without a full stop.
        rest: The text after the title in the same paragraph, an empty string without any.
    """

    number: int
    title: str
    rest: str


def find_clauses(blocks: Sequence[Sequence[str]]) -> dict[int, Clause]:
    """Find the titles of clauses among the blocks of a text.

    They are numbered from 0 or 1 on, at least three, each one or two lines by themselves or a title
    that runs into a sentence, and each has text below.

    Args:
        blocks: Lines between blank ones.

    Returns:
        The clauses by the position of their block.
    """
    found: dict[int, Clause] = {}
    for run in _runs([(place, _clause(lines)) for place, lines in enumerate(blocks)]):
        if len(run) >= _FEWEST:
            found.update(run)
    return found


def _runs(
    openings: Sequence[tuple[int, Clause | None]],
) -> Iterator[list[tuple[int, Clause]]]:
    run: list[tuple[int, Clause]] = []
    for place, clause in openings:
        if clause is None:
            continue
        last_place, last = run[-1] if run else (-1, None)
        has_text = last is not None and (bool(last.rest) or place > last_place + 1)
        if last is not None and has_text and 0 < clause.number - last.number <= _LARGEST_STEP:
            run.append((place, clause))
        elif clause.number <= 1:
            yield run
            run = [(place, clause)]
    yield run


def _clause(lines: Sequence[str]) -> Clause | None:
    """Return the clause that a block opens, None if it opens none."""
    found = _NUMBERED.match(lines[0]) if lines else None
    if found is None:
        return None
    number, text = int(found["number"]), found["text"].strip()
    whole = " ".join([text, *(line.strip() for line in lines[1:])])
    short = len(lines) <= _MOST_LINES and len(whole.split()) <= _MOST_WORDS
    if short and not whole.endswith((",", ";", ":")) and not _RUN_IN.fullmatch(whole):
        mark = lines[0].strip()[: -len(text)]
        return Clause(number, f"{mark}{whole}".removesuffix("."), "")
    run_in = _RUN_IN.fullmatch(whole)
    if run_in is None or len(run_in["title"].split()) > _MOST_RUN_IN_WORDS:
        return None
    if not is_title_case(run_in["title"]):
        return None
    return Clause(number, f"{number}. {run_in['title']}", run_in["rest"])
