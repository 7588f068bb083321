"""Extract, then abstract: a summary is generated from previously selected sentences.

TLM (Pilault et al. 2020) and the hybrid of SummScreen (Chen et al. 2021) are trained on sentences
selected by an oracle, which reads the reference, and generate from those that an extractive system
selects; with the oracle's at test time too, they show what better selection could gain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.documents.model import Document
from longsum.documents.subset import subset, top_sections
from longsum.evaluation.datasets.info import Example
from longsum.evaluation.metrics.oracle import oracle_steps
from longsum.language.words import count_words
from longsum.models.tasks.task import Pair, words_in

WORDS_OF_A_TOKEN = 2 / 3
"""Words to select for each token that can be read. Subword vocabularies split scientific prose into
about 1.4 tokens a word; headings need room too, and the end is truncated."""


@dataclass(frozen=True, slots=True)
class ExtractThenAbstract:
    """Pairs the summary with the sentences that the greedy oracle selects for it.

    The oracle continues after its optimum until the budget is used, since as much is read at test
    time.

    Attributes:
        words: Maximum number of selected words.
        introduction: Whether the first section is read before them, up to half of the words, as in
            TLM (its variant I + E).
    """

    words: int
    introduction: bool = False

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield one training example, or none if the oracle selects nothing."""
        document = example.document
        texts = [sentence.text for sentence in document.sentences]
        opening = self._opening(document)
        # The opening is read in any case, so it must not count against the oracle's budget again.
        costs = [0 if at in opening else words for at, words in enumerate(map(count_words, texts))]
        room = self.words - words_in(document, opening)
        steps = oracle_steps(texts, example.references[:1], costs=costs, capacity=room, fill=True)
        if selected := {*opening, *(step.sentence for step in steps)}:
            yield Pair(subset(document, selected), example.references[0])

    def select(self, document: Document, ranking: Sequence[int]) -> list[int]:
        """Select sentences at test time.

        Args:
            document: The document.
            ranking: Positions of its sentences, ranked by an extractive system, best first.

        Returns:
            Positions in document order: the opening, and the best sentences that fit after it. A
            sentence that does not fit is skipped.
        """
        opening = self._opening(document)
        chosen = set(opening)
        room = self.words - words_in(document, opening)
        for place in ranking:
            words = count_words(document.sentences[place].text)
            if place not in chosen and words <= room:
                chosen.add(place)
                room -= words
        return sorted(chosen)

    def _opening(self, document: Document) -> range:
        """Return the first section with text, truncated to half of the words."""
        if not self.introduction:
            return range(0)
        first = next((places for _, places in top_sections(document) if places), range(0))
        room = self.words / 2
        for place in first:
            room -= count_words(document.sentences[place].text)
            if room < 0:
                return range(place)
        return first
