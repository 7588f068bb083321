"""Detects the format of a file, by content first and name second, and calls its reader.

Readers of other packages are registered by the suffix of the files that they read.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.common.registry import find
from longsum.documents.model import Document, Source
from longsum.documents.readers.decode import decode
from longsum.documents.readers.limits import ReadLimits
from longsum.language.characters import clean
from longsum.language.sentences import OTHER_ENDS
from longsum.language.words import has_longer_word

_ZIP = b"PK\x03\x04"
_PLAIN = ("text", "markdown", "asciidoc", "rst", "json", "org", "mediawiki")
# Signatures of formats that no reader supports, and how messages describe them.
_UNREADABLE = (
    (
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        "an old or encrypted file of Microsoft Office or Outlook",
    ),
    (b"\x1f\x8b", "gzip-compressed"),
    (b"\xfd7zXZ\x00", "xz-compressed"),
    (b"BZh91AY&SY", "bzip2-compressed"),
    ((b"\x89PNG", b"\xff\xd8\xff", b"GIF87a", b"GIF89a"), "a picture"),
    (b"%!PS", "PostScript"),
    ((b"\x7fELF", b"MZ\x90\x00"), "a program"),
    ((b".TH ", b'.\\"', b"'\\\""), "roff, the source of a manual page"),
    (b"SQLite format 3\x00", "a database"),
)
# The group is atomic, so that many leading comments cannot cause backtracking.
_HTML_START = re.compile(
    r"\s*+(?:<\?xml[^>]*>\s*+)?(?>(?:<!--.*?-->\s*+)*)"
    r"<(?:(?P<page>!doctype\s+html|html|head|body|title|meta)"
    r"|main|article|section|div|h[1-6]|p)\b",
    re.IGNORECASE | re.DOTALL,
)
_HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".xht")
_MARKDOWN_SUFFIXES = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
_ASCIIDOC_SUFFIXES = (".adoc", ".asciidoc", ".asc")
_MARKED_SUFFIXES = (*_HTML_SUFFIXES, *_MARKDOWN_SUFFIXES, *_ASCIIDOC_SUFFIXES, ".rst")
# Any tag: a file named as HTML may have text before the first one.
_TAG = re.compile(
    r"<(?:[a-z][a-z0-9-]*+(?:\s[^<>]*+)?/?|/[a-z][a-z0-9-]*+\s*|!doctype\b[^<>]*+)>", re.I
)
# Comments and document types may come before the document element.
_ROOT_WITHIN = 1 << 16
_JATS_ROOTS = frozenset({"article", "pmc-articleset"})
# HTML has articles too.
_JATS_SIGN = re.compile(r"article-type=|dtd-version=|<front\b|<article-meta\b|JATS|NLM//DTD")
_TEI_ROOTS = frozenset({"TEI", "TEI.2", "teiCorpus"})
# For documents whose stated vocabulary is not that of pages or pictures in them.
_OTHER_VOCABULARY = re.compile(r"\sxmlns(?::\w+)?\s*=\s*[\"'](?!http://www\.w3\.org/)")
_PAGE_ROOTS = frozenset({"html", "body", "head", "div", "svg", "math"})
# What the USPTO publishes since 2001.
_PATENT_ROOTS = frozenset(
    {"us-patent-grant", "us-patent-application", "patent-application-publication", "PATDOC"}
)
# Markups with self-describing lines, by the suffixes of their files, or by their signs.
_MARKED_LINES = {".org": "org", ".mediawiki": "mediawiki", ".wiki": "mediawiki"}
_MARKED_LINE = re.compile(r"^(?:\*+ +\S|#\+\w|=+[^=\n]{1,200}=|\{\|)", re.MULTILINE)
_ORG = re.compile(r"^#\+title:", re.IGNORECASE | re.MULTILINE)
_WIKI_HEADING = re.compile(r"^(={2,4})[^=\n]{1,200}\1[ \t]*$", re.MULTILINE)
# LaTeX begins with comments, commands and their arguments; examples of it may stand in any text.
_LATEX_START = (
    r"[ \t]*+\\(?:document(?:class|style)\s*[\[{]|begin\{document\}"
    r"|(?:part|chapter|(?:sub)*section)\*?\s*[\[{])"
)
_LATEX = re.compile(rf"(?>(?:(?!{_LATEX_START})(?:[ \t%\\{{}}\[\]][^\n]*+)?\n)*){_LATEX_START}")
_LATEX_SUFFIXES = (".tex", ".ltx", ".latex", ".lhs", ".rnw")
_ATX_HEADING = re.compile(r"(?:\A|\n)[ ]{0,3}#{1,6}[ \t]+\S[^\n]*(?=\n|\Z)")
_MAIL_FIELDS = re.compile(rb"(?:[!-9;-~]{1,60}:[^\n]*(?:\n[ \t]+\S[^\n]*)*(?:\n|\Z))+")
_KNOWN_FIELDS = re.compile(
    rb"^(from|to|b?cc|date|sent|subject|reply-to|message-id|in-reply-to|references|return-path"
    rb"|received|newsgroups|path|mime-version|content-type|organization|lines|sender|list-id):",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_FIELDS = 3
_MAIL_HEAD = 1 << 15
_MAILBOX = re.compile(rb"From \S+ [^\n]{10,80}\d{4}\r?\n")
# What a reader may take for a separate paragraph, item or sentence, in any text format.
_PIECE = re.compile(
    rf"\n(?>(?:[ \t]*+\n)+)|\n[ \t]*+(?:\d{{1,9}}[.)]|[-*+#=>\w])|[.!?…]['\"”’)]*+\s|[{OTHER_ENDS}]"
    r"|<(?:address|article|aside|blockquote|br|center|d[dlt]|details|dialog|div|fieldset|footer|form"
    r"|h[1-6]|header|legend|li|main|menu|[ou]l|option|p|pre|section|summary|table|tr)\b",
    re.IGNORECASE,
)
LEAST_PIECE = 25
"""Fewest bytes of a piece in UTF-8, on average; in Chinese and Japanese, three bytes are about a
word."""
_BLANK_BELOW = re.compile(r"\n[ \t]*(?:\n|\Z)|\Z")

Reader = Callable[[bytes, Source, ReadLimits], Document]
"""Makes a document from the bytes of a file; raises `LongsumError` for what it cannot read."""


def parse(data: bytes, name: str = "", *, limits: ReadLimits = ReadLimits()) -> Document:  # noqa: B008
    """Read a document from the content of a file, in this process; its language is the stated one.

    Raises:
        LongsumError: The content is empty, binary, encrypted, damaged or exceeds a limit.
    """
    name = _acceptable(data, name, limits)
    signed = data.removeprefix(BOM_UTF8)
    if (reader := registered_reader(name)) is not None:
        document = reader(data, Source(name, Path(name).suffix.lower().removeprefix(".")), limits)
    elif (known := _binary_reader(signed, name or "The input")) is not None:
        document_format, reader = known
        document = reader(signed, Source(name, document_format), limits)
    else:
        document = _text_file(data, name, limits).read(name)
    return _within(limits, document, name)


def parse_plain(data: bytes, name: str, limits: ReadLimits) -> Document | None:
    """Read text, Markdown, AsciiDoc or JSON as `parse` does.

    Returns:
        The document; None if a library not written in Python, or another package, has to read it.
    """
    name = _acceptable(data, name, limits)
    signed = data.removeprefix(BOM_UTF8)
    binary = _is_pdf(signed) or _is_rtf(signed) or signed.startswith(_ZIP) or is_mail(signed)
    if binary or registered_reader(name) is not None:
        return None
    file = _text_file(data, name, limits)
    return _within(limits, file.read(name), name) if file.format in _PLAIN else None


def _acceptable(data: bytes, name: str, limits: ReadLimits) -> str:
    """Return the name to show for a file; refuse one that is too large or empty."""
    name = clean(name)
    if len(data) > limits.size:
        raise limits.refusal(name, "size")
    if not data.strip():
        raise LongsumError(f"{name or 'The input'} is empty; there is nothing to summarize.")
    return name


def _within(limits: ReadLimits, document: Document, name: str) -> Document:
    if has_longer_word(document.text, limits.word):
        raise limits.refusal(name, "word")
    return document


def _is_page(text: str) -> bool:
    return _HTML_START.match(text) is not None


def _is_pdf(data: bytes) -> bool:
    # A text may mention the signature; a PDF that has it further in also has objects.
    return data.startswith(b"%PDF-") or (b"%PDF-" in data[:1024] and b"endobj" in data)


def _is_rtf(data: bytes) -> bool:
    return data.lstrip()[:5] == b"{\\rtf"


def _binary_reader(data: bytes, name: str) -> tuple[str, Reader] | None:
    """Return the format of a file that is not plain text, and its reader; None if unknown."""
    if _is_pdf(data):
        from longsum.documents.readers.pdf.pdf import read_pdf

        return "pdf", read_pdf
    if _is_rtf(data):
        from longsum.documents.readers.office.rtf import read_rtf

        return "rtf", read_rtf
    if is_mail(data):
        from longsum.documents.readers.plain.mail_messages import read_mail

        return "mail", read_mail
    if not data.startswith(_ZIP):
        return None
    from longsum.documents.readers.html.epub_package import is_epub
    from longsum.documents.readers.office.docx_package import is_docx
    from longsum.documents.readers.office.odt import is_odt, read_odt
    from longsum.documents.readers.zip_archive import entry_names, refusal_of, refuse_too_many

    refuse_too_many(data, name)
    names = entry_names(data)
    if is_epub(data, names):
        from longsum.documents.readers.html.epub import read_epub

        return "epub", read_epub
    if is_odt(data, names):
        return "odt", read_odt
    if is_docx(names):
        from longsum.documents.readers.office.docx import read_docx

        return "docx", read_docx
    raise refusal_of(data, name)


_TextReader = Callable[[str, Source], Document]


@dataclass(frozen=True, slots=True)
class _TextFile:
    """A file of text whose format is known."""

    text: str
    warnings: Sequence[str]
    format: str
    reader: _TextReader

    def read(self, name: str) -> Document:
        document = self.reader(self.text, Source(name, self.format))
        return replace(document, warnings=(*self.warnings, *document.warnings))


def _text_file(data: bytes, name: str, limits: ReadLimits) -> _TextFile:
    for magic, kind in _UNREADABLE:
        if data.startswith(magic):
            cure = "convert it to PDF, HTML, Markdown or plain text"
            raise LongsumError(
                f"{name or 'The input'} is {kind}, which longsum cannot read; "
                f"{'unpack it' if kind.endswith('compressed') else cure} first."
            )
    text, warnings = decode(data, name)
    if len(text) > limits.characters:
        raise limits.refusal(name, "characters")
    if "<DOCUMENT>" in text[:_ROOT_WITHIN]:
        from longsum.documents.readers.plain.submissions import documents_of

        if (submission := documents_of(text, _is_page)) is not None:
            text, told = submission
            warnings = [*warnings, *filter(None, [told])]
    if "INT." in text and text.lstrip()[:1] not in ("<", "{"):
        from longsum.documents.readers.plain.spoken_forms import as_screenplay

        text = as_screenplay(text) or text
    # Prose has any number of them.
    most = max(limits.pieces, len(text.encode("utf-8", "replace")) // LEAST_PIECE)
    if len(text) > limits.pieces and pieces_of(text) > most:
        raise limits.refusal(name, "pieces")
    return _TextFile(text, warnings, *_choose(text, Path(name).suffix.lower(), limits))


def pieces_of(text: str) -> int:
    """Return how many paragraphs, items and sentences a reader may find in a text."""
    low = text.lower()
    # Three cells of a table count as one piece, and one elsewhere is a paragraph.
    apart = "".join(part.partition("</table")[2] for part in f"</table{low}".split("<table"))
    cells, loose = (each.count("<td") + each.count("<th") for each in (low, apart))
    return cells // 3 + loose + sum(1 for _ in _PIECE.finditer(text))


def _xml_reader(text: str, suffix: str, limits: ReadLimits) -> tuple[str, _TextReader] | None:
    """Return the format of an XML file and its reader, by its document element."""
    start = text[:_ROOT_WITHIN].lstrip()
    if not start.startswith("<"):
        return None
    from longsum.documents.readers.xml.xml_tree import root_of

    name, attributes = root_of(start)
    if name in _JATS_ROOTS and (name != "article" or _JATS_SIGN.search(attributes + text[:4096])):
        from longsum.documents.readers.xml.jats import read_jats

        return "jats", partial(read_jats, limits=limits)
    if name in _TEI_ROOTS:
        from longsum.documents.readers.xml.tei import read_tei

        return "tei", partial(read_tei, limits=limits)
    if name == "mediawiki":
        from longsum.documents.readers.plain.marked_lines import read_wiki_export

        return "xml", partial(read_wiki_export, limits=limits)
    if name in _PATENT_ROOTS:
        from longsum.documents.readers.xml.uspto import read_patent

        return "patent", partial(read_patent, limits=limits)
    if name == "document" and "opendocument" in attributes:
        from longsum.documents.readers.office.odt import read_fodt

        return "odt", partial(read_fodt, limits=limits)
    # A chapter in a separate file need not declare that it is XML; it is one element.
    end = text.rstrip()
    if end.endswith("-->"):
        end = end[: end.rfind("<!--")].rstrip()
    if name.lower() in {"", *_PAGE_ROOTS} or not end.endswith(f"{name}>"):
        return None
    marked = suffix in (*_MARKED_SUFFIXES, *_MARKED_LINES) or "1999/xhtml" in attributes
    unlike_page = suffix == ".xml" or _HTML_START.match(start) is None
    if _OTHER_VOCABULARY.search(attributes) or (unlike_page and not marked):
        return "xml", partial(_read_xml, limits=limits)
    return None


def _read_xml(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read XML; read a file that only looks like it and has no sentence as whatever it may be."""
    from longsum.documents.readers.html.html import read_html
    from longsum.documents.readers.plain.text import read_text
    from longsum.documents.readers.xml.other_xml import read_other_xml

    try:
        return read_other_xml(text, source, limits)
    except LongsumError:
        if _HTML_START.match(text):
            return read_html(text, replace(source, format="html"), limits)
        if text.lstrip().startswith("<?xml"):
            raise
        return read_text(text, replace(source, format="text"))


