"""Makes documents of sections, and gives the views of documents that tests of readers compare."""

from collections.abc import Callable, Iterable
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder, Source

CheckDocument = Callable[[Document], None]


def document_of(
    *blocks: str | list[str] | tuple[Any, ...],
    title: str | None = None,
    source: Source = Source(),  # noqa: B008
) -> Document:
    """Make a document of blocks.

    `"# Title"` is a heading, and any other text a paragraph; a list is a paragraph of sentences,
    which are not split further, and a tuple blocks that follow each other.
    """
    builder = DocumentBuilder()
    _add(builder, blocks)
    return builder.build(title, source)


def _add(builder: DocumentBuilder, blocks: Iterable[Any]) -> None:
    for block in blocks:
        if isinstance(block, tuple):
            _add(builder, block)
        elif isinstance(block, list):
            builder.sentences(block)
        elif block.startswith("#"):
            marks, _, heading = block.partition(" ")
            builder.heading(len(marks), heading)
        else:
            builder.paragraph(block)


def outline(document: Document) -> list[tuple[int, str]]:
    """Return the level and the title of every section."""
    return [(section.level, section.title) for section in document.walk()]


def sentences(document: Document) -> list[str]:
    """Return the text of every sentence."""
    return [sentence.text for sentence in document.sentences]


def texts(document: Document) -> list[str]:
    """Return the text of every paragraph."""
    return [" ".join(s.text for s in paragraph) for paragraph in document.paragraphs]


def build_tree(ranks: list[int]) -> Document:
    """Make a document from heading ranks, with a sentence in every section."""
    builder = DocumentBuilder()
    for number, rank in enumerate(ranks):
        builder.heading(rank, f"Heading {number}")
        builder.paragraph(f"Sentence of section {number}.")
    return builder.build("")


def check_or_refused(check: CheckDocument, read: Callable[[], Document]) -> None:
    """Assert that what is read is a valid document, or refused."""
    try:
        document = read()
    except LongsumError:
        return
    check(document)
