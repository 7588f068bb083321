"""Plans of invented games, of the shape that references of real games have."""

import math
from collections.abc import Iterator, Sequence

from numpy.random import Generator

from invented import plan_shapes as shapes
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_plan import SALIENCE
from longsum.tables.games.rotowire import MATCH
from longsum.tables.plan import Plan
from longsum.tables.table import Entity, Table

# Gumbel noise on the salience of players, in points: not everybody writes about the same ones.
_TASTE = 2.5
_QUARTERS = ("TEAM-PTS_QTR1", "TEAM-PTS_QTR2", "TEAM-PTS_QTR3", "TEAM-PTS_QTR4")
_SHOOTING = ("TEAM-FG_PCT", "TEAM-FG3_PCT", "TEAM-FT_PCT")
_REBOUNDS = ("TEAM-REB", "TEAM-AST", "TEAM-TOV")

Sentence = list[int]


def draw_plan(generator: Generator, table: Table) -> Plan:
    """Draw a plan for a game.

    Whom it is about is decided by salience (`game_plan.SALIENCE`) and taste, what is said of them
    by the numbers themselves, and how many sentences are about what by `plan_shapes`.

    Args:
        generator: Source of randomness.
        table: The game.
    """
    return _Draw(generator, table).plan()


class _Draw:
    """One draw of a plan."""

    def __init__(self, generator: Generator, table: Table) -> None:
        self._generator = generator
        self._table = table
        teams = table.of_kind("team")
        self._teams = sorted(teams, key=lambda team: -self._value(team, "TEAM-PTS"))

    def plan(self) -> Plan:
        opening = [self._opening()] if self._happens(shapes.OPENING["sentence"]) else []
        team_sentences = list(self._team_sentences())
        self._generator.shuffle(team_sentences)
        player_sentences = list(self._player_sentences())
        # Those about teams stand mostly before those about players.
        places = self._generator.beta(0.6, 1.6, size=len(team_sentences)) * len(player_sentences)
        middle: list[Sentence] = []
        for place, sentence in enumerate([*player_sentences, []]):
            middle += [
                each
                for each, at in zip(team_sentences, places, strict=True)
                if place <= at < place + 1
            ]
            middle.append(sentence)
        closing = [self._closing()] if self._happens(shapes.CLOSING) else []
        return Plan(tuple(tuple(each) for each in (*opening, *middle, *closing)))

    def _opening(self) -> Sentence:
        odds = shapes.OPENING
        sentence: Sentence = []
        both_records = self._happens(odds["records"])
        for team in self._teams:
            city = (types.CITY.name,) if self._happens(odds["city"]) else ()
            record = ("TEAM-WINS", "TEAM-LOSSES") if both_records else ()
            sentence += self._there(team, *city, types.NAME.name, *record)
        if self._happens(odds["scores"]):
            for team in self._teams:
                sentence += self._there(team, "TEAM-PTS")
        if self._happens(odds["date"]):
            sentence += self._there(MATCH, types.DATE.name)
        return sentence

    def _team_sentences(self) -> Iterator[Sentence]:
        for kind, mean in shapes.TEAM_SENTENCES.items():
            for _ in range(int(self._generator.poisson(mean))):
                first, second = self._drawn_order()
                if kind == "one name":
                    yield self._name(first)
                elif kind == "two names":
                    yield [*self._name(first), *self._name(second)]
                elif kind == "record":
                    yield [*self._name(first), *self._there(first, "TEAM-WINS", "TEAM-LOSSES")]
                else:
                    yield self._comparison(kind, first, second)

    def _comparison(self, kind: str, first: Entity, second: Entity) -> Sentence:
        """Return numbers of one team or of both."""
        if kind == "quarter":
            names: tuple[str, ...] = (_QUARTERS[int(self._generator.integers(4))],)
        else:
            every = _SHOOTING if kind == "shooting" else _REBOUNDS
            count = 1 + int(self._generator.binomial(len(every) - 1, 0.3))
            chosen = sorted(self._generator.permutation(len(every))[:count])
            names = tuple(every[int(each)] for each in chosen)
        both = self._happens(0.5)
        return [
            number
            for team in ((first, second) if both else (first,))
            for number in (*self._name(team), *self._there(team, *names))
        ]

    def _closing(self) -> Sentence:
        first, second = self._drawn_order()
        return [*self._name(first), *(self._name(second) if self._happens(0.4) else [])]

    def _player_sentences(self) -> Iterator[Sentence]:
        """Yield sentences about players: one or two of a team in each."""
        told = list(self._order())
        while told:
            count = 1 + self._happens(shapes.TWO_PLAYERS)
            group = [each for each in told[:count] if each.of == told[0].of]
            told = told[len(group) :]
            team = self._table.entity(str(group[0].of))
            sentence = self._name(team) if team and self._happens(shapes.WITH_TEAM) else []
            for player in group:
                sentence = [*sentence, *self._performance(player)]
            yield sentence

    def _order(self) -> Iterator[Entity]:
        """Yield the players in the order in which they are told."""
        wanted = max(1, round(self._generator.normal(*shapes.PLAYERS)))
        share = float(self._generator.beta(6, 6))
        winners = self._best(self._teams[0], round(wanted * share))
        losers = self._best(self._teams[1], wanted - round(wanted * share))
        of_winner = self._happens(shapes.WINNER_FIRST)
        while winners or losers:
            turn = winners if (of_winner and winners) or not losers else losers
            yield turn.pop(0)
            if not self._happens(shapes.SAME_TEAM):
                of_winner = not of_winner

    def _best(self, team: Entity, count: int) -> list[Entity]:
        """Return the players of a team whom the plan is about, the best first."""
        players = [
            each
            for each in self._table.of_kind("player")
            if each.of == team.name and self._there(each, "PLAYER-PTS")
        ]
        salience = {
            each.name: sum(weight * self._value(each, name) for name, weight in SALIENCE.items())
            + _TASTE * float(self._generator.gumbel())
            for each in players
        }
        return sorted(players, key=lambda each: -salience[each.name])[:count]

    def _performance(self, player: Entity) -> Sentence:
        first = (types.FIRST_NAME.name,) if self._happens(shapes.FIRST_NAME) else ()
        sentence = self._there(player, *first, types.SECOND_NAME.name)
        if not self._happens(shapes.NUMBERS):
            return sentence
        for count, odds in shapes.SAID.items():
            value = self._value(player, f"PLAYER-{count}")
            chance = 1 / (1 + math.exp(-odds.slope * value - odds.intercept))
            if value > 0 and self._happens(chance):
                said = (count, *((shapes.ATTEMPTS[count],) if count in shapes.ATTEMPTS else ()))
                sentence += self._there(player, *(f"PLAYER-{each}" for each in said))
        return sentence

    def _name(self, team: Entity) -> Sentence:
        """Return the city or the name of a team."""
        type_ = types.CITY if self._happens(shapes.BY_CITY) else types.NAME
        return self._there(team, type_.name)

    def _drawn_order(self) -> Sequence[Entity]:
        return self._teams if self._happens(0.5) else self._teams[::-1]

    def _there(self, entity: Entity, *names: str) -> Sentence:
        """Return the records of these types that have a value."""
        found = [self._table.index(entity.name, name) for name in names]
        return [
            index for index in found if index is not None and not self._table.records[index].missing
        ]

    def _value(self, entity: Entity, type_name: str) -> float:
        record = self._table.record(entity.name, type_name)
        return 0 if record is None else record.number or 0

    def _happens(self, chance: float) -> bool:
        return bool(self._generator.random() < chance)
