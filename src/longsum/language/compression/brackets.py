"""Deletions of bracketed citations and references to figures, and of footnote marks."""

import re
from collections.abc import Iterator

from longsum.language.boundaries import before_space
from longsum.language.compression.deletion import Deletion, DeletionKind

_PLACEHOLDER = re.compile(r"(?:(?<!\s)\s+)?(?:<cit>|@xcite)", re.IGNORECASE)
# Words that make a following citation part of the sentence: "the method of [12]", "see [3]".
_GOVERNING = re.compile(
    r"(?:^|[\s(])(?:in|by|of|from|to|see|with|than|and|or|both|following|per|at|on|for|like|as|via|use"
    r"|uses|used|using|between|after|that|also|cf\.|e\.g\.,?|is|are|was|were|interval|range|section"
    r"|CI|vector|either|e\.g|i\.e\.,?|ref\.|refs\.|reference|references|equation|eq\.)\Z",
    re.IGNORECASE,
)
_FAR = 60

_NUMBERS = re.compile(r"\s*[1-9]\d{0,2}(?:\s?[,;–—-]\s?[1-9]\d{0,2})*\s*")
_CODE = re.compile(r"[=`_]|\(\)|::")

_MONTH = r"Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_YEAR = re.compile(r"(?<![\w.])(?:18|19|20)\d\d[a-z]?(?![\w%])")
_SPAN_OF_YEARS = re.compile(r"\d{4}\s?[–—-]\s?\d{2,4}")
_CITATION_WORD = re.compile(
    r"(?:18|19|20)\d\d[a-z]?|[a-z]|et|al|and|see|also|e\.?g|cf|for|a|review|reviews|reviewed|in|press"
    r"|by|forthcoming|inter|alia|n\.?d|pp?|chap|ch|de|van|der|den|von|du|di|da|del|la|le|el|bin|ten|&"
    r"|\d{1,4}(?:[–-]\d{1,4})?|[A-ZÀ-ÞŁŚŠŽČĆ][\w’'\-.]*"
)
_NO_AUTHOR = re.compile(
    rf"(?:The|In|Since|From|Born|Died|Until|About|Around|Before|After|By|Act|Public|Law|Circa|FY"
    rf"|Fiscal|Year|Spring|Summer|Fall|Autumn|Winter|(?:{_MONTH})[a-z]*\.?)\b"
)
_AUTHOR = re.compile(r"[A-ZÀ-ÞŁŚŠŽČĆ][\w’'\-]+")
_WORD = re.compile(r"[^\s,;:()]+")
# Not the end of a longer title: "Natural Gas and Systems (2022)".
_AUTHORS_BEFORE = re.compile(
    r"(?:\bet al\.?,?|(?:\A|(?:^|\s)[a-z(]\S*\s)[A-Z][a-z]+ (?:and|&) [A-Z][a-z]+)\Z"
)
_YEARS_ONLY = re.compile(
    r"\s*(?:18|19|20)\d\d[a-z]?(?:\s*+[,;]\s*+(?:(?:18|19|20)\d\d)?[a-z]?)*\s*"
)

_FIGURE = (
    r"(?i:figs?|figures?|tables?|tab|appendix|appendices|sections?|sect?s?|eqs?|eqns?|equations?|box"
    r"|boxes|videos?|movies?|files?|chapters?|supplement(?:ary)?|suppl|schemes?|charts?|plates?"
    r"|panels?|maps?|exhibits?)"
)
FIGURE_NUMBER = (
    r"(?:[A-Z]{0,2}\d+(?:[.\-–]\d+)*(?:\(?[A-Za-z](?:[-–,][A-Za-z])*\)?)?|[A-Z]|[IVX]{1,5})"
    r"(?![\w%])"
)
FIGURE_REFERENCE = (
    rf"(?:(?i:supplementary|additional|supporting|online|extended data|the|suppl\.?)\s+)*"
    rf"{_FIGURE}\b\.?\s*{FIGURE_NUMBER}"
    rf"(?:\s?(?:,|;|:|&|and|to|[-–])\s?(?:(?i:supplementary\s+)?{_FIGURE}\b\.?\s*)?"
    rf"(?:{FIGURE_NUMBER}|[a-z](?!\w)))*"
)
_FIGURE_BRACKET = re.compile(
    rf"\s*(?:(?:please\s+)?see(?:\s+also)?,?\s+|cf\.?\s+|(?:as\s+)?(?:shown|seen|given|listed|described)"
    rf"\s+in\s+|e\.g\.,?\s+|refer\s+to\s+|also\s+in\s+|in\s+)?{FIGURE_REFERENCE}"
    r"(?:,?\s+(?:left|right|top|bottom|upper|lower|middle|inset|panels?|below|above|for details"
    r"|online))*"
    r"\s*\.?\s*",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"\s*(?:data\s+)?not\s+shown|see\s+(?:below|above|text|earlier|later)|(?:as\s++)?(?:shown|described|"
    r"discussed|mentioned|noted)?\s*+(?:above|below)\s*",
    re.IGNORECASE,
)


