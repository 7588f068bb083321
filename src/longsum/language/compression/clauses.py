"""Non-restrictive clauses, and pointers to figures between commas."""

import re
from collections.abc import Iterator

from longsum.language.compression.deletion import Deletion
from longsum.language.compression.guards import (
    STARTS_WITH_AUXILIARY,
    has_finite_verb,
    is_safe,
)
from longsum.language.compression.openers import POINTING

_VERB_LIKE = (
    r"is|are|was|were|has|have|had|does|did|he|she|it|they|we|I|you|[a-z]+ly|in turn|then|now|also"
    r"|means|makes|leads|allows|provides|gives|contains|includes|consists|represents|involves"
    r"|enables|uses|shows|causes|results|helps|becomes|occurs|produces|comes|led|made|took|gave"
    r"|came|became|began|[a-z]{3,}ed"
)
_CLAUSE = re.compile(
    rf"\s?,\s+(which\s+(?:{_VERB_LIKE})\s[^,;:()\[\]{{}}“”\"—–?!.]*)(?:(\s?,)\s+(?=[a-z])|\s?(?=\.\Z))"
)
_POINTER = re.compile(rf"\s?,\s+{POINTING}(?:(\s?,)\s+(?=[a-z])|\s?(?=[.;]))", re.IGNORECASE)
_FEWEST_WORDS_BEFORE = 6
_LONGEST = 25


def pointer_deletions(text: str) -> Iterator[Deletion]:
    """Yield ", as shown in Figure 3," and the like after the beginning of a sentence."""
    for found in _POINTER.finditer(text):
        yield Deletion(found.start(), _close(text, found), "frame")


def clause_deletions(text: str) -> Iterator[Deletion]:
    """Yield clauses with "which" after a comma that say nothing the sentence depends on.

    One within a sentence goes only before an auxiliary, so that it surely ends at its second comma;
    one at the end only if a verb stands before it.
    """
    comma = text.find(",")
    for found in _CLAUSE.finditer(text):
        clause = found[1]
        if len(clause.split()) > _LONGEST or not is_safe(clause.removeprefix("which")):
            continue
        if found[2] is None:
            before = text[: found.start()]
            long_enough = len(before.split()) >= _FEWEST_WORDS_BEFORE
            if long_enough and has_finite_verb(before):
                yield Deletion(found.start(), found.end(), "clause")
        elif found.start() <= comma and STARTS_WITH_AUXILIARY.match(text, found.end()):
            yield Deletion(found.start(), found.end(2), "clause")


def _close(text: str, found: re.Match[str]) -> int:
    """Return where a phrase between commas ends: its second comma goes only before a verb."""
    if found[1] is None:
        return found.end()
    verb = STARTS_WITH_AUXILIARY.match(text, found.end())
    return found.end(1) if verb else found.start(1)
