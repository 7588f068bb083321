"""What tests of readers look at in a document, and what they take."""

from collections.abc import Callable

from longsum.common.errors import LongsumError
from longsum.documents import Document

CheckDocument = Callable[[Document], None]
MakePdf = Callable[..., bytes]


def outline(document: Document) -> list[tuple[int, str]]:
    """Return the level and the title of every section."""
    return [(section.level, section.title) for section in document.walk()]


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
