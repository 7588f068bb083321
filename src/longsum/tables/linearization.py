"""Records as sentences, which a planner or a realizer reads in their place.

Stepwise, B.3 and Table 5: `team points scored of Boston Celtics is 113 which is 1st best`.
"""

from datetime import date

from longsum.tables.english import ordinal
from longsum.tables.games import rotowire_types as types
from longsum.tables.table import Record


def record_string(record: Record) -> str:
    """Return a record in words, by the templates of Table 5, with its rank if it has one.

    A unit is part of its type's meaning and is not repeated, as in the paper.
    """
    name, value = record.entity.name, record.value
    if record.type == types.SIDE:
        return f"{name} is {value} team of match"
    if record.type == types.TEAM:
        return f"{name} is player of {value}"
    if record.type.kind == "date" and not record.missing:
        value = _date(date.fromisoformat(value))
    rank = "" if record.rank is None else f" which is {ordinal(record.rank)} best"
    return f"{record.type.phrase} of {name} is {value}{rank}"


def _date(day: date) -> str:
    return f"year: {day:%Y} month: {day:%m} day: {day:%d} day_of_week: {day.weekday()}"
