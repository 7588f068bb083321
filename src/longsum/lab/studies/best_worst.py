"""Best–worst scaling: which of a few summaries is best, and which is worst (Stepwise, §7).

Louviere et al. 2015. Of two summaries, as in the paper, the one not chosen as best is worst.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, comb
from typing import Annotated, Any, ClassVar

from pydantic import Field

from longsum.common.errors import LongsumError
from longsum.lab.studies.answers import Checked, KeyTask, Tally
from longsum.lab.studies.blocks import balanced_blocks, concurrence
from longsum.lab.studies.candidates import Candidate, ShownSource, one_of_each
from longsum.lab.studies.study import Kind, Setup, Task, judges_of

CRITERIA = {
    "informativeness": "Which has the best selection of the relevant facts?",
    "readability": "Which has the best narrative flow and is easiest to read?",
}
"""The questions that the paper asks about two reports on a game."""
PAIR = 2
"""How many summaries the paper compares at once, which is also the fewest possible."""


@dataclass(frozen=True, slots=True)
class BestWorst(Kind):
    """A study that compares tuples of summaries of the same document by several criteria.

    Attributes:
        size: How many summaries are compared at once.
        tuples: Number of tuples for each document; by default the fewest in which every two systems
            can meet.
        criteria: The question of each criterion, by its name.
    """

    size: int = PAIR
    tuples: int | None = None
    criteria: Mapping[str, str] = field(default_factory=lambda: dict(CRITERIA))

    name: ClassVar[str] = "best-worst"
    raters: ClassVar[int] = 3
    shown_source: ClassVar[ShownSource] = "document"

    @property
    def shown(self) -> Mapping[str, Any]:
        """The criteria with their questions, which all pages show."""
        return {"criteria": [[name, question] for name, question in self.criteria.items()]}

    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return a task for each tuple; the tuples of a document are judged by the same people.

        Raises:
            LongsumError: There are fewer systems than are compared at once.
        """
        documents = one_of_each(made, tree=False)
        systems = sorted(next(iter(documents.values())))
        if not PAIR <= self.size <= len(systems):
            raise LongsumError(
                f"{self.size} summaries cannot be compared at once if there are {len(systems)} "
                "systems; compare 2 or more, and at most as many as there are systems."
            )
        count = self.tuples or ceil(comb(len(systems), 2) / comb(self.size, 2))
        judges = judges_of(documents, setup)
        seen = None
        tasks = []
        for document, by_system in documents.items():
            blocks = balanced_blocks(len(systems), self.size, count, setup.rng, seen)
            seen = concurrence(len(systems), blocks, seen)
            for block in blocks:
                shown = setup.rng.sample([systems[place] for place in block], len(block))
                texts = [list(by_system[system].sentences) for system in shown]
                key = {"criteria": list(self.criteria)}
                tasks.append(Task(document, tuple(shown), {"texts": texts}, key, judges[document]))
        return tasks


@dataclass(frozen=True, slots=True)
class Choice(Checked):
    """The best and the worst of a tuple, as positions; None where nothing is chosen."""

    best: Annotated[int, Field(ge=0)] | None
    worst: Annotated[int, Field(ge=0)] | None


@dataclass(frozen=True, slots=True)
class BestWorstAnswer(Checked):
    """One annotator's choices by criterion."""

    choices: dict[str, Choice]

    def problem(self, task: KeyTask) -> str | None:
        """Return what is wrong or missing, or None."""
        if set(self.choices) != set(task.texts("criteria")):
            return "lacks a criterion, or has an unknown one"
        for choice in self.choices.values():
            chosen = (choice.best, choice.worst)
            if None in chosen or choice.best == choice.worst:
                return "does not say what is best and what is worst"
            if max(choice.best or 0, choice.worst or 0) >= len(task.systems):
                return "chooses a summary that was not shown"
        return None


def tally(task: KeyTask, answers: Sequence[BestWorstAnswer], results: Tally) -> None:
    """Score the systems of a tuple: 1 for the best, −1 for the worst, 0 for others."""
    for answer in answers:
        for criterion, choice in answer.choices.items():
            for place, system in enumerate(task.systems):
                score = (place == choice.best) - (place == choice.worst)
                results.score(system, task.document, "best–worst", score, of=criterion)
            results.rate(f"best {criterion}", "nominal", task.id, choice.best)
            if len(task.systems) > PAIR:
                results.rate(f"worst {criterion}", "nominal", task.id, choice.worst)
