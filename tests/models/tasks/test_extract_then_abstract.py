from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.oracle import oracle_steps
from longsum.language.words import count_words
from longsum.models.tasks.extract_then_abstract import ExtractThenAbstract

SUMMARY = "Engineers built dams, and new bridges let the railway cross the river."


@pytest.fixture
def lesson(small) -> Example:
    return Example("valley", small, (SUMMARY, "Another."), "train", "", {})


def read(task: ExtractThenAbstract, lesson: Example) -> list[str]:
    (pair,) = task.pairs(lesson)
    assert pair.target == SUMMARY
    return [sentence.text for sentence in pair.document.sentences]


def test_the_oracles_choice_is_read_in_the_documents_order(lesson, small) -> None:
    texts = [sentence.text for sentence in small.sentences]
    best = [step.sentence for step in oracle_steps(texts, [SUMMARY])]
    room = sum(count_words(texts[place]) for place in best)
    assert read(ExtractThenAbstract(room), lesson) == [texts[place] for place in sorted(best)]


@given(words=st.integers(12, 150), introduction=st.booleans())
def test_at_most_the_requested_words_are_read_and_everything_if_it_fits(
    words, introduction, small
) -> None:
    lesson = Example("valley", small, (SUMMARY,), "train", "", {})
    texts = read(ExtractThenAbstract(words, introduction), lesson)
    assert 0 < sum(map(count_words, texts)) <= words
    if words >= sum(count_words(sentence.text) for sentence in small.sentences):
        assert len(texts) == 9


def test_the_introduction_is_read_first_up_to_half_of_the_words(lesson: Example) -> None:
    # Its sentences have 13, 13, 13, 10, 12 and 12 words.
    texts = read(ExtractThenAbstract(60, introduction=True), lesson)
    assert texts[:2] == [sentence.text for sentence in lesson.document.sentences[:2]]
    assert "Engineers built dams so that floods of the river do less damage." in texts
    assert texts != read(ExtractThenAbstract(60), lesson)


def test_a_ranking_takes_the_oracles_place(small) -> None:
    lengths = [count_words(sentence.text) for sentence in small.sentences]
    task = ExtractThenAbstract(lengths[8] + lengths[3])
    assert task.select(small, [8, 3, 0]) == [3, 8]
    # One that does not fit is passed over.
    assert task.select(small, [8, 0, 3]) == [3, 8]
    assert task.select(small, []) == []


def test_a_ranking_is_added_to_the_introduction_and_not_twice(small) -> None:
    assert ExtractThenAbstract(60, introduction=True).select(small, [1, 7, 6]) == [0, 1, 6, 7]


def test_an_example_of_which_nothing_fits_gives_no_lesson(lesson: Example) -> None:
    assert not list(ExtractThenAbstract(3).pairs(lesson))
    assert list(ExtractThenAbstract(3).pairs(replace(lesson, references=("Coal.",)))) == []
