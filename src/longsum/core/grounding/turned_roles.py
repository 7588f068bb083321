"""Who does what to whom in a claim, and the other way round in a source: by the parses of both."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from longsum.core.grounding.clauses import ACTED_ON, ACTOR, COMPARED, Argument, Clause, ParsedText
from longsum.core.grounding.stemmed_text import Span

_TO_ACTOR = "unlike from to against over by with for behind of after before"
_TO_ACTED_ON = "from to into by with"
_CONTRARY = {
    *(frozenset((ACTOR, side)) for side in (ACTED_ON, COMPARED, *_TO_ACTOR.split())),
    *(frozenset((ACTED_ON, side)) for side in (COMPARED, *_TO_ACTED_ON.split())),
    frozenset(("to", "from")),
}
"""Sides of a verb that say something else of what fills them."""
_MARGIN = 1.5
"""By how much the exchanged company must agree better than that in place."""
_LEAST = 0.5
"""How far each of the two must agree."""
_BESIDE = 0.5
"""What another argument of the same verb counts; the verb itself and words of a phrase count 1."""
_MOST_PLACES = 3
"""Places of a word in a source; one that has more says little."""
_COMPARED_KINDS = ("NOUN", "NUM", "ADJ")
_EMPTY = frozenset({"be", "have"})

Company = Mapping[tuple[str, str], float]


def on_other_side(
    claim: ParsedText, source: ParsedText, others: Sequence[ParsedText]
) -> tuple[Span, Span] | None:
    """Return where a claim has on one side of a verb what a source has on a contrary side, and it.

    Another thing must be on that side in the source, and no source may have it there too.

    Args:
        claim: The claim.
        source: A source.
        others: Other sources.
    """
    for clause in claim.clauses:
        there = [each for each in source.clauses if each.stem == clause.stem]
        same = [each for text in others for each in text.clauses if each.stem == clause.stem]
        for side, argument, key in _told_apart(clause):
            if any(key & each.whole for it in there + same for each in it.sides.get(side, ())):
                continue
            for other in there:
                held = _held(source, other, side, key, claim.stems.get(argument.head, ""))
                if held is not None:
                    own = claim.span(argument.head, clause.verb)
                    return own, source.span(held.head, other.verb)
    return None


def _told_apart(clause: Clause) -> Iterator[tuple[str, Argument, frozenset[str]]]:
    """Yield the arguments of a verb with the stems that none of the others has."""
    every = [(side, each) for side, some in clause.sides.items() for each in some]
    for side, argument in every:
        others = (each.core for _, each in every if each is not argument)
        key = argument.core.difference(*others)
        if key:
            yield side, argument, key


def _held(
    source: ParsedText, clause: Clause, side: str, key: frozenset[str], head: str
) -> Argument | None:
    """Return what a verb of a source has on a contrary side, if something else is in its place.

    Args:
        source: The source.
        clause: The verb with its arguments.
        side: The side on which the claim has it.
        key: The stems that tell it.
        head: The stem of its head, which must be the head there too if it tells it.
    """
    for other, arguments in clause.sides.items():
        if frozenset((side, other)) not in _CONTRARY:
            continue
        held = [
            each
            for each in arguments
            if key & each.core and (head not in key or source.stems.get(each.head, "") in key)
        ]
        if held and any(each not in held for each in clause.sides.get(side, ())):
            return held[0]
    return None


def in_other_company(claim: ParsedText, source: ParsedText) -> tuple[Span, Span] | None:
    """Return where two words of a claim have each other's company in a source, and where they are.

    The company of a word is the verbs that it is an argument of, and on which side; their other
    arguments; and what stands with it in a phrase.

    Args:
        claim: The claim.
        source: A source.
    """
    ours, theirs = _companies(claim), _companies(source)
    places = _places(claim, source)
    best, found = 0.0, None
    for one, two in combinations(places, 2):
        if claim.kind(one) != claim.kind(two) or claim.within(one, two) or claim.within(two, one):
            continue
        skip = {claim.stems[one], claim.stems[two]}
        here = [_without(ours[each], skip) for each in (one, two)]
        held = [{at: _without(theirs[at], skip) for at in places[it]} for it in (one, two)]
        straight = [_most_alike(*each)[0] for each in zip(here, held, strict=True)]
        crossed = [_most_alike(*each) for each in zip(here, reversed(held), strict=True)]
        gain = sum(agreement for agreement, _ in crossed) - sum(straight)
        if min(crossed)[0] >= _LEAST and gain >= _MARGIN and gain > best:
            best, found = gain, (claim.span(one, two), source.span(*(at for _, at in crossed)))
    return found


def _places(claim: ParsedText, source: ParsedText) -> dict[int, list[int]]:
    """Return where a source has each word that a claim has once, if at few places."""
    times, there = Counter(claim.stems.values()), defaultdict[str, list[int]](list)
    for place, each in source.stems.items():
        there[each].append(place)
    return {
        place: there[each]
        for place, each in claim.stems.items()
        if times[each] == 1
        and claim.kind(place) in _COMPARED_KINDS
        and 0 < len(there[each]) <= _MOST_PLACES
    }


def _companies(text: ParsedText) -> Mapping[int, Company]:
    """Return the company of each word of content."""
    found: dict[int, dict[tuple[str, str], float]] = defaultdict(dict)
    for clause in text.clauses:
        phrases = [
            (side, [place for place in text.phrase(each.head) if place in text.stems])
            for side, some in clause.sides.items()
            for each in some
        ]
        for side, own in phrases:
            for place in own:
                if clause.stem not in _EMPTY:
                    found[place][clause.stem, side] = 1.0
                for other, words in phrases:
                    for each in words if other != side else ():
                        found[place].setdefault((text.stems[each], f"{other} of {side}"), _BESIDE)
    for head in text.stems:
        for place in text.beside(head):
            found[head][text.stems[place], "within"] = 1.0
            found[place][text.stems[head], "around"] = 1.0
    return found


def _without(company: Company, skip: set[str]) -> Company:
    return {key: weight for key, weight in company.items() if key[0] not in skip}


def _most_alike(one: Company, others: Mapping[int, Company]) -> tuple[float, int]:
    """Return how far a company agrees with the most alike of some others, and which that is."""
    return max(
        (sum(min(weight, other[key]) for key, weight in one.items() if key in other), at)
        for at, other in others.items()
    )
