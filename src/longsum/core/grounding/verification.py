"""Checks the claims of a summary sentence against the sentences it cites and the document.

The checks are rules, and err on the side of doubt: a faithful paraphrase may be doubted, and only a
reader can tell. They rarely notice who did what to whom. How many known errors they find is
measured (docs/faithfulness.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Thread

from longsum.core.grounding.denials import contrary, unhedged
from longsum.core.grounding.evidence import (
    FIGURE_SWAPS,
    NAME_SWAPS,
    NAMES,
    Evidence,
    alike,
    swap_probability,
)
from longsum.core.grounding.exchanges import exchanged, replaced
from longsum.core.grounding.oppositions import opposed, other_steps
from longsum.core.grounding.quantities import figures, unit
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.core.summaries.sentence import Doubt, DoubtKind
from longsum.language.entities import Entity, entities
from longsum.language.words import content_terms

MIN_SHARE = 0.5
"""Share of a sentence's words that must occur in its sources. If fewer than half do, no source is
given: a wrong place is worse than none."""

MIN_SAID = 0.4
"""Minimum share of a claim's words in its closest source for the two to be compared at all."""

MIN_WHOLE = 0.8
"""Share from which the source may say much more than the claim."""

MIN_TURNED, MIN_DENIED, MIN_EXCHANGED = 0.5, 0.6, 0.57
"""Minimum similarity (Dice's coefficient of their words) for comparing directions, denials, and who
did what to whom. Of the doubts about 285 reference sentences of training splits, which are true,
these leave 5 of 24, and of those about known changes 51 of 52."""


class Verifier:
    """Checks sentences against one document, which is indexed when first needed.

    Args:
        sentences: The document's sentences.
        ahead: Whether to start indexing them at once, in a thread, for callers that meanwhile wait
            for a server's answers.
    """

    def __init__(self, sentences: Sequence[str], *, ahead: bool = False) -> None:
        self._sentences = sentences
        if ahead:
            Thread(target=lambda: self.evidence, daemon=True).start()

    @cached_property
    def evidence(self) -> Evidence:
        """The index of the document."""
        return Evidence(self._sentences)

    def doubts(self, sentence: str, cited: Sequence[int]) -> tuple[Doubt, ...]:
        """Return the differences between a sentence and its sources, or the document.

        - Names, numbers, quantities, sums and dates: every figure, month and word of a name must
          occur in the cited sentences, and no sentence that says much the same may have another in
          its place (`longsum.core.grounding.evidence`).
          A name may be abbreviated or spelled out, and a figure rounded.
        - Units and currencies: a figure must have one of its units there.
        - Directions, units and numbers in words, roles: the closest source must not have the
          opposite, another of the family, or the names on the other sides
          (`longsum.core.grounding.oppositions`).
        - Negation: what the sentence denies must not be said without denial in the source that is
          closest in words, nor the other way round.
        - Wording: at least half of the content words must occur there in some inflection.

        Args:
            sentence: A sentence of a summary.
            cited: Positions of its sources in the document. Without any, names and figures are
                compared with the document alone.
        """
        if not cited:
            found = [Doubt("source", "missing", "document"), *self._entities(sentence, cited)]
            return tuple(each for each in found if each.looked == "document")
        pair = _Pair.closest(sentence, [(each, self._sentences[each]) for each in cited])
        replaced = {each.start: each for each in self._replaced(pair, cited)}
        found = [each for each in self._entities(sentence, cited) if each.start not in replaced]
        found = sorted([*found, *replaced.values()], key=lambda each: each.start)
        found += [
            each
            for each in _turned(pair)
            if not any(each.start < other.end and other.start < each.end for other in found)
        ]
        words = {stem(term) for term in content_terms(sentence)}
        if self.evidence.share(words, cited) < MIN_SHARE:
            found.append(Doubt("wording", "missing", "cited"))
        return tuple(dict.fromkeys(found))

    def _replaced(self, pair: "_Pair", cited: Sequence[int]) -> Iterator[Doubt]:
        """Yield the names and figures that the closest source replaces with another."""
        if pair.share < MIN_SAID:
            return
        for entity, other in replaced(pair.claim, pair.source, pair.named, pair.held):
            if not alike(entity, other) and not self._reworded(pair.claim.text, entity, cited):
                kind: DoubtKind = "name" if entity.kind == "acronym" else entity.kind
                span = entity.text, entity.start, entity.end
                yield Doubt(kind, "differs", "cited", *span, other.text, sentence=pair.place)

    def _reworded(self, sentence: str, entity: Entity, cited: Sequence[int]) -> bool:
        """Return whether the cited sentences have an entity in another form, or in its bounds."""
        return self.evidence.reworded(entity, cited) or self.evidence.within(
            entity, sentence[: entity.start], cited
        )

    def _entities(self, sentence: str, cited: Sequence[int]) -> Iterator[Doubt]:
        for entity in entities(sentence):
            doubt = self._missing(sentence, entity, cited) or self._unit(entity, cited)
            if doubt is not None:
                yield doubt

    def _missing(self, sentence: str, entity: Entity, cited: Sequence[int]) -> Doubt | None:
        """Return the doubt that a name or figure is missing or replaces another."""
        span = entity.text, entity.start, entity.end
        kind: DoubtKind = "name" if entity.kind == "acronym" else entity.kind
        there, everywhere = self.evidence.has(entity, cited), range(len(self._sentences))
        if not there and self._reworded(sentence, entity, cited):
            return None
        if not (there or self.evidence.has(entity, everywhere)):
            if self.evidence.reworded(entity, everywhere):
                return Doubt(kind, "missing", "cited", *span)
            return Doubt(kind, "missing", "document", *span)
        support = self.evidence.support(sentence, entity)
        swaps = NAME_SWAPS if entity.kind in NAMES else FIGURE_SWAPS
        if (
            support.place >= 0
            and support.rival_place >= 0
            and swap_probability(support, swaps.weights) >= swaps.threshold
        ):
            rival = support.rival_text, support.rival_place
            return Doubt(kind, "differs", "document", *span, *rival)
        if there:
            return None
        place = support.place if support.place >= 0 else None
        return Doubt(kind, "missing", "cited", *span, sentence=place)

    def _unit(self, entity: Entity, cited: Sequence[int]) -> Doubt | None:
        """Return the doubt that a figure has another unit in all cited sentences that have it."""
        own_unit = unit(entity.text) if entity.kind in ("quantity", "money") else ""
        if not own_unit:
            return None
        values, others = set(figures(entity.text)), []
        for place in cited:
            for other in entities(self._sentences[place]):
                if not values <= set(figures(other.text)):
                    continue
                # The unit of a bare number may be elsewhere in its sentence.
                if other.kind not in ("quantity", "money") or unit(other.text) == own_unit:
                    return None
                others.append((other.text, place))
        if not others:
            return None
        span = entity.text, entity.start, entity.end
        return Doubt("unit", "differs", "cited", *span, *others[0])


