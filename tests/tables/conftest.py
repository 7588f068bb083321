"""Games: a small one by hand, and the sixty real ones of the shared data."""

import json
import lzma
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from longsum.documents.readers import ReadLimits
from longsum.tables.games.rotowire import game_table
from longsum.tables.inputs.read import read_schema, read_table
from longsum.tables.plan import Plan
from longsum.tables.table import Table
from page_fixtures import as_before  # noqa: F401

Game = dict[str, Any]

_LINE = "PTS WINS LOSSES PTS_QTR1 PTS_QTR2 PTS_QTR3 PTS_QTR4 FG_PCT FG3_PCT FT_PCT REB AST TOV"
_TEAMS = {
    "Weston Wolves": "104 10 3 20 30 24 30 46 33 80 44 22 9",
    "Easton Eagles": "98 1 12 25 24 24 25 44 40 80 44 25 14",
}
# In the order of the players' rows.
_COLUMNS = (
    *("FIRST_NAME", "SECOND_NAME", "START_POSITION", "TEAM_CITY", "MIN", "PTS", "REB", "OREB"),
    *("DREB", "AST", "STL", "BLK", "TO", "PF", "FGM", "FGA", "FG_PCT", "FG3M", "FG3A", "FG3_PCT"),
    *("FTM", "FTA", "FT_PCT"),
)
# The visitors stand first, as in the data.
_PLAYERS = (
    "Ann Ash F Easton 30 60 12 4 8 11 1 0 2 3 20 30 67 5 9 56 15 16 94",
    "Bo Birch G Easton 28 38 3 0 3 4 0 0 0 1 14 25 56 2 6 33 8 8 100",
    "Cy Cedar N/A Easton N/A" + " N/A" * 18,
    "Di Dogwood C Weston 40 50 15 5 10 9 2 3 6 2 20 33 61 0 1 0 10 12 83",
    "Ed Elm G Weston 35 50 4 1 3 10 3 0 1 4 18 30 60 8 15 53 6 6 100",
    "Flo Ash N/A Weston 12 4 1 1 0 0 0 1 0 2 2 2 100 0 0 0 0 0 0",
)


@pytest.fixture
def game() -> Game:
    """A game that Weston wins at home, 104-98; Cy Cedar did not play, Flo Ash did not start."""
    rows = [row.split() for row in _PLAYERS]
    box = {
        column: {str(place): row[index] for place, row in enumerate(rows)}
        for index, column in enumerate(_COLUMNS)
    }
    box["PLAYER_NAME"] = {str(place): f"{row[0]} {row[1]}" for place, row in enumerate(rows)}
    home, away = (
        {
            "TEAM-NAME": team.split()[1],
            "TEAM-CITY": team.split()[0],
            **{
                f"TEAM-{each}": value
                for each, value in zip(_LINE.split(), values.split(), strict=True)
            },
        }
        for team, values in _TEAMS.items()
    )
    return {"day": "03_05_16", "home_line": home, "vis_line": away, "box_score": box}


@pytest.fixture
def table(game: Game) -> Table:
    return game_table(game)


@pytest.fixture
def plan(table: Table) -> Plan:
    """A plan of two sentences about the small game."""
    told = [[("Ann Ash", "PTS"), ("Ann Ash", "REB")], [("Bo Birch", "PTS")]]
    rows = [[table.index(name, f"PLAYER-{column}") for name, column in each] for each in told]
    return Plan(tuple(map(tuple, rows)))


@pytest.fixture(scope="session")
def example_table() -> Callable[[str], Table]:
    """Read a table of `examples/tables` with its schema."""

    def read(name: str) -> Table:
        path = Path(__file__).parents[2] / "examples" / "tables" / f"{name}.csv"
        return read_table(path, schema=read_schema(path.with_suffix(".yaml"), ReadLimits()))[0]

    return read


@pytest.fixture(scope="session")
def real_games() -> list[Game]:
    """The sixty real games, as raw JSON."""
    root = os.environ.get("LONGSUM_DATA")
    path = Path(root or ".") / "rotowire_shared_task" / "train.jsonl.xz"
    if not root or not path.exists():
        pytest.skip("LONGSUM_DATA does not lead to rotowire_shared_task")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
