"""What a report has said so far, and what its next sentence still has to say."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from longsum.tables.annotated_text import Worded, count_word, joined, said
from longsum.tables.table import Entity, Table


@dataclass(slots=True)
class Narration:
    """What has been said, so that names become shorter and wording varies.

    Attributes:
        table: The table that the report is about.
        named: The names of the entities that were mentioned.
        used: How often each turn of phrase was used.
        latest: The last one used.
        ranked: The records whose rank was stated.
    """

    table: Table
    named: set[str] = field(default_factory=set)
    used: Counter[str] = field(default_factory=Counter)
    latest: str = ""
    ranked: set[int] = field(default_factory=set)

    def vary(self, what: str, ways: Sequence[str]) -> str:
        """Return the next of several wordings, in a cycle.

        One that was just used for something else is skipped.
        """
        fresh = [way for way in ways if way != self.latest] or ways
        self.latest = fresh[self.used[what] % len(fresh)]
        self.used[what] += 1
        return self.latest


@dataclass(slots=True)
class Entries:
    """The entries of one entity in a sentence that are still to be said.

    Attributes:
        table: Their table.
        entity: What they are about.
        left: Indices of records by the names of their types, in the plan's order.
        missing: Those without a value.
    """

    table: Table
    entity: Entity
    left: dict[str, int] = field(default_factory=dict)
    missing: list[int] = field(default_factory=list)

    def take(self, *types: str) -> tuple[int, ...]:
        """Remove and return the records of these types; none if one is missing."""
        if not self.has(*types):
            return ()
        return tuple(self.left.pop(type_name) for type_name in types)

    def take_if_present(self, type_name: str) -> int | None:
        """Remove and return the record of a type; None if it is missing."""
        return self.left.pop(type_name, None)

    def has(self, *types: str) -> bool:
        """Return whether the records of all these types are still to be stated."""
        return all(type_name in self.left for type_name in types)


def entries_of(table: Table, sentence: Sequence[int]) -> dict[str, Entries]:
    """Return the entries of a planned sentence by entity, in the order of the plan.

    An entry that occurs twice is stated once.
    """
    found: dict[str, Entries] = {}
    for index in dict.fromkeys(sentence):
        record = table.records[index]
        entries = found.setdefault(record.entity.name, Entries(table, record.entity))
        if record.missing:
            entries.missing.append(index)
        else:
            entries.left[record.type.name] = index
    return found


def counted(table: Table, index: int, one: str, many: str = "") -> Worded:
    """Return a count with its noun: `no points`, `one point`, `38 points`."""
    number = table.records[index].number
    noun = one if number == 1 else many or f"{one}s"
    return joined(number_word(table, index), " ", noun)


def number_word(table: Table, index: int) -> Worded:
    """Return a count: in words below ten, in digits from ten on."""
    record = table.records[index]
    return said(record.value if record.number is None else count_word(record.number), index)


def figure(table: Table, index: int) -> Worded:
    """Return a value as the table has it."""
    return said(table.records[index].value, index)