@dataclass(frozen=True, slots=True)
class _Pair:
    """A claim and the closest of its sources.

    `place` is the position of the source, `share` the share of the claim's words that it has, and
    `alike` Dice's coefficient of the two.
    """

    claim: StemmedText
    source: StemmedText
    place: int
    share: float
    alike: float
    others: tuple[StemmedText, ...]

    @classmethod
    def closest(cls, claim: str, cited: Sequence[tuple[int, str]]) -> "_Pair":
        stemmed = StemmedText.of(claim)
        sources = [(place, StemmedText.of(text)) for place, text in cited]
        alike = [stemmed.likeness(text) for _, text in sources]
        best = alike.index(max(alike))
        place, source = sources.pop(best)
        share = len(stemmed.words() & source.words()) / (len(stemmed.words()) or 1)
        return cls(stemmed, source, place, share, alike[best], tuple(text for _, text in sources))

    @property
    def named(self) -> list[Entity]:
        """The names and figures of the claim."""
        return entities(self.claim.text)

    @property
    def held(self) -> list[Entity]:
        """The names and figures of the source."""
        return entities(self.source.text)


def _turned(pair: _Pair) -> Iterator[Doubt]:
    """Yield what the closest source denies, reverses, or attributes to another."""
    claim, source = pair.claim, pair.source
    found: list[tuple[DoubtKind, Span, Span]] = []
    if pair.share < MIN_SAID:
        return
    if pair.alike >= MIN_DENIED:
        found += [("negation", *spans) for spans in contrary(claim, source)]
        found += [("direction", *spans) for spans in unhedged(claim, source)]
    if pair.alike >= MIN_TURNED or pair.share >= MIN_WHOLE:
        sources = [source, *pair.others]
        found += [("direction", *spans) for spans in opposed(claim, sources)]
    told = [source.text, *(each.text for each in pair.others)]
    found += [("unit", *spans) for spans in other_steps(claim, source, told)]
    if pair.alike >= MIN_EXCHANGED:
        found += [("role", *spans) for spans in exchanged(claim, source, pair.named, pair.held)]
    for kind, own, other in found:
        span, instead = (claim.text[slice(*own)], *own), source.text[slice(*other)]
        yield Doubt(kind, "differs", "cited", *span, instead, sentence=pair.place)
