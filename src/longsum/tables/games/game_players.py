"""Clauses about the players of a game.

What a clause claims beyond its entries, such as that a player led his team, holds by the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from longsum.tables.annotated_text import Worded, joined, listed, said
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_names import player_phrase, team_phrase
from longsum.tables.narration import Entries, Narration, counted, figure, number_word
from longsum.tables.table import Entity, Table

_COUNTS = {
    "PLAYER-PTS": "point",
    "PLAYER-REB": "rebound",
    "PLAYER-OREB": "offensive rebound",
    "PLAYER-DREB": "defensive rebound",
    "PLAYER-AST": "assist",
    "PLAYER-STL": "steal",
    "PLAYER-BLK": "block",
    "PLAYER-FGM": "field goal",
    "PLAYER-FGA": "field goal attempt",
    "PLAYER-FG3M": "three-pointer",
    "PLAYER-FG3A": "three-point attempt",
    "PLAYER-FTM": "free throw",
    "PLAYER-FTA": "free throw attempt",
}
_SHOTS = {
    "FG": "from the field",
    "FG3": "from three-point range",
    "FT": "from the free throw line",
}
_DOUBLES = ("PLAYER-PTS", "PLAYER-REB", "PLAYER-AST", "PLAYER-STL", "PLAYER-BLK")
_DOUBLE = 10
_LONG = 4
_SEVERAL, _MUCH = 3, 24
_NAMES = {types.FIRST_NAME.name, types.SECOND_NAME.name, types.TEAM.name, types.POSITION.name}
_FAULTS = {"PLAYER-TO": "turnover", "PLAYER-PF": "foul"}
_HAD = ("had", "finished with", "contributed", "posted")
_AFTER_OTHERS = ("added", "had", "got", "finished with", "contributed", "posted")


def player_clauses(
    narration: Narration, players: Sequence[Entries], waiting: dict[str, Entries]
) -> Iterator[Worded]:
    """Yield what is to be said of players, one clause for each or for those who are alike.

    Args:
        narration: What has been said.
        players: Their entries.
        waiting: By name, teams of which nothing but their names is to be said; a clause that
            mentions one takes it out.
    """
    rest = [_Player(narration, entries, waiting) for entries in players]
    while rest:
        alike = _alike(rest)
        yield _side_by_side(alike) if len(alike) > 1 else rest[0].clause()
        rest = rest[max(len(alike), 1) :]


def played(table: Table, player: Entity) -> bool:
    """Return whether the table has any number for a player."""
    return any(table.records[i].number is not None for i in table.of_entity(player.name))


def _alike(players: Sequence["_Player"]) -> list["_Player"]:
    """Return the players at the beginning who all have one count of the same type to be said."""
    found: list[_Player] = []
    for player in players:
        told = [name for name in player.entries.left if name not in _NAMES]
        if player.entries.missing or len(told) != 1 or told[0] not in _COUNTS:
            break
        if found and told[0] not in found[0].entries.left:
            break
        found.append(player)
    return found


def _side_by_side(players: Sequence["_Player"]) -> Worded:
    """Return the same count of several players: `A scored 18 points, B 12 and C 11`."""
    narration, table = players[0].narration, players[0].table
    (name,) = (each for each in players[0].entries.left if each not in _NAMES)
    points = name == "PLAYER-PTS"
    verb = narration.vary("side by side", ("scored", "chipped in with") if points else ("had",))
    again = " with" if verb.endswith("with") else ""
    mates = len({player.entity.of for player in players}) == 1
    each_said: list[Worded] = []
    told: list[int] = []
    for player in players:
        (index,) = player.entries.take(name)
        who = player_phrase(narration, player.entries)
        if not mates and player.entity.of in player.waiting:
            who = joined(who, " of ", player.own_team())
        if told:
            each_said.append(joined(who, f"{again} ", number_word(table, index)))
        else:
            each_said.append(joined(who, f" {verb} ", counted(table, index, _COUNTS[name])))
        told.append(index)
    return joined(listed(each_said), players[0].for_team(), _combined(table, told))


def _combined(table: Table, indices: Sequence[int]) -> Worded:
    """Return what counts of several players are together, where that is much."""
    total = sum(table.records[index].whole for index in indices)
    if len(indices) < _SEVERAL or total < _MUCH:
        return Worded("")
    return joined(", a combined ", said(str(total), *indices, part="total"))


class _Player:
    """A player in a sentence.

    The entries are to be said; of the teams that are waiting, nothing but their names.
    """

    def __init__(self, narration: Narration, entries: Entries, waiting: dict[str, Entries]) -> None:
        self.narration, self.entries, self.waiting = narration, entries, waiting
        self.entity, self.table = entries.entity, entries.table
        # The record that says that the player did not start, if that is to be said.
        self._bench: int | None = None

    def clause(self) -> Worded:
        """Return all that is to be said of one player: `A had 38 points on 13-of-24 shooting`."""
        table, entries = self.table, self.entries
        positions = (i for i in entries.missing if table.records[i].type == types.POSITION)
        self._bench = next(positions, None)
        if self._bench is not None:
            entries.missing.remove(self._bench)
        minutes = [counted(table, index, "minute") for index in entries.take("PLAYER-MIN")]
        faults = [
            counted(table, index, noun)
            for name, noun in _FAULTS.items()
            for index in entries.take(name)
        ]
        shots = list(_shots(entries))
        if any(name in _COUNTS for name in entries.left):
            leads = self._leads()
            counts = _counts(entries, leads)
            plain = bool(faults) or not all(count.number and count.gained for count in counts)
            clause, ends_in_name = self._with_counts(counts, leads, plain=plain)
            # Behind many counts, or `along with`, it would seem to go with one of them.
            brief = len(counts) < _LONG and "along with" not in clause.text
            shooting = _shooting(shots, brief=brief, of_name=ends_in_name)
            time = joined(" in ", minutes[0]) if minutes else Worded("")
            ways = (time, shooting) if shooting.text.startswith(", shooting") else (shooting, time)
            wrong = joined(", while committing ", listed(faults)) if faults else ""
            return joined(clause, *ways, wrong)
        verbs = [joined("played ", time) for time in minutes]
        if shots:
            verbs.append(joined("shot ", listed([shot.worded() for shot in shots])))
        if faults:
            verbs.append(joined("committed ", listed(faults)))
        who = player_phrase(self.narration, entries)
        there = "played" if played(table, self.entity) else "was on the roster"
        did = listed(verbs) if verbs else there
        return joined(who, " ", did, self.for_team(), self._off_bench())

    def own_team(self) -> Worded:
        """Return the team of the player, with what is to be said of its name."""
        name = str(self.entity.of)
        entries = self.waiting.pop(name, None)
        if entries is None:
            team = self.table.entity(name)
            assert team is not None
            entries = Entries(self.table, team)
        return team_phrase(self.narration, entries)

    def for_team(self) -> Worded:
        """Return ` for the Celtics`, where the team's name is still to be said."""
        waits = self.entity.of in self.waiting
        return joined(" for ", self.own_team()) if waits else Worded("")

    def _with_counts(
        self, counts: Sequence["_Count"], leads: str, *, plain: bool
    ) -> tuple[Worded, bool]:
        """Return who had how much of what, and whether that ends in the player's name.

        `A led the Celtics with 38 points and seven assists`; if `plain`, not what a team got.
        """
        told = self._with_doubles(counts)
        who = player_phrase(self.narration, self.entries)
        verb = self._leading(leads)
        team_mates = f"told of {self.entity.of}"
        others = self.narration.used[team_mates]
        self.narration.used[team_mates] += 1
        if verb is None and self._bench is not None:
            return self._from_bench(self._bench, who, told, plain=plain)
        if verb is None:
            ways: Sequence[str] = _AFTER_OTHERS if others else _HAD
            ways = ways if counts[0].number else _HAD[:2]
            way = self.narration.vary("had", _possible(ways, told, plain=plain))
            if way == "got":
                return joined(self.own_team(), " got ", told, " from ", who), True
            verb = Worded(way)
        return joined(who, " ", verb, " ", told, self.for_team(), self._off_bench()), False

    def _from_bench(
        self, bench: int, who: Worded, told: Worded, *, plain: bool
    ) -> tuple[Worded, bool]:
        """Return what a player who did not start had, and whether that ends in his name."""
        self._bench = None
        ways = ("came", "first", "got", "last")
        way = self.narration.vary("bench", _possible(ways, told, plain=plain))
        off = said("off the bench", bench)
        if way == "got":
            return joined(self.own_team(), " got ", told, " ", off, " from ", who), True
        team = self.for_team()
        if way == "came":
            return joined(who, " ", said("came off the bench", bench), " with ", told, team), False
        if way == "first":
            return joined(off, ", ", who, " had ", told, team), False
        return joined(who, " provided ", told, team, " ", said("in reserve", bench)), False

    def _off_bench(self) -> Worded:
        """Return ` off the bench`, where it is still to be said."""
        bench = self._bench
        return Worded("") if bench is None else joined(" ", said("off the bench", bench))

    def _leading(self, leads: str) -> Worded | None:
        """Return the verb that says that a player scored most, where that was not said before."""
        used, told = self.narration.used, f"lead of {self.entity.of}"
        if not leads or used[told]:
            return None
        used[told] += 1
        way = self.narration.vary("lead", ("led", "paced"))
        scorers = " and all scorers" if leads == "game" else ""
        return joined(f"{way} ", self.own_team(), f"{scorers} with")

    def _leads(self) -> str:
        """Return whether a player alone scored most of the `game` or of the `team`, if it is said.

        Only where points are the first to be said, so that the verb belongs to them.
        """
        table, left = self.table, self.entries.left
        if next((name for name in left if name in _COUNTS), "") != "PLAYER-PTS":
            return ""
        scores = [table.records[index] for index in table.of_type("PLAYER-PTS")]
        points = table.records[left["PLAYER-PTS"]].number or 0
        rivals = [each for each in scores if each.number is not None and each.entity != self.entity]
        if all((each.number or 0) < points for each in rivals):
            return "game"
        mates = [each for each in rivals if each.entity.of == self.entity.of]
        return "team" if all((each.number or 0) < points for each in mates) else ""

    def _with_doubles(self, counts: Sequence["_Count"]) -> Worded:
        """Return counts as a list, as a double-double or triple-double where they are one."""
        tens = [count for count in counts if count.name in _DOUBLES and count.number >= _DOUBLE]
        records = [self.table.record(self.entity.name, name) for name in _DOUBLES]
        all_tens = sum(record is not None and (record.number or 0) >= _DOUBLE for record in records)
        if len(tens) != all_tens or len(tens) not in (2, 3):
            return listed([count.worded for count in counts])
        kind = "double-double" if len(tens) == 2 else "triple-double"
        others = [count.worded for count in counts if count not in tens]
        along = joined(", along with ", listed(others)) if others else ""
        return joined(f"a {kind} of ", listed([count.worded for count in tens]), along)