def _marked_lines(text: str, suffix: str) -> str:
    """Return the name of a markup with self-describing lines; empty if it is none."""
    if suffix not in ("", ".txt"):
        return _MARKED_LINES.get(suffix, "") if _MARKED_LINE.search(text) else ""
    if _ORG.search(text):
        return "org"
    links = "[[" in text and ("'''" in text or "{{" in text)
    return "mediawiki" if links and len(_WIKI_HEADING.findall(text)) >= 2 else ""


def _has_atx_headings(text: str) -> bool:
    """Return whether a text has Markdown headings, not just comments of programs.

    Below most headings stands a blank line, below most comments the code.
    """
    found = list(_ATX_HEADING.finditer(text))
    apart = sum(_BLANK_BELOW.match(text, heading.end()) is not None for heading in found)
    return len(found) >= 2 and 2 * apart >= len(found)


def _choose(text: str, suffix: str, limits: ReadLimits) -> tuple[str, _TextReader]:
    start = text[:4096]
    if start.lstrip()[:1] in ("{", "["):
        from longsum.documents.readers.json.json import holds_json, read_json

        if suffix in (".json", ".jsonl") or holds_json(text):
            return "json", read_json
    if suffix in (".csv", ".tsv"):
        from longsum.documents.readers.json.other_json import read_rows

        return "csv", read_rows
    if (xml := _xml_reader(text, suffix, limits)) is not None:
        return xml
    if _LATEX.match(text) or (suffix in _LATEX_SUFFIXES and "\\" in text):
        from longsum.documents.readers.latex.latex import read_latex

        return "latex", read_latex
    if marked := _marked_lines(text[:_ROOT_WITHIN], suffix):
        from longsum.documents.readers.plain.marked_lines import read_marked_lines

        return marked, read_marked_lines
    many_headings = _has_atx_headings(text)
    # Markdown may open with a raw HTML block, such as a centred title.
    html = _HTML_START.match(start)
    opens_as_html = html and (html["page"] or not many_headings)
    other_xml = start.lstrip().startswith("<?xml") and "<html" not in start
    named_html = suffix in _HTML_SUFFIXES and not other_xml
    if opens_as_html or (named_html and _TAG.search(text)):
        from longsum.documents.readers.html.html import read_html

        return "html", partial(read_html, limits=limits)
    if start.lstrip().startswith("<?xml"):
        return "xml", partial(_read_xml, limits=limits)
    named = suffix in _ASCIIDOC_SUFFIXES
    if named or not (many_headings or suffix in _MARKDOWN_SUFFIXES):
        from longsum.documents.readers.plain.asciidoc import is_asciidoc, read_asciidoc
        from longsum.documents.readers.plain.rst import is_rst, read_rst

        if not named and is_rst(text, suffix):
            return "rst", read_rst
        if is_asciidoc(text, named=named):
            return "asciidoc", read_asciidoc
    if suffix in _MARKDOWN_SUFFIXES or many_headings:
        from longsum.documents.readers.plain.markdown import read_markdown

        return "markdown", read_markdown
    from longsum.documents.readers.plain.text import read_text

    return "text", read_text


