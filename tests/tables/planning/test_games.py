"""Games with the plans that planners learn."""

import pytest

from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.evaluation.datasets import Example, load
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.planning.run_planning import game_of, planned_game, reference_sentences


def test_a_plan_is_the_games_own_or_what_its_reference_says() -> None:
    for game in map(game_of, load("generated_games", "train", limit=2)):
        own = planned_game(game)
        assert own.plan == plan_from_json(game["plan"], own.table) != Plan(())
        read = planned_game({name: value for name, value in game.items() if name != "plan"})
        sentences = reference_sentences(game)
        assert len(sentences) > 1
        assert read.plan == oracle_plan(matcher_for(read.table), sentences) != Plan(())
        words = "".join(f"{sentence} " for sentence in sentences).split()
        assert reference_sentences({"summary": words}) == sentences
    assert reference_sentences({}) == []


def test_documents_are_no_games(small: Document) -> None:
    with pytest.raises(LongsumError, match="'one' is no game; planners learn from data sets of"):
        game_of(Example("one", small, ("Text.",), "train", "cc0", {}))
    game = {"home_name": "Hawks"}
    assert game_of(Example("one", small, ("Text.",), "train", "cc0", {"game": game})) == game
