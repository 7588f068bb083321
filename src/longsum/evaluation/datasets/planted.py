"""Invented documents: reports with planted facts in their sections, which the summary states.

They are generated here, so that every experiment can be run anywhere. They can show that a system
learns, and test one claim alone, but say nothing about real documents.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example

SIZES = {"train": 400, "validation": 40, "test": 40}
"""Documents of each split."""

_PLACES = ("Alder", "Bexley", "Corran", "Dunmore", "Elgin", "Falkirk", "Garvagh", "Harlow")
_THINGS = ("bridges", "schools", "farms", "clinics", "roads", "ports", "mills", "libraries")
_ACTS = ("opened", "closed", "repaired", "inspected", "sold", "insured")
_DULL = (
    "The committee met in the morning and read the minutes of its last meeting.",
    "Members thanked the clerk for the notes that were sent to all of them.",
    "Letters of residents were read aloud and filed under their dates.",
    "The chair asked for patience while the figures were put together.",
    "A visitor spoke of the weather and of the harvest of the year before.",
    "Nobody objected to the order of the agenda or to its length.",
)


def _example(info: DatasetInfo, split: str, number: int, dull: int) -> Example:
    """Return a report: two or three sections with a fact each, the first with a subsection."""
    random = Random(f"{info.name} {split} {number}")
    place = random.choice(_PLACES)
    things = random.sample(_THINGS, random.randint(3, 4))
    sections: list[dict[str, Any]] = []
    summaries: list[dict[str, str]] = []
    nodes: list[dict[str, Any]] = []
    for order, thing in enumerate(things):
        fact = f"{place} {random.choice(_ACTS)} {random.randint(2, 99)} {thing}."
        sentences = [random.choice(_DULL) for _ in range(dull)]
        sentences.insert(random.randint(0, dull), f"Notably, {fact}")
        middle = len(sentences) // 2
        texts = [" ".join(sentences[:middle]), " ".join(sentences[middle:])]
        # The second section is below the first.
        level, title = (2 if order == 1 else 1), f"The {thing} of {place}"
        sections.append({"level": level, "title": title, "paragraphs": texts})
        summaries.append({"section": title, "text": fact})
        node = {"question": f"What of the {thing}?", "answer": fact, "children": []}
        nodes.append({**node, "paragraphs": [[2 * order, 2 * order + 1]]})
    # One tree, with the first question as its root.
    nodes[0]["children"] = nodes[1:]
    return info.example(
        {"title": f"Report {number} on {place}", "sections": sections},
        id=f"{split}-{number}",
        references=["\n".join(summary["text"] for summary in summaries)],
        split=split,
        extra={"questions": nodes[:1], "section_summaries": summaries},
    )


def _dataset(name: str, description: str, dull: int) -> Dataset:
    info = DatasetInfo(
        name=name,
        description=description,
        license="Apache-2.0",
        ships=True,
        source="longsum",
        note="Made by rules; for trying things out, never for saying how good a system is.",
        variable="",
    )

    def read(_: Path, split: str) -> Iterator[Example]:
        return (_example(info, split, number, dull) for number in range(SIZES[split]))

    return Dataset(info, read)


PLANTED = (
    _dataset("planted", "Invented reports; the summary states the fact of each section", 5),
    _dataset("planted_far", "The same with facts spread over some 4,000 words", 90),
)
