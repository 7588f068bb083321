import pytest

from longsum.errors import LongsumError
from longsum.recipes.recipe import check
from longsum.tasks.divide_and_conquer import DivideAndConquer
from longsum.tasks.extract_then_abstract import ExtractThenAbstract
from longsum.tasks.settings import TaskConfig
from longsum.tasks.task import Summarization


@pytest.mark.parametrize(
    ("settings", "task"),
    [
        ({}, Summarization()),
        ({"kind": "sections", "sections": "all", "least_words": 5}, DivideAndConquer("all", 5)),
        (
            {"kind": "selected", "source_tokens": 300, "introduction": True},
            ExtractThenAbstract(200, introduction=True),
        ),
    ],
)
def test_settings_make_the_task(settings: dict[str, object], task: object) -> None:
    assert check(TaskConfig, settings, "The task").build() == task


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(LongsumError, match="no field 'section'"):
        check(TaskConfig, {"section": "all"}, "The task")
