"""The sentences of a report on any table, from the phrases and units of its schema."""

from collections.abc import Sequence

from longsum.tables.amounts import amount
from longsum.tables.annotated_text import (
    Worded,
    as_sentence,
    count_word,
    joined,
    listed,
    ordinal_word,
    possessive,
    said,
)
from longsum.tables.derived_sentences import derived_sentence, name_of
from longsum.tables.inputs.headings import is_counted, is_plural
from longsum.tables.narration import Entries, Narration, entries_of
from longsum.tables.table import GROUP, Record, RecordType, Table

_RANKS_SAID = 3


def any_sentence(narration: Narration, sentence: Sequence[int]) -> Worded:
    """Return the sentence that states these records of a table.

    One type of several entities is compared; otherwise each entity has a clause, with its values in
    the plan's order. Statements about all rows or about groups have their own wordings.
    """
    if derived := derived_sentence(narration, sentence):
        return derived
    by_entity = list(entries_of(narration.table, sentence).values())
    share = _share(by_entity)
    told = {name for entries in by_entity for name in entries.left}
    clauses = []
    if len(by_entity) > 1 and len(told) == 1 and all(entries.left for entries in by_entity):
        (name,) = told
        clauses.append(_compared(narration, [entries.left[name] for entries in by_entity], share))
    else:
        clauses.extend(_clause(narration, entries) for entries in by_entity if entries.left)
    clauses.extend(_absence(entries) for entries in by_entity if entries.missing)
    return as_sentence(clauses)


def _share(by_entity: Sequence[Entries]) -> int | None:
    """Remove and return the first value's share of the total, if it is to be stated."""
    left = by_entity[0].left
    for name, index in list(left.items()):
        type_ = by_entity[0].table.records[index].type
        if type_.measure == "share" and next(iter(left)) == type_.of and len(by_entity) > 1:
            return left.pop(name)
    return None


def _compared(narration: Narration, indices: Sequence[int], share: int | None = None) -> Worded:
    """Return one type's values for several entities, as a ranking if they are the best in order.

    Args:
        narration: What the report has said so far.
        indices: The values.
        share: The record with the first value's percentage of the total.
    """
    table = narration.table
    records = [table.records[index] for index in indices]
    phrase = records[0].type.phrase
    ranks = [record.rank or 0 for record in records]
    best = [index for index, rank in zip(indices, ranks, strict=True) if rank == 1]
    in_order = ranks == sorted(ranks) and all(0 < r <= n for n, r in enumerate(ranks, start=1))
    unnamed = _tied(table, indices[0]) - len(best) if best else 0
    by = _by(records)
    if not best and _are_last(table, indices):
        last = _extreme(table, records[0], last=True)
        names = listed([name_of(record.entity) for record in records])
        return joined(names, f" share the {last} {phrase}, ", _shared_amount(table, indices))
    values = {record.value for record in records}
    if (
        len(values) == 1
        and len(records) > _RANKS_SAID
        and set(indices)
        == {i for i in table.of_type(records[0].type.name) if not table.records[i].missing}
    ):
        every = _shared_amount(table, indices)
        return joined(f"the {phrase} {_is(phrase)} ", every, f" for all {count_word(len(records))}")
    if not in_order or (unnamed and len(best) < len(indices)):
        each = [
            joined(amount(table, i), f" for {name_of(table.records[i].entity)}") for i in indices
        ]
        return joined(f"{by}the {phrase} {_is(phrase)} ", listed(each))
    narration.ranked.update(indices)
    top, rest = indices[: len(best)], indices[len(best) :]
    others_too = [f"{unnamed:,} other{'s' if unnamed > 1 else ''}"] if unnamed else []
    names = listed([*(name_of(table.records[index].entity) for index in top), *others_too])
    first = joined(said(_extreme(table, records[0]), *top, part="rank"), f" {phrase}")
    value = _shared_amount(table, top)
    if share is not None:
        value = joined(value, " (", amount(table, share), " of the total)")
    most = first.text.startswith("most") or len(top) > 1
    if by or most or share is not None or narration.vary("ranking", ("has", "is that of")) == "has":
        verb = "has" if len(top) == 1 and not unnamed else "share"
        leaders = joined(by, names, f" {verb} the ", first, ", ", value)
        others = [
            joined(name_of(table.records[i].entity), " with ", amount(table, i)) for i in rest
        ]
        return joined(leaders, ", followed by ", listed(others)) if rest else leaders
    leaders = joined(
        "the ",
        first,
        f" {_is(phrase)} {'those' if is_plural(phrase) else 'that'} of ",
        names,
        " (",
        value,
        ")",
    )
    others = [joined(name_of(table.records[i].entity), " (", amount(table, i), ")") for i in rest]
    return joined(leaders, ", ahead of ", listed(others)) if rest else leaders


