"""Pages without headings: evidence from type, page breaks and layout tables."""

from itertools import count

import pytest

from longsum.documents import Document
from longsum.documents.model import Source
from longsum.documents.readers.html.html import read_html

NAMES = ("north", "south", "east", "west", "shop", "mill", "yard", "fleet", "farm", "mine")
PROSE = [f"The {name} of the company sells more than it did a year before." for name in NAMES]


def page(*blocks: str) -> Document:
    return read_html(f"<html><body>{''.join(blocks)}</body></html>", Source("page.html", "html"))


def text(words: str, style: str = "font-size:10pt;font-weight:400") -> str:
    return f'<div><span style="{style}">{words}</span></div>'


def tree(document: Document) -> list[tuple[int, str]]:
    top = min(section.level for section in document.walk())
    return [(section.level - top, section.title) for section in document.walk()]


LOOKS = {
    "points": ("font-size:14pt;font-weight:700", "font-size:10pt;font-weight:bold"),
    "pixels": ("font-size:20px;font-weight:bold", "font-size:13.33px;font:inherit;font-weight:700"),
    "shares": ("font-size:130%;font-weight:900", "font-style:italic"),
    "capitals": ("font-weight:700;font-variant:small-caps", "text-decoration:underline"),
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_lines_that_are_set_as_headings_make_sections(look: tuple[str, str]) -> None:
    prose, blocks, titles = iter(PROSE), [], []
    for part in ("Who We Are", "What We Risk"):
        blocks += [text(part, look[0]), text(next(prose))]
        titles.append((0, part))
        for topic in (f"{part} at Home", f"{part} Abroad"):
            blocks += [text(topic, look[1]), text(next(prose)), text(next(prose))]
            titles.append((1, topic))
    found = page(*blocks)
    assert tree(found) == titles
    assert [sentence.text for sentence in found.sentences] == PROSE
    # The same words without type have no sections; with marked headings no type is asked.
    plain = page(*(text(words.split(">")[2].split("<")[0]) for words in blocks))
    assert len(tree(plain)) == 1
    marked = page("<h2>One</h2>", *blocks, "<h2>Two</h2>", text(PROSE[0]))
    assert [title for _, title in tree(marked) if title] == ["One", "Two"]


def test_items_of_filings_are_headings_even_if_number_and_title_are_in_cells() -> None:
    items = ["Item 1. Business.", "Item 1A. Risk Factors.", "Item 1B. Comments.", "Item 2. Land."]
    rows = (
        f"<table><tr><td><b>{' '.join(item.split()[:2])}</b></td><td><p><b>"
        f"{' '.join(item.split()[2:])}</b></p></td></tr></table>{text(prose)}"
        for item, prose in zip(items, PROSE, strict=False)
    )
    assert [title for _, title in tree(page(*rows)) if title] == items


def test_a_mark_in_a_cell_opens_the_item_beside_it() -> None:
    rows = (f"<tr><td>{mark}</td><td><p>{PROSE[0]}</p></td></tr>" for mark in ("•", "(1)", "a)"))
    found = page(
        text(PROSE[1]), f"<table>{''.join(rows)}</table>", "<table><tr><td><p>(2)</p></td>"
    )
    said = [(sentence.kind, sentence.text) for sentence in found.sentences]
    assert said[1:4] == [("list_item", PROSE[0])] * 3
    assert said[4][1] == "(2)"
    figures = page(
        f"<table><tr><td><p>—</p></td><td><p>11,353</p></td></tr></table>{text(PROSE[0])}"
    )
    assert [sentence.text for sentence in figures.sentences] == ["—", "11,353", PROSE[0]]
    # Neither has a bullet that floats beside its item, or that style alone sets apart from it.
    for item in (text("•") + text(PROSE[0]), text(f"•{PROSE[0]}")):
        kinds = [(sentence.kind, sentence.text) for sentence in page(item, text("•")).sentences]
        assert kinds == [("list_item", PROSE[0]), ("fragment", "•")]


@pytest.mark.parametrize(
    "turn", ['<hr style="page-break-after:always">', '<div style="break-before: page"></div>']
)
def test_printed_pages_are_joined_without_their_heads_and_numbers(turn: str) -> None:
    whole = " ".join(PROSE)
    words, numbers = whole.split(), count(7)
    cuts = [words[start : start + 31] for start in range(0, len(words), 31)]
    pages = (
        f"{text('Annual Report')}{text(' '.join(cut))}{text(str(next(numbers)))}" for cut in cuts
    )
    found = page(turn.join(pages))
    assert [sentence.text for sentence in found.sentences] == PROSE
    heads = [part.text for part in found.omitted if part.kind == "running head"]
    assert heads[::2] == ["Annual Report"] * len(cuts)
    assert heads[1::2] == [str(number) for number in range(7, 7 + len(cuts))]


def test_headings_that_every_printed_page_repeats_are_none() -> None:
    pages = (
        f"<h5>Table of Contents</h5><p><b>The {name}</b></p><p>{prose}</p>"
        for name, prose in zip(NAMES, PROSE, strict=True)
    )
    found = page(*pages)
    assert [title for _, title in tree(found)] == [f"The {name}" for name in NAMES]
    assert [part.text for part in found.omitted] == ["Table of Contents"] * len(NAMES)
