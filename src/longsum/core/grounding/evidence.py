"""Evidence in a document for names, figures and words.

A name or figure that was swapped for another from the same document still occurs there, but in
another context: a sentence that says the rest has a different name or figure in its place. How much
of the rest a sentence says is measured by shared words, weighted by their rarity in the document,
in three contexts: the whole sentence, the `WINDOW` content words on either side, and the adjacent
words.
"""

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
# reference sentences of training splits, half of which are corrupted; the threshold gives 90 %
# precision there. `python benchmarks/faithfulness.py fit` prints these numbers.


@dataclass(frozen=True, slots=True)
class Swaps:
    """A rule that detects swapped names or figures.

    Attributes:
        weights: The bias, then the weight of each of `FEATURES`.
        threshold: Probability from which it counts as a swap; in (0, 1).
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


NAMES: frozenset[EntityKind] = frozenset({"name", "acronym"})
"""The kinds of entities that are compared by their words; others are compared by their figures."""

Value = Decimal | str

_FEWEST = 6
"""Fewest sentences that rarity is computed for: with two, the words of one of them would hardly
weigh anything, and a word that neither has more than twice as much."""
_LARGEST_EXPONENT = 700.0
"""Beyond this, a double overflows; the probability is 0 long before."""
_BOUND = re.compile(
    r"(?<!\w)(?:(more than|over|above|at least|exceeding|exceeded|exceeds)"
    r"|nearly|almost|under|less than|fewer than|below|close to|up to)\s*+[$€£]?\Z"
)
_BOUND_WORDS = 20
"""Characters before a figure in which a bound is searched for."""
_BEYOND = Decimal("1.25")
"""A bound covers figures that are up to a quarter larger, or a fifth smaller."""
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Support:
    """How well a document supports a name or figure, compared with the best rival of its type.

    Shares refer to the weight of the claim's other words, in [0, 1].

    Attributes:
        said: Share of the claim's other words in the best sentence that has the entity.
        near: The same, including the neighbours of such a sentence.
        rival: Share in the best sentence that has another entity of its type in its place.
        best: Share in the best sentence of all.
        around: Share of the words around the entity that are around it in the document.
        rival_around: Share that is around another entity of its type.
        adjacent: Weight of the adjacent words and marks that it also has in the document.
        rival_adjacent: The same for another entity of its type.
        mentions: Logarithm of one plus the number of sentences that have the entity.
        words: Logarithm of one plus the number of the claim's other words.
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
        """Return the features that `swap_probability` weighs."""
        return astuple(self)[: len(FEATURES)]


FEATURES = (
    *("said", "near", "rival", "best", "around", "rival_around", "adjacent", "rival_adjacent"),
    *("mentions", "words", "length"),
)
"""The weighed fields of `Support`, in order."""


