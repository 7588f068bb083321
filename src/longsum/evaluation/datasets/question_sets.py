"""Question trees of data sets, and the sets derived to have them.

In `Example.extra["questions"]` a question of the first level is an object with `question`, `answer`
and `children`, objects of the same form. If the evidence of an answer is known, there are
`paragraphs`, pairs of first and last positions in `Document.paragraphs`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import QuestionTree, tree_from_json
from longsum.documents.model import Source
from longsum.evaluation.datasets.derived_questions import (
    Node,
    heading_questions,
    meeting_questions,
    story_questions,
)
from longsum.evaluation.datasets.example import Example
from longsum.evaluation.datasets.info import Dataset, DatasetInfo
from longsum.evaluation.datasets.shared import shared_datasets

_DERIVE: dict[str, Callable[[Example], list[Node]]] = {
    "qmsum": meeting_questions,
    "squality": story_questions,
    "python_peps": heading_questions,
    "rust_rfcs": heading_questions,
}
_ONE_TREE = ("govreport_qs",)
_INFOS = {
    ("qmsum",): DatasetInfo(
        name="qmsum_questions",
        description="Meetings with trees of queries and answers, by the turns they rest on",
        license="MIT",
        ships=True,
        source="github:Yale-LILY/QMSum",
        paper_or_url="https://aclanthology.org/2021.naacl-main.472",
        note="Derived from qmsum: people wrote the queries and answers, a rule makes the tree.",
    ),
    ("squality",): DatasetInfo(
        name="squality_questions",
        description="Short stories with trees of the plot and four further questions, four a story",
        license="CC BY 4.0; Project Gutenberg licence (stories)",
        ships=True,
        source="github:nyu-mll/SQuALITY",
        paper_or_url="https://aclanthology.org/2022.emnlp-main.75",
        note="Derived from squality; a story's trees have the same questions with other answers.",
    ),
    ("python_peps", "rust_rfcs"): DatasetInfo(
        name="question_headings",
        description="Technical proposals with trees of the headings that ask and how they go on",
        license="public domain or CC0-1.0 (PEPs); Apache-2.0 or MIT (RFCs)",
        ships=True,
        source="github:python/peps, github:rust-lang/rfcs",
        note="Derived from python_peps and rust_rfcs; the answers stand word for word in the text.",
    ),
}


def question_trees(example: Example) -> tuple[QuestionTree, ...]:
    """Return the question trees of an example, possibly none.

    An example of `govreport_qs` has one tree with all questions, since its paragraph was annotated
    as a whole; one of the derived sets or of their parents has a tree for each question of the
    first level.

    Raises:
        LongsumError: The example's set has no questions.
    """
    name = example.document.source.format
    nodes = _nodes(name, example)
    if name in _ONE_TREE:
        return (tree_from_json(nodes),)
    return tuple(tree_from_json(node) for node in nodes)


def question_datasets() -> tuple[Dataset, ...]:
    """Return the data sets that are derived from shared sets, with the same splits."""
    parents = {dataset.info.name: dataset for dataset in shared_datasets()}
    return tuple(
        Dataset(info, partial(_read, info.name, [parents[name] for name in names]))
        for names, info in _INFOS.items()
    )


def _nodes(name: str, example: Example) -> list[Node]:
    if name in _DERIVE:
        return _DERIVE[name](example)
    stored = [*_ONE_TREE, *(info.name for info in _INFOS.values())]
    if name not in stored:
        raise LongsumError(
            f"'{name}' has no question trees; choose one of {', '.join(sorted(stored))}."
        )
    nodes: list[Node] = example.extra["questions"]
    return nodes


def _read(name: str, parents: Sequence[Dataset], root: Path, split: str) -> Iterator[Example]:
    """Yield the examples of the parents that have a tree, as examples of the derived set."""
    for parent in parents:
        for example in parent.read(root, split):
            if nodes := _DERIVE[parent.info.name](example):
                source = Source(example.document.source.name, name)
                yield replace(
                    example,
                    document=replace(example.document, source=source),
                    extra={**example.extra, "questions": nodes},
                )


def asked_questions(examples: Iterable[Example]) -> Iterator[Example]:
    """Yield an example for each question of a document, with its answers as references.

    Questions are those of all `question_trees` of the document, depth first; the same question in
    several trees has several answers. The id is the document's with the question's number, from 1.

    Raises:
        LongsumError: The set has no questions.
    """
    for example in examples:
        answers: dict[str, list[str]] = {}
        for tree in question_trees(example):
            for _, pair in tree.walk():
                answers.setdefault(pair.question, []).append(pair.answer)
        for number, (question, references) in enumerate(answers.items(), start=1):
            yield replace(
                example,
                id=f"{example.id}#{number}",
                references=tuple(references),
                question=question,
            )