# Suffixes of formats that longsum reads itself, the most common ones: no package is searched.
_OURS = frozenset(
    {
        *(".adoc", ".asc", ".asciidoc", ".csv", ".docx", ".eml", ".epub", ".fodt", ".htm", ".html"),
        *(".json", ".jsonl", ".latex", ".lhs", ".log", ".ltx", ".markdown", ".mbox"),
        *(".md", ".mdx", ".mediawiki", ".rnw"),
        *(".odt", ".org", ".pdf", ".qmd", ".rmd", ".rst", ".rtf", ".srt", ".tei", ".tex", ".text"),
        *(".txt", ".vtt", ".wiki", ".xht", ".xhtml", ".xml"),
    }
)


def registered_reader(name: str) -> Reader | None:
    """Return another package's reader for a file's name; None if longsum reads it."""
    suffix = Path(name).suffix.lower()
    if not suffix or suffix in _OURS:
        return None
    reader: Reader | None = find("readers", suffix.removeprefix("."))
    return reader


def is_mail(data: bytes) -> bool:
    """Return whether a file is a message, or a mailbox of messages, by its header fields."""
    head = data[:_MAIL_HEAD].replace(b"\r\n", b"\n").lstrip()
    mailbox = _MAILBOX.match(head)
    fields = _MAIL_FIELDS.match(head, mailbox.end() if mailbox else 0)
    known = {name.lower() for name in _KNOWN_FIELDS.findall(fields[0])} if fields else set()
    if fields is None or known.isdisjoint((b"from", b"subject")):
        return False
    below = head[fields.end() :].split(b"\n", 1)[0]
    return (
        mailbox is not None
        or not known.isdisjoint((b"mime-version", b"content-type"))
        or (len(known) >= _FEWEST_FIELDS and not below.strip())
    )
