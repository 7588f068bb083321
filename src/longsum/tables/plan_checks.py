"""Whether a sentence states the numbers of its plan, and no others."""

import re
from collections.abc import Collection, Iterator, Sequence

from longsum.language.numerals import numerals
from longsum.tables.matching.matcher import ReadSentence, Relation
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.spoken_numbers import NUMBER, value_of
from longsum.tables.table import Table

_NUMBER = re.compile(rf"(?<![^ ]){NUMBER}(?![^ ])")
# Names of shots and of feats, which count nothing.
_COMBINED = re.compile(rf"(?<![^ ])a combined (?P<number>{NUMBER})(?= [.,]|$)")
_NO_COUNT = re.compile(
    r"(?:three|3)(?: -)? (?:points?|pt|pointers?|quarters)(?![^ ])|(?<=triple - |double - )\w+"
)


def unplanned_numbers(read: ReadSentence, allowed: Collection[int], table: Table) -> Iterator[Span]:
    """Yield where a sentence has a number that its plan does not support.

    A number is supported by one of the allowed records; or, if it is the sum, the difference, the
    rank or the count of several records, by what the table has for these.

    Args:
        read: The sentence.
        allowed: The records of its plan, and those that it may state besides.
        table: The table, whose day may be said.
    """
    right = [each.span for each in read.relations if _borne_out(each, allowed)]
    right += stated_dates(read, table)
    right += [span for span, total, said in combined(read) if said == total]
    for match in _NUMBER.finditer(read.words.text):
        start, end = read.words.span(*match.span())
        counts = not _NO_COUNT.match(read.words.text, match.start())
        named = any(each.start <= match.start() < each.end for each in read.named)
        if counts and not named and not any(first <= start < last for first, last in right):
            yield start, end


def combined(read: ReadSentence) -> Iterator[tuple[Span, float, float]]:
    """Yield where a sentence adds up counts of several players, with the right sum and its own.

    The summands are the numbers of one kind before it: `scored 15 points, B 10, a combined 25`;
    first comes the sum that the table has, then the number in the sentence.
    """
    for match in _COMBINED.finditer(read.words.text):
        span = read.words.span(*match.span("number"))
        before = [each for each in read.relations if each.span[1] <= span[0] and each.types]
        kind = before[-1].types if before else ()
        has = [each.has for each in before if each.types == kind and each.form == "value"]
        if len(has) > 1 and None not in has:
            yield span, sum(each or 0 for each in has), value_of(match["number"])


def stated_dates(read: ReadSentence, table: Table) -> Iterator[Span]:
    """Yield where a sentence states the day of its table."""
    if table.date is None:
        return
    day = f"{table.date:%B} {table.date.day}"
    said = (f"{table.date:%A}", day, f"{day}, {table.date.year}")
    for kind, start, end in numerals(read.words.source):
        if kind == "date" and read.words.source[start:end] in said:
            yield start, end


def unsaid_numbers(read: ReadSentence, table: Table, planned: Sequence[int]) -> list[int]:
    """Return the records of a planned sentence whose numbers it does not state."""
    said = {relation.record for relation in read.relations}
    # The parts of a sum that the table supports.
    said |= {
        table.index(entity, name)
        for relation in read.relations
        if relation.record is None and relation.has == relation.value
        for entity in relation.entities
        for name in relation.types
    }
    return [
        index
        for index in dict.fromkeys(planned)
        if table.records[index].number is not None and index not in said
    ]


def _borne_out(relation: Relation, allowed: Collection[int]) -> bool:
    if relation.has is None or relation.has != relation.value:
        return False
    return relation.record is None or relation.record in allowed
