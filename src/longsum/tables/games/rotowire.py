"""Reads games of Rotowire (Wiseman et al., 2017) as tables.

A game is a JSON object: `home_line` and `vis_line` have the numbers of the teams, and `box_score`
those of the players, column by column: `{"PTS": {"0": "38", …}, …}`. The rows of the visiting
team stand first, each team's starters before the others.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.structured_text import parse_json
from longsum.common.wording import counted, quote
from longsum.documents.builder import clean
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

    Args:
        game: One of `read_games`.
        name: What messages call it.

    Raises:
        LongsumError: Something that every game has is missing, or a value cannot be one of a game.
    """
    teams = {side: _team(game, side, name) for side in _LINES}
    if teams["home"].name == teams["away"].name:
        raise LongsumError(
            f"{name} has two teams of one name, {quote(teams['home'].name)}; correct TEAM-NAME or "
            "TEAM-CITY of one of them."
        )
    box = game["box_score"]
    names = _column(box, "PLAYER_NAME", name)
    if not names:
        raise LongsumError(f"{name} has no players: PLAYER_NAME of its box_score is empty.")
    if len(names) > MOST_PLAYERS:
        raise LongsumError(
            f"{name} has {counted(len(names), 'player')}, but one game has at most {MOST_PLAYERS}; "
            "give one game."
        )
    day = _day(game.get("day"), name)
    cells: list[Cell] = [] if day is None else [(MATCH, types.DATE, day.isoformat())]
    for side, team in teams.items():
        cells.extend(_team_cells(game[_LINES[side]], team, name))
    sides = _sides(game, names, teams, name)
    players = _players(names, sides, teams, box, name)
    for side in _LINES:
        for row, player in players.items():
            if sides[row] == side:
                cells.extend(_player_cells(box, row, player, name))
    title = f"{teams['away'].name} at {teams['home'].name}"
    return make_table(cells, date=day, title=title, kind=GAME)


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


def _team(game: Mapping[str, Any], side: Side, name: str) -> Entity:
    line = game[_LINES[side]]
    if not isinstance(line, Mapping):
        raise LongsumError(f"{name} has no values in {_LINES[side]}; it must be an object.")
    prefix = "home" if side == "home" else "vis"
    nickname = _text(line.get("TEAM-NAME", game.get(f"{prefix}_name")))
    city = _text(line.get("TEAM-CITY", game.get(f"{prefix}_city")))
    if nickname == MISSING or city == MISSING:
        raise LongsumError(f"{name} lacks TEAM-NAME or TEAM-CITY in {_LINES[side]}; add it.")
    return Entity(f"{city} {nickname}", "team", side, aliases=(nickname, city))


def _team_cells(line: Mapping[str, Any], team: Entity, name: str) -> Iterator[Cell]:
    nickname, city = team.aliases
    yield team, types.NAME, nickname
    yield team, types.CITY, city
    yield team, types.SIDE, str(team.side)
    for column, type_ in types.TEAM_NUMBERS.items():
        value = _number(line.get(f"TEAM-{column}"), team.name, type_, name)
        if column == "PTS" and value == MISSING:
            raise LongsumError(f"{name} lacks TEAM-PTS of the {team.name}; add the final score.")
        yield team, type_, value


def _players(
    names: Mapping[str, Any],
    sides: Mapping[str, Side],
    teams: Mapping[Side, Entity],
    box: Mapping[str, Any],
    name: str,
) -> dict[str, Entity]:
    """Return the player of each row; of two with one name, both are told apart by their teams."""
    given = {row: _text(value) for row, value in names.items()}
    counts = Counter(given.values())
    players = {}
    for row, full in given.items():
        if full == MISSING:
            raise LongsumError(f"{name} has a player without a name, in row {quote(row)}; add it.")
        team = teams[sides[row]]
        shown = f"{full} ({team.aliases[0]})" if counts[full] > 1 else full
        short = (
            _text(box[column][row])
            for column in ("SECOND_NAME", "FIRST_NAME")
            if _has(box, column, row)
        )
        aliases = tuple(
            dict.fromkeys(each for each in (full, *short) if each not in (MISSING, shown))
        )
        players[row] = Entity(shown, "player", sides[row], team.name, aliases)
    if len({player.name for player in players.values()}) < len(players):
        twice = next(full for full, count in counts.items() if count > 1)
        raise LongsumError(
            f"{name} has two players of one team who are called {quote(twice)}; "
            "tell them apart in PLAYER_NAME."
        )
    return players


