import dataclasses
import json

import pytest

from longsum.core.summaries import Budget, Coverage, Notice
from longsum.core.summaries.question_summary import (
    QuestionNode,
    QuestionSummary,
    kind_of,
    questions_to_json,
    questions_to_text,
)
from longsum.core.summaries.result_file import dump_json
from schemas import schema
from summary_views import sentences_of


@pytest.fixture
def tree(small) -> QuestionSummary:
    floods = QuestionNode("Why are there *floods*?", "question", 1, sentences_of(small, 4))
    rivers = QuestionNode("Rivers", "heading", 0, sentences_of(small, 1, 3), (floods,))
    railways = QuestionNode("Railways", "heading", 2, (), cut=2)
    root = QuestionNode(
        small.title, "heading", None, sentences_of(small, 2, 3, 7), (rivers, railways)
    )
    return QuestionSummary(
        small,
        root,
        Budget(50),
        "sections",
        Coverage(9, 9),
        "by hand",
        {"note": 1},
        depth=3,
        notices=(Notice("document", "Look out."),),
        timings={"rank": 1.0},
    )


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        *(("Why is that?", "question"), ("2. Why is that? ", "question")),
        *(
            ("“Who was it?”", "question"),
            ("なぜですか？", "question"),
            ("What GAO Found", "heading"),
        ),
        *(("Who? A history", "heading"), ("", "heading")),
    ],
)
def test_only_a_title_that_ends_in_a_question_mark_is_a_question(title, kind):
    assert kind_of(title) == kind


def test_json_follows_the_published_schema(tree: QuestionSummary):
    found = json.loads(dump_json(questions_to_json(tree)))
    schema("questions-1").validate(found)
    assert found["document"]["sha256"] == tree.document.sha256
    assert found["settings"] == {"note": 1, "depth": 3}
    nodes = [(node["level"], node["kind"], node["parent"]) for node in found["nodes"]]
    heads = [(1, "heading", None), (2, "heading", 0), (3, "question", 1), (2, "heading", 0)]
    assert nodes == heads
    asked = [(level, each.question, each.answer) for level, each in tree.questions.walk()]
    assert asked == [(level, node.title, node.text) for level, node in tree.root.walk()]
    # A tree that a model wrote is marked as such.
    written = dataclasses.replace(tree, maker="model", system="hibrids")
    assert written.made_by == "Written by hibrids."
    assert questions_to_text(written).endswith("Written by hibrids.\n")


def test_a_tree_of_any_depth_can_be_written(small):
    node = QuestionNode("Deep?", "question", None, sentences_of(small, 0))
    for _ in range(3000):
        node = QuestionNode("Deep?", "question", None, (), (node,))
    tree = QuestionSummary(small, node, Budget(50), "model", Coverage(9, 9), "deep")
    assert len(questions_to_json(tree)["nodes"]) == 3001
    assert questions_to_text(tree).count("Deep?") == 3001
