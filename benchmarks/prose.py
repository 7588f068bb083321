"""Detects prose in a text, independently of the library's rules for tables, code and furniture.

A run of prose is a sentence of eight words or more that is not a line of a listing. A listing is a
block most of whose lines are code, data or entries: they are full of signs and digits, end in the
number of a page, or lack the small words that sentences are made of. A block that opens with a key
in brackets, `[IRI]`, is an entry of a list of references.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterator

FEWEST_WORDS = 8
_Three = tuple[str, str, str]
_SIGNS = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‐": "-",
                        "−": "-", "\xad": None, "\u200b": None, "\u2060": None,
                        "…": "..."})  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*[,;:.?!)”’\"']*|[(“‘\"'][^\W\d_]+[,;:.?!)”’\"']*")
# Function words of nine languages; every sentence of eight words has two of its language's.
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
_CODE = re.compile(r"[{}<>|=\\^~_#$@]|;\s*$|\(\)|::|->")
# Comments of programs, input after a prompt, assignments of brackets, arrows, leaders, and lines
# without a word: sentences of a text have none of them.
_NEVER = re.compile(
    r"\s*(?://|/\*|\*|--|%|#|\$\s)|.*(?:\.\s?){4,}|.*\*/\s*$|.*\s=\s[\[({]|.*\s->\s"
    r"|(?:[^\W\d_]?[\W\d_])*$"
)
_ENTRY = re.compile(r"\s{3,}\S*\d+\s*$|[\s,]\d*\.?\d+\s*$")
_KEY = re.compile(r"\s*\[[A-Z][\w.-]*\]\s")
_ITEM_END = tuple(".?!:;,")
_CLOSING = "\"'”’)]"
_END = re.compile(r"(?<=[.?!])[)”’\"'\]]*\s+(?=[(“‘\"'\[]?[^\W_a-z])")


def normal(text: str) -> str:
    """Return a text on one line, with quotes, dashes and spaces normalized."""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_SIGNS)).split())


def words(text: str) -> int:
    """Return the number of words of a text."""
    return len(text.split())


def runs_of_prose(text: str) -> Iterator[str]:
    """Yield the sentences of prose in a text whose cells are separated by tabs."""
    for block in re.split(r"\n[^\S\n]*\n", text):
        lines = [line for line in block.split("\n") if line.strip()]
        if _is_listing(lines) or (lines and _KEY.match(lines[0])):
            continue
        for unit in _units(lines):
            yield from (each for each in _END.split(unit) if _is_prose(each))


def prose_words(text: str, *, known: Container[_Three] = (), ended: bool = False) -> int:
    """Return the number of words in runs of prose.

    Args:
        text: The text.
        known: Trigrams of words that occur elsewhere too, and are not counted.
        ended: Whether only sentences that end like sentences or list items count.
    """
    return sum(
        words(each)
        for each in runs_of_prose(text)
        if (not ended or each.rstrip().rstrip(_CLOSING).endswith(_ITEM_END))
        and (not known or uncovered(each, known))
    )


def trigrams(text: str) -> set[_Three]:
    """Return the word trigrams of a text."""
    bare = _bare(text)
    return set(zip(bare, bare[1:], bare[2:], strict=False))


def uncovered(sentence: str, known: Container[_Three]) -> int:
    """Return the number of words of a sentence that are in no known trigram.

    It is 0 if at most two words, or a tenth, are missing: then a line number is in it.
    """
    bare = _bare(sentence)
    threes = enumerate(zip(bare, bare[1:], bare[2:], strict=False))
    kept = {n + k for n, three in threes if three in known for k in range(3)}
    missing = len(bare) - len(kept)
    return missing if missing >= 3 and 10 * missing > len(bare) else 0


def word_counts(text: str) -> Counter[str]:
    """Return how often a text has each word."""
    return Counter(_bare(text))


def _bare(text: str) -> list[str]:
    """Return the words of a text in lower case, with compounds as one word."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=\w)-\s?(?=\w)", "", normal(text)).casefold())


def _units(lines: list[str]) -> Iterator[str]:
    """Yield the cells of rows; lines without cells form a paragraph, up to a final colon."""
    open_lines: list[str] = []
    for line in lines:
        if "\t" not in line.strip():
            open_lines.append(line)
            if not line.rstrip().endswith(":"):
                continue
            line = ""
        if open_lines:
            yield " ".join(" ".join(open_lines).split())
            open_lines = []
        yield from (" ".join(cell.split()) for cell in line.split("\t"))
    if open_lines:
        yield " ".join(" ".join(open_lines).split())


def _is_listing(lines: list[str]) -> bool:
    """Return whether most lines are code, or entries that end in a number."""
    marked = (
        bool(_NEVER.match(line))
        or (bool(_CODE.search(line) or _ENTRY.search(line)) and not _is_prose(line))
        for line in lines
    )
    return 2 * sum(marked) > len(lines)


def _is_prose(sentence: str) -> bool:
    """Return whether a piece is a sentence: most tokens are words, and some are small ones."""
    tokens = sentence.split()
    if len(tokens) < FEWEST_WORDS:
        return False
    alphabetic = [token for token in tokens if _WORD.fullmatch(token)]
    small = sum(token.casefold().strip("(,;:.“”\"'") in _SMALL for token in alphabetic)
    return (
        len(alphabetic) >= 0.6 * len(tokens)
        and small >= max(2, len(tokens) / 10)
        and any(token[0].islower() for token in alphabetic)
    )
