"""Words that say the opposite of each other, and units and numbers in words that differ."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import cache

from longsum.core.grounding.quantities import durations, figures, rounds_to, written_numbers
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span, StemmedText

_OPPOSITES = """
increase rise grow gain climb raise expand surge
| decrease decline fall drop reduce shrink cut lose;
more greater larger higher bigger exceed above outnumber longer superior
| fewer less smaller lower below inferior shorter;
most maximum highest largest longest upper | least minimum lowest smallest shortest;
before until earlier prior precede | after later; first begin open start | last end close finish;
improve strengthen better benefit | worsen weaken worse degrade harm; accelerate | slow delay;
accept agree approve support allow permit favor enable
| reject refuse disapprove oppose deny forbid prohibit prevent ban;
include | exclude except; win succeed pass success | fail failure;
always all every entire | some sometimes several partly many most seldom typically;
always must certain certainly definitely unconditional unconditionally mandatory
| may might can could possible possibly optional;
easy easily | difficult hard; common frequent often | rare rarely seldom uncommon;
keep retain maintain | remove revert abandon abolish;
outpace lead ahead outperform | lag trail behind underperform; buy import | sell export
"""
"""Pairs of groups that deny each other: English words in the form that a dictionary has."""

_SCALES = """
second | minute | hour | day | week | month | year | decade | century;
inch | foot feet | yard | mile | kilometer km | meter;
hundred | thousand | million | billion | trillion;
two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | thirteen | fourteen
| fifteen | sixteen | seventeen | eighteen | nineteen | twenty | thirty | forty | fifty | sixty
| seventy | eighty | ninety
"""
"""Families of units, and of numbers in words, none of which may stand in the place of another."""
_OF_NUMBERS = frozenset({2, 3})
"""Which of these families are numbers, by their place."""

_LEAST_SHARED = 2
"""Content words that two words of opposite meaning must both have around them."""
_OF_SAME_WORD = 1
"""Words that the company of the same word counts more."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "neither", "nor", "cannot"})
_JOINING = frozenset({"and", "or", "but", "while", "whereas", "that", "which"})
_NEAR = 5
"""Words before a word in which a negation turns its meaning round."""


@cache  # The stemmer takes a second and 100 MB to import, for summaries too that nothing checks.
def _groups(lexicon: str) -> dict[str, set[tuple[int, int]]]:
    """Return the pair or family of each word of a lexicon and its place there, by its stem."""
    found: dict[str, set[tuple[int, int]]] = {}
    for number, groups in enumerate(lexicon.split(";")):
        for side, words in enumerate(groups.split("|")):
            for word in words.split():
                found.setdefault(stem(word), set()).add((number, side))
    found.update(
        {form: found[stem(word)] for form, word in _IRREGULAR.items() if stem(word) in found}
    )
    return found


_IRREGULAR = {
    **{"rose": "rise", "risen": "rise", "grew": "grow", "grown": "grow", "fell": "fall"},
    **{"fallen": "fall", "lost": "lose", "won": "win", "began": "begin", "begun": "begin"},
    **{"kept": "keep", "led": "lead", "shrank": "shrink", "bought": "buy", "sold": "sell"},
}
"""Forms that the stemmer does not bring together."""


