"""Reader of Markdown (CommonMark with tables)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from longsum.documents.conservation import CODE, FRONT_MATTER, HTML_BLOCK, tabbed
from longsum.documents.model import Document, Kind, Source
from longsum.documents.readers.structure.contents_and_indexes import (
    ListingsBuilder,
    count_links,
    leads_within,
)
from longsum.documents.speakers import split_turns

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\n(?P<fields>(?:[ \t]*(?:#.*)?\n)*[\w-]+:(?s:.*?)\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)"
)
# What only some programs know; see `markdown_dialects`.
_DIALECT = re.compile(
    r"\{[:.#%]|\{\{[<%?!A-Z]|[\])`]\{|\[\]\(#|@(?:fig|tbl|eq|sec|lst)[:-]|@\w{2,30}\d\d\w{0,20}[\];]"
    r"|^[ \t]*(?::(?:::|[ \t])|///|!!!\s|\?\?\?|===.?[ \t]+\"|\\(?:new|page|clear)|--+[ \t]+--)"
    r"|^(?:import|export)\s|\[!\w|\[_?toc|^ {0,3}\*\*[^*\n]{2,100}\*\*:?[ \t]*\n",
    re.IGNORECASE | re.MULTILINE,
)
_FIELD = re.compile(r"^(title|lang|language):(.*)$", re.MULTILINE)
_OMITTED = {"fence": CODE, "code_block": CODE, "html_block": HTML_BLOCK}
# What Pandoc writes around HTML.
_RAW_HTML = "{=html}"
_TAG = re.compile(r"<[^<>]*>")
_LIST_ENDS = frozenset({"bullet_list_close", "ordered_list_close"})
# A template tag as the target of a link: `[GitHub]({% page "/github/" %})`.
_TEMPLATE = re.compile(r"(?<=\]\(){[%{][^\n{}]{1,200}[%}]}(?=[^\s()]*\))")
# An item of words, not `- name: value` or `* a = b`.
_ITEM = re.compile(
    r"\s*(?:[-*+•]|\d{1,3}[.)]|\(?[a-z]\))[ \t]++(?![\w.-]+:(?:\s|\Z)|[^\n]*[={}<>|])\S"
)
_QUOTE_MARKS = re.compile(r"(?: {0,3}>)+[ \t]?")
# Words of a link that is no statement.
_LONGEST_LINK = 12
_INNER_QUOTE_MARKS = re.compile(r"^(?:[ \t]*>)+[ \t]?", re.MULTILINE)

# The parser is quadratic in the length of a paragraph at worst, and silently drops whatever is
# nested deeper than its limit.
_LONGEST_PARAGRAPH = 20_000
_DEEPEST_NESTING = 100


def read_markdown(text: str, source: Source) -> Document:
    """Read Markdown: headings make sections; paragraphs, list items and quotations make text.

    Footnotes (`[^1]: …`) are of that kind, and their marks in the text are left out. Front matter
    may give title and language. It and code blocks, tables, raw HTML blocks, comments, paragraphs
    with only pictures and tables of contents are left out, and a warning counts them. A paragraph
    of more than 20,000 characters keeps its markup, and a file with lists nested 50 deep is read as
    plain text, with warnings.
    """
    title, language, fields, text = _front_matter(text)
    if _DIALECT.search(text):
        from longsum.documents.readers.plain.markdown_dialects import plain_markdown

        text = plain_markdown(text)
    notes = None
    if "[^" in text:
        from longsum.documents.readers.plain.markdown_notes import MarkdownNotes

        notes = MarkdownNotes(text)
    tokens, unparsed = _parse(notes.text if notes else text)
    if any(token.level >= _DEEPEST_NESTING - 2 for token in tokens):
        from longsum.documents.readers.plain.text import read_text

        nested = "Its lists are nested too deeply for Markdown; it was read as plain text."
        document = read_text(text, source, title)
        return replace(document, warnings=(nested, *document.warnings))
    builder = ListingsBuilder()
    builder.language = language
    if fields:
        builder.omit(FRONT_MATTER, fields)
    if unparsed:
        builder.warnings.append(
            f"Paragraphs that keep their Markdown markup, as they are too long: {unparsed}."
        )
    heading: int | None = None
    tables = items = 0
    cells: list[str] = []
    for token in _with_loose_items(tokens):
        if token.type in ("list_item_open", "list_item_close"):
            items += token.nesting
        if token.type == "table_open":
            tables += 1
            cells = []
        elif token.type == "table_close":
            tables -= 1
            builder.omit("table", "".join(cells))
        elif token.type == "tr_close":
            cells.append("\n")
        elif token.type == "heading_open":
            heading = int(token.tag[1:])
        elif (html := _is_html(token)) and token.content.lstrip().startswith("<!--"):
            builder.omit("comment", token.content)
        elif token.type in _OMITTED:
            content = _TAG.sub("", token.content) if html else token.content
            builder.omit(HTML_BLOCK if html else _OMITTED[token.type], tabbed(content))
        elif token.type == "inline" and tables:
            cells.append(_inline_text(token).replace("\n", " ") + "\t")
        elif token.type == "inline":
            lines, footnotes = _inline_text(token).split("\n"), list[str]()
            if notes:
                lines, footnotes = notes.apart(lines)
            words = " ".join(lines)
            if heading is not None:
                builder.heading(heading, words)
                heading = None
            elif _is_pictures(token):
                builder.omit("picture", words)
            elif not footnotes and (links := _links(token)):
                builder.links(words, links)
            else:
                item: Kind = "reference" if _is_link(token) else "list_item"
                for turn in split_turns(lines):
                    builder.paragraph(" ".join(turn), kind=item if items else None)
            for note in footnotes:
                builder.paragraph(note, kind="footnote")
    return builder.build(title, source)


def _parse(text: str) -> tuple[list[Token], int]:
    """Return the tokens, and the number of paragraphs too long to be parsed."""
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST_NESTING}).enable("table")
    references: dict[str, Any] = {}
    # The parser's own rule for quotations can take quadratic time.
    parser.disable(["blockquote", "inline"])
    tokens = parser.parse(_TEMPLATE.sub("-", _without_quote_marks(text)), references)
    unparsed = 0
    for token in tokens:
        if token.type != "inline":
            continue
        content = _INNER_QUOTE_MARKS.sub("", token.content)
        token.children = []
        if len(content) <= _LONGEST_PARAGRAPH:
            parser.inline.parse(content, parser, references, token.children)
        else:
            token.children.append(Token("text", "", 0, content=content))
            unparsed += 1
    return tokens, unparsed


def _with_loose_items(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield tokens, with items that were parsed as code.

    They are indented too little for the list above, or too far for a list without one.
    """
    below = False
    for token in tokens:
        if token.type == "code_block" and (below or _ITEM.match(token.content)):
            yield from _parse(token.content)[0]
            continue
        below = token.type in _LIST_ENDS
        yield token


