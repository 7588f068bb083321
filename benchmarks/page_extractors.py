"""What other programs read from a file, as JSON; run with a Python that has them installed.

Run: PYTHON benchmarks/page_extractors.py trafilatura|readability|markitdown FILE

Used by `against_extractors.py`. Prints the headings with their levels, and all text.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from lxml import html

Reading = tuple[list[tuple[int, str]], str]
_HEADING = re.compile(r"h[1-6]")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)")


def of_html(text: str) -> Reading:
    """Return the headings and the text of HTML."""
    root = html.document_fromstring(text)
    headings = [
        (int(element.tag[1]), " ".join(element.itertext()))
        for element in root.iter()
        if isinstance(element.tag, str) and _HEADING.fullmatch(element.tag)
    ]
    return headings, " ".join(root.itertext())


def of_markdown(text: str) -> Reading:
    """Return the headings and the lines of Markdown, without the targets of links."""
    headings, fenced = [], False
    text = _LINK.sub(r"\1", text)
    for line in text.splitlines():
        fenced ^= line.lstrip().startswith("```")
        marks, _, title = line.partition(" ")
        if not fenced and marks and set(marks) == {"#"}:
            headings.append((len(marks), title))
    return headings, text


def by_trafilatura(file: Path) -> Reading:
    """Read as trafilatura does."""
    import trafilatura

    return of_markdown(
        trafilatura.extract(
            file.read_text("utf-8", "replace"), output_format="markdown", include_formatting=True
        )
        or ""
    )


def by_readability(file: Path) -> Reading:
    """Read as readability does."""
    from readability import Document

    return of_html(Document(file.read_text("utf-8", "replace")).summary())


def by_markitdown(file: Path) -> Reading:
    """Read as markitdown does."""
    from markitdown import MarkItDown

    return of_markdown(MarkItDown().convert(str(file)).text_content)


READERS: dict[str, Callable[[Path], Reading]] = {
    "trafilatura": by_trafilatura,
    "readability": by_readability,
    "markitdown": by_markitdown,
}

if __name__ == "__main__":
    json.dump(READERS[sys.argv[1]](Path(sys.argv[2])), sys.stdout)
