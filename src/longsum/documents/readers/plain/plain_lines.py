"""Brings the lines of plain texts into one layout: paragraphs between blank lines.

What precedes every line is removed: the marks of a quotation, and line numbers. So are the blank
lines of a double-spaced page; paragraphs and titles without a blank line between them are
separated.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import groupby, pairwise

from longsum.documents.fitness.forms import is_caption, is_contact, is_note
from longsum.documents.readers.plain.plain_layout import BULLET, indent
from longsum.documents.readers.structure.headings import TITLE_RANK, heading_rank, is_numbered
from longsum.documents.speakers import find_labels, stamped_places
from longsum.language.sentences import ends_as_sentence, opens_lower

_QUOTED = re.compile(r" ?> ?")
_NUMBER = re.compile(r"\s*(?P<number>\d{1,5})(?=\s|\Z)")
# A document type and comments may come before the first tag.
_PROLOG = re.compile(r"\s*+(?><[!?][^<>]*+>\s*+)*")
_TAG = re.compile(r"</?(?P<name>[A-Za-z][\w.:-]{0,40})(?:\s[^<>\n]{0,400})?>")
_MOST_TOLD = 5
_LONGEST_CLOSE = 1000
_LEAST = 0.8
"""The least share of its lines that follow a layout of a text."""
_FEWEST = 8
"""Fewest lines for a layout to be recognized."""
_STEPS = (1, 2, 5, 10)
"""Line numbers are on every line, or on every second, fifth or tenth."""
_CONTINUED_NUMBERED, _LEAST_RUNNING, _MOST_APART = 0.15, 0.3, 3
"""The share of numbered lines that continue in lower case in running text, and there the least
share of all lines that are numbered, and the distance of two."""
_LONG, _MOST_BLANK = 120, 0.1
"""Fewest characters of a line that nobody broke, and the largest share of blank lines beside the
others where each line is a paragraph."""
_CONTINUED = 0.25
"""Least share of the lines of a double-spaced text that continue in lower case."""
_FEWEST_WORDS = 4
"""Fewest words of a line of running text."""
_LEAST_INDENT = 2
_LONGEST_TITLE = 12
MOST_IN_A_ROW = 3
"""Most headings above one paragraph; more lines are a list."""
_TITLE_WIDTH = 0.8
"""Largest share of a paragraph's width that a title above it may have."""
_PARTICLES = frozenset(
    ["a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]
)
_NO_TITLE_ENDS = tuple(".!;:,-–—…")
_MOST_WORDS = 14
_FEWEST_BELOW = 8
"""Fewest words of the paragraph below."""
_MOST_ALIKE = 2
"""Most headings with the same words; a line that occurs more often names a speaker."""
_LEAST_ENDED = 0.7
"""Least share of paragraphs that end like a sentence, for a line without an end to be a sign."""
_NO_ENDS = tuple('.!;:,-–—…"”')
# A sentence ends, and another begins: this is speech, perhaps below a speaker's name.
_TWO_SENTENCES = re.compile(r"(?:[^\W\d_]){4}[.?!] +[\[(\"“]?[A-Z]")
# E-books' marks of italics, perhaps over several lines, except at the start of a direction.
_EMPHASIS = re.compile(r"(?<![\w\[(])_(?=[^\W_])((?:[^_\n]|\n(?=.*\S)){0,400}[^\s_])_(?!\w)")
_CELLS = re.compile(r"\S(?:\t|\s{3,}|\s?\|\s?)\S")


def even_lines(text: str) -> str:
    """Return a text without what its layout repeats before and between all lines."""
    lines = _unquoted(text.split("\n"))
    return _EMPHASIS.sub(r"\1", "\n".join(_divided(_single_spaced(_unnumbered(lines)))))


def without_tags(text: str) -> tuple[str, list[str]]:
    """Return a text without its tags if tags enclose it, and the names of the first tags.

    A tag at an edge of a line divides paragraphs; entities are those of HTML.
    """
    # A prolog may be empty, so one is always found, and at the beginning.
    start = next(_PROLOG.finditer(text)).end()
    opening = _TAG.match(text, start)
    if opening is None or f"</{opening['name']}>" not in text[-_LONGEST_CLOSE:]:
        return text, []
    names: dict[str, None] = {}
    lines: list[str] = []
    for line in text[start:].split("\n"):
        names.update(dict.fromkeys(found["name"] for found in _TAG.finditer(line)))
        bare, edge = _TAG.sub("", line), line.strip()
        divides = bare != line and (edge[0] == "<" or edge[-1] == ">")
        lines.extend(["", bare, ""] if divides else [bare])
    return unescape("\n".join(lines)), list(names)[:_MOST_TOLD]


def _unquoted(lines: list[str]) -> list[str]:
    """Remove the marks of a quotation that nearly all lines open with, level by level."""
    while True:
        filled = [line for line in lines if line.strip()]
        marked = sum(_QUOTED.match(line) is not None for line in filled)
        if marked < max(_LEAST * len(filled), 2):
            return lines
        lines = [_QUOTED.sub("", line, count=1) if _QUOTED.match(line) else line for line in lines]


def _unnumbered(lines: list[str]) -> list[str]:
    """Remove line numbers: they count up by a step, on every line or that many lines apart."""
    filled = [(place, line) for place, line in enumerate(lines) if line.strip()]
    numbers = [
        (count, place, found)
        for count, (place, line) in enumerate(filled)
        if (found := _NUMBER.match(line))
    ]
    for step in _STEPS:
        numbered = [each for each in numbers if int(each[2]["number"]) % step == 0]
        rests = [found.string[found.end() :].lstrip() for _, _, found in numbered]
        # If every line continues the one before, it is not a list, whatever surrounds it.
        running = step == 1 and sum(map(opens_lower, rests)) >= _CONTINUED_NUMBERED * len(rests)
        least, apart = (_LEAST_RUNNING, _MOST_APART) if running else (_LEAST, step)
        if len(numbered) < max(_FEWEST // step, 3, least * (len(filled) // step)):
            continue
        opening = numbered if running else numbered[:1]
        if all(int(found["number"]) != step for _, _, found in opening):
            continue
        counts = sum(
            int(b[2]["number"]) in (int(a[2]["number"]) + step, step) and b[0] - a[0] <= apart
            for a, b in pairwise(numbered)
        )
        if counts >= _LEAST * (len(numbered) - 1):
            return _without_gutter(lines, {place: found for _, place, found in numbered})
    return lines


def _without_gutter(lines: list[str], numbers: dict[int, re.Match[str]]) -> list[str]:
    """Return lines without their numbers and the column of these."""
    rests = [lines[place][found.end() :] for place, found in numbers.items()]
    gap = min((indent(rest) for rest in rests if rest.strip()), default=0)
    width = Counter(found.end() for found in numbers.values()).most_common(1)[0][0] + gap
    found: list[str] = []
    for place, line in enumerate(lines):
        number = numbers.get(place)
        cut = number.end() + gap if number else min(width, indent(line))
        found.append(line.expandtabs()[cut:] if number is None else line[cut:])
    return found


def _single_spaced(lines: list[str]) -> list[str]:
    """Remove the blank lines of a double-spaced text; wider gaps still divide its paragraphs."""
    runs = [(blank, len(list(run))) for blank, run in groupby(lines, lambda line: not line.strip())]
    filled = [size for blank, size in runs if not blank]
    alone = sum(size == 1 for size in filled)
    continued = sum(
        opens_lower(line.strip()) for line in lines if len(line.split()) >= _FEWEST_WORDS
    )
    if alone < max(_LEAST * len(filled), _FEWEST) or continued < _CONTINUED * sum(filled):
        return lines
    kept: list[str] = []
    place = 0
    for blank, size in runs:
        if not blank:
            kept.extend(lines[place : place + size])
        elif size > 1:
            kept.append("")
        place += size
    return kept


def _divided(lines: list[str]) -> list[str]:
    """Put blank lines between the lines of a text if each is a paragraph, as word processors write.

    Most of it is in long lines that end like sentences, and hardly any line is blank.
    """
    filled = [line for line in lines if line.strip()]
    long = [line for line in filled if len(line) >= _LONG]
    if len(filled) < _FEWEST or len(lines) - len(filled) > _MOST_BLANK * len(filled):
        return lines
    ended = sum(map(ends_as_sentence, long))
    if 2 * sum(map(len, long)) < sum(map(len, filled)) or 3 * ended < 2 * len(long):
        return lines
    divided: list[str] = []
    for line, below in pairwise([*lines, ""]):
        divided += [line] if opens_lower(below.strip()) else [line, ""]
    return divided


def paragraphs_of(lines: Sequence[str]) -> Iterator[list[str]]:
    """Divide the lines between two blank ones where a paragraph or a title begins.

    A paragraph begins with a line that is indented relative to the others or opens with a time;
    each line is a paragraph if all end like a sentence except short ones, which are titles.
    """
    starts = _starts(lines)
    part: list[str] = []
    for place, line in enumerate(lines):
        if part and place in starts:
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _starts(lines: Sequence[str]) -> set[int]:
    if len(lines) < 2:
        return set()
    openings = stamped_places([line.lstrip() for line in lines]) or _indented(lines)
    return openings | _around_titles(lines, openings)


def _indented(lines: Sequence[str]) -> set[int]:
    """Return the first lines of paragraphs that only their indentation separates."""
    depths = [indent(line) for line in lines]
    usual = Counter(depths).most_common(1)[0][0]
    deeper = {
        place
        for place, depth in enumerate(depths)
        if depth >= usual + _LEAST_INDENT and not BULLET.match(lines[place])
    }
    if len(deeper) >= depths.count(usual):
        return set()
    before, wide = [lines[place - 1] for place in deeper if place], _width(lines)
    ended = sum(ends_as_sentence(line) or _is_short(line, wide) for line in before)
    return deeper if before and ended >= _LEAST * len(before) else set()


def _around_titles(lines: Sequence[str], openings: set[int]) -> set[int]:
    """Return where titles between paragraphs begin and end if no blank lines separate them."""
    rank = heading_rank(lines[0].strip()) if len(lines[0].split()) == 2 else None
    # `PART II` is by itself, whatever is below it.
    found = {1} if rank is not None and rank < TITLE_RANK else set[int]()
    wide = _width(lines)
    short = [place not in openings and _is_short(line, wide) for place, line in enumerate(lines)]
    for is_short, run in groupby(range(len(lines)), short.__getitem__):
        places = list(run)
        first, after = places[0], places[-1] + 1
        if not is_short or len(places) > MOST_IN_A_ROW or after == len(lines):
            continue
        above_ends = first == 0 or ends_as_sentence(lines[first - 1])
        title, below = lines[after - 1 : after + 1]
        level = below.strip()[:1].isupper() and indent(below) == indent(title)
        listed = is_numbered(below.strip()) and not BULLET.match(title)
        if above_ends and (level or listed or after in openings):
            found |= {*places, after}
    return found


def _width(lines: Sequence[str]) -> int:
    return max(len(line.strip()) for line in lines)


def _is_short(line: str, wide: int) -> bool:
    """Return whether a line may be a title: short, with a capital or a number, without an end."""
    text = line.strip()
    opens = text[:1].isupper() or (BULLET.match(line) and is_numbered(text))
    if not opens or text.endswith(_NO_TITLE_ENDS):
        return False
    if text.endswith("?") and not is_question_title(text):
        return False
    return len(text.split()) <= _LONGEST_TITLE and len(text) <= _TITLE_WIDTH * wide


def is_question_title(text: str) -> bool:
    """Return whether a question is written as a title: `Where Is It Mined?`."""
    return all(word in _PARTICLES or not word[:1].islower() for word in text.split())


def find_titles(blocks: Sequence[Sequence[str]]) -> set[int]:
    """Return the positions of the blocks that are headings by the text around them.

    Args:
        blocks: The lines of each paragraph, title or table of a text.
    """
    paragraphs = [lines for lines in blocks if _words(lines) >= _FEWEST_BELOW]
    ended = sum(ends_as_sentence(lines[-1].strip()) for lines in paragraphs)
    if not paragraphs or ended < _LEAST_ENDED * len(paragraphs):
        return set()
    shaped = {place for place, lines in enumerate(blocks) if _may_be_title(lines)}
    if any(": " in blocks[place][0] for place in shaped):
        # What somebody says is no title, however short.
        labels = find_labels([" ".join(lines) for lines in blocks])
        shaped = {place for place in shaped if not ((label := labels[place]) and label.speaker)}
    alike = Counter(blocks[place][0].strip() for place in shaped)
    found: set[int] = set()
    run: list[int] = []
    for place, lines in enumerate(blocks):
        if place in shaped or (len(lines) == 1 and heading_rank(lines[0].strip()) is not None):
            run.append(place)
            continue
        if _words(lines) >= _FEWEST_BELOW and len(run) <= MOST_IN_A_ROW:
            found.update(run)
        run = []
    return {
        place
        for place in found & shaped
        if alike[blocks[place][0].strip()] <= _MOST_ALIKE and _after_end(blocks, place, found)
    }


def _words(lines: Sequence[str]) -> int:
    return sum(len(line.split()) for line in lines)


def _may_be_title(lines: Sequence[str]) -> bool:
    if len(lines) != 1:
        return False
    text = lines[0].strip()
    words = text.split()
    if len(words) > _MOST_WORDS or not text[:1].isupper() or text.endswith(_NO_ENDS):
        return False
    # A question may be text as well; in a title all words have capitals.
    if text.endswith("?") and not is_question_title(text):
        return False
    if (
        _CELLS.search(text)
        or _TWO_SENTENCES.search(text)
        or is_caption(text)
        or is_contact(text)
        or is_note(text)
    ):
        return False
    return sum(map(str.isalpha, text)) >= 0.6 * len(text)


def _after_end(blocks: Sequence[Sequence[str]], place: int, titles: set[int]) -> bool:
    """Return whether the text above a block has ended."""
    if place == 0 or place - 1 in titles:
        return True
    above = blocks[place - 1][-1] if blocks[place - 1] else ""
    return ends_as_sentence(above.strip()) or indent(above) > indent(blocks[place][0])
