"""Finds where a document starts and ends in a file that says so, as electronic books do."""

import re
from operator import itemgetter

from longsum.documents.model import Document

# The lines between which a file has its document, apart from remarks about the file.
_EDGE = re.compile(r"\*{3} ?(?P<edge>START|END) OF (?P<what>[^*]{3,300})\*{3}")


def bounds_of(document: Document) -> tuple[int, int]:
    """Return where a document starts and ends in its file, by two lines that say so.

    The first line may be omitted, as the head of a page.
    """
    parts = [(part.place, _EDGE.search(part.text)) for part in document.omitted]
    edges = [(found.end(), found) for found in _EDGE.finditer(document.text)]
    edges += [(place, found) for place, found in parts if found]
    edges.sort(key=itemgetter(0))
    if len(edges) >= 2 and [edges[0][1]["edge"], edges[-1][1]["edge"]] == ["START", "END"]:
        first, last = (found["what"].split() for _, found in (edges[0], edges[-1]))
        start, end = edges[0][0], edges[-1][0]
        if first == last and end - start > len(document.text) / 2:
            return start, end
    return 0, len(document.text)
