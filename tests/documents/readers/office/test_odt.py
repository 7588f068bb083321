import io
import zipfile

import pytest

from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes

_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "text")
)
_TEXT = "<text:p>The river rises in the hills and flows for a hundred miles.</text:p>"


def _content(body: str) -> str:
    return (
        f"<office:document {_NAMES}><office:body><office:text>{body}</office:text></office:body>"
        "</office:document>"
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
        (_content(_TEXT).replace("office:text>", "office:x>").encode(), "without text"),
        (_content("<text:span>" * 300 + "</text:span>" * 300).encode(), "nested too deeply"),
    ],
)
def test_unreadable_files_are_refused(data: bytes, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        read_bytes(data, "a.odt")


def test_a_level_that_no_document_has_is_none() -> None:
    head = f'<text:h text:outline-level="{"9" * 5000}">Springs</text:h>{_TEXT}'
    document = read_bytes(_odt(f"{head}{head.replace('Springs', 'Dams')}"), "a.odt")
    assert [section.level for section in document.walk()] == [1, 1]


def test_numbered_paragraphs_with_outline_levels_are_text() -> None:
    long = (
        "The court below held that the river belongs to the village, which has had it since 1710."
    )
    heads = "".join(
        f'<text:h text:outline-level="{level}">{text}</text:h>'
        for level, text in ((1, "The Appeal"), (2, long), (2, long), (2, "I agree."))
    )
    document = read_bytes(_odt(heads), "a.odt")
    assert document.title == "The Appeal"
    assert [each.text for each in document.sentences] == [long, long, "I agree."]


@pytest.mark.parametrize(
    "name",
    [
        *("sequence-decls", "forms", "variable-decls", "user-field-decls", "annotation-end"),
        *("title", "ruby-text", "desc", "event-listeners", "soft-page-break"),
        "alphabetical-index-mark",
    ],
)
def test_elements_without_text_of_the_document_are_skipped(name: str) -> None:
    inner = f"<text:p>The river is <text:{name}>never</text:{name}>wide.</text:p>"
    document = read_bytes(_odt(f"<text:{name}>Never.</text:{name}>{inner}{_TEXT}"), "a.odt")
    assert document.sentences[0].text == "The river is wide."


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((f"{what}-index", "contents or index line") for what in ("illustration", "table")),
        *((f"{what}-index", "contents or index line") for what in ("object", "user")),
        *((name, "contents or index line") for name in ("alphabetical-index", "table-of-content")),
        ("bibliography", "reference"),
    ],
)
def test_omitted_indexes_keep_their_kind(name: str, kind: str) -> None:
    lines = "<text:index-body><text:p>Rivers 12</text:p></text:index-body>"
    index = f"<text:{name}>{lines}</text:{name}>"
    document = read_bytes(_odt(f"{_TEXT}{index}{_TEXT}"), "a.odt")
    assert [(part.kind, part.text) for part in document.omitted] == [(kind, "Rivers 12")]


_PROSE = (
    "The dam was built of stone in the spring of that year. Water is let out of it when the river "
    "below runs low. The engineers who built it had never seen a river so wide."
)


@pytest.mark.parametrize(
    ("cells", "is_text"),
    [
        (["<text:h>Of Dams</text:h>", "<text:p>31</text:p>"], True),
        ([f"<text:p>{_PROSE}</text:p>"] * 2, True),
        (["<text:p>One column.</text:p>"], True),
        (["<text:p>Upper</text:p>", "<text:p>31</text:p>"], False),
    ],
)
def test_a_table_is_text_if_it_has_a_heading_prose_or_one_column(cells, is_text: bool) -> None:
    row = "".join(f"<text:table-cell>{cell}</text:table-cell>" for cell in cells)
    table = f"<text:table><text:table-row>{row}</text:table-row></text:table>"
    document = read_bytes(_odt(f"{_TEXT}{table}{_TEXT}"), "a.odt")
    assert [part.kind for part in document.omitted] == ["table"] * (not is_text)


def test_text_under_heads_is_a_table_whose_prose_is_kept() -> None:
    cells = "<text:table-cell><text:p>{}</text:p></text:table-cell>"
    head = "".join(map(cells.format, ("Dam", "Of")))
    rows = "".join(map(cells.format, ("Upper", _PROSE)))
    table = (
        f"<text:table><text:table-header-rows><text:table-row>{head}</text:table-row>"
        f"</text:table-header-rows><text:table-row>{rows}</text:table-row></text:table>"
    )
    document = read_bytes(_odt(f"{_TEXT}{table}"), "a.odt")
    assert [part.text for part in document.omitted] == ["Dam\tOf\nUpper"]
    assert _PROSE in document.text


@pytest.mark.parametrize("style", ["Preformatted_20_Text", "Source_20_Code"])
def test_paragraphs_in_a_style_of_programs_are_code(style: str) -> None:
    code = f'<text:p text:style-name="{style}">rise(river)</text:p>'
    document = read_bytes(_odt(f"{_TEXT}{code}"), "a.odt")
    assert [(each.kind, each.text) for each in document.omitted] == [("code block", "rise(river)")]
    assert len(document.sentences) == 1
