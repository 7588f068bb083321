"""A table as records: which entity has which value of which type.

Stepwise (Narayan et al., 2020), §7: a table is a set of entries, and a plan a sequence of them.
Plans, reports and pages address a record by its index in its table.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from longsum.common.errors import LongsumError
from longsum.common.wording import quote

ValueKind = Literal["number", "text", "date"]
Measure = Literal["", "count", "total", "mean", "median", "share", "times", "change"]
"""How a value was computed from others; empty for one of the data."""
Side = Literal["home", "away"]

MISSING = "N/A"
"""The value of a record that the table leaves empty."""

TOTAL = "total"
"""The kind of rows that add up or average others, such as one called Total; they are not ranked."""
GROUP = "group"
"""The kind of entities that represent all rows with one value of a column."""
ALL = "all rows"
"""The name and the kind of the entity that represents all rows."""

CURRENCIES = frozenset("$€£¥₹")
"""Units that are written before a value."""

_NUMBER = re.compile(
    r"(?P<sign>[-−+]?)[$€£¥₹]?(?P<digits>\d{1,3}(?:,\d{3}){1,13}(?:\.\d{1,40})?"
    r"|\d{1,40}(?:\.\d{1,40})?|\.\d{1,40})"
    r"(?P<power>[eE][-+]?\d{1,3})?\s?%?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class RecordType:
    """What a value means.

    Attributes:
        name: As in the data, for example `TEAM-PTS`; unique in a table.
        phrase: In words, for example `team points scored` (Table 5 of the paper).
        kind: What its values are.
        ranked: Whether it is meaningful which entity has the first, second, … value.
        best: Which value ranks first, the highest or the lowest.
        unit: What a value counts or is measured in, such as `km` or `%`; empty if it has none.
        measure: What was computed, if its values are not in the data (`inputs/derived.py`).
        of: The name of the type from whose values they were computed.
    """

    name: str
    phrase: str
    kind: ValueKind = "number"
    ranked: bool = False
    best: Literal["high", "low"] = "high"
    unit: str = ""
    measure: Measure = ""
    of: str = ""


@dataclass(frozen=True, slots=True)
class Entity:
    """What a record is about.

    Attributes:
        name: Unique in a table, for example `Boston Celtics` or `Isaiah Thomas`.
        kind: `team`, `player`, or any other word.
        side: Of a team or a player in a game: `home` or `away`.
        of: The name of the entity to which it belongs, such as a player's team.
        aliases: Other names that texts use for it, the most usual first; entities may share them.
    """

    name: str
    kind: str
    side: Side | None = None
    of: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One cell of a table.

    Attributes:
        entity: What it is about.
        type: What the value means.
        value: As in the data; `MISSING` where there is none. Dates are `YYYY-MM-DD`.
        rank: Its place among the table's values of the same type, from 1; equal values have equal
            ranks, and the next one is counted past them. None if the type is not ranked.
    """

    entity: Entity
    type: RecordType
    value: str
    rank: int | None = None

    @property
    def missing(self) -> bool:
        """Whether the table has no value here."""
        return self.value == MISSING

    @property
    def number(self) -> float | None:
        """The value as a number, an `int` where it is whole; None if it is not one."""
        return as_number(self.value) if self.type.kind == "number" else None

    @property
    def whole(self) -> int:
        """The integer part of the number; 0 if there is no number."""
        return int(self.number or 0)


