"""Games that stand in several splits of Rotowire.

The data set has several summaries of some games, and its first release put some of them into
different splits (README of harvardnlp/boxscore-data, 3 September 2020).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from longsum.errors import LongsumError
from longsum.wording import quote


class GameKey(NamedTuple):
    """What tells a game from others: its day as the data writes it, and its teams."""

    day: str
    teams: frozenset[str]


def key_of_game(game: Mapping[str, Any]) -> GameKey:
    """Return the key of a game in Rotowire's JSON."""
    return GameKey(str(game.get("day")), frozenset((str(game["home_name"]), str(game["vis_name"]))))


def key_of_line(line: str) -> GameKey:
    """Return the key of a line `MM_DD_YY-Team-Team-first words of the summary`.

    Raises:
        LongsumError: The line has another form.
    """
    parts = line.split("-", 3)
    if len(parts) < 3 or parts[0].count("_") != 2:
        raise LongsumError(f"{quote(line)} is not the key of a game; one is MM_DD_YY-Team-Team-….")
    return GameKey(parts[0], frozenset(parts[1:3]))


def shared_games(splits: Mapping[str, Iterable[GameKey]]) -> dict[tuple[str, ...], list[GameKey]]:
    """Return the games that several splits have, by the names of those splits.

    Args:
        splits: The keys of the games of each split, by its name.
    """
    holders: dict[GameKey, list[str]] = defaultdict(list)
    for name, keys in splits.items():
        for key in dict.fromkeys(keys):
            holders[key].append(name)
    shared: dict[tuple[str, ...], list[GameKey]] = defaultdict(list)
    for key, names in holders.items():
        if len(names) > 1:
            shared[tuple(names)].append(key)
    return dict(shared)
