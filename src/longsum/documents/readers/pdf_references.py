"""Takes the page numbers out of references within printed manuals.

Texinfo prints `[gauge_open], page 37` for a reference (Texinfo manual, §8.3), which only the reader
of the pages can use.
"""

import re
from collections.abc import Sequence

_REFERENCE = re.compile(
    r"(?P<number>\b(?:Section|Chapter|Appendix)\s[\dA-Z][\d.]{0,10}\s)?"
    r"(?P<cited>\[)?\[(?P<name>[^\[\]]{1,120})\],(?P<page>\spage\s(?:\d{1,4}|[ivxlc]{1,7}))(?(cited)\])"
)


def without_pages(lines: Sequence[str]) -> list[str]:
    """Return the lines of a paragraph with the names alone that references give before pages.

    `Section 2.1 [Gauges], page 37` says `Section 2.1 (Gauges)`, `[[RFC 1], page 9]` `[RFC 1]`.
    """
    text = "\n".join(lines)
    if "page" not in text:
        return list(lines)
    return _REFERENCE.sub(_named, text).split("\n")


def _named(found: re.Match[str]) -> str:
    name = found["name"]
    if found["number"]:
        name = f"{found['number']}({name})"
    elif found["cited"]:
        name = f"[{name}]"
    # Lines stay as many as they are.
    return name + "\n" * found["page"].count("\n")
