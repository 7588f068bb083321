"""Documents of sections, and what tests of readers look at in a document."""

from collections.abc import Callable, Iterable

from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder

CheckDocument = Callable[[Document], None]
MakePdf = Callable[..., bytes]


def sectioned(*sections: tuple[str, Iterable[str]]) -> Document:
    """Make a document of titles and their sentences."""
    builder = DocumentBuilder()
    for title, sentences in sections:
        builder.heading(1, title)
        builder.sentences(sentences)
    return builder.build()


def outline(document: Document) -> list[tuple[int, str]]:
    """Return the level and the title of every section."""
    return [(section.level, section.title) for section in document.walk()]


def sentences(document: Document) -> list[str]:
    """Return the text of every sentence."""
    return [sentence.text for sentence in document.sentences]


def texts(document: Document) -> list[str]:
    """Return the text of every paragraph."""
    return [" ".join(s.text for s in paragraph) for paragraph in document.paragraphs]


def check_or_refused(check: CheckDocument, read: Callable[[], Document]) -> None:
    """Assert that what is read is a valid document, or refused."""
    try:
        document = read()
    except LongsumError:
        return
    check(document)
