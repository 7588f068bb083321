"""Contradictions between documents: different numbers, sums, dates or names for one thing."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from longsum.core.grounding.evidence import NAMES, Evidence, acronyms_of, values_of
from longsum.core.grounding.quantities import figures, rounds_to
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.summaries import Doubt, SummarySentence
from longsum.core.summaries.sentence import DoubtKind
from longsum.documents.dossier import Dossier, Member
from longsum.language.entities import Entity, entities
from longsum.language.words import content_terms

ALIKE, ALIKE_BUT_FOR_NAMES = 0.6, 0.7
"""Share of common other content words from which two sentences are about the same thing: for
figures, and for names, where a different one more often means a different thing. Chosen on training
splits (docs/dossiers.md)."""
_FEWEST = 3
"""Minimum number of common other content words, unless all are the same."""
_DIFFERING = 2
"""If more figures and names of a row differ than this, and than half, it is a different row."""


class Contradictions:
    """Looks for claims of other documents of a dossier that contradict a sentence.

    A figure or name is contradicted if another document has a different one of its kind in a
    sentence that is otherwise almost the same, and nowhere the same one in such a sentence. A
    document is indexed when first needed.
    """

    def __init__(self, dossier: Dossier) -> None:
        self._dossier = dossier
        self._others = [_Other(member) for member in dossier.members]

    def of(self, sentence: SummarySentence) -> Iterator[Doubt]:
        """Yield the contradictions between a summary sentence and other documents."""
        names = {self._dossier.member_of(source.sentence).name for source in sentence.sources}
        for other in self._others:
            if names and other.member.name not in names:
                yield from other.contradicting(sentence.text)


class _Other:
    """A document that sentences of others are compared with."""

    def __init__(self, member: Member) -> None:
        self.member = member
        self._sentences = [each.text for each in member.document.sentences]

    @cached_property
    def _evidence(self) -> Evidence:
        return Evidence(self._sentences)

    def contradicting(self, claim: str) -> Iterator[Doubt]:
        """Yield the names and figures for which the document has different ones."""
        claimed = entities(claim)
        for entity in claimed:
            support = self._evidence.support(claim, entity)
            place = support.rival_place
            if place < 0 or (support.place >= 0 and support.said >= support.rival):
                continue
            other = self._sentences[place]
            rival = _counterpart(entity, claimed, entities(other))
            if rival is None or self._evidence.has(entity, (place,)):
                continue
            least = ALIKE_BUT_FOR_NAMES if entity.kind in NAMES else ALIKE
            if _alike(entity, rival) or _likeness(claim, entity, other, rival) < least:
                continue
            kind: DoubtKind = "name" if entity.kind == "acronym" else entity.kind
            span = entity.text, entity.start, entity.end
            at, where = self.member.sentences[place], f"{self.member.name}, sentence {place + 1},"
            yield Doubt(kind, "differs", "document", *span, rival.text, at, where)


def _counterpart(entity: Entity, own: Sequence[Entity], others: Sequence[Entity]) -> Entity | None:
    """Return the counterpart of an entity among those of its kind; None if their numbers differ.

    Sentences with different numbers of figures or names are about other or more things.
    """
    same = [each for each in own if each.kind == entity.kind]
    there = [each for each in others if each.kind == entity.kind]
    pairs = list(zip(same, there, strict=False))
    differing = sum(not _alike(*pair) for pair in pairs)
    if len(same) != len(there) or differing > max(_DIFFERING, len(pairs) / 2):
        return None
    return there[same.index(entity)]


def _alike(one: Entity, other: Entity) -> bool:
    """Return whether two names share a word, or two figures are equal up to rounding."""
    if values_of(one) & values_of(other):
        return True
    if one.kind in NAMES:
        letters = one.text.casefold(), other.text.casefold()
        return any(
            short.casefold() in letters for each in (one, other) for short in acronyms_of(each.text)
        )
    first, second = (list(figures(each.text)) for each in (one, other))
    return len(first) == len(second) == 1 and (
        rounds_to(first[0], second[0]) or rounds_to(second[0], first[0])
    )


def _likeness(claim: str, entity: Entity, other: str, rival: Entity) -> float:
    """Return the share of the longer sentence's other content words that both sentences have."""
    first, second = _words(claim, entity), _words(other, rival)
    both, most = len(first & second), max(len(first), len(second))
    return both / most if both >= _FEWEST or both == most > 1 else 0.0


def _words(text: str, but: Entity) -> set[str]:
    rest = f"{text[: but.start]} {text[but.end :]}"
    return {stem(term) for term in content_terms(rest)}
