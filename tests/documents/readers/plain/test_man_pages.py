from collections.abc import Callable

import pytest

from longsum.documents import Document, Source
from longsum.documents.readers.plain.text import read_text

_PAGE = """\
TAR(1)                            User Commands                           TAR(1)

NAME
       tar - an archiving util\u2010
       ity

ENVIRONMENT
       TAR_OPTIONS
              Options that are set before all others, as if
              they had been given first.

DESCRIPTION
       It keeps files together.

   Return value
       It returns zero (see tar(5)) to
       whoever called it.

   Not one as nothing is below

BUGS

       None is known.

GNU tar 1.34                       May 2023                               TAR(1)
"""


def _read(text: str) -> Document:
    return read_text(text, Source("a.txt"))


def _outline(document: Document) -> list[tuple[int, str]]:
    return [(section.level, section.title) for section in document.walk()]


@pytest.mark.parametrize("opening", ["", "\n\n", " \n\t\n"])
def test_a_manual_page(check_document: Callable[[Document], None], opening: str) -> None:
    document = _read(opening + _PAGE)
    check_document(document)
    assert document.title == "TAR(1)"
    assert _outline(document) == [
        (1, "NAME"),
        (1, "ENVIRONMENT"),
        (1, "DESCRIPTION"),
        (2, "Return value"),
        (1, "BUGS"),
    ]
    texts = [sentence.text for sentence in document.sentences]
    assert texts[0] == "tar - an archiving utility"
    assert texts[1].startswith("TAR_OPTIONS: Options that are set")
    assert "It returns zero (see tar(5)) to whoever called it." in texts
    assert "2 running heads (" in document.warnings[0]


def test_headings_of_a_manual_page_in_any_language() -> None:
    page = _PAGE.replace("NAME", "名前").replace("BUGS", "Fehler")
    assert {(1, "名前"), (1, "Fehler")} <= set(_outline(_read(page)))


def test_in_other_texts_only_capitals_over_indented_lines_are_headings() -> None:
    text = (
        "An opening.\n\nSCOPE\n    What it is about.\n\nHe said\n    this much.\n\n"
        "1. First\n   item here.\n"
    )
    document = _read(text)
    assert _outline(document) == [(1, ""), (1, "SCOPE")]
    assert document.warnings == ()
    assert len(document.sentences) == 4


@pytest.mark.parametrize(
    "text",
    [
        "    SCOPE\n        What it is about.",
        "SCOPE AND\nAIM OF IT.",
        "UN\n    What it is about.",
    ],
)
def test_what_is_no_heading_over_indented_lines(text: str) -> None:
    assert _outline(_read(f"An opening.\n\n{text}")) == [(1, "")]
