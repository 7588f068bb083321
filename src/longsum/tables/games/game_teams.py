"""Clauses about the teams of a game: the score, comparisons, and the numbers of one team.

What a clause claims beyond its entries, such as who won or who had more, is computed from them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from longsum.tables.annotated_text import Worded, joined, listed, said, written_date
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_names import short_team, team_phrase
from longsum.tables.games.game_story import leads_of, story_clause
from longsum.tables.narration import Entries, Narration, counted, figure, number_word
from longsum.tables.table import Table

_CLOSE = 3
_WIDE = 20
_SHOOTING = {
    "TEAM-FG_PCT": "from the field",
    "TEAM-FG3_PCT": "from three-point range",
    "TEAM-FT_PCT": "from the free throw line",
}
_QUARTERS = {
    "TEAM-PTS_QTR1": "first",
    "TEAM-PTS_QTR2": "second",
    "TEAM-PTS_QTR3": "third",
    "TEAM-PTS_QTR4": "fourth",
}
_COUNTS = {"TEAM-REB": "rebound", "TEAM-AST": "assist", "TEAM-TOV": "turnover"}
_NAMES = {types.NAME.name, types.CITY.name, types.SIDE.name, "TEAM-WINS", "TEAM-LOSSES"}


@dataclass(frozen=True, slots=True)
class _Predicate:
    """What is said of the subject of a comparison.

    Attributes:
        worded: The predicate, or what follows its verb.
        credit: Whether it is to the subject's credit: 1, -1, or 0 where there is no difference.
        verb: The verb, where the next predicate may share it.
    """

    worded: Worded
    credit: int
    verb: str = ""


def date_phrase(entries: Entries | None) -> Worded:
    """Return ` on Friday, February 3, 2017` if the date is still to be said, else nothing."""
    index = None if entries is None else entries.take_if_present(types.DATE.name)
    if entries is None or index is None:
        return Worded("")
    day = date.fromisoformat(entries.table.records[index].value)
    return joined(" on ", said(written_date(day), index))


def score_clause(narration: Narration, ours: Entries, theirs: Entries, when: Worded) -> Worded:
    """Return who beat whom, and by which score; `ours` is the subject."""
    (our,), (their,) = ours.take("TEAM-PTS"), theirs.take("TEAM-PTS")
    table = narration.table
    margin = _number(table, our) - _number(table, their)
    if margin > 0:
        verb = narration.vary("win", _winning(table, ours, theirs, margin))
    elif margin < 0:
        verb = narration.vary("loss", ("lost to", "fell to"))
    else:
        verb = "finished level with"
    score = _score(table, our, their)
    extra = " in overtime" if _overtime(table) else ""
    subject = team_phrase(narration, ours)
    return joined(subject, f" {verb} ", team_phrase(narration, theirs), " ", score, extra, when)


def _overtime(table: Table) -> bool:
    """Return whether the teams were level after four quarters and scored more afterwards."""
    scores, sums = [], []
    for team in table.of_kind("team"):
        records = [table.record(team.name, name) for name in ("TEAM-PTS", *_QUARTERS)]
        score, *quarters = [None if each is None else each.number for each in records]
        if score is None or None in quarters:
            return False
        scores.append(score)
        sums.append(sum(each or 0 for each in quarters))
    return sums[0] == sums[1] and all(s < p for s, p in zip(sums, scores, strict=True))


def _winning(table: Table, ours: Entries, theirs: Entries, margin: float) -> tuple[str, ...]:
    """Return verbs for a win: after a comeback, in overtime, by little and by much."""
    leads = leads_of(table, ours.entity, theirs.entity)
    if leads and leads[2] < 0:
        return ("rallied past", "came from behind to beat")
    if _overtime(table):
        return ("outlasted", "beat")
    if margin <= _CLOSE:
        return ("edged", "squeezed past")
    return ("routed", "blew out") if margin >= _WIDE else ("beat", "defeated")


def compared_clause(narration: Narration, first: Entries, second: Entries) -> Worded | None:
    """Return how two teams compare in all that is to be said of both; None if that is nothing.

    The subject is the team that comes off better, by the first percentage if there is one; of
    quarters, and of equals, the first team. Quarters keep their order.
    """
    shared = [
        name for name in first.left if name in second.left and name not in _NAMES | {"TEAM-PTS"}
    ]
    if not shared:
        return None
    only_quarters = all(name in _QUARTERS for name in shared)
    if only_quarters and (story := story_clause(narration, first, second)):
        return story
    shooting = [name for name in shared if name in _SHOOTING]
    rest = [name for name in shared if name not in _QUARTERS]
    deciding = shooting[:1] if len(shooting) == len(shared) else rest
    credit = sum(_credit(name, first, second) for name in deciding)
    ours, theirs = (second, first) if credit < 0 else (first, second)
    subject = team_phrase(narration, ours)
    if not only_quarters:
        # What is to their credit first; percentages are told together, and go by their first.
        decides = {name: shooting[0] if name in _SHOOTING else name for name in shared}
        shared.sort(key=lambda name: _credit(decides[name], ours, theirs) < 0)
    return joined(subject, " ", _contrasted(list(_Comparison(narration, ours, theirs).of(shared))))


class _Comparison:
    """What is said of one team beside another, which is named where it is first needed."""

    def __init__(self, narration: Narration, ours: Entries, theirs: Entries) -> None:
        self._narration = narration
        self._ours, self._theirs = ours, theirs
        self._named = False

    def of(self, shared: Sequence[str]) -> Iterator[_Predicate]:
        """Yield the comparisons in records of these types."""
        shooting = [name for name in shared if name in _SHOOTING]
        for name in shared:
            if name in _SHOOTING:
                if name == shooting[0]:
                    yield self._shooting(shooting)
                continue
            credit = _credit(name, self._ours, self._theirs)
            our, their = (*self._ours.take(name), *self._theirs.take(name))
            if name in _QUARTERS:
                yield self._quarter(name, our, their)
            elif name == "TEAM-REB":
                yield _Predicate(self._rebounds(our, their), credit)
            else:
                yield _Predicate(self._more_or_fewer(name, our, their), credit)

    def _after(self, verb: str, preposition: str = "") -> Worded | str:
        """Return a verb with the opponent as its object, or the verb alone if it was named."""
        if self._named:
            return verb
        return joined(verb, f" {preposition}".rstrip(), " ", self._opponent())

    def _opponent(self) -> Worded:
        if self._named:
            return Worded(short_team(self._narration, self._theirs.entity))
        self._named = True
        return team_phrase(self._narration, self._theirs)

    def _shooting(self, names: Sequence[str]) -> _Predicate:
        credit, table = _credit(names[0], self._ours, self._theirs), self._narration.table
        shots = [
            joined(figure(table, index), " percent ", _SHOOTING[name])
            for name in names
            for index in self._ours.take(name)
        ]
        others = [figure(table, index) for name in names for index in self._theirs.take(name)]
        against = (", against ", listed(others), " percent for ", self._opponent())
        return _Predicate(joined("shot ", listed(shots), *against), credit)

    def _quarter(self, name: str, our: int, their: int) -> _Predicate:
        margin, score = self._margin(our, their), _score(self._narration.table, our, their)
        quarter = f"the {_QUARTERS[name]}" if self._named else f"the {_QUARTERS[name]} quarter"
        if margin == 0:
            level = self._after(f"finished {quarter} level", "with")
            return _Predicate(joined(level, " at ", score), 0)
        if name == "TEAM-PTS_QTR1":
            verb = self._after("led" if margin > 0 else "trailed")
            worded = joined(verb, " ", score, f" after {quarter}")
            return _Predicate(worded, 1 if margin > 0 else -1)
        if margin < 0:
            return _Predicate(joined(self._after(quarter, "to"), " ", score), -1, "lost")
        if self._named:
            return _Predicate(joined(f"{quarter} ", score), 1, "won")
        return _Predicate(joined(self._after("outscored"), " ", score, f" in {quarter}"), 1)

    def _rebounds(self, our: int, their: int) -> Worded:
        margin, score = self._margin(our, their), _score(self._narration.table, our, their)
        if margin == 0:
            apiece = self._apiece(our, their)
            return joined(self._after("finished level", "with"), " on rebounds (", apiece, ")")
        if margin < 0:
            return joined(self._after("lost the rebounding battle", "to"), " ", score)
        if self._named:
            return joined("won the rebounding battle ", score)
        return joined(self._after("outrebounded"), " ", score)

    def _more_or_fewer(self, name: str, our: int, their: int) -> Worded:
        margin, table = self._margin(our, their), self._narration.table
        verb = "committed" if name == "TEAM-TOV" else "had"
        noun = f"{_COUNTS[name]}s"
        if margin == 0:
            same = self._after(f"{verb} as many {noun}", "as")
            return joined(same, " (", self._apiece(our, their), ")")
        degree = "more" if margin > 0 else "fewer"
        numbers = joined(figure(table, our), " to ", figure(table, their))
        return joined(self._after(f"{verb} {degree} {noun}", "than"), " (", numbers, ")")

    def _margin(self, our: int, their: int) -> float:
        return _number(self._narration.table, our) - _number(self._narration.table, their)

    def _apiece(self, our: int, their: int) -> Worded:
        return joined(said(self._narration.table.records[our].value, our, their), " apiece")


def _contrasted(predicates: Sequence[_Predicate]) -> Worded:
    """Return predicates as a list, with `but` where it turns once from credit to discredit."""
    runs: list[list[Worded]] = [[]]
    last = 0
    for verb, same in groupby(predicates, key=lambda each: each.verb):
        for group in [list(same)] if verb else [[each] for each in same]:
            if group[0].credit * last < 0:
                runs.append([])
            last = group[0].credit or last
            worded = listed([each.worded for each in group])
            runs[-1].append(joined(f"{verb} ", worded) if verb else worded)
    if len(runs) != 2:
        return listed([worded for run in runs for worded in run])
    comma = "," if len(runs[0]) + len(runs[1]) > 2 else ""
    return joined(listed(runs[0]), f"{comma} but ", listed(runs[1]))


def own_clause(narration: Narration, entries: Entries) -> Worded | None:
    """Return what is to be said of one team alone; None if its names are all that is left."""
    if not any(name not in _NAMES for name in entries.left):
        return None
    subject = team_phrase(narration, entries)
    return joined(subject, " ", listed(list(_own_predicates(entries))))


def _own_predicates(entries: Entries) -> Iterator[Worded]:
    table = entries.table
    for index in entries.take("TEAM-PTS"):
        yield joined("scored ", counted(table, index, "point"))
    quarters = [
        (quarter, index) for name, quarter in _QUARTERS.items() for index in entries.take(name)
    ]
    if quarters:
        (first, index), *others = quarters
        scored = joined("scored ", counted(table, index, "point"), f" in the {first} quarter")
        rest = [
            joined(number_word(table, index), f" in the {quarter}") for quarter, index in others
        ]
        yield listed([scored, *rest])
    shots = [
        joined(figure(table, index), " percent ", where)
        for name, where in _SHOOTING.items()
        for index in entries.take(name)
    ]
    if shots:
        yield joined("shot ", listed(shots))
    counts = [
        counted(table, index, noun)
        for name, noun in _COUNTS.items()
        if name != "TEAM-TOV"
        for index in entries.take(name)
    ]
    if counts:
        yield joined("had ", listed(counts))
    for index in entries.take("TEAM-TOV"):
        yield joined("committed ", counted(table, index, "turnover"))


def met_clause(narration: Narration, teams: Sequence[Entries], when: Worded) -> Worded:
    """Return that one or two teams played, where only their names are to be said."""
    if len(teams) == 1:
        return joined(team_phrase(narration, teams[0]), " played", when)
    first, second = teams
    return joined(team_phrase(narration, first), " met ", team_phrase(narration, second), when)


def _credit(name: str, ours: Entries, theirs: Entries) -> int:
    margin = _number(ours.table, ours.left[name]) - _number(theirs.table, theirs.left[name])
    sign = (margin > 0) - (margin < 0)
    return -sign if name == "TEAM-TOV" else sign


def _score(table: Table, our: int, their: int) -> Worded:
    """Return the numbers of both teams as a score, the higher one first."""
    first, second = sorted((our, their), key=lambda index: -_number(table, index))
    return joined(figure(table, first), "-", figure(table, second))


def _number(table: Table, index: int) -> float:
    number = table.records[index].number
    assert number is not None
    return number
