"""Twelve measures of how far a document supports a sentence of its summary, by words alone.

For the small checker of `checkers.py small`: from the words and pairs of words that the sentence
shares with the closest ones of the document, and from its names and figures. Words are weighted by
their rarity in the document.
"""

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from math import log1p

from longsum.core.grounding.evidence import (
    FIGURE_SWAPS,
    NAME_SWAPS,
    NAMES,
    Evidence,
    swap_probability,
)
from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.core.grounding.stemmed_text import StemmedText
from longsum.lab.checking.consistency import Contexts
from longsum.language.entities import Entity, entities

CLOSEST = 3
"""Sentences of the document that a claim is compared with."""


@dataclass(frozen=True, slots=True)
class ClaimMeasures:
    """How much of a claim a document has; shares are in [0, 1].

    Attributes:
        words: Share of the weight of its content words that the closest sentences have.
        words_of_one: The same for the best sentence alone.
        words_anywhere: The same for the whole document.
        pairs: Share of its pairs of adjacent words that the closest sentences have.
        pairs_of_one: The same for the best of them alone.
        recombined: Share of its pairs whose words both are in the closest sentences, but apart.
        run: Share of its words in the longest run of words that one of them has too.
        absent_names: Logarithm of one more than the number of names that the document lacks.
        absent_figures: The same for figures.
        elsewhere: The same for names and figures that it has, but not in the closest sentences.
        swapped: Highest probability that a name or figure has the place of another
            (`longsum.core.grounding.evidence`).
        length: Logarithm of its number of words.
    """

    words: float
    words_of_one: float
    words_anywhere: float
    pairs: float
    pairs_of_one: float
    recombined: float
    run: float
    absent_names: float
    absent_figures: float
    elsewhere: float
    swapped: float
    length: float

    @property
    def features(self) -> tuple[float, ...]:
        """The measures in the order of `MEASURES`."""
        return astuple(self)


MEASURES = tuple(each.name for each in fields(ClaimMeasures))


def measure(claim: str, evidence: Evidence, contexts: Contexts) -> ClaimMeasures:
    """Return the measures of a claim.

    Args:
        claim: A sentence.
        evidence: The index of a document by words, names and figures.
        contexts: That of the same document by pairs of words.
    """
    closest = contexts.choose(claim, CLOSEST)
    said = rouge_tokens(claim)
    read = [rouge_tokens(contexts.sentences[place]) for place in closest]
    pairs = list(pairwise(said))
    held = [set(pairwise(tokens)) for tokens in read]
    shared = [pair for pair in pairs if any(pair in each for each in held)]
    known = {token for tokens in read for token in tokens}
    apart = sum(one in known and other in known for one, other in pairs) - len(shared)
    total = max(len(pairs), 1)
    places = [weighted_share(claim, evidence, [place]) for place in closest]
    names, figures, elsewhere, swapped = _mentions(claim, evidence, closest)
    return ClaimMeasures(
        words=weighted_share(claim, evidence, closest),
        words_of_one=max(places, default=0.0),
        words_anywhere=weighted_share(claim, evidence, range(len(evidence.sentences))),
        pairs=len(shared) / total,
        pairs_of_one=max((sum(pair in each for pair in pairs) for each in held), default=0) / total,
        recombined=apart / total,
        run=max((_longest_run(said, tokens) for tokens in read), default=0) / max(len(said), 1),
        absent_names=log1p(names),
        absent_figures=log1p(figures),
        elsewhere=log1p(elsewhere),
        swapped=swapped,
        length=log1p(len(said)),
    )


def weighted_share(claim: str, evidence: Evidence, places: Collection[int]) -> float:
    """Return the weighted share of a claim's content words that some sentences have."""
    weights = {word: evidence._weight(word) for word in StemmedText.of(claim).words()}
    held = sum(
        weight
        for word, weight in weights.items()
        if not evidence._with.get(word, set()).isdisjoint(places)
    )
    total = sum(weights.values())
    return held / total if total else 1.0


def _mentions(
    claim: str, evidence: Evidence, closest: Sequence[int]
) -> tuple[int, int, int, float]:
    """Return how many names and figures are absent, how many elsewhere, and the surest swap."""
    names = figures = elsewhere = 0
    swapped = 0.0
    everywhere = range(len(evidence.sentences))
    for entity in entities(claim):
        if not (evidence.has(entity, everywhere) or evidence.reworded(entity, everywhere)):
            names += entity.kind in NAMES
            figures += entity.kind not in NAMES
            continue
        elsewhere += not (evidence.has(entity, closest) or evidence.reworded(entity, closest))
        swapped = max(swapped, swap_of(claim, entity, evidence))
    return names, figures, elsewhere, swapped


def swap_of(claim: str, entity: Entity, evidence: Evidence) -> float:
    """Return the probability that an entity has the place of another; 0 without another."""
    support = evidence.support(claim, entity)
    if support.place < 0 or support.rival_place < 0:
        return 0.0
    swaps = NAME_SWAPS if entity.kind in NAMES else FIGURE_SWAPS
    return swap_probability(support, swaps.weights)


def _longest_run(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest run of words that both have."""
    best = 0
    before = [0] * (len(other) + 1)
    for word in one:
        now = [0] * (len(other) + 1)
        for place, found in enumerate(other, start=1):
            if word == found:
                now[place] = before[place - 1] + 1
        best = max(best, *now)
        before = now
    return best
