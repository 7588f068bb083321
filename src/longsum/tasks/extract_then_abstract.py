"""Extract, then abstract: a summary is written from sentences that were chosen beforehand.

TLM (Pilault et al. 2020) and the hybrid of SummScreen (Chen et al. 2021) learn from the sentences
that an oracle picks, which reads the reference, and write from those that an extractive system
picks; given the oracle's at test time too, they show what better selection could win.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.datasets.example import Example
from longsum.documents.model import Document
from longsum.documents.subset import subset, top_sections
from longsum.evaluation.oracle import greedy_oracle
from longsum.language.words import count_words
from longsum.tasks.task import Pair

WORDS_OF_A_TOKEN = 2 / 3
"""Words that are chosen for each token that can be read. Subword vocabularies cut scientific prose
into about 1.4 tokens a word; headings take room too, and what does not fit is lost at the end."""


@dataclass(frozen=True, slots=True)
class ExtractThenAbstract:
    """The summary against the sentences that the greedy oracle chooses for it.

    It goes on to choose after the best are found, as long as there is room, for that is how much is
    read at test time.

    Attributes:
        words: The most words that are chosen.
        introduction: Whether the first section is read before them, at most half of the words, as
            TLM does (its variant I + E).
    """

    words: int
    introduction: bool = False

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield the one lesson of an example, none where the oracle finds nothing."""
        document = example.document
        texts = [sentence.text for sentence in document.sentences]
        opening = self._opening(document)
        # The opening is read in any case, so it must not take the oracle's room a second time.
        costs = [0 if at in opening else words for at, words in enumerate(map(count_words, texts))]
        room = self.words - _words(document, opening)
        chosen = greedy_oracle(texts, example.references[:1], costs=costs, capacity=room, fill=True)
        if selected := {*opening, *chosen}:
            yield Pair(subset(document, selected), example.references[0])

    def select(self, document: Document, ranking: Sequence[int]) -> list[int]:
        """Choose sentences at test time.

        Args:
            document: The document.
            ranking: Positions of its sentences as an extractive system would take them, best first.

        Returns:
            Positions in the document's order: the opening, and the best that fit after it. A
            sentence that does not fit is passed over.
        """
        opening = self._opening(document)
        chosen = set(opening)
        room = self.words - _words(document, opening)
        for place in ranking:
            words = count_words(document.sentences[place].text)
            if place not in chosen and words <= room:
                chosen.add(place)
                room -= words
        return sorted(chosen)

    def _opening(self, document: Document) -> range:
        """Return the first section with text, with all below it, as far as half of the words go."""
        if not self.introduction:
            return range(0)
        first = next((places for _, places in top_sections(document) if places), range(0))
        room = self.words / 2
        for place in first:
            room -= count_words(document.sentences[place].text)
            if room < 0:
                return range(place)
        return first


def _words(document: Document, places: range) -> int:
    return sum(count_words(document.sentences[place].text) for place in places)
