"""Judges what of a text is prose, without what the library knows of tables, code and furniture.

A run of prose is a sentence of eight words or more that is no line of a listing. A listing is a
block most of whose lines are code, data or entries: they are full of signs and digits, end in the
number of a page, or lack the small words that sentences are made of.
"""

import re
from collections.abc import Iterator

FEWEST_WORDS = 8
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,;:.?!)”’\"']*|[(“‘\"'][^\W\d_]+[,;:.?!)”’\"']*")
# The small words of nine languages; every sentence of eight words has two of its own.
_SMALL_WORDS = """
    the of and to in is was are were be been that it for on with as by at from this which not or
    an a he she they we you i his her their its our my has have had will would can could may
    shall should must but if when who what there than then so no all one into
    der die das und ist nicht ein eine zu den von mit auf für im dem des sich es er sie wir
    le la les des du de et est un une dans que qui pour pas sur au aux ne se ce il elle par
    el los las y en es del por con una su al lo como para no se
    il di e che è non per della nel sono con si da i gli
    o os do da em uma não mais dos het een van en dat niet op te zijn met voor is
    och att det som på är av inte med den til og at af ikke som
"""
_SMALL = frozenset(_SMALL_WORDS.split())
_CODE = re.compile(r"[{}<>|=\\^~_#$@]|;\s*$|\(\)|::|->|^\s*(?://|/\*|\*|--|%)")
_ENTRY = re.compile(r"(?:\.\s?){4,}|\s{3,}\S*\d+\s*$|[\s,]\d+\s*$")
_END = re.compile(r"(?<=[.?!])[)”’\"'\]]*\s+(?=[(“‘\"'\[]?[^\W_a-z])")


def words(text: str) -> int:
    """Return how many words a text has."""
    return len(text.split())


def runs_of_prose(text: str) -> Iterator[str]:
    """Yield the sentences of prose in a text, whose cells stand between tabs."""
    for block in re.split(r"\n[^\S\n]*\n", text):
        lines = [line for line in block.split("\n") if line.strip()]
        if _is_listing(lines):
            continue
        for unit in _units(lines):
            yield from (each for each in _END.split(unit) if _is_prose(each))


def prose_words(text: str) -> int:
    """Return how many words of a text stand in runs of prose."""
    return sum(words(each) for each in runs_of_prose(text))


def _units(lines: list[str]) -> Iterator[str]:
    """Yield the cells of rows; lines without cells are lines of one paragraph."""
    open_lines: list[str] = []
    for line in lines:
        if "\t" not in line.strip():
            open_lines.append(line)
            continue
        if open_lines:
            yield " ".join(" ".join(open_lines).split())
            open_lines = []
        yield from (" ".join(cell.split()) for cell in line.split("\t"))
    if open_lines:
        yield " ".join(" ".join(open_lines).split())


def _is_listing(lines: list[str]) -> bool:
    """Return whether most lines are code, or entries that end in a number."""
    marked = sum(bool(_CODE.search(line) or _ENTRY.search(line)) for line in lines)
    return 2 * marked > len(lines)


def _is_prose(sentence: str) -> bool:
    """Return whether a piece is a sentence: most tokens are words, and some are small ones."""
    tokens = sentence.split()
    if len(tokens) < FEWEST_WORDS:
        return False
    alphabetic = [token for token in tokens if _WORD.fullmatch(token)]
    small = sum(token.casefold().strip("(,;:.“”\"'") in _SMALL for token in alphabetic)
    return (
        len(alphabetic) >= max(FEWEST_WORDS, 0.75 * len(tokens))
        and small >= max(2, len(tokens) / 10)
        and any(token[0].islower() for token in alphabetic)
    )
