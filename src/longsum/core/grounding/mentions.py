"""The names or figures that a document mentions, compared with one of a claim all at once."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Array, Mask, Places
from longsum.core.grounding.stemmed_text import ADJOINING, Company
from longsum.language.entities import Entity


@dataclass(frozen=True, slots=True)
class Best:
    """The best of several mentions by each measure, and by the sum of the measures.

    Attributes:
        around: Share of the words around the claim's entity that are around a mention.
        adjacent: Weight of the adjacent words and marks that are the same.
        said: Share of the claim's other words in the sentence of a mention.
        place: Position of the sentence with the mention that is best by the sum; −1 if there is
            none.
        text: That mention.
    """

    around: float = 0.0
    adjacent: float = 0.0
    said: float = 0.0
    place: int = -1
    text: str = ""


class Mentions:
    """The mentions of one type in a document, in order."""

    def __init__(self, mentions: Sequence[tuple[Entity, int, Company]]) -> None:
        """Index them.

        Args:
            mentions: Each mention, the position of its sentence, and its company there.
        """
        self._forms = {entity.text: entity for entity, _, _ in reversed(mentions)}
        numbers = {text: number for number, text in enumerate(self._forms)}
        self._form = np.array([numbers[entity.text] for entity, _, _ in mentions], dtype=np.int64)
        self._texts = list(self._forms)
        self._sentences = np.array([place for _, place, _ in mentions], dtype=np.int64)
        self._around: dict[str, list[int]] = defaultdict(list)
        self._adjacent: list[dict[str, list[int]]] = [defaultdict(list) for _ in ADJOINING]
        for at, (_, _, company) in enumerate(mentions):
            for word in company.around:
                self._around[word].append(at)
            for places, neighbour in zip(self._adjacent, company.adjacent, strict=True):
                places[neighbour].append(at)

    def best(
        self,
        alike: Callable[[Entity], bool],
        company: Company,
        weights: Mapping[str, float],
        said: Array,
    ) -> tuple[Best, Best]:
        """Return the best of the mentions that match an entity of a claim, and of the others.

        Args:
            alike: Whether a mention matches.
            company: The context of the entity in the claim.
            weights: The weight of each word around it.
            said: Share of the rest of the claim that each sentence of the document has, `[n]`.
        """
        around, adjacent = np.zeros(len(self._form)), np.zeros(len(self._form))
        for word, weight in weights.items():
            around[self._around.get(word, [])] += weight
        around /= sum(weights.values()) or 1.0
        neighbours = zip(self._adjacent, company.adjacent, ADJOINING, strict=True)
        for places, neighbour, weight in neighbours:
            adjacent[places.get(neighbour, [])] += weight
        adjacent /= sum(ADJOINING)
        matches: Mask = np.array([alike(form) for form in self._forms.values()], dtype=bool)
        matching: Mask = matches[self._form]
        measures = around, adjacent, said[self._sentences]
        return (
            self._best(np.flatnonzero(matching), measures),
            self._best(np.flatnonzero(~matching), measures),
        )

    def _best(self, places: Places, measures: tuple[Array, Array, Array]) -> Best:
        if not len(places):
            return Best()
        around, adjacent, said = (measure[places] for measure in measures)
        top = places[int(np.argmax(around + adjacent + said))]
        return Best(
            float(around.max()),
            float(adjacent.max()),
            float(said.max()),
            int(self._sentences[top]),
            self._texts[self._form[top]],
        )