def _player_cells(box: Mapping[str, Any], row: str, player: Entity, name: str) -> Iterator[Cell]:
    yield player, types.TEAM, str(player.of)
    for type_, column in (
        (types.FIRST_NAME, "FIRST_NAME"),
        (types.SECOND_NAME, "SECOND_NAME"),
        (types.POSITION, "START_POSITION"),
    ):
        yield player, type_, _text(box[column][row]) if _has(box, column, row) else MISSING
    for column, number in types.PLAYER_NUMBERS.items():
        value = box[column][row] if _has(box, column, row) else None
        yield player, number, _number(value, player.name, number, name)


def _sides(
    game: Mapping[str, Any], names: Mapping[str, Any], teams: Mapping[Side, Entity], name: str
) -> dict[str, Side]:
    """Return for which team each row plays."""
    box = game["box_score"]
    cities: dict[str, Side] = {team.aliases[1]: side for side, team in teams.items()}
    if len(cities) == 1:
        return _sides_by_order(box, list(names), teams, game, name)
    of_row = _column(box, "TEAM_CITY", name)
    sides = {}
    for row, player in names.items():
        city = _text(of_row.get(row))
        if city not in cities:
            raise LongsumError(
                f"{name} has {quote(player)} in {quote(city)}, but the teams are from "
                f"{' and '.join(quote(each) for each in cities)}; correct TEAM_CITY."
            )
        sides[row] = cities[city]
    return sides


def _sides_by_order(
    box: Mapping[str, Any],
    rows: Sequence[str],
    teams: Mapping[Side, Entity],
    game: Mapping[str, Any],
    name: str,
) -> dict[str, Side]:
    """Tell two teams of one city apart: the visitors stand first, and points add up to scores.

    Where players without points stand at the border, the starters show where the second team
    begins.
    """
    rows = sorted(rows, key=lambda row: (len(row), row))
    points = [
        as_number(_text(box["PTS"][row])) or 0 if _has(box, "PTS", row) else 0 for row in rows
    ]
    totals = [as_number(_text(game[_LINES[side]].get("TEAM-PTS"))) for side in ("away", "home")]
    borders = [
        border
        for border in range(1, len(rows))
        if [sum(points[:border]), sum(points[border:])] == totals
    ]
    starters = [
        place
        for place, row in enumerate(rows)
        if _has(box, "START_POSITION", row) and _text(box["START_POSITION"][row]) != MISSING
    ]
    if len(borders) > 1:
        borders = [border for border in borders if starters[5:6] == [border]]
    if not borders:
        city = teams["home"].aliases[1]
        raise LongsumError(
            f"{name} has two teams from {quote(city)}, and the points of the players do not tell "
            "who plays for which; give the teams different cities, such as 'LA' and 'Los Angeles'."
        )
    return {row: "away" if place < borders[0] else "home" for place, row in enumerate(rows)}


def _column(box: Any, column: str, name: str) -> Mapping[str, Any]:
    values = box.get(column) if isinstance(box, Mapping) else None
    if not isinstance(values, Mapping):
        raise LongsumError(f"{name} lacks the column {column} in its box_score; add it.")
    return values


def _has(box: Mapping[str, Any], column: str, row: str) -> bool:
    return isinstance(box.get(column), Mapping) and row in box[column]


def _text(value: Any) -> str:
    """Return a value as a text on one line; NaN, null, and what is empty are missing."""
    if value is None or isinstance(value, (Mapping, list)) or value != value:
        return MISSING
    text = clean(str(value))
    return MISSING if text.casefold() in ("", "n/a", "nan", "none", "null") else text


def _number(value: Any, entity: str, type_: RecordType, name: str) -> str:
    """Return a number as it is written; none of a game is negative, and all counts are whole."""
    text = _text(value)
    if text == MISSING:
        return MISSING
    number = as_number(text)
    percent = type_.unit == "%"
    most = 100 if percent else 100_000
    if number is None or not 0 <= number <= most or not (percent or number == int(number)):
        raise LongsumError(
            f"{name} has {quote(value)} as {type_.name} of {quote(entity)}; it must be a "
            f"{'' if percent else 'whole '}number from 0 to {most:,}, or N/A."
        )
    return str(int(number)) if number == int(number) else text


def _day(value: Any, name: str) -> date | None:
    """Return the day of a game, which is written as MM_DD_YY."""
    text = _text(value)
    if text == MISSING:
        return None
    try:
        month, day, year = (int(part) for part in text.split("_"))
        return date(2000 + year if year < 100 else year, month, day)
    except ValueError:
        raise LongsumError(
            f"{name} has {quote(value)} as its day; it must be MM_DD_YY, such as 02_03_17."
        ) from None
