"""Words that say the opposite of each other, and names that change places around a word."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from longsum.core.grounding.quantities import figures, written_numbers
from longsum.core.grounding.rouge_tokens import stem
from longsum.language.words import placed_terms, stop_words

Span = tuple[int, int]

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

_WINDOW = 5
"""Content words on either side of a word that are its company."""
_LEAST_SHARED = 2
"""Content words that two words of opposite meaning must both have around them."""
_NEGATIONS = frozenset({"not", "no", "never", "without", "neither", "nor", "cannot"})
_NEAR = 5
"""Words before a word in which a negation turns its meaning round."""
_REACH = 6
"""Words between a name and the word that it is the subject or object of."""
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})


def _groups(lexicon: str) -> dict[str, set[tuple[int, int]]]:
    """Return the pair or family of each word of a lexicon and its place there, by its stem."""
    found: dict[str, set[tuple[int, int]]] = {}
    for number, groups in enumerate(lexicon.split(";")):
        for side, words in enumerate(groups.split("|")):
            for word in words.split():
                found.setdefault(stem(word), set()).add((number, side))
    return found


_IRREGULAR = {
    **{"rose": "rise", "risen": "rise", "grew": "grow", "grown": "grow", "fell": "fall"},
    **{"fallen": "fall", "lost": "lose", "won": "win", "began": "begin", "begun": "begin"},
    **{"kept": "keep", "led": "lead", "shrank": "shrink", "bought": "buy", "sold": "sell"},
}
"""Forms that the stemmer does not bring together."""
_GROUPS = _groups(_OPPOSITES)
_GROUPS.update({form: _GROUPS[stem(word)] for form, word in _IRREGULAR.items()})
_STEPS = _groups(_SCALES)


@dataclass(frozen=True, slots=True)
class _Words:
    """A text as stems, with spans."""

    spans: Sequence[Span]
    terms: Sequence[str]
    stems: Sequence[str]

    @classmethod
    def of(cls, text: str) -> "_Words":
        found = list(placed_terms(text))
        return cls(
            [(start, end) for start, end, _ in found],
            [term for _, _, term in found],
            [stem(term) for _, _, term in found],
        )

    def company(self, place: int) -> set[str]:
        """Return the stems of the content words around one, itself left out."""
        real = [
            each
            for each, term in enumerate(self.terms)
            if term not in stop_words() or each == place
        ]
        at = real.index(place)
        around = [*real[max(at - _WINDOW, 0) : at], *real[at + 1 : at + 1 + _WINDOW]]
        return {self.stems[each] for each in around}

    def denied(self, place: int) -> bool:
        """Return whether a negation stands right before a word."""
        before = self.terms[max(place - _NEAR, 0) : place]
        return any(term in _NEGATIONS or term.endswith("n't") for term in before)

    def groups(self, place: int) -> set[tuple[int, int]]:
        """Return the groups of opposites that a word is of, turned round where it is denied."""
        held = _GROUPS.get(self.stems[place], set())
        turned = self.denied(place)
        return {(line, side ^ turned) for line, side in held}


def opposed(claim: str, source: str) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim says the opposite of a source, and where the source says it.

    A word is compared with the words of its pair in `_OPPOSITES` that stand in like company; if any
    of them is on its side, nothing is opposed. A negation right before a word turns it round.
    """
    one, other = _Words.of(claim), _Words.of(source)
    said = [(place, groups) for place in range(len(other.stems)) if (groups := other.groups(place))]
    shared = set(one.stems) & set(other.stems)
    for place in range(len(one.stems)):
        if one.stems[place] in shared:
            continue
        for line, side in one.groups(place):
            against = [at for at, groups in said if (line, 1 - side) in groups]
            if not against or any((line, side) in groups for _, groups in said):
                continue
            company = one.company(place) & shared
            best = max(against, key=lambda at: len(company & other.company(at)))
            if len(company & other.company(best)) >= _LEAST_SHARED:
                yield one.spans[place], other.spans[best]
                break


def other_steps(claim: str, source: str) -> Iterator[tuple[Span, Span]]:
    """Yield where a claim has another unit, or another number in words, than a source.

    A word of a family of `_SCALES` that the source does not have is compared with those of its
    family that stand there in like company, as in `opposed`.
    """
    one, other = _Words.of(claim), _Words.of(source)
    shared = set(one.stems) & set(other.stems)
    told = {*figures(source), *written_numbers(source)}
    for place, own in enumerate(one.stems):
        if own in shared or own not in _STEPS:
            continue
        if any(value in told for value in written_numbers(one.terms[place])):
            continue
        lines = {line for line, _ in _STEPS[own]}
        against = [
            at
            for at, each in enumerate(other.stems)
            if each not in shared and lines & {line for line, _ in _STEPS.get(each, ())}
        ]
        company = one.company(place) & shared
        best = max(against, key=lambda at: len(company & other.company(at)), default=None)
        if best is not None and len(company & other.company(best)) >= _LEAST_SHARED:
            yield one.spans[place], other.spans[best]


def turned_roles(claim: str, source: str, names: Collection[Span]) -> Iterator[tuple[Span, Span]]:
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
    one, other = _Words.of(claim), _Words.of(source)
    held = [places for name in sorted(names) if (places := _places(one, name))]
    for first, second in pairwise(held):
        for place in range(first[-1] + 1, second[0]):
            word = one.stems[place]
            if one.terms[place] in stop_words() and one.terms[place] not in ("than", "by"):
                continue
            for at in (each for each, other_word in enumerate(other.stems) if other_word == word):
                ours, theirs = (
                    _nearest(other, one.stems[each[-1]], at) for each in (first, second)
                )
                if ours is None or theirs is None or (ours > at) == (theirs > at):
                    continue
                if (ours > theirs) == (_passive(one, place) == _passive(other, at)):
                    low, high = sorted((ours, theirs))
                    yield (
                        (one.spans[first[0]][0], one.spans[second[-1]][1]),
                        (other.spans[low][0], other.spans[high][1]),
                    )
                    return


def _places(words: _Words, span: Span) -> list[int]:
    return [
        place
        for place, (start, end) in enumerate(words.spans)
        if start >= span[0] and end <= span[1] and words.terms[place] not in stop_words()
    ]


def _nearest(words: _Words, wanted: str, at: int) -> int | None:
    """Return where a stem stands nearest to a place; None where it is not near."""
    found = [place for place, each in enumerate(words.stems) if each == wanted]
    near = min(found, key=lambda place: abs(place - at), default=None)
    return None if near is None or abs(near - at) > _REACH else near


def _passive(words: _Words, place: int) -> bool:
    """Return whether a word is a participle in the passive: "was charged by"."""
    before, after = words.terms[max(place - 2, 0) : place], words.terms[place + 1 : place + 4]
    return any(term in _BE for term in before) and "by" in after
