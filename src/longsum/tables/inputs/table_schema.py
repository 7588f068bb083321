"""The schema of a delimited file: which column names the entities, and what the others mean."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_yaml
from longsum.common.wording import quote
from longsum.core.recipes.recipe import check
from longsum.language.characters import clean
from longsum.tables.table import ALL, GROUP, TOTAL, RecordType, ValueKind

LONGEST_VALUE = 500
"""Characters of a cell; a table of longer ones is a document."""
ABSENT = frozenset(
    (
        "",
        "n/a",
        "#n/a",
        "#div/0!",
        "na",
        "n.a.",
        "nan",
        "null",
        "none",
        *"-–—?.:…",
        "--",
        "..",
        "**",
    )
)
"""What a cell without a value holds, in lower case."""

Overall = Literal["total", "mean", "level", "groups"] | None

_Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(clean)]


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """What a column means.

    Attributes:
        phrase: A singular noun phrase that can follow `the`, such as `number of moons`; by default
            the name of the column.
        unit: What follows a value, such as `km` or `%`; a currency sign precedes it.
        kind: `number`, `text` or `date` (YYYY-MM-DD).
        ranked: Whether it is meaningful who has the highest value; by default so for numbers.
        best: Which value ranks first, the `high`est or the `low`est.
        overall: What is stated of all rows together: the `total`, the `mean`, for a `level`, such
            as a population in a year, only how it changes, or of a text how many rows have each
            value, by which `groups` the numbers are reported. By default nothing; it needs a
            `summary`.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    phrase: _Text | None = None
    unit: Annotated[str, Field(max_length=50), AfterValidator(clean)] = ""
    kind: ValueKind = "number"
    ranked: bool | None = None
    best: Literal["high", "low"] = "high"
    overall: Overall = None

    def record_type(self, column: str) -> RecordType:
        """Return the type of the column's records."""
        ranked = self.kind == "number" if self.ranked is None else self.ranked
        phrase = self.phrase or column.replace("_", " ")
        return RecordType(column, phrase, self.kind, ranked, self.best, self.unit)


@dataclass(frozen=True, slots=True)
class TableSchema:
    """What a file holds.

    Attributes:
        entity: The column that names each row's entity, or several, whose values are joined.
        columns: The columns to report, in order; others are left out.
        kind: What the entities are, in one word.
        title: What the table is about.
        date: Its day.
        group: A column that names what each entity belongs to.
        side: A column that says `home` or `away`.
        summary: Whether the rows are described as a whole, and few of them one by one.
        time: Whether the rows follow each other in time, like months.
        periods: Whether the columns of numbers do.
        panel: Whether `entity` is one column of names and one of years, whose rows are combined
            into one row for each name, with a column for each year.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    entity: _Text | Annotated[tuple[_Text, ...], Field(min_length=1)]
    columns: Annotated[Mapping[_Text, ColumnSchema], Field(min_length=1)]
    kind: _Text = "entity"
    title: Annotated[str, Field(max_length=500), AfterValidator(clean)] = ""
    date: datetime.date | None = None
    group: _Text | None = None
    side: _Text | None = None
    summary: bool = False
    time: bool = False
    periods: bool = False
    panel: bool = False

    @property
    def overall(self) -> dict[str, str]:
        """What is stated of columns as a whole, by their names."""
        return {name: each.overall for name, each in self.columns.items() if each.overall}

    @property
    def named_columns(self) -> frozenset[str]:
        """All columns that it names."""
        others = (column for column in (self.group, self.side) if column)
        return frozenset((*self.entity_columns, *self.columns, *others))

    @property
    def entity_columns(self) -> tuple[str, ...]:
        """The columns whose values are an entity's name."""
        return (self.entity,) if isinstance(self.entity, str) else self.entity


def parse_schema(text: str, name: str = "The schema") -> TableSchema:
    """Read a schema from YAML; a column without settings is a ranked number.

    Raises:
        LongsumError: It is not YAML, a field is unknown or missing, or has the wrong type, or the
            kind is reserved for computed rows.
    """
    try:
        values = parse_yaml(text)
    except ValueError as error:
        raise LongsumError(f"{name} is not valid YAML ({error}); correct it.") from None
    if isinstance(values, Mapping) and isinstance(values.get("columns"), Mapping):
        columns = {
            column: {} if settings is None else settings
            for column, settings in values["columns"].items()
        }
        values = {**values, "columns": columns}
    schema = check(TableSchema, values, name)
    if schema.kind in (ALL, GROUP, TOTAL):
        raise LongsumError(
            f"{name} gives the rows the kind {quote(schema.kind)}, which is reserved for what is "
            "computed from them; give another kind."
        )
    return schema
