"""Keeps what a person wrote: prose that a reader left out goes back into the text.

The rules that leave something out judge how it is laid out. Whether it is prose is judged here by
other signs, the words alone: how long they are, how they are capitalised, and how they end.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from longsum.documents.kinds import with_kinds
from longsum.documents.model import Document, Kind, Omission, Paragraph, Section, Sentence
from longsum.language.sentences import split_sentences
from longsum.language.words import count_unspaced, count_words
from longsum.wording import counted

RUNNING_HEAD = "running head"
"""What the headers and footers of pages are called where they are left out."""
MAIL_HEADER = "e-mail header"
_CODE = "code block"
_JUDGED = frozenset(
    {"contents line", "contents or index line", "index line", "masthead", "menu", "table",
     RUNNING_HEAD, _CODE}
)  # fmt: skip
"""What rules leave out by its layout; of the rest the format itself says what it is."""
_FEWEST_WORDS, _MOST_WORDS = 8, 150
_FEWEST_UNSPACED = 20
"""Fewest characters of a Chinese or Japanese sentence."""
# Of the words of prose in English, German, French, Spanish, Italian and Finnish more than these
# shares are letters alone, open in lower case, and have at most three letters; rows of figures,
# titles, identifiers and lists of names fall short of one of them.
_LEAST_LETTERS = 0.7
_LEAST_LETTERS_IN_CODE = 0.9
_LEAST_LOWER = 0.5
_LEAST_SHORT = 0.1
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MARKS = "\"'“”‘’«»()[].,:;!?…–—"
_END = re.compile(r"[.!?…。！？।][\"'”’»)\]]*\Z")
_COMMENT = re.compile(r"\s*(?:/[/*]|[*#;%]|--)")
_LOUD = 0.1
"""The share of a document's words from which it is said how much is left out."""
_PLURALS = {
    "attribute entry": "attribute entries",
    "biography": "biographies",
    "note to the editor": "notes to the editor",
    "reply to the article": "replies to the article",
}


def conserve(document: Document) -> Document:
    """Return a document with no prose among its omissions, and with a warning of what they are.

    Prose is a sentence of eight words or more that is no line of a program. What the text says
    anyway, such as a heading that the table of contents repeats, is not put into it again.
    """
    divided = {
        place: found
        for place, part in enumerate(document.omitted)
        if part.kind in _JUDGED and (found := _divide(part))[0]
    }
    back: dict[int, Sequence[str]] = {}
    omitted = list(document.omitted)
    said = {_letters(text) for text in _texts(document)} if divided else set()
    for place, (prose, rest) in divided.items():
        lost = [text for text in prose if _letters(text) not in said]
        said.update(map(_letters, lost))
        if lost:
            back[place] = lost
            omitted[place] = replace(omitted[place], text=rest)
    told = tell_omissions(document := _with_texts(replace(document, omitted=tuple(omitted)), back))
    return replace(document, warnings=(*document.warnings, *told))


def keep(document: Document, names: Collection[str]) -> Document:
    """Return a document with what is left out of its text put into it, where it stands.

    Args:
        document: The document.
        names: What to keep: `tables`, `code`, `footnotes` and so on, as the warning calls them;
            `all` keeps everything. A warning names what the document has not left out.
    """
    stems = {name: name.strip().casefold().removesuffix("s") for name in names if name.strip()}
    kinds = {part.kind for part in document.omitted if part.text}
    meant = {
        name: {kind for kind in kinds if stem == "all" or _is_called(kind, stem)}
        for name, stem in stems.items()
    }
    kept = set().union(*meant.values())
    back = {
        place: [" ".join(row.split("\t")) for row in part.text.split("\n")]
        for place, part in enumerate(document.omitted)
        if part.text and part.kind in kept
    }
    told = tell_omissions(document)
    rest = (part if part.kind not in kept else replace(part, text="") for part in document.omitted)
    whole = _with_texts(replace(document, omitted=tuple(rest)), back)
    missed = [
        f"No {name.strip()} to keep: the document has left out no such parts."
        for name, found in meant.items()
        if not found
    ]
    others = [warning for warning in whole.warnings if warning not in told]
    return replace(whole, warnings=(*others, *tell_omissions(whole), *missed))


