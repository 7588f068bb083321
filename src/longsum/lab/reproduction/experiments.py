"""The registry of experiments: what each result table holds, as `papers/*.yaml` say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml
from longsum.common.wording import did_you_mean, quote
from longsum.core.recipes import load_recipe
from longsum.core.recipes.recipe import Recipe, check, published

Measure = Literal["summaries", "trees", "texts", "training", "positions", "games"]
MEAN = "reference"
HELPER = "@"
"""What a setting begins with that names the folder of a helper."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or a model that rows need and that is trained before them.

    Attributes:
        recipe: The system; by default it has the row's name.
        learns: The data set that it learns from, where that is not what it is measured on.
        settings: Further settings of its training; `@NAME` is the folder of a helper.
        papers: Further settings at the paper's own scale, of a recipe for smaller machines.
        load: Settings of the system that summarizes; `@NAME` too.
        less: The row whose scores are subtracted, as the paper prints it.
        printed: Scores that the recipe does not know; a list has one for each column.
        quoted: How `published.yaml` calls the system, of a baseline.
        system: A system of the user's own in place of a recipe.
    """

    __pydantic_config__ = _STRICT

    recipe: str | None = None
    learns: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    papers: Mapping[str, Any] = field(default_factory=dict)
    load: Mapping[str, Any] = field(default_factory=dict)
    less: str | None = None
    printed: Mapping[str, float | list[float]] = field(default_factory=dict)
    quoted: str | None = None
    system: str | None = None


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
        name: That of the file, and of the table in it.
        place: Where it stands in the paper.
        scores: The names of scores as we compute them, with what the paper calls them.
        measure: What is measured: `summaries` of documents; `trees` of questions; `texts`, what a
            model writes of inputs beside its targets; `training`, what training measures itself;
            `positions` of salient content; `games`, reports about tables.
        metrics: The metrics of summaries.
        length: The length of summaries, `reference` for the mean of the references.
        lengths: Several lengths, each of which is a column.
        settings: Settings of the training of all rows.
        models: The models of metrics that need one, `apes` and `factcc`; `@NAME` is a helper.
        known_as: How recipes call the table in what they know of published scores.
        quoted: How `published.yaml` names it as the source of scores of systems that are not here.
        others: Printed scores, by system, that `published.yaml` does not hold.
        study: The kind of study, of scores that people give: what is measured is kept for it.
        divided: Whether documents that are too long for a model are divided.
    """

    __pydantic_config__ = _STRICT

    name: str
    paper: str
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
    helpers: Mapping[str, Row] = field(default_factory=dict)
    models: Mapping[str, str] = field(default_factory=dict)
    known_as: tuple[str, ...] = ()
    quoted: str | None = None
    others: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    study: str | None = None
    divided: bool = False
    note: str = ""

    @property
    def columns(self) -> tuple[Column, ...]:
        """What scores are measured on."""
        lengths = self.lengths or (self.length,)
        return tuple(Column(data, length) for data in self.data for length in lengths)

    @property
    def told_length(self) -> str | None:
        """How long summaries may be; None where none are measured."""
        if self.measure != "summaries":
            return None
        if self.lengths:
            return "the length of the column"
        if self.length == MEAN:
            return "the mean length of the references"
        return f"what `--length {self.length}` allows"

    def row(self, name: str) -> Row:
        """Return a row, or a helper."""
        return self.helpers.get(name) or self.rows[name] or Row()

    def recipe(self, name: str) -> Recipe:
        """Return the recipe of a row."""
        return load_recipe(self.row(name).recipe or name)

    def title_of(self, name: str) -> str:
        """Return what the system of a row does; of a user's own, its name."""
        row = self.row(name)
        return row.system or ("" if self.measure == "positions" else self.recipe(name).title)

    def chosen(self, given: Sequence[str]) -> "tuple[Experiment, list[str]]":
        """Return the experiment with the rows that a user adds, and those to run, by default all.

        Args:
            given: Names of rows, separated by commas, or `NAME=SYSTEM`.

        Raises:
            LongsumError: There is no such row, or none can be added.
        """
        own = dict(each.split("=", 1) for each in given if "=" in each)
        named = [name.strip() for each in given if "=" not in each for name in each.split(",")]
        for name in named:
            if name not in self.rows:
                raise LongsumError(
                    f"The table has no row {quote(name)}; choose from {', '.join(self.rows)}."
                    f"{did_you_mean(name, self.rows)}"
                )
        for name in own:
            if self.measure != "summaries" or self.study is not None:
                raise LongsumError(
                    f"The row {quote(name)} cannot be added: this experiment measures no "
                    "summaries; leave it out."
                )
            if name in self.rows or name in self.helpers:
                raise LongsumError(f"The table has a row {quote(name)}; give yours another name.")
        rows = {**self.rows, **{name: Row(system=system) for name, system in own.items()}}
        return replace(self, rows=rows), [*(named or self.rows), *own]

    def printed(self, name: str, column: Column) -> dict[str, float]:
        """Return the scores that the paper prints, those of the recipe among them."""
        row, place = self.row(name), self.columns.index(column)
        if row.system is not None:
            return {}
        known: dict[Any, float] = dict(
            self._quoted().get(row.quoted or "", {}).get(column.data, {})
        )
        for printed in reversed(self.recipe(name).published if self.known_as else ()):
            if printed.data == column.data and any(each in printed.table for each in self.known_as):
                known |= printed.scores
        for score, values in row.printed.items():
            known[score] = values[place] if isinstance(values, list) else values
        return {score: known[score] for score in self.scores if score in known}

    def _quoted(self) -> dict[str, dict[str, Mapping[Any, float]]]:
        """Return what the paper prints of systems without recipes, by system and data set."""
        found: dict[str, dict[str, Mapping[Any, float]]]
        found = {system: dict.fromkeys(self.data, each) for system, each in self.others.items()}
        for row in published():
            if row.source == self.quoted and row.data in self.data:
                found.setdefault(row.system, {})[row.data] = row.scores
        return found

    def quotations(self) -> dict[str, dict[str, Mapping[Any, float]]]:
        """Return the printed scores of systems that are not here, by system and data set."""
        here = {self.row(name).quoted for name in self.rows}
        return {system: each for system, each in self._quoted().items() if system not in here}


@cache
def experiments() -> Mapping[str, Experiment]:
    """Return the experiments by name, of all papers."""
    found = {}
    for paper in ("hepos", "hibrids", "mls", "stepwise", "top-down"):
        file = files("longsum.lab.reproduction.papers").joinpath(f"{paper}.yaml")
        held = parse_yaml(file.read_text(encoding="utf-8"))
        for table, values in held["experiments"].items():
            name = f"{paper}/{table}"
            values = {**values, "name": name, "paper": held["paper"]}
            found[name] = check(Experiment, values, f"The experiment {name}")
    return found


def find_experiment(name: str) -> Experiment:
    """Return an experiment.

    Raises:
        LongsumError: There is none of this name.
    """
    if name not in experiments():
        raise LongsumError(
            f"There is no experiment {quote(name)}; 'longsum reproduce' lists them."
            f"{did_you_mean(name, experiments())}"
        )
    return experiments()[name]
