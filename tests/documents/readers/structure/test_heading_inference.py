from longsum.documents.readers.structure.heading_inference import Block, Type, infer_headings

CHAPTER, SECTION, ITALIC = Type(16, bold=True), Type(14, bold=True), Type(italic=True)
LINES = [
    *(("An Aside", ITALIC), ("Rivers", CHAPTER), ("Dams of old", SECTION), ("Locks", ITALIC)),
    *(("Roads", CHAPTER), ("Paths of old", SECTION), ("Gates", ITALIC)),
]


def test_what_has_no_level_where_it_stands_is_no_heading() -> None:
    said = "The river feeds the fields of the valley, and the town lives of what grows on them."
    blocks = [
        Block(text, text, own, centred=False, spaced=True, listed=None, apart=False, level=None)
        for line in LINES
        for text, own in ((said, Type()), line, (said, Type()))
    ]
    found = infer_headings(blocks)
    # What is set in italics stands two levels below a chapter, and the first heading at the top.
    levels = {name: each.level for name, each in found.headings.items()}
    assert levels == dict(zip([name for name, _ in LINES[1:]], [0, 1, 2] * 2, strict=True))
