"""Roles that a claim and its source give to each other's words: who does what to whom.

Both are compared by their parses.
"""

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
"""Pairs of roles that a word cannot have in the same event."""
_MARGIN = 1.5
"""Minimum lead of the agreement with exchanged company over that with a word's own."""
_LEAST = 0.5
"""Minimum agreement of each of two words with the other's company."""
_BESIDE = 0.5
"""Weight of another argument of the same verb; the verb itself and words of a phrase weigh 1."""
_MOST_PLACES = 3
"""Most occurrences of a word in a source; a more frequent word says little."""
_COMPARED_KINDS = ("NOUN", "NUM", "ADJ")
_EMPTY = frozenset({"be", "have"})

Company = Mapping[tuple[str, str], float]


def on_other_side(
    claim: ParsedText, source: ParsedText, others: Sequence[ParsedText]
) -> tuple[Span, Span] | None:
    """Return an argument of a claim's verb that has a contrary role in a source, and that one.

    The source must have something else in the role, and no source may have the argument in it.

    Args:
        claim: The claim.
        source: A source.
        others: Other sources.
    """
    for clause in claim.clauses:
        in_source = [other for other in source.clauses if other.stem == clause.stem]
        in_others = [
            other for text in others for other in text.clauses if other.stem == clause.stem
        ]
        for side, argument, key in _distinct_arguments(clause):
            if any(
                key & same_role.whole
                for other in in_source + in_others
                for same_role in other.sides.get(side, ())
            ):
                continue
            for other in in_source:
                head = claim.stems.get(argument.head, "")
                contrary = _in_contrary_role(source, other, side, key, head)
                if contrary is not None:
                    claimed = claim.span(argument.head, clause.verb)
                    return claimed, source.span(contrary.head, other.verb)
    return None


def _distinct_arguments(clause: Clause) -> Iterator[tuple[str, Argument, frozenset[str]]]:
    """Yield the roles and arguments of a verb with the stems that no other argument has."""
    placed = [(side, argument) for side, filled in clause.sides.items() for argument in filled]
    for side, argument in placed:
        others = (other.core for _, other in placed if other is not argument)
        key = argument.core.difference(*others)
        if key:
            yield side, argument, key


def _in_contrary_role(
    source: ParsedText, clause: Clause, side: str, key: frozenset[str], head: str
) -> Argument | None:
    """Return the argument that a verb of a source has in a role contrary to the claim's.

    None if there is none, or if nothing else has the role that it has in the claim.

    Args:
        source: The source.
        clause: The verb with its arguments.
        side: The role in the claim.
        key: The stems by which the argument is recognised.
        head: The stem of its head; if it is in the key, it must be the head here, too.
    """
    for other, arguments in clause.sides.items():
        if frozenset((side, other)) not in _CONTRARY:
            continue
        matching = [
            argument
            for argument in arguments
            if key & argument.core
            and (head not in key or source.stems.get(argument.head, "") in key)
        ]
        if matching and any(filled not in matching for filled in clause.sides.get(side, ())):
            return matching[0]
    return None


def in_other_company(claim: ParsedText, source: ParsedText) -> tuple[Span, Span] | None:
    """Return two words of a claim that have each other's company in a source, and their places.

    The company of a word is the verbs that it is an argument of, with its role; the other arguments
    of these verbs; and the words of its phrase.

    Args:
        claim: The claim.
        source: A source.
    """
    claim_companies, source_companies = _companies(claim), _companies(source)
    places = _places(claim, source)
    best, exchange = 0.0, None
    for one, two in combinations(places, 2):
        if claim.kind(one) != claim.kind(two) or claim.within(one, two) or claim.within(two, one):
            continue
        skip = {claim.stems[one], claim.stems[two]}
        in_claim = [_without(claim_companies[word], skip) for word in (one, two)]
        in_source = [
            {at: _without(source_companies[at], skip) for at in places[word]} for word in (one, two)
        ]
        straight = [_most_alike(*pair)[0] for pair in zip(in_claim, in_source, strict=True)]
        crossed = [_most_alike(*pair) for pair in zip(in_claim, reversed(in_source), strict=True)]
        gain = sum(agreement for agreement, _ in crossed) - sum(straight)
        if min(crossed)[0] >= _LEAST and gain >= _MARGIN and gain > best:
            best = gain
            exchange = claim.span(one, two), source.span(*(at for _, at in crossed))
    return exchange


def _places(claim: ParsedText, source: ParsedText) -> dict[int, list[int]]:
    """Return the places in a source of each word that the claim has once and the source rarely."""
    times, in_source = Counter(claim.stems.values()), defaultdict[str, list[int]](list)
    for place, stem in source.stems.items():
        in_source[stem].append(place)
    return {
        place: in_source[stem]
        for place, stem in claim.stems.items()
        if times[stem] == 1
        and claim.kind(place) in _COMPARED_KINDS
        and 0 < len(in_source[stem]) <= _MOST_PLACES
    }


def _companies(text: ParsedText) -> Mapping[int, Company]:
    """Return the company of each content word."""
    companies: dict[int, dict[tuple[str, str], float]] = defaultdict(dict)
    for clause in text.clauses:
        phrases = [
            (side, [place for place in text.phrase(argument.head) if place in text.stems])
            for side, arguments in clause.sides.items()
            for argument in arguments
        ]
        for side, phrase in phrases:
            for place in phrase:
                if clause.stem not in _EMPTY:
                    companies[place][clause.stem, side] = 1.0
                for other, words in phrases:
                    for word in words if other != side else ():
                        key = text.stems[word], f"{other} of {side}"
                        companies[place].setdefault(key, _BESIDE)
    for head in text.stems:
        for place in text.dependents(head):
            companies[head][text.stems[place], "within"] = 1.0
            companies[place][text.stems[head], "around"] = 1.0
    return companies


def _without(company: Company, skip: set[str]) -> Company:
    return {key: weight for key, weight in company.items() if key[0] not in skip}


def _most_alike(one: Company, others: Mapping[int, Company]) -> tuple[float, int]:
    """Return the highest agreement of a company with any of some others, and that one's place."""
    return max(
        (sum(min(weight, other[key]) for key, weight in one.items() if key in other), at)
        for at, other in others.items()
    )
