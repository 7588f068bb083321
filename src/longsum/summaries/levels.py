"""Summaries of summaries: what stands between a long text and the summary of the whole.

Top-down (Pang et al. 2022), §3.4.2: chapters are summarized, and the whole from their summaries.
"""

from dataclasses import dataclass

from longsum.language.words import count_words
from longsum.summaries.sentence import SummarySentence
from longsum.wording import counted, quote


@dataclass(frozen=True, slots=True)
class PartSummary:
    """The summary of one part of a text.

    Attributes:
        title: Heading of the part; of several that were joined, the first and the last.
        part_words: Words of the part.
        budget: Words (or sentences) that its summary may hold; 0 where it was given none.
        sentences: Its summary; sources and runners-up are those of the whole document, steps and
            scores those of the part.
        warnings: What the system had to say of it.
    """

    title: str
    part_words: int
    budget: int
    sentences: tuple[SummarySentence, ...]
    warnings: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """Words of the summary."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    def __repr__(self) -> str:
        return (
            f"<PartSummary of {quote(self.title)}: {counted(self.words, 'word')} of "
            f"{counted(self.part_words, 'word')}>"
        )


@dataclass(frozen=True, slots=True)
class Level:
    """The summaries of all parts of one text, in its order; together the text of the next level."""

    parts: tuple[PartSummary, ...]

    @property
    def words(self) -> int:
        """Words of all summaries."""
        return sum(part.words for part in self.parts)

    def __repr__(self) -> str:
        return f"<Level of {counted(len(self.parts), 'part')} in {counted(self.words, 'word')}>"
