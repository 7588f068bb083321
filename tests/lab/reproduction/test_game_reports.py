"""Reports scored as in Table 2 of Stepwise."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from longsum.evaluation.datasets import load
from longsum.lab.reproduction import game_reports
from longsum.lab.reproduction.experiments import find_experiment
from longsum.lab.reproduction.game_reports import realize_unchecked, score_written
from longsum.lab.reproduction.measures import score_row
from longsum.lab.reproduction.row_runs import RowRuns
from longsum.lab.reproduction.scales import find_scale
from longsum.language.sentences import sentence_texts
from longsum.tables.games.rotowire import game_table
from longsum.tables.plan import Plan
from longsum.tables.planning.run_planning import planned_game
from longsum.tables.realization.realizer_input import BEGINS
from said_sentences import Said


@pytest.fixture(scope="module")
def examples():
    return list(load("planted_games", "test", limit=3))


def written(example, plan=None, texts=None):
    game = example.extra["game"]
    sentences = sentence_texts(example.references[0]) if texts is None else texts
    asked = plan or Plan(tuple((0,) for _ in sentences))
    writer = Said(*([sentence] for sentence in sentences))
    return example, realize_unchecked(game_table(game), asked, writer), writer


def test_the_reference_itself_has_all_that_is_counted(examples):
    scores = score_written([written(each)[:2] for each in examples])
    assert scores["bleu"] == pytest.approx(100)
    assert scores["rg_precision"] > 95
    for name in ("cs_precision", "cs_recall", "cs_f1", "co"):
        assert scores[name] == pytest.approx(100)


def test_a_reference_states_the_plan_that_it_was_made_from(examples):
    games = [planned_game(each.extra["game"]) for each in examples]
    told = [
        written(each, game.plan, [""] * len(game.plan.sentences))[:2]
        for each, game in zip(examples, games, strict=True)
    ]
    scores = score_written(told)
    assert scores["plan_cs_f1"] > 90
    assert scores["cs_f1"] == scores["bleu"] == 0
    half = [
        written(each, Plan(game.plan.sentences[:4]), [""] * 4)[:2]
        for each, game in zip(examples, games, strict=True)
    ]
    assert score_written(half)["plan_cs_recall"] < scores["plan_cs_recall"] - 20


def test_each_sentence_is_written_after_the_one_before(examples):
    _, report, writer = written(examples[0], Plan(((0,), (1,), (2,))), ["One.", "  ", "Three\n3."])
    told = [(each.text, each.writer) for each in report.sentences]
    assert told == [("One.", "model"), ("Three 3.", "model")]
    assert [each.partition(BEGINS)[0].strip() for each in writer.sources] == ["", "One.", "One."]


def test_games_are_reported_by_the_models_of_two_folders(examples, monkeypatch):
    plan = Plan(((0,), (1,)))
    writer = Said(["One."], ["Two."])
    monkeypatch.setattr(
        game_reports, "planner", lambda name: lambda _: plan if name == "plans" else None
    )
    monkeypatch.setattr(
        game_reports,
        "TableRealizer",
        SimpleNamespace(load=lambda path: writer if path.name == "realizer" else None),
    )
    ((example, report),) = game_reports.write_reports(examples[:1], Path("plans"), Path("realizer"))
    assert example is examples[0]
    assert report == written(example, plan, ["One.", "Two."])[1]


def test_the_games_and_the_reports_of_a_row_are_kept(monkeypatch, tmp_path):
    runs = RowRuns(find_experiment("stepwise/table-2"), find_scale("toy"), tmp_path)
    monkeypatch.setattr(RowRuns, "train", lambda *_: {})
    asked = []

    def reports(given, plans, realizer):
        asked.append((plans.name, realizer.name))
        return [written(each)[:2] for each in given]

    monkeypatch.setattr(game_reports, "write_reports", reports)
    row, column = "stepwise-hibert-planner", runs.columns[0]
    (scored,) = score_row(runs, row, column, 3).systems
    assert scored.scores["bleu"][0] == pytest.approx(100)
    assert asked == [(f"{row}-rotowire-seed3", "realizer-rotowire-seed3")]
    made = list(runs.examples(column))
    assert [
        json.loads(line) for line in (tmp_path / "texts/rotowire.jsonl").read_text().splitlines()
    ] == [each.extra["game"] for each in made]
    texts = (tmp_path / f"texts/{row}-rotowire-seed3.txt").read_text().splitlines()
    assert texts == [written(each)[1].text for each in made]
