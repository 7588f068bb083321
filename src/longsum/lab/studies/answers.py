"""What people saved, and the key: files that are checked before they are used.

The results are means by system with intervals, medians, and agreement (`Tally`).
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
    """A value read from JSON, in which a wrong type or an unknown field is an error."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class Answer(Protocol):
    """An annotator's answer to a task."""

    def problem(self, task: "KeyTask") -> str | None:
        """Return what is wrong or missing, as the end of a sentence, or None."""
        ...


@dataclass(frozen=True, slots=True)
class KeyTask(Checked):
    """What the key says of a task; see `longsum.lab.studies.study.Task`."""

    document: Name
    systems: tuple[Name, ...]
    annotators: tuple[int, ...]
    needed: dict[str, Any] = field(default_factory=dict)
    id: str = ""

    @property
    def system(self) -> str:
        """The system of a task that shows what one system made."""
        if len(self.systems) != 1:
            raise self._damaged("one system")
        return self.systems[0]

    def texts(self, name: str) -> list[str]:
        """Return texts from the key for reading an answer."""
        return self._all(name, str)

    def numbers(self, name: str) -> list[int]:
        """Return whole numbers from the key for reading an answer."""
        return self._all(name, int)

    def _all(self, name: str, kind: type[T]) -> list[T]:
        found = self.needed.get(name)
        if not isinstance(found, list) or not all(type(each) is kind for each in found):
            raise self._damaged(f"'{name}'")
        return found

    def parents(self) -> list[int]:
        """Return the parents of a tree's questions, each before its children."""
        found = self.numbers("parents")
        if not found or any(not ROOT <= parent < place for place, parent in enumerate(found)):
            raise self._damaged("'parents'")
        return found

    def _damaged(self, lacks: str) -> LongsumError:
        return LongsumError(
            f"The key does not have {lacks} of the task {self.id}; give the key as it was written."
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
    """A task as it was left: whether it is done, how long it was shown, and the answer."""

    done: bool
    seconds: Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
    answer: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Saved(Checked):
    """A file that an annotator saved (schema in `docs/schema/annotations-1.json`)."""

    schema: Literal["longsum/annotations/1"]
    study: Name
    kind: Name
    annotator: Annotated[int, Field(ge=1)]
    tasks: dict[str, SavedTask]


def parse_key(text: str | bytes, name: str) -> Key:
    """Read a key.

    Raises:
        LongsumError: It is no key.
    """
    key = checked(Key, text, name)
    for task_id, task in key.tasks.items():
        object.__setattr__(task, "id", task_id)
    return key


def checked(kind: type[T], value: str | bytes | dict[str, Any], name: str) -> T:
    """Make a dataclass from JSON text or JSON values.

    Raises:
        LongsumError: It is not of this form; says where.
    """
    try:
        if isinstance(value, dict):
            # In JSON, and only there, lists stand for tuples.
            value = to_json(value)
        found: T = _adapter(cast(Hashable, kind)).validate_json(value)
        return found
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
        of: The aspect or criterion that the figure is about; empty for all.
        name: What is measured.
        interval: The mean over documents of the mean of their judgements, and its 95 % interval by
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
        found: Krippendorff's alpha.
    """

    what: str
    level: Level
    found: Agreement


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
        """Return the figures by system, in the order of the names."""
        found = []
        for (system, of, name), documents in sorted(self._scores.items()):
            every = [value for values in documents.values() for value in values]
            interval = bootstrap_interval([fmean(each) for each in documents.values()], seed=seed)
            found.append(
                Measure(system, of, name, interval, median(every), len(documents), len(every))
            )
        return found

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
