"""Reader of Markdown (CommonMark with tables)."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Source
from longsum.documents.readers.omitted import Omitted

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?P<fields>.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL
)
_TITLE_FIELD = re.compile(r"^title:[ \t]*[\"']?(?P<title>.+?)[\"']?[ \t]*$", re.MULTILINE)
_OMITTED = {"fence": "code block", "code_block": "code block", "html_block": "HTML block"}


def read_markdown(text: str, source: Source, warnings: list[str]) -> Document:
    """Read Markdown: headings make sections; paragraphs, list items and quotations make text.

    Front matter gives the title if it has one. Code blocks, tables and raw HTML blocks are left
    out, and a warning counts them.
    """
    builder = DocumentBuilder()
    builder.warnings.extend(warnings)
    title, text = _front_matter(text)
    omitted = Omitted()
    heading: int | None = None
    tables = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open":
            tables += 1
            omitted.count("table")
        elif token.type == "table_close":
            tables -= 1
        elif token.type == "heading_open":
            heading = int(token.tag[1:])
        elif token.type in _OMITTED:
            omitted.count(_OMITTED[token.type])
        elif token.type == "inline" and not tables:
            words = inline_text(token)
            if heading is None:
                builder.paragraph(words)
            else:
                builder.heading(heading, words)
                heading = None
    builder.warnings.extend(omitted.warnings())
    return builder.build(title, source)


def inline_text(token: Token) -> str:
    """Return the words of an inline token, without marks, link targets and raw HTML."""
    words = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            words.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            words.append(" ")
        elif child.type == "image":
            words.append(inline_text(child))
    return "".join(words)


def _front_matter(text: str) -> tuple[str | None, str]:
    found = _FRONT_MATTER.match(text)
    if not found:
        return None, text
    title = _TITLE_FIELD.search(found["fields"])
    return title and title["title"], text[found.end() :]
