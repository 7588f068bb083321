from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from document_views import document_of
from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.models.tasks.divide_and_conquer import (
    DivideAndConquer,
    PartSummaries,
    _Subsequence,
    divided,
    section_type,
)
from longsum.models.tasks.task import Pair

RIVERS = "Water of the river feeds fields, and floods damaged bridges."
TRAINS = "Trains carry passengers and coal to the coast."


@pytest.fixture
def lesson(small: Document) -> Example:
    return Example("valley", small, (f"{RIVERS} {TRAINS}",), "validation", "", {})


def longest(first: list[str], second: list[str]) -> int:
    """Return the length of the longest common subsequence, by its definition."""
    if not first or not second:
        return 0
    if first[0] == second[0]:
        return 1 + longest(first[1:], second[1:])
    return max(longest(first[1:], second), longest(first, second[1:]))


tokens = st.lists(st.sampled_from("abc"), max_size=7)


@given(tokens, tokens)
def test_longest_common_subsequence(first: list[str], second: list[str]) -> None:
    assert _Subsequence(first).length(second) == longest(first, second)


def test_a_long_text_is_longer_than_a_machine_word() -> None:
    text = [str(number) for number in range(300)]
    assert _Subsequence(text).length(text[::2]) == 150


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("1. INTRODUCTION", "introduction"),
        ("Concluding remarks", "conclusion"),
        ("Limitations", None),
        ("The methodical baker", None),
        ("", None),
    ],
)
def test_section_type(title: str, expected: str | None) -> None:
    assert section_type(title) == expected


def test_a_sentence_is_assigned_to_the_part_with_the_highest_recall(example: Document) -> None:
    """Compared with `rouge-score`, as in the released code."""
    chosen = [example.sentences[place].text for place in (3, 90, 200)]
    summary = [" ".join(text.split()[::2]) for text in chosen]
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    found = divided(example, summary)
    tops = {
        section.number: [s.text for below in section.walk() for s in below.sentences]
        for section in example.sections
    }
    for sentence in summary:
        best = {
            number: max((scorer.score(sentence, s)["rougeL"].recall for s in texts), default=0)
            for number, texts in tops.items()
        }
        assert sentence in found[max(best, key=lambda number: best[number])]


def test_a_sentence_without_a_shared_word_is_not_assigned(small: Document) -> None:
    assert divided(small, ["Xylophones!"]) == {0: [], 2: []}


def test_lessons_are_sections_with_their_part_of_the_summary(lesson: Example) -> None:
    first, second = DivideAndConquer("all", least_words=1).pairs(lesson)
    assert (first.target, second.target) == (RIVERS, TRAINS)
    # A section of the first level is read with all below it.
    assert [section.title for section in first.document.walk()] == ["Rivers", "Floods"]
    assert [section.title for section in second.document.walk()] == ["Railways"]
    assert len(first.document.sentences) + len(second.document.sentences) == 9
    # A section without a part is none.
    (only,) = DivideAndConquer("all", least_words=1).pairs(replace(lesson, references=(TRAINS,)))
    assert only.document.sentences[0].text.startswith("The railway company")
    # Lines end sentences too.
    lines = ["the river feeds fields in summers", "trains carry coal and passengers"]
    given = replace(lesson, references=("\n".join(lines),))
    assert [pair.target for pair in DivideAndConquer("all", least_words=1).pairs(given)] == lines


def test_short_sections_and_in_training_short_targets_are_left_out(lesson: Example) -> None:
    # Railways has 28 words, Rivers with Floods 73.
    assert len(list(DivideAndConquer("all", least_words=29).pairs(lesson))) == 1
    # The targets have 10 and 8 words.
    task = DivideAndConquer("all", least_words=9)
    assert len(list(task.pairs(lesson))) == 2
    assert [pair.target for pair in task.pairs(replace(lesson, split="train"))] == [RIVERS]


def test_only_sections_of_a_known_type_are_read(small: Document) -> None:
    titles = ("Introduction", "Acknowledgements", "Results")
    sections = ((f"# {title}", [f"A sentence of the {title}."] * 3) for title in titles)
    document = document_of(*sections, title="An article")
    assert DivideAndConquer(least_words=2).parts(document) == [range(3), range(6, 9)]
    assert len(DivideAndConquer("all", least_words=2).parts(document)) == 3
    # A document without such a section is read whole.
    assert DivideAndConquer().parts(small) == [range(9)]


def lessons(document: Document, *parts: dict[str, str]) -> list[Pair]:
    extra = {"section_summaries": list(parts)} if parts else {}
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
