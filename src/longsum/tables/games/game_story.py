"""How the lead went through the quarters of a game: comebacks, and leads that were held."""

from collections.abc import Sequence

from longsum.tables.annotated_text import Part, Worded, joined, listed, said
from longsum.tables.games.game_names import short_team, team_phrase
from longsum.tables.narration import Entries, Narration
from longsum.tables.table import Entity, Table

QUARTERS = tuple(f"TEAM-PTS_QTR{number}" for number in (1, 2, 3, 4))
_PULLED_AWAY = 8
_BURST = 11
_CLOSE = 6
_DECIDED = 12
_AFTER = ("after the first quarter", "at halftime", "after three quarters")


def leads_of(table: Table, team: Entity, other: Entity) -> list[int] | None:
    """Return by how much a team led after each quarter; None if the table lacks one."""
    numbers = []
    for each in (team, other):
        records = [table.record(each.name, name) for name in QUARTERS]
        own = [None if record is None else record.number for record in records]
        if None in own:
            return None
        numbers.append([int(number or 0) for number in own])
    ours, theirs = numbers
    return [sum(ours[:end]) - sum(theirs[:end]) for end in range(1, len(QUARTERS) + 1)]


def story_clause(narration: Narration, first: Entries, second: Entries) -> Worded | None:
    """Return how the game went, if all quarters of both teams are to be said and one has won."""
    table = narration.table
    if not (first.has(*QUARTERS) and second.has(*QUARTERS)):
        return None
    points = [table.record(each.entity.name, "TEAM-PTS") for each in (first, second)]
    ends = [None if record is None else record.number for record in points]
    if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
        return None
    winner, loser = (first, second) if ends[0] > ends[1] else (second, first)
    leads = leads_of(table, winner.entity, loser.entity)
    return None if leads is None else _Story(narration, winner, loser, leads).clause()


class _Story:
    """The quarters of a game as predicates of the team that won.

    Attributes:
        leads: By how much it led after each quarter.
    """

    def __init__(
        self, narration: Narration, winner: Entries, loser: Entries, leads: Sequence[int]
    ) -> None:
        self.leads = leads
        self._narration = narration
        self._winner, self._loser = winner, loser
        self._sides = [winner.take(*QUARTERS), loser.take(*QUARTERS)]

    def clause(self) -> Worded:
        """Return the whole story."""
        leads = self.leads
        subject = team_phrase(self._narration, self._winner)
        # Of a game that was soon decided, nobody asks for the first quarter.
        first = int(min(leads[:3]) > 0 and leads[1] >= _DECIDED)
        told = [self._told(place, first) for place in range(3)]
        behind = [place for place in range(3) if leads[place] <= 0]
        # What came after the winner was last behind or level is told as what turned it.
        turned = behind[-1] + 1 if behind else 0
        before, after = told[:turned], told[max(turned, first) :]
        fourth = self._fourth()
        whole = joined(listed(before), " but " if before and after else "", listed(after))
        between = ", " if fourth.text.startswith("though") else ", and " if after else " but "
        return joined(subject, " ", whole, between, fourth)

    def _score(self, places: Sequence[int]) -> Worded:
        """Return the score of some quarters together, the higher number first."""
        records = self._narration.table.records
        sides = [[side[place] for place in places] for side in self._sides]
        sums = [sum(records[index].whole for index in side) for side in sides]
        part: Part = "value" if len(places) == 1 else "total"
        order = sorted((0, 1), key=lambda side: -sums[side])
        first, second = (said(str(sums[side]), *sides[side], part=part) for side in order)
        return joined(first, "-", second)

    def _told(self, place: int, first: int) -> Worded:
        """Return who led after a quarter; the loser is named with the `first` that is told."""
        lead, when = self.leads[place], _AFTER[place]
        score, burst = self._score(range(place + 1)), self._burst(place)
        if place > first and _sign(lead) == _sign(self.leads[place - 1]):
            return joined(score, f" {when}", burst)
        them = Worded("")
        if place == first:
            them = joined(" ", team_phrase(self._narration, self._loser))
        if lead == 0:
            of = joined(" with", them) if place == first else ""
            return joined("stood level", of, " ", score, f" {when}")
        return joined("led" if lead > 0 else "trailed", them, " ", score, f" {when}", burst)

    def _burst(self, place: int) -> Worded:
        """Return the score of a quarter that one team won by much: ` (42-29 in the third)`."""
        if place == 0 or abs(self.leads[place] - self.leads[place - 1]) < _BURST:
            return Worded("")
        return joined(
            " (", self._score([place]), f" in the {('second', 'third')[place - 1]} quarter)"
        )

    def _fourth(self) -> Worded:
        """Return what the last quarter did to the lead."""
        before, end = self.leads[2:]
        margin, overtime = end - before, end == 0
        score = self._score([3])
        if margin == 0:
            return joined("drew the fourth ", score)
        if margin > 0:
            if overtime:
                return joined("won the fourth ", score, " to force overtime")
            pulled = before > 0 and margin >= _PULLED_AWAY
            return joined("pulled away in the fourth, " if pulled else "won the fourth ", score)
        if overtime:
            return joined("needed overtime, losing the fourth ", score)
        them = short_team(self._narration, self._loser.entity)
        held = "held on " if end <= _CLOSE else ""
        return joined(f"{held}though {them} won the fourth ", score)


def _sign(lead: int) -> int:
    return (lead > 0) - (lead < 0)
