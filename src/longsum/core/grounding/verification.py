"""Checks what a summary sentence says against the sentences that it cites, and the document.

The checks are rules, and err on the side of doubt: a faithful paraphrase may be doubted, and only a
reader can tell. Who did what to whom is hardly seen. What they find of what is known to be wrong is
measured (docs/faithfulness.md).
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from longsum.core.grounding.evidence import (
    FIGURE_SWAPS,
    NAME_SWAPS,
    NAMES,
    Evidence,
    swap_probability,
)
from longsum.core.grounding.oppositions import opposed, other_steps, turned_roles
from longsum.core.grounding.quantities import figures, unit
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span, StemmedText
from longsum.core.summaries.sentence import Doubt, DoubtKind
from longsum.language.entities import Entity, entities
from longsum.language.words import content_terms, placed_terms, stop_words, terms

MIN_SHARE = 0.5
"""Share of a sentence's words that must occur in its sources. If less than half of them do, no
source is better than this one: the wrong place is worse than none."""

MIN_COMPARED = 0.6
"""Share of a sentence's words that a source must have for what the two deny to be compared."""

MIN_TURNED = 0.4
"""The same for what they say of more or less, before or after, and who did it to whom: there the
two are compared word by word."""

_NEGATING = frozenset(
    {
        "unable",
        "unlikely",
        "failed",
        "fail",
        "fails",
        "refused",
        "refuse",
        "lack",
        "lacks",
        "lacked",
    }
    | {"not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without"}
    | {"cannot", "hardly", "scarcely"}
)
_SCOPE = 2
"""Content words after a negating word that it is taken to negate."""


class Verifier:
    """Checks sentences against one document, whose index is made when it is first needed.

    Args:
        sentences: The document's sentences.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._sentences = sentences

    @cached_property
    def evidence(self) -> Evidence:
        """The index of the document."""
        return Evidence(self._sentences)

    def doubts(self, sentence: str, cited: Sequence[int]) -> tuple[Doubt, ...]:
        """Return what a sentence says otherwise than its sources, or than the document.

        - Names, numbers, quantities, sums and dates: every figure, month and word of a name must
          occur in the cited sentences; and no sentence that says much the same may have another in
          its place (`longsum.core.grounding.evidence`).
          A name may be abbreviated or spelled out, and a figure rounded.
        - Units and currencies: a figure must have one of the units that it has there.
        - Directions, units and numbers in words, roles: the closest source must not have the
          opposite, another of the family, or the names on the other sides
          (`longsum.core.grounding.oppositions`).
        - Negation: what the sentence denies must not be said without denial in the source that is
          closest in words, nor the other way round.
        - At least half of the content words must occur there in some inflection.

        Args:
            sentence: A sentence of a summary.
            cited: Positions of its sources in the document. Without any, names and figures are
                compared with the document alone.
        """
        if not cited:
            found = [Doubt("source", "missing", "document"), *self._entities(sentence, cited)]
            return tuple(each for each in found if each.looked == "document")
        found = [*self._entities(sentence, cited)]
        found += [
            each
            for each in self._turned(sentence, cited)
            if not any(each.start < other.end and other.start < each.end for other in found)
        ]
        words = {stem(term) for term in content_terms(sentence)}
        if self.evidence.share(words, cited) < MIN_SHARE:
            found.append(Doubt("wording", "missing", "cited"))
        return tuple(dict.fromkeys(found))

    def _entities(self, sentence: str, cited: Sequence[int]) -> Iterator[Doubt]:
        for entity in entities(sentence):
            doubt = self._missing(sentence, entity, cited) or self._unit(entity, cited)
            if doubt is not None:
                yield doubt

    def _missing(self, sentence: str, entity: Entity, cited: Sequence[int]) -> Doubt | None:
        """Return the doubt that a name or figure is missing, or has the place of another."""
        span = entity.text, entity.start, entity.end
        kind: DoubtKind = "name" if entity.kind == "acronym" else entity.kind
        there, everywhere = self.evidence.has(entity, cited), range(len(self._sentences))
        if not there and self.evidence.reworded(entity, cited):
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
        own = unit(entity.text) if entity.kind in ("quantity", "money") else ""
        if not own:
            return None
        values, others = set(figures(entity.text)), []
        for place in cited:
            for other in entities(self._sentences[place]):
                if not values <= set(figures(other.text)):
                    continue
                # A bare number may have the unit that stands elsewhere in its sentence.
                if other.kind not in ("quantity", "money") or unit(other.text) == own:
                    return None
                others.append((other.text, place))
        if not others:
            return None
        span = entity.text, entity.start, entity.end
        return Doubt("unit", "differs", "cited", *span, *others[0])

    def _turned(self, sentence: str, cited: Sequence[int]) -> Iterator[Doubt]:
        """Yield what the source closest in words denies, turns round, or says of another."""
        words = {stem(term) for term in content_terms(sentence)}
        share, place = max((self.evidence.share(words, (each,)), -each) for each in cited)
        source = self._sentences[-place]
        found: list[tuple[DoubtKind, Span, Span]] = []
        if share >= MIN_COMPARED:
            found += [("negation", *spans) for spans in _contrary(sentence, source)][:1]
            back = _contrary(source, sentence)
            found += [("negation", own, other) for other, own in back][: 1 - len(found)]
        if share >= MIN_TURNED:
            pair = StemmedText.of(sentence), StemmedText.of(source)
            found += [("direction", *spans) for spans in opposed(*pair)]
            found += [("unit", *spans) for spans in other_steps(*pair)]
            named = [(each.start, each.end) for each in entities(sentence)]
            found += [("role", *spans) for spans in turned_roles(*pair, named)]
        for kind, own, other in found:
            span = sentence[slice(*own)], *own
            instead = source[slice(*other)]
            yield Doubt(kind, "differs", "cited", *span, instead, sentence=-place)


def _contrary(one: str, other: str) -> Iterator[tuple[Span, Span]]:
    """Yield where one text denies a word, and where the other says it without denial."""
    denied = {stem(term) for term, _ in negated(other)}
    said = {stem(term): (start, end) for start, end, term in placed_terms(other)}
    if any(map(_negates, terms(other))):
        # What is denied there may be the same in other words.
        return
    for term, span in negated(one):
        word = stem(term)
        if word in said and word not in denied:
            yield span, said[word]


def _negates(term: str) -> bool:
    return term in _NEGATING or term.endswith("n't")


def negated(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the content words that a text negates: the `_SCOPE` ones after each negating word.

    "Not only" negates nothing, and neither does the "no" of a number (No. 5).

    Yields:
        The word in lower case, and the span from the negating word to its end.
    """
    found = list(placed_terms(text))
    left = begin = 0
    for place, (start, end, term) in enumerate(found):
        following = found[place + 1][2] if place + 1 < len(found) else ""
        if _negates(term):
            left = 0 if following == "only" or following.isdigit() else _SCOPE
            begin = start
        elif left and term.isalpha() and term not in stop_words():
            left -= 1
            yield term, (begin, end)
