import io
import re
import sys
import zipfile

import pytest

import longsum
from longsum.common.errors import LongsumError
from longsum.documents.readers import detect, read, read_bytes
from longsum.documents.readers.detect import is_mail
from tables import rows

from .conftest import make_pdf

_HTML = b"<!DOCTYPE html><html><body><h1>T</h1><p>A text.</p></body></html>"
_MARKDOWN = b"# T\n\n## A\n\nA text.\n\n## B\n\nMore *text*.\n"
_JSON = b'{"title": "T", "text": "A text."}'


def _zip(name: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name), "<w:document/>" * 1000)
    return buffer.getvalue()


@pytest.mark.parametrize("name", ["a.html", "a.md", "a.txt", "a.pdf", "a.json", "a", ""])
@pytest.mark.parametrize(
    ("data", "form"), [(_HTML, "html"), (_MARKDOWN, "markdown"), (_JSON, "json")]
)
def test_the_content_decides_whatever_the_name(data: bytes, form: str, name: str) -> None:
    document = read_bytes(data, name)
    assert document.source.format == form
    assert document.title == "T"


@pytest.mark.parametrize("name", ["a.pdf", "a.txt", "a.html", ""])
def test_a_pdf_of_any_name(name: str) -> None:
    assert read_bytes(make_pdf([["A text."]]), name).source.format == "pdf"


@pytest.mark.parametrize(("text", "name", "form"), rows(__file__, "what_a_file_is"))
def test_detected_formats(text: str, name: str, form: str) -> None:
    assert read_bytes(text.encode(), name).source.format == form


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (_zip("a.txt"), "a zip archive"),
        (_zip("word/document.xml"), "a zip archive"),
        (_zip("xl/workbook.xml"), "a spreadsheet; save it as CSV"),
        (_zip("ppt/presentation.xml"), "a presentation; save it as PDF"),
        (_zip("a.txt")[:20], "a damaged zip archive; save or download it again"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 500, "an old or encrypted file"),
        (b"\x1f\x8b\x08\x00" + b"\x01" * 50, "gzip-compressed"),
        (b"\xfd7zXZ\x00\x00", "xz-compressed"),
        (b"BZh91AY&SY\x00\x01", "bzip2-compressed"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "a picture"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "a picture"),
        (b"GIF89a\x01\x00\x01\x00", "a picture"),
        (b"%!PS-Adobe-3.0\n%%Pages: 2\n(It rained.)180 429.6 Q", "PostScript"),
        (b".TH RAIN 1\n.SH NAME\nrain \\- it fell.", "roff"),
        (b'\'\\" t\n.\\" Title: rain\n.TH RAIN 1\nIt fell.', "roff"),
        (b'.\\"\n.Dd May 1\nIt fell.', "roff"),
        (b"MZ\x90\x00\x03\x00\x00", "a program"),
        (b"\x7fELF\x02\x01\x01", "a program"),
        (b"SQLite format 3\x00\x10\x00", "a database"),
    ],
)
def test_unsupported_formats_are_named_in_one_sentence(data: bytes, kind: str) -> None:
    with pytest.raises(LongsumError) as caught:
        read_bytes(data, "a.txt")
    message = str(caught.value)
    assert message.startswith(f"a.txt is {kind}")
    assert message.count(". ") == 0
    assert re.search("convert it to|unpack it first|save (?:it|or)", message)


_RANDOM = bytes(number * 7919 % 256 for number in range(5000))
_ENTITY = b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM "file:///x">]><a>&b;</a>'
_UNKNOWN = r"is not a text, Markdown, HTML, EPUB, JSON or PDF file"


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        *[(_RANDOM, f"a.{ending}", _UNKNOWN) for ending in ("txt", "md", "json", "html", "pdf")],
        (_ENTITY, "a.xml", "XML of a kind that longsum does not know, without any sentence"),
        *[(empty, "a.txt", r"a\.txt is empty; there is nothing to summarize")
          for empty in (b"", b" ", b"\n\t\r\n ", b"\x0c")],
        *[(mark, "a.md", "has no sentences, so there is nothing")
          for mark in (b"\xef\xbb\xbf", b"\xef\xbb\xbf \n", b"\xe2\x80\x83\xe3\x80\x80",
                       b"# A\n\n## B\n", b"\xff\xfe")],
    ],
)  # fmt: skip
def test_files_without_anything_to_read_are_refused(data: bytes, name: str, says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        read_bytes(data, name)


@pytest.mark.parametrize("text", ["a", ".", "word", "日", "One sentence.", "😀"])
@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_as_little_as_one_character(check_document, text: str, name: str) -> None:
    document = read_bytes(text.encode(), name)
    assert [sentence.text for sentence in document.sentences] == [text]
    check_document(document)


def test_a_file_and_its_name(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "some  name.md"
    file.write_bytes(_MARKDOWN)
    document = longsum.read(file)
    assert document.source.name == "some name.md"
    assert document == read(str(file))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(_MARKDOWN)))
    assert read("-").source.name == "standard input"


