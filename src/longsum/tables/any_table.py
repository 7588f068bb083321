"""The sentences of a report of any table, from the phrases and units of its schema."""

import re
from collections.abc import Sequence
from datetime import date

from longsum.tables.annotated_text import (
    Worded,
    as_sentence,
    joined,
    listed,
    ordinal_word,
    possessive,
    said,
    written_day,
)
from longsum.tables.narration import Entries, Narration, entries_of
from longsum.tables.table import Record, Table

_CURRENCIES = frozenset("$€£¥₹")
_RANKS_SAID = 3
_GROUPED = 10_000
_DIGITS = re.compile(r"-?\d{1,40}", re.ASCII)


def any_sentence(narration: Narration, sentence: Sequence[int]) -> Worded:
    """Return the sentence that says these records of a table.

    One type of several entities is compared; otherwise each entity has a clause, with its values in
    the plan's order.
    """
    by_entity = list(entries_of(narration.table, sentence).values())
    told = {name for entries in by_entity for name in entries.left}
    clauses = []
    if len(by_entity) > 1 and len(told) == 1 and all(entries.left for entries in by_entity):
        (name,) = told
        clauses.append(_compared(narration, [entries.left[name] for entries in by_entity]))
    else:
        clauses.extend(_clause(narration, entries) for entries in by_entity if entries.left)
    clauses.extend(_absence(entries) for entries in by_entity if entries.missing)
    return as_sentence(clauses)


def _compared(narration: Narration, indices: Sequence[int]) -> Worded:
    """Return a value of several entities, as a ranking where they are the best in order."""
    table = narration.table
    records = [table.records[index] for index in indices]
    phrase = records[0].type.phrase
    ranks = [record.rank or 0 for record in records]
    best = [index for index, rank in zip(indices, ranks, strict=True) if rank == 1]
    in_order = ranks == sorted(ranks) and all(0 < r <= n for n, r in enumerate(ranks, start=1))
    unnamed = _tied(table, indices[0]) - len(best) if best else 0
    if not in_order or (unnamed and len(best) < len(indices)):
        each = [joined(amount(table, i), f" for {table.records[i].entity.name}") for i in indices]
        return joined(f"the {phrase} is ", listed(each))
    top, rest = indices[: len(best)], indices[len(best) :]
    others_too = [f"{unnamed:,} other{'s' if unnamed > 1 else ''}"] if unnamed else []
    names = listed([*(table.records[index].entity.name for index in top), *others_too])
    first = joined(said(_extreme(records[0]), *top, part="rank"), f" {phrase}")
    value = _shared_amount(table, top)
    if narration.vary("ranking", ("has", "is that of")) == "has":
        verb = "has" if len(top) == 1 and not unnamed else "share"
        leaders = joined(names, f" {verb} the ", first, ", ", value)
        others = [joined(table.records[i].entity.name, " with ", amount(table, i)) for i in rest]
        return joined(leaders, ", followed by ", listed(others)) if rest else leaders
    leaders = joined("the ", first, " is that of ", names, " (", value, ")")
    others = [joined(table.records[i].entity.name, " (", amount(table, i), ")") for i in rest]
    return joined(leaders, ", ahead of ", listed(others)) if rest else leaders


def _clause(narration: Narration, entries: Entries) -> Worded:
    table = narration.table
    name = entries.entity.name
    (first, *others) = entries.left.values()
    record = table.records[first]
    phrase = record.type.phrase
    if not others:
        if record.rank == 1 and _ranks_count(table, first):
            tied = "joint " if _tied(table, first) > 1 else ""
            highest = said(f"{tied}{_extreme(record)}", first, part="rank")
            return joined(f"{name} has the ", highest, f" {phrase}, ", amount(table, first))
        return joined(f"the {phrase} of {name} is ", _ranked_amount(table, first))
    opening = narration.vary(
        "entity",
        (f"for {name}, the {phrase}", f"{possessive(name)} {phrase}", f"the {phrase} of {name}"),
    )
    values = [joined(f"{opening} is ", _ranked_amount(table, first))]
    for index in others:
        values.append(
            joined(f"the {table.records[index].type.phrase} ", _ranked_amount(table, index))
        )
    return listed(values)


def _absence(entries: Entries) -> Worded:
    phrases = [entries.table.records[index].type.phrase for index in entries.missing]
    absent = said("no", *entries.missing)
    return joined(absent, " ", listed(phrases, " or "), f" is given for {entries.entity.name}")


def amount(table: Table, index: int) -> Worded:
    """Return a value with its unit: `142,984 km`, `45%`, `$3`; dates in words.

    Large whole numbers that have a unit are grouped; without one they may be years or codes.
    """
    record = table.records[index]
    unit = record.type.unit
    if record.type.kind == "date":
        return said(written_day(date.fromisoformat(record.value)), index)
    number = record.number
    whole, point, part = record.value.partition(".")
    grouped = unit and number is not None and abs(number) >= _GROUPED and _DIGITS.fullmatch(whole)
    value = said(f"{int(whole):,}{point}{part}" if grouped else record.value, index)
    if not unit or unit in record.value:
        return said(record.value, index)
    if unit in _CURRENCIES:
        minus = value.text[:1] in ("-", "−")
        shown = value.text[1:] if minus else value.text
        return said(f"-{unit}{shown}", index) if minus else joined(unit, value)
    return joined(value, unit if unit[0] in "%‰°′″" and len(unit) == 1 else f" {unit}")


def _shared_amount(table: Table, indices: Sequence[int]) -> Worded:
    """Return the equal value of several records once."""
    worded = amount(table, indices[0])
    (span,) = worded.spans
    value = worded.text[span.start : span.end]
    return joined(worded.text[: span.start], said(value, *indices), worded.text[span.end :])


def _ranked_amount(table: Table, index: int) -> Worded:
    """Return a value with its rank where that is among the first: `95 (second highest)`."""
    record = table.records[index]
    if record.rank is None or record.rank > _RANKS_SAID or not _ranks_count(table, index):
        return amount(table, index)
    tied = "joint " if _tied(table, index) > 1 else ""
    place = "" if record.rank == 1 else f"{ordinal_word(record.rank)} "
    rank = said(f"{tied}{place}{_extreme(record)}", index, part="rank")
    return joined(amount(table, index), " (", rank, ")")


def _extreme(record: Record) -> str:
    return "highest" if record.type.best == "high" else "lowest"


def _tied(table: Table, index: int) -> int:
    """Return how many values of a type have the rank of this one, itself among them."""
    record = table.records[index]
    return sum(table.records[i].rank == record.rank for i in table.of_type(record.type.name))


def _ranks_count(table: Table, index: int) -> bool:
    """Return whether a type has enough values for ranks to mean something."""
    ranks = [table.records[i].rank for i in table.of_type(table.records[index].type.name)]
    return sum(rank is not None for rank in ranks) > _RANKS_SAID