def _is_called(kind: str, stem: str) -> bool:
    return kind.startswith(stem) or _PLURALS.get(kind, "").startswith(stem)


def tell_omissions(document: Document) -> list[str]:
    """Return the sentence that counts what a document leaves out; none if that is nothing."""
    listed = count_omissions(document)
    out = sum(count_words(part.text) for part in document.omitted if part.kind != MAIL_HEADER)
    if not out or out < _LOUD * (out + count_words(document.text)):
        return [f"Left out of the text: {listed}."] if listed else []
    share = out / (out + count_words(document.text))
    return [
        f"{share:.0%} of the words are left out of the text: {listed}; longsum outline --left-out "
        "shows them, and --keep tables,code or the like keeps them."
    ]


def count_omissions(document: Document) -> str:
    """Return what a document leaves out, counted by kind: `2 tables (40 words), 1 picture`."""
    parts: Counter[str] = Counter(part.kind for part in document.omitted)
    words: Counter[str] = Counter()
    for part in document.omitted:
        words[part.kind] += count_words(part.text)
    return ", ".join(
        (
            f"{number:,} {_PLURALS[kind]}"
            if kind in _PLURALS and number > 1
            else counted(number, kind)
        )
        + (f" ({counted(words[kind], 'word')})" if words[kind] else "")
        for kind, number in parts.items()
    )


def _texts(document: Document) -> Iterator[str]:
    yield document.title
    yield from (section.title for section in document.walk())
    yield from (sentence.text for sentence in document.sentences)


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, text.casefold()))


def _divide(part: Omission) -> tuple[list[str], str]:
    """Divide what was left out into its paragraphs of prose, and the rest."""
    if count_words(part.text) < _FEWEST_WORDS:
        return [], part.text
    if part.kind == _CODE and not _is_mostly_prose(part.text):
        return [], part.text
    found: list[str] = []
    rest: list[str] = []
    for row in _rows(part.text):
        cells = []
        for cell in row:
            sentences = [cell[start:end] for start, end in split_sentences(cell)]
            prose = [sentence for sentence in sentences if _is_prose(sentence)]
            if 2 * sum(map(len, prose)) >= len(cell) > 0:
                found.append(cell)
                cells.append("")
            else:
                found.extend(prose)
                cells.append(" ".join(text for text in sentences if text not in prose))
        rest.append("\t".join(cells).rstrip("\t"))
    return found, "\n".join(filter(None, rest))


def _rows(text: str) -> Iterator[list[str]]:
    """Yield the cells of each row; lines without cells are one text."""
    lines: list[str] = []
    for line in text.split("\n"):
        if "\t" in (stripped := line.strip()):
            if lines:
                yield [" ".join(lines)]
                lines = []
            yield [cell.strip() for cell in line.split("\t")]
        else:
            lines.append(stripped)
    if lines:
        yield [" ".join(lines)]


def _is_mostly_prose(code: str) -> bool:
    """Return whether what stands as a program is a text; comments are part of a program."""
    lines = [line.strip() for line in code.split("\n") if not _COMMENT.match(line)]
    text = " ".join(lines)
    spans = split_sentences(text)
    prose = (b - a for a, b in spans if _is_prose(text[a:b], least=_LEAST_LETTERS_IN_CODE))
    return 2 * sum(prose) > len(code)


def _is_prose(sentence: str, least: float = _LEAST_LETTERS) -> bool:
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
        and len(lower) >= _LEAST_LOWER * len(written)
        and short >= _LEAST_SHORT * len(written)
    )


@dataclass(frozen=True, slots=True)
class _Insertion:
    """A paragraph that goes into a text.

    Attributes:
        place: The end of the block before it, in the text without it.
        start: Its start in the text with all insertions.
        paragraph: Its sentences.
        size: Characters that the text grows by.
    """

    place: int
    start: int
    paragraph: Paragraph
    size: int


