"""Paragraphs that are set off without styles, and the evidence for headings."""

import pytest

from longsum.documents.readers.structure.heading_candidates import PRIOR
from longsum.documents.readers.structure.heading_inference import (
    PLAIN,
    Block,
    Type,
    _is_set_off,
    _is_text,
    _Judge,
    _usual,
    infer_headings,
    joint_type,
)
from tables import rows

CHAPTER, SECTION, ITALIC = Type(16, bold=True), Type(14, bold=True), Type(italic=True)
BOLD = Type(bold=True)
LINES = [
    *(("An Aside", ITALIC), ("Rivers", CHAPTER), ("Dams of old", SECTION), ("Locks", ITALIC)),
    *(("Roads", CHAPTER), ("Paths of old", SECTION), ("Gates", ITALIC)),
]
SAID = "The river feeds the fields of the valley, and the town lives of what grows on them."


def block(text: str, own: Type = PLAIN, **more) -> Block:
    place = {"centred": False, "spaced": False, "listed": None}
    return Block(text, text, own, **place | {"apart": False, "level": None} | more)


def test_a_line_without_a_possible_level_is_not_a_heading() -> None:
    blocks = [
        block(text, own, spaced=True)
        for line in LINES
        for text, own in ((SAID, Type()), line, (SAID, Type()))
    ]
    found = infer_headings(blocks)
    # What is set in italics stands two levels below a chapter, and the first heading at the top.
    levels = {name: each.level for name, each in found.headings.items()}
    assert levels == dict(zip([name for name, _ in LINES[1:]], [0, 1, 2] * 2, strict=True))


def test_lines_before_the_text_that_look_alike_are_no_headings_for_it() -> None:
    lines = [block(text, Type(11, bold=True)) for text in ("Ann Berg", "Bergen", "Rivers")]
    assert not infer_headings([*lines, *[block(SAID)] * 9]).headings


def judged(
    own: Block, before: Block | None, after: Block | None, usual: Type = PLAIN
) -> dict[str, float] | None:
    """Return the evidence for a paragraph between two others, without the prior."""
    blocks = [each for each in (before, own, after) if each is not None]
    for each in blocks:
        each.is_set_off = _is_set_off(each, usual)
        each.is_text = _is_text(each)
    texts = [place for place, each in enumerate(blocks) if each.is_text]
    found = _Judge(blocks, texts, blocks.index(own), usual).candidate()
    if found is None:
        return None
    signs = {sign.text: round(sign.weight, 3) for sign in found.signs}
    assert len(signs) == len(found.signs)
    assert signs.pop(PRIOR) == -2.8
    return signs


ITEM = ("1", "0")


@pytest.mark.parametrize(("text", "own", "more", "signs"), rows(__file__, "signs_of_type"))
def test_signs_of_type(text, own, more, signs) -> None:
    if signs is not None:
        signs = signs | {"text follows": 1.2}
        if "set as the text" not in signs:
            signs["alone after text"] = 0.8
    assert judged(block(text, Type(**own), **more), block(SAID), block(SAID)) == signs


ALONE, NEXT = {"alone after text": 0.8}, {"text follows": 1.2}
ITEMS = {"among items": -2.5}


@pytest.mark.parametrize(
    ("listed", "before", "after", "signs"),
    [
        (None, None, block(SAID), NEXT | {"alone at the beginning": 0.8}),
        (None, block(SAID), None, ALONE | {"nothing follows": -2.0}),
        (None, block(SAID), block("It"), ALONE | {"no text follows": -1.0, "no text below": -0.5}),
        (None, block(SAID), block("Dams", BOLD), ALONE | {"no text below": -0.5}),
        (None, block(SAID), block("Dams", apart=True), ALONE | {"no text below": -0.5}),
        (None, block("Dams", listed=ITEM), block(SAID), NEXT),
        (ITEM, block("Dams", listed=ITEM), block(SAID), ITEMS | NEXT),
        (ITEM, block(SAID), block("Dams", listed=ITEM), ALONE | ITEMS | {"no text below": -0.5}),
    ],
)
def test_signs_from_the_surroundings(listed, before, after, signs) -> None:
    own = block("Rivers", BOLD, listed=listed, spaced=before is None)
    assert judged(own, before, after) == {"bold": 2.2} | signs


def test_lines_that_read_like_text() -> None:
    read = {60 * "x": True, 59 * "x": False, "It is:": True, "It is.": True}
    assert {text: _is_text(block(text)) for text in read} == read
    assert not _is_text(block("It is.", level=1))
    assert not _is_text(block("It is.", apart=True))


def test_the_type_of_a_paragraph_and_of_a_text() -> None:
    assert joint_type([]) is joint_type([("...", BOLD)]) is None
    runs = [("abc", Type(12, bold=True, italic=True)), ("ab", Type(9, bold=True)), ("....", PLAIN)]
    assert joint_type(runs) == Type(12, bold=True)
    assert _usual([]) == PLAIN
    blocks = [block("abc", BOLD), block("abcd", CHAPTER), block(9 * "x", SECTION, apart=True)]
    assert _usual(blocks) == CHAPTER


@pytest.mark.parametrize(
    ("size", "lines", "later", "titled"),
    [(23, 1, 20, True), (22.9, 1, 20, False), (24, 4, 23, True), (24, 5, 20, False),
     (24, 1, 24, False)],
)  # fmt: skip
def test_the_title_is_larger_than_text_and_headings(size, lines, later, titled) -> None:
    title = [block(f"Of Rivers {letter}", Type(size)) for letter in "ABCDE"[:lines]]
    text = block(SAID, Type(20))
    headings = [block("Dams", Type(later, bold=True)), block("Gates", Type(20, bold=True))]
    blocks = [*title, text, headings[0], text, headings[1], *[text] * 9]
    found = infer_headings(blocks)
    assert list(found.title) == ([each.text for each in title] if titled else [])
    assert {"Dams", "Gates"} <= set(found.headings)
