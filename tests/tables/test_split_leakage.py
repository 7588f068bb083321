"""Games that stand in several splits."""

import pytest

from longsum.errors import LongsumError
from longsum.tables.split_leakage import GameKey, key_of_game, key_of_line, shared_games


def test_games_are_the_same_whoever_is_named_first():
    game = {"day": "11_08_16", "home_name": "Cavaliers", "vis_name": "Trail Blazers"}
    line = key_of_line("11_08_16-Trail Blazers-Cavaliers-Atrioof20-point")
    assert key_of_game(game) == line


def test_only_games_of_several_splits_are_shared():
    one, two, three = (GameKey(day, frozenset("ab")) for day in ("1", "2", "3"))
    splits = {"train": [one, one, two], "validation": [three, two], "test": [two, one]}
    assert shared_games(splits) == {
        ("train", "test"): [one],
        ("train", "validation", "test"): [two],
    }


@pytest.mark.parametrize("line", ["", "Celtics-Lakers", "02_03-Celtics-Lakers", "a_b_c-x"])
def test_another_line_is_refused(line):
    with pytest.raises(LongsumError, match="not the key of a game"):
        key_of_line(line)
