"""How do other programs read the same files? markitdown, trafilatura and readability.

Run: python benchmarks/against_extractors.py --python OTHER/bin/python [--format html docx pdf …]
     [--keep FOLDER]

The files are those of `real_documents.py`, with its headings: F1 of titles in order, and the share
of those found at their level. For web pages words are compared as well. Which element of a page
has its text, and what in it is not text, is specified here by hand. Recall counts the words of its
headings, paragraphs, items and definitions (as a multiset); precision counts words anywhere in that
element, including code and tables, since some programs keep these and others do not. The other
programs run in a Python environment of their own (`pip install markitdown[docx,pdf] trafilatura
readability-lxml`); those that only read web pages skip other formats.
"""

import argparse
import json
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lxml import html

from longsum.documents.readers import read_bytes
from real_documents import RealDocument, fetched, parser_of
from tree_documents import words_of
from trees import compare_headings, headings_of

# The element with the text of each page, and what in it is not text.
PAGES = {
    "apache-sections": ("//div[@id='page-content']", ".//*[@id='quickview' or @class='top']"),
    "django-performance": ("//div[@id='yui-main']", ".//*[@class='nav']"),
    "exim-delivery": ("//div[@id='content' or @class='content']", ".//nav"),
    "git-bisect": ("//div[@id='content']", ".//nav"),
    "postfix-qshape": ("//body", ".//hr"),
    "postgresql-partitioning": ("//div[@id='DDL-PARTITIONING']", ".//*[@class='toc']"),
    "r-introduction": (
        "//div[@id='Top' or @class='top']",
        ".//*[@class='header' or @class='Contents_element' or contains(@id, '-index')]",
    ),
    "sqlite-corruption": ("//div[@class='fancy']", "./*[@class='nosearch'][1]"),
}
_TEXT = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd")
_NO_TEXT = ("pre", "table", "script", "style")
SYSTEMS = ("longsum", "markitdown", "trafilatura", "readability")
ONLY_PAGES = ("trafilatura", "readability")
Reading = tuple[list[tuple[int, str]], str]


def true_words(name: str, page: bytes) -> tuple[Counter[str], Counter[str]]:
    """Return the words of the text of a page, and all words of the element that holds it."""
    where, without = PAGES[name]
    (holder, *_) = html.document_fromstring(page).xpath(where)
    for element in holder.xpath(without):
        element.drop_tree()
    anything = Counter(words_of(" ".join(holder.itertext())))
    for element in list(holder.iter(*_NO_TEXT)):
        element.drop_tree()
    outermost = (e for e in holder.iter(*_TEXT) if next(e.iterancestors(*_TEXT), None) is None)
    text = Counter(word for e in outermost for word in words_of(" ".join(e.itertext())))
    return text, anything


def read_by(system: str, python: str, file: Path) -> Reading:
    """Return what a system reads from a file: the headings with their levels, and all text."""
    if system == "longsum":
        document = read_bytes(file.read_bytes(), file.name)
        return list(headings_of(document)), document.text
    script = Path(__file__).with_name("page_extractors.py")
    command = [python, str(script), system, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{system} cannot read {file.name}: {done.stderr.strip().splitlines()[-1][:90]}")
        return [], ""
    headings, text = json.loads(done.stdout)
    return [(level, title) for level, title in headings], text


def scores(real: RealDocument, data: bytes, reading: Reading) -> dict[str, int]:
    """Return counts of headings and words; see the top of the file."""
    found, said = reading
    right, _ = compare_headings(real.headings, found)
    at_level = max(
        compare_headings(real.headings, [(level - up, title) for level, title in found])[1]
        for up in range(3)
    )
    counts = {"true": len(real.headings), "found": len(found), "right": right, "level": at_level}
    if real.name in PAGES:
        text, anything = true_words(real.name, data)
        read = Counter(words_of(said))
        counts |= {"words": text.total(), "recalled": (text & read).total()}
        counts |= {"read": read.total(), "precise": (anything & read).total()}
    return counts


def rows(options: argparse.Namespace) -> Iterator[tuple[str, str, dict[str, int]]]:
    """Yield the format, the system and the counts of each file."""
    with tempfile.TemporaryDirectory() as folder:
        for real, data in fetched(options):
            file = Path(folder) / f"{real.name}.{real.format}"
            file.write_bytes(data)
            for system in SYSTEMS:
                if real.format == "html" or system not in ONLY_PAGES:
                    reading = read_by(system, options.python, file)
                    yield real.format, system, scores(real, data, reading)


def main() -> None:
    """Print a row for each format and system."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--python", required=True, help="Python with the other programs")
    totals: dict[tuple[str, str], Counter[str]] = {}
    for form, system, counts in rows(parser.parse_args()):
        totals.setdefault((form, system), Counter()).update(counts)
    print(f"{'':20}{'headings':>10}{'precision':>11}{'recall':>8}{'F1':>7}{'level':>7}", end="")
    print(f"{'words':>9}{'recall':>8}{'precision':>11}")
    for (form, system), counts in totals.items():
        print(f"{form:6}{system:14}{_cells(counts)}")


def _cells(counts: Any) -> str:
    precision = counts["right"] / max(counts["found"], 1)
    recall = counts["right"] / counts["true"]
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    level = counts["level"] / max(counts["right"], 1)
    cells = f"{counts['true']:10}{precision:11.3f}{recall:8.3f}{f1:7.3f}{level:7.3f}"
    if counts["words"]:
        recalled, precise = counts["recalled"] / counts["words"], counts["precise"] / counts["read"]
        cells += f"{counts['words']:9}{recalled:8.3f}{precise:11.3f}"
    return cells


if __name__ == "__main__":
    main()
