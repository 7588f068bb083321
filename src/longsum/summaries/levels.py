"""Summaries of summaries: what stands between a long text and the summary of the whole.

Top-down (Pang et al. 2022), §3.4.2: chapters are summarized, and the whole from their summaries.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

from longsum.language.spacing import join_pieces
from longsum.language.words import count_words
from longsum.summaries.formats import escape_markdown
from longsum.summaries.result_file import sentence_to_json
from longsum.summaries.summary import Summary, SummarySentence
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


@dataclass(frozen=True, slots=True, repr=False)
class LeveledSummary(Summary):
    """A summary of summaries.

    Attributes:
        levels: What was summarized on the way, the document's own parts first; none where the
            document was read at once.
    """

    levels: tuple[Level, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as JSON values, its levels beside them under `levels`."""
        # Without arguments, `super` does not find the class that `slots` makes anew.
        return Summary.to_dict(self) | {"levels": levels_to_json(self.levels)}


def with_levels(summary: Summary, levels: Sequence[Level] = (), **changes: Any) -> LeveledSummary:
    """Return a summary with its levels, and with other fields changed."""
    held = {field.name: getattr(summary, field.name) for field in fields(Summary)}
    return LeveledSummary(**{**held, **changes}, levels=tuple(levels))


def levels_to_json(levels: Sequence[Level]) -> list[dict[str, Any]]:
    """Return levels as JSON values, sentences as in the result file."""
    return [
        {
            "level": number,
            "words": level.words,
            "parts": [
                {
                    "title": part.title,
                    "part_words": part.part_words,
                    "budget": part.budget,
                    "words": part.words,
                    "sentences": [sentence_to_json(sentence) for sentence in part.sentences],
                    "warnings": list(part.warnings),
                }
                for part in level.parts
            ],
        }
        for number, level in enumerate(levels, start=1)
    ]


def levels_to_text(levels: Sequence[Level]) -> str:
    """Return levels as text, each part's summary under its title."""
    lines = []
    for heading, level in _headed(levels):
        lines.append(heading)
        for title, text in _texts(level):
            lines.extend([title, f"  {text}"])
    return "\n\n".join(lines) + "\n"


def levels_to_markdown(levels: Sequence[Level]) -> str:
    """Return levels as Markdown, to stand below the summary of the whole."""
    lines = []
    for heading, level in _headed(levels):
        lines.append(f"## {heading}")
        for title, text in _texts(level):
            lines.extend([f"### {escape_markdown(title)}", escape_markdown(text)])
    return "\n\n".join(lines) + "\n"


def _headed(levels: Sequence[Level]) -> Iterator[tuple[str, Level]]:
    for number, level in enumerate(levels, start=1):
        yield f"Level {number}: {len(level.parts):,} parts in {level.words:,} words", level


def _texts(level: Level) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(level.parts, start=1):
        text = join_pieces(sentence.text for sentence in part.sentences)
        yield part.title or f"Part {number}", text or "(nothing)"
