"""Finds the sentences of a document's back matter: references, contacts, acknowledgements."""

import re

import numpy as np
from numpy.typing import NDArray

from longsum.documents.model import Document, Section

_NUMBER = r"\W*(?:[\dA-Z]{1,3}(?:\.\d+)*\.?\s+)?"
_TITLE = re.compile(
    rf"{_NUMBER}(?:"
    r"references?(?: cited| list)?|bibliography|works cited|literature(?: cited)?"
    r"|(?:further|suggested) reading|related (?:\w+ )?products|foot ?notes|end ?notes"
    r"|(?:.*\bcontacts?\b.*)?acknowled?ge?ments?|contacts?|(?:contact|author) information"
    r"|authors?['’]? contributions?|funding|(?:competing|conflicts? of) interests?(?: statement)?"
    r"|copyright(?: notice)?"
    r")\W*",
    re.IGNORECASE,
)


def in_back_matter(document: Document) -> NDArray[np.bool_]:
    """Return whether each sentence is under a back-matter heading, `[n]`.

    Only English headings are known. Appendices are not back matter: they are part of the content.
    """
    found: list[bool] = []
    pending: list[tuple[Section, bool]] = [(top, False) for top in reversed(document.sections)]
    while pending:
        section, within = pending.pop()
        within = within or _TITLE.fullmatch(section.title) is not None
        found += [within] * len(section.sentences)
        pending.extend((child, within) for child in reversed(section.children))
    return np.array(found, dtype=bool)
