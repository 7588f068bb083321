"""Preserves prose: prose that a reader omitted is restored to the text.

The rules for omissions judge the layout. Here prose is recognised by independent signs, the words
alone: their length, their capitalisation, and how they end.
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
"""The kind of omitted page headers and footers."""
MAIL_HEADER, FRONT_MATTER = "e-mail header", "front matter"
"""The fields at the head of a message or of a Markdown file."""
CODE = "code block"
"""The kind of omitted programs, their input and output."""
HTML_BLOCK = "HTML block"
MENU = "menu"
"""Links to other pages: an entry per line, except in Info (`* Name:: …`), where it may go on."""
_JUDGED = frozenset(
    {"contents line", "contents or index line", "form", "index line", "masthead", "table",
     RUNNING_HEAD, CODE, HTML_BLOCK, MENU}
)  # fmt: skip
"""The kinds omitted because of their layout; the others are stated by the format."""
_FEWEST_WORDS, _MOST_WORDS = 8, 150
_FEWEST_UNSPACED = 20
"""Minimum characters of a Chinese or Japanese sentence."""
# Of the words of prose in English, German, French, Spanish, Italian and Finnish more than these
# shares are letters alone and open in lower case, and of those have at most three letters; rows of
# figures, titles, identifiers and lists of names fall short of one of them.
_LEAST_LETTERS = 0.7
_LEAST_LETTERS_IN_CODE = 0.8
_LEAST_LOWER = 0.5
# Titles and names are rare in code, and German capitalises its nouns.
_LEAST_LOWER_IN_CODE = 0.25
_LEAST_SHORT = 0.1
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKS = "`\"'“”‘’«»()[].,:;!?…–—"
# The end of a sentence, also one that leads into a list, or of a list item; no leaders (`. .`).
_END = re.compile(r"(?:(?<!\. )[.!?…。！？।][\"'”’»)\]]*|[:;,](?: (?:and|or))?)\Z")
# A line of a program, or of its input or output, including comments.
_CODE_LINE = re.compile(
    r"[{}<>=\\|$@^~_]|;\s*\Z|\w\(|::|->|&&|\S\s+(?:#|//)\s|\A\s*(?:[.$%>*/#;-]|\d+\s*\Z)|\A\W*\Z"
)
# Leaders between a title and its page, empty cells.
_MARKS_ALONE = re.compile(r"(?<!\S)[^\w\s]+(?!\S)")
_LOUD = 0.1
"""The share of a document's words from which omissions are reported."""
_INCLUDED = "included file"
PLURALS = {
    "attribute entry": "attribute entries",
    "biography": "biographies",
    "category": "categories",
    "index entry": "index entries",
    "note to the editor": "notes to the editor",
    "reply to the article": "replies to the article",
}


def omitted_share(document: Document) -> float:
    """Return the share of words that a document omits from its text; 0 if it is small."""
    fields = (MAIL_HEADER, FRONT_MATTER)
    out = sum(_words(part) for part in document.omitted if part.kind not in fields)
    share = out / (out + count_words(document.text)) if out else 0.0
    return share if share >= _LOUD else 0.0


def describe_omissions(document: Document) -> list[str]:
    """Return sentences that count a document's omissions; empty if there are none."""
    listed, share = count_omissions(document), omitted_share(document)
    cure = unread_files(document)
    others = [f"It includes other files; {cure}."] if cure else []
    if not share:
        return [f"Left out of the text: {listed}.", *others] if listed else []
    return [
        f"{share:.0%} of the words are left out of the text: {listed}; longsum outline --left-out "
        "shows them, and --keep tables,code or the like keeps them.",
        *others,
    ]


def unread_files(document: Document) -> str:
    """Return what to do about the files that LaTeX would include; empty if there are none."""
    latex = document.source.format == "latex"
    names = [part.text.strip() for part in document.omitted if latex and part.kind == _INCLUDED]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return (
        f"longsum does not read them: give it {', '.join(names[:3])}{more}, "
        "or the one file that latexpand makes of all"
        if names
        else ""
    )


def count_omissions(document: Document) -> str:
    """Count a document's omissions by kind: `2 tables (40 words), 1 picture`."""
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
    """Divide an omitted part into its paragraphs of prose, and the rest.

    Prose is a sentence of at least eight words that is not a line of a program, most of whose lines
    look like code. Parts that the format itself sets apart, such as footnotes, have none.

    Rows are on separate lines, cells between tabs.
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
    """Return the paragraphs that are not program lines, if one has prose, and the others."""
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
    """Return whether most lines of a paragraph look like a program."""
    lines = text.split("\n")
    marked = sum(
        _CODE_LINE.search(line) is not None
        # A long line before a colon introduces what follows.
        or (line.rstrip().endswith(":") and len(line.split()) < _FEWEST_WORDS)
        for line in lines
    )
    return 2 * marked > len(lines)


def _rows(text: str, *, apart: bool) -> Iterator[list[str]]:
    """Yield the cells of each row; unless `apart`, lines without cells are joined."""
    for divided, rows in groupby(text.split("\n"), lambda line: apart or "\t" in line.strip()):
        if divided:
            yield from ([cell.strip() for cell in row.split("\t")] for row in rows)
        else:
            yield [" ".join(filter(None, map(str.strip, rows)))]


def _is_prose(
    sentence: str, least: float = _LEAST_LETTERS, least_lower: float = _LEAST_LOWER
) -> bool:
    """Return whether a text is a sentence of running text, judging by its words and its end."""
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
    """Return lines indented by tabs, one for the smallest indentation."""
    lines = text.split("\n")
    depths = [len(line) - len(line.lstrip(" ")) for line in lines]
    step = min(filter(None, depths), default=1)
    return "\n".join(
        "\t" * (depth // step) + line.strip(" ") for line, depth in zip(lines, depths, strict=True)
    )
