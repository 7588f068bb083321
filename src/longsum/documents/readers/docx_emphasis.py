"""Headings of Word files whose authors only made them bold."""

from typing import Any

from longsum.documents.builder import clean
from longsum.documents.readers.docx_styles import number_of
from longsum.documents.readers.xml_tree import attribute
from longsum.language.words import count_words

_MOST_WORDS = 14
_FEWEST = 2
_MOST_OF_PARAGRAPHS = 1 / 3
_OFF = frozenset({"0", "false", "off"})
_ENDS = (".", ",", ";", ":", "!", "。")
_USUAL_SIZE = 20
"""Font size in half points where none is stated."""


def emphasized_levels(body: Any) -> dict[Any, int]:
    """Return the paragraphs that are headings by their looks, each with its level from 0.

    Such a paragraph stands outside of tables and lists, is all bold and short, and does not end
    like a sentence. There are at least two, and no more than a third of all paragraphs. Of two font
    sizes the larger is the higher level.
    """
    paragraphs = [paragraph for paragraph in body.iter("p") if _text(paragraph)]
    sizes = {paragraph: _size(paragraph) for paragraph in paragraphs if _looks_so(paragraph)}
    if not _FEWEST <= len(sizes) <= _MOST_OF_PARAGRAPHS * len(paragraphs):
        return {}
    order = sorted(set(sizes.values()), reverse=True)
    return {paragraph: order.index(size) for paragraph, size in sizes.items()}


def _text(paragraph: Any) -> str:
    return clean("".join(t.text or "" for t in paragraph.iter("t")))


def _looks_so(paragraph: Any) -> bool:
    text = _text(paragraph)
    if text.endswith(_ENDS) or count_words(text) > _MOST_WORDS or not any(map(str.isalpha, text)):
        return False
    if (
        paragraph.find("pPr/numPr") is not None
        or next(paragraph.iterancestors("tbl"), None) is not None
    ):
        return False
    runs = [
        run for run in paragraph.iter("r") if any((t.text or "").strip() for t in run.iter("t"))
    ]
    return all(_is_bold(run) for run in runs)


def _is_bold(run: Any) -> bool:
    bold = run.find("rPr/b")
    return bold is not None and attribute(bold, "val") not in _OFF


def _size(paragraph: Any) -> int:
    """Return the largest font size in a paragraph, in half points."""
    stated = (number_of(run, "rPr/sz") for run in paragraph.iter("r"))
    return max((size for size in stated if size is not None), default=_USUAL_SIZE)
