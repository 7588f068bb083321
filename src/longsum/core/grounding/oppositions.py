"""Words that say the opposite of each other, and names that change places around a word."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from longsum.core.grounding.quantities import figures, written_numbers
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.language.words import stop_words

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
always all every entire unconditional unconditionally certainly
| some sometimes many most several partly optional possible possibly seldom may might can typically;
easy easily | difficult hard; common frequent often | rare rarely seldom;
keep retain maintain | remove revert abandon abolish;
outpace lead ahead outperform | lag trail behind underperform; buy import | sell export
"""
"""Pairs of groups that deny each other: English words in the form that a dictionary has."""

_SCALES = """
second | minute | hour | day | week | month | year | decade | century;
inch | foot feet | yard | mile | kilometer km | meter;
hundred | thousand | million | billion | trillion;
two | three | four | five | six | seven | eight | nine | ten | eleven | twelve
"""
"""Families of units, and of numbers in words, none of which may stand in the place of another."""

_LEAST_SHARED = 2
"""Content words that two words of opposite meaning must both have around them."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "neither", "nor", "cannot"})
_NEAR = 5
"""Words before a word in which a negation turns its meaning round."""
_REACH = 6
"""Words between a name and the word that it is the subject or object of."""
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})


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


def opposed(claim: StemmedText, source: StemmedText) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim says the opposite of a source, and where the source says it.

    A word is compared with the words of its pair in `_OPPOSITES` that stand in like company; if any
    of them is on its side, nothing is opposed. A negation right before a word turns it round.
    """
    said = [(at, groups) for at in range(len(source.stems)) if (groups := _sides(source, at))]
    for place in _own(claim, source):
        for line, side in _sides(claim, place):
            if any((line, side) in groups for _, groups in said):
                continue
            against = [at for at, groups in said if (line, 1 - side) in groups]
            if (at := _in_like_company(claim, place, source, against)) is not None:
                yield claim.span(place, place), source.span(at, at)
                break


def other_steps(claim: StemmedText, source: StemmedText) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim has another unit, or another number in words, than a source.

    A word of a family of `_SCALES` that the source does not have is compared with those of its
    family that stand there in like company, as in `opposed`.
    """
    told = {*figures(source.text), *written_numbers(source.text)}
    others = _own(source, claim)
    for place in _own(claim, source):
        own = {line for line, _ in _groups(_SCALES).get(claim.stems[place], ())}
        if not own or not told.isdisjoint(written_numbers(claim.terms[place])):
            continue
        against = [
            at
            for at in others
            if own & {line for line, _ in _groups(_SCALES).get(source.stems[at], ())}
        ]
        if (at := _in_like_company(claim, place, source, against)) is not None:
            yield claim.span(place, place), source.span(at, at)


def _own(one: StemmedText, other: StemmedText) -> list[int]:
    """Return the places of the words that the other text does not have."""
    held = set(other.stems)
    return [place for place, each in enumerate(one.stems) if each not in held]


def _sides(text: StemmedText, place: int) -> set[tuple[int, int]]:
    """Return the groups of opposites that a word is of, turned round where it is denied."""
    before = text.terms[max(place - _NEAR, 0) : place]
    turned = any(term in _NEGATIONS or term.endswith("n't") for term in before)
    return {(line, side ^ turned) for line, side in _groups(_OPPOSITES).get(text.stems[place], ())}


def _in_like_company(
    claim: StemmedText, place: int, source: StemmedText, against: Sequence[int]
) -> int | None:
    """Return which of some words of a source keeps the company of one of a claim, if any does."""
    around = claim.company(*claim.span(place, place)).around
    shared = [len(around & source.company(*source.span(at, at)).around) for at in against]
    most = max(shared, default=0)
    return against[shared.index(most)] if most >= _LEAST_SHARED else None


def turned_roles(
    claim: StemmedText, source: StemmedText, names: Collection[Span]
) -> Iterator[tuple[Span, Span]]:
    """Yield where two names stand on the other sides of a word than in a source.

    "A charged B" differs from "B charged A" and from "A was charged by B", and so does "A has more
    than B" from "B has more than A"; the word must stand in both.

    Args:
        claim: The claim.
        source: The source.
        names: The spans of names in the claim.

    Yields:
        The span from the first of them to the second in the claim, and that in the source.
    """
    held = [places for name in sorted(names) if (places := _places(claim, name))]
    for first, second in pairwise(held):
        for place in range(first[-1] + 1, second[0]):
            if claim.terms[place] in stop_words() and claim.terms[place] not in ("than", "by"):
                continue
            found = _turned(claim, source, (first[-1], second[-1]), place)
            if found is not None:
                yield claim.span(first[0], second[-1]), found
                return


def _turned(
    claim: StemmedText, source: StemmedText, names: tuple[int, int], place: int
) -> Span | None:
    """Return where two names stand in a source on the other sides of the word at a place."""
    for at in (each for each, word in enumerate(source.stems) if word == claim.stems[place]):
        first, second = (_nearest(source, claim.stems[name], at) for name in names)
        if first is None or second is None or (first > at) == (second > at):
            continue
        if (first > second) == (_passive(claim, place) == _passive(source, at)):
            return source.span(min(first, second), max(first, second))
    return None


def _places(text: StemmedText, span: Span) -> list[int]:
    """Return the places of the words of content within a span."""
    return [
        place
        for place, start in enumerate(text.starts)
        if start >= span[0] and text.ends[place] <= span[1] and text.content[place]
    ]


def _nearest(text: StemmedText, wanted: str, at: int) -> int | None:
    """Return where a stem stands nearest to a place; None where it is not near."""
    found = [place for place, each in enumerate(text.stems) if each == wanted]
    near = min(found, key=lambda place: abs(place - at), default=None)
    return None if near is None or abs(near - at) > _REACH else near


def _passive(text: StemmedText, place: int) -> bool:
    """Return whether a word is a participle in the passive: "was charged by"."""
    before, after = text.terms[max(place - 2, 0) : place], text.terms[place + 1 : place + 4]
    return any(term in _BE for term in before) and "by" in after
