"""Corrections of question trees, and whether answers answer (HIBRIDS, §6.1 and C)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import Field

from longsum.core.questions import ROOT
from longsum.evaluation.metrics.tree_edits import adjustment_steps
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Setup, Task, judges_of

_MOST_MOVES = 10_000


@dataclass(frozen=True, slots=True)
class TreeCorrections:
    """Each question with its answer is moved step by step to the parent that it follows from."""

    name: ClassVar[str] = "trees"
    raters: ClassVar[int] = 3
    beside: ClassVar[ShownSource] = "title"

    @property
    def shown(self) -> Mapping[str, Any]:
        """What all pages say."""
        return {}

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
        """Return the parents after all steps; None if a step goes elsewhere than to a neighbour.

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


def tally(task: KeyTask, answers: Sequence[TreeAnswer], found: Tally) -> None:
    """Add the answers on a tree: the steps, the fewest that lead as far, and what is answerable."""
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
