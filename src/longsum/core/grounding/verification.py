"""Checks the claims of a summary sentence against the sentences it cites and the document.

The checks are rules that err on the side of doubt: a faithful paraphrase may be doubted, and only a
reader can tell. They rarely notice that a sentence confuses who did what to whom. How many known
errors they find is measured (docs/faithfulness.md).
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
"""Minimum share of a sentence's words that occur in its sources; below it, no source counts as
sure: a wrong place is worse than none."""

MIN_SAID = 0.4
"""Minimum share of a claim's words in its closest source for the two to be compared at all."""

MIN_WHOLE = 0.8
"""Share from which on the source may say much more than the claim."""

MIN_TURNED, MIN_DENIED, MIN_EXCHANGED = 0.5, 0.6, 0.57
"""Minimum similarity (Dice's coefficient of their words) for comparing directions, denials, and who
did what to whom. Of 24 wrong doubts about 285 reference sentences of training splits, they leave 5;
of 52 doubts about known changes, they leave 51."""


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
          its place (`longsum.core.grounding.evidence`). A name may be abbreviated or spelled out,
          and a figure rounded.
        - Units and currencies: a figure must have the same unit there.
        - Directions, units and numbers in words, roles: the closest source must not have the
          opposite, another word of the family, or the names in each other's roles
          (`longsum.core.grounding.oppositions`, `longsum.core.grounding.exchanges`).
        - Negation: the closest source must not affirm what the sentence denies, or deny what it
          affirms.
        - Wording: at least half of the content words must occur in the cited sentences in some
          inflection.

        Args:
            sentence: A sentence of a summary.
            cited: Positions of its sources in the document. Without any, names and figures are
                compared with the document alone.
        """
        if not cited:
            doubts = [Doubt("source", "missing", "document"), *self._entities(sentence, cited)]
            return tuple(doubt for doubt in doubts if doubt.looked == "document")
        pair = _Pair.closest(sentence, [(place, self._sentences[place]) for place in cited])
        replaced = {doubt.start: doubt for doubt in self._replaced(pair, cited)}
        doubts = [doubt for doubt in self._entities(sentence, cited) if doubt.start not in replaced]
        doubts = sorted([*doubts, *replaced.values()], key=lambda doubt: doubt.start)
        doubts += [
            doubt
            for doubt in _turned(pair)
            if not any(doubt.start < other.end and other.start < doubt.end for other in doubts)
        ]
        words = {stem(term) for term in content_terms(sentence)}
        if self.evidence.share(words, cited) < MIN_SHARE:
            doubts.append(Doubt("wording", "missing", "cited"))
        return tuple(dict.fromkeys(doubts))

    def _replaced(self, pair: "_Pair", cited: Sequence[int]) -> Iterator[Doubt]:
        """Yield the names and figures that the closest source replaces with another."""
        if pair.share < MIN_SAID:
            return
        entities_of_both = pair.claim_entities, pair.source_entities
        for entity, other in replaced(pair.claim, pair.source, *entities_of_both):
            if not alike(entity, other) and not self._reworded(pair.claim.text, entity, cited):
                kind: DoubtKind = "name" if entity.kind == "acronym" else entity.kind
                span = entity.text, entity.start, entity.end
                yield Doubt(kind, "differs", "cited", *span, other.text, sentence=pair.place)

    def _reworded(self, sentence: str, entity: Entity, cited: Sequence[int]) -> bool:
        """Return whether the cited sentences have an entity in another form, or within a bound."""
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
        in_cited, everywhere = self.evidence.has(entity, cited), range(len(self._sentences))
        if not in_cited and self._reworded(sentence, entity, cited):
            return None
        if not (in_cited or self.evidence.has(entity, everywhere)):
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
        if in_cited:
            return None
        place = support.place if support.place >= 0 else None
        return Doubt(kind, "missing", "cited", *span, sentence=place)

    def _unit(self, entity: Entity, cited: Sequence[int]) -> Doubt | None:
        """Return the doubt that a figure has another unit in all cited sentences that have it."""
        claimed_unit = unit(entity.text) if entity.kind in ("quantity", "money") else ""
        if not claimed_unit:
            return None
        values, others = set(figures(entity.text)), []
        for place in cited:
            for other in entities(self._sentences[place]):
                if not values <= set(figures(other.text)):
                    continue
                # The unit of a bare number may be elsewhere in its sentence.
                if other.kind not in ("quantity", "money") or unit(other.text) == claimed_unit:
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
    def claim_entities(self) -> list[Entity]:
        """The names and figures of the claim."""
        return entities(self.claim.text)

    @property
    def source_entities(self) -> list[Entity]:
        """The names and figures of the source."""
        return entities(self.source.text)


def _turned(pair: _Pair) -> Iterator[Doubt]:
    """Yield doubts about what the closest source denies, reverses, or attributes to another."""
    claim, source = pair.claim, pair.source
    differences: list[tuple[DoubtKind, Span, Span]] = []
    if pair.share < MIN_SAID:
        return
    if pair.alike >= MIN_DENIED:
        differences += [("negation", *spans) for spans in contrary(claim, source)]
        differences += [("direction", *spans) for spans in unhedged(claim, source)]
    sources = [source, *pair.others]
    if pair.alike >= MIN_TURNED or pair.share >= MIN_WHOLE:
        differences += [("direction", *spans) for spans in opposed(claim, sources)]
    texts = [text.text for text in sources]
    differences += [("unit", *spans) for spans in other_steps(claim, source, texts)]
    if pair.alike >= MIN_EXCHANGED:
        swaps = exchanged(claim, source, pair.claim_entities, pair.source_entities)
        differences += [("role", *spans) for spans in swaps]
    for kind, claimed, other in differences:
        span, instead = (claim.text[slice(*claimed)], *claimed), source.text[slice(*other)]
        yield Doubt(kind, "differs", "cited", *span, instead, sentence=pair.place)
