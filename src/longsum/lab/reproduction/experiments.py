"""The registry of experiments, one for each result table, as `papers/*.yaml` describe them."""

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
"""The prefix of a setting that stands for the folder of a helper."""

_STRICT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, or a helper, a model that rows need; see `papers/hepos.yaml`."""

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
    """The data set and the length of summaries that a group of scores is measured with."""

    data: str
    length: str = MEAN

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return self.data if self.length == MEAN else f"{self.data} {self.length}"


@dataclass(frozen=True, slots=True)
class Experiment:
    """A result table of a paper; `papers/hepos.yaml` explains its fields."""

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
        """The data sets and lengths that scores are measured with."""
        lengths = self.lengths or (self.length,)
        return tuple(Column(data, length) for data in self.data for length in lengths)

    @property
    def length_phrase(self) -> str | None:
        """A phrase that says how long summaries may be; None if no summaries are measured."""
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
        """Return the title of a row's system; for a user's own system, its name."""
        row = self.row(name)
        return row.system or ("" if self.measure == "positions" else self.recipe(name).title)

    def chosen(self, given: Sequence[str]) -> "tuple[Experiment, list[str]]":
        """Return the experiment with a user's rows added, and the rows to run, by default all.

        Args:
            given: Names of rows, separated by commas, or `NAME=SYSTEM`.

        Raises:
            LongsumError: There is no such row, or a row cannot be added.
        """
        added = dict(entry.split("=", 1) for entry in given if "=" in entry)
        named = [name.strip() for entry in given if "=" not in entry for name in entry.split(",")]
        for name in named:
            if name not in self.rows:
                raise LongsumError(f"There is no row {quote(name)}; {choose_from(name, self.rows)}")
        for name in added:
            if self.measure != "summaries" or self.study is not None:
                raise LongsumError(
                    f"The row {quote(name)} cannot be added: this experiment measures no "
                    "summaries; leave it out."
                )
            if name in self.rows or name in self.helpers:
                raise LongsumError(f"The table has a row {quote(name)}; give yours another name.")
        rows = {**self.rows, **{name: Row(system=system) for name, system in added.items()}}
        return replace(self, rows=rows), [*(named or self.rows), *added]

    def printed(self, name: str, column: Column) -> dict[str, float]:
        """Return the scores that the paper prints, including those in the recipe."""
        row, place = self.row(name), self.columns.index(column)
        if row.system is not None:
            return {}
        known: dict[Any, float] = dict(
            self._quoted().get(row.quoted or "", {}).get(column.data, {})
        )
        for printed in reversed(self.recipe(name).published if self.known_as else ()):
            if printed.data == column.data and any(name in printed.table for name in self.known_as):
                known |= printed.scores
        for score, values in row.printed.items():
            known[score] = values[place] if isinstance(values, list) else values
        return {score: known[score] for score in self.scores if score in known}

    def _quoted(self) -> dict[str, dict[str, Mapping[Any, float]]]:
        """Return the paper's scores of systems without recipes, by system and data set."""
        quoted: dict[str, dict[str, Mapping[Any, float]]]
        quoted = {
            system: dict.fromkeys(self.data, scores) for system, scores in self.others.items()
        }
        for row in published():
            if row.source == self.quoted and row.data in self.data:
                quoted.setdefault(row.system, {})[row.data] = row.scores
        return quoted

    def quotations(self) -> dict[str, dict[str, Mapping[Any, float]]]:
        """Return the published scores of systems not implemented here, by system and data set."""
        in_rows = {self.row(name).quoted for name in self.rows}
        return {
            system: by_data for system, by_data in self._quoted().items() if system not in in_rows
        }


@cache
def experiments() -> Mapping[str, Experiment]:
    """Return the experiments of all papers by name."""
    by_name = {}
    for paper in ("hepos", "hibrids", "mls", "stepwise", "top-down"):
        content = shipped_yaml("longsum.lab.reproduction.papers", f"{paper}.yaml")
        for table, values in content["experiments"].items():
            name = f"{paper}/{table}"
            values = {**values, "name": name, "paper": content["paper"]}
            by_name[name] = check(Experiment, values, f"The experiment {name}")
    return by_name


def find_experiment(name: str) -> Experiment:
    """Return the experiment with a name.

    Raises:
        LongsumError: There is no such experiment.
    """
    if name not in experiments():
        near = did_you_mean(name, experiments())
        raise LongsumError(
            f"There is no table {quote(name)}; 'longsum reproduce' lists them.{near}"
        )
    return experiments()[name]
