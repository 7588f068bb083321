"""Invented basketball games: box scores with plans and reports, to train and to test with.

Teams and players are invented, and every game is marked as generated, so that none is taken for a
real one: `real_games` refuses them where results are measured.
"""

from longsum.tables.generated.marks import is_generated, real_games
from longsum.tables.generated.seasons import Season, season_games

__all__ = ["Season", "is_generated", "real_games", "season_games"]
