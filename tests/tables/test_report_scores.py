"""Scores of texts about games, by the relations that the matcher finds."""

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.language.sentences import sentence_texts
from longsum.tables import Plan
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.games.rotowire import game_table, reference_text
from longsum.tables.relation_finder import MatchedRelations, plan_triples, same_in_league
from longsum.tables.report_scores import score_reports, texts_of
from longsum.tables.table_relations import content_selection

TEXTS = [reference_text(game) for game in GAMES[:2]]


def test_references_score_themselves():
    found = score_reports(GAMES[:2], TEXTS, MatchedRelations()).to_json()
    count = found.pop("rg_count")
    assert count > 20
    assert found == {
        "schema": "longsum/report-scores/1",
        "reports": 2,
        **dict.fromkeys(("rg_precision", "cs_precision", "cs_recall", "cs_f1", "co"), 1.0),
        "bleu": pytest.approx(1.0),
    }


def test_plans_are_compared_with_the_statements_of_references():
    """A plan of all that one reference states, and one of nothing that the other does."""
    tables = [game_table(game) for game in GAMES[:2]]
    read = matcher_for(tables[0]).read(sentence_texts(TEXTS[0]))
    stated = [found.record for each in read for found in each.relations]
    plans = [Plan((tuple(index for index in stated if index is not None),)), Plan(())]
    scores = score_reports(GAMES[:2], TEXTS, MatchedRelations(), plans).scores
    triples = [plan_triples(plan, table) for plan, table in zip(plans, tables, strict=True)]
    other = [
        [each for each, _ in MatchedRelations().relations(table, sentence_texts(text))]
        for table, text in zip(tables, TEXTS, strict=True)
    ]
    chosen = content_selection(triples, other, same_in_league())
    assert scores["plan_cs_precision"] == chosen.precision > 0.9
    assert scores["plan_cs_recall"] == chosen.recall < 0.6
    assert scores["plan_cs_f1"] == chosen.f1


def test_half_a_text_is_precise_and_covers_part_of_the_reference():
    halves = [" ".join(text.split()[: len(text.split()) // 2]) for text in TEXTS]
    scores = score_reports(GAMES[:2], halves, MatchedRelations()).scores
    assert scores["rg_precision"] == scores["cs_precision"] == 1
    assert 0.4 < scores["cs_recall"] < 0.8
    assert 0 < scores["bleu"] < scores["co"] < 0.8


def test_texts_about_other_games_are_not_borne_out():
    scores = score_reports(GAMES[:2], TEXTS[::-1], MatchedRelations()).scores
    assert scores["rg_count"] < 5
    assert scores["cs_f1"] < 0.2


def test_without_references_only_the_tables_are_scored():
    games = [GAMES[0], {**GAMES[1], "summary": []}]
    found = score_reports(games, TEXTS, MatchedRelations())
    assert found.row()[0] == ["reports", "RG P", "RG #"]
    assert found.row()[1][0][:2] == ["2", "100.0"]


def test_each_game_has_a_line():
    assert texts_of("one\ntwo\n", "x", 2) == ["one", "two"]
    assert texts_of("one\ntwo\n", "x", 1) == ["one\ntwo\n"]
    with pytest.raises(LongsumError, match="x has 2 lines for 3 games; write one text per line"):
        texts_of("one\ntwo\n", "x", 3)


def test_numbers_in_words_may_be_left_out():
    both, digits = (
        score_reports(GAMES[:2], TEXTS, MatchedRelations(digits=only)).scores["rg_count"]
        for only in (False, True)
    )
    assert 0 < digits < both