@dataclass(frozen=True, slots=True)
class Table:
    """The records of one game, or of any other table; see `make_table`.

    Attributes:
        date: The date of the game or the data, if known.
        entities: Those that have records, in the table's order.
        types: The types of its records, in the table's order.
        records: All cells, at most one for each entity and type.
        title: What the table is about, in a few words.
        kind: What it describes, `game` for a basketball game; it decides how reports are planned
            and worded.
    """

    date: date | None
    entities: tuple[Entity, ...]
    types: tuple[RecordType, ...]
    records: tuple[Record, ...]
    title: str = ""
    kind: str = "table"
    _cells: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)
    _by_entity: dict[str, list[int]] = field(init=False, repr=False, compare=False)
    _by_type: dict[str, list[int]] = field(init=False, repr=False, compare=False)
    _entities: dict[str, Entity] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Index the records.

        Raises:
            LongsumError: Two entities share a name, or two records a cell.
        """
        by_entity: dict[str, list[int]] = defaultdict(list)
        by_type: dict[str, list[int]] = defaultdict(list)
        cells: dict[tuple[str, str], int] = {}
        for index, record in enumerate(self.records):
            key = (record.entity.name, record.type.name)
            if key in cells:
                raise LongsumError(
                    f"The table has two values of {quote(key[1])} for {quote(key[0])}; "
                    "give every row a name of its own."
                )
            cells[key] = index
            by_entity[key[0]].append(index)
            by_type[key[1]].append(index)
        entities = {entity.name: entity for entity in self.entities}
        if len(entities) < len(self.entities):
            counts = Counter(entity.name for entity in self.entities)
            raise LongsumError(
                f"The table has {quote(counts.most_common(1)[0][0])} twice; "
                "give every row a name of its own."
            )
        for name, value in (
            ("_cells", cells),
            ("_by_entity", dict(by_entity)),
            ("_by_type", dict(by_type)),
            ("_entities", entities),
        ):
            object.__setattr__(self, name, value)

    def index(self, entity: str, type_name: str) -> int | None:
        """Return the index of the record of an entity and a type, both by name."""
        return self._cells.get((entity, type_name))

    def record(self, entity: str, type_name: str) -> Record | None:
        """Return the record of an entity and a type, both by name."""
        index = self.index(entity, type_name)
        return None if index is None else self.records[index]

    def of_entity(self, entity: str) -> tuple[int, ...]:
        """Return the indices of the records of an entity, by its name."""
        return tuple(self._by_entity.get(entity, ()))

    def of_type(self, type_name: str) -> tuple[int, ...]:
        """Return the indices of the records of a type, by its name."""
        return tuple(self._by_type.get(type_name, ()))

    def ranks(self, type_name: str) -> list[int | None]:
        """Return the ranks of the records of a type, by its name."""
        return [self.records[index].rank for index in self.of_type(type_name)]

    def entity(self, name: str) -> Entity | None:
        """Return the entity with a name."""
        return self._entities.get(name)

    @property
    def rows(self) -> tuple[Entity, ...]:
        """The entities of the data in order, without those for groups or for all rows."""
        return tuple(each for each in self.entities if each.kind not in (ALL, GROUP))

    @property
    def columns(self) -> tuple[RecordType, ...]:
        """The types of the data, in the table's order, without computed ones."""
        return tuple(each for each in self.types if not each.measure)

    def of_kind(self, kind: str) -> tuple[Entity, ...]:
        """Return the entities of a kind, in the table's order."""
        return tuple(entity for entity in self.entities if entity.kind == kind)


def make_table(
    cells: Iterable[tuple[Entity, RecordType, str]],
    *,
    date: date | None = None,
    title: str = "",
    kind: str = "table",
) -> Table:
    """Make a table from cells, with the ranks of their values.

    Each cell is an entity, a type and a value, in the table's order. For date, title and kind see
    `Table`.

    Raises:
        LongsumError: Two entities share a name, or two cells an entity and a type.
    """
    plain = [Record(*cell) for cell in cells]
    ranks = _ranks(plain)
    return Table(
        date=date,
        entities=tuple(dict.fromkeys(record.entity for record in plain)),
        types=tuple(dict.fromkeys(record.type for record in plain)),
        records=tuple(
            Record(record.entity, record.type, record.value, ranks.get(index))
            for index, record in enumerate(plain)
        ),
        title=title,
        kind=kind,
    )


def as_number(text: str) -> float | None:
    """Return the number that a text is, an `int` where it is whole; None if it is not one.

    Thousands may be separated by commas; a sign, a currency sign and a percent sign are allowed. A
    text of more than forty digits is not a number.
    """
    found = _NUMBER.fullmatch(text.strip())
    if not found:
        return None
    digits = found["digits"].replace(",", "")
    sign = -1 if found["sign"] in ("-", "−") else 1
    if "." not in digits and not found["power"]:
        return sign * int(digits)
    value = sign * float(digits + (found["power"] or ""))
    return None if value in (float("inf"), float("-inf")) else value


def _ranks(records: list[Record]) -> dict[int, int]:
    """Return the rank of each ranked number by its index; the paper, B.3."""
    values: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for index, record in enumerate(records):
        ranked = record.type.ranked and record.entity.kind != TOTAL
        number = record.number if ranked else None
        if number is not None:
            better = -number if record.type.best == "high" else number
            values[record.type.name].append((better, index))
    ranks = {}
    for each in values.values():
        each.sort()
        rank, last = 0, float("nan")
        for place, (value, index) in enumerate(each, start=1):
            if value != last:
                rank, last = place, value
            ranks[index] = rank
    return ranks
