import pytest

from longsum.core.recipes.recipe import check
from longsum.evaluation.datasets import Example
from longsum.models.tasks.divide_and_conquer import DivideAndConquer, PartSummaries
from longsum.models.tasks.extract_then_abstract import ExtractThenAbstract
from longsum.models.tasks.question_generation import QSGenChildren, QSGenHierarchy
from longsum.models.tasks.source import SourceFormat
from longsum.models.tasks.task import Pair, Summarization
from longsum.models.tasks.task_settings import TaskConfig
from longsum.tables.realization.realization_task import Realization


@pytest.mark.parametrize(
    ("settings", "task"),
    [
        ({}, Summarization()),
        ({"kind": "sections", "sections": "all", "least_words": 5}, DivideAndConquer("all", 5)),
        (
            {"kind": "selected", "source_tokens": 300, "introduction": True},
            ExtractThenAbstract(200, introduction=True),
        ),
        (
            {"kind": "question_hierarchy", "aligned": True, "question_given": False},
            QSGenHierarchy(aligned=True, question_given=False),
        ),
        ({"kind": "child_questions"}, QSGenChildren()),
        ({"kind": "part_summaries"}, PartSummaries()),
        ({"kind": "realization"}, Realization(traced=True)),
    ],
)
def test_settings_make_the_task(settings: dict[str, object], task: object) -> None:
    assert check(TaskConfig, settings, "The task").build() == task


def test_settings_make_the_layout() -> None:
    given = {"source_tokens": 99, "marks": "sections", "overflow": "whole", "ancestors": False}
    found = check(TaskConfig, given, "The task").source_format()
    assert found == SourceFormat(99, "sections", "whole", ancestors=False)


def test_a_summary_is_learned_from_the_first_reference(small) -> None:
    example = Example("one", small, ("Rivers.", "Railways."), "train", "cc0", {})
    assert list(Summarization().pairs(example)) == [Pair(small, "Rivers.")]
