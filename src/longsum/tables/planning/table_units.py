"""Entries of tables as units that a planner chooses."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.trainers import WordPieceTrainer

from longsum.common.arrays import Ints, Mask
from longsum.core.encoder.encode_units import EncodedDocument, encode_texts
from longsum.tables.games import rotowire_types as types
from longsum.tables.linearization import filtered, record_string
from longsum.tables.plan import Plan
from longsum.tables.table import Entity, Record, Table

PADDING, UNKNOWN, OPENING, CLOSING = "[PAD]", "[UNK]", "[CLS]", "[SEP]"


def train_vocabulary(texts: Iterable[str], size: int) -> Tokenizer:
    """Return a WordPiece tokenizer learned from strings.

    Accents are removed, and names in other alphabets than the strings' are unknown.

    It has `size` pieces, those for padding, start, end and break included.
    """
    tokenizer = Tokenizer(WordPiece(unk_token=UNKNOWN))
    tokenizer.normalizer = BertNormalizer(lowercase=True, strip_accents=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=size,
        special_tokens=[PADDING, UNKNOWN, OPENING, CLOSING, BREAK],
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


# The first unit is a break between sentences, the string `<EOS>`; each other is an entry of the
# table, as the string of Table 5. `<BEG>` and `<EOT>` are the model's own learned units.

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
"""What at most one in ten of the 60 real references mentions (`benchmarks/table_shapes.py`)."""


KINDS = (
    BREAK,
    *(
        each.name
        for each in (
            types.DATE,
            types.NAME,
            types.CITY,
            types.SIDE,
            types.FIRST_NAME,
            types.SECOND_NAME,
            types.POSITION,
            types.TEAM,
            *types.TEAM_NUMBERS.values(),
            *types.PLAYER_NUMBERS.values(),
        )
    ),
    "<EOT>",
)
"""What a unit of a game is: the break, a record of a type, or the end of the plan."""

_RANKS = (1, 2, 3, 4, 5, 7, 10, 15, 21)
PLACES: dict[str, int] = {
    "kind": len(KINDS),
    "rank": len(_RANKS) + 1,
    "number": 128,
    "entity": 256,
    "group": 256,
}
"""What a planner may know of an entry besides its words, and the number of values of each.

Its index in `KINDS`; its rank; its number; and the numbers of its entity, and of the team that this
is or belongs to, from 1 on, 0 for none. The paper has none of this, as its models read words alone;
`longsum.core.encoder.transition_scores` also relies on the meaning of the columns.
"""


@dataclass(frozen=True, slots=True)
class TableUnits:
    """The units that a planner chooses from.

    Attributes:
        records: The record of each unit by its index in the table; −1 for the break.
        repeatable: Boolean `[n]`, which units may be chosen again: the break, and names and cities
            of teams (B.3).
    """

    records: tuple[int, ...]
    repeatable: Mask

    @classmethod
    def of(cls, table: Table, entries: int) -> "TableUnits":
        """Return the units of a table: the break, and the entries that a planner reads.

        If there are more than 512 entries (`filtered`), zeros are dropped first as in the paper,
        then what reports seldom mention, then the players with the fewest points, then the last
        entries.

        At most `entries` are kept.
        """
        records = filtered(table)
        for dropped in (_is_zero, _is_seldom_said):
            if len(records) > entries:
                records = tuple(each for each in records if not dropped(table.records[each]))
        records = _of_best_players(table, records, entries)[:entries]
        names = [table.records[index].type.name for index in records]
        return cls((-1, *records), np.array([True, *(name in _MAY_REPEAT for name in names)]))

    def allowed(self, chosen: Sequence[int]) -> Mask:
        """Return which units may follow others, `[n]`.

        Entries are not repeated, except those of `repeatable`. Also (not in the paper, whose models
        learn such things) a team is not named twice in succession, and a sentence ends only after
        it has stated more than names of teams.
        """
        free = np.ones(len(self.records), dtype=bool)
        free[[unit for unit in chosen if not self.repeatable[unit]]] = False
        free[list(chosen[-1:])] = False
        begun = len(chosen) - [*reversed(chosen), BREAK_UNIT].index(BREAK_UNIT)
        free[BREAK_UNIT] = any(not self.repeatable[unit] for unit in chosen[begun:])
        return free

    def choices(self, plan: Plan) -> list[int]:
        """Return a plan as units that a planner could choose: what may not follow is left out.

        So are sentences with nothing but names of teams.
        """
        unit_of = {record: unit for unit, record in enumerate(self.records)}
        chosen: list[int] = []
        for sentence in plan.sentences:
            units = [unit_of[record] for record in sentence if record in unit_of]
            if all(self.repeatable[unit] or unit in chosen for unit in units):
                continue
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


def _of_best_players(table: Table, records: tuple[int, ...], entries: int) -> tuple[int, ...]:
    """Return a number of records, dropping those of the players with the fewest points."""

    def points(player: Entity) -> float:
        record = table.record(player.name, types.PLAYER_NUMBERS["PTS"].name)
        return record.number or 0 if record else 0

    for player in sorted(table.of_kind("player"), key=points):
        if len(records) <= entries:
            break
        records = tuple(each for each in records if table.records[each].entity != player)
    return records


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
    """Encode the units of a table; they have no headings, and for places `entry_places`.

    No unit has more than `entry_tokens`, its start and end included.

    Raises:
        LongsumError: The tokenizer has no tokens for start and end.
    """
    encoded = encode_texts(unit_texts(table, units), tokenizer, entry_tokens)
    return EncodedDocument(
        tokens=np.concatenate(encoded),
        ends=np.cumsum([len(text) for text in encoded]),
        headings=np.full(len(encoded), -1, dtype=np.int32),
        places=entry_places(table, units),
    )


def entry_places(table: Table, units: TableUnits) -> Ints:
    """Return the features of each unit (`PLACES`) as whole numbers, `[n, 5]`.

    Entities beyond the 255th count as the 255th. The break is all zeros.
    """
    entities = {entity.name: number for number, entity in enumerate(table.entities, start=1)}
    rows = [[0] * len(PLACES)]
    for index in units.records[1:]:
        record = table.records[index]
        entity = record.entity
        owned = entity.kind in ("team", "player")
        number = record.number or 0
        place = [
            KINDS.index(record.type.name) if record.type.name in KINDS else 0,
            bisect(_RANKS, record.rank or 0),
            min(max(int(number), 0), PLACES["number"] - 1),
            min(entities[entity.name], 255) if owned else 0,
            min(entities.get(entity.of or entity.name, 0), 255) if owned else 0,
        ]
        rows.append(place)
    return np.array(rows, dtype=np.int32)
