import io
import zipfile

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes

_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office",
        "text": "text",
        "table": "table",
        "style": "style",
        "draw": "drawing",
        "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
    }.items()
)
_STYLES = """
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Illustration"/>
<style:style style:name="P3" style:family="paragraph"
 style:parent-style-name="Preformatted_20_Text"/>
"""
_TEXT = "<text:p>The river rises in the hills and flows for a hundred miles.</text:p>"


def _content(body: str, styles: str = _STYLES) -> str:
    return (
        f"<office:document {_NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def _odt(body: str, manifest: str = "<manifest/>") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/manifest.xml", manifest)
        archive.writestr("content.xml", _content(body))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (_odt(_TEXT, "<manifest><encryption-data/></manifest>"), "is encrypted"),
        (_odt("<text:p>"), "is a damaged OpenDocument file"),
        (_odt("</office:text><office:text>"), "has no sentences"),
        (_content(_TEXT).replace("office:text>", "office:x>").encode(), "without a text"),
        (_content("<text:span>" * 300 + "</text:span>" * 300).encode(), "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        read_bytes(data, "a.odt")


def test_paragraphs_in_styles_of_headings_are_headings() -> None:
    body = f'<text:p text:style-name="Heading_20_4">Snow</text:p>{_TEXT}'
    body = f'{_TEXT}<text:h text:outline-level="1">A</text:h>{_TEXT}{body}'
    document = read_bytes(_odt(body), "a.odt")
    assert [(s.level, s.title) for s in document.walk()][1:] == [(1, "A"), (2, "Snow")]


def test_a_level_that_no_document_has_is_none() -> None:
    head = f'<text:h text:outline-level="{"9" * 5000}">Springs</text:h>{_TEXT}'
    document = read_bytes(_odt(f"{head}{head.replace('Springs', 'Dams')}"), "a.odt")
    assert [section.level for section in document.walk()] == [1, 1]


def _outline(body: str, styles: str) -> list[tuple[int, str]]:
    document = read_bytes(_content(body, styles).encode(), "a.fodt")
    return [(section.level, section.title) for section in document.walk()]


def _line(text: str, style: str) -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def test_lines_that_styles_set_off_are_headings_where_no_style_marks_them() -> None:
    styles = """
    <style:style style:name="Large" style:family="paragraph">
    <style:text-properties fo:font-size="150%" fo:font-weight="bold"/></style:style>
    <style:style style:name="Bold" style:family="paragraph">
    <style:text-properties fo:font-weight="bold"/></style:style>
    <style:style style:name="Below" style:family="paragraph" style:parent-style-name="Bold">
    <style:text-properties fo:font-weight="normal"/></style:style>
    <style:style style:name="Word" style:family="text">
    <style:text-properties fo:font-weight="bold"/></style:style>
    """
    word = '<text:span text:style-name="Word">Ice</text:span>'
    body = _line("Springs", "Large") + _TEXT * 2 + _line("Why does it rain?", "Bold") + _TEXT * 2
    body += _line("Not bold", "Below") + _TEXT * 2 + f"<text:p>{word}</text:p>" + _TEXT * 2
    body += _line("Dams", "Large") + _TEXT * 2 + f"<text:p>{word} is cold</text:p>" + _TEXT
    headings = [(1, "Springs"), (2, "Why does it rain?"), (2, "Ice"), (1, "Dams")]
    assert _outline(body, styles) == headings
    # In a file whose headings have styles they stand a level deeper than those.
    marked = '<text:h text:outline-level="1">Lakes</text:h>' + _TEXT
    assert _outline(marked * 2 + body, styles)[2:] == [
        (level + 1, title) for level, title in headings
    ]
