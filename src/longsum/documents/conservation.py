"""Keeps what a person wrote: prose that a reader left out goes back into the text.

The rules that leave something out judge how it is laid out. Whether it is prose is judged here by
other signs, the words alone: how long they are, how they are capitalised, and how they end.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from longsum.common.wording import counted
from longsum.documents.model import Document, Omission
from longsum.language.sentences import split_sentences
from longsum.language.words import count_unspaced, count_words

RUNNING_HEAD = "running head"
"""What the headers and footers of pages are called where they are left out."""
MAIL_HEADER, FRONT_MATTER = "e-mail header", "front matter"
"""The fields at the head of a message or of a Markdown file."""
CODE = "code block"
"""What a program is called there, its input and its output."""
HTML_BLOCK = "HTML block"
MENU = "menu"
"""What leads to other pages: a line an entry, but in Info (`* Name:: …`), where it may go on."""
_JUDGED = frozenset(
    {"contents line", "contents or index line", "form", "index line", "masthead", "table",
     RUNNING_HEAD, CODE, HTML_BLOCK, MENU}
)  # fmt: skip
"""What rules leave out by its layout; of the rest the format itself says what it is."""
_FEWEST_WORDS, _MOST_WORDS = 8, 150
_FEWEST_UNSPACED = 20
"""Fewest characters of a Chinese or Japanese sentence."""
# Of the words of prose in English, German, French, Spanish, Italian and Finnish more than these
# shares are letters alone and open in lower case, and of those have at most three letters; rows of
# figures, titles, identifiers and lists of names fall short of one of them.
_LEAST_LETTERS = 0.7
_LEAST_LETTERS_IN_CODE = 0.8
_LEAST_LOWER = 0.5
# Titles and names hardly stand in code, and German writes its nouns with capitals.
_LEAST_LOWER_IN_CODE = 0.25
_LEAST_SHORT = 0.1
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKS = "`\"'“”‘’«»()[].,:;!?…–—"
# A sentence ends so, or one that leads into a list, or an item of it.
_END = re.compile(r"(?:[.!?…。！？।][\"'”’»)\]]*|[:;,](?: (?:and|or))?)\Z")
# A line of a program, or of what it reads and writes; comments are part of it.
_CODE_LINE = re.compile(
    r"[{}<>=\\|$@^~_]|;\s*\Z|\w\(|::|->|&&|\S\s+(?:#|//)\s|\A\s*(?:[.$%>*/#;-]|\d+\s*\Z)|\A\W*\Z"
)
# Leaders between a title and its page, empty cells.
_MARKS_ALONE = re.compile(r"(?<!\S)[^\w\s]+(?!\S)")
_LOUD = 0.1
"""The share of a document's words from which it is said how much is left out."""
PLURALS = {
    "attribute entry": "attribute entries",
    "biography": "biographies",
    "note to the editor": "notes to the editor",
    "reply to the article": "replies to the article",
}


def much_left_out(document: Document) -> float:
    """Return the share of the words that a document leaves out of its text; 0 if it is small."""
    fields = (MAIL_HEADER, FRONT_MATTER)
    out = sum(_words(part) for part in document.omitted if part.kind not in fields)
    share = out / (out + count_words(document.text)) if out else 0.0
    return share if share >= _LOUD else 0.0


def tell_omissions(document: Document) -> list[str]:
    """Return the sentence that counts what a document leaves out; none if that is nothing."""
    listed, share = count_omissions(document), much_left_out(document)
    if not share:
        return [f"Left out of the text: {listed}."] if listed else []
    return [
        f"{share:.0%} of the words are left out of the text: {listed}; longsum outline --left-out "
        "shows them, and --keep tables,code or the like keeps them."
    ]


def count_omissions(document: Document) -> str:
    """Return what a document leaves out, counted by kind: `2 tables (40 words), 1 picture`."""
    parts: Counter[str] = Counter(part.kind for part in document.omitted)
    words: Counter[str] = Counter()
    for part in document.omitted:
        words[part.kind] += _words(part)
    return ", ".join(
        (f"{number:,} {PLURALS[kind]}" if number > 1 and kind in PLURALS else counted(number, kind))
        + (f" ({counted(words[kind], 'word')})" if words[kind] else "")
        for kind, number in parts.items()
    )


