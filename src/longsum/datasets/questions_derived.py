"""Trees of questions from data sets that were not made for them.

Every question and every answer is text that people wrote, the one for the other; only how they hang
together is derived, by the rules below. HIBRIDS (§4.1) asks for questions that are fully addressed
by their answers, and for follow-up questions about what the parent's answer says.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from longsum.datasets.example import Example
from longsum.documents.model import Paragraph, Section
from longsum.language.words import count_words

Node = dict[str, Any]
"""A question as `longsum.datasets.questions` says; the children are filled in after it is made."""

LEAST_HEADING_WORDS = 3
LEAST_ANSWER_WORDS = 10
"""Fewer words are a pointer ("See below.") or a cry rather than an answer."""

_END_OF_STATEMENT = re.compile(r"[.!][\"'”’)\]*_`]*$")
_LIST_ITEM = re.compile(r"[*\-+•>↩]\s|\(?\w{1,3}[.)]\s")


def meeting_questions(example: Example) -> list[Node]:
    """Return the queries of a meeting of QMSum as one tree.

    On top stands the first general query with the summary of the whole meeting, below it the other
    queries in the set's order. Annotators marked the turns that each specific query rests on: one
    whose turns are some, not all, of another's hangs under the shortest such other (the first of
    equals), so that "What did C think about …?" follows "Summarize the discussion about …". Queries
    without turns, as further general ones, hang under the top.
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
    """Return the questions about a story of SQuALITY, a tree for each set of answers.

    The first question asks for the plot, the others about persons, places and what comes of things
    in it, so they hang under the first. Each question has as many answers as the others; tree k has
    the answer k of each. Who wrote which is not told: the answers of a tree may be several
    writers', each written as an answer to its question.
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
    """Return the headings of a document that ask a question, each with its opening paragraph.

    A heading counts that has three words at least and ends in a question mark. The answer is the
    first paragraph under it, if that is a statement: ten words at least, no list item, and its end
    not a colon or a question mark. A heading without such an answer is left out. A question
    hangs under the nearest section above it that is one; topmost questions are trees of their own.
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
    """Return the paragraph that answers a section's heading; empty where none does."""
    asks = section.title.endswith("?") and count_words(section.title) >= LEAST_HEADING_WORDS
    if not asks or not section.paragraphs:
        return ""
    answer = _text(section.paragraphs[0])
    stated = _END_OF_STATEMENT.search(answer) and not _LIST_ITEM.match(answer)
    return answer if stated and count_words(answer) >= LEAST_ANSWER_WORDS else ""


def _text(paragraph: Paragraph) -> str:
    return " ".join(sentence.text for sentence in paragraph)


def _node(question: str, answer: str, spans: Iterable[Sequence[int | str]] = ()) -> Node:
    node: Node = {"question": question.strip(), "answer": answer.strip(), "children": []}
    if paragraphs := [[int(first), int(last)] for first, last in spans]:
        node["paragraphs"] = paragraphs
    return node
