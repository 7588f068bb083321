"""Shortens sentences only by deletions: nothing is added, moved or replaced."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby

from longsum.language.compression.brackets import bracket_deletions, footnote_marks
from longsum.language.compression.deletion import (
    KINDS,
    Deletion,
    DeletionKind,
    Shortened,
    is_balanced,
    quoted,
)
from longsum.language.compression.openers import (
    noise_deletions,
    opener_deletions,
    pointer_deletions,
)

# In this order, each applied to the result of the previous ones.
_RULES: tuple[Callable[[str], Iterator[Deletion]], ...] = (
    bracket_deletions,
    footnote_marks,
    noise_deletions,
    opener_deletions,
    pointer_deletions,
)
_LEAST_SHARE = 0.5
_FEWEST_WORDS = 6
# Wrong spaces and marks left by a deletion.
_FAULT = re.compile(r"\s\s|\s[,.;:!?)\]]|[(\[]\s|,\s?[,.;:!?]|\A\W|[,;:]\Z")
_REACH = 3
# Maximum deletions of a rule in one sentence, and maximum length; others are left unchanged.
_MOST = 100
_LONGEST = 1_500


def shorten(text: str, kinds: Collection[DeletionKind] = KINDS) -> Shortened:
    """Return a sentence without its dispensable parts.

    The result is the sentence minus the recorded spans, beginning with a capital; at least half of
    its words and at least six remain. Nothing within quotation marks is deleted, and nothing from a
    sentence with unbalanced brackets or quotation marks, or of more than 1,500 characters. The
    rules are for English; citations and references to figures are found in any language that writes
    them alike. Takes time linear in the length of the sentence.

    The sentence is on one line; only deletions of the given kinds are made.
    """
    words = len(text.split())
    spare = words - max(_FEWEST_WORDS, words * _LEAST_SHARE)
    if spare < 0 or len(text) > _LONGEST or not is_balanced(text):
        return Shortened(text)
    places: Sequence[int] = range(len(text))
    left = text
    taken: dict[int, DeletionKind] = {}
    for rule in _RULES:
        accepted = list(_accepted(left, rule, kinds, spare))
        shorter = _without(left, accepted)
        if not accepted or not _is_sound(left, shorter):
            continue
        spare -= len(left.split()) - len(shorter.split())
        gone = {at: each.kind for each in accepted for at in range(each.start, each.end)}
        taken.update((places[at], kind) for at, kind in gone.items())
        places = [place for at, place in enumerate(places) if at not in gone]
        left = shorter
    return Shortened(left, tuple(_spans(taken)))


def _accepted(
    text: str,
    rule: Callable[[str], Iterator[Deletion]],
    kinds: Collection[DeletionKind],
    spare: float,
) -> Iterator[Deletion]:
    """Yield the deletions of a rule that leave enough words, and quotations intact, in order."""
    proposed = [each for each in rule(text) if each.kind in kinds]
    if not 0 < len(proposed) <= _MOST:
        return
    fixed = quoted(text)
    reached = 0
    for each in sorted(proposed, key=lambda each: each.start):
        before = text[max(each.start - _REACH, 0) : each.start]
        after = text[each.end : each.end + _REACH]
        around = text[max(each.start - _REACH, 0) : each.end + _REACH]
        words = len(around.split()) - len((before + after).split())
        if each.start < reached or words > spare or any(fixed[each.start : each.end]):
            continue
        yield each
        reached = each.end
        spare -= words


def _without(text: str, deletions: Sequence[Deletion]) -> str:
    """Return a text without some ordered spans; capitalised if its beginning is gone."""
    kept: list[str] = []
    start = 0
    for each in deletions:
        kept.append(text[start : each.start])
        start = each.end
    kept.append(text[start:])
    shorter = "".join(kept)
    if deletions and deletions[0].start == 0 and len(shorter[:1].upper()) == 1:
        return shorter[:1].upper() + shorter[1:]
    return shorter


def _is_sound(text: str, shorter: str) -> bool:
    """Whether a shortened sentence has no misplaced marks and opens as before."""
    faults = len(_FAULT.findall(shorter)) - len(_FAULT.findall(text))
    return faults <= 0 and (not shorter[0].islower() or text[0].islower())


def _spans(taken: dict[int, DeletionKind]) -> Iterator[Deletion]:
    """Yield runs of neighbouring code points of one kind, in order."""
    ordered = sorted(taken)
    for (_, kind), run in groupby(
        enumerate(ordered), key=lambda member: (member[1] - member[0], taken[member[1]])
    ):
        members = [place for _, place in run]
        yield Deletion(members[0], members[-1] + 1, kind)
