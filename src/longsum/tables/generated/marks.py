"""What tells generated games from real ones."""

from collections.abc import Iterable, Mapping
from typing import Any

from longsum.errors import LongsumError

GENERATED = "generated"
"""The field of a game that says that it is invented."""

Game = Mapping[str, Any]


def is_generated(game: Game) -> bool:
    """Return whether a game says that it is invented."""
    return bool(game.get(GENERATED, False))


def real_games(games: Iterable[Game], name: str = "The input") -> list[Game]:
    """Return games with which results are measured.

    Args:
        games: The games.
        name: What messages call them.

    Raises:
        LongsumError: One of them is generated.
    """
    found = list(games)
    for number, game in enumerate(found, start=1):
        if is_generated(game):
            raise LongsumError(
                f"{name} has a generated game, number {number}; results are measured on real games "
                "only, so leave it out."
            )
    return found
