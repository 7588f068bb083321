"""The record types of Rotowire, worded as in Table 5 of the Stepwise paper."""

from collections.abc import Mapping

from longsum.tables.table import RecordType

DATE = RecordType("MATCH-DATE", "match date", kind="date")
NAME = RecordType("TEAM-NAME", "team name", kind="text")
CITY = RecordType("TEAM-CITY", "team city", kind="text")
SIDE = RecordType("TEAM-SIDE", "team playing at home or away", kind="text")
FIRST_NAME = RecordType("PLAYER-FIRST_NAME", "player first name", kind="text")
SECOND_NAME = RecordType("PLAYER-SECOND_NAME", "player second name", kind="text")
POSITION = RecordType("PLAYER-START_POSITION", "player starting position", kind="text")
TEAM = RecordType("PLAYER-TEAM", "player team", kind="text")


def _numbers(prefix: str, phrases: Mapping[str, str]) -> dict[str, RecordType]:
    return {
        column: RecordType(
            f"{prefix}-{column}",
            phrase,
            ranked=True,
            unit="%" if column.endswith("PCT") else "",
        )
        for column, phrase in phrases.items()
    }


TEAM_NUMBERS = _numbers(
    "TEAM",
    {
        "PTS": "team points scored",
        "WINS": "team wins",
        "LOSSES": "team losses",
        "PTS_QTR1": "team 1st quarter points",
        "PTS_QTR2": "team 2nd quarter points",
        "PTS_QTR3": "team 3rd quarter points",
        "PTS_QTR4": "team 4th quarter points",
        "FG_PCT": "team field goal percentage",
        "FG3_PCT": "team 3-point field goal percentage",
        "FT_PCT": "team free throw percentage",
        "REB": "team rebounds",
        "AST": "team assists",
        "TOV": "team turnovers",
    },
)
"""By the data's column: `PTS` is `TEAM-PTS`."""

PLAYER_NUMBERS = _numbers(
    "PLAYER",
    {
        "MIN": "player minutes played",
        "PTS": "player points scored",
        "REB": "player rebounds",
        "OREB": "player offensive rebounds",
        "DREB": "player defensive rebounds",
        "AST": "player assists",
        "STL": "player steals",
        "BLK": "player blocks",
        "TO": "player turnovers",
        "PF": "player fouls",
        "FGM": "player field goals made",
        "FGA": "player field goals attempted",
        "FG_PCT": "player field goals percentage",
        "FG3M": "player 3-point field goals made",
        "FG3A": "player 3-point field goals attempted",
        "FG3_PCT": "player 3-point field goals percentage",
        "FTM": "player free throws made",
        "FTA": "player free throws attempted",
        "FT_PCT": "player free throws percentage",
    },
)
"""By the data's column: `PTS` is `PLAYER-PTS`."""