def _with_texts(document: Document, back: Mapping[int, Sequence[str]]) -> Document:
    """Return a document with paragraphs where omissions stand; an emptied omission goes.

    Args:
        document: The document.
        back: The paragraphs, by the position of the omission.
    """
    if not back:
        return document
    if not document.text:
        document = replace(document, sections=())
    text, insertions, known = _spliced(document, back)
    grown = _Grown(document, insertions)
    sections, number = [], 0
    if opening := grown.before_all:
        sections.append(Section(0, "", 1, opening, (), opening[0][0].start, opening[-1][-1].end))
        number = 1
    sections.extend(grown.section(section, number) for section in document.sections)
    omitted = tuple(
        replace(part, place=grown.place(part.place))
        for at, part in enumerate(document.omitted)
        if part.text or at not in back
    )
    whole = replace(document, text=text, sections=tuple(sections), omitted=omitted)
    for paragraph in document.paragraphs:
        known.update({grown.moved(sentence.start): sentence.kind for sentence in paragraph})
    return with_kinds(whole, {}, known)


def _spliced(
    document: Document, back: Mapping[int, Sequence[str]]
) -> tuple[str, list[_Insertion], dict[int, Kind]]:
    """Return the text with the paragraphs, what they are, and the kinds of their sentences."""
    added: list[tuple[int, str, int | None, bool]] = []
    for number, texts in back.items():
        part = document.omitted[number]
        # The place of what stands on many pages says nothing.
        runs = part.kind == RUNNING_HEAD
        place = len(document.text) if runs else max(part.place, len(document.title))
        added.extend((place, text, part.page, runs) for text in texts)
    pieces: list[str] = []
    insertions: list[_Insertion] = []
    known: dict[int, Kind] = {}
    at = length = 0
    for place, text, page, runs in sorted(added, key=lambda each: each[0]):
        pieces.append(document.text[at:place])
        start = length + place - at + (2 if place else 0)
        pieces.extend(("\n\n", text) if place else (text, "\n\n"))
        paragraph = tuple(
            Sentence(text[first:last], start + first, start + last, page)
            for first, last in split_sentences(text)
        )
        known.update({sentence.start: "boilerplate" for sentence in paragraph if runs})
        insertions.append(_Insertion(place, start, paragraph, len(text) + 2))
        length, at = length + place - at + len(text) + 2, place
    whole = "".join((*pieces, document.text[at:]))
    return whole if document.text else whole.removesuffix("\n\n"), insertions, known


class _Grown:
    """The sections of a document with insertions."""

    def __init__(self, document: Document, insertions: Sequence[_Insertion]) -> None:
        self._places = [each.place for each in insertions]
        self._grown = [0, *accumulate(each.size for each in insertions)]
        walked = document.walk()
        starts = [section.start for section in walked]
        self._of: dict[int, list[Paragraph]] = {}
        for each in insertions:
            number = bisect_right(starts, each.place) - 1
            if walked and each.place <= starts[0]:
                number = -1 if walked[0].title else 0
            self._of.setdefault(number, []).append(each.paragraph)

    @property
    def before_all(self) -> tuple[Paragraph, ...]:
        """The paragraphs before the first section."""
        return tuple(self._of.get(-1, ()))

    def moved(self, offset: int) -> int:
        """Return where an offset comes to be; what is inserted there follows it."""
        # What is inserted at 0 stands before the text.
        return offset + self._grown[bisect_left(self._places, max(offset, 1))]

    def place(self, offset: int) -> int:
        """Return where the place of an omission comes to be, after what is inserted there."""
        moved = offset + self._grown[bisect_right(self._places, offset)]
        return moved if offset else max(moved - 2, 0)

    def section(self, section: Section, number: int) -> Section:
        """Return a section with the insertions in it, and with other offsets and number."""
        own = [tuple(map(self._sentence, paragraph)) for paragraph in section.paragraphs]
        new = self._of.get(section.number, [])
        children = tuple(self.section(child, number) for child in section.children)
        paragraphs = sorted((*own, *new), key=lambda paragraph: paragraph[0].start)
        start = min([self.moved(section.start), *(first[0].start for first in new[:1])])
        ends = [self.moved(section.end), *(last[-1].end for last in new[-1:])]
        return replace(
            section,
            number=section.number + number,
            paragraphs=tuple(paragraphs),
            children=children,
            start=start,
            end=max([start, *ends, *(child.end for child in children)]),
        )

    def _sentence(self, sentence: Sentence) -> Sentence:
        start, end = self.moved(sentence.start), self.moved(sentence.end)
        return replace(sentence, start=start, end=end)
