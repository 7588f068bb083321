"""Sentences about all rows of a table, about groups of them, and about changes over time."""

import re
from collections.abc import Sequence

from longsum.tables.amounts import amount
from longsum.tables.annotated_text import (
    MONTHS,
    Worded,
    as_sentence,
    count_word,
    joined,
    listed,
    said,
)
from longsum.tables.inputs.headings import is_plural
from longsum.tables.narration import Narration
from longsum.tables.table import ALL, GROUP, Entity, Record, Table, as_number

_DAY = re.compile(rf"(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}}")
_MANY = 8
"""From so many rows on, it is worth saying which of them changed most."""


def name_of(entity: Entity) -> str:
    """Return how a sentence names an entity: a group by its value."""
    return entity.name.removeprefix(f"{entity.of}: ") if entity.kind == GROUP else entity.name


def derived_sentence(narration: Narration, sentence: Sequence[int]) -> Worded | None:
    """Return the sentence that states these records, or None if no special wording applies."""
    table = narration.table
    records = [table.records[index] for index in sentence]
    measures = {record.type.measure for record in records}
    if all(record.entity.kind == ALL for record in records):
        if measures <= {"count", "total"}:
            return _overview(table, sentence)
        if measures == {"mean"}:
            return _means(table, sentence)
    if all(record.entity.kind == GROUP for record in records) and measures == {"count"}:
        return _counts(table, sentence)
    if [record.type.measure for record in records] == ["", "", "change"] and _is_change(records):
        return _change(table, sentence)
    if [record.type.measure for record in records] == ["", "times", "median"] and _of_one(records):
        return _outlier(table, sentence)
    return None


def _of_one(records: Sequence[Record]) -> bool:
    """Return whether all records have one type of the data, or types computed from it."""
    return len({record.type.of or record.type.name for record in records}) == 1


def _is_change(records: Sequence[Record]) -> bool:
    """Return whether the third record is the change from the first to the second."""
    return _of_one(records) or (
        len({record.entity for record in records}) == 1
        and records[2].type.of == records[1].type.name
    )


def _verb(phrase: str, singular: str, plural: str) -> str:
    return plural if is_plural(phrase) else singular


def _rows(table: Table, index: int) -> Worded:
    """Return the number of rows, with a noun for them: `12 months`."""
    record = table.records[index]
    kind = record.type.phrase.removeprefix("number of ")
    return joined(said(count_word(record.whole), index), f" {kind}")


def _overview(table: Table, indices: Sequence[int]) -> Worded:
    """Return the sentence on how many rows there are, and what their numbers add up to."""
    count = [index for index in indices if table.records[index].type.measure == "count"]
    totals = [index for index in indices if index not in count]
    if not totals:
        (index,) = count
        return as_sentence([joined("the table has ", _rows(table, index))])
    phrases = [table.records[index].type.phrase.removeprefix("total ") for index in totals]
    verb = _verb(phrases[0], "totals", "total")
    each = [
        joined(f"{phrase} ", "" if place else f"{verb} ", amount(table, index))
        for place, (phrase, index) in enumerate(zip(phrases, totals, strict=True))
    ]
    across = joined("across the ", _rows(table, count[0]), ", ") if count else Worded("")
    return as_sentence([joined(across, listed(each))])


def _means(table: Table, indices: Sequence[int]) -> Worded:
    phrases = [table.records[index].type.phrase.removeprefix("average ") for index in indices]
    verb = _verb(phrases[0], "is", "are")
    if len(indices) == 1:
        return as_sentence([joined(f"the average {phrases[0]} {verb} ", amount(table, indices[0]))])
    each = [
        joined(f"the {phrase} ", "" if place else f"{verb} ", amount(table, index))
        for place, (phrase, index) in enumerate(zip(phrases, indices, strict=True))
    ]
    return as_sentence([joined("on average, ", listed(each))])


def _counts(table: Table, indices: Sequence[int]) -> Worded:
    """Return the sentence on how many rows have each value of a column."""
    column = str(table.records[indices[0]].entity.of)
    whole = table.index(ALL, "number of rows")
    rows = "rows" if whole is None else table.records[whole].type.phrase.removeprefix("number of ")
    total = sum(table.records[i].whole for i in table.of_type(f"rows by {column}"))
    asked = column.endswith("?")
    counted = [
        (
            name_of(table.records[index].entity),
            said(count_word(table.records[index].whole), index),
        )
        for index in indices
    ]
    if not asked and all(as_number(value) is not None for value, _ in counted):
        of_all = [f" of the {count_word(total)} {rows}", *[""] * len(counted)]
        marks = [
            joined(f"{value} for ", number, whole)
            for (value, number), whole in zip(counted, of_all, strict=False)
        ]
        return as_sentence([joined(f"{column} {_verb(column, 'is', 'are')} ", listed(marks))])
    each = []
    for place, (value, number) in enumerate(counted):
        verb = "" if place else "answered " if asked else "have "
        as_what = "" if place or asked else f" as {column}"
        each.append(joined(number, f" {verb}{value}{as_what}"))
    opening = f"asked “{column}”, " if asked else f"of the {count_word(total)} {rows}, "
    return as_sentence([joined(opening, listed(each))])


def _change(table: Table, indices: Sequence[int]) -> Worded:
    """Return the sentence on how a value rose or fell between two rows."""
    first, last, change = indices
    begun, ended = (table.records[index] for index in (first, last))
    if begun.entity == ended.entity:
        phrase = name_of(begun.entity)
        names = [begun.type.name, ended.type.name]
    else:
        phrase = begun.type.phrase
        names = [begun.entity.name, ended.entity.name]
    places = [f"{'on' if _DAY.fullmatch(name) else 'in'} {name}" for name in names]
    before, after = begun.number or 0, ended.number or 0
    if before == after:
        same = joined(f"{phrase} {_verb(phrase, 'was', 'were')} the same {places[0]} and ")
        return as_sentence([joined(same, said(places[1], change), ", ", amount(table, first))])
    verb, way = ("rose", "up") if after > before else ("fell", "down")
    by = joined(f"{way} ", said(amount(table, change).text.removeprefix("-"), change))
    most = " most," if _is_extreme(table, change, rising=after > before) else ""
    moved = joined(f"{phrase} {verb}{most} from ", amount(table, first), f" {places[0]} to ")
    return as_sentence([joined(moved, amount(table, last), f" {places[1]}, ", by)])


def _is_extreme(table: Table, index: int, *, rising: bool) -> bool:
    """Return whether this row rose or fell most among many."""
    record = table.records[index]
    numbers = [table.records[other].number or 0 for other in table.of_type(record.type.name)]
    extreme = max(numbers) if rising else min(numbers)
    return len(numbers) >= _MANY and record.number == extreme and numbers.count(extreme) == 1


def _outlier(table: Table, indices: Sequence[int]) -> Worded:
    value, times, middle = indices
    record = table.records[value]
    far = joined("at ", amount(table, value), f", {record.entity.name} stands out: ")
    number = table.records[times].number or 0
    many_times = joined(
        said(count_word(number), times), " times the median of ", amount(table, middle)
    )
    return as_sentence([joined(far, many_times)])
