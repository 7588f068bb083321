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
    index = None if entries is None else entries.take_if_there(types.DATE.name)
    if entries is None or index is None:
        return Worded("")
    day = date.fromisoformat(entries.table.records[index].value)
    return joined(" on ", said(written_date(day), index))


def score_clause(narration: Narration, ours: Entries, theirs: Entries, when: Worded) -> Worded:
    """Return who beat whom, and by which score; `ours` is the subject."""
    (our,), (their,) = ours.take("TEAM-PTS"), theirs.take("TEAM-PTS")
    margin = _number(narration, our) - _number(narration, their)
    if margin > 0:
        verb = narration.vary("win", _winning(narration.table, ours, theirs, margin))
    elif margin < 0:
        verb = narration.vary("loss", ("lost to", "fell to"))
    else:
        verb = "finished level with"
    score = _score(narration, our, their)
    extra = " in overtime" if _overtime(narration.table) else ""
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
    if all(name in _QUARTERS for name in shared) and (
        story := story_clause(narration, first, second)
    ):
        return story
    ours, theirs = (
        (second, first) if _second_is_better(narration, shared, first, second) else (first, second)
    )
    subject = team_phrase(narration, ours)
    them = _Opponent(narration, theirs)
    if not all(name in _QUARTERS for name in shared):
        # What is to their credit first; percentages are told together, and go by their first.
        first_shot = next((name for name in shared if name in _SHOOTING), "")
        deciding = {name: first_shot if name in _SHOOTING else name for name in shared}
        shared.sort(key=lambda name: _credit(narration, deciding[name], ours, theirs) < 0)
    predicates = list(_comparisons(narration, shared, ours, theirs, them))
    return joined(subject, " ", _contrasted(predicates))


def _second_is_better(
    narration: Narration, shared: Sequence[str], first: Entries, second: Entries
) -> bool:
    shooting = [name for name in shared if name in _SHOOTING]
    rest = [name for name in shared if name not in _QUARTERS]
    deciding = shooting[:1] if len(shooting) == len(shared) else rest
    return sum(_credit(narration, name, first, second) for name in deciding) < 0


class _Opponent:
    """The other team of a comparison, which is named where it is first needed."""

    def __init__(self, narration: Narration, entries: Entries) -> None:
        self._narration = narration
        self._entries = entries
        self._named = False

    def after(self, verb: str, preposition: str = "") -> Worded | str:
        """Return a verb with the opponent as its object, or the verb alone if it was named."""
        return verb if self._named else joined(verb, f" {preposition}".rstrip(), " ", self.name())

    @property
    def named(self) -> bool:
        return self._named

    def name(self) -> Worded:
        if self._named:
            return Worded(short_team(self._narration, self._entries.entity))
        self._named = True
        return team_phrase(self._narration, self._entries)


def _comparisons(
    narration: Narration, shared: Sequence[str], ours: Entries, theirs: Entries, them: _Opponent
) -> Iterator[_Predicate]:
    shooting = [name for name in shared if name in _SHOOTING]
    for name in shared:
        if name in _SHOOTING:
            if name == shooting[0]:
                yield _shooting(narration, shooting, ours, theirs, them)
            continue
        credit = _credit(narration, name, ours, theirs)
        (our,), (their,) = ours.take(name), theirs.take(name)
        if name in _QUARTERS:
            yield _quarter(narration, name, our, their, them)
        elif name == "TEAM-REB":
            yield _Predicate(_rebounds(narration, our, their, them), credit)
        else:
            yield _Predicate(_more_or_fewer(narration, name, our, their, them), credit)


def _shooting(
    narration: Narration,
    names: Sequence[str],
    ours: Entries,
    theirs: Entries,
    them: _Opponent,
) -> _Predicate:
    credit = _credit(narration, names[0], ours, theirs)
    our = [index for name in names for index in ours.take(name)]
    their = [index for name in names for index in theirs.take(name)]
    table = narration.table
    shots = [
        joined(figure(table, index), " percent ", _SHOOTING[name])
        for name, index in zip(names, our, strict=True)
    ]
    others = listed([figure(table, index) for index in their])
    worded = joined("shot ", listed(shots), ", against ", others, " percent for ", them.name())
    return _Predicate(worded, credit)


def _quarter(narration: Narration, name: str, our: int, their: int, them: _Opponent) -> _Predicate:
    margin = _number(narration, our) - _number(narration, their)
    quarter = f"the {_QUARTERS[name]}" if them.named else f"the {_QUARTERS[name]} quarter"
    score = _score(narration, our, their)
    if margin == 0:
        level = them.after(f"finished {quarter} level", "with")
        return _Predicate(joined(level, " at ", score), 0)
    if name == "TEAM-PTS_QTR1":
        verb = them.after("led" if margin > 0 else "trailed")
        worded = joined(verb, " ", score, f" after {quarter}")
        return _Predicate(worded, 1 if margin > 0 else -1)
    if margin < 0:
        return _Predicate(joined(them.after(quarter, "to"), " ", score), -1, "lost")
    if them.named:
        return _Predicate(joined(f"{quarter} ", score), 1, "won")
    return _Predicate(joined(them.after("outscored"), " ", score, f" in {quarter}"), 1)


def _rebounds(narration: Narration, our: int, their: int, them: _Opponent) -> Worded:
    margin = _number(narration, our) - _number(narration, their)
    score = _score(narration, our, their)
    if margin == 0:
        apiece = _apiece(narration, our, their)
        return joined(them.after("finished level", "with"), " on rebounds (", apiece, ")")
    if margin < 0:
        return joined(them.after("lost the rebounding battle", "to"), " ", score)
    if them.named:
        return joined("won the rebounding battle ", score)
    return joined(them.after("outrebounded"), " ", score)


def _more_or_fewer(
    narration: Narration, name: str, our: int, their: int, them: _Opponent
) -> Worded:
    margin = _number(narration, our) - _number(narration, their)
    verb = "committed" if name == "TEAM-TOV" else "had"
    noun = f"{_COUNTS[name]}s"
    if margin == 0:
        same = them.after(f"{verb} as many {noun}", "as")
        return joined(same, " (", _apiece(narration, our, their), ")")
    degree = "more" if margin > 0 else "fewer"
    table = narration.table
    numbers = joined(figure(table, our), " to ", figure(table, their))
    return joined(them.after(f"{verb} {degree} {noun}", "than"), " (", numbers, ")")


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


def _credit(narration: Narration, name: str, ours: Entries, theirs: Entries) -> int:
    margin = _number(narration, ours.left[name]) - _number(narration, theirs.left[name])
    sign = (margin > 0) - (margin < 0)
    return -sign if name == "TEAM-TOV" else sign


def _score(narration: Narration, our: int, their: int) -> Worded:
    """Return the numbers of both teams as a score, the higher one first."""
    first, second = sorted((our, their), key=lambda index: -_number(narration, index))
    return joined(figure(narration.table, first), "-", figure(narration.table, second))


def _apiece(narration: Narration, our: int, their: int) -> Worded:
    return joined(said(narration.table.records[our].value, our, their), " apiece")


def _number(narration: Narration, index: int) -> float:
    number = narration.table.records[index].number
    assert number is not None
    return number
