"""Plans as JSON that a person may edit."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from longsum.common.errors import LongsumError
from longsum.tables.plan import MOST_ENTRIES, Plan, parse_plan, plan_from_json, plan_to_json
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.report import report_to_json
from longsum.tables.templates import realize


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.integers(0, 170), max_size=5), min_size=1, max_size=5))
def test_a_plan_is_found_again(table, sentences):
    plan = Plan(tuple(map(tuple, sentences)))
    if plan.sentences:
        assert parse_plan(json.dumps(plan_to_json(plan, table)), table) == plan


def test_the_output_of_the_command_has_a_plan_in_it(table):
    plan = plan_by_rules(table)
    assert parse_plan(json.dumps(report_to_json(realize(table, plan))), table) == plan


def test_entries_are_readable(table):
    index = table.index("Weston Wolves", "TEAM-PTS")
    (sentence,) = plan_to_json(Plan(((index,),)), table)["sentences"]
    assert sentence == [{"entity": "Weston Wolves", "type": "TEAM-PTS", "value": "104"}]


def entry(entity="Ann Ash", type_="PLAYER-PTS", **others):
    return {"sentences": [[{"entity": entity, "type": type_, **others}]]}


def test_a_value_may_be_left_out_or_be_a_number(table):
    assert plan_from_json(entry(), table) == plan_from_json(entry(value=60), table)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (entry("Ann Ach"), "no entity 'Ann Ach'. Did you mean 'Ann Ash'?"),
        (entry(type_="PLAYER-POINTS"), "no 'PLAYER-POINTS' of 'Ann Ash'"),
        (entry(type_="TEAM-PTS"), "no 'TEAM-PTS' of 'Ann Ash'"),
        (entry(value="61"), "is '61', but '60' in the table"),
        (entry(3), "lacks its entity or its type"),
        ({"sentences": [["x"]]}, "in sentence 1, 'x' is not an entry"),
        ({"sentences": [{}]}, "is not a plan"),
        ({"sentences": "x"}, "is not a plan"),
        ([], "is not a plan"),
        (None, "is not a plan"),
        ({"sentences": []}, "has no entries"),
        ({"sentences": [[], []]}, "has no entries"),
        ({**entry(), "schema": "other/2"}, "has the schema 'other/2'"),
        ({"sentences": [[{}] * (MOST_ENTRIES + 1)]}, "more than 10,000 entries"),
    ],
)
def test_an_invalid_plan_is_refused(table, value, problem):
    with pytest.raises(LongsumError) as caught:
        plan_from_json(value, table, "plan.json")
    assert problem in str(caught.value)
    assert str(caught.value).startswith("plan.json ")


@pytest.mark.parametrize("text", ["{", "", "[" * 100_000])
def test_invalid_json_is_refused(table, text):
    with pytest.raises(LongsumError, match="is not valid JSON"):
        parse_plan(text, table)