def bracket_deletions(text: str) -> Iterator[Deletion]:
    """Yield citations and references to figures, with the space before each.

    Brackets inside brackets are deleted with the outer ones or not at all. One that is part of the
    sentence ("as in [12]", "the Act of (1990)") is kept.
    """
    for found in _PLACEHOLDER.finditer(text):
        if not _is_governed(text, found.start()):
            yield Deletion(*_with_comma(text, *found.span()), "citation")
    for opening, end in _outer_brackets(text):
        if (kind := _kind(text, opening, end)) is not None:
            start = before_space(text, opening)
            # The reference syntax of reStructuredText: "[1]_".
            marked = kind == "citation" and text[end : end + 1] == "_"
            yield Deletion(*_with_comma(text, start, end + marked), kind)


def _outer_brackets(text: str) -> Iterator[tuple[int, int]]:
    depth = start = 0
    for place, character in enumerate(text):
        if character in "([":
            start = start if depth else place
            depth += 1
        elif character in ")]" and depth:
            depth -= 1
            if not depth:
                yield start, place + 1


def _kind(text: str, start: int, end: int) -> DeletionKind | None:
    inside = text[start + 1 : end - 1]
    glued = start > 0 and not text[start - 1].isspace()
    square = text[start] == "["
    after = text[end : end + 1]
    if not before_space(text, start) or (after and (after.isalnum() or after in "([’'-")):
        return None
    if square and _NUMBERS.fullmatch(inside):
        code = glued and _CODE.search(text)
        return None if code or _is_governed(text, start) else "citation"
    if glued:
        return None
    if _is_citation(inside) and not _is_governed(text, start):
        return "citation"
    if _YEARS_ONLY.fullmatch(inside) and _AUTHORS_BEFORE.search(_before(text, start)):
        return "citation"
    if _FIGURE_BRACKET.fullmatch(inside) or _POINTER.fullmatch(inside):
        return None if _is_governed(text, start) else "figure_reference"
    return None


def _is_citation(inside: str) -> bool:
    """Whether a bracket contains only authors and years: "Smith et al., 2010; Wu 2011"."""
    dated = all(_YEAR.search(piece) for piece in inside.split(";"))
    if not dated or _SPAN_OF_YEARS.search(inside):
        return False
    words = _WORD.findall(inside)
    author = _AUTHOR.search(inside)
    return (
        author is not None
        and not any(_NO_AUTHOR.match(word) for word in words)
        and all(_CITATION_WORD.fullmatch(word.rstrip(".")) for word in words)
    )


def _is_governed(text: str, start: int) -> bool:
    """Whether the text that starts there is the object or subject of its sentence."""
    before = _before(text, start)
    if before.endswith((";", ":", "—", "–")):
        return True
    return not before or _GOVERNING.search(before) is not None


def _with_comma(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span extended by a preceding comma that would be left without function."""
    closes = text[end : end + 1] in (".", ",", ";", ":", "!", "?", "")
    if closes and start and text[start - 1] == ",":
        return before_space(text, start - 1), end
    return start, end


def _before(text: str, place: int) -> str:
    """Return the last words before an offset."""
    return text[max(place - _FAR, 0) : place].rstrip()


_ABBREVIATION = (
    r"no|nos|vol|vols|fig|figs|sec|secs|art|ver|eq|eqs|approx|chap|ref|refs|tab|dept|part|par|para"
    r"|pos|num|app|sect|cat|pub|ser|doc|est|www|com|org|net|html|ca"
)
_NUMBER = re.compile(
    rf"(?<![\w./:@])(?!(?:{_ABBREVIATION})[.,])[A-Za-z][\w’'\-]{{0,60}}[a-z]{{2}}[)”’\"]?[.,][)”’\"]?"
    # `POSIX.1 permits`: no sentence ends before a lower-case letter.
    r"(?!(?<=\.)\d{1,3}\s+(?-i:[a-z]))(\d{1,3})(?=\s|\Z)",
    re.IGNORECASE,
)
_SUPERSCRIPT = re.compile(r"(?:(?<=[.,;:)”’!?])|(?<=[a-z]{4}))[¹²³⁰⁴-⁹]+(?=[\s.,;:)”]|\Z)")
_SIGN = re.compile(r"(?<=[a-z.,)”])[†‡§]+(?=\s|\Z)")


def footnote_marks(text: str) -> Iterator[Deletion]:
    """Yield the numbers of notes: "the system.15 The", "cases,3 of", "found.¹", "value†"."""
    for found in _NUMBER.finditer(text):
        yield Deletion(*found.span(1), "footnote_mark")
    for pattern in (_SUPERSCRIPT, _SIGN):
        for found in pattern.finditer(text):
            yield Deletion(*found.span(), "footnote_mark")
