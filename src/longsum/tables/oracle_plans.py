"""Oracle plans: which records a text states, in its order (Stepwise, B.2).

The paper infers them with a convolutional extractor; here the matcher does. As there, order and
repetitions within a sentence are kept, sentences without entries left out, the date is an entry
where it is mentioned, and a pronoun counts as the name it stands for.
"""

from collections.abc import Iterator, Sequence

from longsum.language.numerals import numerals
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.rotowire import MATCH
from longsum.tables.matching.matcher import Matcher, ReadSentence
from longsum.tables.matching.plain_words import fold
from longsum.tables.matching.subjects import Named
from longsum.tables.plan import Plan
from longsum.tables.table import Table

Placed = tuple[int, int]

_PARTS = {
    "team": (types.CITY, types.NAME),
    "player": (types.FIRST_NAME, types.SECOND_NAME),
}


def oracle_plan(matcher: Matcher, sentences: Sequence[str]) -> Plan:
    """Return the plan that a text follows.

    A team gives an entry for its city, its name or both, as written; likewise a player for first
    and second name. A pronoun counts as the name of a team or the second name of a player, and only
    if numbers about them follow.
    """
    return Plan(tuple(stated_records(read, matcher.table) for read in matcher.read(sentences)))


def stated_records(read: ReadSentence, table: Table) -> tuple[int, ...]:
    """Return the records that a sentence states, in its order; see `oracle_plan`."""
    return tuple(index for _, index in sorted(_entries(read, table)))


def _entries(read: ReadSentence, table: Table) -> Iterator[Placed]:
    """Yield the records that a sentence states, with their positions in it."""
    for named in read.named:
        if named.entity and (not named.pronoun or _bears_numbers(named, read)):
            yield from _names(named, read, table)
    for relation in read.relations:
        if relation.record is not None:
            yield relation.span[0], relation.record
    date = table.index(MATCH.name, types.DATE.name)
    if date is not None and table.date is not None:
        source = read.words.source
        said = {f"{table.date:%A}", f"{table.date:%B} {table.date.day}"}
        for kind, start, end in numerals(source):
            if kind == "date" and source[start:end] in said:
                yield start, date


def _names(named: Named, read: ReadSentence, table: Table) -> Iterator[Placed]:
    start, _ = read.words.span(named.start, named.end)
    written = fold(read.words.text[named.start : named.end])
    parts = _PARTS.get(named.kind, ())
    found = [
        (start + written.find(fold(record.value)[:4]) if not named.pronoun else start, index)
        for type_ in parts
        if (index := table.index(named.entity or "", type_.name)) is not None
        and not (record := table.records[index]).missing
        and (named.pronoun or _in_name(record.value, written))
    ]
    # Other names of a team or a player, and pronouns, stand for the last part of its name.
    if not found or named.pronoun:
        last = table.index(named.entity or "", parts[-1].name) if parts else None
        found = [(start, last)] if last is not None else []
    yield from found


def _in_name(value: str, written: str) -> bool:
    words = written.replace(" . ", " ").replace(" ' ", "'").replace(" - ", "-").replace(" .", "")
    return fold(value).replace(".", "") in words


def _bears_numbers(named: Named, read: ReadSentence) -> bool:
    later = [each.start for each in read.named if each.start > named.start]
    end = later[0] if later else len(read.words.text)
    first = read.words.span(named.start, named.end)[1]
    last = read.words.after(end)
    return any(
        first <= relation.span[0] < last and named.entity in relation.entities
        for relation in read.relations
    )
