"""The registry of experiments: what each result table holds, as `papers/*.yaml` say."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml
from longsum.common.wording import did_you_mean, quote
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import Recipe, check, published

Measure = Literal["summaries", "trees", "texts", "training", "positions", "games", "people"]
Study = Literal["faithfulness", "trees", "questions", "best-worst", "fact-checks"]
MEAN = "reference"
HELPER = "@"
"""What a setting begins with that names the folder of a helper."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Helper:
    """A model that rows need, trained before them.

    Attributes:
        recipe: Its recipe.
        data: What it learns from; by default what the row does.
        settings: Further settings of its training.
    """

    __pydantic_config__ = _STRICT

    recipe: str
    data: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        recipe: The system; by default it has the row's name.
        learns: The data set that it learns from, where that is not what it is measured on.
        settings: Further settings of its training; `@NAME` is the folder of a helper.
        load: Settings of the system that summarizes; `@NAME` too.
        less: The row whose scores are subtracted, as the paper prints it.
        printed: Scores that the recipe does not know: by name, or by data set and name; a list has
            one for each length.
        quoted: How `published.yaml` calls the system, of a baseline.
    """

    __pydantic_config__ = _STRICT

    recipe: str | None = None
    learns: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    load: Mapping[str, Any] = field(default_factory=dict)
    less: str | None = None
    printed: Mapping[str, Any] = field(default_factory=dict)
    quoted: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """What a group of scores is measured on: a data set, at a length."""

    data: str
    length: str = MEAN

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return self.data if self.length == MEAN else f"{self.data} {self.length}"


@dataclass(frozen=True, slots=True)
class Experiment:
    """A result table of a paper.

    Attributes:
        title: What it is about.
        place: Where it stands in the paper.
        data: The data sets.
        scores: The names of scores as we compute them, with what the paper calls them.
        rows: The rows by name.
        measure: What is measured: `summaries` of documents; `trees` of questions; `texts`, what a
            model writes of inputs beside its targets; `training`, what training measures itself;
            `positions` of salient content; `games`, reports about tables; `people`, what only
            people can say.
        metrics: The metrics of summaries.
        length: The length of summaries, `reference` for the mean of the references.
        lengths: Several lengths, each of which is a column.
        split: The split that is measured.
        settings: Settings of the training of all rows.
        helpers: Models that rows need.
        known_as: How recipes call the table in what they know of published scores.
        quoted: How `published.yaml` names it as the source of scores of systems that are not here.
        others: Printed scores, by system, that `published.yaml` does not hold.
        study: The kind of study, of what people say.
        lower: Whether lower scores are better.
        divided: Whether documents that are too long for a model are divided.
        note: What should be known of the printed numbers.
    """

    __pydantic_config__ = _STRICT

    title: str
    place: str
    data: tuple[str, ...]
    scores: Mapping[str, str]
    rows: Mapping[str, Row | None]
    measure: Measure = "summaries"
    metrics: tuple[str, ...] = ("rouge",)
    length: str = MEAN
    lengths: tuple[str, ...] = ()
    split: str = "test"
    settings: Mapping[str, Any] = field(default_factory=dict)
    helpers: Mapping[str, Helper] = field(default_factory=dict)
    known_as: tuple[str, ...] = ()
    quoted: str | None = None
    others: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    study: str | None = None
    lower: bool = False
    divided: bool = False
    note: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What scores are measured on."""
        lengths = self.lengths or (self.length,)
        return tuple(Column(data, length) for data in self.data for length in lengths)

    @property
    def by_document(self) -> bool:
        """Whether every document has scores of its own."""
        return self.measure in ("summaries", "trees", "texts")

    def row(self, name: str) -> Row:
        """Return a row."""
        return self.rows[name] or Row()

    def recipe(self, name: str) -> Recipe:
        """Return the recipe of a row."""
        return load_recipe(self.row(name).recipe or name)

    def printed(self, name: str, column: Column) -> dict[str, float]:
        """Return the scores that the paper prints, those of the recipe among them."""
        given = self.row(name).printed
        own = given.get(column.data, given if not set(given) & set(self.data) else {})
        place = self.lengths.index(column.length) if self.lengths else 0
        found = {
            score: float(value[place] if isinstance(value, list | tuple) else value)
            for score, value in own.items()
        }
        if self.measure in ("positions", "people"):
            return found
        known: list[Mapping[str, float]] = [
            _by_name(each.scores)
            for each in self.recipe(name).published
            if each.data == column.data and any(label in each.table for label in self.known_as)
        ]
        if (quoted := self.row(name).quoted) is not None:
            known += [scores for data, scores in self._quoted(quoted) if data == column.data]
        for scores in known:
            found = {**{score: scores[score] for score in self.scores if score in scores}, **found}
        return found

    def _quoted(self, system: str) -> list[tuple[str, Mapping[str, float]]]:
        """Return what the paper prints of a system that has no recipe of its own there."""
        rows = (row for row in published() if row.source == self.quoted)
        return [(row.data, _by_name(row.scores)) for row in rows if row.system == system]

    def quotations(self) -> dict[str, dict[str, Mapping[str, float]]]:
        """Return the printed scores of systems that are not here, by system and data set."""
        found: dict[str, dict[str, Mapping[str, float]]] = {
            system: dict.fromkeys(self.data, scores) for system, scores in self.others.items()
        }
        here = {self.row(name).quoted for name in self.rows}
        for system in dict.fromkeys(row.system for row in published() if self.quoted):
            scores = {data: each for data, each in self._quoted(system) if data in self.data}
            if scores and system not in here:
                found[system] = scores
        return found


def _by_name(scores: Mapping[Any, float]) -> dict[str, float]:
    return {str(score): value for score, value in scores.items()}


@dataclass(frozen=True, slots=True)
class _PaperFile:
    """What a file holds."""

    __pydantic_config__ = _STRICT

    paper: str
    experiments: Mapping[str, Experiment]


@cache
def _papers() -> Mapping[str, _PaperFile]:
    folder = files("longsum.lab.reproduction.papers")
    found = {}
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        path = Path(entry.name)
        if path.suffix == ".yaml":
            values = parse_yaml(entry.read_text(encoding="utf-8"))
            found[path.stem] = check(_PaperFile, values, f"The experiments of {path.stem}")
    return found


def experiments() -> Iterator[tuple[str, str, Experiment]]:
    """Yield the name of each experiment, its paper, and what it is."""
    for stem, held in _papers().items():
        for name, each in held.experiments.items():
            yield f"{stem}/{name}", held.paper, each


def find_experiment(name: str) -> Experiment:
    """Return an experiment.

    Raises:
        LongsumError: There is none of this name.
    """
    found = {each: experiment for each, _, experiment in experiments()}
    if name not in found:
        raise LongsumError(
            f"There is no experiment {quote(name)}; 'longsum reproduce' lists them."
            f"{did_you_mean(name, found)}"
        )
    return found[name]
