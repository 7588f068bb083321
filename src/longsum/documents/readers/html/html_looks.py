"""The looks of a page that marks no headings: its headings, running heads and page breaks.

In filings, minutes and whatever a word processor saves as HTML, only the type shows what is a
heading. The page is walked twice: first to see how its blocks look, each identified by its number.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from lxml import html

from longsum.documents.readers.structure.furniture import find_furniture
from longsum.documents.readers.structure.heading_inference import Block, Inferred, infer_headings
from longsum.language.sentences import ends_as_sentence, opens_lower

_BREAK = re.compile(r"break-(before|after)\s*:\s*(?:always|page)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Looks:
    """The roles of blocks, by their numbers.

    Attributes:
        headings: The headings.
        running: Running heads and page numbers.
        divided: Paragraphs that continue in the next block of text, on the next page.
    """

    headings: Mapping[int, Inferred] = field(default_factory=dict)
    running: frozenset[int] = frozenset()
    divided: frozenset[int] = frozenset()


class Pages:
    """The blocks of a page without headings, as they would be printed."""

    def __init__(self) -> None:
        self._pages: list[list[Block]] = [[]]

    def add(self, block: Block) -> None:
        """Add a block; its element is its number."""
        self._pages[-1].append(block)

    def turn(self, element: html.HtmlElement, when: str) -> None:
        """Begin a new page if an element does so `before` or `after` itself."""
        style = element.get("style")
        if style and (found := _BREAK.search(style)) and found[1].lower() == when:
            self._pages.append([])

    def looks(self) -> Looks:
        """Return the roles of the blocks."""
        furniture = find_furniture([[block.text for block in page] for page in self._pages])
        bodies: list[list[Block]] = []
        running: list[int] = []
        for page, places in zip(self._pages, furniture, strict=True):
            running += [page[place].element for place in places]
            if body := [block for place, block in enumerate(page) if place not in places]:
                bodies.append(body)
        divided = [
            before[-1].element
            for before, after in pairwise(bodies)
            if _goes_on(before[-1], after[0])
        ]
        headings = infer_headings([block for body in bodies for block in body]).headings
        return Looks(headings, frozenset(running), frozenset(divided) - headings.keys())


def _goes_on(last: Block, first: Block) -> bool:
    """Return whether two blocks around a page break are one paragraph."""
    if last.apart or first.apart or last.type != first.type:
        return False
    return (
        opens_lower(first.text) and not ends_as_sentence(last.text) and last.text[-1:] not in ":;"
    )
