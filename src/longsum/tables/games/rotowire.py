"""Reads games of Rotowire (Wiseman et al., 2017) as tables.

A game is a JSON object: `home_line` and `vis_line` have the numbers of the teams, and `box_score`
those of the players, column by column: `{"PTS": {"0": "38", …}, …}`. The rows of the visiting team
come first, each team's starters before the others.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import counted, quote
from longsum.language.characters import clean
from longsum.tables.games import rotowire_types as types
from longsum.tables.table import MISSING, Entity, RecordType, Side, Table, as_number, make_table

GAME = "game"
"""The `Table.kind` of a basketball game."""
MATCH = Entity("match", "match")
MOST_PLAYERS = 100

_LINES: dict[Side, str] = {"home": "home_line", "away": "vis_line"}
_IDS = ("id", "shared_task_text_id", "game_id", "bref_id")
_FORM = "home_line, vis_line and box_score"

Cell = tuple[Entity, RecordType, str]


def read_games(text: str, name: str = "The input") -> list[Mapping[str, Any]]:
    """Return the games of a JSON text: one object, a list of them, or one per line.

    Raises:
        LongsumError: It is not JSON, or something in it is not a game.
    """
    try:
        value = parse_json(text)
    except ValueError as error:
        value = _lines(text, name, error)
    games = value if isinstance(value, list) else [value]
    if not games:
        raise LongsumError(f"{name} has no games; it is an empty list.")
    for number, game in enumerate(games, start=1):
        if not isinstance(game, Mapping) or not {"box_score", *_LINES.values()} <= game.keys():
            where = name if len(games) == 1 else f"{name}, game {number},"
            raise LongsumError(f"{where} is not a Rotowire game; one has {_FORM}.")
    return games


def choose_game(
    games: Sequence[Mapping[str, Any]], wanted: str | None, name: str = "The input"
) -> Mapping[str, Any]:
    """Return one of several games.

    Args:
        games: The games of a file.
        wanted: Its id, or its number from 1; None for the only one.
        name: What messages call the file.

    Raises:
        LongsumError: There is no such game, or no choice among several.
    """
    numbers = "1" if len(games) == 1 else f"1 to {len(games):,}"
    if wanted is None:
        if len(games) > 1:
            raise LongsumError(
                f"{name} has {len(games):,} games; choose one by its number ({numbers}) or its id, "
                "for example --game 1."
            )
        return games[0]
    for game in games:
        if any(str(game[key]) == wanted for key in _IDS if key in game):
            return game
    if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:9]) <= len(games):
        return games[int(wanted) - 1]
    raise LongsumError(f"{name} has no game {quote(wanted)}; give an id, or a number: {numbers}.")


def reference_text(game: Mapping[str, Any]) -> str:
    """Return what was written about a game; empty if nothing was."""
    summary = game.get("summary") or ""
    return summary if isinstance(summary, str) else " ".join(str(word) for word in summary)


def game_table(game: Mapping[str, Any], name: str = "The game") -> Table:
    """Return the table of a game: all the entries of Table 5 of the paper, missing ones included.

    Numbers of players that are `N/A` or NaN are missing. The home team comes first, then the
    visitors, then the players of either.

    Messages call it by its name.

    Raises:
        LongsumError: Something that every game has is missing, or a value cannot be one of a game.
    """
    return _Game(game, name).table()


def _lines(text: str, name: str, error: ValueError) -> list[Any]:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2 or not lines[0].rstrip().endswith("}"):
        raise LongsumError(f"{name} is not valid JSON ({error}); check the file.") from None
    games = []
    for number, line in enumerate(lines, start=1):
        try:
            games.append(parse_json(line))
        except ValueError as problem:
            raise LongsumError(
                f"{name} is not valid JSON, nor is its line {number} ({problem}); check the file."
            ) from None
    return games


class _Game:
    """A game while it is read."""

    def __init__(self, game: Mapping[str, Any], name: str) -> None:
        self._game = game
        self._name = name
        self.teams = {side: self._team(side) for side in _LINES}
        if self.teams["home"].name == self.teams["away"].name:
            raise self._refusal(
                f"has two teams of one name, {quote(self.teams['home'].name)}; correct TEAM-NAME "
                "or TEAM-CITY of one of them."
            )
        names = {row: _text(value) for row, value in self._column("PLAYER_NAME").items()}
        if not names:
            raise self._refusal("has no players: PLAYER_NAME of its box_score is empty.")
        if len(names) > MOST_PLAYERS:
            raise self._refusal(
                f"has {counted(len(names), 'player')}, but one game has at most {MOST_PLAYERS}; "
                "give one game."
            )
        self._day = self._read_day()
        self.players = self._players(names, self._sides(names))

    def table(self) -> Table:
        """Return the table."""
        day, home, away = self._day, self.teams["home"], self.teams["away"]
        cells: list[Cell] = [] if day is None else [(MATCH, types.DATE, day.isoformat())]
        for side, team in self.teams.items():
            cells.extend(self._team_cells(self._game[_LINES[side]], team))
        for team in (home, away):
            for row, player in self.players.items():
                if player.side == team.side:
                    cells.extend(self._player_cells(row, player))
        return make_table(cells, date=day, title=f"{away.name} at {home.name}", kind=GAME)

    def _refusal(self, problem: str) -> LongsumError:
        return LongsumError(f"{self._name} {problem}")

    def _team(self, side: Side) -> Entity:
        line = self._game[_LINES[side]]
        if not isinstance(line, Mapping):
            raise self._refusal(f"has no values in {_LINES[side]}; it must be an object.")
        prefix = "home" if side == "home" else "vis"
        nickname = _text(line.get("TEAM-NAME", self._game.get(f"{prefix}_name")))
        city = _text(line.get("TEAM-CITY", self._game.get(f"{prefix}_city")))
        if nickname == MISSING or city == MISSING:
            raise self._refusal(f"lacks TEAM-NAME or TEAM-CITY in {_LINES[side]}; add it.")
        return Entity(f"{city} {nickname}", "team", side, aliases=(nickname, city))

    def _team_cells(self, line: Mapping[str, Any], team: Entity) -> Iterator[Cell]:
        nickname, city = team.aliases
        yield team, types.NAME, nickname
        yield team, types.CITY, city
        yield team, types.SIDE, str(team.side)
        for column, type_ in types.TEAM_NUMBERS.items():
            value = self._number(line.get(f"TEAM-{column}"), team, type_)
            if column == "PTS" and value == MISSING:
                raise self._refusal(f"lacks TEAM-PTS of the {team.name}; add the final score.")
            yield team, type_, value

    def _players(self, names: Mapping[str, str], sides: Mapping[str, Side]) -> dict[str, Entity]:
        """Return the player of each row; of two with one name, both are told apart by teams."""
        counts = Counter(names.values())
        players = {}
        for row, full in names.items():
            if full == MISSING:
                raise self._refusal(f"has a player without a name, in row {quote(row)}; add it.")
            team = self.teams[sides[row]]
            shown = f"{full} ({team.aliases[0]})" if counts[full] > 1 else full
            short = (self._cell(column, row) for column in ("SECOND_NAME", "FIRST_NAME"))
            aliases = dict.fromkeys(each for each in (full, *short) if each not in (MISSING, shown))
            players[row] = Entity(shown, "player", sides[row], team.name, tuple(aliases))
        if len({player.name for player in players.values()}) < len(players):
            twice = next(full for full, count in counts.items() if count > 1)
            raise self._refusal(
                f"has two players of one team who are called {quote(twice)}; distinguish them in "
                "PLAYER_NAME."
            )
        return players

    def _player_cells(self, row: str, player: Entity) -> Iterator[Cell]:
        yield player, types.TEAM, str(player.of)
        yield player, types.FIRST_NAME, self._cell("FIRST_NAME", row)
        yield player, types.SECOND_NAME, self._cell("SECOND_NAME", row)
        yield player, types.POSITION, self._cell("START_POSITION", row)
        for column, type_ in types.PLAYER_NUMBERS.items():
            yield player, type_, self._number(self._value(column, row), player, type_)

    def _sides(self, names: Mapping[str, str]) -> dict[str, Side]:
        """Return for which team each row plays."""
        cities: dict[str, Side] = {team.aliases[1]: side for side, team in self.teams.items()}
        if len(cities) == 1:
            return self._sides_by_order(names)
        of_row = self._column("TEAM_CITY")
        sides = {}
        for row in names:
            city = _text(of_row.get(row))
            if city not in cities:
                player = quote(self._value("PLAYER_NAME", row))
                raise self._refusal(
                    f"has {player} in {quote(city)}, but the teams are from "
                    f"{' and '.join(quote(each) for each in cities)}; correct TEAM_CITY."
                )
            sides[row] = cities[city]
        return sides

    def _sides_by_order(self, names: Iterable[str]) -> dict[str, Side]:
        """Tell two teams of one city apart: the visitors stand first, and points add up to scores.

        Where players without points stand at the border, the starters show where the second team
        begins.
        """
        rows = sorted(names, key=lambda row: (len(row), row))
        points = [as_number(self._cell("PTS", row)) or 0 for row in rows]
        lines = (self._game[_LINES[side]] for side in ("away", "home"))
        totals = [as_number(_text(line.get("TEAM-PTS"))) for line in lines]
        borders = [
            border
            for border in range(1, len(rows))
            if [sum(points[:border]), sum(points[border:])] == totals
        ]
        if len(borders) > 1:
            positions = (self._cell("START_POSITION", row) for row in rows)
            starters = [place for place, each in enumerate(positions) if each != MISSING]
            borders = [border for border in borders if starters[5:6] == [border]]
        if not borders:
            city = self.teams["home"].aliases[1]
            raise self._refusal(
                f"has two teams from {quote(city)}, and the points of the players do not tell who "
                "plays for which; give the teams different cities, such as 'LA' and 'Los Angeles'."
            )
        return {row: "away" if place < borders[0] else "home" for place, row in enumerate(rows)}

    def _column(self, column: str) -> Mapping[str, Any]:
        box = self._game["box_score"]
        values = box.get(column) if isinstance(box, Mapping) else None
        if not isinstance(values, Mapping):
            raise self._refusal(f"lacks the column {column} in its box_score; add it.")
        return values

    def _value(self, column: str, row: str) -> Any:
        values = self._game["box_score"].get(column)
        return values.get(row) if isinstance(values, Mapping) else None

    def _cell(self, column: str, row: str) -> str:
        return _text(self._value(column, row))

    def _number(self, value: Any, entity: Entity, type_: RecordType) -> str:
        """Return a number as it is written; none is negative, and all counts are whole."""
        text = _text(value)
        if text == MISSING:
            return MISSING
        number = as_number(text)
        percent = type_.unit == "%"
        most = 100 if percent else 100_000
        if number is None or not 0 <= number <= most or not (percent or number == int(number)):
            raise self._refusal(
                f"has {quote(value)} as {type_.name} of {quote(entity.name)}; it must be a "
                f"{'' if percent else 'whole '}number from 0 to {most:,}, or N/A."
            )
        return str(int(number)) if number == int(number) else text

    def _read_day(self) -> date | None:
        """Return the day of the game, which is written as MM_DD_YY."""
        value = self._game.get("day")
        if (text := _text(value)) == MISSING:
            return None
        try:
            month, day, year = (int(part) for part in text.split("_"))
            return date(2000 + year if year < 100 else year, month, day)
        except ValueError:
            raise self._refusal(
                f"has {quote(value)} as its day; it must be MM_DD_YY, such as 02_03_17."
            ) from None


def _text(value: Any) -> str:
    """Return a value as a text on one line; NaN, null, and what is empty are missing."""
    if value is None or isinstance(value, (Mapping, list)) or value != value:
        return MISSING
    text = clean(str(value))
    return MISSING if text.casefold() in ("", "n/a", "nan", "none", "null") else text
