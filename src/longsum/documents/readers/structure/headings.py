"""Headings of plain text by their form: numbered, upper-case, underlined, and titles of clauses.

`5. Conveying Modified Source Versions.` ends like a sentence, and in `3. Grant of Patent License.
Subject to …` the title runs into the text. Neither can be told from a list item by itself, but
numbers that count up with text between them can.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.documents.fitness.forms import is_title_case
from longsum.documents.heading_titles import bare_title
from longsum.documents.readers.structure.contents import contents_entry

_MOST_WORDS = 16
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,5})[.)]?\s+(?P<title>[^\W\d_].*)")
_MARGIN_NUMBER = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*)\.?\s+\S")
_NUMBER_AT_END = re.compile(r"(?:\w+\s+)?(?:\d{1,3}|[IVXLC]+)\.")
_ROMAN = re.compile(r"[IVXLC]{1,6}\.\s+(?P<title>\S.*)")
# A date, or text in brackets.
_NO_TITLE = re.compile(r"\d{1,2}\s+[^\W\d_]+\s+\d{4}|[\[(][^\[\]()]*[\])]")
# As weather services write them: `.SHORT TERM /TONIGHT/...`, `...WINTRY MIX EXPECTED...`.
_DOTTED = re.compile(r"\.{1,3}[A-Z][A-Z0-9 ,'&/-]{2,80}(?:[/(][^.]{1,60})?\.{3}")
_NAMED = re.compile(
    r"(?P<kind>book|volume|part|act|chapter|scene|section|appendix|annex)\s+"
    r"(?:[ivxlc]+|\d{1,3}|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"(?P<mark>[.:]?)(?:\s+(?P<title>.*))?",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"(?:APPENDIX|ANNEX):\s+\S[^.;]*\.?")
_RANKS = (("book", "volume"), ("part", "act"), ("chapter", "scene", "appendix", "annex"))
_NAMED_RANK = {name: rank for rank, names in enumerate(_RANKS) for name in names}
_UNDERLINES = {"=": 3, "-": 4, "~": 5, "^": 5}
_PLAIN_RANK = 10
TITLE_RANK = _PLAIN_RANK
"""Rank of headings without a number that are above numbered ones."""
MARGIN_RANK = _PLAIN_RANK + 1
"""Rank of headings level with those numbered by one part, such as `Abstract` and `1 Scope`."""


def heading_rank(line: str) -> int | None:
    """Return the rank of a line that looks like a heading, None for any other.

    A line of its own is a heading if it is short, does not end like a sentence, and is named
    (`Chapter 2`), numbered (`2.1 Methods`, `IV. Results`) or all in capitals, unless it continues
    in lower case (`Part I saw`) or is a date (`5 May 2020`), in brackets (`[MUSIC]`) or an entry of
    a table of contents (`2.1 Methods ........ 7`). A lower rank is higher in the tree: named parts
    before capitals before numbers, numbers by their depth.
    """
    if _DOTTED.fullmatch(line):
        return _PLAIN_RANK
    words = line.split()
    if _APPENDIX.fullmatch(line):
        return _NAMED_RANK["appendix"] if len(words) <= _MOST_WORDS else None
    ends_as_sentence = line.endswith(tuple(".!?;,:")) and not _NUMBER_AT_END.fullmatch(line)
    if not words or len(words) > _MOST_WORDS or ends_as_sentence or _NO_TITLE.fullmatch(line):
        return None
    if contents_entry(line):
        return None
    if named := _NAMED.fullmatch(line):
        goes_on = not named["mark"] and (named["title"] or "")[:1].islower()
        return None if goes_on else _NAMED_RANK.get(named["kind"].lower(), _PLAIN_RANK)
    # A bullet alone makes no heading, but many numbered headings have one.
    bare = bare_title(line)
    if numbered := _NUMBERED.fullmatch(bare):
        opens_as_title = numbered["title"][0].isupper()
        return _PLAIN_RANK + numbered["number"].count(".") + 1 if opens_as_title else None
    if roman := _ROMAN.fullmatch(bare):
        return None if roman["title"][0].islower() else _PLAIN_RANK + 1
    letters = [character for character in line if character.isalpha()]
    if len(letters) >= 4 and all(character.isupper() for character in letters):
        return _PLAIN_RANK
    return None


def margin_rank(line: str) -> int | None:
    """Return the rank of a line at the margin of an indented text, None if it is no heading.

    Its position marks it as a heading unless it is long or ends like running text, so numbered
    titles may open in lower case or with a digit: `3.2.2 http URL`, `10.1.1 100 Continue`.
    """
    words = line.split()
    if len(words) > _MOST_WORDS or line.endswith((".", "!", ";", ",", '"', "”")):
        return None
    if contents_entry(line) or not any(map(str.isalpha, line)):
        return None
    if numbered := _MARGIN_NUMBER.match(line):
        return MARGIN_RANK + numbered["number"].count(".")
    return MARGIN_RANK if line[0].isupper() else None


def is_numbered(line: str) -> bool:
    """Return whether a heading is numbered, as list items can be too."""
    bare = bare_title(line)
    return bool(_NUMBERED.fullmatch(bare) or _ROMAN.fullmatch(bare))


def heading_depth(line: str) -> int | None:
    """Return how deeply a heading is numbered, 2 for `2.1 Methods`; None without a number."""
    found = _NUMBERED.fullmatch(bare_title(line))
    return found["number"].count(".") + 1 if found else None


def underline_rank(line: str, below: str) -> int | None:
    """Return the rank of `line` if `below` underlines it (at least three of = - ~ ^)."""
    mark = below.strip()
    signs = set(mark)
    if not line.strip() or len(mark) < 3 or len(signs) != 1:
        return None
    return _UNDERLINES.get(signs.pop())


_CLAUSE = re.compile(r"\s*(?P<number>\d{1,2})[.)]\s+(?P<text>\S.*)", re.DOTALL)
_RUN_IN = re.compile(
    r"(?P<title>[^.?!]{2,90}?)[.:](?:\s+|\s*-+\s*)(?P<rest>[\"“'‘(]?[A-Z].*)", re.DOTALL
)
_MOST_CLAUSE_WORDS = 24
_MOST_RUN_IN_WORDS = 10
_FEWEST = 3
_LARGEST_STEP = 2
"""Most that a number may exceed the previous one; a title between may be too long to be found."""
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
    """Find the titles of clauses among the blocks of a text, by the position of their block.

    They are numbered from 0 or 1 on, at least three, each one or two lines by themselves or a title
    that runs into a sentence, and each has text below.

    Args:
        blocks: Lines between blank ones.
    """
    found: dict[int, Clause] = {}
    for run in _runs([(place, _clause(lines)) for place, lines in enumerate(blocks)]):
        if len(run) >= _FEWEST:
            found.update(run)
    return found


def _runs(openings: Sequence[tuple[int, Clause | None]]) -> Iterator[list[tuple[int, Clause]]]:
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
    found = _CLAUSE.match(lines[0]) if lines else None
    if found is None:
        return None
    number, text = int(found["number"]), found["text"].strip()
    whole = " ".join([text, *(line.strip() for line in lines[1:])])
    short = len(lines) <= _MOST_LINES and len(whole.split()) <= _MOST_CLAUSE_WORDS
    if short and not whole.endswith((",", ";", ":")) and not _RUN_IN.fullmatch(whole):
        mark = lines[0].strip()[: -len(text)]
        return Clause(number, f"{mark}{whole}".removesuffix("."), "")
    run_in = _RUN_IN.fullmatch(whole)
    if run_in is None or len(run_in["title"].split()) > _MOST_RUN_IN_WORDS:
        return None
    if not is_title_case(run_in["title"]):
        return None
    return Clause(number, f"{number}. {run_in['title']}", run_in["rest"])
