"""The registry of experiments: what each result table holds, as `papers/*.yaml` say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal

from pydantic import ConfigDict

from longsum.common.errors import LongsumError
from longsum.common.structured_text import shipped_yaml
from longsum.common.wording import choose_from, did_you_mean, quote
from longsum.core.recipes import load_recipe
from longsum.core.recipes.published import published
from longsum.core.recipes.recipe import Recipe, check

Measure = Literal["summaries", "trees", "texts", "training", "positions", "games"]
MEAN = "reference"
HELPER = "@"
"""The beginning of a setting that names the folder of a helper."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or a model that rows need; `papers/hepos.yaml` says what fields mean."""

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
    """A result table of a paper; `papers/hepos.yaml` says what its fields mean."""

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
        allowed = f"what `--length {self.length}` allows"
        one = "the mean length of the references" if self.length == MEAN else allowed
        told = "the length of the column" if self.lengths else one
        return told if self.measure == "summaries" else None

    def row(self, name: str) -> Row:
        """Return a row, or a helper."""
        return self.helpers.get(name) or self.rows[name] or Row()

    def recipe(self, name: str) -> Recipe:
        """Return the recipe of a row."""
        return load_recipe(self.row(name).recipe or name)

    def title_of(self, name: str) -> str:
        """Return what the system of a row does; for a user's own, its name."""
        row = self.row(name)
        return row.system or ("" if self.measure == "positions" else self.recipe(name).title)

    def chosen(self, given: Sequence[str]) -> "tuple[Experiment, list[str]]":
        """Return the experiment with a user's added rows, and the rows to run, by default all.

        Args:
            given: Names of rows, separated by commas, or `NAME=SYSTEM`.

        Raises:
            LongsumError: There is no such row, or none can be added.
        """
        own = dict(each.split("=", 1) for each in given if "=" in each)
        named = [name.strip() for each in given if "=" not in each for name in each.split(",")]
        for name in named:
            if name not in self.rows:
                raise LongsumError(f"There is no row {quote(name)}; {choose_from(name, self.rows)}")
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
        """Return the scores that the paper prints, including those in the recipe."""
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
        """Return the paper's scores of systems without recipes, by system and data set."""
        found: dict[str, dict[str, Mapping[Any, float]]]
        found = {system: dict.fromkeys(self.data, each) for system, each in self.others.items()}
        for row in published():
            if row.source == self.quoted and row.data in self.data:
                found.setdefault(row.system, {})[row.data] = row.scores
        return found

    def quotations(self) -> dict[str, dict[str, Mapping[Any, float]]]:
        """Return the published scores of systems not implemented here, by system and data set."""
        here = {self.row(name).quoted for name in self.rows}
        return {system: each for system, each in self._quoted().items() if system not in here}


@cache
def experiments() -> Mapping[str, Experiment]:
    """Return the experiments by name, of all papers."""
    found = {}
    for paper in ("hepos", "hibrids", "mls", "stepwise", "top-down"):
        held = shipped_yaml("longsum.lab.reproduction.papers", f"{paper}.yaml")
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
        near = did_you_mean(name, experiments())
        raise LongsumError(
            f"There is no table {quote(name)}; 'longsum reproduce' lists them.{near}"
        )
    return experiments()[name]
