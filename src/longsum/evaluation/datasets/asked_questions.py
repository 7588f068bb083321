"""The questions of a data set, each with its answers: an example of its own."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from longsum.evaluation.datasets.example import Example
from longsum.evaluation.datasets.question_sets import question_trees


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
