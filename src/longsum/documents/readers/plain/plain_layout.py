"""What indentation and alignment reveal in plain text: tables, code, titles, definitions."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from longsum.language.characters import BULLETS
from longsum.language.sentences import ends_as_sentence
from longsum.language.words import count_words

_FEWEST_LINES = 3
_NARROWEST, _WIDEST = 50, 100
"""Least and most columns of a page, to find what is centred on it."""
_LEAST_CENTRED = 8
_MOST_OFF_CENTRE = 10
_LONGEST_CENTRED = 14

_GAP = re.compile(
    r"(?<=[^\s.?!:;])(?<![.?!:;][\"'”’)\]_])(?<![.?!:;][\"'”’)\]_]{2})\s{2,}(?=\S)|(?<=\S)\s{4,}(?=\S)"
)
_WIDE_GAP = re.compile(r"\S\s{6,}\S|\A\s{24,}\S")
_RULE = re.compile(r"[\s|+:]*[-=_]{3}[-=_\s|+:]*")
_LEAST_ALIGNED = 0.6
_LONGEST_CELL = 9
"""Fewest words of a cell that is prose; a label, a time or a clause number may precede it."""
_LONGEST_TERM = 6
_WIDEST_TERM = 44
_FEWEST_PROSE_WORDS = 7
_LEAST_LETTERS = 0.6
_MOST_PROSE = 0.3
# Comments beside the lines of a program, and a third column.
_NO_DEFINITION = re.compile(r"\A(?:[#;%\\]|/[/*])|\S\s{3,}\S")
_TERM = re.compile(r"\s*(?P<term>\S+(?:\s\S+){0,3})(?:\s{2,}(?=\S)|\s*\Z)")

BULLET = re.compile(rf"\s*(?:[-*+{BULLETS}–]|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{2,5}})[.)])\s+\S")
"""The opening of an item of a list."""
_MARKS = re.compile(r"\A(?P<indent>\s*+)(?>(?:[-*+•]\s+)+)")
_LONGEST_CODE = 10_000
"""Letters of a line that are examined; a program without line breaks shows itself in fewer."""
# A sentence in brackets, such as a stage direction.
_ASIDE = re.compile(r"\s*[\[(][^\[\]().]+(?:\.[^\[\]().]+)*[.!?]_?[\])]\s*")
_PROMPT = re.compile(r"\s*(?:[$%]|[\w@.~-]*[$#])\s+\S")
_CODE = re.compile(
    r"[{};\\]\s*\Z"
    r"|\A\s*(?:#\s*(?:include|define|if|ifdef|endif|else)\b|import\s|from\s\S+\simport\s|def\s\w+\("
    r"|class\s\w+[(:]|return\b|(?:static|const|void|int|char|unsigned|struct|var|let)\s"
    r"|</?\w[^>\s]*+(?:\s[^>=]*+=[^>]*+|\s*/)?>|//|/\*|\*/|<\?|(?:\./|/|~/)\S+)"
    r"|\w\([^()]*\)\s*\Z"
    r"|(?:\A|\s)[\w.\[\]\"'$-]+\s*(?:=|:=|\+=|::=|==)\s*\S"
    r"|&&|\|\||->|=>|::|\$[({\w]"
    r"|(?:\A|\s)--?[A-Za-z][\w-]*(?=[=\s\[]|\Z)"
    r"|\b[A-Z]+ \S+ HTTP/\d|HTTP/\d\.\d \d{3}"
    r"|(?:\A|\s)[\[{<](?![\d_])[^\]}>]{1,40}[\]}>](?:\.{3})?(?=[\s\[]|\Z)"
)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a plain text is laid out.

    Attributes:
        body: Indentation of its running text, in columns.
        width: Columns of its page.
    """

    body: int
    width: int


def layout_of(blocks: Sequence[Sequence[str]]) -> Layout:
    """Return how the blocks of a text are laid out, by those that are running text."""
    indents: list[int] = []
    widths: list[int] = []
    for lines in blocks:
        if len(lines) >= _FEWEST_LINES and ends_as_sentence(lines[-1]) and not _is_aligned(lines):
            # The first line may be indented, as paragraphs of books are.
            indents.append(min(indent(line) for line in lines[1:]))
            widths.append(max(map(len, lines)))
    body = int(median(indents)) if indents else 0
    width = int(median(widths)) if widths else _NARROWEST
    return Layout(body, min(max(width, _NARROWEST), _WIDEST))


def indent(line: str) -> int:
    """Return the number of columns before the first character of a line."""
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def is_centred(line: str, layout: Layout) -> bool:
    """Return whether a line is centred on the page, as titles are."""
    left = indent(line)
    if left < max(_LEAST_CENTRED, layout.body + 2) or line.rstrip().endswith((",", ";")):
        return False
    if BULLET.match(line) or _is_code_line(line):
        return False
    if len(line.split()) > _LONGEST_CENTRED or not any(map(str.isalpha, line)):
        return False
    right = layout.width - len(line.expandtabs().rstrip())
    return abs(left - right) <= _MOST_OFF_CENTRE