def test_a_file_whose_name_is_not_unicode(tmp_path, check_document) -> None:
    file = tmp_path / "caf\udce9.txt"
    try:
        file.write_bytes(b"A text.")
    except OSError:
        pytest.skip("this file system takes no such name")
    document = read(file)
    assert document.source.name == "caf\ufffd.txt"
    check_document(document)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("missing.txt", r"There is no file '.*missing\.txt'; check the path"),
        ("", "is a folder; give one file"),
        *[(path, "There is no file|cannot be read") for path in ("a\x00b", "a" * 5000, "\ud800")],
        ("a.txt/b.txt", r"cannot be read \(Not a directory\); check the path"),
    ],
)
def test_a_path_without_a_file_is_refused(tmp_path, path: str, says: str) -> None:
    (tmp_path / "a.txt").write_text("x")
    with pytest.raises(LongsumError, match=says):
        read(tmp_path / path)


@pytest.mark.parametrize("name", ["a.html", "a.HTM", "a.xhtml"])
@pytest.mark.parametrize(
    "text", rows(__file__, "tags_in_a_file_that_is_named_as_html_are_none_of_its_text")
)
def test_tags_in_a_file_that_is_named_as_html_are_none_of_its_text(text: str, name: str) -> None:
    document = read_bytes(text.encode(), name)
    assert document.source.format == "html"
    assert "<" not in document.text
    assert "ords" in document.text or "Middle" in document.text


@pytest.mark.parametrize(
    "text", ["If a < b and c > d, stop.", "Mail <a@b.example> now.", "1 <2> 3"]
)
def test_text_without_a_tag_is_no_html_whatever_its_name(text: str) -> None:
    document = read_bytes(text.encode(), "a.html")
    assert (document.source.format, document.text) == ("text", text)


def test_the_language_is_identified_for_every_format() -> None:
    german = (
        "Der Fluss entspringt in den Hügeln im Norden der Stadt und fließt hundert Meilen weit. "
        "Er ist an drei Stellen gestaut worden, und die Seen dienen der Wasserversorgung und der "
        "Schifffahrt in allen ihren Formen."
    )
    for text, name in ((german, "a.txt"), (f"# T\n\n{german}", "a.md")):
        assert read_bytes(text.encode(), name).language == "de"
    stated = f"---\ntitle: T\nlang: de-CH\n---\n{german}"
    assert read_bytes(stated.encode(), "a.md").language == "de-CH"
    assert read_bytes(b"A text.", "a.txt").language is None


def test_other_packages_may_read_only_other_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "find", lambda *asked: asked)
    assert detect.registered_reader("A.Sh") == ("readers", "sh")
    ours = """a. a a.adoc a.asc a.asciidoc a.csv a.docx a.eml a.epub a.fodt a.htm a.html a.json
    a.jsonl a.log a.ltx a.markdown a.mbox a.md a.mediawiki a.odt a.org a.pdf a.rst a.rtf a.srt a.tei
    a.tex a.text a.txt a.vtt a.wiki a.xht a.xhtml a.xml"""
    assert {*map(detect.registered_reader, ours.split())} == {None}


def test_comments_of_programs_are_no_headings() -> None:
    text = "Rain fell.\n\n# the first gate\nopen gate\n\n# the second gate\nopen gate 2\n"
    assert read_bytes(text.encode(), "gates.txt").source.format == "text"
    text = "Rain fell.\n\n# The first gate\n\nIt is open.\n\n# The second gate\n\nIt is shut.\n"
    assert read_bytes(text.encode(), "gates.txt").source.format == "markdown"


@pytest.mark.parametrize(
    "data",
    [
        *(b'{"text": "One."}\n{"text": "Two."}\n', b"<div>" * 9999, b"%PDF-1.4\n"),
        *(_zip("META-INF/container.xml"), _zip("a.txt")),
    ],
)
def test_a_file_without_a_name_is_called_the_input(data: bytes) -> None:
    with pytest.raises(LongsumError, match=r"The input (?:contains|is) "):
        read_bytes(data)


HEADER = ["From: Ann <ann@example.org>", "To: Ben", "Subject: The bridge", "Date: 2 May 2020"]


@pytest.mark.parametrize(
    "lines",
    [
        HEADER,
        [HEADER[0], "X-Way: one", "  two", *HEADER[1:]],
        ["TO: Ann", "FROM: Ben", "DATE: May"],
        [f"{60 * 'X'}: 1", *HEADER],
    ],
    ids=["a header", "a field of two lines", "a memo", "a long name"],
)
def test_a_header_of_an_e_mail(lines: list[str]) -> None:
    text = "\n".join([*lines, "", "The river rose.", ""])
    assert is_mail(text.encode())
    assert is_mail(text.replace("\n", "\r\n").encode())
    assert not is_mail(text.replace("\n\n", "\nIt says:\n").encode())


@pytest.mark.parametrize(
    "lines",
    [
        *(["Ann: Hello.", "Ben: Hello to you.", "Ann: Well?"], HEADER[:2], ["The river rose."], []),
        *([f"{61 * 'X'}: 1", *HEADER], [*HEADER[1:2], *HEADER[3:], "Cc: Li"]),
        *(["From ann Mon 2020", HEADER[0]], [f"From ann {81 * 'x'}2020", HEADER[0]]),
    ],
)
def test_other_lines_are_no_header(lines: list[str]) -> None:
    assert not is_mail("\n".join([*lines, "", "The river rose.", ""]).encode())


@pytest.mark.parametrize("width", [10, 80])
def test_a_mailbox_needs_one_known_field(width: int) -> None:
    assert is_mail(f"From ann {width * 'x'}2020\nFrom: Ann\nIt rained.\n".encode())
    assert is_mail(b"From: Ann\nMIME-Version: 1.0\nIt rained.\n")
