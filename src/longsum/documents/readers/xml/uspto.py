"""Reader of patents and applications as the USPTO publishes them in XML.

Elements in lower case are those of grants and applications since 2005 (`us-patent-grant`) and of
applications from 2001 on; those in capitals are of grants of that earlier time (`PATDOC`).
"""

from typing import Any

from longsum.documents.model import Document, Source
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.xml.sectioned_xml import (
    SectionedWalk,
    Vocabulary,
    parse_whole,
    shifted,
)
from longsum.documents.readers.xml.xml_tree import whole_number
from longsum.language.characters import clean

_VOCABULARY = Vocabulary(
    sections=frozenset(),
    titles=frozenset(),
    labels=frozenset(),
    blocks={
        **dict.fromkeys(("p", "paragraph", "PARA", "dd")),
        **dict.fromkeys(("li", "claim-text", "CLM", "CLMSTEP", "LI"), "list_item"),
    },
    left_out={
        **dict.fromkeys(("tables", "table-cwu", "table", "TABLE-US", "TABLE-CWU"), "table"),
        **dict.fromkeys(("maths", "math-cwu", "math", "MATH-US", "MATH-CWU"), "formula"),
        **dict.fromkeys(("chemistry", "chemistry-cwu", "CHEM-US", "CHEM-CWU"), "formula"),
        **dict.fromkeys(("img", "image", "EMI"), "picture"),
    },
    skipped=frozenset({"number"}),
)
_TITLES = ("invention-title", "title-of-invention", "B540")
# The parts that are read, in this order, and their titles.
_PARTS = (
    (("abstract", "subdoc-abstract", "SDOAB"), "Abstract"),
    (("description", "subdoc-description", "SDODE"), ""),
    (("claims", "subdoc-claims", "SDOCL"), "Claims"),
)
_HEADINGS = {"heading": ("level", "lvl"), "H": ("LVL",)}
# Whether an element is raised, or lowered.
_SHIFTED = {
    **dict.fromkeys(("sup", "superscript", "SP"), True),
    **dict.fromkeys(("sub", "sub2", "subscript", "SB"), False),
}


def read_patent(text: str, source: Source, limits: ReadLimits) -> Document:
    """Read a patent or an application: its abstract, its description by its headings, its claims.

    Formulas, tables and pictures are left out, each as an `Omission`; what identifies the document
    and its parties is not read.

    Raises:
        LongsumError: It is not well formed or nested too deeply.
    """
    root = parse_whole(text, source, limits)
    walk = _Walk()
    walk.builder.language = "en"
    for names, title in _PARTS:
        for part in root.iter(*names):
            if title or not _opens_with_heading(part):
                walk.builder.heading(1, title)
            walk.read(part)
    named = next(root.iter(*_TITLES), None)
    return walk.builder.build(None if named is None else clean("".join(named.itertext())), source)


def _opens_with_heading(part: Any) -> bool:
    first = next(part.iter(*_HEADINGS, *_VOCABULARY.blocks), None)
    return first is not None and first.tag in _HEADINGS


class _Walk(SectionedWalk):
    vocabulary = _VOCABULARY

    def special(self, element: Any) -> bool:
        tag = element.tag
        if tag in _HEADINGS:
            self.flush()
            level = next(filter(None, map(element.get, _HEADINGS[tag])), None)
            self.builder.heading(whole_number(level) or 1, "".join(element.itertext()))
            return True
        if tag in _SHIFTED:
            self.add(shifted("".join(element.itertext()), up=_SHIFTED[tag]))
            return True
        if tag == "br":
            self.add(" ")
        return False
