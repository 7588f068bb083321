"""Words of opposite meaning, and units and number words that differ."""

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
"""Pairs of groups with opposite meanings: English words in dictionary form."""

_SCALES = """
second | minute | hour | day | week | month | year | decade | century;
inch | foot feet | yard | mile | kilometer km | meter;
hundred | thousand | million | billion | trillion;
two | three | four | five | six | seven | eight | nine | ten | eleven | twelve | thirteen | fourteen
| fifteen | sixteen | seventeen | eighteen | nineteen | twenty | thirty | forty | fifty | sixty
| seventy | eighty | ninety
"""
"""Families of units and of number words, of which none may replace another of its family."""
_OF_NUMBERS = frozenset({2, 3})
"""Indexes of the families that are numbers."""

_LEAST_SHARED = 2
"""Fewest content words that two words of opposite meaning must share around them."""
_OF_SAME_WORD = 1
"""Bonus, in shared words, for the context of the same word."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "neither", "nor", "cannot"})
_JOINING = frozenset({"and", "or", "but", "while", "whereas", "that", "which"})
_NEAR = 5
"""How many words before a word a negation may be that reverses its meaning."""


@cache
def _groups(lexicon: str) -> dict[str, set[tuple[int, int]]]:
    """Return the pairs or families of each stem of a lexicon, each with the stem's group in it."""
    by_stem: dict[str, set[tuple[int, int]]] = {}
    for number, groups in enumerate(lexicon.split(";")):
        for side, words in enumerate(groups.split("|")):
            for word in words.split():
                by_stem.setdefault(stem(word), set()).add((number, side))
    by_stem.update(
        {form: by_stem[stem(word)] for form, word in _IRREGULAR.items() if stem(word) in by_stem}
    )
    return by_stem


_IRREGULAR = {
    **{"rose": "rise", "risen": "rise", "grew": "grow", "grown": "grow", "fell": "fall"},
    **{"fallen": "fall", "lost": "lose", "won": "win", "began": "begin", "begun": "begin"},
    **{"kept": "keep", "led": "lead", "shrank": "shrink", "bought": "buy", "sold": "sell"},
}
"""Forms that the stemmer does not conflate."""


def opposed(claim: StemmedText, sources: Sequence[StemmedText]) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim says the opposite of its closest source, with the spans in both.

    A word is compared with words of the opposite group in `_OPPOSITES` that have a similar context,
    both before and after; there is no opposition if a word of its own group has an equally similar
    context in any source. A negation shortly before a word reverses it.

    The closest source must come first.
    """
    groups_of = [
        [(at, groups) for at in range(len(source.stems)) if (groups := _sides(source, at))]
        for source in sources
    ]
    in_claim = {pair for place in range(len(claim.stems)) for pair in _sides(claim, place)}
    in_source = {pair for _, groups in groups_of[0] for pair in groups}
    for place in range(len(claim.stems)):
        for line, side in _sides(claim, place):
            # If both texts have both sides, each may refer to something else.
            if {(line, side), (line, 1 - side)} <= in_claim & in_source:
                continue
            against = [at for at, groups in groups_of[0] if (line, 1 - side) in groups]
            likeness = {at: _likeness(claim, place, sources[0], at) for at in against}
            at = max(likeness, key=likeness.__getitem__, default=-1)
            if at < 0 or likeness[at] < _LEAST_SHARED:
                continue
            agreeing = (
                _likeness(claim, place, source, other)
                + (_OF_SAME_WORD if source.stems[other] == claim.stems[place] else 0)
                for source, placed in zip(sources, groups_of, strict=True)
                for other, groups in placed
                if (line, side) in groups
            )
            if max(agreeing, default=0) < likeness[at]:
                yield claim.span(place), sources[0].span(at)
                break


def _likeness(claim: StemmedText, place: int, source: StemmedText, at: int) -> float:
    """Return how many content words two words share on the same side, plus half of the others."""
    (before, after), (earlier, later) = claim.sides(place), source.sides(at)
    same = len(before & earlier) + len(after & later)
    return same + len((before & later) | (after & earlier)) / 2


def other_steps(
    claim: StemmedText, source: StemmedText, texts: Collection[str]
) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim has another unit or number word than its closest source.

    A word of a family of `_SCALES` that the source lacks is compared with words of the same family
    that have a similar context there. Equal amounts do not differ: "half a billion" and 508
    million, 100 years and a century; they may be in any of `texts`.
    """
    values = {value for text in texts for value in (*figures(text), *written_numbers(text))}
    lasting = [value for text in texts for value in durations(text)]
    others = [
        at
        for at, word in enumerate(source.stems)
        if source.stems.count(word) > claim.stems.count(word)
    ]
    for place in _only_in(claim, source):
        families = {line for line, _ in _groups(_SCALES).get(claim.stems[place], ())}
        if not families:
            continue
        near = " ".join(claim.terms[max(place - 3, 0) : place + 1])
        if families & _OF_NUMBERS:
            whole = max(*figures(near), *written_numbers(near), Decimal(0), Decimal(0))
            if any(value == whole or rounds_to(value, whole) for value in values if whole):
                continue
        long = durations(" ".join((near, *claim.terms[place + 1 : place + 4])))
        if any(abs(one - other) <= max(one, other) / 10 for one in long for other in lasting):
            continue
        against = [
            at
            for at in others
            if families & {line for line, _ in _groups(_SCALES).get(source.stems[at], ())}
        ]
        if (at := _in_like_company(claim, place, source, against)) is not None:
            yield claim.span(place), source.span(at)


def _only_in(one: StemmedText, other: StemmedText) -> list[int]:
    """Return the positions of the words of one text that the other lacks."""
    present = set(other.stems)
    return [place for place, word in enumerate(one.stems) if word not in present]


def _sides(text: StemmedText, place: int) -> set[tuple[int, int]]:
    """Return a word's groups of opposites, reversed if the word is negated."""
    groups = _groups(_OPPOSITES).get(text.stems[place], set())
    if text.terms[place] == "may" and text.text[text.starts[place]] == "M":
        return set()
    reversed_by_negation = bool(groups) and denied(text, place)
    return {(line, side ^ reversed_by_negation) for line, side in groups}


def denied(text: StemmedText, place: int) -> bool:
    """Return whether a negation precedes a word, with no conjunction or comma in between."""
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
    """Return which of some words of a source, if any, has the context of a word of a claim."""
    shared = [claim.shared_around(place, source, at) for at in against]
    most = max(shared, default=0)
    return against[shared.index(most)] if most >= _LEAST_SHARED else None
