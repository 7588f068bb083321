"""Trees and answers are scored against the references of their own questions."""

from dataclasses import replace
from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.core.questions import Question, QuestionTree
from longsum.core.summaries import Budget, Coverage, SourceSpan, Summary, SummarySentence
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.core.systems.system import TreeOptions
from longsum.documents import Document, DocumentBuilder
from longsum.documents.model import Source
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.question_sets import asked_questions
from longsum.lab.comparison.comparison import compare
from longsum.lab.comparison.tree_comparison import compare_trees, mean_answer_length

TREE = {
    "question": "What closed?",
    "answer": "The port closed in May.",
    "children": [{"question": "Why?", "answer": "It was old.", "children": []}],
}


@pytest.fixture
def example() -> Example:
    builder = DocumentBuilder()
    builder.paragraph("The port closed in May. It was old. Nobody minded.")
    document = builder.build(source=Source("port.txt", "govreport_qs"))
    return Example("port", document, ("All.",), "validation", "CC0-1.0", {"questions": [TREE]})


def _sentence(document: Document, place: int) -> SummarySentence:
    source = SourceSpan.of(document, place)
    return SummarySentence(document.sentences[place].text, (source,), 0.0, {}, place)


class Maker:
    """Makes a tree of two nodes."""

    def __init__(self, child: int, needs_question: bool = False) -> None:
        self.child, self.needs_question = child, needs_question
        self.asked: list[str | None] = []

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        self.asked.append(options.question)
        below = QuestionNode("Why?", "question", None, (_sentence(document, self.child),))
        root = QuestionNode("What closed?", "question", None, (_sentence(document, 0),), (below,))
        return QuestionSummary(
            document, root, options.budget, "sections", Coverage.whole(document), "stub"
        )


def test_without_examples_nothing_is_compared() -> None:
    with pytest.raises(LongsumError, match="no document"):
        compare_trees([], {"right": Maker(1)}, Budget(9))


def test_the_tree_of_the_reference_has_every_share_and_no_edit(example: Example) -> None:
    right, wrong = Maker(1), Maker(2)
    results = compare_trees([example], {"right": right, "wrong": wrong}, Budget(9))
    best, other = (
        {name: values[0] for name, values in result.scores.items()} for result in results.systems
    )
    assert best["hierarchy_f1"] == best["question_bleu4"] == best["rougeLsum"] == 100
    assert best["edits"] == 0
    assert best["pairs"] == best["depth"] == 2
    assert other["hierarchy_f1"] < 100
    assert other["edits"] > 0
    assert results.systems[0].words == [8]
    assert right.asked == [None]


def test_a_maker_that_answers_is_asked_the_first_question(example: Example) -> None:
    maker = Maker(1, needs_question=True)
    results = compare_trees([example], {"maker": maker}, Budget(9))
    assert maker.asked == ["What closed?"]
    # BLEU of "Why ?" alone: 2/2, (1+1)/(1+1), and (0+1)/(1+1) of three and four words.
    assert results.systems[0].scores["question_bleu4"] == [pytest.approx(100 * 0.25**0.25)]


def test_titles_and_texts_as_questions(example: Example) -> None:
    made = Maker(1).make(example.document, TreeOptions(Budget(9)))
    below = Question("Why?", "It was old.")
    assert made.questions == QuestionTree(
        (Question("What closed?", "The port closed in May.", (below,)),)
    )


def test_lengths_are_those_of_answers(example: Example) -> None:
    assert mean_answer_length([example]) == Budget(4)
    with pytest.raises(LongsumError, match="no document"):
        mean_answer_length([])


class Answering:
    """Keeps the focus that it is given."""

    name = "answering"

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        self.asked.append(focus)
        chosen = (_sentence(document, 0),)
        return Summary(document, chosen, budget, Coverage.whole(document), self.name, seed=seed)


def test_the_question_of_an_example_is_the_focus(example: Example) -> None:
    system = Answering()
    whole = replace(example, references=("The port closed in May.",))
    results = compare([*asked_questions([example]), whole], [system], Budget(9))
    assert system.asked == ["What closed?", "Why?", None]
    assert results.systems[0].scores["rouge1"] == [100, 0, 100]
