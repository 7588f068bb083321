import io
from collections.abc import Sequence

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, IndirectObject, NameObject

Outline = Sequence[tuple[int, str, int]]
_FONT = {
    "/Type": "/Font",
    "/Subtype": "/Type1",
    "/BaseFont": "/Helvetica",
    "/Encoding": "/WinAnsiEncoding",
}


def make_pdf(
    pages: Sequence[Sequence[str]],
    outline: Outline = (),
    title: str = "",
    password: str = "",
    owner_password: str = "",
) -> bytes:
    """Make a PDF: the lines of each page, bookmarks `(level, title, page)`, title, password."""
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


def _add_page(writer: PdfWriter, lines: Sequence[str], font: IndirectObject) -> None:
    page = writer.add_blank_page(612, 792)
    content = DecodedStreamObject()
    content.set_data(text_operators(lines))
    page[NameObject("/Contents")] = writer._add_object(content)
    fonts = DictionaryObject({NameObject("/F1"): font})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})


def text_operators(lines: Sequence[str]) -> bytes:
    """Return the operators that draw the lines below each other."""
    drawn = [b"BT /F1 11 Tf"]
    for number, line in enumerate(lines):
        text = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        drawn.append(f"1 0 0 1 72 {720 - 14 * number} Tm ({text}) Tj".encode("cp1252"))
    return b"\n".join([*drawn, b"ET"])