def opposed(claim: StemmedText, sources: Sequence[StemmedText]) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim says the opposite of its closest source, and where that says it.

    A word is compared with the words of its pair in `_OPPOSITES` that stand in like company, on the
    same side each; nothing is opposed if a word of its own side stands in any source in company
    that is as like. A negation right before a word turns it round.

    The closest of its sources comes first.
    """
    said = [
        [(at, groups) for at in range(len(source.stems)) if (groups := _sides(source, at))]
        for source in sources
    ]
    every = {pair for place in range(len(claim.stems)) for pair in _sides(claim, place)}
    held = {pair for _, groups in said[0] for pair in groups}
    for place in range(len(claim.stems)):
        for line, side in _sides(claim, place):
            # Where both have both sides, each may be said of something else.
            if {(line, side), (line, 1 - side)} <= every & held:
                continue
            against = [at for at, groups in said[0] if (line, 1 - side) in groups]
            likeness = {at: _likeness(claim, place, sources[0], at) for at in against}
            at = max(likeness, key=likeness.__getitem__, default=-1)
            if at < 0 or likeness[at] < _LEAST_SHARED:
                continue
            agreeing = (
                _likeness(claim, place, source, other)
                + (_OF_SAME_WORD if source.stems[other] == claim.stems[place] else 0)
                for source, found in zip(sources, said, strict=True)
                for other, groups in found
                if (line, side) in groups
            )
            if max(agreeing, default=0) < likeness[at]:
                yield claim.span(place), sources[0].span(at)
                break


def _likeness(claim: StemmedText, place: int, source: StemmedText, at: int) -> float:
    """Return how many words of content two words have on the same side, and half of the others."""
    (before, after), (earlier, later) = claim.sides(place), source.sides(at)
    same = len(before & earlier) + len(after & later)
    return same + len((before & later) | (after & earlier)) / 2


def other_steps(
    claim: StemmedText, source: StemmedText, told: Collection[str]
) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim has another unit, or another number in words, than a source.

    A word of a family of `_SCALES` that the source does not have is compared with those of its
    family that stand there in like company. What comes to the same is no other: "half a billion"
    and 508 million, 100 years and a century.

    The source is its closest; figures and lengths of time may be those of all that are `told`.
    """
    held = {value for text in told for value in (*figures(text), *written_numbers(text))}
    lasting = [value for text in told for value in durations(text)]
    others = [
        at
        for at, each in enumerate(source.stems)
        if source.stems.count(each) > claim.stems.count(each)
    ]
    for place in _own(claim, source):
        own = {line for line, _ in _groups(_SCALES).get(claim.stems[place], ())}
        if not own:
            continue
        near = " ".join(claim.terms[max(place - 3, 0) : place + 1])
        if own & _OF_NUMBERS:
            whole = max(*figures(near), *written_numbers(near), Decimal(0), Decimal(0))
            if any(value == whole or rounds_to(value, whole) for value in held if whole):
                continue
        long = durations(" ".join((near, *claim.terms[place + 1 : place + 4])))
        if any(abs(one - other) <= max(one, other) / 10 for one in long for other in lasting):
            continue
        against = [
            at
            for at in others
            if own & {line for line, _ in _groups(_SCALES).get(source.stems[at], ())}
        ]
        if (at := _in_like_company(claim, place, source, against)) is not None:
            yield claim.span(place), source.span(at)


def _own(one: StemmedText, other: StemmedText) -> list[int]:
    """Return the places of the words that the other text does not have."""
    held = set(other.stems)
    return [place for place, each in enumerate(one.stems) if each not in held]


def _sides(text: StemmedText, place: int) -> set[tuple[int, int]]:
    """Return the groups of opposites that a word is of, turned round where it is denied."""
    groups = _groups(_OPPOSITES).get(text.stems[place], set())
    if text.terms[place] == "may" and text.text[text.starts[place]] == "M":
        return set()
    turned = bool(groups) and denied(text, place)
    return {(line, side ^ turned) for line, side in groups}


def denied(text: StemmedText, place: int) -> bool:
    """Return whether a negation stands before a word, with no conjunction or comma between."""
    for at in range(place - 1, max(place - _NEAR, 0) - 1, -1):
        gap = text.text[text.ends[at] : text.starts[at + 1]]
        if text.terms[at] in _JOINING or any(mark in gap for mark in ",;:("):
            return False
        if text.terms[at + 1] == "doubt":
            return False
        if text.terms[at] in _NEGATIONS or text.terms[at].endswith("n't"):
            return True
    return False


def _in_like_company(
    claim: StemmedText, place: int, source: StemmedText, against: Sequence[int]
) -> int | None:
    """Return which of some words of a source keeps the company of one of a claim, if any does."""
    shared = [claim.shared_around(place, source, at) for at in against]
    most = max(shared, default=0)
    return against[shared.index(most)] if most >= _LEAST_SHARED else None
