"""Generated output scored against its targets."""

from dataclasses import replace

import pytest
from scoring import document_scores

from longsum.common.errors import LongsumError
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.models.tasks.prepared import prepare
from longsum.models.tasks.task_settings import TaskConfig


@pytest.fixture
def examples(small) -> list[Example]:
    """Two documents; the second has two trees, each a training example."""

    def tree(subject: str) -> dict:
        dams = {"question": f"Who built {subject} dams?", "answer": "Engineers.", "children": []}
        why = {"question": "Why were they built?", "answer": "Against floods.", "children": []}
        top = {"question": f"What of {subject}?", "answer": f"It tells of {subject} and rivers."}
        return {**top, "children": [dams, why]}

    document = replace(small, source=Source("valley", "squality_questions"))
    trees = [[tree("floods")], [tree("bridges"), tree("railways")]]
    return [
        Example(
            str(number), document, (f"Summary {number} of rivers.",), "test", "", {"questions": x}
        )
        for number, x in enumerate(trees)
    ]


def test_a_document_has_the_mean_of_its_examples(examples, tokenizer) -> None:
    task = TaskConfig(kind="question_hierarchy")
    pairs = [pair for example in examples for pair in task.build().pairs(example)]
    split = prepare(pairs, tokenizer, task.source_format(), 200)
    first, second, third = (split.target(index).tolist() for index in range(3))
    nothing = [tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id]
    scores = document_scores(examples, task, [first, second, nothing], tokenizer)
    assert scores["rouge1"] == pytest.approx([1, 0.5])
    # What was not written for takes no part, nor does what comes after.
    assert document_scores(examples, task, [first, second], tokenizer)["rouge1"] == [1, 1]
    assert document_scores(examples, task, [third], tokenizer)["pairs"] == [3]
    with pytest.raises(LongsumError, match="nothing to score"):
        document_scores(examples, task, [], tokenizer)
