"""How the lead went through the quarters of a game: comebacks, and leads that were held."""

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class _Scores:
    """The quarters of the team that won, and of the other: indices of records."""

    table: Table
    ours: Sequence[int]
    theirs: Sequence[int]

    def after(self, quarters: int) -> Worded:
        """Return the score after some quarters, the higher number first."""
        return self._of(range(quarters))

    def quarter(self, place: int) -> Worded:
        """Return the score of one quarter alone, counted from 0."""
        return self._of(range(place, place + 1))

    def _of(self, places: Sequence[int]) -> Worded:
        sides = [[side[place] for place in places] for side in (self.ours, self.theirs)]
        sums = [sum(int(self.table.records[i].number or 0) for i in side) for side in sides]
        part: Part = "value" if len(places) == 1 else "total"
        order = sorted((0, 1), key=lambda side: -sums[side])
        first, second = (said(str(sums[side]), *sides[side], part=part) for side in order)
        return joined(first, "-", second)


def story_clause(narration: Narration, first: Entries, second: Entries) -> Worded | None:
    """Return how the game went, if all quarters of both teams are to be said and one has won."""
    table = narration.table
    if not (first.has(*QUARTERS) and second.has(*QUARTERS)):
        return None
    points = [table.record(each.entity.name, "TEAM-PTS") for each in (first, second)]
    ends = [None if record is None else record.number for record in points]
    leads = leads_of(table, first.entity, second.entity)
    if ends[0] is None or ends[1] is None or ends[0] == ends[1] or leads is None:
        return None
    winner, loser = (first, second) if ends[0] > ends[1] else (second, first)
    leads = leads if winner is first else [-lead for lead in leads]
    scores = _Scores(table, winner.take(*QUARTERS), loser.take(*QUARTERS))
    subject = team_phrase(narration, winner)
    # Of a game that was soon decided, nobody asks for the first quarter.
    first_told = int(min(leads[:3]) > 0 and leads[1] >= _DECIDED)
    told = [_told(narration, loser, scores, leads, place, first_told) for place in range(3)]
    behind = [place for place in range(3) if leads[place] <= 0]
    # What came after the winner was last behind or level is told as what turned it.
    turned = behind[-1] + 1 if behind else 0
    before, after = told[:turned], told[max(turned, first_told) :]
    fourth = _fourth(narration, loser, scores, leads)
    whole = joined(listed(before), " but " if before and after else "", listed(after))
    between = ", " if fourth.text.startswith("though") else ", and " if after else " but "
    return joined(subject, " ", whole, between, fourth)


def _told(
    narration: Narration,
    loser: Entries,
    scores: _Scores,
    leads: Sequence[int],
    place: int,
    first: int,
) -> Worded:
    """Return who led after a quarter, as a predicate of the team that won.

    The loser is named with the `first` that is told.
    """
    when = _AFTER[place]
    if place > first and _sign(leads[place]) == _sign(leads[place - 1]):
        return joined(scores.after(place + 1), f" {when}", _burst(scores, leads, place))
    them = joined(" ", team_phrase(narration, loser)) if place == first else Worded("")
    if leads[place] == 0:
        of = joined(" with", them) if place == first else Worded("")
        return joined("stood level", of, " ", scores.after(place + 1), f" {when}")
    verb = "led" if leads[place] > 0 else "trailed"
    burst = _burst(scores, leads, place)
    return joined(verb, them, " ", scores.after(place + 1), f" {when}", burst)


def _burst(scores: _Scores, leads: Sequence[int], place: int) -> Worded:
    """Return the score of a quarter that one team won by much: ` (42-29 in the third quarter)`."""
    if place == 0 or abs(leads[place] - leads[place - 1]) < _BURST:
        return Worded("")
    return joined(" (", scores.quarter(place), f" in the {('second', 'third')[place - 1]} quarter)")


def _fourth(narration: Narration, loser: Entries, scores: _Scores, leads: Sequence[int]) -> Worded:
    """Return what the last quarter did to the lead."""
    before, margin = leads[2], leads[3] - leads[2]
    overtime = leads[3] == 0
    score = scores.quarter(3)
    if margin == 0:
        return joined("drew the fourth ", score)
    if margin > 0:
        if overtime:
            return joined("won the fourth ", score, " to force overtime")
        pulled = before > 0 and margin >= _PULLED_AWAY
        return joined("pulled away in the fourth, " if pulled else "won the fourth ", score)
    if overtime:
        return joined("needed overtime, losing the fourth ", score)
    them = short_team(narration, loser.entity)
    held = "held on " if leads[3] <= _CLOSE else ""
    return joined(f"{held}though {them} won the fourth ", score)


def _sign(lead: int) -> int:
    return (lead > 0) - (lead < 0)
