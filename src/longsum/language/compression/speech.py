"""What a transcript of speech has besides words, and words that were said twice."""

import re
from collections.abc import Iterator

from longsum.language.compression.brackets import before_space
from longsum.language.compression.deletion import Deletion

# "{gap}" stays: it says that words are missing.
_NOISE = re.compile(
    r"(?:\{(?!gap)[a-z ]{2,20}\}"
    r"|[(\[](?:[A-Za-z]+ ){0,2}"
    r"(?:[Ll]augh(?:s|ing|ter)|[Aa]pplause|[Ss]ighs?|[Cc]oughs?|[Pp]ause)[)\]]"
    r"|(?<![\w’'-])(?:[Uu]h|[Uu]m|[Uu]hm|[Ee]rm)(?![\w’'-]))"
)
_COMMA = re.compile(r"\s*,")
_END = re.compile(r"[\s.?!]*\Z")
_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
# "that that" and "had had" may be meant, "that -- that" is a new start.
_BETWEEN = re.compile(r"\s+(?:--\s+)?")
_SAID_TWICE = re.compile(
    r"the|an?|i|we|you|he|she|they|it|to|of|in|on|at|for|with|and|but|this|these|my|our|your|their"
    r"|if|is|are|was",
    re.IGNORECASE,
)


def noise_deletions(text: str) -> Iterator[Deletion]:
    """Yield markers such as "{vocalsound}", "uh" and "um", and words said again.

    Of "the the the" and of "that -- that" the last stays. A comma after a marker goes with it, and
    one before it too at the end of a sentence.
    """
    noises = [found.span() for found in _NOISE.finditer(text)]
    for start, end in noises:
        yield Deletion(*_with_space(text, start, end), "noise")
    yield from _repeats(text, noises)


def _with_space(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with a comma after it and the space on one side."""
    if comma := _COMMA.match(text, end):
        end = comma.end()
    start = before_space(text, start)
    if not start:
        return start, _SPACE.match(text, end).end()  # type: ignore[union-attr]
    if text[start - 1] == "," and _END.match(text, end):
        return before_space(text, start - 1), end
    return start, end


def _repeats(text: str, noises: list[tuple[int, int]]) -> Iterator[Deletion]:
    masked = list(text)
    for start, end in noises:
        masked[start:end] = " " * (end - start)
    plain = "".join(masked)
    last: re.Match[str] | None = None
    for word in _WORD.finditer(plain):
        if (
            last is not None
            and word[0].lower() == last[0].lower()
            and (between := _BETWEEN.fullmatch(plain, last.end(), word.start()))
            and (_SAID_TWICE.fullmatch(word[0]) or "--" in between[0])
        ):
            yield Deletion(last.start(), word.start(), "noise")
        last = word
