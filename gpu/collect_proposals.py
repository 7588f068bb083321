"""Writes proposals that begin with a summary of their own as training data for extractors.

Run: PYTHONPATH=src python gpu/collect_proposals.py OUTPUT FOLDER:LICENCE…

Each FOLDER holds the files of a repository (proposals of improvements, enhancements, RFCs), and
LICENCE is what it states, as an SPDX identifier (`EIPs:CC0-1.0 enhancements:Apache-2.0`). OUTPUT is
a file of JSON lines: `id`, `title`, `sections`, `summary`, `license`. `longsum train
stepwise-small data.names=…+OUTPUT/all` learns from it, as far as the licences let its weights be
shared (`longsum.evaluation.datasets.info.may_ship`).
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from longsum import read
from longsum.common.errors import LongsumError
from longsum.documents import Document, Section
from longsum.language.words import count_words

ENDINGS = {".md", ".rst", ".adoc", ".mediawiki", ".txt"}
SUMMARY = re.compile(
    r"\W*(?:[\dIVX.]{1,5}\s+)?(?:abstract|(?:\w+ )?summary|tl;?dr)\W*", re.IGNORECASE
)
FEWEST_WORDS, MOST_WORDS = 20, 400
REST = 8
"""The rest of a proposal is at least so many times as long as its summary."""
LEAST_REST = 400


def proposals(folder: Path, licence: str) -> Iterator[dict[str, Any]]:
    """Yield the proposals below a folder that have a summary, each as a record."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in ENDINGS or "template" in path.name.lower() or not path.is_file():
            continue
        try:
            document = read(path)
        except LongsumError:
            continue
        if record := _record(document):
            name = path.relative_to(folder.parent).as_posix()
            yield {"id": name, **record, "license": licence}


def _record(document: Document) -> dict[str, Any] | None:
    """Return title, sections and summary; None if no section sums up the others."""
    summaries = [each for each in document.walk() if SUMMARY.fullmatch(each.title)]
    if not summaries:
        return None
    summary = max(map(_text, summaries), key=count_words)
    left_out = {part.number for each in summaries for part in each.walk()}
    sections = [
        {"level": section.level, "title": section.title, "paragraphs": _paragraphs(section)}
        for section in document.walk()
        if section.number not in left_out
    ]
    rest = sum(count_words(text) for section in sections for text in section["paragraphs"])
    words = count_words(summary)
    if not (FEWEST_WORDS <= words <= MOST_WORDS and rest >= max(LEAST_REST, REST * words)):
        return None
    return {"title": document.title, "sections": sections, "summary": summary}


def _text(section: Section) -> str:
    return "\n".join(text for part in section.walk() for text in _paragraphs(part))


def _paragraphs(section: Section) -> list[str]:
    """Return the prose and list items of a section itself; code, tables and captions stay out."""
    paragraphs = []
    for paragraph in section.paragraphs:
        texts = [sentence.text for sentence in paragraph if sentence.is_material]
        if texts:
            mark = "* " if paragraph[0].kind == "list_item" else ""
            paragraphs.append(mark + " ".join(texts))
    return paragraphs


def main() -> None:
    """Write the records of all folders, and print how many each gave."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("folders", nargs="+", metavar="FOLDER:LICENCE")
    given = parser.parse_args()
    with given.output.open("x", encoding="utf-8") as output:
        for stated in given.folders:
            folder, _, licence = stated.rpartition(":")
            records = list(proposals(Path(folder), licence))
            output.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in records)
            print(f"{folder}: {len(records)}")


if __name__ == "__main__":
    main()
