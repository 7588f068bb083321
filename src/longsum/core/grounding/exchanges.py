"""Names, figures and words of a claim that were swapped with each other, or replaced."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.language.entities import Entity

_REACH = 8
"""Words before and after an anchor that form its surroundings."""
_RELATING_WORDS = "from to by than of in at for with into over under between unlike as on against"
_RELATING = frozenset(_RELATING_WORDS.split())
"""Function words that relate an anchor to others."""
_MARGIN = 0.95
"""Minimum lead of the agreement with exchanged surroundings over that with an anchor's own."""
_LEAST = 0.5
"""Minimum agreement of each of two anchors with the other's surroundings."""
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being"})

Surroundings = Mapping[tuple[str, bool], float]


@dataclass(frozen=True, slots=True)
class _Anchor:
    """A name, figure or word of a text.

    `key` are the stems that it is recognised by; `first` and `last` are the positions of its words.
    """

    key: frozenset[str]
    first: int
    last: int


def exchanged(
    claim: StemmedText,
    source: StemmedText,
    claim_entities: Sequence[Entity],
    source_entities: Sequence[Entity],
) -> Iterator[tuple[Span, Span]]:
    """Yield at most one pair of anchors of a claim that have each other's surroundings in a source.

    The surroundings of an anchor are the words before and after it; nearer ones count more. Two
    anchors are exchanged if each agrees better with the surroundings of the other in the source.
    If only one of the texts is in the passive, nothing is compared.

    `claim_entities` and `source_entities` are the names and figures of both.
    """
    if _passive(claim) != _passive(source):
        return
    claim_anchors = _anchors(claim, claim_entities)
    source_anchors = _anchors(source, source_entities)
    matches = {
        anchor: matching
        for anchor in claim_anchors
        if sum(bool(anchor.key & other.key) for other in claim_anchors) == 1
        and 0
        < len(matching := [other for other in source_anchors if anchor.key & other.key])
        <= _MOST_PLACES
    }
    best, exchange = _MARGIN, None
    for one, two in combinations(matches, 2):
        overlap = one.last >= two.first and two.last >= one.first
        if overlap or _listed(claim, one, two):
            continue
        skip = one.key.union(two.key, *(match.key for match in matches[one] + matches[two]))
        in_claim = _around(claim, one, skip), _around(claim, two, skip)
        in_source = [
            [(_around(source, match, skip), match) for match in matches[anchor]]
            for anchor in (one, two)
        ]
        straight = sum(
            max(_agreement(surroundings, others) for others, _ in candidates)
            for surroundings, candidates in zip(in_claim, in_source, strict=True)
        )
        crossed = [
            max(
                ((_agreement(surroundings, others), match) for others, match in candidates),
                key=itemgetter(0),
            )
            for surroundings, candidates in zip(in_claim, reversed(in_source), strict=True)
        ]
        if _listed(source, crossed[0][1], crossed[1][1]):
            continue
        gain = crossed[0][0] + crossed[1][0] - straight
        if min(crossed[0][0], crossed[1][0]) >= _LEAST and gain > best:
            best = gain
            exchange = (
                claim.span(min(one.first, two.first), max(one.last, two.last)),
                source.span(
                    min(match.first for _, match in crossed),
                    max(match.last for _, match in crossed),
                ),
            )
    if exchange is not None:
        yield exchange


def replaced(
    claim: StemmedText,
    source: StemmedText,
    claim_entities: Sequence[Entity],
    source_entities: Sequence[Entity],
) -> Iterator[tuple[Entity, Entity]]:
    """Yield the names and figures of a claim whose surroundings belong to others in a source.

    `claim_entities` and `source_entities` are the names and figures of both. One that both have is
    replaced by no other.
    """
    in_claim = [
        (entity, anchor)
        for entity in claim_entities
        for anchor in _anchors(claim, [entity], others=False)
    ]
    in_source = [
        (entity, anchor)
        for entity in source_entities
        for anchor in _anchors(source, [entity], others=False)
    ]
    for entity, anchor in in_claim:
        surroundings = _around(claim, anchor, anchor.key)
        agreement = {
            other: _agreement(surroundings, _around(source, rival, rival.key))
            for other, rival in in_source
        }
        in_place = [agreement[other] for other, rival in in_source if rival.key & anchor.key]
        for other, rival in in_source:
            if (
                agreement[other] > _MARGIN + max(in_place, default=0.0)
                and (entity.kind in _NAMES) == (other.kind in _NAMES)
                and (entity.kind in _NAMES or entity.kind == other.kind)
                and not any(rival.key & claimed.key for _, claimed in in_claim)
            ):
                yield entity, other
                break


_NAMES = ("name", "acronym")


def _listed(text: StemmedText, one: _Anchor, two: _Anchor) -> bool:
    """Return whether two anchors are parts of a list, whose order means nothing."""
    first, second = sorted((one, two), key=lambda anchor: anchor.first)
    between = text.terms[first.last + 1 : second.first]
    if len(between) > _LIST_GAP or "unlike" in text.terms[max(first.first - 2, 0) : first.first]:
        return False
    gap = text.text[text.ends[first.last] : text.starts[second.first]]
    return not {"and", "or"}.isdisjoint(between) or "," in gap


_LIST_GAP = 4
_MOST_PLACES = 3
"""Maximum occurrences of an anchor in a source; a more frequent word says little."""


def _anchors(
    text: StemmedText, text_entities: Sequence[Entity], *, others: bool = True
) -> list[_Anchor]:
    """Return the names and figures of a text as anchors, and with `others` its content words."""
    anchors, taken = [], set()
    for entity in text_entities:
        places = [
            at
            for at, begin in enumerate(text.starts)
            if entity.start <= begin and text.ends[at] <= entity.end
        ]
        key = frozenset(text.stems[at] for at in places if text.content[at])
        if key:
            taken.update(places)
            anchors.append(_Anchor(key, places[0], places[-1]))
    anchors += [
        _Anchor(frozenset([text.stems[at]]), at, at)
        for at in range(len(text.stems))
        if others and text.content[at] and at not in taken
    ]
    return anchors


def _around(text: StemmedText, anchor: _Anchor, skip: Collection[str]) -> Surroundings:
    """Return the words on each side of an anchor, with weights that fall with distance."""
    weights: dict[tuple[str, bool], float] = {}
    for after, places in (
        (False, range(anchor.first - 1, max(anchor.first - 1 - _REACH, -1), -1)),
        (True, range(anchor.last + 1, min(anchor.last + 1 + _REACH, len(text.stems)))),
    ):
        for distance, at in enumerate(places, start=1):
            word = text.stems[at]
            if word not in skip and (text.content[at] or text.terms[at] in _RELATING):
                weights.setdefault((word, after), 1 / distance)
    return weights


def _agreement(one: Surroundings, other: Surroundings) -> float:
    return sum(min(weight, other[key]) for key, weight in one.items() if key in other)


def _passive(text: StemmedText) -> bool:
    """Return whether a text has a passive participle: "was charged by"."""
    return any(
        term in _BE and "by" in text.terms[at + 2 : at + 5] for at, term in enumerate(text.terms)
    )