def _without_quote_marks(text: str) -> str:
    """Strip quotation marks (`>`), with a blank line before each quotation."""
    lines: list[str] = []
    quoted = False
    for line in text.split("\n"):
        found = _QUOTE_MARKS.match(line)
        if found and not quoted:
            lines.append("")
        quoted = found is not None
        lines.append(line[found.end() :] if found else line)
    return "\n".join(lines)


def _inline_text(token: Token) -> str:
    """Return the lines of an inline token, without markup, link targets and raw HTML."""
    words = []
    for child in token.children or ():
        if child.type in ("text", "text_special", "code_inline"):
            words.append(child.content)
        elif child.type in ("softbreak", "hardbreak") or child.content.startswith("<br"):
            words.append("\n")
        elif child.type == "image":
            words.append(_inline_text(child))
    return "".join(words)


def _is_html(token: Token) -> bool:
    return token.type == "html_block" or (token.type == "fence" and token.info == _RAW_HTML)


def _is_pictures(token: Token) -> bool:
    """Return whether an inline token has only pictures, such as badges, perhaps with links."""
    children = token.children or ()
    pictures = [child for child in children if child.type == "image"]
    return bool(pictures) and not any(
        child.content.strip() for child in children if child.type != "image"
    )


def _is_link(token: Token) -> bool:
    """Return whether an inline token is a link to elsewhere, whose text is no sentence."""
    children = [
        child
        for child in token.children or ()
        if child.type.startswith("link_") or (child.content.strip() and not child.nesting)
    ]
    text = _inline_text(token).strip()
    return (
        len(children) > 2
        and [children[0].type, children[-1].type] == ["link_open", "link_close"]
        and sum(child.type == "link_open" for child in children) == 1
        and not leads_within(str(children[0].attrs.get("href", "")))
        and len(text.split()) <= _LONGEST_LINK
        and text[-1:] not in ".!?:;"
    )


def _links(token: Token) -> int:
    """Return the number of links within the document if they make up most of an inline token."""
    links = letters = linked = 0
    within = False
    for child in token.children or ():
        if child.type == "link_open":
            within = leads_within(str(child.attrs.get("href", "")))
            links += within
        elif child.type == "link_close":
            within = False
        else:
            here = sum(map(str.isalpha, child.content)) if child.type != "html_inline" else 0
            letters += here
            linked += here if within else 0
    return count_links(letters, linked, links)


def _front_matter(text: str) -> tuple[str | None, str | None, str, str]:
    """Return title and language from the front matter, all its fields, and the text below it."""
    found = _FRONT_MATTER.match(text)
    if not found:
        return None, None, "", text
    stated = {name: value.strip().strip("\"'") for name, value in _FIELD.findall(found["fields"])}
    language = stated.get("lang") or stated.get("language")
    return stated.get("title") or None, language or None, found["fields"], text[found.end() :]
