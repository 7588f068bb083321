"""The levels of a long text's summary as text and Markdown."""

from collections.abc import Iterator, Sequence

from longsum.common.wording import counted
from longsum.core.summaries.formats import escape_markdown
from longsum.core.summaries.levels import Level
from longsum.language.broken_words import join_pieces


def levels_to_text(levels: Sequence[Level]) -> str:
    """Return levels as text, each part's summary under its title."""
    lines = []
    for heading, level in _headed(levels):
        lines.append(heading)
        for title, text in _texts(level):
            lines.extend([title, f"  {text}"])
    return "\n\n".join(lines) + "\n"


def levels_to_markdown(levels: Sequence[Level]) -> str:
    """Return levels as Markdown, to follow the summary of the whole."""
    lines = []
    for heading, level in _headed(levels):
        lines.append(f"## {heading}")
        for title, text in _texts(level):
            lines.extend([f"### {escape_markdown(title)}", escape_markdown(text)])
    return "\n\n".join(lines) + "\n"


def _headed(levels: Sequence[Level]) -> Iterator[tuple[str, Level]]:
    for number, level in enumerate(levels, start=1):
        parts, words = counted(len(level.parts), "part"), counted(level.words, "word")
        yield f"Level {number}: {parts} in {words}", level


def _texts(level: Level) -> Iterator[tuple[str, str]]:
    for number, part in enumerate(level.parts, start=1):
        text = join_pieces(sentence.text for sentence in part.sentences)
        yield part.title or f"Part {number}", text or "(nothing)"
