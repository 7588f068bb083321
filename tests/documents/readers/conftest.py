"""PDF files made in the tests."""

import io
from collections.abc import Callable, Sequence

import pytest
from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, IndirectObject, NameObject

Outline = Sequence[tuple[int, str, int]]
MakePdf = Callable[..., bytes]

_FONT = {
    "/Type": "/Font",
    "/Subtype": "/Type1",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/WinAnsiEncoding",
}


@pytest.fixture(scope="session")
def make_pdf() -> MakePdf:
    """Make a PDF: the lines of each page, bookmarks `(level, title, page)`, title, password."""

    def make(
        pages: Sequence[Sequence[str]],
        outline: Outline = (),
        title: str = "",
        password: str = "",
        owner_password: str = "",
    ) -> bytes:
        writer = PdfWriter()
        font = writer._add_object(
            DictionaryObject({NameObject(key): NameObject(value) for key, value in _FONT.items()})
        )
        for lines in pages:
            _add_page(writer, lines, font)
        above: dict[int, IndirectObject] = {}
        for level, heading, page in outline:
            above[level] = writer.add_outline_item(
                title=heading, page_number=page, parent=above.get(level - 1)
            )
        if title:
            writer.add_metadata({"/Title": title})
        if password or owner_password:
            writer.encrypt(user_password=password, owner_password=owner_password or None)
        buffer = io.BytesIO()
        writer.write(buffer)
        return buffer.getvalue()

    return make


def _add_page(writer: PdfWriter, lines: Sequence[str], font: IndirectObject) -> None:
    page = writer.add_blank_page(612, 792)
    content = DecodedStreamObject()
    content.set_data(text_operators(lines))
    page[NameObject("/Contents")] = writer._add_object(content)
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})


def text_operators(lines: Sequence[str]) -> bytes:
    """Return the operators that draw the lines under each other."""
    drawn = [b"BT /F1 11 Tf"]
    for number, line in enumerate(lines):
        text = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        drawn.append(f"1 0 0 1 72 {720 - 14 * number} Tm ({text}) Tj".encode("cp1252"))
    return b"\n".join([*drawn, b"ET"])


@pytest.fixture(scope="session")
def raw_pdf() -> MakePdf:
    """Write a PDF of one page byte by byte, so that it can be wrong in any way."""

    def make(
        content: bytes = b"BT /F1 11 Tf 72 720 Td (A plain text.) Tj ET",
        *,
        catalog: bytes = b"",
        kids: bytes = b"[3 0 R]",
        count: int = 1,
        stream: bytes = b"",
        objects: Sequence[bytes] = (),
    ) -> bytes:
        bodies = [
            b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
            b"<< /Type /Pages /Kids %s /Count %d >>" % (kids, count),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R >> >> >>",
            b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), stream, content),
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            *objects,
        ]
        data = b"%PDF-1.7\n"
        rows = [b"0000000000 65535 f \n"]
        for number, body in enumerate(bodies, start=1):
            rows.append(b"%010d 00000 n \n" % len(data))
            data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = b"xref\n0 %d\n%s" % (len(rows), b"".join(rows))
        trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n" % (len(rows), len(data))
        return data + table + trailer + b"%%EOF\n"

    return make
