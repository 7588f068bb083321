"""Studies of question trees: people correct them, or write them (HIBRIDS, §4.1, §6.1 and C)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Annotated, Any, ClassVar

from pydantic import Field

from longsum.core.questions.question_tree import ROOT, Question, QuestionTree
from longsum.evaluation.metrics.tree_edits import adjustment_steps, tree_edits
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Setup, Task, judges_of
from longsum.language.characters import clean

_MOST_MOVES = 10_000


@dataclass(frozen=True, slots=True)
class TreeCorrections:
    """Each question with its answer is moved step by step to the parent that it follows from."""

    name: ClassVar[str] = "trees"
    raters: ClassVar[int] = 3
    beside: ClassVar[ShownSource] = "title"
    shown: ClassVar[Mapping[str, Any]] = {}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each tree; those of a document are judged by the same people."""
        documents = one_of_each(made, tree=True)
        judges = judges_of(documents, setup)
        found = []
        for document, systems in documents.items():
            for system, each in systems.items():
                assert each.tree is not None  # as `one_of_each` makes sure
                parents = each.tree.parents()
                pairs = [
                    {"question": pair.question, "answer": pair.answer, "parent": parent}
                    for (_, pair), parent in zip(each.tree.walk(), parents, strict=True)
                ]
                shown, key = {"pairs": pairs}, {"parents": parents}
                found.append(Task(document, (system,), shown, key, judges[document]))
        return found


@dataclass(frozen=True, slots=True)
class TreeAnswer(Checked):
    """One annotator's corrections.

    Attributes:
        moves: Each step: a pair, and the pair that it is attached to, `ROOT` for none.
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
        found = list(parents)
        for pair, to in self.moves:
            if not 0 <= pair < len(found) or not ROOT <= to < len(found) or to == pair:
                return None
            parent = found[pair]
            grandparent = None if parent == ROOT else found[parent]
            sibling = to != ROOT and found[to] == parent
            if to != grandparent and not sibling:
                return None
            found[pair] = to
        return found


def tally_corrections(task: KeyTask, answers: Sequence[TreeAnswer], found: Tally) -> None:
    """Add the answers on a tree: steps, the fewest possible ones, and answerable questions."""
    system = task.system
    parents = task.parents()
    for answer in answers:
        wanted = answer.corrected(parents) or parents
        moved = [
            {now} if now != before else set() for before, now in zip(parents, wanted, strict=True)
        ]
        fewest = sum(adjustment_steps(parents, moved))
        found.score(system, task.document, "edits", len(answer.moves))
        found.score(system, task.document, "fewest edits", fewest)
        share = sum(map(bool, answer.answerable)) / len(parents)
        found.score(system, task.document, "answerable", share)
        found.score(system, task.document, "questions", len(parents))
        found.rate("edits", "interval", task.id, float(len(answer.moves)))
        for place, value in enumerate(answer.answerable):
            found.rate("answerable", "nominal", (task.id, place), float(bool(value)))


_MOST_WRITTEN = 1000


@dataclass(frozen=True, slots=True)
class QuestionWriting:
    """Somebody asks questions about a text, and chooses the sentences that answer each."""

    name: ClassVar[str] = "questions"
    raters: ClassVar[int] = 1
    beside: ClassVar[ShownSource] = "title"
    shown: ClassVar[Mapping[str, Any]] = {}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each text; those of a document have the same writers."""
        documents = one_of_each(made, tree=False)
        writers = judges_of(documents, setup)
        found = []
        for document, systems in documents.items():
            for system, each in systems.items():
                text = {"sentences": list(each.sentences)}
                found.append(Task(document, (system,), text, text, writers[document]))
        return found


@dataclass(frozen=True, slots=True)
class Written(Checked):
    """A question, the place of its parent before it or `ROOT`, and the sentences that answer it."""

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
        for place, each in enumerate(self.questions):
            if each.parent >= place:
                return "has a question before the one that it follows from"
            if not clean(each.question) or not each.sentences:
                return "has a question without words or without an answer"
            if max(each.sentences) >= sentences:
                return "answers with a sentence that there is not"
        return None

    def tree(self, sentences: Sequence[str]) -> QuestionTree:
        """Return the tree; answers are the sentences in the order of the text."""
        below: dict[int, list[Question]] = defaultdict(list)
        for place, each in reversed(list(enumerate(self.questions))):
            answer = " ".join(sentences[number] for number in sorted(set(each.sentences)))
            children = tuple(reversed(below.pop(place, [])))
            below[each.parent].append(Question(clean(each.question), answer, children))
        return QuestionTree(tuple(reversed(below[ROOT])))


def tally_written(task: KeyTask, answers: Sequence[WritingAnswer], found: Tally) -> None:
    """Add the trees of a text: their sizes, how much of the text they use, and how they differ.

    If several wrote about it, `edits between two` are the steps and additions that turn one tree
    into another (`longsum.evaluation.metrics.tree_edits`).
    """
    system = task.system
    sentences = task.texts("sentences")
    trees = [answer.tree(sentences) for answer in answers]
    for answer, tree in zip(answers, trees, strict=True):
        used = {number for each in answer.questions for number in each.sentences}
        found.score(system, task.document, "questions", len(tree))
        found.score(system, task.document, "levels", tree.depth)
        found.score(system, task.document, "sentences used", len(used) / len(sentences))
    for one, other in permutations(trees, 2):
        found.score(system, task.document, "edits between two", tree_edits(one, other).total)
