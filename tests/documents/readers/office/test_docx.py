import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_views import CheckDocument, outline, texts
from effort import examples
from linear_time import assert_linear
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.documents.readers import read_bytes
from tables import rows
from word_files import paragraph, runs, word_file

_TEXT = paragraph("The river rises in the hills and flows for a hundred miles.")


def _read(body: str, **parts: str) -> Document:
    return read_bytes(word_file(body, **parts), "a.docx")


def _field(instruction: str, result: str) -> str:
    def mark(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    return (
        f"{mark('begin')}<w:r><w:instrText>{instruction}</w:instrText></w:r>{mark('separate')}"
        f"<w:r><w:t>{result}</w:t></w:r>{mark('end')}"
    )


def test_titles_in_several_places_are_chapters() -> None:
    document = _read((paragraph("Part", "Titel") + _TEXT) * 2)
    assert (document.title, outline(document)) == ("", [(1, "Part"), (1, "Part")])


def test_a_table_that_lays_out_the_page_is_text() -> None:
    cell = f"<w:tbl><w:tr><w:tc>{_TEXT}</w:tc></w:tr></w:tbl>"
    assert len(texts(_read(cell))) == 1
    head = f"<w:tbl><w:tr><w:tc>{paragraph('A', 'berschrift1')}{_TEXT}</w:tc><w:tc/></w:tr></w:tbl>"
    assert len(texts(_read(_TEXT + head))) == 2


@pytest.mark.parametrize("headed", [False, True])
def test_text_under_a_row_of_heads_is_a_table_whose_prose_is_kept(headed: bool) -> None:
    said = "The river rises in the hills and flows on. It ends in a lake of the plain."
    rows = "".join(
        f"<w:tr>{mark}<w:tc>{paragraph(first)}</w:tc><w:tc>{paragraph(second)}</w:tc></w:tr>"
        for mark, first, second in (
            ("<w:trPr><w:tblHeader/></w:trPr>" * headed, "Name", "Course"),
            ("", "Elbe", said),
        )
    )
    document = _read(f"{_TEXT}<w:tbl>{rows}</w:tbl>")
    assert [part.text for part in document.omitted] == ["Name\tCourse\nElbe"] * headed
    assert said in document.text


def test_pages_are_those_that_word_has_noted() -> None:
    turned = runs("<w:r><w:lastRenderedPageBreak/><w:t>After the page.</w:t></w:r>")
    assert [s.page for s in _read(_TEXT + turned + _TEXT).sentences] == [1, 2, 2]
    assert [s.page for s in _read(_TEXT).sentences] == [None]
    # One break in a long text was left over from an earlier version.
    assert {s.page for s in _read(_TEXT * 300 + turned).sentences} == {None}


def test_a_part_that_is_listed_twice_is_refused() -> None:
    buffer = io.BytesIO(word_file(_TEXT))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("word/document.xml", "<other/>")
    with pytest.raises(LongsumError, match=r"contains 'word/document\.xml' twice"):
        read_bytes(buffer.getvalue(), "a.docx")


@pytest.mark.parametrize("body", ["<w:p>", "<a>" * 400, "&lol;", "<w:tbl><w:tr/></w:tbl>"])
def test_damaged_and_empty_files_are_refused(body: str) -> None:
    with pytest.raises(LongsumError, match=r"The input (?:is a damaged Word|has no sentences)"):
        read_bytes(word_file(body), "")


_PIECES = st.sampled_from(
    [
        _TEXT,
        paragraph("One", "berschrift1"),
        paragraph("Two", "berschrift2"),
        paragraph("", "berschrift2"),
        paragraph("T", "Titel"),
        paragraph("A line 7", "Verzeichnis1"),
        paragraph("Cut", "", "<w:rPr><w:del/></w:rPr>"),
        runs(_field("TOC", "A line 8")),
        runs('<w:r><w:fldChar w:fldCharType="begin"/></w:r>'),
        runs('<w:r><w:fldChar w:fldCharType="end"/></w:r>'),
        f"<w:tbl><w:tr><w:tc>{_TEXT}</w:tc></w:tr></w:tbl>",
        f"<w:sdt><w:sdtContent>{_TEXT}</w:sdtContent></w:sdt>",
        runs(f"<w:r><w:lastRenderedPageBreak/><w:txbxContent>{_TEXT}</w:txbxContent></w:r>"),
    ]
)


@given(pieces=st.lists(_PIECES, max_size=12))
@settings(max_examples=examples(60), derandomize=True, deadline=None)
def test_documents_of_anything_are_valid(check_document: CheckDocument, pieces: list[str]) -> None:
    try:
        document = _read("".join(pieces))
    except LongsumError:
        return
    check_document(document)
    places = [part.place for part in document.omitted]
    assert places == sorted(places)
    assert all(place <= len(document.text) for place in places)


def _bold(text: str, size: int) -> str:
    return runs(f"<w:r><w:rPr><w:b/><w:sz w:val='{size}'/></w:rPr><w:t>{text}</w:t></w:r>")


def test_bold_lines_are_headings_if_there_are_no_others() -> None:
    lines = _bold("Springs", 28) + _TEXT * 2 + _bold("Hills", 24) + _TEXT * 2 + _bold("Note.", 24)
    document = _read(lines + _bold("Dams", 28) + _TEXT * 2)
    assert outline(document) == [(1, "Springs"), (2, "Hills"), (1, "Dams")]
    # If most lines are bold, that says nothing.
    assert outline(_read(_TEXT + _bold("Springs", 28) * 4)) == [(1, "")]


def test_the_largest_lines_before_the_text_are_the_title() -> None:
    cover = _bold("On Rivers", 40) + _bold("And Lakes", 40)
    body = _bold("Springs", 28) + _TEXT * 2 + _bold("Dams", 28) + _TEXT * 2
    document = _read(cover + body)
    assert document.title == "On Rivers And Lakes"
    assert outline(document) == [(1, "Springs"), (1, "Dams")]
    # What is as large as headings is no title, though it comes first.
    document = _read(_bold("On Rivers", 28) + _TEXT + body)
    assert outline(document)[0] == (1, "On Rivers")


def test_bold_lines_below_a_styled_heading_are_one_level_deeper() -> None:
    def styled(title: str, style: str) -> str:
        return paragraph(title, style) + _TEXT * 2

    lines = "".join(_bold(title, 20) + _TEXT * 2 for title in ("Rain", "Snow", "Ice"))
    document = _read(lines + styled("Dams", "berschrift1") + styled("Locks", "berschrift2") + lines)
    levels = [(level, title) for level, title in outline(document) if title]
    # Those before any heading with a style are lines of a cover.
    assert levels == [(1, "I. Dams"), (2, "I.1 Locks"), (3, "Rain"), (3, "Snow"), (3, "Ice")]
    rain = next(section for section in document.walk() if section.title == "Rain")
    assert rain.evidence is not None
    assert "bold" in rain.evidence.signs


def test_capitals_in_a_list_are_headings_if_their_items_are_deeper() -> None:
    def item(text: str, depth: int) -> str:
        number = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="1"/></w:numPr>'
        return paragraph(text, properties=number)

    text = "The river rises in the hills and flows for a hundred miles."
    body = item("SPRINGS", 0) + item(text, 1) * 2 + item("GRANT OF WATER", 0) + item(text, 1) * 2
    assert outline(_read(body)) == [(1, "I. SPRINGS"), (1, "II. GRANT OF WATER")]
    among = item("SPRINGS", 0) + item("RIVERS", 0) + item("LAKES", 0)
    assert outline(_read(_TEXT * 4 + among + _TEXT * 4)) == [(1, "")]


def test_numbered_paragraphs_with_outline_levels_are_text() -> None:
    """Judgments have them; then a paragraph that is set off among them is a heading."""

    def numbered(text: str) -> str:
        number = (
            '<w:outlineLvl w:val="0"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        )
        return paragraph(text, properties=number)

    long = "The court held that the river belongs to the village, which has had it since 1710."
    part = _bold("The Appeal", 20) + numbered(long) * 3 + numbered("I agree.")
    document = _read(part + part.replace("Appeal", "Order"))
    assert [title for _, title in outline(document)] == ["The Appeal", "The Order"]
    assert texts(document)[:4] == [long] * 3 + ["I agree."]


def test_lines_of_a_cover_and_appendices_in_the_style_of_titles() -> None:
    body = paragraph("Springs", "berschrift1") + _TEXT
    cover = paragraph("Our Agency", "Titel") + _TEXT + paragraph("Version 5.1", "Titel") + body
    assert [title for _, title in outline(_read(cover))] == ["", "I. Springs"]
    # Below a heading it is a chapter.
    chapters = [title for _, title in outline(_read(cover + paragraph("Lakes", "Titel") + _TEXT))]
    assert chapters == ["Our Agency", "Version 5.1", "I. Springs", "Lakes"]
    document = _read(paragraph("Rivers", "Titel") + body + paragraph("Annex A", "Titel") + body)
    assert document.title == "Rivers"
    assert outline(document) == [(1, "I. Springs"), (1, "Annex A"), (2, "II. Springs")]


@pytest.mark.parametrize("properties", rows(__file__, "numbers_that_no_document_has_are_none"))
def test_numbers_that_no_document_has_are_none(properties: str) -> None:
    assert len(_read(paragraph("A river.", "", properties.format("9" * 5000)) + _TEXT).text) > 60


@pytest.mark.timing
@pytest.mark.parametrize("part", ["field", "deleted end", "style"])
def test_absurd_word_files_take_linear_time(part: str) -> None:
    begin = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>{}</w:instrText></w:r>'

    def read(size: int) -> object:
        if part == "style":
            styles = "".join(
                f'<w:style w:type="paragraph" w:styleId="s{n}"><w:name w:val="{n * n}"/>'
                f'<w:basedOn w:val="s{n + 1}"/></w:style>'
                for n in range(size)
            )
            return _read(_TEXT, styles=styles)
        ended = "<w:rPr><w:del/></w:rPr>" if part == "deleted end" else ""
        lines = (f"{n * n} {n**5}" for n in range(size))
        if part == "field":
            return _read(runs("".join(begin.format(line) for line in lines)) + _TEXT)
        return _read("".join(paragraph(line, "", ended) for line in lines) + _TEXT)

    assert_linear(read, 2_000)


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        *((f"<w:r><w:{name}/></w:r>", "wide river") for name in ("tab", "br", "cr")),
        ("<w:r><w:noBreakHyphen/></w:r>", "wide-river"),
        *(
            (f"<w:{name}><w:r><w:t>not </w:t></w:r></w:{name}>", "wideriver")
            for name in ("del", "moveFrom")
        ),
        *(
            (f"<w:r><w:{name}><w:t>not </w:t></w:{name}></w:r>", "wideriver")
            for name in ("pPr", "rPr", "sectPr", "tblPr", "sdtPr", "rt", "fldData")
        ),
    ],
)
def test_special_elements_within_a_paragraph_are_a_character_or_nothing(
    inner: str, text: str
) -> None:
    words = ("<w:r><w:t>A wide</w:t></w:r>", inner, "<w:r><w:t>river rises.</w:t></w:r>")
    assert texts(_read(runs("".join(words)) + _TEXT))[0] == f"A {text} rises."
