"""Question trees from data sets that were not made for them.

All questions and answers were written by people, for each other; only the hierarchy is derived, by
the rules below. HIBRIDS (§4.1) requires that answers fully address their questions, and that
follow-up questions are about the parent's answer.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from longsum.documents.model import Paragraph, Section
from longsum.evaluation.datasets.example import Example
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
    for node, own in zip(others, turns, strict=True):
        wider = [place for place, other in enumerate(turns) if own and own < other]
        above = min(wider, key=lambda place: len(turns[place]), default=None)
        (top if above is None else others[above])["children"].append(node)
    return [top]


def _positions(node: Node) -> set[int]:
    return {turn for first, last in node.get("paragraphs", ()) for turn in range(first, last + 1)}


def story_questions(example: Example) -> list[Node]:
    """Return the questions about a SQuALITY story, one tree per set of answers.

    The first question asks for the plot, the others about characters, places and developments in
    it, so they go under the first. All questions have equally many answers; tree k has answer k of
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
    its nearest ancestor that is one; topmost questions are trees of their own.
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
    # The mark of an item is no part of its sentence, but for letters and the like.
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
