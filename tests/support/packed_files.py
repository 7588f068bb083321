"""Documents that are zip archives, made of parts that a test gives: EPUB, Word, OpenDocument."""

from collections.abc import Callable
from dataclasses import dataclass

from zip_writer import STORED, Part, part, zip_file

_CONTAINER = (
    b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    b'<rootfile full-path="book.opf"/></rootfiles></container>'
)
_BOOK = (
    '<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
    "<spine>{spine}</spine></package>"
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DOCUMENT = "word/document.xml"
_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
_MIMETYPE = b"application/vnd.oasis.opendocument.text"


@dataclass(frozen=True, slots=True)
class Packed:
    """A format whose files are archives.

    Attributes:
        suffix: The suffix of its files.
        text_part: The name of a part that holds text.
        pack: Packs parts with text, and others that those do not mention, into a file.
        text: Returns a part whose text is that of a sentence, after raw XML: what opens the part,
            and what stands before the sentence. It is `The sea is wide.`
    """

    suffix: str
    text_part: str
    pack: Callable[..., bytes]
    text: Callable[..., bytes]


def epub(chapters: list[Part], others: tuple[Part, ...] = ()) -> bytes:
    """Return an EPUB of these chapters, with other parts that it does not mention."""
    items = "".join(
        f'<item id="c{n}" href="{each.name}" media-type="application/xhtml+xml"/>'
        for n, each in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    book = _BOOK.format(items=items, spine=spine).encode()
    first = part("META-INF/container.xml", _CONTAINER)
    return zip_file([first, part("book.opf", book), *chapters, *others])


def docx(parts: list[Part], others: tuple[Part, ...] = ()) -> bytes:
    """Return a Word file of its text and the parts that this refers to, such as `word/styles.xml`.

    What a part is to the text is told by its name.
    """

    def relations(*targets: tuple[str, str]) -> bytes:
        lines = "".join(
            f'<Relationship Type="{_RELATIONS}/{kind}" Target="{target}"/>'
            for kind, target in targets
        )
        return f"<Relationships>{lines}</Relationships>".encode()

    inner = [each.name.removeprefix("word/") for each in parts if each.name != _DOCUMENT]
    kinds = ((name.removesuffix(".xml"), name) for name in inner)
    return zip_file(
        [
            part("[Content_Types].xml", b"<Types/>"),
            part("_rels/.rels", relations(("officeDocument", _DOCUMENT))),
            part("word/_rels/document.xml.rels", relations(*kinds)),
            *parts,
            *others,
        ]
    )


def odt(parts: list[Part], others: tuple[Part, ...] = ()) -> bytes:
    """Return an OpenDocument text of parts such as `content.xml`, and others."""
    kind = part("mimetype", _MIMETYPE)
    stored = Part(kind.name, _MIMETYPE, kind.size, kind.crc, STORED)
    return zip_file([stored, part("META-INF/manifest.xml", b"<manifest/>"), *parts, *others])


def chapter(opening: str = "", before: str = "") -> bytes:
    """Return a page with a sentence, after its opening and other elements."""
    return f"{opening}<html><body>{before}<p>The sea is wide.</p></body></html>".encode()


def _word_text(opening: str = "", before: str = "") -> bytes:
    return (
        f'{opening}<w:document xmlns:w="{_WORD}"><w:body>{before}'
        "<w:p><w:r><w:t>The sea is wide.</w:t></w:r></w:p></w:body></w:document>"
    ).encode()


def _odt_text(opening: str = "", before: str = "") -> bytes:
    return (
        f'{opening}<office:document-content xmlns:office="{_OFFICE}office:1.0" '
        f'xmlns:text="{_OFFICE}text:1.0"><office:body><office:text>{before}'
        "<text:p>The sea is wide.</text:p></office:text></office:body></office:document-content>"
    ).encode()


PACKED = {
    "EPUB": Packed("epub", "one.xhtml", epub, chapter),
    "DOCX": Packed("docx", _DOCUMENT, docx, _word_text),
    "ODT": Packed("odt", "content.xml", odt, _odt_text),
}
"""The formats that are archives, by their names."""
