"""PDF files written byte by byte, so that they can be wrong in any way."""

from collections.abc import Sequence

PLAIN = b"BT /F1 11 Tf 72 720 Td (A plain text.) Tj ET"


def raw_pdf(
    content: bytes = PLAIN,
    *,
    catalog: bytes = b"",
    kids: bytes = b"[3 0 R]",
    count: int = 1,
    stream: bytes = b"",
    fonts: bytes = b"",
    objects: Sequence[bytes] = (),
    length: int | None = None,
    trailer: bytes = b"",
) -> bytes:
    """Return a PDF of one page.

    Args:
        content: The page's content stream.
        catalog: More entries of the catalog.
        kids: The pages.
        count: The number of pages that it states.
        stream: More entries of the content's dictionary.
        fonts: More fonts than F1, which is Helvetica.
        objects: More objects, from 6 on.
        length: The length of the content that it states; by default the right one.
        trailer: More entries of the trailer; `%d` is the place of the table of objects.
    """
    stated = len(content) if length is None else length
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
        b"<< /Type /Pages /Kids %s /Count %d >>" % (kids, count),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R %s >> >> >>" % fonts,
        b"<< /Length %d %s >>\nstream\n%s\nendstream" % (stated, stream, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *objects,
    ]
    data = bytearray(b"%PDF-1.7\n")
    rows = [b"0000000000 65535 f \n"]
    for number, body in enumerate(bodies, start=1):
        rows.append(b"%010d 00000 n \n" % len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    place = len(data)
    table = b"xref\n0 %d\n%s" % (len(rows), b"".join(rows))
    more = trailer.replace(b"%d", b"%d" % place)
    end = b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n" % (len(rows), more, place)
    return bytes(data) + table + end + b"%%EOF\n"
