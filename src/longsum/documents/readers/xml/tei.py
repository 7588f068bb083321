"""Reader of TEI (Text Encoding Initiative, P5), as editions and GROBID write it."""

import re
from typing import Any

from longsum.common.errors import LongsumError
from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.structure.contents_and_indexes import LISTED, REFERENCE
from longsum.documents.readers.xml.sectioned_xml import (
    SectionedWalk,
    Vocabulary,
    parse_whole,
    shifted,
)
from longsum.documents.readers.xml.xml_tree import attribute, shown, whole_number
from longsum.language.characters import clean

_VOCABULARY = Vocabulary(
    sections=frozenset({"div", *(f"div{level}" for level in range(1, 8)), "abstract"}),
    titles=frozenset({"head"}),
    labels=frozenset(),
    blocks={
        **dict.fromkeys(("p", "ab", "lg", "sp", "epigraph", "quote")),
        "item": "list_item",
        "head": "heading",
        "stage": "stage_direction",
        **dict.fromkeys(("byline", "dateline", "salute", "signed"), "fragment"),
        **dict.fromkeys(("trailer", "closer", "opener"), "fragment"),
    },
    left_out={
        "note": "footnote",
        "table": "table",
        "formula": "formula",
        "fw": "running head",
        "del": "deleted passage",
        "graphic": "picture",
        **dict.fromkeys(("code", "eg"), "code block"),
    },
    skipped=frozenset({"titlePage", "speaker", "gap", "figDesc", "teiHeader", "facsimile"}),
)
_LISTINGS = frozenset({"contents", "toc", "index", "figures", "tables"})
# Of two readings of a passage, the editor's correction or expansion.
_LESS_READ = frozenset({"sic", "orig", "abbr"})
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)\.?|[A-Z]\.(\d{1,3}(?:\.\d{1,3})*)\.?|[IVXLC]+\.?")
_SHIFTED = ("superscript", "sup", "subscript", "sub")


def read_tei(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read a TEI text: `div` makes sections, `head` their titles, `pb` pages.

    If divisions are not nested but their heads have numbers, as in GROBID's output, the numbers
    give the levels. The header gives title, language and abstract. Notes, tables, figures, running
    heads, deletions and references are left out, each as an `Omission`. Speakers of plays precede
    what they say.

    Raises:
        LongsumError: It is not well formed, nested too deeply, or has several texts or none.
    """
    root = parse_whole(text, source, limits)
    documents = [root] if root.tag in ("TEI", "TEI.2") else list(root.iter("TEI", "TEI.2"))
    if len(documents) != 1 or documents[0].find("text") is None:
        found = sum(document.find("text") is not None for document in documents)
        raise LongsumError(
            f"{source.name or 'The input'} contains {found} TEI texts; give a file with one."
        )
    document = documents[0]
    body = document.find("text")
    for quote in list(body.iter("quote")):
        if _is_within_text(quote):
            quote.tag = "q"
    walk = _Walk(flat=_is_flat(body))
    for abstract in document.iterfind("teiHeader/profileDesc/abstract"):
        walk.read(abstract)
    walk.read(body)
    walk.builder.language = _language(document)
    return walk.builder.build(_title(document), source)


def _is_within_text(quote: Any) -> bool:
    """Return whether a quotation is a part of a sentence, without a paragraph of its own."""
    above = quote.getparent()
    texts = [above.text, *(each.tail for each in above)]
    return any(text and text.strip() for text in texts) and not any(
        each.tag in _VOCABULARY.blocks for each in quote.iterdescendants("*")
    )


def _title(document: Any) -> str | None:
    """Return the main title; None if the header has none, so that a heading may be it."""
    titles = document.findall("teiHeader/fileDesc/titleStmt/title")
    main = [title for title in titles if title.get("type") in (None, "main")] or titles
    return clean("".join(main[0].itertext())) or None if main else None


def _language(document: Any) -> str | None:
    for element in (document.find("text"), document.find("teiHeader"), document):
        if element is not None and (stated := attribute(element, "lang")):
            return stated
    stated = document.find("teiHeader/profileDesc/langUsage/language")
    return None if stated is None else stated.get("ident")


def _is_flat(body: Any) -> bool:
    """Return whether no division with a head is in another, although a head has a deep number."""
    heads = [head for head in body.iter("head") if head.getparent().tag == "div"]
    titled = {head.getparent() for head in heads}
    nested = any(above in titled for division in titled for above in division.iterancestors("div"))
    return not nested and any("." in (head.get("n") or "").rstrip(".") for head in heads)


class _Walk(SectionedWalk):
    vocabulary = _VOCABULARY

    def __init__(self, *, flat: bool) -> None:
        super().__init__()
        self._flat = flat

    def rank(self, title: Any) -> int:
        found = _NUMBER.fullmatch(title.get("n") or "") if self._flat else None
        number = found and (found[1] or found[2])
        return number.count(".") + 1 if number else super().rank(title)

    def special(self, element: Any) -> bool:
        tag = element.tag
        if (
            tag == "abstract"
            and element.find("head") is None
            and "".join(element.itertext()).strip()
        ):
            self.builder.heading(1, "Abstract")
        elif (
            tag == "head"
            and element.get("n")
            and not (element.text or "").startswith(element.get("n"))
        ):
            self.flush()
            element.text = f"{element.get('n')} {element.text or ''}"
        elif tag == "formula" and element.getparent().tag in ("p", "item"):
            # A formula within a sentence belongs to it.
            self.add(" ".join(element.itertext()))
            return True
        elif tag == "ab" and (element.get("type") or "").startswith("code"):
            self.leave_out("code block", "".join(element.itertext()))
            return True
        elif tag == "listBibl":
            self.listing(element, REFERENCE, ("bibl", "biblStruct", "biblFull"))
            return True
        elif tag.startswith("div") and element.get("type") in _LISTINGS:
            self.listing(element, LISTED, ("item", "p", "l", "row"))
            return True
        elif tag == "figure":
            kind = "table" if element.get("type") == "table" else "figure"
            self.leave_out(kind, shown(element))
            return True
        elif tag == "sp":
            _name_speaker(element)
        else:
            return self._inline(element, tag)
        return False

    def _inline(self, element: Any, tag: str) -> bool:
        """Handle an element within a paragraph; return whether that is all there is to do."""
        if tag in ("l", "lb", "label"):
            self.add(" ")
        elif tag == "pb":
            self._turn_page(element.get("n"))
        elif tag in _LESS_READ:
            return bool(element.getparent().tag == "choice")
        elif tag == "hi" and element.get("rend") in _SHIFTED:
            text = "".join(element.itertext())
            self.add(shifted(text, up=element.get("rend").startswith("sup")))
            return True
        return False

    def _turn_page(self, number: str | None) -> None:
        self.page = whole_number(number) or (self.page or 0) + 1


def _name_speaker(speech: Any) -> None:
    """Put the speaker before the first words, where labels of speakers are looked for."""
    speaker, said = speech.find("speaker"), next(speech.iter("p", "ab", "lg", "l"), None)
    if speaker is not None and said is not None:
        name = clean("".join(speaker.itertext())).rstrip(".:")
        said.text = f"{name}: {said.text or ''}"
