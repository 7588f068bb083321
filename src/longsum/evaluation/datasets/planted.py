"""Documents that nobody wrote: reports in whose sections facts are planted that the summary states.

They ship as this code, so that every experiment can be run through anywhere. They show that a
system learns and what isolates a claim, and say nothing of real documents.
"""

from collections.abc import Iterator
from functools import partial
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


def _fact(random: Random, place: str, thing: str) -> str:
    return f"{place} {random.choice(_ACTS)} {random.randint(2, 99)} {thing}."


def _paragraphs(random: Random, fact: str, dull: int) -> list[str]:
    """Return two paragraphs of dull sentences, with a fact planted at a random place."""
    sentences = [random.choice(_DULL) for _ in range(dull)]
    sentences.insert(random.randint(0, dull), f"Notably, {fact}")
    middle = len(sentences) // 2
    return [" ".join(part) for part in (sentences[:middle], sentences[middle:]) if part]


def _example(info: DatasetInfo, split: str, number: int, dull: int) -> Example:
    """Return a report: two or three sections of facts, one with a section below it."""
    random = Random(f"{info.name} {split} {number}")
    place = random.choice(_PLACES)
    things = random.sample(_THINGS, random.randint(3, 4))
    sections: list[dict[str, Any]] = []
    facts: list[str] = []
    nodes: list[dict[str, Any]] = []
    paragraphs = 0
    for order, thing in enumerate(things):
        facts.append(_fact(random, place, thing))
        texts = _paragraphs(random, facts[-1], dull)
        # The second section lies below the first.
        level = 2 if order == 1 else 1
        sections.append({"level": level, "title": f"The {thing} of {place}", "paragraphs": texts})
        node = {"question": f"What of the {thing}?", "answer": facts[-1], "children": []}
        nodes.append({**node, "paragraphs": [[paragraphs, paragraphs + len(texts) - 1]]})
        paragraphs += len(texts)
    # One tree, whose first question the others follow.
    top, *others = nodes
    top["children"] = others
    told = "\n".join(facts)
    return info.example(
        {"title": f"Report {number} on {place}", "sections": sections},
        id=f"{split}-{number}",
        references=[told],
        split=split,
        extra={
            "questions": [top],
            "section_summaries": [
                {"section": section["title"], "text": fact}
                for section, fact in zip(sections, facts, strict=True)
            ],
        },
    )


def _read(info: DatasetInfo, dull: int, root: Path, split: str) -> Iterator[Example]:  # noqa: ARG001
    return (_example(info, split, number, dull) for number in range(SIZES[split]))


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
    return Dataset(info, partial(_read, info, dull))


PLANTED = (
    _dataset("planted", "Invented reports; the summary states the fact of each section", 5),
    _dataset("planted_far", "The same with facts spread over some 4,000 words", 90),
)
