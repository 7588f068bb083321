"""The verbs of a parsed sentence with their arguments: subjects, objects, prepositional objects."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span
from longsum.language.words import stop_words

_VERBS = ("VERB", "AUX")
_INSIDE = frozenset({"compound", "amod", "poss", "nmod", "nummod", "quantmod"})
"""Relations of words to the head of their phrase."""
_OF = ("of", "from", "in")
"""Prepositions whose objects specify the head: "people from Crete"."""
_RELATIVE = frozenset({"who", "whom", "which", "that"})
_SAME_KIND = {"PROPN": "NOUN"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a parsed sentence, with the labels of spaCy's English pipelines.

    Attributes:
        text: The word.
        start: Its offset.
        lemma: Its dictionary form.
        kind: Its part of speech ("NOUN").
        form: Its tag, by which participles are recognised ("VBN").
        relation: Its relation to its head ("nsubj").
        head: The place of its head; its own place for the head of a sentence.
    """

    text: str
    start: int
    lemma: str
    kind: str
    form: str
    relation: str
    head: int


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb.

    Attributes:
        head: The place of its head.
        core: The content stems of its phrase; empty for a pronoun.
        whole: The same, plus its possessors and the objects of "of", "from" and "in".
    """

    head: int
    core: frozenset[str]
    whole: frozenset[str]


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb and its arguments.

    Attributes:
        verb: Its place.
        stem: The stem of its lemma.
        passive: Whether it is in the passive.
        sides: Its arguments by role: who acts ("by" in the passive), what is acted on, what it is
            compared with; objects of other prepositions have the preposition as their role.
    """

    verb: int
    stem: str
    passive: bool
    sides: dict[str, list[Argument]]

    @property
    def subject_side(self) -> str:
        """The role of its subject."""
        return ACTED_ON if self.passive else ACTOR


ACTOR, ACTED_ON, COMPARED, _IS = "actor", "acted on", "than", "is"
_SIDES = {"nsubj": ACTOR, "nsubjpass": ACTED_ON, "dobj": ACTED_ON, "dative": "to"}
_SIDES |= {"attr": _IS, "oprd": _IS, "acomp": _IS}


class ParsedText:
    """A parsed sentence, given its words."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        stop = stop_words()
        self.stems: Mapping[int, str] = {
            place: stem(word.lemma if word.kind in _VERBS else word.text.lower())
            for place, word in enumerate(words)
            if word.text.lower() not in stop and any(map(str.isalnum, word.text))
        }
        """The stems of the content words, by their places."""
        self.children: dict[int, list[int]] = defaultdict(list)
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    def span(self, *places: int) -> Span:
        """Return the offsets from the first of some words to the last."""
        last = self.words[max(places)]
        return self.words[min(places)].start, last.start + len(last.text)

    def kind(self, place: int) -> str:
        """Return the part of speech of a word; names are nouns."""
        kind = self.words[place].kind
        return _SAME_KIND.get(kind, kind)

    def phrase(self, head: int, *, whole: bool = True) -> list[int]:
        """Return the words of a phrase, without its clauses and conjuncts.

        Args:
            head: The place of its head.
            whole: Whether objects of "of", "from" and "in" are included.
        """
        places = [head]
        for place in self.children[head]:
            relation = self.words[place].relation
            if relation in _INSIDE:
                places += self.phrase(place, whole=whole)
            elif relation == "appos":
                places += self.phrase(place, whole=False)
            elif whole and relation == "prep" and self._text(place) in _OF:
                for object_head in self._related(place, "pobj"):
                    places += self.phrase(object_head)
        return places

    def dependents(self, head: int) -> Iterator[int]:
        """Yield the content words that depend on a word, directly or through a preposition."""
        for place in self.children[head]:
            relation = self.words[place].relation
            if relation == "prep":
                objects = self._related(place, "pobj")
                yield from (object_head for object_head in objects if object_head in self.stems)
            elif place in self.stems and relation != "conj" and self.kind(place) != "VERB":
                yield place

    def within(self, inner: int, outer: int) -> bool:
        """Return whether a word is in the phrase of another one, with no verb between them."""
        while self.words[inner].kind not in _VERBS and self.words[inner].head != inner:
            inner = self.words[inner].head
            if inner == outer:
                return True
        return False

    @cached_property
    def clauses(self) -> list[Clause]:
        """Its clauses; a verb that is a conjunct of another one shares its subject."""
        by_verb = {
            place: self._clause(place)
            for place, word in enumerate(self.words)
            if word.kind in _VERBS and word.relation not in ("aux", "auxpass")
        }
        for place, clause in by_verb.items():
            word = self.words[place]
            other = by_verb.get(word.head) if word.relation == "conj" else None
            if other is not None and clause.subject_side not in clause.sides:
                clause.sides[clause.subject_side] = other.sides.get(other.subject_side, [])
        return [*by_verb.values()]

    def _clause(self, verb: int) -> Clause:
        word, sides = self.words[verb], defaultdict[str, list[Argument]](list)
        participle = word.form if word.relation == "acl" else ""
        passive = participle == "VBN" or any(
            self.words[child].relation in ("auxpass", "nsubjpass") for child in self.children[verb]
        )
        # In a relative clause, the head fills the gap: "the man (whom) she saw".
        gap = word.relation == "relcl"
        for place in self.children[verb]:
            relation, text = self.words[place].relation, self._text(place)
            if relation in ("prep", "agent") or (relation == "dative" and text in ("to", "for")):
                side = ACTOR if text == "by" and passive else text
                for object_head in self._related(place, "pobj"):
                    sides[side] += self._arguments(object_head)
            elif relation in _SIDES:
                side = ACTED_ON if relation == "nsubj" and passive else _SIDES[relation]
                if word.relation == "relcl" and text in _RELATIVE:
                    sides[side].append(self._argument(word.head))
                    gap = False
                else:
                    sides[side] += self._arguments(place)
        if gap and ACTOR in sides and ACTED_ON not in sides:
            sides[ACTED_ON].append(self._argument(word.head))
        if participle in ("VBN", "VBG"):
            sides[ACTED_ON if participle == "VBN" else ACTOR].append(self._argument(word.head))
        for compared in self._compared(verb):
            sides[COMPARED] += self._arguments(compared)
        return Clause(verb, stem(word.lemma), passive, dict(sides))

    def _compared(self, place: int) -> Iterator[int]:
        """Yield the heads of phrases after "than" that depend on a word within its clause."""
        for child in self.children[place]:
            if self._text(child) == "than":
                yield from self.children[child]
            elif self.words[child].kind != "VERB":
                yield from self._compared(child)

    def _arguments(self, head: int) -> list[Argument]:
        """Return a phrase and its conjuncts."""
        conjuncts = (
            place for place in self._related(head, "conj") if self.kind(place) not in _VERBS
        )
        return [
            self._argument(head),
            *(argument for conjunct in conjuncts for argument in self._arguments(conjunct)),
        ]

    def _argument(self, head: int) -> Argument:
        whole = frozenset(self.stems[place] for place in self.phrase(head) if place in self.stems)
        core = frozenset(
            self.stems[place]
            for place in self.phrase(head, whole=False)
            if place in self.stems and self.words[place].relation != "poss"
        )
        return Argument(head, core or whole, whole)

    def _related(self, place: int, relation: str) -> Iterator[int]:
        """Yield the words that have a relation to a word."""
        return (child for child in self.children[place] if self.words[child].relation == relation)

    def _text(self, place: int) -> str:
        return self.words[place].text.lower()
