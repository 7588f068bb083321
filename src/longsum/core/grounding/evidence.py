"""What a document says of a name, a figure or a word."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple, dataclass
from decimal import Decimal
from functools import lru_cache, partial
from math import exp, log, log1p

import numpy as np

from longsum.common.arrays import Array
from longsum.core.grounding.mentions import Mentions
from longsum.core.grounding.quantities import figures, month, rounds_to, written_numbers
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.stemmed_text import Company, StemmedText
from longsum.language.entities import Entity, entities
from longsum.language.entities import Kind as EntityKind
from longsum.language.words import placed_terms, stop_words

# A logistic regression on the features of `longsum.core.grounding.evidence.Support`, fitted on
# corrupted sentences of references of training splits; a threshold gives 90 % precision there,
# where half of the sentences are corrupted. `python benchmarks/faithfulness.py fit` prints these
# numbers.


@dataclass(frozen=True, slots=True)
class Swaps:
    """A rule for names or for figures.

    Attributes:
        weights: The bias, then the weight of each of `FEATURES`.
        threshold: Probability from which it is one; in (0, 1).
    """

    weights: Sequence[float]
    threshold: float


NAME_SWAPS = Swaps(
    (2.41, -4.42, -2.54, -1.33, 3.26, -4.02, 2.08, -3.36, 3.13, -0.41, -1.22, -0.56),
    threshold=0.49,
)
FIGURE_SWAPS = Swaps(
    (1.64, -3.19, -3.23, 1.8, 1.04, -4.56, 2.96, -3.44, 1.93, -0.01, -1.04, 0.45),
    threshold=0.55,
)


# A name or figure that was swapped for another of the same document is still found there, but in
# other company: a sentence that says the rest has another name or figure in its place. How far a
# sentence says the rest is measured by the words that it shares, weighted by their rarity in the
# document, in three circles: the whole sentence, the `WINDOW` content words on either side, and the
# very next words.

NAMES: frozenset[EntityKind] = frozenset({"name", "acronym"})
"""The kinds of entities that are compared by their words; the others are by their figures."""

Value = Decimal | str

_FEWEST = 6
"""Fewest sentences by which rarity is measured: of two, the words of one tell hardly anything, and
a word that neither has would weigh more than twice as much."""
_LARGEST_EXPONENT = 700.0
"""Beyond it, a double overflows; a probability is 0 long before."""
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Support:
    """How well a document supports a name or figure, against the best rival of its type.

    Shares are of the weight of the other words, in [0, 1].

    Attributes:
        said: Share of the other words of the claim in the best sentence that has it.
        near: The same with the sentences next to that one.
        rival: Share in the best sentence that has another of its type in its place.
        best: Share in the best sentence of all.
        around: Share of the words around it that are around it in the document.
        rival_around: Share that is around another of its type.
        adjacent: How much of the words and marks right before and after it are so in the document.
        rival_adjacent: The same of another of its type.
        mentions: Logarithm of one more than the number of sentences that have it.
        words: Logarithm of one more than the number of other words of the claim.
        length: Characters of a figure, words of a name, each divided by six.
        place: Position of the best sentence that has it; −1 if none has.
        rival_place: Position of the best sentence with a rival; −1 if there is none.
        rival_text: The rival.
    """

    said: float
    near: float
    rival: float
    best: float
    around: float
    rival_around: float
    adjacent: float
    rival_adjacent: float
    mentions: float
    words: float
    length: float
    place: int
    rival_place: int
    rival_text: str

    @property
    def features(self) -> tuple[float, ...]:
        """What `swap_probability` weighs."""
        return astuple(self)[: len(FEATURES)]


FEATURES = (
    *("said", "near", "rival", "best", "around", "rival_around", "adjacent", "rival_adjacent"),
    *("mentions", "words", "length"),
)
"""The fields of `Support` that are weighed, in order."""


class Evidence:
    """An index of a document's sentences by their words, figures, names and units."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self._count = len(sentences)
        self._with: dict[Value, set[int]] = defaultdict(set)
        found: dict[str, list[tuple[Entity, int, Company]]] = defaultdict(list)
        for place, sentence in enumerate(sentences):
            text = StemmedText.of(sentence)
            for value in _values_in(sentence, text):
                self._with[value].add(place)
            for entity in entities(sentence):
                company = text.company(entity.start, entity.end)
                found[_type(entity)].append((entity, place, company))
        self._mentions = {kind: Mentions(some) for kind, some in found.items()}

    def has(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether the cited sentences together have all words or figures of an entity."""
        return all(not self._with.get(each, set()).isdisjoint(cited) for each in values_of(entity))

    def reworded(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether the cited sentences have an entity in another form.

        An acronym is there if words in a row have its initials, a name if its acronym is, and a
        figure if it is another one rounded.
        """
        return self._abbreviated(entity, cited) or self._rounded(entity, cited)

    def _abbreviated(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether an acronym's words are there, or the acronym of a name's words."""
        known = _known_by(entity.text.replace(".", ""))
        if known and any(known & _known_names(self.sentences[place]) for place in cited):
            return True
        letters = _letters(entity.text) if entity.kind == "acronym" else ""
        if len(letters) > 1:
            return any(_spells(letters, self.sentences[place]) for place in cited)
        if entity.kind != "name":
            return False
        short = {each.casefold() for each in acronyms_of(entity.text)}
        return any(
            not self._with.get(stem(each), set()).isdisjoint(cited)
            or any(".".join(each.upper()) + "." in self.sentences[place] for place in cited)
            for each in short
        )

    def _rounded(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether figures are there that round to an entity's: 984 for 1,000."""
        own = [*figures(entity.text)]
        if entity.kind in NAMES or entity.kind == "date" or len(own) != 1:
            return False
        return any(
            rounds_to(other, own[0])
            for place in cited
            for other in (*figures(self.sentences[place]), *written_numbers(self.sentences[place]))
        )

    def share(self, words: Collection[str], cited: Collection[int]) -> float:
        """Return the share of stems that the cited sentences have; 1 where there are no stems."""
        if not words:
            return 1.0
        held = sum(not self._with.get(word, set()).isdisjoint(cited) for word in words)
        return held / len(words)

    def places(self, entity: Entity) -> set[int]:
        """Return the positions of the sentences that have all words or figures of an entity."""
        held = [self._with.get(value, set()) for value in values_of(entity)]
        return set.intersection(*held)

    def closest(self, claim: str, most: int) -> list[tuple[int, float]]:
        """Return the sentences that share most of the weight of a claim's words, best first.

        Returned are their positions, each with its share.
        """
        shares = self._shares(StemmedText.of(claim).words())
        best = np.argsort(-shares, kind="stable")[:most]
        return [(place, float(shares[place])) for place in best.tolist() if shares[place]]

    def support(self, claim: str, entity: Entity) -> Support:
        """Return how well the document supports an entity of a claim, in the words around it."""
        text, held = StemmedText.of(claim), self.places(entity)
        inside = range(bisect_left(text.starts, entity.start), bisect_left(text.starts, entity.end))
        others = text.words(inside)
        said = self._shares(others)
        beside = np.pad(said, 1)
        near = np.max([said, beside[2:], beside[:-2]], axis=0)
        company = text.company(entity.start, entity.end)
        places = sorted(held)
        elsewhere = said.copy()
        elsewhere[places] = 0.0
        weights = {word: self._weight(word) for word in company.around}
        own, rivals = self._mentions.get(_type(entity), _NONE).best(
            partial(alike, entity), company, weights, elsewhere
        )
        return Support(
            said=float(said[places].max()) if places else 0.0,
            near=float(near[places].max()) if places else 0.0,
            rival=rivals.said,
            best=float(said.max(initial=0.0)),
            around=own.around,
            rival_around=rivals.around,
            adjacent=own.adjacent,
            rival_adjacent=rivals.adjacent,
            mentions=log1p(len(places)),
            words=log1p(len(others)),
            length=_length(values_of(entity)) / 6,
            place=places[int(said[places].argmax())] if places else -1,
            rival_place=rivals.place,
            rival_text=rivals.text,
        )

    def _shares(self, words: Collection[str]) -> Array:
        """Return the share of the weight of words that each sentence has, `[n]`."""
        found = np.zeros(self._count)
        weights = {word: self._weight(word) for word in words}
        for word, weight in weights.items():
            found[list(self._with.get(word, ()))] += weight
        shares: Array = found / (sum(weights.values()) or 1.0)
        return shares

    def _weight(self, word: str) -> float:
        return log((max(self._count, _FEWEST) + 1) / (len(self._with.get(word, ())) + 0.5))


_NONE = Mentions([])


@lru_cache(maxsize=1 << 16)
def values_of(entity: Entity) -> frozenset[Value]:
    """Return what an entity is recognised by.

    That is the stems of a name's words; the figures of a number; and the figures, the month and the
    words of a date.
    """
    if entity.kind in NAMES:
        return frozenset(StemmedText.of(entity.text).words()) or frozenset([entity.text])
    found: set[Value] = set(figures(entity.text))
    if entity.kind == "date":
        found.update(_months(entity.text))
        found.update(word for word in StemmedText.of(entity.text).words() if _is_day(word))
    return frozenset(found) or frozenset([entity.text])


def swap_probability(support: Support, weights: Sequence[float]) -> float:
    """Return the logistic of a bias and weights of the features: `weights[0]`, then `FEATURES`."""
    bias, *rest = weights
    score = bias + sum(w * x for w, x in zip(rest, support.features, strict=True))
    return 1 / (1 + exp(min(-score, _LARGEST_EXPONENT)))


def _values_in(sentence: str, text: StemmedText) -> Iterator[Value]:
    """Yield all that entities of a sentence may be recognised by."""
    yield from text.words()
    yield from (stem(part) for term in text.terms if "-" in term for part in term.split("-"))
    yield from figures(sentence)
    yield from written_numbers(sentence)
    yield from _months(sentence)


def _months(text: str) -> Iterator[str]:
    """Yield a value for each month that is named; it has a space, which no stem has."""
    return (f"month {found}" for _, _, word in placed_terms(text) if (found := month(word)))


def _is_day(word: str) -> bool:
    return word.isalpha() and month(word) is None


def _type(entity: Entity) -> str:
    return "name" if entity.kind in NAMES else entity.kind


def _same(one: frozenset[Value], other: frozenset[Value]) -> bool:
    """Return whether mentions are alike: figures are equal, or one name has the words of both."""
    return one <= other or other <= one or (len(one) == len(other) == 1 and _akin(*one, *other))


_DEMONYM = re.compile(r"(?<=\w{4})(?:i?an|ese|ish|i?c)\Z")


def _akin(one: Value, other: Value) -> bool:
    """Return whether a name is of the people of another: Mexican and Mexico."""
    if not isinstance(one, str) or not isinstance(other, str) or one[:4] != other[:4]:
        return False
    return any(
        cut != name and place.startswith(cut)
        for name, place in ((one, other), (other, one))
        for cut in (_DEMONYM.sub("", name),)
    )


def alike(one: Entity, other: Entity) -> bool:
    """Return whether two names or figures may be the same in other forms."""
    return _same(values_of(one), values_of(other)) or _other_form(one, other)


def _other_form(entity: Entity, mention: Entity) -> bool:
    """Return whether a mention abbreviates an entity, spells it out, or is not rounded as it is."""
    if entity.kind in NAMES:
        one, other = entity.text, mention.text
        return _letters(one) in acronyms_of(other) or _letters(other) in acronyms_of(one)
    own, their = (list(figures(text)) for text in (entity.text, mention.text))
    return len(own) == len(their) == 1 and rounds_to(their[0], own[0])


@lru_cache(maxsize=1 << 16)
def _letters(acronym: str) -> str:
    return "".join(filter(str.isupper, acronym))


def _length(values: Collection[Value]) -> int:
    if all(isinstance(value, Decimal) for value in values):
        return max(len(str(value)) for value in values)
    return len(values)


@lru_cache(maxsize=1 << 16)
def acronyms_of(name: str) -> frozenset[str]:
    """Return what a name of several words may be abbreviated to: its capitals, or all initials."""
    words = _LETTERS.findall(name)
    capitals = "".join(word[0] for word in words if word[0].isupper())
    every = "".join(word[0] for word in words).upper()
    return frozenset(letters for letters in (capitals, every) if len(letters) > 1)


def _spells(letters: str, sentence: str) -> bool:
    """Return whether words in a row have these initials; lower-case words may be passed over."""
    initials, content, capitals = _initials(sentence)
    return letters in capitals or (
        any(letters in each.upper() for each in (initials, content))
        and (letters[0] in capitals or len(letters) > _SURE)
    )


@lru_cache(maxsize=1 << 12)
def _initials(sentence: str) -> tuple[str, str, str]:
    """Return those of all words, those of content words, and the capitals among the first."""
    words = _LETTERS.findall(sentence)
    initials = "".join(word[0] for word in words)
    content = "".join(word[0] for word in words if word.lower() not in stop_words())
    return initials, content, "".join(each for each in initials if each.isupper())


_SURE = 2
"""An acronym of more letters may be of words in small letters: gross domestic product."""
_KNOWN = (
    frozenset({"USSR", "Soviet Union", "Soviets"}),
    frozenset({"US", "USA", "United States", "America", "Americans"}),
    frozenset({"UK", "United Kingdom", "Britain", "Great Britain", "British"}),
    frozenset({"EU", "European Union"}),
    frozenset({"UN", "United Nations"}),
)
"""Names that few documents explain."""


def _known_by(name: str) -> set[str]:
    return {min(names) for names in _KNOWN if name in names}


def _known_names(sentence: str) -> set[str]:
    bare = f" {_NO_LETTER.sub(' ', sentence.replace('.', ''))} "
    return {min(names) for names in _KNOWN if any(f" {name} " in bare for name in names)}


_NO_LETTER = re.compile(r"[\W_]+")
