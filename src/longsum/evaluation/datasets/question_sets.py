"""Question trees of data sets, and data sets of trees that are derived from others.

In `Example.extra["questions"]`, a question of the first level is an object with `question`,
`answer` and `children`, objects of the same form. If the evidence of an answer is known, there are
`paragraphs`, pairs of first and last positions in `Document.paragraphs`.

All questions were written by people, and so were the answers to them; in derived sets, only the
hierarchy comes from rules. HIBRIDS (§4.1) requires that answers fully address their questions, and
that follow-up questions are about the parent's answer.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.questions.question_tree import QuestionTree, tree_from_json
from longsum.documents.model import Paragraph, Section, Source
from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example
from longsum.evaluation.datasets.shared import shared_datasets
from longsum.language.words import count_words

Node = dict[str, Any]
"""A question as in `longsum.evaluation.datasets.question_sets`; its children are added later."""

MIN_HEADING_WORDS = 3
MIN_ANSWER_WORDS = 10
"""A shorter paragraph is a pointer ("See below.") or an exclamation rather than an answer."""

_END_OF_STATEMENT = re.compile(r"[.!][\"'”’)\]*_`]*$")
_LIST_ITEM = re.compile(r"[*\-+•>↩]\s|\(?\w{1,3}[.)]\s")


def meeting_questions(example: Example) -> list[Node]:
    """Return the queries of a QMSum meeting as one tree.

    The root is the first general query with the summary of the whole meeting, followed by the other
    queries in the set's order. Annotators marked the relevant turns of each specific query: one
    whose turns are a proper subset of another's goes under the shortest such other (the first of
    equal ones), so that "What did C think about …?" follows "Summarize the discussion about …".
    Queries without turns, such as further general ones, go under the root.
    """
    general, specific = example.extra["general_queries"], example.extra["specific_queries"]
    top, *others = [
        *(_node(query["query"], query["answer"]) for query in general),
        *(
            _node(query["query"], query["answer"], query["relevant_text_span"])
            for query in specific
        ),
    ]
    turns = [_positions(node) for node in others]
    for node, spoken in zip(others, turns, strict=True):
        wider = [place for place, other in enumerate(turns) if spoken and spoken < other]
        above = min(wider, key=lambda place: len(turns[place]), default=None)
        (top if above is None else others[above])["children"].append(node)
    return [top]


def _positions(node: Node) -> set[int]:
    return {turn for first, last in node.get("paragraphs", ()) for turn in range(first, last + 1)}


def story_questions(example: Example) -> list[Node]:
    """Return the questions about a SQuALITY story, one tree per set of answers.

    The first question asks for the plot, the others about its characters, places and developments,
    so they go under the first. All questions have equally many answers; tree k has answer k of
    each. The set does not name writers, so a tree may mix several.
    """
    questions = example.extra["questions"]
    roots = []
    for answers in zip(*(question["answers"] for question in questions), strict=True):
        top, *others = [
            _node(question["question"], answer)
            for question, answer in zip(questions, answers, strict=True)
        ]
        top["children"] = others
        roots.append(top)
    return roots


def heading_questions(example: Example) -> list[Node]:
    """Return the headings of a document that are questions, each with its opening paragraph.

    Such a heading has at least three words and ends in a question mark. The answer is the first
    paragraph under it, if that is a statement: at least ten words, not a list item, and not ending
    in a colon or question mark. A heading without such an answer is left out. A question goes under
    its nearest ancestor that is a question; one without such an ancestor is the root of a tree.
    """
    roots: list[Node] = []
    paragraphs = 0
    nearest: list[tuple[int, Node]] = []
    for section in example.document.walk():
        while nearest and nearest[-1][0] >= section.level:
            nearest.pop()
        if answer := _opening(section):
            node = _node(section.title, answer, [(paragraphs, paragraphs)])
            (nearest[-1][1]["children"] if nearest else roots).append(node)
            nearest.append((section.level, node))
        paragraphs += len(section.paragraphs)
    return roots


def _opening(section: Section) -> str:
    """Return the paragraph that answers a section's heading; empty if none does."""
    asks = section.title.endswith("?") and count_words(section.title) >= MIN_HEADING_WORDS
    if not asks or not section.paragraphs:
        return ""
    answer = _text(section.paragraphs[0])
    # Bullets are not part of the sentence, but the kind is then known; letters and numbers are.
    is_item = section.paragraphs[0][0].kind == "list_item" or _LIST_ITEM.match(answer)
    stated = _END_OF_STATEMENT.search(answer) and not is_item
    return answer if stated and count_words(answer) >= MIN_ANSWER_WORDS else ""


def _text(paragraph: Paragraph) -> str:
    return " ".join(sentence.text for sentence in paragraph)


def _node(question: str, answer: str, spans: Iterable[Sequence[int | str]] = ()) -> Node:
    node: Node = {"question": question.strip(), "answer": answer.strip(), "children": []}
    if paragraphs := [[int(first), int(last)] for first, last in spans]:
        node["paragraphs"] = paragraphs
    return node


_DERIVE: dict[str, Callable[[Example], list[Node]]] = {
    "qmsum": meeting_questions,
    "squality": story_questions,
    "python_peps": heading_questions,
    "rust_rfcs": heading_questions,
}
_ONE_TREE = ("govreport_qs", "planted", "planted_far")
_INFOS = {
    ("qmsum",): DatasetInfo(
        name="qmsum_questions",
        description="Meetings with trees of queries and answers, by the turns that they are about",
        license="MIT",
        ships=True,
        source="github:Yale-LILY/QMSum",
        paper_or_url="https://aclanthology.org/2021.naacl-main.472",
        note="Derived from qmsum: people wrote the queries and answers, a rule makes the tree.",
    ),
    ("squality",): DatasetInfo(
        name="squality_questions",
        description="Short stories with four trees each: the plot, and four further questions",
        license="CC BY 4.0; Project Gutenberg licence (stories)",
        ships=True,
        source="github:nyu-mll/SQuALITY",
        paper_or_url="https://aclanthology.org/2022.emnlp-main.75",
        note="Derived from squality; a story's trees have the same questions with other answers.",
    ),
    ("python_peps", "rust_rfcs"): DatasetInfo(
        name="question_headings",
        description="Technical proposals with trees of headings that are questions, and answers",
        license="public domain or CC0-1.0 (PEPs); Apache-2.0 or MIT (RFCs)",
        ships=True,
        source="github:python/peps, github:rust-lang/rfcs",
        note="Derived from python_peps and rust_rfcs; the answers are copied from the text.",
    ),
}


def question_trees(example: Example) -> tuple[QuestionTree, ...]:
    """Return the question trees of an example, possibly none.

    An example of `govreport_qs` or of a planted set has one tree with all questions, as they were
    annotated together; one of the derived sets or of their parents has a tree for each question of
    the first level.

    Raises:
        LongsumError: The example's set has no questions.
    """
    name = example.document.source.format
    nodes = _nodes(name, example)
    if name in _ONE_TREE:
        return (tree_from_json(nodes),)
    return tuple(tree_from_json(node) for node in nodes)


def question_datasets() -> tuple[Dataset, ...]:
    """Return the data sets derived from shared sets, with the same splits."""
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


def question_examples(examples: Iterable[Example]) -> Iterator[Example]:
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
