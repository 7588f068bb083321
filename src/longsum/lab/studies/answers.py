"""The files of a study that are read back: annotators' answers and the key, both validated.

`Tally` sums answers up: means by system with intervals, medians, and agreement.
"""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean, median
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeVar, cast

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from longsum.common.errors import LongsumError
from longsum.common.wording import quote
from longsum.core.questions.question_tree import ROOT
from longsum.evaluation.metrics.agreement import Agreement, Level, Rating, agreement
from longsum.evaluation.metrics.significance import Interval, bootstrap_interval

T = TypeVar("T")
Name = Annotated[str, Field(min_length=1, max_length=300)]


@dataclass(frozen=True, slots=True)
class Checked:
    """A value read from JSON; a wrong type or an unknown field is an error."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class Answer(Protocol):
    """An annotator's answer to a task."""

    def problem(self, task: "KeyTask") -> str | None:
        """Return what is wrong or missing, as the end of a sentence, or None."""
        ...


@dataclass(frozen=True, slots=True)
class KeyTask(Checked):
    """A task as the key describes it; see `longsum.lab.studies.study.Task`."""

    document: Name
    systems: tuple[Name, ...]
    annotators: tuple[int, ...]
    needed: dict[str, Any] = field(default_factory=dict)
    id: str = ""

    @property
    def system(self) -> str:
        """The system of a task that shows the output of a single system."""
        if len(self.systems) != 1:
            raise self._damaged("one system")
        return self.systems[0]

    def texts(self, name: str) -> list[str]:
        """Return the texts that the key has under a name."""
        return self._list(name, str)

    def numbers(self, name: str) -> list[int]:
        """Return the whole numbers that the key has under a name."""
        return self._list(name, int)

    def _list(self, name: str, kind: type[T]) -> list[T]:
        values = self.needed.get(name)
        if not isinstance(values, list) or not all(type(value) is kind for value in values):
            raise self._damaged(f"'{name}'")
        return values

    def parents(self) -> list[int]:
        """Return the parents of a tree's questions, each before its children."""
        parents = self.numbers("parents")
        if not parents or any(not ROOT <= parent < place for place, parent in enumerate(parents)):
            raise self._damaged("'parents'")
        return parents

    def _damaged(self, missing: str) -> LongsumError:
        return LongsumError(
            f"The key lacks {missing} of the task {self.id}; give the key as it was written."
        )


@dataclass(frozen=True, slots=True)
class Key(Checked):
    """The key of a study; see `longsum.lab.studies.study.Study.key`."""

    schema: Literal["longsum/study-key/1"]
    study: Name
    kind: Name
    annotators: int
    seed: int
    design: tuple[str, ...]
    tasks: dict[str, KeyTask]


@dataclass(frozen=True, slots=True)
class SavedTask(Checked):
    """A task as the annotator left it: whether it is done, how long it was shown, the answer."""

    done: bool
    seconds: Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Saved(Checked):
    """An annotator's file (schema in `docs/schema/annotations-1.json`)."""

    schema: Literal["longsum/annotations/1"]
    study: Name
    kind: Name
    annotator: Annotated[int, Field(ge=1)]
    tasks: dict[str, SavedTask]


def parse_key(text: str | bytes, name: str) -> Key:
    """Read a key.

    Raises:
        LongsumError: The text is not a key.
    """
    key = checked(Key, text, name)
    for task_id, task in key.tasks.items():
        object.__setattr__(task, "id", task_id)
    return key


def checked(kind: type[T], value: str | bytes | dict[str, Any], name: str) -> T:
    """Make a dataclass from JSON text or JSON values.

    Raises:
        LongsumError: The value does not have this form; says where.
    """
    try:
        if isinstance(value, dict):
            # In strict mode, a list is accepted for a tuple only when it is read from JSON text.
            value = to_json(value)
        instance: T = _adapter(cast(Hashable, kind)).validate_json(value)
        return instance
    except (ValidationError, ValueError, RecursionError) as error:
        raise LongsumError(
            f"{name} cannot be read{_where(error)}; give it as it was saved."
        ) from None


def to_json(value: Any) -> bytes:
    """Return JSON values as JSON text."""
    return TypeAdapter(Any).dump_json(value)


def _where(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return ""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f" ({quote(place) + ': ' if place else ''}{first['msg']})"


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a system.

    Attributes:
        system: The system.
        of: The aspect or criterion that the figure is about; empty if it is about all of them.
        name: What is measured.
        interval: The mean over documents of their mean judgements, and its 95 % interval by
            resampling documents.
        median: The median of all judgements.
        documents: Number of documents.
        judgements: Number of judgements.
    """

    system: str
    of: str
    name: str
    interval: Interval
    median: float
    documents: int
    judgements: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far annotators agree on something.

    Attributes:
        what: What they agree on.
        level: The level of measurement of the ratings.
        agreement: Krippendorff's alpha.
    """

    what: str
    level: Level
    agreement: Agreement


class Tally:
    """Collects figures and ratings, and sums them up."""

    def __init__(self) -> None:
        self._scores: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._ratings: dict[tuple[str, Level], dict[Hashable, list[Rating]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def score(self, system: str, document: str, name: str, value: float, *, of: str = "") -> None:
        """Add a figure of a system on a document; see `Measure`."""
        self._scores[system, of, name][document].append(float(value))

    def rate(self, what: str, level: Level, unit: Hashable, value: Rating) -> None:
        """Add one annotator's rating of a unit; see `Agreed`."""
        self._ratings[what, level][unit].append(value)

    def measures(self, seed: int) -> list[Measure]:
        """Return the figures, sorted by system, aspect and name."""
        measures = []
        for (system, of, name), documents in sorted(self._scores.items()):
            judgements = [value for values in documents.values() for value in values]
            means = [fmean(values) for values in documents.values()]
            interval = bootstrap_interval(means, seed=seed)
            measures.append(
                Measure(
                    system,
                    of,
                    name,
                    interval,
                    median(judgements),
                    len(documents),
                    len(judgements),
                )
            )
        return measures

    def agreements(self, seed: int) -> list[Agreed]:
        """Return the agreement on everything that at least two annotators rated."""
        return [
            Agreed(what, level, agreement(list(units.values()), level, seed=seed))
            for (what, level), units in self._ratings.items()
            if any(len(ratings) > 1 for ratings in units.values())
        ]


def measure_to_json(measure: Measure) -> dict[str, Any]:
    """Return a figure as JSON values."""
    return {
        "system": measure.system,
        "of": measure.of,
        "measure": measure.name,
        "mean": measure.interval.mean,
        "low": measure.interval.low,
        "high": measure.interval.high,
        "median": measure.median,
        "documents": measure.documents,
        "judgements": measure.judgements,
    }
