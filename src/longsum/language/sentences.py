"""Sentences: how they begin and end, and how text is divided into them."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

from longsum.language.boundaries import opens_with_mark, places, sentence_continues, starts_sentence
from longsum.language.words import count_words

OTHER_ENDS = "。！？｡؟۔।॥։።፧။។༎"
"""Sentence ends in Chinese, Japanese, Arabic, Urdu, Hindi, Armenian, Amharic and others."""

_OPENING = "\"'“‘(["
CLOSING = "\"'”’)]»"
"""Marks that may follow the end of a sentence."""
_ENDS = (".", "!", "?", "…", *OTHER_ENDS)
# Thai and Lao, which have no full stop.
_THAI_END = re.compile("[\u0e00-\u0eff]\\Z")
_FEWEST_THAI_WORDS = 8
_NOTE_MARKS = re.compile(
    r"(?<=[.?!…\"”’')])(?:\s?\[[\w*†]{1,4}(?:[,–-] ?\w{1,4})*\]_?|(?<!\d\.)\d{1,3}(?!\d))+\Z"
)
_NAME = re.compile(
    r"[\"'“‘`]{1,2}[^\s\"'”’]{1,40}[\"'”’`]{1,2} \w"
    r"|[a-z][\w-]+\([^()\s]{0,20}\) \w"
    r"|(?>[a-z][\w-]++\.[\w.]*+(?<=\w)|[a-z][\w-]+_\w++)(?:\(\))? \w"
)


def opens_lower(text: str) -> bool:
    """Return whether a text opens in lower case, after opening marks.

    One word in quotation marks, or one with the signs of code, is a name: `'bc' is a calculator.`,
    `printf(3) prints text.`
    """
    return text.lstrip(_OPENING)[:1].islower() and not _NAME.match(text)


def ends_as_sentence(text: str, closing: str = CLOSING) -> bool:
    """Return whether a text ends in sentence-final punctuation, before closing marks.

    The marks of footnotes after the end do not count: `It fell. [12]`, `It fell.3`.
    """
    marked = text.endswith(("]", "]_")) or text[-1:].isdecimal()
    bare = (_NOTE_MARKS.sub("", text) if marked else text).rstrip(closing + " ")
    if bare.endswith(_ENDS):
        return True
    return _THAI_END.search(bare) is not None and count_words(bare) >= _FEWEST_THAI_WORDS


LONGEST_SENTENCE = 2000
"""Maximum characters of a sentence; a longer run (a table, minified text) is divided."""

_LAST_SPACE = re.compile(r".+(?P<space>\s)", re.DOTALL)
_TRIMMED = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_LONG_RUN = re.compile(rf"(?<!\S)\S{{{LONGEST_SENTENCE + 1},}}")
# A full stop or question mark of another script, or a space that may divide Thai or Lao sentences,
# which have none.
_UNSPACED_END = re.compile(
    rf"[{OTHER_ENDS}][」』”’）)»]*|(?<=[\u0e00-\u0eff])\s+(?=[\u0e00-\u0eff])(?![ๆฯ])"
)
_SHORTEST_THAI = 60
"""Minimum characters of a Thai sentence ended by a space; earlier spaces divide clauses."""


@cache
def _nupunkt() -> Callable[[str], list[tuple[int, int]]]:
    from nupunkt import sent_spans

    return sent_spans


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences in one paragraph of text.

    Args:
        text: Any text; line breaks in it count as white space.

    Returns:
        Spans `(start, end)` in code points, end exclusive, in order, without surrounding white
        space and never empty. Only white space is between two spans.

    nupunkt (Bommarito et al. 2025) finds most ends, and the rules of `longsum.language.boundaries`
    decide after abbreviations, initials and quotes. The full stops of other scripts, which neither
    knows, are split afterwards; a Thai sentence ends at the first space after 60 characters, since
    Thai has no full stops and its spaces divide clauses as well as sentences. A span longer than
    `LONGEST_SENTENCE` is divided at the last white space before that length (anywhere, if there is
    none), so that no sentence is too long for a budget.
    """
    spans: list[tuple[int, int]] = []
    for start, end in _spaced_sentences(text):
        for first, last in _split_unspaced(text, start, end):
            spans.extend(_divide(text, first, last))
    return spans


def sentence_texts(text: str) -> list[str]:
    """Return the sentences of a text; see `split_sentences`."""
    return [text[start:end] for start, end in split_sentences(text)]


def _spaced_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield nupunkt's spans, and in between each overlong run without white space.

    Such a run is divided anyway, and nupunkt takes quadratic time in its length.
    """
    position = 0
    for start, end in [*(run.span() for run in _LONG_RUN.finditer(text)), (len(text), len(text))]:
        if position < start:
            for first, last in _by_rules(text[position:start]):
                yield position + first, position + last
        if start < end:
            yield start, end
        position = end


def _by_rules(text: str) -> list[tuple[int, int]]:
    """Return nupunkt's spans, cut and joined where `longsum.language.boundaries` decides."""
    spans = _nupunkt()(text)
    starts = {
        start
        for start, _ in spans
        if not opens_with_mark(text, start) and not sentence_continues(text, start)
    }
    for place in places(text):
        decided = starts_sentence(text, place)
        if decided:
            starts.add(place)
        elif decided is False:
            starts.discard(place)
    return list(pairwise([0, *sorted(starts - {0}), len(text)]))


def _split_unspaced(text: str, start: int, end: int) -> list[tuple[int, int]]:
    edges = [start]
    for found in _UNSPACED_END.finditer(text, start, end):
        if not found[0].isspace() or found.start() - edges[-1] >= _SHORTEST_THAI:
            edges.append(found.end())
    return list(pairwise(edges if edges[-1] == end else [*edges, end]))


def _divide(text: str, start: int, end: int) -> list[tuple[int, int]]:
    pieces = []
    while end - start > LONGEST_SENTENCE:
        spaced = _LAST_SPACE.match(text, start, start + LONGEST_SENTENCE)
        cut = spaced.start("space") if spaced else start + LONGEST_SENTENCE
        pieces.append((start, cut))
        start = cut
    pieces.append((start, end))
    return [found.span() for piece in pieces if (found := _TRIMMED.search(text, *piece))]
