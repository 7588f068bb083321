"""What says nothing of its own: connectives that open a sentence, and announcing phrases."""

import re
from collections.abc import Iterator

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
# What cannot open a sentence where it did not.
_CLOSED = re.compile(
    r"(?:what|who|whom|how|why|which|that|and|or|but|though|too|to|however|then|else)\b|\w+\s?,"
    r"|(?:he|she|I|they|we)\s(?:said|says|thought|told|asked|cried|replied|added|knew)\b",
    re.IGNORECASE,
)


def opener_deletions(text: str) -> Iterator[Deletion]:
    """Yield what opens the sentence: "However, ", "It should be noted that ", also one by one.

    What follows must be able to open a sentence: a word in small letters, which gets a capital, or
    a capital. "For example", "then" and "otherwise" are kept, since they say of what sort or under
    which condition the sentence is true; so is "That is" where the sentence is nothing but that.
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
