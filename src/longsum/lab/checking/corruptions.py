"""Sentences corrupted by rules (Kryscinski et al. 2020, §3.1; HEPOS, App. B).

A sentence is negated, or a name or number in it is replaced by another of the same type from the
document. Two more ways are longsum's own: two names or numbers of the sentence are exchanged, or it
gets the predicate of another sentence.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal

from longsum.core.grounding.quantities import figures
from longsum.language.entities import Kind as EntityKind
from longsum.language.entities import entities
from longsum.language.words import stop_words, terms

CorruptionKind = Literal["negation", "entity_swap", "number_swap", "role_swap", "predicate"]
PAPER_KINDS: tuple[CorruptionKind, ...] = ("negation", "entity_swap", "number_swap")

NAMED: frozenset[EntityKind] = frozenset({"name", "acronym"})
NUMERIC: frozenset[EntityKind] = frozenset({"number", "quantity", "money", "date"})

FEWEST_AROUND = 2
"""Fewest words before and after the verb of a predicate that is exchanged."""

_AUXILIARY = re.compile(
    r"(?<!\w)(is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|do|does"
    r"|did)(\s+not|n['’]t)?(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A sentence that was changed in one place.

    `start` and `end` are the offsets of the new words, which replaced `original`.
    """

    text: str
    kind: CorruptionKind
    start: int
    end: int
    original: str


def negate(sentence: str, rng: Random) -> Corrupted | None:
    """Insert "not" after an auxiliary verb, or remove its negation; None if there is no verb."""
    verbs = list(_AUXILIARY.finditer(sentence))
    if not verbs:
        return None
    match = rng.choice(verbs)
    verb = match[1]
    if match[2] is None:
        changed = f"{verb}not" if verb.lower() == "can" else f"{verb} not"
    else:
        changed = verb
    return _changed(sentence, match.start(), match.end(), changed, "negation")


def exchange(sentence: str, rng: Random) -> Corrupted | None:
    """Exchange two names, or two numbers, of a sentence; None if it has no two."""
    pairs = [
        (one, other)
        for one, other in combinations(entities(sentence), 2)
        if _group(one.kind) == _group(other.kind)
        and not _identity(one.text, one.kind) & _identity(other.text, other.kind)
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    between = sentence[one.end : other.start]
    return _changed(sentence, one.start, other.end, f"{other.text}{between}{one.text}", "role_swap")


class Swaps:
    """The names, numbers and predicates of a document, as replacements in its summary."""

    def __init__(self, sentences: Iterable[str]) -> None:
        texts_of: dict[EntityKind, set[str]] = defaultdict(set)
        self._predicates: dict[str, list[str]] = defaultdict(list)
        for sentence in sentences:
            for verb in _verbs(sentence):
                self._predicates[verb.group().lower()].append(sentence[verb.start() :])
            for entity in entities(sentence):
                texts_of[entity.kind].add(entity.text)
        self._entities = {
            kind: [(text, _identity(text, kind)) for text in sorted(texts)]
            for kind, texts in texts_of.items()
        }

    def swap(self, sentence: str, kinds: Collection[EntityKind], rng: Random) -> Corrupted | None:
        """Replace an entity by another one of the same kind from the document.

        The replacement shares no word or figure with any entity that the sentence mentions.

        Returns:
            The changed sentence; None if there is nothing to replace, or no replacement.
        """
        mentioned = entities(sentence)
        taken = frozenset().union(*(_identity(entity.text, entity.kind) for entity in mentioned))
        replaceable = [entity for entity in mentioned if entity.kind in kinds]
        rng.shuffle(replaceable)
        for entity in replaceable:
            others = [
                text
                for text, identity in self._entities.get(entity.kind, ())
                if not identity & taken
            ]
            if others:
                kind: CorruptionKind = "entity_swap" if entity.kind in NAMED else "number_swap"
                return _changed(sentence, entity.start, entity.end, rng.choice(others), kind)
        return None

    def with_other_predicate(self, sentence: str, rng: Random) -> Corrupted | None:
        """Replace a predicate by one with the same auxiliary verb from another sentence.

        None if the sentence has no such verb (see `_verbs`), or no other sentence has the same one.
        """
        verbs = list(_verbs(sentence))
        rng.shuffle(verbs)
        for verb in verbs:
            predicate = sentence[verb.start() :]
            alike = self._predicates[verb.group().lower()]
            others = [other for other in alike if other != predicate]
            if others:
                other = rng.choice(others)
                return _changed(sentence, verb.start(), len(sentence), other, "predicate")
        return None

    def corrupt(self, sentence: str, kind: CorruptionKind, rng: Random) -> Corrupted | None:
        """Corrupt a sentence in one way; None if it does not apply."""
        if kind == "negation":
            return negate(sentence, rng)
        if kind == "role_swap":
            return exchange(sentence, rng)
        if kind == "predicate":
            return self.with_other_predicate(sentence, rng)
        return self.swap(sentence, NAMED if kind == "entity_swap" else NUMERIC, rng)


def _verbs(sentence: str) -> Iterator[re.Match[str]]:
    """Yield auxiliary verbs with enough words on both sides (`FEWEST_AROUND`)."""
    for verb in _AUXILIARY.finditer(sentence):
        sides = sentence[: verb.start()], sentence[verb.end() :]
        if min(len(side.split()) for side in sides) >= FEWEST_AROUND:
            yield verb


def _group(kind: EntityKind) -> str:
    """Return the group within which entities may be exchanged: all names, or numbers of a kind."""
    return "name" if kind in NAMED else kind


def _identity(text: str, kind: EntityKind) -> frozenset[object]:
    """Return the figures of an entity, or else its words, which another one must not share."""
    if kind in NUMERIC and (numbers := frozenset(figures(text))):
        return numbers
    return frozenset(term for term in terms(text) if term not in stop_words())


def _changed(sentence: str, start: int, end: int, text: str, kind: CorruptionKind) -> Corrupted:
    changed = sentence[:start] + text + sentence[end:]
    return Corrupted(changed, kind, start, start + len(text), sentence[start:end])