def _words(part: Omission) -> int:
    return count_words(_MARKS_ALONE.sub("", part.text))


def divide(kind: str, text: str) -> tuple[list[str], str]:
    """Divide what is left out into its paragraphs of prose, and the rest.

    Prose is a sentence of eight words or more that is no line of a program, most of whose lines
    have the signs of one. What a format itself says to stand apart, such as a footnote, has none.

    Rows are on lines of their own, cells between tabs.
    """
    if kind not in _JUDGED or count_words(text) < _FEWEST_WORDS:
        return [], text
    if kind == CODE:
        return _divide_code(text)
    found: list[str] = []
    rest: list[str] = []
    for row in _rows(text, apart=kind == MENU and "::" not in text):
        cells = []
        for cell in row:
            sentences = [cell[start:end] for start, end in split_sentences(cell)]
            prose = [sentence for sentence in sentences if _is_prose(sentence)]
            if 2 * sum(map(len, prose)) >= len(cell) > 0:
                found.append(cell)
                cells.append("")
            else:
                found.extend(prose)
                cells.append(" ".join(each for each in sentences if each not in prose))
        rest.append("\t".join(cells).rstrip("\t"))
    return found, "\n".join(filter(None, rest))


def _divide_code(text: str) -> tuple[list[str], str]:
    """Return the paragraphs that are no lines of a program, if one has prose, and the others."""
    paragraphs = text.split("\n\n")
    found = [" ".join(each.split()) for each in paragraphs if not _is_program(each)]
    if not any(
        _is_prose(each[start:end], _LEAST_LETTERS_IN_CODE, _LEAST_LOWER_IN_CODE)
        for each in found
        for start, end in split_sentences(each)
    ):
        return [], text
    return found, "\n\n".join(filter(_is_program, paragraphs))


def _is_program(text: str) -> bool:
    """Return whether most lines of a paragraph have the signs of a program."""
    lines = text.split("\n")
    marked = sum(
        _CODE_LINE.search(line) is not None
        # A long line before a colon leads to what stands below.
        or (line.rstrip().endswith(":") and len(line.split()) < _FEWEST_WORDS)
        for line in lines
    )
    return 2 * marked > len(lines)


def _rows(text: str, *, apart: bool) -> Iterator[list[str]]:
    """Yield the cells of each row; lines without cells are one text if they are not apart."""
    for divided, rows in groupby(text.split("\n"), lambda line: apart or "\t" in line.strip()):
        if divided:
            yield from ([cell.strip() for cell in row.split("\t")] for row in rows)
        else:
            yield [" ".join(filter(None, map(str.strip, rows)))]


def _is_prose(
    sentence: str, least: float = _LEAST_LETTERS, least_lower: float = _LEAST_LOWER
) -> bool:
    """Return whether a text is a sentence of running text, by its words and its end alone."""
    if not _END.search(sentence):
        return False
    if count_unspaced(sentence) >= max(_FEWEST_UNSPACED, len(sentence) / 2):
        return True
    written = sentence.split()
    if not _FEWEST_WORDS <= len(written) <= _MOST_WORDS:
        return False
    words = [word for each in written if _WORD.fullmatch(word := each.strip(_MARKS))]
    lower = [word for word in words if not word[0].isupper()]
    short = sum(len(word) <= 3 for word in lower)
    return (
        len(words) >= least * len(written)
        and len(lower) >= least_lower * len(written)
        and short >= _LEAST_SHORT * len(lower)
    )


def tabbed(text: str) -> str:
    """Return lines with tabs for their indentation, one for the least that any line has."""
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in lines]
    step = min(filter(None, depths), default=1)
    return "\n".join(
        "\t" * (depth // step) + line.strip(" ") for line, depth in zip(lines, depths, strict=True)
    )
