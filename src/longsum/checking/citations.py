"""Whether a sentence stands on the pages that it cites."""

import re
from collections.abc import Iterator, Sequence

from longsum.core.summaries import Doubt, SourceSpan

# With a name before it, the page is one of another work.
_PAGES = re.compile(
    r"[(\[](?:see |at )?(?:pp?\.|pages?)\s?(\d{1,5})(?:\s?[-–]\s?(\d{1,5}))?[)\]]", re.IGNORECASE
)


def cited_pages(text: str) -> list[tuple[range, int, int]]:
    """Return the pages that a sentence cites, "(p. 34)" or "[pp. 3–5]", with the span of each."""
    found = []
    for match in _PAGES.finditer(text):
        first = int(match[1])
        found.append((range(first, int(match[2] or first) + 1), match.start(), match.end()))
    return found


def misplaced(
    text: str, cited: Sequence[tuple[range, int, int]], sources: Sequence[SourceSpan]
) -> Iterator[Doubt]:
    """Yield the pages cited that none of the sources stands on, where the document has pages.

    A page before or after counts as right: a sentence may go over the page.
    """
    paged = [(source.page, source.sentence) for source in sources if source.page is not None]
    for pages, start, end in cited:
        near = range(pages.start - 1, pages.stop + 1)
        if paged and not any(page in near for page, _ in paged):
            page, place = paged[0]
            yield Doubt(
                "page", "differs", "document", text[start:end], start, end, f"p. {page}", place
            )
