"""Tables as the units of a planner: what may follow what, and plans as choices."""

from itertools import pairwise

import numpy as np
import pytest

from invented_games import GAMES
from longsum.tables.games.rotowire import game_table
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.planning.table_units import (
    BREAK,
    BREAK_UNIT,
    KINDS,
    PLACES,
    TableUnits,
    encode_table,
    entry_places,
    train_vocabulary,
    unit_texts,
)

TABLES = [game_table(game) for game in GAMES]
REPEATABLE = {"TEAM-NAME", "TEAM-CITY"}


@pytest.mark.parametrize("place", range(len(GAMES)))
def test_a_plan_without_repeats_is_the_same_after_a_round_trip(place):
    table, units = TABLES[place], TableUnits.of(TABLES[place], 512)
    plan = plan_from_json(GAMES[place]["plan"], table)
    once: set[int] = set()
    distinct = [
        [each for each in s if not (each in once or once.add(each))] for s in plan.sentences
    ]
    named = team_names(table)
    kept = Plan(tuple(tuple(each) for each in distinct if set(each) - named))
    assert units.plan(units.choices(kept)) == kept
    assert units.records[BREAK_UNIT] == -1


@pytest.mark.parametrize("place", range(len(GAMES)))
def test_choices_repeat_only_repeatable_entries(place):
    table, units = TABLES[place], TableUnits.of(TABLES[place], 512)
    plan = plan_from_json(GAMES[place]["plan"], table)
    twice = Plan(plan.sentences + plan.sentences)
    chosen = units.choices(twice)
    types = [table.records[units.records[unit]].type.name for unit in chosen if unit]
    first = [name for name in types if name not in REPEATABLE]
    assert len(first) == len({index for s in plan.sentences for index in s} - team_names(table))
    assert len(types) > len(first)
    assert chosen[0] != BREAK_UNIT
    assert all(one != other for one, other in pairwise(chosen))


def team_names(table) -> set[int]:
    return {index for index, record in enumerate(table.records) if record.type.name in REPEATABLE}


def test_which_entries_may_follow():
    table = TABLES[0]
    units = TableUnits.of(table, 512)
    name = next(u for u, repeats in enumerate(units.repeatable) if repeats and u != BREAK_UNIT)
    points = units.records.index(table.index(table.of_kind("team")[0].name, "TEAM-PTS"))
    assert not units.allowed([])[BREAK_UNIT]
    assert units.allowed([]).sum() == len(units.records) - 1
    after = units.allowed([name, points, BREAK_UNIT])
    assert after[name]
    assert not after[[points, BREAK_UNIT]].any()
    assert units.allowed([name, points])[BREAK_UNIT]
    assert not units.allowed([name, points, BREAK_UNIT, name])[BREAK_UNIT]
    assert not units.allowed([points, name])[name]


@pytest.mark.parametrize("entries", [512, 300, 120])
def test_zeros_are_dropped_first_and_then_rarely_mentioned_entries(entries):
    table = TABLES[1]
    units = TableUnits.of(table, entries)
    kept = [table.records[index] for index in units.records[1:]]
    assert len(kept) <= entries
    assert list(units.records[1:]) == sorted(units.records[1:])
    every = TableUnits.of(table, 512).records[1:]
    if len(every) > entries:
        assert not any(record.number == 0 for record in kept)
    if entries == 120:
        assert not any(record.type.name == "PLAYER-PF" for record in kept)
    types = {record.type.name for record in kept}
    assert {"TEAM-PTS", "PLAYER-PTS", "TEAM-NAME", "PLAYER-SECOND_NAME"} <= types


def test_a_vocabulary_of_a_table_reads_its_strings_and_the_break():
    texts = unit_texts(TABLES[0], TableUnits.of(TABLES[0], 512))
    tokenizer = train_vocabulary(texts, 400)
    assert tokenizer.get_vocab_size() <= 400
    unknown = tokenizer.token_to_id("[UNK]")
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", BREAK]
    assert [tokenizer.id_to_token(number) for number in range(5)] == special
    assert texts[0] == BREAK
    assert tokenizer.encode("Éd LEVIN").ids == tokenizer.encode("ed levin").ids
    assert tokenizer.encode(BREAK).ids == [tokenizer.token_to_id(BREAK)]
    encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
    assert not np.isin(unknown, np.concatenate(encoded))
    assert len({tuple(ids) for ids in encoded}) == len(texts)
    told = encode_table(TABLES[0], TableUnits.of(TABLES[0], 512), tokenizer, 32)
    assert told.headings.tolist() == [-1] * len(texts)


def test_features_of_an_entry():
    table = TABLES[1]
    units = TableUnits.of(table, 200)
    places = entry_places(table, units)
    assert places.shape == (len(units.records), len(PLACES))
    assert not places[0].any()
    assert (places < list(PLACES.values())).all()
    for unit, index in list(enumerate(units.records))[1:]:
        record = table.records[index]
        kind, rank, number, entity, group = places[unit]
        assert KINDS[kind] == record.type.name
        assert (rank > 0) == (record.rank is not None)
        assert number == min(record.number or 0, 127)
        if entity:
            assert table.entities[entity - 1] == record.entity
            assert table.entities[group - 1].name == (record.entity.of or record.entity.name)
        else:
            assert record.entity.kind == "match"


def test_of_too_many_entries_those_of_the_best_players_are_kept():
    table = TABLES[1]
    kept = TableUnits.of(table, 150)
    named = {table.records[index].entity for index in kept.records[1:]}
    points = {
        player: table.record(player.name, "PLAYER-PTS").number or 0
        for player in table.of_kind("player")
    }
    dropped = points.keys() - named
    assert dropped
    assert min(points[player] for player in points.keys() & named) >= max(
        points[player] for player in dropped
    )
