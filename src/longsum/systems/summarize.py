"""The library's front door."""

from typing import TYPE_CHECKING

from longsum.documents.model import Document
from longsum.summaries import Budget, Summary
from longsum.systems.registry import DEFAULT, load_system

if TYPE_CHECKING:
    from longsum.systems.summarizer import Summarizer


def summarize(
    document: Document,
    length: str | Budget = "medium",
    system: "str | Summarizer" = DEFAULT,
    *,
    focus: str | None = None,
    seed: int = 0,
) -> Summary:
    """Summarize a document.

    Args:
        document: What to summarize; `longsum.read` makes one from a file.
        length: The most the summary may hold: words (`250w`), sentences (`12s`), a share of the
            document's words (`8%`), or `short`, `medium`, `long` (100, 250, 600 words).
        system: A system's name, the folder of a model, or a system.
        focus: What the reader wants to know of, in free words.
        seed: Seed of whatever is random; the same input and seed give the same summary.

    Returns:
        The summary with the sources of each sentence and the reasons for it.

    Raises:
        LongsumError: The length or the system's name cannot be understood, or the system takes no
            focus.

    Example:
        >>> import longsum
        >>> document = longsum.read("examples/crypto-mining.md")
        >>> summary = longsum.summarize(document, length="60w")
        >>> summary.words <= 60
        True
        >>> source = summary.sentences[0].sources[0]
        >>> document.text[source.start : source.end] == summary.sentences[0].text
        True
    """
    chosen = load_system(system) if isinstance(system, str) else system
    return chosen.summarize(document, Budget.parse(length), focus=focus, seed=seed)
