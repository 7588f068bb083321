"""Sentences of reports with the entries that they state."""

import pytest

from invented_games import GAMES
from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import Example, dataset_info
from longsum.models.tasks.task_settings import TaskConfig
from longsum.tables.datasets.games import example_of
from longsum.tables.realization.realization_task import Realization


@pytest.fixture(scope="module")
def game():
    return GAMES[0]


def lessons(game, summary, traced=True):
    example = example_of(dataset_info("rotowire"), {**game, "summary": summary}, "g", "train")
    task = TaskConfig(kind="realization", traced=traced).build()
    return [(pair.document.text, pair.target) for pair in task.pairs(example)]


def test_a_sentence_is_paired_with_its_entries_and_the_sentence_before(game):
    home, away = (
        f"{game[line]['TEAM-CITY']} {game[line]['TEAM-NAME']}" for line in ("home_line", "vis_line")
    )
    wins = game["home_line"]["TEAM-WINS"], game["home_line"]["TEAM-LOSSES"]
    record = f"The {home} ( {wins[0]} - {wins[1]} ) were at home ."
    found = lessons(game, f"{record} It was a fine evening . The {away} lost nothing but time .")
    assert [target for _, target in found] == [
        f"The {home} ({wins[0]}-{wins[1]}) were at home.",
        f"The {away} lost nothing but time.",
    ]
    first, second = (source for source, _ in found)
    assert first.startswith("<BEG> team city of ")
    assert f"team wins of {home} is {wins[0]}" in first.partition("<CONTEXT>")[0]
    # The sentence between says no entry, and no plan has it.
    assert second.startswith(f"{found[0][1]} <BEG> team city of {away}")


def test_numbers_that_no_cell_has_are_not_learned(game):
    home = f"{game['home_line']['TEAM-CITY']} {game['home_line']['TEAM-NAME']}"
    summary = f"The {home} won . The {home} have won 77 prizes ."
    assert len(lessons(game, summary)) == 1
    assert len(lessons(game, summary, traced=False)) == 2


def test_data_without_a_game_are_refused(small):
    with pytest.raises(LongsumError, match="learns from games"):
        list(Realization().pairs(Example("x", small, ("A summary.",), "train", "", {})))
