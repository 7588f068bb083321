"""A plan: which records a report states, in which order and in which sentences.

Stepwise, §7 and B.1. As JSON, each entry is written by its names, so that a person can read and
edit it:

    {"schema": "longsum/table-plan/1",
     "sentences": [[{"entity": "Boston Celtics", "type": "TEAM-PTS", "value": "113"}, …], …]}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import did_you_mean, quote
from longsum.tables.table import Table

SCHEMA = "longsum/table-plan/1"
MOST_ENTRIES = 10_000
"""Entries that a plan may have; those of the paper have 59 (B.2)."""

_FORM = '"sentences": [[{"entity": …, "type": …, "value": …}, …], …]'


@dataclass(frozen=True, slots=True)
class Plan:
    """The sentences of a report as indices of records.

    Attributes:
        sentences: The records that each sentence states, in order; no sentence is empty. A record
            may be stated several times.
    """

    sentences: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Leave out empty sentences."""
        object.__setattr__(self, "sentences", tuple(each for each in self.sentences if each))

    @property
    def entries(self) -> int:
        """How many entries all sentences have together."""
        return sum(len(sentence) for sentence in self.sentences)


def plan_to_json(plan: Plan, table: Table) -> dict[str, Any]:
    """Return a plan as JSON values."""
    return {
        "schema": SCHEMA,
        "sentences": [
            [entry_to_json(table, index) for index in sentence] for sentence in plan.sentences
        ],
    }


def entry_to_json(table: Table, index: int) -> dict[str, str]:
    """Return a record as an entry of a plan."""
    record = table.records[index]
    return {"entity": record.entity.name, "type": record.type.name, "value": record.value}


def parse_plan(text: str, table: Table, name: str = "The plan") -> Plan:
    """Read a plan from JSON text.

    Args:
        text: As written by `plan_to_json`; the whole output of `longsum table --format json`, which
            contains the plan, is read too.
        table: The table that it is about.
        name: What messages call it.

    Raises:
        LongsumError: It is not JSON of this form, or names what the table does not have.
    """
    try:
        value = parse_json(text)
    except ValueError as error:
        raise LongsumError(f"{name} is not valid JSON ({error}); check the file.") from None
    if isinstance(value, Mapping) and isinstance(value.get("plan"), Mapping):
        value = value["plan"]
    return plan_from_json(value, table, name)


def plan_from_json(value: Any, table: Table, name: str = "The plan") -> Plan:
    """Make a plan of JSON values; each entry is found again by its entity and type.

    Raises:
        LongsumError: The values have another form, there are too many, or an entry names what the
            table does not have, or another value than the table's.
    """
    sentences = value.get("sentences") if isinstance(value, Mapping) else None
    if not isinstance(sentences, list) or not all(isinstance(each, list) for each in sentences):
        raise LongsumError(f"{name} is not a plan; one has {_FORM}.")
    if value.get("schema", SCHEMA) != SCHEMA:
        raise LongsumError(f"{name} has the schema {quote(value['schema'])}; it must be {SCHEMA}.")
    if sum(len(sentence) for sentence in sentences) > MOST_ENTRIES:
        raise LongsumError(f"{name} has more than {MOST_ENTRIES:,} entries; make it shorter.")
    plan = Plan(
        tuple(
            tuple(_entry(entry, table, name, number) for entry in sentence)
            for number, sentence in enumerate(sentences, start=1)
        )
    )
    if not plan.sentences:
        raise LongsumError(f"{name} has no entries; it must say at least one.")
    return plan


def _entry(entry: Any, table: Table, name: str, sentence: int) -> int:
    """Return the index of the record that an entry names."""
    place = f"{name} cannot be used: in sentence {sentence}, "
    if not isinstance(entry, Mapping):
        raise LongsumError(f"{place}{quote(entry)} is not an entry; one has entity, type, value.")
    entity, type_name, value = (entry.get(key) for key in ("entity", "type", "value"))
    if not isinstance(entity, str) or not isinstance(type_name, str):
        raise LongsumError(f"{place}an entry lacks its entity or its type, which must be texts.")
    index = table.index(entity, type_name)
    if index is None:
        if table.entity(entity) is None:
            guess = did_you_mean(entity, (known.name for known in table.entities))
            raise LongsumError(f"{place}the table has no entity {quote(entity)}.{guess}")
        guess = did_you_mean(type_name, (known.name for known in table.types))
        raise LongsumError(f"{place}the table has no {quote(type_name)} of {quote(entity)}.{guess}")
    known = table.records[index].value
    if value is not None and str(value) != known:
        raise LongsumError(
            f"{place}{type_name} of {quote(entity)} is {quote(value)}, but {quote(known)} in the "
            "table; a plan chooses values and cannot change them."
        )
    return index
