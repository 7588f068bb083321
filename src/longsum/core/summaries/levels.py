"""The intermediate summaries between a long text and the summary of the whole.

Top-down (Pang et al. 2022), §3.4.2: chapters are summarized, and the whole from their summaries.
"""

from dataclasses import dataclass

from longsum.common.wording import counted, quote
from longsum.core.summaries.sentence import SummarySentence
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class PartSummary:
    """The summary of one part of a text.

    Attributes:
        title: Heading of the part; for merged parts, the first and the last heading.
        part_words: Number of words in the part.
        budget: Maximum words (or sentences) of its summary; 0 if it is skipped.
        sentences: Its summary; sources and runners-up refer to the whole document, steps and scores
            to the part.
        warnings: The system's warnings about it.
    """

    title: str
    part_words: int
    budget: int
    sentences: tuple[SummarySentence, ...]
    warnings: tuple[str, ...] = ()

    @property
    def words(self) -> int:
        """Number of words in the summary."""
        return sum(count_words(sentence.text) for sentence in self.sentences)

    def __repr__(self) -> str:
        return (
            f"<PartSummary of {quote(self.title)}: {counted(self.words, 'word')} of "
            f"{counted(self.part_words, 'word')}>"
        )


@dataclass(frozen=True, slots=True)
class Level:
    """The summaries of all parts of one text, in order; together the text of the next level."""

    parts: tuple[PartSummary, ...]

    @property
    def words(self) -> int:
        """Number of words in all summaries."""
        return sum(part.words for part in self.parts)

    def __repr__(self) -> str:
        return f"<Level of {counted(len(self.parts), 'part')} in {counted(self.words, 'word')}>"
