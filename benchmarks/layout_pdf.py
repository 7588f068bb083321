"""Layouts of PDF by three makers, and files that LibreOffice writes, for `layouts.py`."""

import io
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape

from layout_packed import flat_odt
from layout_works import Block, Layout, MissingError, Work

_SHAPES = (("one column", 1, False), ("two columns", 2, False), ("monospaced", 1, True))
_GROFF_SIGNS = {"\\": "\\e", "“": "\\(lq", "”": "\\(rq", "‘": "\\(oq", "’": "\\(cq", "'": "\\(aq"}
_GROFF_SIGNS |= {"–": "\\(en", "—": "\\(em", "…": "..."}


def _groff_text(text: str) -> str:
    written = "".join(
        _GROFF_SIGNS.get(sign, sign if sign < "\x80" else f"\\[u{ord(sign):04X}]") for sign in text
    )
    # A line that starts with a point or an apostrophe would be a request.
    return f"\\&{written}"


def _groff(work: Work, columns: int, monospaced: bool) -> bytes:
    lines = [".fam C", ".ds FAM C"] if monospaced else []
    lines += [".nr GROWPS 3", ".TL", _groff_text(work.title)]
    lines += [".2C"] if columns == 2 else []
    for block in work.blocks:
        if block.level:
            lines += [f".SH {block.level}", _groff_text(block.text)]
        else:
            lines += [".PP", _groff_text(block.spoken)]
    try:
        done = subprocess.run(
            ["groff", "-ms", "-Tpdf"],
            input="\n".join([*lines, ""]).encode(),
            capture_output=True,
            check=True,
        )
    except FileNotFoundError:
        raise MissingError("groff") from None
    except subprocess.CalledProcessError as error:
        raise MissingError("groff with PDF (the package groff)") from error
    return done.stdout


def _reportlab(work: Work, columns: int, monospaced: bool) -> bytes:
    try:
        from reportlab.lib.enums import TA_JUSTIFY
        from reportlab.lib.pagesizes import A4
        from reportlab.lib.styles import ParagraphStyle
        from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph
    except ImportError:
        raise MissingError("reportlab") from None
    faces = ("Courier", "Courier-Bold") if monospaced else ("Times-Roman", "Times-Bold")

    def style(block: Block) -> ParagraphStyle:
        if not block.level:
            alignment = 0 if monospaced else TA_JUSTIFY
            return ParagraphStyle(
                "body", fontName=faces[0], fontSize=10, leading=12, spaceAfter=5,
                alignment=alignment,
            )  # fmt: skip
        size = 20 - 2 * block.level
        return ParagraphStyle(
            "heading", fontName=faces[1], fontSize=size, leading=size * 1.2, spaceBefore=10,
            spaceAfter=4, keepWithNext=1,
        )  # fmt: skip

    buffer = io.BytesIO()
    width, height = A4
    room = (width - 100 - 20 * (columns - 1)) / columns
    frames = [
        Frame(50 + n * (room + 20), 50, room, height - 100, leftPadding=0, rightPadding=0)
        for n in range(columns)
    ]
    document = BaseDocTemplate(buffer, pagesize=A4)
    document.addPageTemplates(PageTemplate(frames=frames))
    blocks = (Block(work.title, 1), *(_lower(each) for each in work.blocks))
    document.build([Paragraph(escape(each.spoken), style(each)) for each in blocks])
    return buffer.getvalue()


def _lower(block: Block) -> Block:
    return Block(block.text, block.level + 1, block.speaker) if block.level else block


_Key = tuple[str, str]


def converted(sources: Iterable[tuple[_Key, bytes]], to: str) -> dict[_Key, bytes]:
    """Return flat OpenDocument texts in another format, by their keys.

    Raises:
        MissingError: LibreOffice is not installed.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder, keys = Path(temporary), list[_Key]()
        for key, data in sources:
            (folder / f"{len(keys)}.fodt").write_bytes(data)
            keys.append(key)
        home = f"-env:UserInstallation={(folder / 'home').as_uri()}"
        command = ["soffice", home, "--headless", "--convert-to", to, "--outdir", str(folder)]
        files = [str(folder / f"{n}.fodt") for n in range(len(keys))]
        try:
            subprocess.run([*command, *files], capture_output=True, check=True)
        except (FileNotFoundError, subprocess.CalledProcessError):
            raise MissingError("LibreOffice (the package libreoffice-writer-nogui)") from None
        return {key: (folder / f"{n}.{to}").read_bytes() for n, key in enumerate(keys)}


def pdf_layouts() -> Sequence[Layout]:
    """Return all layouts of PDF, and the other formats of LibreOffice."""
    makers: tuple[tuple[str, Callable[..., bytes]], ...] = (
        ("groff", _groff),
        ("reportlab", _reportlab),
    )
    office = [
        Layout(f"PDF: LibreOffice, {shape}", ".pdf",
               partial(flat_odt, columns=columns, monospaced=mono), converts="pdf")
        for shape, columns, mono in _SHAPES
    ]  # fmt: skip
    others = [
        Layout(f"PDF: {maker}, {shape}", ".pdf", partial(write, columns=columns, monospaced=mono))
        for maker, write in makers
        for shape, columns, mono in _SHAPES
    ]
    saved = [
        Layout(f"{to.upper()}: LibreOffice", f".{to}",
               partial(flat_odt, columns=1, monospaced=False), converts=to)
        for to in ("docx", "rtf", "odt")
    ]  # fmt: skip
    return [*saved, *office, *others]
