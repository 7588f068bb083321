"""TrainingDataset of whole books from the summaries of their chapters."""

from itertools import islice
from typing import Any

import pytest

from longsum.documents import Document
from longsum.evaluation.datasets import Example, load
from longsum.models.tasks.divide_and_conquer import PartSummaries
from longsum.models.tasks.task import Pair


def lessons(document: Document, *parts: dict[str, str]) -> list[Pair]:
    extra: dict[str, Any] = {"section_summaries": list(parts)} if parts else {}
    example = Example("1", document, ("All of it.", "Again."), "train", "", extra)
    return list(PartSummaries().pairs(example))


def test_each_part_is_a_section_with_its_summary(small: Document) -> None:
    (pair,) = lessons(
        small,
        {"section": "chapter 1", "text": "It rains. It pours.\nThe river rises."},
        {"section": "chapter 2", "text": "Trains run."},
    )
    assert pair.target == "All of it."
    assert pair.document.title == small.title
    assert [section.title for section in pair.document.sections] == ["chapter 1", "chapter 2"]
    first = pair.document.sections[0]
    assert [[sentence.text for sentence in part] for part in first.paragraphs] == [
        ["It rains.", "It pours."],
        ["The river rises."],
    ]


def test_without_summaries_of_parts_there_is_no_lesson(small: Document) -> None:
    assert lessons(small) == []
    assert lessons(small, {"section": "chapter 1", "text": " "}) == []


@pytest.mark.data
@pytest.mark.slow
def test_textbooks_have_summaries_of_their_sections() -> None:
    for example in islice(load("openstax_chapters", "validation"), 3):
        (pair,) = PartSummaries().pairs(example)
        titles = [part["section"] for part in example.extra["section_summaries"]]
        assert [section.title for section in pair.document.sections] == titles
