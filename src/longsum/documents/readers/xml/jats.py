"""Reader of JATS, the XML of journal articles (ANSI/NISO Z39.96), and of its predecessor NLM."""

import re
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import REFERENCE
from longsum.documents.readers.xml.sectioned_xml import (
    SectionedWalk,
    Vocabulary,
    parse_whole,
    shifted,
)
from longsum.documents.readers.xml.xml_tree import attribute, outside
from longsum.language.characters import clean

_VOCABULARY = Vocabulary(
    sections=frozenset({"sec", "app", "abstract", "ack", "glossary", "notes", "boxed-text"}),
    titles=frozenset({"title"}),
    labels=frozenset({"label"}),
    blocks={
        **dict.fromkeys(("p", "verse-line", "speech")),
        "attrib": "fragment",
        **dict.fromkeys(("list-item", "def-item"), "list_item"),
    },
    left_out={
        **dict.fromkeys(("fig", "fig-group"), "figure"),
        **dict.fromkeys(("graphic", "inline-graphic", "media"), "picture"),
        **dict.fromkeys(("table-wrap", "table-wrap-group", "array"), "table"),
        **dict.fromkeys(("disp-formula", "disp-formula-group"), "formula"),
        **dict.fromkeys(("code", "preformat"), "code block"),
        "fn": "footnote",
        "supplementary-material": "supplement",
        "trans-abstract": "translated abstract",
        "bio": "biography",
        **dict.fromkeys(("sub-article", "response"), "reply to the article"),
    },
    skipped=frozenset(
        {"tex-math", "object-id", "permissions", "sec-meta", "kwd-group", "copyright-statement",
         "processing-meta"}
    ),
)  # fmt: skip
_ABSTRACTS = ("abstract", "trans-abstract")
_PARTS = ("body", "back", "floats-group", "sub-article", "response")
# Sections that have a heading on the page even if the file states none.
_NAMED = {"abstract": "Abstract", "ack": "Acknowledgments"}
_NOTES = frozenset({"fn", "aff", "table-fn", "author-notes", "corresp"})
_REFERRING = _NOTES | {"bibr"}
_MARKS = re.compile(r"[\s,;–—‐-]*")
_BETWEEN_MARKS = ("", ",", ";")


def read_jats(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read a journal article: `sec` makes sections, after the abstract.

    Metadata other than title and abstracts is not read. Figures, tables, formulas on lines of their
    own, notes, references, supplements and replies are left out, each as an `Omission`; so are the
    superscript numbers that point to notes and references.

    Raises:
        LongsumError: It is not well formed, nested too deeply, or has several articles or none.
    """
    root = parse_whole(text, source, limits)
    articles = [root] if root.tag == "article" else list(root.iter("article"))
    if len(articles) != 1:
        raise LongsumError(
            f"{source.name or 'The input'} contains {len(articles)} articles; give a file with one."
        )
    article = articles[0]
    walk = _Walk()
    walk.builder.language = attribute(article, "lang")
    for meta in article.findall("front/article-meta"):
        for abstract in meta.iterchildren(*_ABSTRACTS):
            walk.read(abstract)
    for part in article.iterchildren(*_PARTS):
        walk.read(part)
    return walk.builder.build(_title(article), source)


def _title(article: Any) -> str:
    group = article.find("front/article-meta/title-group")
    if group is None:
        return ""
    parts = (group.find(tag) for tag in ("article-title", "subtitle"))
    marks = frozenset({"xref", "fn"})
    texts = (clean("".join(outside(part, marks))) for part in parts if part is not None)
    return ": ".join(filter(None, texts))


class _Walk(SectionedWalk):
    vocabulary = _VOCABULARY

    def special(self, element: Any) -> bool:
        tag = element.tag
        if tag in _NAMED and element.find("title") is None:
            self.flush()
            self.builder.heading(1, _NAMED[tag])
        elif tag == "ref-list":
            self.listing(element, REFERENCE, ("ref",))
            return True
        elif tag == "fn-group":
            self.listing(element, "footnote", ("fn",))
            return True
        elif tag == "xref":
            return _is_mark(element)
        elif tag in ("sup", "sub"):
            return self._shifted(element)
        elif tag == "inline-formula":
            self.add(f" {_formula(element)} ")
            return True
        elif tag == "def" or tag == "break":
            self.add(": " if tag == "def" else " ")
        return False

    def is_titled(self, section: Any) -> bool:
        return section.tag in _NAMED or super().is_titled(section)

    def _shifted(self, element: Any) -> bool:
        """Add a superscript or subscript, unless it is a mark that points elsewhere."""
        marks = element.findall("xref")
        pointing = any(attribute(mark, "ref-type") in _REFERRING for mark in marks)
        rest = (element.text or "") + "".join(mark.tail or "" for mark in marks)
        text = "".join(element.itertext())
        if not (pointing and _MARKS.fullmatch(rest)) and text.strip() not in _BETWEEN_MARKS:
            self.add(shifted(text, up=element.tag == "sup"))
        return True


def _is_mark(reference: Any) -> bool:
    """Return whether a reference is the mark of a note, or the raised number of a reference."""
    kind = attribute(reference, "ref-type")
    return kind in _NOTES or (kind == "bibr" and reference.find("sup") is not None)


def _formula(element: Any) -> str:
    """Return a formula as MathML shows it, which TeX in the same element only repeats."""
    math = next(element.iter("math"), None)
    if math is not None:
        return "".join("".join(math.itertext()).split())
    return "".join(t or "" for t in element.xpath(".//text()[not(ancestor::tex-math)]")).strip()
