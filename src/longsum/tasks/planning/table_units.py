"""A table as the units of an extractive model, and a plan as choices among them (Stepwise, B.3).

The first unit is a break between sentences, the string `<EOS>`; each other is an entry of the
table, as the string of Table 5. `<BEG>` and `<EOT>` are the model's own learned units.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer

from longsum.arrays import Mask
from longsum.tables import rotowire_types as types
from longsum.tables.filtering import filtered
from longsum.tables.plan import Plan
from longsum.tables.strings import record_string
from longsum.tables.table import Record, Table
from longsum.tasks.extraction.encode_units import EncodedDocument, encode_texts

BREAK = "<EOS>"
"""The text of the unit that ends a sentence."""

BREAK_UNIT = 0
_MAY_REPEAT = (types.NAME.name, types.CITY.name)
_SELDOM_SAID = frozenset(
    {
        "PLAYER-FG_PCT",
        "PLAYER-FG3_PCT",
        "PLAYER-FT_PCT",
        "PLAYER-OREB",
        "PLAYER-DREB",
        "PLAYER-PF",
        types.POSITION.name,
    }
)
"""What at most one in ten of the 60 real references says (`benchmarks/table_shapes.py`)."""


@dataclass(frozen=True, slots=True)
class TableUnits:
    """What a planner chooses from.

    Attributes:
        records: The record of each unit by its index in the table; of the break −1.
        repeatable: Boolean `[n]`, which units may be chosen again: the break, and names and cities
            of teams (B.3).
    """

    records: tuple[int, ...]
    repeatable: Mask

    @classmethod
    def of(cls, table: Table, entries: int) -> "TableUnits":
        """Return the units of a table: the break, and the entries that a planner reads.

        Where 512 entries are too many (`filtered`), zeros go first as in the paper, then what
        reports seldom say, then the last entries.

        Args:
            table: The table.
            entries: The most entries.
        """
        records = filtered(table)
        for dropped in (_is_zero, _is_seldom_said):
            if len(records) > entries:
                records = tuple(each for each in records if not dropped(table.records[each]))
        records = records[:entries]
        named = [table.records[index].type.name in _MAY_REPEAT for index in records]
        return cls((-1, *records), np.array([True, *named]))

    def allowed(self, chosen: Sequence[int]) -> Mask:
        """Return which units may follow others, `[n]`.

        Entries are not repeated but for those of `repeatable`; a break neither begins a plan nor
        follows another break, and a sentence names nobody twice in succession. The last two are
        not in the paper, whose models learn them.
        """
        free = np.ones(len(self.records), dtype=bool)
        free[[unit for unit in chosen if not self.repeatable[unit]]] = False
        free[chosen[-1] if chosen else BREAK_UNIT] = False
        return free

    def choices(self, plan: Plan) -> list[int]:
        """Return a plan as units, as a planner may choose them: what may not follow is left out."""
        unit_of = {record: unit for unit, record in enumerate(self.records)}
        chosen: list[int] = []
        for sentence in plan.sentences:
            units = [unit_of[record] for record in sentence if record in unit_of]
            for unit in (*units, BREAK_UNIT):
                if self.allowed(chosen)[unit]:
                    chosen.append(unit)
        return chosen

    def plan(self, chosen: Sequence[int]) -> Plan:
        """Return the plan of chosen units."""
        sentences: list[list[int]] = [[]]
        for unit in chosen:
            if unit == BREAK_UNIT:
                sentences.append([])
            else:
                sentences[-1].append(self.records[unit])
        return Plan(tuple(tuple(sentence) for sentence in sentences))


def _is_zero(record: Record) -> bool:
    return record.number == 0


def _is_seldom_said(record: Record) -> bool:
    return record.type.name in _SELDOM_SAID


def unit_texts(table: Table, units: TableUnits) -> list[str]:
    """Return the string of each unit."""
    return [BREAK, *(record_string(table.records[index]) for index in units.records[1:])]


def encode_table(
    table: Table, units: TableUnits, tokenizer: Tokenizer, entry_tokens: int
) -> EncodedDocument:
    """Encode the units of a table; they have no headings and no places.

    Args:
        table: The table.
        units: Its units.
        tokenizer: The model's tokenizer.
        entry_tokens: Maximum number of tokens of a unit, including start and end.

    Raises:
        LongsumError: The tokenizer has no tokens for start and end.
    """
    encoded = encode_texts(unit_texts(table, units), tokenizer, entry_tokens)
    return EncodedDocument(
        tokens=np.concatenate(encoded),
        ends=np.cumsum([len(text) for text in encoded]),
        headings=np.full(len(encoded), -1, dtype=np.int32),
        places=np.zeros((len(encoded), 0), dtype=np.int32),
    )
