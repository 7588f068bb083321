"""Sentences changed to say something else, by rules (Kryscinski et al. 2020, §3.1; HEPOS, App. B).

A sentence is negated, or a name, or a number, is swapped for another of the same document and type.
Two more ways are longsum's: two of its names or numbers change places, or it gets the predicate of
another sentence.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Literal

from longsum.core.grounding.quantities import figures
from longsum.language.entities import Entity, entities
from longsum.language.entities import Kind as EntityKind
from longsum.language.words import stop_words, terms

CorruptionKind = Literal["negation", "entity_swap", "number_swap", "role_swap", "predicate"]
PAPER_KINDS: tuple[CorruptionKind, ...] = ("negation", "entity_swap", "number_swap")

NAMED: frozenset[EntityKind] = frozenset({"name", "acronym"})
NUMERIC: frozenset[EntityKind] = frozenset({"number", "quantity", "money", "date"})

FEWEST_AROUND = 2
"""Fewest words before and after the verb where predicates are exchanged."""

_AUXILIARY = re.compile(
    r"(?<!\w)(is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|do|does"
    r"|did)(\s+not|n['’]t)?(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A sentence that was changed in one place.

    `start` and `end` are the offsets of the change in it, which replaced `original`.
    """

    text: str
    kind: CorruptionKind
    start: int
    end: int
    original: str


def negate(sentence: str, rng: Random) -> Corrupted | None:
    """Insert "not" after an auxiliary verb, or remove its negation; None without such a verb."""
    found = list(_AUXILIARY.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    verb = match[1]
    if match[2] is None:
        changed = f"{verb}not" if verb.lower() == "can" else f"{verb} not"
    else:
        changed = verb
    return _changed(sentence, match.start(), match.end(), changed, "negation")


def exchange(sentence: str, rng: Random) -> Corrupted | None:
    """Let two names, or two numbers, of a sentence change places; None if there are no two."""
    own = entities(sentence)
    pairs = [
        (one, other)
        for one, other in combinations(own, 2)
        if _group(one.kind) == _group(other.kind)
        and not _identity(one.text, one.kind) & _identity(other.text, other.kind)
    ]
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    between = sentence[one.end : other.start]
    return _changed(sentence, one.start, other.end, f"{other.text}{between}{one.text}", "role_swap")


class Swaps:
    """The names, numbers and predicates of a document, to put into sentences of its summary."""

    def __init__(self, sentences: Iterable[str]) -> None:
        found: dict[EntityKind, set[str]] = defaultdict(set)
        self._predicates: dict[str, list[str]] = defaultdict(list)
        for sentence in sentences:
            for verb in _verbs(sentence):
                self._predicates[verb.group().lower()].append(sentence[verb.start() :])
            for entity in entities(sentence):
                found[entity.kind].add(entity.text)
        self._found = {
            kind: [(text, _identity(text, kind)) for text in sorted(texts)]
            for kind, texts in found.items()
        }

    def swap(
        self,
        sentence: str,
        kinds: Collection[EntityKind],
        rng: Random,
        *,
        mentioned: Sequence[Entity] | None = None,
    ) -> Corrupted | None:
        """Replace an entity by another of the document and of the same kind.

        The other one shares no word or figure with any that the sentence mentions.

        `mentioned` are the sentence's entities, if they are known.

        Returns:
            The changed sentence; None if there is nothing to replace, or no replacement.
        """
        own = entities(sentence) if mentioned is None else mentioned
        held = frozenset().union(*(_identity(each.text, each.kind) for each in own))
        replaced = [each for each in own if each.kind in kinds]
        rng.shuffle(replaced)
        for entity in replaced:
            others = [
                text for text, identity in self._found.get(entity.kind, ()) if not identity & held
            ]
            if others:
                kind: CorruptionKind = "entity_swap" if entity.kind in NAMED else "number_swap"
                return _changed(sentence, entity.start, entity.end, rng.choice(others), kind)
        return None

    def with_other_predicate(self, sentence: str, rng: Random) -> Corrupted | None:
        """Replace a predicate by what follows the same auxiliary verb in another sentence.

        None if no verb is in the middle, or no other sentence of the document has it there.
        """
        verbs = list(_verbs(sentence))
        rng.shuffle(verbs)
        for verb in verbs:
            own = sentence[verb.start() :]
            others = [each for each in self._predicates[verb.group().lower()] if each != own]
            if others:
                other = rng.choice(others)
                return _changed(sentence, verb.start(), len(sentence), other, "predicate")
        return None

    def corrupt(self, sentence: str, kind: CorruptionKind, rng: Random) -> Corrupted | None:
        """Change a sentence in one of the ways; None if that does not apply."""
        if kind == "negation":
            return negate(sentence, rng)
        if kind == "role_swap":
            return exchange(sentence, rng)
        if kind == "predicate":
            return self.with_other_predicate(sentence, rng)
        return self.swap(sentence, NAMED if kind == "entity_swap" else NUMERIC, rng)


def _verbs(sentence: str) -> Iterator[re.Match[str]]:
    """Yield auxiliary verbs with words on both sides."""
    for verb in _AUXILIARY.finditer(sentence):
        sides = sentence[: verb.start()], sentence[verb.end() :]
        if min(len(side.split()) for side in sides) >= FEWEST_AROUND:
            yield verb


def _group(kind: EntityKind) -> str:
    """Return a key of what may change places with what: all names, and numbers of a kind."""
    return "name" if kind in NAMED else kind


def _identity(text: str, kind: EntityKind) -> frozenset[object]:
    """Return what an entity must not share with another: its figures, or its words."""
    if kind in NUMERIC and (found := frozenset(figures(text))):
        return found
    return frozenset(term for term in terms(text) if term not in stop_words())


def _changed(sentence: str, start: int, end: int, text: str, kind: CorruptionKind) -> Corrupted:
    changed = sentence[:start] + text + sentence[end:]
    return Corrupted(changed, kind, start, start + len(text), sentence[start:end])
