"""What a report of a basketball game says, in which order.

The score; the quarters that made it; shooting; rebounds, assists and turnovers; then the best
players of the winner and of the loser, each with what is notable of him, and the others who scored
much in one sentence.
"""

from collections.abc import Iterator, Sequence

from longsum.tables.games import rotowire_types as types
from longsum.tables.games.rotowire import MATCH
from longsum.tables.plan import Plan
from longsum.tables.table import Entity, Table

SALIENCE = {
    "PLAYER-PTS": 1.0,
    "PLAYER-REB": 0.57,
    "PLAYER-AST": 0.63,
    "PLAYER-STL": 0.37,
    "PLAYER-BLK": 0.29,
}
"""How much each count makes a report mention a player, in points.

Coefficients of a logistic regression of whether a reference report names a player, over the 25,890
performances of the 1,230 games of the season 2017–18 (`benchmarks/table_salience.py`).
"""

_QUARTERS = tuple(f"TEAM-PTS_QTR{number}" for number in (1, 2, 3, 4))
_STARS = 5
_OTHERS = 3
_SHOOTERS = 3
_NOTABLE = {
    "PLAYER-REB": 4,
    "PLAYER-AST": 3,
    "PLAYER-STL": 2,
    "PLAYER-BLK": 2,
    "PLAYER-TO": 5,
}
"""From which number on a count is said beside the points."""
_MANY_THREES = 3
_MANY_FREE_THROWS = 8


def plan_game(table: Table) -> Plan:
    """Return the plan of a game's report."""
    teams = sorted(table.of_kind("team"), key=lambda team: -_value(table, team, "TEAM-PTS"))
    winner, loser = teams
    cities = () if _sound_alike(winner, loser) else (types.CITY.name,)
    sentences = [
        _score(table, winner, loser),
        _quarters(table, winner, loser),
        _both(table, winner, loser, *cities, "TEAM-FG_PCT", "TEAM-FG3_PCT", "TEAM-FT_PCT"),
        _both(table, winner, loser, "TEAM-REB", "TEAM-AST", "TEAM-TOV"),
    ]
    for team in teams:
        sentences.extend(_players(table, team))
    return Plan(tuple(tuple(sentence) for sentence in sentences))


def _sound_alike(first: Entity, second: Entity) -> bool:
    """Return whether two teams are from one city, or from LA and Los Angeles."""
    cities = [team.aliases[1] for team in (first, second)]
    initials = ["".join(word[0] for word in city.split()) for city in cities]
    return cities[0] == cities[1] or cities[0] == initials[1] or cities[1] == initials[0]


def _score(table: Table, winner: Entity, loser: Entity) -> list[int]:
    of_team = (types.CITY.name, types.NAME.name, "TEAM-WINS", "TEAM-LOSSES", "TEAM-PTS")
    return [
        *_there(table, MATCH, types.DATE.name),
        *_there(table, winner, *of_team),
        *_there(table, loser, types.SIDE.name, *of_team),
    ]


def _quarters(table: Table, winner: Entity, loser: Entity) -> list[int]:
    """Return the first and last quarter, and those that each team won by most."""
    margins = {
        name: _value(table, winner, name) - _value(table, loser, name)
        for name in _QUARTERS
        if _there(table, winner, name) and _there(table, loser, name)
    }
    if not margins:
        return []
    best, worst = max(margins, key=lambda n: margins[n]), min(margins, key=lambda n: margins[n])
    told = {_QUARTERS[0], _QUARTERS[-1], best, *([worst] if margins[worst] < 0 else [])}
    return _both(table, winner, loser, *(name for name in margins if name in told))


def _both(table: Table, first: Entity, second: Entity, *names: str) -> list[int]:
    """Return the records of these types of two teams, of those types that both have."""
    shared = [name for name in names if _there(table, first, name) and _there(table, second, name)]
    return [*_there(table, first, *shared), *_there(table, second, *shared)]


def _players(table: Table, team: Entity) -> Iterator[list[int]]:
    players = [each for each in table.of_kind("player") if each.of == team.name]
    ranked = sorted(players, key=lambda player: -_salience(table, player))
    played = [each for each in ranked if _there(table, each, "PLAYER-PTS")]
    stars = played[:_STARS]
    if not any(_from_bench(table, each) for each in stars):
        stars += [each for each in played[_STARS:] if _from_bench(table, each)][:1]
    others = [each for each in played if each not in stars][:_OTHERS]
    for place, player in enumerate(_by_points(table, stars)):
        of = _there(table, team, types.NAME.name) if place == 0 else []
        yield [*of, *_performance(table, player, place)]
    scored = [each for each in others if _value(table, each, "PLAYER-PTS") > 0]
    yield [
        index for each in _by_points(table, scored) for index in _there(table, each, "PLAYER-PTS")
    ]


def _by_points(table: Table, players: Sequence[Entity]) -> list[Entity]:
    return sorted(players, key=lambda player: -_value(table, player, "PLAYER-PTS"))


def _performance(table: Table, player: Entity, place: int) -> list[int]:
    """Return what is notable of a player, the more the better his place among his team."""
    notable = [name for name, least in _NOTABLE.items() if _value(table, player, name) >= least]
    names = [types.FIRST_NAME.name, types.SECOND_NAME.name, "PLAYER-PTS", *notable]
    if not notable:
        some = ("PLAYER-REB", "PLAYER-AST")
        names += [name for name in some if _value(table, player, name) > 0]
    if place < _SHOOTERS and _value(table, player, "PLAYER-FGA") > 0:
        names += ["PLAYER-FGM", "PLAYER-FGA"]
    if _value(table, player, "PLAYER-FG3M") >= _MANY_THREES:
        names += ["PLAYER-FG3M", "PLAYER-FG3A"]
    if _value(table, player, "PLAYER-FTM") >= _MANY_FREE_THROWS:
        names += ["PLAYER-FTM", "PLAYER-FTA"]
    if place == 0:
        names.append("PLAYER-MIN")
    bench = table.index(player.name, types.POSITION.name) if _from_bench(table, player) else None
    return [*_there(table, player, *names), *([] if bench is None else [bench])]


def _salience(table: Table, player: Entity) -> float:
    return sum(weight * _value(table, player, name) for name, weight in SALIENCE.items())


def _from_bench(table: Table, player: Entity) -> bool:
    """Return whether a player came into the game later."""
    record = table.record(player.name, types.POSITION.name)
    return record is not None and record.missing


def _value(table: Table, entity: Entity, type_name: str) -> float:
    record = table.record(entity.name, type_name)
    return 0 if record is None else record.number or 0


def _there(table: Table, entity: Entity, *names: str) -> list[int]:
    """Return the records of these types that have a value."""
    found = [table.index(entity.name, name) for name in names]
    return [index for index in found if index is not None and not table.records[index].missing]
