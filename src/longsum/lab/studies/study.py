"""A study: what is judged, by whom, and the key that says which system made what."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, ClassVar

from longsum.common.errors import LongsumError
from longsum.common.wording import counted
from longsum.lab.studies.blocks import balanced_blocks, concurrence, pairs_of, singles_of, span
from longsum.lab.studies.candidates import REFERENCE, Candidate, Originals, ShownSource

PAGE_SCHEMA = "longsum/study-page/1"
KEY_SCHEMA = "longsum/study-key/1"
MOST_PEOPLE = 200


@dataclass(frozen=True, slots=True)
class Task:
    """What is judged at once, by one or several people.

    Attributes:
        document: Identifier of the document.
        systems: The systems whose output is shown, in the order in which it is shown.
        shown: What the page shows, as JSON values; it does not reveal the systems.
        key: What else is needed to read an answer, as JSON values.
        people: The numbers of the annotators who judge it, from 1.
        id: Its name in pages and answers.
    """

    document: str
    systems: tuple[str, ...]
    shown: Mapping[str, Any]
    key: Mapping[str, Any] = field(default_factory=dict)
    people: tuple[int, ...] = ()
    id: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """What the tasks of a study depend on besides the systems' output.

    Attributes:
        originals: The documents, as far as they are known.
        people: Number of annotators.
        raters: How many of them judge each document.
        rng: Source of randomness.
    """

    originals: Originals
    people: int
    raters: int
    rng: Random


class Kind(ABC):
    """A kind of study.

    Attributes:
        name: Its name: on the command line, in pages and in answers.
        raters: How many people judge each document, as in its paper.
        shown_source: How much of the document people see beside its summaries.
    """

    name: ClassVar[str]
    raters: ClassVar[int]
    shown_source: ClassVar[ShownSource]

    @property
    def shown(self) -> Mapping[str, Any]:
        """What all its pages show, as JSON values."""
        return {}

    @abstractmethod
    def tasks(self, made: Sequence[Candidate], setup: Setup) -> list[Task]:
        """Return the tasks with the people who judge them, but without identifiers.

        Raises:
            LongsumError: The output cannot be judged in this way.
        """


@dataclass(frozen=True, slots=True)
class Spread:
    """How evenly something is spread: the least and the greatest count."""

    what: str
    least: int
    most: int

    def __str__(self) -> str:
        counts = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"{self.what}: {counts}"


@dataclass(frozen=True, slots=True)
class Study:
    """A study.

    Attributes:
        kind: Its kind.
        people: Number of annotators.
        tasks: The tasks, in an order that does not reveal the systems.
        originals: What pages show of each document, by identifier.
        seed: The random seed that everything depends on.
    """

    kind: Kind
    people: int
    tasks: tuple[Task, ...]
    originals: Mapping[str, Mapping[str, Any]]
    seed: int

    @property
    def id(self) -> str:
        """The study's identifier, which pages, answers and key share."""
        written = json.dumps([self._key(), [task.shown for task in self.tasks]], sort_keys=True)
        return hashlib.sha256(written.encode()).hexdigest()[:12]

    def key(self) -> dict[str, Any]:
        """Return the key as JSON values; annotators must not see it."""
        return {"schema": KEY_SCHEMA, "study": self.id, **self._key()}

    def page(self, person: int) -> dict[str, Any]:
        """Return the content of one person's page, as JSON values.

        The tasks of a document come together, so that it is read once; the order of documents, and
        of each document's tasks, is random.
        """
        rng = Random(f"{self.seed} page {person}")
        by_document: dict[str, list[Task]] = defaultdict(list)
        for task in self.tasks:
            if person in task.people:
                by_document[task.document].append(task)
        names = {document: f"d{place}" for place, document in enumerate(by_document, start=1)}
        ordered: list[dict[str, Any]] = []
        for document in rng.sample(list(by_document), len(by_document)):
            tasks = rng.sample(by_document[document], len(by_document[document]))
            ordered += [
                {"id": task.id, "document": names[document], **task.shown} for task in tasks
            ]
        return {
            "schema": PAGE_SCHEMA,
            "study": self.id,
            "kind": self.kind.name,
            "annotator": person,
            **self.kind.shown,
            "documents": {name: self.originals[document] for document, name in names.items()},
            "tasks": ordered,
        }

    def spreads(self) -> list[Spread]:
        """Return how evenly work, pairs of annotators, and systems are spread."""
        load = Counter(person for task in self.tasks for person in task.people)
        judged: dict[str, set[int]] = defaultdict(set)
        for task in self.tasks:
            judged[task.document].update(person - 1 for person in task.people)
        together = concurrence(self.people, [list(people) for people in judged.values()])
        annotators = range(1, self.people + 1)
        spreads = [
            Spread("tasks of each annotator", *span(load[person] for person in annotators)),
        ]
        if self.people > 1:
            spreads.append(
                Spread("documents that two annotators share (λ)", *span(pairs_of(together)))
            )
        return spreads + self._system_spreads()

    def _system_spreads(self) -> list[Spread]:
        systems = sorted({system for task in self.tasks for system in task.systems})
        place = {system: number for number, system in enumerate(systems)}
        shown = [[place[system] for system in task.systems] for task in self.tasks]
        blocks = [block for block, task in zip(shown, self.tasks, strict=True) for _ in task.people]
        spreads = [
            Spread(
                "judgements of each system", *span(singles_of(concurrence(len(systems), blocks)))
            )
        ]
        if len(systems) > 1:
            if max(map(len, shown), default=0) < 2:
                blocks = self._systems_by_annotator(place)
                what = "annotators who judge both of two systems (λ)"
            else:
                what = "comparisons of every two systems (λ)"
            spreads.append(Spread(what, *span(pairs_of(concurrence(len(systems), blocks)))))
        return spreads

    def _systems_by_annotator(self, place: Mapping[str, int]) -> list[list[int]]:
        """Return the systems that each annotator judges, by their places."""
        judged: dict[int, set[int]] = defaultdict(set)
        for task in self.tasks:
            for person in task.people:
                judged[person].update(place[system] for system in task.systems)
        return [sorted(systems) for systems in judged.values()]

    def _key(self) -> dict[str, Any]:
        return {
            "kind": self.kind.name,
            "annotators": self.people,
            "seed": self.seed,
            "design": [str(spread) for spread in self.spreads()],
            "tasks": {
                task.id: {
                    "document": task.document,
                    "systems": list(task.systems),
                    "annotators": list(task.people),
                    "needed": dict(task.key),
                }
                for task in self.tasks
            },
        }