def _shooting(shots: Sequence["_Shot"], *, brief: bool, of_name: bool) -> Worded:
    """Return what follows a player's counts, or his name: ` on 13-of-24 shooting`.

    A list of shots is `, shooting …`, and after the name `, who shot …`.
    """
    if of_name and shots:
        return joined(", who shot ", listed([shot.worded() for shot in shots]))
    if brief and len(shots) == 1 and shots[0].made and shots[0].kind == "FG":
        return joined(" on ", shots[0].briefly())
    return joined(", shooting ", listed([shot.worded() for shot in shots])) if shots else Worded("")


@dataclass(frozen=True, slots=True)
class _Count:
    name: str
    number: float
    worded: Worded

    @property
    def gained(self) -> bool:
        """Whether it is more than an attempt."""
        return not self.name.endswith("A")


def _counts(entries: Entries, leads: str) -> list[_Count]:
    """Return the counts that are to be said; kinds of rebounds join the rebounds.

    One of them may be a game high, but not the points of one who leads all scorers.
    """
    table = entries.table
    found: list[_Count] = []
    high_said = False
    for name in [each for each in entries.left if each in _COUNTS]:
        taken = entries.take(name)
        if not taken:
            continue
        (index,) = taken
        worded = counted(table, index, _COUNTS[name])
        known = leads == "game" and name == "PLAYER-PTS"
        if not (high_said or known) and _game_high(table, index):
            high_said = True
            worded = joined("a ", said("game-high", index, part="rank"), " ", worded)
        if name == "PLAYER-REB":
            worded = joined(worded, _rebounds_of_which(entries))
        found.append(_Count(name, table.records[index].number or 0, worded))
    return found