def is_table(lines: Sequence[str]) -> bool:
    """Return whether lines are a table: cells in columns, or rules."""
    if len(lines) < 2:
        return False
    rules = sum(_RULE.fullmatch(line) is not None for line in lines)
    cells = sum("|" in line for line in lines)
    if rules >= 2 and rules + cells >= _LEAST_ALIGNED * len(lines):
        return True
    return _is_aligned(lines)


def definitions_of(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return terms with the definitions beside them; none if no definition is prose."""
    page = [line.expandtabs().rstrip() for line in lines if not _RULE.fullmatch(line)]
    openings = [_TERM.match(line) for line in page]
    edges = Counter(found.end() for found in openings if found and found.end() < len(found.string))
    edge = edges.most_common(1)[0][0] if edges else 0
    entries: list[tuple[str, str]] = []
    for line, found in zip(page, openings, strict=True):
        if indent(line) >= edge and entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]} {line.strip()}".strip())
        elif found is None or found.end() not in (edge, len(line)):
            return []
        else:
            entries.append((found["term"], line[edge:].strip()))
    divided = sum(_NO_DEFINITION.search(text) is not None for _, text in entries)
    told = any(count_words(text) > _FEWEST_PROSE_WORDS and _is_prose(text) for _, text in entries)
    return entries if told and len(entries) > 1 and 2 * divided < len(entries) else []


def is_masthead(lines: Sequence[str]) -> bool:
    """Return whether lines are set at both margins, as at the head of a memo or standard."""
    wide = sum(_WIDE_GAP.search(line) is not None for line in lines)
    return len(lines) >= 2 and wide >= _LEAST_ALIGNED * len(lines)


def _is_aligned(lines: Sequence[str]) -> bool:
    """Return whether most lines have a gap before the same column, and few a cell of prose."""
    if len(lines) < 2:
        return False
    cells = [_GAP.split(line.expandtabs().strip()) for line in lines]
    long = sum(any(len(cell.split()) >= _LONGEST_CELL for cell in row) for row in cells)
    if 2 * long >= len(lines):
        return False
    starts: Counter[int] = Counter()
    for line in lines:
        expanded = line.expandtabs().strip("\n")
        body = expanded.lstrip()
        shift = len(expanded) - len(body)
        # The mark of an item is not a cell.
        if BULLET.match(line):
            continue
        starts.update({found.end() + shift for found in _GAP.finditer(body)})
    return bool(starts) and max(starts.values()) >= max(2, _LEAST_ALIGNED * len(lines))


def is_code(lines: Sequence[str], layout: Layout) -> bool:
    """Return whether lines are a program, its input or output, a grammar or a file.

    They are indented relative to the running text, or all of them look like code; few are prose.
    """
    filled = [_MARKS.sub(r"\g<indent>", line) for line in lines if line.strip()]
    prose = sum(_is_prose(line) for line in filled)
    if not filled or prose > _MOST_PROSE * len(filled):
        return False
    item = BULLET.match(lines[0])
    if not item and min(map(indent, filled)) > layout.body:
        return 2 * sum(map(_is_code_line, filled)) >= len(filled)
    # A log has many lines; the first that is not code is enough.
    if prose or not all(map(_is_code_line, filled)):
        return False
    return len(filled) > 1 or (not item and bool(_PROMPT.match(filled[0])))


def _is_prose(line: str) -> bool:
    words = count_words(line)
    letters = sum(map(str.isalpha, line)) >= 0.8 * sum(map(len, line.split()))
    ended = ends_as_sentence(line) and line.lstrip("\"'(“")[:1].isupper()
    return letters and words >= (_FEWEST_PROSE_WORDS - 3 if ended else _FEWEST_PROSE_WORDS)


def _is_code_line(line: str) -> bool:
    line = line[:_LONGEST_CODE]
    if _ASIDE.fullmatch(line):
        return False
    if _PROMPT.match(line) or _CODE.search(line):
        return True
    return sum(map(str.isalpha, line)) < _LEAST_LETTERS * sum(map(len, line.split()))


def hanging_term(lines: Sequence[str]) -> str | None:
    """Return the term that a block defines: a short line over lines that are indented deeper."""
    if len(lines) < 2 or BULLET.match(lines[0]):
        return None
    own = indent(lines[0])
    term = lines[0].strip()
    short = len(term) <= _WIDEST_TERM and len(term.split()) <= _LONGEST_TERM
    if not short or term.endswith((".", "?", "!", ";", ",")):
        return None
    deeper = [indent(line) for line in lines[1:]]
    return term if min(deeper) > own and min(deeper) == max(deeper) else None


def parts_by_indent(lines: Sequence[str]) -> Iterator[list[str]]:
    """Divide a block where a line ends in a colon and deeper lines follow, and where these end."""
    part: list[str] = []
    above: int | None = None
    for number, line in enumerate(lines):
        own = indent(line)
        led = number > 0 and lines[number - 1].rstrip().endswith(":")
        if part and led and own > indent(lines[number - 1]):
            yield part
            part, above = [], indent(lines[number - 1])
        elif part and above is not None and own <= above:
            yield part
            part, above = [], None
        part.append(line)
    if part:
        yield part