def make_study(
    kind: Kind,
    made: Sequence[Candidate],
    originals: Originals,
    *,
    people: int,
    raters: int | None = None,
    seed: int = 0,
) -> Study:
    """Make a study of the output of systems.

    Args:
        kind: What is judged, and how.
        made: The summaries or trees of all systems.
        originals: The documents, as far as they are known.
        people: Number of annotators.
        raters: How many of them judge each document; by default as many as in the paper, or all if
            there are fewer.
        seed: Random seed; the same seed gives the same study.

    Raises:
        LongsumError: There are no annotators, too few or too many, or the output cannot be judged
            in this way.
    """
    if not 1 <= people <= MOST_PEOPLE:
        raise LongsumError(f"A study cannot have {people:,} annotators; give 1 to {MOST_PEOPLE}.")
    if raters is not None and not 1 <= raters <= people:
        raise LongsumError(
            f"{counted(raters, 'annotator')} cannot judge each document if there are {people}; "
            f"give 1 to {people}."
        )
    rng = Random(f"{seed} {kind.name}")
    several = min(kind.raters, people) if raters is None else raters
    tasks = kind.tasks(made, Setup(originals, people, several, rng))
    rng.shuffle(tasks)
    digits = len(str(len(tasks)))
    numbered = tuple(
        replace(task, id=f"t{number:0{digits}}") for number, task in enumerate(tasks, start=1)
    )
    of_document = {candidate.document: candidate for candidate in reversed(made)}
    # Whoever reads the reference beside the summaries would recognize it among them.
    reference_judged = any(candidate.system == REFERENCE for candidate in made)
    documents = {
        document: originals.of(candidate).shown(candidate.title, kind.shown_source)
        | ({"references": []} if reference_judged else {})
        for document, candidate in of_document.items()
    }
    return Study(kind, people, numbered, documents, seed)


def judges_of(documents: Iterable[str], setup: Setup) -> dict[str, tuple[int, ...]]:
    """Return the judges of each document, with the work and pairs of annotators balanced."""
    names = list(documents)
    blocks = balanced_blocks(setup.people, setup.raters, len(names), setup.rng)
    return {
        document: tuple(person + 1 for person in block)
        for document, block in zip(names, blocks, strict=True)
    }