def _rebounds_of_which(entries: Entries) -> Worded:
    """Return ` (four offensive, eight defensive)`, as far as it is to be said."""
    kinds = [
        joined(number_word(entries.table, index), f" {kind}")
        for name, kind in (("PLAYER-OREB", "offensive"), ("PLAYER-DREB", "defensive"))
        for index in entries.take(name)
    ]
    return joined(" (", listed(kinds), ")") if kinds else Worded("")


def _game_high(table: Table, index: int) -> bool:
    """Return whether a count of some size is higher than all others of its type."""
    record = table.records[index]
    if record.type.name not in _DOUBLES or record.rank != 1 or (record.number or 0) < 3:
        return False
    return table.ranks(record.type.name).count(1) == 1


def _possible(ways: Sequence[str], told: Worded, *, plain: bool) -> list[str]:
    """Return the ways to say counts; a team gets neither what is `plain` nor a double-double."""
    return [way for way in ways if way != "got" or not (plain or "-double of " in told.text)]


@dataclass(frozen=True, slots=True)
class _Shot:
    """Shots of a kind: how many of how many went in, which percentage, or both."""

    kind: str
    made: Worded | None
    percent: Worded | None

    def worded(self) -> Worded:
        """Return `13-of-24 from the field (54 percent)`."""
        where = f" {_SHOTS[self.kind]}"
        if self.made is None:
            return joined(self.percent or "", where)
        return joined(self.made, where, *self._aside())

    def briefly(self) -> Worded:
        """Return `13-of-24 shooting (54 percent)`."""
        return joined(self.made or "", " shooting", *self._aside())

    def _aside(self) -> Iterator[Worded]:
        if self.percent is not None:
            yield joined(" (", self.percent, ")")


def _shots(entries: Entries) -> Iterator[_Shot]:
    """Yield each kind of shot of which it is to be said how many went in, or what share.

    A number that is said alone, made or attempted, stays with the counts.
    """
    table = entries.table
    for kind in _SHOTS:
        both = entries.take(f"PLAYER-{kind}M", f"PLAYER-{kind}A")
        share = entries.take(f"PLAYER-{kind}_PCT")
        made = percent = None
        if both:
            made = joined(figure(table, both[0]), "-of-", figure(table, both[1]))
        if share:
            percent = joined(figure(table, share[0]), " percent")
        if both or share:
            yield _Shot(kind, made, percent)