def _clause(narration: Narration, entries: Entries) -> Worded:
    table = narration.table
    name = name_of(entries.entity)
    (first, *others) = entries.left.values()
    record = table.records[first]
    phrase = record.type.phrase
    if not others:
        if record.rank == 1 and _ranks_count(table, first):
            tied = "joint " if _tied(table, first) > 1 else ""
            highest = said(f"{tied}{_extreme(table, record)}", first, part="rank")
            return joined(f"{name} has the ", highest, f" {phrase}, ", amount(table, first))
        if _are_last(table, [first]) and _ranks_count(table, first):
            last = _extreme(table, record, last=True)
            return joined(f"{name} has the {last} {phrase}, ", amount(table, first))
        return joined(f"the {phrase} of {name} {_is(phrase)} ", _ranked_amount(narration, first))
    opening = narration.vary(
        "entity",
        (f"for {name}, the {phrase}", f"{possessive(name)} {phrase}", f"the {phrase} of {name}"),
    )
    values = [joined(f"{opening} {_is(phrase)} ", _ranked_amount(narration, first))]
    for index in others:
        values.append(
            joined(f"the {table.records[index].type.phrase} ", _ranked_amount(narration, index))
        )
    return listed(values)


def _absence(entries: Entries) -> Worded:
    phrases = [entries.table.records[index].type.phrase for index in entries.missing]
    absent = said("no", *entries.missing)
    return joined(absent, " ", listed(phrases, " or "), f" is given for {entries.entity.name}")


def _shared_amount(table: Table, indices: Sequence[int]) -> Worded:
    """Return the value that several records share, once."""
    worded = amount(table, indices[0])
    (span,) = worded.spans
    value = worded.text[span.start : span.end]
    return joined(worded.text[: span.start], said(value, *indices), worded.text[span.end :])


def _by(records: Sequence[Record]) -> str:
    """Return the column that defines groups: `by region, `; empty for other entities."""
    columns = {record.entity.of for record in records if record.entity.kind == GROUP}
    if len(columns) != 1:
        return ""
    (column,) = columns
    asked = str(column).endswith("?")
    return f"by the answer to “{column}”, " if asked else f"by {column}, "


def _are_last(table: Table, indices: Sequence[int]) -> bool:
    """Return whether these are all the values that rank last, and some rank before them."""
    ranks = table.ranks(table.records[indices[0]].type.name)
    last = max(rank or 0 for rank in ranks)
    own = {table.records[index].rank for index in indices}
    return last > 1 and own == {last} and ranks.count(last) == len(indices)


def _is(phrase: str) -> str:
    return "are" if is_plural(phrase) else "is"


def _ranked_amount(narration: Narration, index: int) -> Worded:
    """Return a value, with its rank if high and not stated yet: `95 (second highest)`."""
    table = narration.table
    record = table.records[index]
    if index in narration.ranked:
        return amount(table, index)
    if record.rank is None or record.rank > _RANKS_SAID or not _ranks_count(table, index):
        return amount(table, index)
    tied = "joint " if _tied(table, index) > 1 else ""
    place = "" if record.rank == 1 else f"{ordinal_word(record.rank)} "
    rank = said(f"{tied}{place}{_extreme(table, record)}", index, part="rank")
    return joined(amount(table, index), " (", rank, ")")


def _extreme(table: Table, record: Record, *, last: bool = False) -> str:
    """Return what the first value is, or the last: `highest`, or `most` for counts."""
    high = (record.type.best == "high") != last
    type_ = record.type
    if is_counted(type_.phrase) and not (type_.unit or type_.measure) and _are_whole(table, type_):
        return "most" if high else "fewest"
    return "highest" if high else "lowest"


def _are_whole(table: Table, type_: RecordType) -> bool:
    """Return whether all values of a type are whole numbers, as counts are."""
    numbers = (table.records[index].number for index in table.of_type(type_.name))
    return all(number is None or float(number).is_integer() for number in numbers)


def _tied(table: Table, index: int) -> int:
    """Return how many values of a type have the rank of this one, including itself."""
    record = table.records[index]
    return table.ranks(record.type.name).count(record.rank)


def _ranks_count(table: Table, index: int) -> bool:
    """Return whether a type has enough values for ranks to mean something."""
    ranks = table.ranks(table.records[index].type.name)
    return len(ranks) - ranks.count(None) > _RANKS_SAID