class Evidence:
    """An index of a document's sentences by their words, figures, names and units."""

    def __init__(self, sentences: Sequence[str]) -> None:
        self.sentences = sentences
        self._count = len(sentences)
        self._with: dict[Value, set[int]] = defaultdict(set)
        mentions: dict[str, list[tuple[Entity, int, Company]]] = defaultdict(list)
        for place, sentence in enumerate(sentences):
            text = StemmedText.of(sentence)
            for value in _values_in(sentence, text):
                self._with[value].add(place)
            for entity in entities(sentence):
                company = text.company(entity.start, entity.end)
                mentions[_type(entity)].append((entity, place, company))
        self._mentions = {kind: Mentions(of_kind) for kind, of_kind in mentions.items()}

    def has(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether the cited sentences together have all words or figures of an entity."""
        return all(
            not self._with.get(value, set()).isdisjoint(cited) for value in values_of(entity)
        )

    def reworded(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether the cited sentences have an entity in another form.

        An acronym is present if consecutive words have its initials, a name if its acronym is
        present, and a figure if it is a rounded form of a figure there.
        """
        return self._abbreviated(entity, cited) or self._rounded(entity, cited)

    def _abbreviated(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether the words of an acronym occur, or the acronym of a name."""
        name = entity.text.replace(".", "")
        synonyms = {min(names) for names in _SYNONYMS if name in names}
        if synonyms and any(synonyms & _synonyms_in(self.sentences[place]) for place in cited):
            return True
        letters = _letters(entity.text) if entity.kind == "acronym" else ""
        if len(letters) > 1:
            return any(_spells(letters, self.sentences[place]) for place in cited)
        if entity.kind != "name":
            return False
        acronyms = {acronym.casefold() for acronym in acronyms_of(entity.text)}
        return any(
            not self._with.get(stem(acronym), set()).isdisjoint(cited)
            or any(".".join(acronym.upper()) + "." in self.sentences[place] for place in cited)
            for acronym in acronyms
        )

    def _rounded(self, entity: Entity, cited: Collection[int]) -> bool:
        """Return whether a figure occurs that rounds to the entity's: 984 for 1,000."""
        values = [*figures(entity.text)]
        if entity.kind in NAMES or entity.kind == "date" or len(values) != 1:
            return False
        return any(
            rounds_to(other, values[0])
            for place in cited
            for other in (*figures(self.sentences[place]), *written_numbers(self.sentences[place]))
        )

    def within(self, entity: Entity, before: str, cited: Collection[int]) -> bool:
        """Return whether a figure occurs that a bound covers: 226 for `well over 200`.

        Args:
            entity: A figure of a claim, which may be a bound.
            before: The claim up to the figure, whose end says which kind of bound it is.
            cited: Positions of the sentences.
        """
        bound = _BOUND.search(before[-_BOUND_WORDS:])
        values = [*figures(entity.text)]
        if bound is None or entity.kind in NAMES or entity.kind == "date" or len(values) != 1:
            return False
        low, high = (1, _BEYOND) if bound[1] else (1 / _BEYOND, 1)
        return any(
            values[0] * low <= other <= values[0] * high
            for place in cited
            for other in figures(self.sentences[place])
        )

    def share(self, words: Collection[str], cited: Collection[int]) -> float:
        """Return the share of stems that the cited sentences have; 1 if there are no stems."""
        if not words:
            return 1.0
        count = sum(not self._with.get(word, set()).isdisjoint(cited) for word in words)
        return count / len(words)

    def places(self, entity: Entity) -> set[int]:
        """Return the positions of the sentences that have all words or figures of an entity."""
        positions = [self._with.get(value, set()) for value in values_of(entity)]
        return set.intersection(*positions)

    def closest(self, claim: str, most: int) -> list[tuple[int, float]]:
        """Return the `most` sentences that share most of a claim's weight, best first.

        They are pairs of a position and a share.
        """
        shares = self._shares(StemmedText.of(claim).words())
        best = np.argsort(-shares, kind="stable")[:most]
        return [(place, float(shares[place])) for place in best.tolist() if shares[place]]

    def support(self, claim: str, entity: Entity) -> Support:
        """Return how well the document supports an entity of a claim, given the words around it."""
        text, places = StemmedText.of(claim), sorted(self.places(entity))
        inside = range(bisect_left(text.starts, entity.start), bisect_left(text.starts, entity.end))
        others = text.words(inside)
        shares = self._shares(others)
        beside = np.pad(shares, 1)
        near = np.max([shares, beside[2:], beside[:-2]], axis=0)
        company = text.company(entity.start, entity.end)
        elsewhere = shares.copy()
        elsewhere[places] = 0.0
        weights = {word: self._weight(word) for word in company.around}
        mentions, rivals = self._mentions.get(_type(entity), _NONE).best(
            partial(alike, entity), company, weights, elsewhere
        )
        return Support(
            said=float(shares[places].max()) if places else 0.0,
            near=float(near[places].max()) if places else 0.0,
            rival=rivals.said,
            best=float(shares.max(initial=0.0)),
            around=mentions.around,
            rival_around=rivals.around,
            adjacent=mentions.adjacent,
            rival_adjacent=rivals.adjacent,
            mentions=log1p(len(places)),
            words=log1p(len(others)),
            length=_length(values_of(entity)) / 6,
            place=places[int(shares[places].argmax())] if places else -1,
            rival_place=rivals.place,
            rival_text=rivals.text,
        )

    def _shares(self, words: Collection[str]) -> Array:
        """Return the share of the weight of words that each sentence has, `[n]`."""
        totals = np.zeros(self._count)
        weights = {word: self._weight(word) for word in words}
        for word, weight in weights.items():
            totals[list(self._with.get(word, ()))] += weight
        shares: Array = totals / (sum(weights.values()) or 1.0)
        return shares

    def _weight(self, word: str) -> float:
        return log((max(self._count, _FEWEST) + 1) / (len(self._with.get(word, ())) + 0.5))


_NONE = Mentions([])


@lru_cache(maxsize=1 << 16)
def values_of(entity: Entity) -> frozenset[Value]:
    """Return the values by which an entity is recognised.

    For a name, they are the stems of its words; for a number, its figures; for a date, its figures,
    month and words.
    """
    if entity.kind in NAMES:
        return frozenset(StemmedText.of(entity.text).words()) or frozenset([entity.text])
    values: set[Value] = set(figures(entity.text))
    if entity.kind == "date":
        values.update(_months(entity.text))
        words = StemmedText.of(entity.text).words()
        values.update(word for word in words if word.isalpha() and month(word) is None)
    return frozenset(values) or frozenset([entity.text])


def swap_probability(support: Support, weights: Sequence[float]) -> float:
    """Return the logistic of a bias and weights of the features: `weights[0]`, then `FEATURES`."""
    bias, *rest = weights
    score = bias + sum(w * x for w, x in zip(rest, support.features, strict=True))
    return 1 / (1 + exp(min(-score, _LARGEST_EXPONENT)))


def _values_in(sentence: str, text: StemmedText) -> Iterator[Value]:
    """Yield all values by which entities of a sentence may be recognised."""
    yield from text.words()
    yield from (stem(part) for term in text.terms if "-" in term for part in term.split("-"))
    yield from figures(sentence)
    yield from written_numbers(sentence)
    yield from _months(sentence)


def _months(text: str) -> Iterator[str]:
    """Yield a value for each month that a text names; it contains a space, unlike any stem."""
    return (f"month {number}" for _, _, word in placed_terms(text) if (number := month(word)))


def _type(entity: Entity) -> str:
    return "name" if entity.kind in NAMES else entity.kind


_DEMONYM = re.compile(r"(?<=\w{4})(?:i?an|ese|ish|i?c)\Z")


def _akin(one: Value, other: Value) -> bool:
    """Return whether one name is the demonym of the other: Mexican and Mexico."""
    if not isinstance(one, str) or not isinstance(other, str) or one[:4] != other[:4]:
        return False
    return any(
        cut != name and place.startswith(cut)
        for name, place in ((one, other), (other, one))
        for cut in (_DEMONYM.sub("", name),)
    )


def alike(one: Entity, other: Entity) -> bool:
    """Return whether two names or figures may be forms of the same name or figure.

    The values of one include the other's, one is a demonym, or as `_other_form`.
    """
    ours, theirs = values_of(one), values_of(other)
    if ours <= theirs or theirs <= ours or _other_form(one, other):
        return True
    return len(ours) == len(theirs) == 1 and _akin(*ours, *theirs)


def _other_form(entity: Entity, mention: Entity) -> bool:
    """Return whether a mention abbreviates an entity, spells it out, or is its unrounded form."""
    if entity.kind in NAMES:
        one, other = entity.text, mention.text
        return _letters(one) in acronyms_of(other) or _letters(other) in acronyms_of(one)
    ours, theirs = (list(figures(text)) for text in (entity.text, mention.text))
    return len(ours) == len(theirs) == 1 and rounds_to(theirs[0], ours[0])


@lru_cache(maxsize=1 << 16)
def _letters(acronym: str) -> str:
    return "".join(filter(str.isupper, acronym))


def _length(values: Collection[Value]) -> int:
    if all(isinstance(value, Decimal) for value in values):
        return max(len(str(value)) for value in values)
    return len(values)


@lru_cache(maxsize=1 << 16)
def acronyms_of(name: str) -> frozenset[str]:
    """Return possible abbreviations of a name of several words: its capitals, or all initials."""
    words = _LETTERS.findall(name)
    capitals = "".join(word[0] for word in words if word[0].isupper())
    initials = "".join(word[0] for word in words).upper()
    return frozenset(letters for letters in (capitals, initials) if len(letters) > 1)


def _spells(letters: str, sentence: str) -> bool:
    """Return whether consecutive words have these initials; lower-case words may be skipped."""
    initials, content, capitals = _initials(sentence)
    return letters in capitals or (
        any(letters in sequence.upper() for sequence in (initials, content))
        and (letters[0] in capitals or len(letters) > _SURE)
    )


@lru_cache(maxsize=1 << 12)
def _initials(sentence: str) -> tuple[str, str, str]:
    """Return the initials of all words, those of content words, and the capitals of all words."""
    words = _LETTERS.findall(sentence)
    initials = "".join(word[0] for word in words)
    content = "".join(word[0] for word in words if word.lower() not in stop_words())
    return initials, content, "".join(filter(str.isupper, initials))


_SURE = 2
"""An acronym of more letters may stand for lower-case words: gross domestic product."""
_SYNONYMS = (
    frozenset({"USSR", "Soviet Union", "Soviets"}),
    frozenset({"US", "USA", "United States", "America", "Americans"}),
    frozenset({"UK", "United Kingdom", "Britain", "Great Britain", "British"}),
    frozenset({"EU", "European Union"}),
    frozenset({"UN", "United Nations"}),
)
"""Names with short forms that few documents explain."""


def _synonyms_in(sentence: str) -> set[str]:
    """Return a key for each group of synonyms that a sentence has a name of."""
    bare = f" {_NO_LETTER.sub(' ', sentence.replace('.', ''))} "
    return {min(names) for names in _SYNONYMS if any(f" {name} " in bare for name in names)}


_NO_LETTER = re.compile(r"[\W_]+")
