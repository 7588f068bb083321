"""Dispensable openers, and asides of speech."""

import re
from collections.abc import Iterator

from longsum.language.boundaries import before_space
from longsum.language.compression.brackets import FIGURE_REFERENCE
from longsum.language.compression.deletion import Deletion, DeletionKind

_CONNECTIVE = re.compile(
    r"(?:However|Moreover|Furthermore|In addition|Additionally|Besides|Also|Thus|Therefore|Hence"
    r"|Consequently|As a (?:result|consequence)|Accordingly|Nevertheless|Nonetheless|Indeed|In fact"
    r"|Similarly|Likewise|Finally|Lastly|First(?:ly)?|Second(?:ly)?|Third(?:ly)?|Again|Of course"
    r"|On the (?:other|one) hand|In contrast|By contrast|Conversely|In particular|Specifically"
    r"|That is|In other words|In (?:summary|conclusion|short|sum)"
    r"|To (?:summari[sz]e|conclude)"
    r"|To sum up|Interestingly|Importantly|Notably|Still|Yet|Actually|Well|Anyway|After all)\s?,\s+"
)
_CONJUNCTION = re.compile(
    r"(?:And|But)\s+(?=(?:the|an?|this|these|those|he|she|it|they|we|I|you|there|its|his|her|their"
    r"|our|my)\s)"
)
_STATE = (
    r"shown|seen|depicted|illustrated|presented|indicated|described|discussed|mentioned|noted|stated"
    r"|explained|outlined|summari[sz]ed|listed|pointed out|observed|detailed|demonstrated|displayed"
)
_PLACE = (
    r"(?:above|below|earlier|before|previously|here"
    r"|in (?:the )?(?:previous|preceding|next|following|last) "
    r"(?:sub)?(?:section|chapter|paragraph|figure|table)s?"
    rf"|(?:in|by|from) {FIGURE_REFERENCE})"
)
POINTING = (
    r"[Aa]s (?:(?:already|also|previously|just|briefly) )?(?:can be |is |are |was |we )?"
    rf"(?:{_STATE})(?: {_PLACE})"
)
_FRAME = re.compile(
    r"(?:It (?:should|must|can|may|has to|needs to|is to) (?:also )?be "
    r"(?:noted|mentioned|emphasi[sz]ed|stressed|pointed out|remembered|recalled)(?: here)? that"
    r"|It is (?:also )?(?:important|worth|interesting|useful|necessary|worthwhile) (?:to )?"
    r"(?:note|noting|mention|mentioning|emphasi[sz]e|point out|stress|remember|recall|recogni[sz]e)"
    r" that|It is (?:also )?(?:noteworthy|notable) that"
    r"|(?:Please )?[Nn]ote(?:,? however,)? that|Notice that|Recall that"
    r"|We (?:also |further |would like to )?"
    r"(?:note|stress|emphasi[sz]e|remark|point out|recall) that"
    rf"|{POINTING}\s?,)\s+"
)
_POINTER = re.compile(rf"\s?,\s+{POINTING}(?:(\s?,)\s+(?=[a-z])|\s?(?=[.;]))", re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?:is|are|was|were|be|been|has|have|had|does|did|do|can|could|will|would|shall|should|may"
    r"|might|must|cannot|(?:is|are|was|were|has|have|had|does|did|do|could|would|should)n[’']t)"
    r"(?!\w)"
)
_LOWERCASE_START = re.compile(r"(?:[a-z]{2,}(?:[’'-][a-z]+)*|a)(?=[\s,])")
# Words that cannot open a sentence unless they already did.
_CLOSED = re.compile(
    r"(?:what|who|whom|how|why|which|that|and|or|but|though|too|to|however|then|else)\b|\w+\s?,"
    r"|(?:he|she|I|they|we)\s(?:said|says|thought|told|asked|cried|replied|added|knew)\b",
    re.IGNORECASE,
)


def opener_deletions(text: str) -> Iterator[Deletion]:
    """Yield dispensable openers, "However, ", "It should be noted that ", one after the other.

    The rest must be able to open a sentence: a lower-case word, which is capitalised, or a capital.
    "For example", "then" and "otherwise" are kept, since they say in what sense or under which
    condition the sentence is true; so is "That is" if it is the whole sentence.
    """
    start = 0
    spans: list[Deletion] = []
    while found := _opening(text, start):
        kind, end = found
        spans.append(Deletion(start, end, kind))
        start = end
    while spans and not _can_open(text, spans[-1].end):
        spans.pop()
    yield from spans


def pointer_deletions(text: str) -> Iterator[Deletion]:
    """Yield ", as shown in Figure 3," and the like after the beginning of a sentence.

    A second comma goes only before a verb.
    """
    for found in _POINTER.finditer(text):
        end = found.end()
        if found[1] is not None:
            end = found.end(1) if _AUXILIARY.match(text, end) else found.start(1)
        yield Deletion(found.start(), end, "frame")


def _opening(text: str, start: int) -> tuple[DeletionKind, int] | None:
    rest = text[start : start + 120]
    if start and rest[:1].islower():
        rest = rest[0].upper() + rest[1:]
    if found := _CONNECTIVE.match(rest) or (_CONJUNCTION.match(rest) if not start else None):
        return "connective", start + found.end()
    if found := _FRAME.match(rest):
        return "frame", start + found.end()
    return None


def _can_open(text: str, start: int) -> bool:
    if _CLOSED.match(text, start):
        return False
    upper = text[start : start + 1].isupper()
    return upper or _LOWERCASE_START.match(text, start) is not None


# "{gap}" stays, since it marks missing words; `{name}` is a placeholder in code.
_NOISE = re.compile(
    r"(?:\{(?:disfmarker|(?:non)?vocalsound|pause|comment)\}"
    r"|[(\[](?:[A-Za-z]+ ){0,2}"
    r"(?:[Ll]augh(?:s|ing|ter)|[Aa]pplause|[Ss]ighs?|[Cc]oughs?|[Pp]ause)[)\]]"
    r"|(?<![\w’'-])(?:[Uu]h|[Uu]m|[Uu]hm|[Ee]rm)(?![\w’'-]))"
)
_COMMA = re.compile(r"\s*,")
_END = re.compile(r"[\s.?!]*\Z")
_SPACE = re.compile(r"\s*")
# "migrated-to to" and "in in-tree" are not repetitions.
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?:[’'][^\W\d_]+)?(?![\w-])")
# "that that", "had had" and "what it is is" may be meant, "that -- that" is a new start.
_BETWEEN = re.compile(r"\s+(?:--\s+)?")
_SAID_TWICE = re.compile(
    r"the|an?|i|we|you|he|she|they|it|to|of|in|on|at|for|with|and|but|this|these|my|our|your|their|if",
    re.IGNORECASE,
)


def noise_deletions(text: str) -> Iterator[Deletion]:
    """Yield markers such as "{vocalsound}", "uh" and "um", and repeated words.

    Of "the the the" and "that -- that" the last word stays. A comma after a marker is deleted with
    it, as is one before it at the end of a sentence.
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
