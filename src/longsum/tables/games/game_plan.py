"""What a report on a basketball game states, and in which order.

The score; who made it, if a single player did; how the lead went, in close games and comebacks
before shooting, rebounds, assists and turnovers, else after them; then the best players of the
winner and of the loser, each with what is notable about him, and the others who scored much in one
sentence.
"""

from collections.abc import Iterator, Sequence

from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_story import QUARTERS, leads_of
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

_STARS = 4
_OTHERS = 3
_SHOOTERS = 3
_NOTABLE = {
    "PLAYER-REB": 4,
    "PLAYER-AST": 3,
    "PLAYER-STL": 2,
    "PLAYER-BLK": 2,
    "PLAYER-TO": 5,
}
"""From which number on a count is mentioned beside the points."""
_MANY_THREES = 3
_MANY_FREE_THROWS = 8
_MOST_MINUTES = 42
_FEW_MINUTES, _IN_FEW = 20, 12
"""Minutes that are mentioned for players who had many, and for those who scored much in few."""
_NEAR = 6
"""Points by which a game is close."""
_STAR_POINTS = 35
_DOUBLE, _TRIPLE = 10, 3
_TOLD_FROM = {
    "TEAM-FG_PCT": 3,
    "TEAM-FG3_PCT": 6,
    "TEAM-FT_PCT": 12,
    "TEAM-REB": 4,
    "TEAM-AST": 4,
    "TEAM-TOV": 3,
}
"""How much two teams must differ in a number for it to be news."""


def plan_game(table: Table) -> Plan:
    """Return the plan of a game's report."""
    teams = sorted(table.of_kind("team"), key=lambda team: -_value(table, team, "TEAM-PTS"))
    winner, loser = teams
    cities = () if _sound_alike(winner, loser) else (types.CITY.name,)
    story = _both(table, winner, loser, *QUARTERS)
    shots = _news(table, winner, loser, "PCT")
    shooting = _both(table, winner, loser, *cities, *shots) if shots else []
    counts = _both(table, winner, loser, *_news(table, winner, loser, "REB", "AST", "TOV"))
    leads = leads_of(table, winner, loser)
    margin = _value(table, winner, "TEAM-PTS") - _value(table, loser, "TEAM-PTS")
    close = margin <= _NEAR or (leads is not None and min(leads[1:]) <= 0)
    players = [list(_players(table, team)) for team in teams]
    star = players[0][:1] if _stands_out(table, players[0]) else []
    team_news = [story, shooting, counts] if close else [shooting, counts, story]
    sentences = [_score(table, winner, loser), *star, *team_news]
    sentences += [*players[0][len(star) :], *players[1]]
    return Plan(tuple(tuple(sentence) for sentence in sentences))


def _news(table: Table, winner: Entity, loser: Entity, *endings: str) -> list[str]:
    """Return the types in which the teams differ by so much that it is news."""
    return [
        name
        for name, least in _TOLD_FROM.items()
        if name.endswith(endings)
        and abs(_value(table, winner, name) - _value(table, loser, name)) >= least
    ]


def _stands_out(table: Table, players: Sequence[Sequence[int]]) -> bool:
    """Return whether the first player of the winner scored so much that it is the news."""
    if not players:
        return False
    (points,) = (table.records[i] for i in players[0] if table.records[i].type.name == "PLAYER-PTS")
    tens = sum(_value(table, points.entity, name) >= _DOUBLE for name in SALIENCE)
    return (points.number or 0) >= _STAR_POINTS or tens >= _TRIPLE


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
    """Return what is notable about a player: the better his rank in his team, the more."""
    notable = [name for name, least in _NOTABLE.items() if _value(table, player, name) >= least]
    names = [types.FIRST_NAME.name, types.SECOND_NAME.name, "PLAYER-PTS", *notable]
    if not notable:
        some = ("PLAYER-REB", "PLAYER-AST")
        names += [name for name in some if _value(table, player, name) > 1]
    if place < _SHOOTERS and _value(table, player, "PLAYER-FGA") > 0:
        names += ["PLAYER-FGM", "PLAYER-FGA"]
    if _value(table, player, "PLAYER-FG3M") >= _MANY_THREES:
        names += ["PLAYER-FG3M", "PLAYER-FG3A"]
    if _value(table, player, "PLAYER-FTM") >= _MANY_FREE_THROWS:
        names += ["PLAYER-FTM", "PLAYER-FTA"]
    minutes, points = (_value(table, player, f"PLAYER-{name}") for name in ("MIN", "PTS"))
    brief = 0 < minutes <= _FEW_MINUTES and points >= _IN_FEW
    if place == 0 or brief or minutes >= _MOST_MINUTES:
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
