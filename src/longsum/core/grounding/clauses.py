"""Verbs of a parsed sentence with what fills their sides: subjects, objects, prepositions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Span
from longsum.language.words import stop_words

_VERBS = ("VERB", "AUX")
_INSIDE = frozenset({"compound", "amod", "poss", "nmod", "nummod", "quantmod"})
"""Relations of words to the head of the phrase that they belong to."""
_OF = ("of", "from", "in")
"""Prepositions whose objects say which one is meant: "people from Crete"."""
_RELATIVE = frozenset({"who", "whom", "which", "that"})
_NAMED_ALIKE = {"PROPN": "NOUN"}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a parsed sentence; what it is called is what spaCy's English pipelines call it.

    Attributes:
        text: The word.
        start: Its offset.
        lemma: Its form in a dictionary.
        kind: Its part of speech ("NOUN").
        form: Its tag, which tells participles ("VBN").
        relation: Its relation to its head ("nsubj").
        head: The place of its head; its own for the head of a sentence.
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
    """What fills a side of a verb.

    Attributes:
        head: The place of its head.
        core: The content stems of its phrase; those of a pronoun are none.
        whole: These, with its possessors and the objects of "of", "from" and "in".
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
        sides: What fills its sides: who acts ("by" in the passive), what is acted on, what it is
            compared with, and the objects of other prepositions under these.
    """

    verb: int
    stem: str
    passive: bool
    sides: dict[str, list[Argument]]

    @property
    def subject_side(self) -> str:
        """The side on which its subject stands."""
        return ACTED_ON if self.passive else ACTOR


ACTOR, ACTED_ON, COMPARED, _IS = "actor", "acted on", "than", "is"
_SIDES = {"nsubj": ACTOR, "nsubjpass": ACTED_ON, "dobj": ACTED_ON, "dative": "to"}
_SIDES |= {"attr": _IS, "oprd": _IS, "acomp": _IS}


class ParsedText:
    """A parsed sentence.

    Args:
        words: Its words.
    """

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        stop = stop_words()
        self.stems: Mapping[int, str] = {
            place: stem(word.lemma if word.kind in _VERBS else word.text.lower())
            for place, word in enumerate(words)
            if word.text.lower() not in stop and any(map(str.isalnum, word.text))
        }
        """The stems of the words of content, by their places."""
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
        return _NAMED_ALIKE.get(kind, kind)

    def phrase(self, head: int, *, whole: bool = True) -> list[int]:
        """Return the words of a phrase, without its clauses and what is joined to it by "and".

        Args:
            head: The place of its head.
            whole: Whether objects of "of", "from" and "in" are of it.
        """
        found = [head]
        for place in self.children[head]:
            relation = self.words[place].relation
            if relation in _INSIDE:
                found += self.phrase(place, whole=whole)
            elif relation == "appos":
                found += self.phrase(place, whole=False)
            elif whole and relation == "prep" and self._text(place) in _OF:
                for each in self._related(place, "pobj"):
                    found += self.phrase(each)
        return found

    def beside(self, head: int) -> Iterator[int]:
        """Yield the words of content that stand by a word, or after a preposition by it."""
        for place in self.children[head]:
            relation = self.words[place].relation
            if relation == "prep":
                yield from (each for each in self._related(place, "pobj") if each in self.stems)
            elif place in self.stems and relation != "conj" and self.kind(place) != "VERB":
                yield place

    def within(self, inner: int, outer: int) -> bool:
        """Return whether a word stands in the phrase of another one, with no verb between."""
        while self.words[inner].kind not in _VERBS and self.words[inner].head != inner:
            inner = self.words[inner].head
            if inner == outer:
                return True
        return False

    @cached_property
    def clauses(self) -> list[Clause]:
        """Its clauses; a verb that is joined to another one shares its subject."""
        found = {
            place: self._clause(place)
            for place, word in enumerate(self.words)
            if word.kind in _VERBS and word.relation not in ("aux", "auxpass")
        }
        for place, clause in found.items():
            word = self.words[place]
            other = found.get(word.head) if word.relation == "conj" else None
            if other is not None and clause.subject_side not in clause.sides:
                clause.sides[clause.subject_side] = other.sides.get(other.subject_side, [])
        return [*found.values()]

    def _clause(self, verb: int) -> Clause:
        word, sides = self.words[verb], defaultdict[str, list[Argument]](list)
        participle = word.form if word.relation == "acl" else ""
        passive = participle == "VBN" or any(
            self.words[each].relation in ("auxpass", "nsubjpass") for each in self.children[verb]
        )
        gap = word.relation == "relcl"
        for place in self.children[verb]:
            relation, text = self.words[place].relation, self._text(place)
            if relation in ("prep", "agent") or (relation == "dative" and text in ("to", "for")):
                side = ACTOR if text == "by" and passive else text
                for each in self._related(place, "pobj"):
                    sides[side] += self._arguments(each)
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
        for each in self._compared(verb):
            sides[COMPARED] += self._arguments(each)
        return Clause(verb, stem(word.lemma), passive, dict(sides))

    def _compared(self, place: int) -> Iterator[int]:
        """Yield what stands after "than" below a word, in no other clause."""
        for each in self.children[place]:
            if self._text(each) == "than":
                yield from self.children[each]
            elif self.words[each].kind != "VERB":
                yield from self._compared(each)

    def _arguments(self, head: int) -> list[Argument]:
        """Return a phrase and those that are joined to it."""
        joined = (each for each in self._related(head, "conj") if self.kind(each) not in _VERBS)
        return [
            self._argument(head),
            *(each for other in joined for each in self._arguments(other)),
        ]

    def _argument(self, head: int) -> Argument:
        whole = [each for each in self.phrase(head) if each in self.stems]
        core = [
            each
            for each in self.phrase(head, whole=False)
            if each in self.stems and self.words[each].relation != "poss"
        ]
        everything = frozenset(self.stems[each] for each in whole)
        return Argument(
            head, frozenset(self.stems[each] for each in core) or everything, everything
        )

    def _related(self, place: int, relation: str) -> Iterator[int]:
        return (each for each in self.children[place] if self.words[each].relation == relation)

    def _text(self, place: int) -> str:
        return self.words[place].text.lower()
