"""Heading patterns of plain text: numbered, upper-case, underlined."""

import re

from longsum.documents.heading_titles import bare_title
from longsum.documents.readers.structure.contents import contents_entry

_MOST_WORDS = 16
_NUMBERED = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,5})[.)]?\s+(?P<title>[^\W\d_].*)")
_MARGIN_NUMBER = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*)\.?\s+\S")
_ROMAN = re.compile(r"[IVXLC]{1,6}\.\s+(?P<title>\S.*)")
# A date, or what stands in brackets.
_NO_TITLE = re.compile(r"\d{1,2}\s+[^\W\d_]+\s+\d{4}|[\[(][^\[\]()]*[\])]")
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
"""Rank of headings without a number that stand above numbered ones."""
MARGIN_RANK = _PLAIN_RANK + 1
"""Rank of headings beside those with a number of one part, such as `Abstract` and `1 Scope`."""


def heading_rank(line: str) -> int | None:
    """Return the rank of a line that looks like a heading, None for any other.

    A line of its own is a heading if it is short, does not end like a sentence, and is named
    (`Chapter 2`), numbered (`2.1 Methods`, `IV. Results`) or all in capitals, unless it goes on in
    lower case (`Part I saw`) or is a date (`5 May 2020`), in brackets (`[MUSIC]`) or an
    entry of a table of contents (`2.1 Methods ........ 7`). A lower rank is higher in the tree:
    named parts before capitals before numbers, numbers by their depth.
    """
    words = line.split()
    if _APPENDIX.fullmatch(line):
        return _NAMED_RANK["appendix"] if len(words) <= _MOST_WORDS else None
    ends_as_sentence = line.endswith(tuple(".!?;,:")) and not _ends_in_number(line)
    if not words or len(words) > _MOST_WORDS or ends_as_sentence or _NO_TITLE.fullmatch(line):
        return None
    if contents_entry(line):
        return None
    if named := _NAMED.fullmatch(line):
        goes_on = not named["mark"] and (named["title"] or "")[:1].islower()
        return None if goes_on else _NAMED_RANK.get(named["kind"].lower(), _PLAIN_RANK)
    # Bullets alone make no heading, but many numbered headings have one.
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

    Its place says that it is a heading unless it is long or ends like running text, so numbered
    titles may open in lower case or with a digit: `3.2.2 http URL`, `10.1.1 100 Continue`.
    """
    words = line.split()
    if not 0 < len(words) <= _MOST_WORDS or line.endswith((".", "!", ";", ",", '"', "”")):
        return None
    if contents_entry(line) or not any(map(str.isalpha, line)):
        return None
    if numbered := _MARGIN_NUMBER.match(line):
        return MARGIN_RANK + numbered["number"].count(".")
    return MARGIN_RANK if line[0].isupper() else None


def is_numbered(line: str) -> bool:
    """Return whether a heading is numbered, as list items may be too."""
    bare = bare_title(line)
    return bool(_NUMBERED.fullmatch(bare) or _ROMAN.fullmatch(bare))


def heading_depth(line: str) -> int | None:
    """Return how deeply a heading is numbered, 2 for `2.1 Methods`; None without a number."""
    found = _NUMBERED.fullmatch(bare_title(line))
    return found["number"].count(".") + 1 if found else None


def underline_rank(line: str, below: str) -> int | None:
    """Return the rank of `line` if `below` underlines it (at least three of = - ~ ^)."""
    mark = below.strip()
    if not line.strip() or len(mark) < 3 or len(set(mark)) != 1:
        return None
    return _UNDERLINES.get(mark[0])


def _ends_in_number(line: str) -> bool:
    return bool(re.fullmatch(r"(?:\w+\s+)?(?:\d{1,3}|[IVXLC]+)\.", line))
