"""Planners and realizers without training: the list, `longsum table`, and what ships."""

import json
from functools import cache

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_folder
from longsum.language.sentences import sentence_texts
from longsum.tables import Entity, RecordType, make_table
from longsum.tables.games.rotowire import game_table
from longsum.tables.plan import Plan
from longsum.tables.planning.planners import plan_by_rules, planner, untold_notice
from longsum.tables.planning.table_systems import (
    RANKER,
    STEPWISE,
    TABLE_SYSTEMS,
    learned_from,
)
from longsum.tables.relation_finder import MatchedRelations, relation_finder
from longsum.tables.table_relations import Triple
from longsum.tables.templates import realize

TABLE = game_table(GAMES[0])
PLANNERS = [each.name for each in TABLE_SYSTEMS if each.option == "--planner"]


@cache
def planned(name: str) -> Plan:
    return planner(name)(TABLE)


@pytest.mark.parametrize("name", PLANNERS)
def test_every_planner_of_the_list_plans_a_game(name):
    plan = planned(name)
    assert len(plan.sentences) >= 4
    text = realize(TABLE, plan).text
    for team in TABLE.of_kind("team"):
        assert TABLE.record(team.name, "TEAM-PTS").value in text


def test_a_name_that_is_not_in_the_list_is_refused_with_those_that_are():
    with pytest.raises(LongsumError) as raised:
        planner("table-oracle")
    assert all(name in str(raised.value) for name in PLANNERS)


def test_tables_without_anything_to_plan_are_refused():
    other = make_table([(Entity("A", "row"), RecordType("n", "n"), "N/A")])
    with pytest.raises(LongsumError, match="learned from games alone; leave out --planner"):
        planner(RANKER)(other)
    with pytest.raises(LongsumError, match="no values to report; check its columns"):
        plan_by_rules(other)
    assert untold_notice(other, Plan(())) == []


@pytest.mark.parametrize("name", [RANKER, STEPWISE])
def test_trained_planners_choose_less_than_the_rules_and_include_the_top_scorer(name):
    plan = planned(name)
    assert plan.entries < planned("table-rules").entries
    said = {TABLE.records[index].entity.name for each in plan.sentences for index in each}
    assert max((each.name for each in TABLE.of_kind("player")), key=points) in said


def test_weights_for_tables_are_small_and_record_their_training_data():
    folders = [shipped_folder(name) for name in (RANKER, STEPWISE, "relations")]
    size = sum(path.stat().st_size for folder in folders for path in folder.iterdir())
    assert size <= 6 * 2**20
    for folder in folders:
        learned = learned_from(folder)
        assert learned["rotowire_games"] == 60
        card = (folder / "README.md").read_text(encoding="utf-8")
        assert all(f"| {name} | {count:,} |" in card for name, count in learned.items())


def test_a_record_is_added_up_and_a_folder_without_one_is_refused(tmp_path):
    for wrong in (None, "{", '[{"split": "train"}]', "3"):
        if wrong is not None:
            (tmp_path / "documents.json").write_text(wrong)
        with pytest.raises(LongsumError, match=r"documents\.json"):
            learned_from(tmp_path)
    rows = [("a", "train", 3), ("b", "train", 1), ("a", "train", 2), ("c", "validation", 9)]
    parts = [{"name": name, "split": split, "documents": count} for name, split, count in rows]
    (tmp_path / "documents.json").write_text(json.dumps(parts))
    assert learned_from(tmp_path) == {"a": 5, "b": 1}


def test_the_matcher_finds_relations_only_in_digits_on_request(tmp_path):
    for name, digits in (("table-matcher", False), ("table-matcher-digits", True)):
        finder, warnings = relation_finder(name)
        text = ["The Lanterns had twenty-nine points in the first quarter."]
        found = finder.relations(TABLE, text)
        assert (finder._digits, warnings) == (digits, [])
        assert found == MatchedRelations(digits=digits).relations(TABLE, text)
    with pytest.raises(LongsumError, match="finder 'none'; give table-matcher, table-matcher-digi"):
        relation_finder("none")
    with pytest.raises(LongsumError, match=r"no readable config\.json"):
        relation_finder(str(tmp_path))
    options = [each.option for each in TABLE_SYSTEMS]
    assert options == [*["--planner"] * 3, "--realizer", *["--relations"] * 2]


def test_the_shipped_extractor_finds_points_of_players():
    report = realize(TABLE, planned("table-rules"))
    finder, (warning,) = relation_finder("table-relations")
    assert warning.startswith("scores of games that the extractor learned from (")
    assert "60 of rotowire_games and 200 of generated_games" in warning
    found = finder.relations(TABLE, sentence_texts(report.text))
    right = {triple for triple, is_right in found if is_right}
    assert len(right) > 0.6 * len(found)
    best = max(TABLE.of_kind("player"), key=lambda each: points(each.name))
    assert Triple(best.name, f"{points(best.name):g}", "PLAYER-PTS") in right


def points(name: str) -> float:
    record = TABLE.record(name, "PLAYER-PTS")
    return record.number or 0 if record else 0
