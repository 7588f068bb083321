"""Studies of question trees: people correct them, or write them (HIBRIDS, §4.1, §6.1 and C)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, ClassVar

from pydantic import Field

from longsum.core.questions.question_tree import ROOT, Question, QuestionTree
from longsum.evaluation.metrics.tree_edits import adjustment_steps, tree_edits
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Kind, Setup, Task, judges_of
from longsum.language.characters import clean

_MOST_MOVES = 10_000


@dataclass(frozen=True, slots=True)
class TreeCorrections(Kind):
    """A study in which people move questions step by step to the parents that they follow from."""

    name: ClassVar[str] = "trees"
    raters: ClassVar[int] = 3
    shown_source: ClassVar[ShownSource] = "title"

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each tree; those of a document are judged by the same people."""
        documents = one_of_each(made, tree=True)
        judges = judges_of(documents, setup)
        tasks = []
        for document, systems in documents.items():
            for system, candidate in systems.items():
                assert candidate.tree is not None  # `one_of_each` makes sure.
                parents = candidate.tree.parents()
                pairs = [
                    {"question": pair.question, "answer": pair.answer, "parent": parent}
                    for (_, pair), parent in zip(candidate.tree.walk(), parents, strict=True)
                ]
                shown, key = {"pairs": pairs}, {"parents": parents}
                tasks.append(Task(document, (system,), shown, key, judges[document]))
        return tasks


@dataclass(frozen=True, slots=True)
class TreeAnswer(Checked):
    """One annotator's corrections.

    Attributes:
        moves: The steps, each as a pair and its new parent, which may be `ROOT`.
        answerable: Whether the answer of each pair answers its question.
    """

    moves: Annotated[tuple[tuple[int, int], ...], Field(max_length=_MOST_MOVES)]
    answerable: tuple[bool | None, ...]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        parents = task.parents()
        if len(self.answerable) != len(parents) or None in self.answerable:
            return "does not say of every question whether it is answered"
        return None if self.corrected(parents) else "has a step that cannot be made"

    def corrected(self, parents: Sequence[int]) -> list[int] | None:
        """Return the parents after all steps; None if a step does not go to a neighbour.

        A step attaches a pair to its grandparent, or to a sibling.
        """
        parent_of = list(parents)
        for pair, to in self.moves:
            if not 0 <= pair < len(parent_of) or not ROOT <= to < len(parent_of) or to == pair:
                return None
            parent = parent_of[pair]
            grandparent = None if parent == ROOT else parent_of[parent]
            sibling = to != ROOT and parent_of[to] == parent
            if to != grandparent and not sibling:
                return None
            parent_of[pair] = to
        return parent_of


def tally_corrections(task: KeyTask, answers: Sequence[TreeAnswer], results: Tally) -> None:
    """Score a system by its corrected tree: steps, fewest possible steps, answerable questions."""
    system = task.system
    parents = task.parents()
    for answer in answers:
        corrected = answer.corrected(parents) or parents
        moved = [
            {now} if now != before else set()
            for before, now in zip(parents, corrected, strict=True)
        ]
        fewest = sum(adjustment_steps(parents, moved))
        results.score(system, task.document, "edits", len(answer.moves))
        results.score(system, task.document, "fewest edits", fewest)
        share = sum(map(bool, answer.answerable)) / len(parents)
        results.score(system, task.document, "answerable", share)
        results.score(system, task.document, "questions", len(parents))
        results.rate("edits", "interval", task.id, float(len(answer.moves)))
        for place, value in enumerate(answer.answerable):
            results.rate("answerable", "nominal", (task.id, place), float(bool(value)))


_MOST_WRITTEN = 1000


@dataclass(frozen=True, slots=True)
class QuestionWriting(Kind):
    """A study in which people write questions about a text, and choose the answering sentences."""

    name: ClassVar[str] = "questions"
    raters: ClassVar[int] = 1
    shown_source: ClassVar[ShownSource] = "title"

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each text; those of a document have the same writers."""
        documents = one_of_each(made, tree=False)
        writers = judges_of(documents, setup)
        tasks = []
        for document, systems in documents.items():
            for system, candidate in systems.items():
                text = {"sentences": list(candidate.sentences)}
                tasks.append(Task(document, (system,), text, text, writers[document]))
        return tasks


@dataclass(frozen=True, slots=True)
class Written(Checked):
    """A question, the place of its parent or `ROOT`, and the sentences that answer it."""

    parent: Annotated[int, Field(ge=ROOT)]
    question: Annotated[str, Field(max_length=2000)]
    sentences: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(max_length=_MOST_WRITTEN)]


@dataclass(frozen=True, slots=True)
class WritingAnswer(Checked):
    """The questions that somebody wrote, each after its parent."""

    questions: Annotated[tuple[Written, ...], Field(max_length=_MOST_WRITTEN)]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        sentences = len(task.texts("sentences"))
        if not self.questions:
            return "has no questions"
        for place, written in enumerate(self.questions):
            if written.parent >= place:
                return "has a question before the one that it follows from"
            if not clean(written.question) or not written.sentences:
                return "has a question without words or without an answer"
            if max(written.sentences) >= sentences:
                return "answers with a sentence that the text does not have"
        return None

    def tree(self, sentences: Sequence[str]) -> QuestionTree:
        """Return the tree, in which answers have their sentences in the order of the text."""
        below: dict[int, list[Question]] = defaultdict(list)
        for place, written in reversed(list(enumerate(self.questions))):
            answer = " ".join(sentences[number] for number in sorted(set(written.sentences)))
            children = tuple(reversed(below.pop(place, [])))
            below[written.parent].append(Question(clean(written.question), answer, children))
        return QuestionTree(tuple(reversed(below[ROOT])))


def tally_written(task: KeyTask, answers: Sequence[WritingAnswer], results: Tally) -> None:
    """Score the trees of a text: their sizes, how much of the text they use, how they differ.

    If several people wrote about it, `edits between two` counts the steps and additions that turn
    one tree into another (`longsum.evaluation.metrics.tree_edits`).
    """
    system = task.system
    sentences = task.texts("sentences")
    trees = [answer.tree(sentences) for answer in answers]
    for answer, tree in zip(answers, trees, strict=True):
        used = {number for written in answer.questions for number in written.sentences}
        results.score(system, task.document, "questions", len(tree))
        results.score(system, task.document, "levels", tree.depth)
        results.score(system, task.document, "sentences used", len(used) / len(sentences))
    for one, other in permutations(trees, 2):
        results.score(system, task.document, "edits between two", tree_edits(one, other).total)
