"""What the numbers of a sentence about basketball state: one rule for each wording.

A rule is a pattern, of a sentence in which capital letters stand for names (`mask`), and a function
that makes statements of what it finds; it makes none if the words around mean something else.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from longsum.tables.games.game_words import (
    DEEP,
    FIELD,
    FREE,
    NOUNS,
    period_types,
    types_of,
    zone_of,
    zones_in,
)
from longsum.tables.matching.mentions import Form, Statement, Types
from longsum.tables.matching.spoken_numbers import NUMBER, ORDINAL, rank_of, value_of

DOUBLE_FIGURES = 10
OTHER_GAMES = "other games"
RUNNING_SCORE = "the course of the game"

LEAST_GAME_SCORE = 60
"""Fewest points of a team in a game; fewer are those of a quarter or a half."""
MOST_HALF_SCORE = 75
LEAST_YEAR = 1900
_READ_BEHIND = 60
"""How many characters after a number are read to find what it is."""

# "outrebounded the Celtics 52 - 47", "more assists ( 24 to 28 )".
_COUNTED = re.compile(
    r"(?:(?<!offensive )(?P<REB>(?<![^ ])out(?: - )?reb\w+|(?<=more )rebounds|(?<=fewer )rebounds"
    r"|rebounding battle)"
    r"|(?P<AST>assists)|(?P<TO>turnovers))(?: (?!and|but|to)[^ ]+){0,3}? (?:[(,] )?$"
)
Rule = Callable[[re.Match[str], str], Iterator[Statement]]
"""Makes statements from a match in a sentence."""

_N, _M, _L = (rf"(?P<{name}>{NUMBER})" for name in "nml")
_NOUN = "|".join(f"(?P<{stat}>{pattern})" for stat, pattern in NOUNS.items())
_ANY_NOUN = re.compile(rf"(?<![^ ])(?:{_NOUN})(?![^ ])")
_BETWEEN = (
    r"(?:(?:total|team|made|big|quick|huge|combined|easy|impressive|additional|efficient|key"
    r"|(?:game|team|season|career)(?: -)? high) )?"
)
_MARGIN = "win|victory|loss|defeat|triumph|blowout|rout|decision|setback|drubbing|thrashing"
_RUNNING = (
    "lead|deficit|advantage|game|cushion|hole|edge|run|swing|comeback|rally|spurt|favorite|underdog"
    "|halftime|half - time|first|second|third|fourth|quarter|half"
)
_LINE = (
    "range|line|shooting|land|arc|territory|percentage|field|stripe|shots?|attempts?|efforts?|clip"
    "|mark|accuracy|shooters?|specialist|contest"
)
_ONCE = r"(?:(?:lone|single|solitary) )?"
_SCORED = (
    r"scor\w+|with|had|has|post\w+|dropp\w+|pour\w+ in|chipp\w+ in|finish\w+ with|tall\w+"
    r"|contribut\w+|nett\w+|add\w+|manag\w+|total\w+|record\w+|got|hit for|went for"
)


def _stated(
    match: re.Match[str], group: str, form: Form, types: Types | None = None, **details: Any
) -> Statement:
    return Statement(*match.span(group), value_of(match[group]), form, types or {}, **details)


def _after(match: re.Match[str], text: str) -> str:
    return text[match.end() : match.end() + _READ_BEHIND]


def _both_outside(match: re.Match[str], reason: str) -> Iterator[Statement]:
    for group in ("n", "m"):
        yield _stated(match, group, "outside", sure=False, reason=reason)


def nothing(*_: object) -> Iterator[Statement]:
    """Numbers that state nothing: in a name, or about what is not in the table."""
    yield from ()


def _bracket(match: re.Match[str], _: str) -> Iterator[Statement]:
    """Shooting in brackets: "( 7 - 12 FG , 3 - 5 3Pt , 4 - 4 FT )"."""
    zone = {"fg": "FG", "ft": "FT"}.get(match["zone"], "FG3")
    yield _stated(match, "n", "value", {"player": (f"PLAYER-{zone}M",)})
    yield _stated(match, "m", "value", {"player": (f"PLAYER-{zone}A",)})


def _record(match: re.Match[str], _: str) -> Iterator[Statement]:
    """Wins and losses: "Celtics ( 32 - 18 )"."""
    yield _stated(match, "n", "value", {"team": ("TEAM-WINS",)}, beside=True)
    yield _stated(match, "m", "value", {"team": ("TEAM-LOSSES",)}, beside=True)


def _shooting(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Shots made of those attempted: "8 - of - 15 from the field", "four of his 10 threes"."""
    after = _after(match, text)
    if re.match(r" points| days| quarters", after):
        return
    others = r" (?:(?:straight|home|road) )?(?:games|contests|outings|meetings|matchups|tries)"
    if re.match(rf"{others}| wins| losses", after):
        yield from _both_outside(match, OTHER_GAMES)
        return
    near = re.split(rf"(?<![^ ]){NUMBER}(?! - point)(?![^ ])| (?:,|\)|and|while|but) ", after)[0]
    zone = zone_of(near)
    if zone == "FG" and "-" not in match[0] and not re.search(FIELD, near):
        return
    yield _stated(match, "n", "value", {"player": (f"PLAYER-{zone}M",)})
    yield _stated(match, "m", "value", {"player": (f"PLAYER-{zone}A",)})


def _pair(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Two numbers of two teams: a final score, that of a quarter, or rebounds."""
    first, second = value_of(match["n"]), value_of(match["m"])
    after = _after(match, text)
    if first >= LEAST_YEAR:
        return
    if re.match(r" (?:run|spurt|burst|series|lead|start|stretch|road|home)", after):
        yield from _both_outside(match, RUNNING_SCORE)
        return
    if "O" in after:
        yield from _both_outside(match, OTHER_GAMES)
        return
    types = _pair_types(match, text, min(first, second), max(first, second))
    if types:
        for group, other in ("nm", "mn"):
            partner, final = match.start(other), types == ("TEAM-PTS",)
            yield _stated(match, group, "pair", {"team": types}, partner=partner, final=final)


def _pair_types(match: re.Match[str], text: str, low: float, high: float) -> tuple[str, ...]:
    near = text[max(0, match.start() - 110) : match.end() + 50]
    counted = _COUNTED.search(text, max(0, match.start() - 45), match.start())
    if counted:
        return types_of(str(counted.lastgroup))["team"]
    if low < LEAST_GAME_SCORE and high < MOST_HALF_SCORE:
        if re.search(
            r"offensive|second - chance|paint|bench|fast|free throws?|turnover|assist", near
        ):
            return ()
        if re.search(r"rebound|boards|glass", near):
            return ("TEAM-REB",)
        return period_types(text, *match.span())
    if re.search(r"(?:three|two) (?:quarters|periods)", near):
        return period_types(text, *match.span())
    return () if low == high and re.search(r"overtime|regulation", near) else ("TEAM-PTS",)


def _shares(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Several shares of shots: "39 , 37 and 73 percent", in the order in which kinds were named."""
    groups = [group for group in ("n", "l", "m") if match[group]]
    after = _after(match, text)
    zones = zones_in(re.split(rf"(?<![^ ]){NUMBER}(?! - point)(?![^ ])", after)[0])
    zones = zones if len(zones) == len(groups) else zones_in(text[: match.start()])
    if len(zones) == len(groups):
        for group, zone in zip(groups, zones, strict=True):
            yield _stated(match, group, "value", types_of(f"{zone}_PCT"))


def _share(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A share of shots made: "53 percent from three - point range"."""
    after = _after(match, text)
    other = rf"(?<![^ ])(?!three - point|3 - point){NUMBER}(?![^ ])"
    near = re.split(rf"{other}| , ", after)[0]
    zone = zone_of(near)
    if zone == "FG" and not re.search(FIELD, near):
        named = zones_in(text[: match.start()])
        if "FG3" in named[-1:]:
            zone = "FG3"
        elif not re.search(
            r"sho[ot]|hit|convert|connect|made|finish|we?nt|go", text[: match.end()]
        ):
            return
    yield _stated(match, "n", "value", types_of(f"{zone}_PCT"))


def _running(match: re.Match[str], _: str) -> Iterator[Statement]:
    """How the score changed during the game."""
    yield _stated(match, "n", "outside", reason=RUNNING_SCORE)


def _season(match: re.Match[str], _: str) -> Iterator[Statement]:
    """Games, wins and losses of the season."""
    yield _stated(match, "n", "outside", sure=False, reason=OTHER_GAMES)


def _final_margin(match: re.Match[str], _: str) -> Iterator[Statement]:
    """By how much a team won: "a 30 - point win"."""
    yield _stated(match, "n", "difference", {"team": ("TEAM-PTS",)})


def _by(match: re.Match[str], text: str) -> Iterator[Statement]:
    """By how much a team won the game or a quarter: "outscored the Lakers by 16"."""
    if re.match(rf" (?:- {NUMBER}|percent|%|rebounds|assists|minutes)", text[match.end() :]):
        return
    before = text[max(0, match.start() - 60) : match.start()]
    quarters = period_types(text, *match.span())
    won = r"(?<![^ ])(?:won|lost|win|beat|defeat\w*|top\w+|out(?: - )?scor\w+)(?: \S+){0,4} $"
    if quarters and re.search(r"out(?: - )?scor", before):
        yield _stated(match, "n", "difference", {"team": quarters})
    elif re.search(won, before):
        yield _stated(match, "n", "difference", {"team": quarters or ("TEAM-PTS",)})


def _quantity(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A number with what it counts: "18 - point", "six rebounds", "a pair of steals"."""
    group = "n" if match["n"] is not None else "m"
    stat = _counted_in(match)
    after = _after(match, text)
    before = text[max(0, match.start() - 40) : match.start()]
    if _is_no_count(stat, before, after):
        return
    if re.match(
        r" (?:per|a) (?:game|contest|night)| (?:on|this|for) (?:the )?(?:season|year)", after
    ):
        yield _stated(match, group, "outside", reason=OTHER_GAMES)
    elif stat == "TO" and re.search(r"forc(?:ed|ing|es?) (?:\w+ )?$", before):
        yield _stated(match, group, "value", {"team": ("TEAM-TOV",)}, other=True)
    elif stat == "PTS" and re.search(
        r" (?:in|during|of|over) (?:the |a )?(?:\w+ )?"
        r"(?:first|second|third|fourth|final|opening|overtime|extra|last)(?! games?)",
        after[:36],
    ):
        quarters = () if "overtime" in after else period_types(text, *match.span())
        if quarters:
            yield _stated(match, group, "value", {"team": quarters})
        else:
            yield _stated(match, group, "outside", sure=False, reason=RUNNING_SCORE)
    else:
        yield _stated(match, group, "value", types_of(_made_from(stat, after)))


def _is_no_count(stat: str, before: str, after: str) -> bool:
    """Return whether a number with a noun is none of a player or a team: "with 7 minutes left"."""
    if stat == "MIN" and re.search(
        r"(?:final|last|first|opening|under|with|next|past|after) (?:the )?$", before
    ):
        return True
    if stat == "MIN" and re.match(r" (?:left|remaining|to (?:go|play)|into|later)", after):
        return True
    if re.match(r" (?:short|shy) of", after):
        return True
    # What substitutes score together is in no cell; what a substitute leads them with is.
    groups = re.search(
        r"(?:bench|reserves|starters|backcourt|frontcourt|unit)(?: \w+){0,6} $", before
    )
    return bool(groups) and not re.search(
        r"(?:off|from|led|paced) (?:the|their) (?:bench|reserves|starters)|unit with", before
    )


def _made_from(stat: str, after: str) -> str:
    """Return which baskets are counted: "three buckets from beyond the arc" are threes."""
    if stat == "FGM" and (
        found := re.match(rf" (?:\S+ ){{0,3}}(?:(?P<deep>{DEEP})|{FREE})", after)
    ):
        return "FG3M" if found["deep"] else "FTM"
    return stat


def _period_points(match: re.Match[str], text: str) -> Iterator[Statement]:
    """The points of a team in a quarter or half: "a 33 - point first quarter"."""
    quarters = period_types(text, match.end(), match.end())
    if quarters:
        yield _stated(match, "n", "value", {"team": quarters})


def _own(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Turnovers of a team: "forced 16 turnovers , while committing 12 of their own"."""
    if "turnover" in text[: match.start()]:
        yield _stated(match, "n", "value", {"team": ("TEAM-TOV",)})


def _rank(match: re.Match[str], text: str) -> Iterator[Statement]:
    """The place of a player among the scorers of the team: "second on the team"."""
    after = _after(match, text)
    if not re.search(r"^ (?:in|with) .{0,20}(?:rebound|assist|steal|block|board|minutes)", after):
        types = {"player": ("PLAYER-PTS",)}
        group = "n" if match["n"] else "m"
        yield Statement(*match.span(group), rank_of(match[group]), "rank", types)


def _count(match: re.Match[str], _: str) -> Iterator[Statement]:
    """How many players of a team scored ten points or more."""
    types = {"player": ("PLAYER-PTS",)}
    yield _stated(match, "n", "count", types, threshold=DOUBLE_FIGURES)


def _in_turn(match: re.Match[str], _: str) -> Iterator[Statement]:
    """The same of two players in their order: "Smith and Jones scored 20 and 15 points"."""
    types = types_of(_counted_in(match))
    yield _stated(match, "n", "value", types, of=match.start("p"))
    yield _stated(match, "m", "value", types, of=match.start("q"))


def _beside(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A number after a name, of what was last counted: "… 20 points and Jones 15"."""
    counted = list(_ANY_NOUN.finditer(text, 0, match.start()))
    stat = _counted_in(counted[-1]) if counted else "PTS"
    sure = bool(counted) or "scored" in text[: match.start()]
    yield _stated(match, "n", "value", types_of(stat), of=match.start("p"), sure=sure)


def _counted_in(match: re.Match[str]) -> str:
    """Return what a match of nouns counts, as the column of Rotowire."""
    return next(stat for stat in NOUNS if match.re.groupindex.get(stat) and match[stat])


def _bare(match: re.Match[str], _: str) -> Iterator[Statement]:
    """A number after a verb of scoring, without a noun: "posted 13"."""
    yield _stated(match, "n", "value", {"player": ("PLAYER-PTS",)}, sure=False)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^ ])(?:{pattern})(?![^ ])")


RULES: tuple[tuple[re.Pattern[str], Rule], ...] = tuple(
    (_compiled(pattern), rule)
    for pattern, rule in (
        (rf"(?:three|3) - (?:point(?= (?:{_LINE}| - ))|pointers?(?= shoot))", nothing),
        (rf"{_N} - {_M} (?P<zone>fg|3 pt|3 p|ft)", _bracket),
        (rf"T+ \( {_N} - {_M}(?= [),;])", _record),
        (
            r"(?:improv\w+|fell|falls?|dropp?\w*|mov\w+|sit(?:ting)?|now|record)(?: back)? "
            rf"(?:(?:to|at|with|is|of|a) )*(?:season )?(?:\( )?{_N} - {_M}"
            r"(?! (?:against|versus|on|in))",
            _record,
        ),
        (rf"(?:O+|P+|X+) \( {_N} - {_M}(?= [),;])", nothing),
        (
            rf"{_N} (?:(?:- )?(?:of|for) (?:- )?)(?:(?:his|her|their|its|the|a) )?{_M}",
            _shooting,
        ),
        (
            rf"{_N} - {_M}(?= (?:shooting|from (?:the (?:field|floor|free|line|stripe|charity)"
            r"|three|long|beyond|behind|deep|downtown)))",
            _shooting,
        ),
        (rf"{_N}(?: , {_L})?(?: ,)? and {_M} percent", _shares),
        (rf"{_N} (?:- |to ){_M}", _pair),
        (rf"{_N} (?:percent|%|per cent)", _share),
        (rf"{_N} (?:ties|lead changes)", _running),
        (
            rf"{_N} (?:(?:road|home|straight|consecutive|away) )?(?:wins|losses|games|contests"
            r"|meetings|outings|tries|seasons?|victories|defeats|days|weeks|years|times|seconds"
            r"|footer|of (?:their|its|his|the) last)",
            _season,
        ),
        (rf"{_N} (?:more|fewer|less|straight|consecutive)", nothing),
        (rf"{_N} (?:- )?(?:point|pt) (?:{_MARGIN})", _final_margin),
        (
            rf"{_N} (?:- )?(?:point|pt)(?= (?:{ORDINAL}|opening|final) "
            r"(?:quarter|period|frame|half))",
            _period_points,
        ),
        (rf"(?:it|be|within) (?:to )?a {_N} - (?:point|pt) game", _running),
        (rf"{_N} - (?:point|pt) (?:mark|barrier|plateau|game)", nothing),
        (rf"{_N} (?:- )?(?:point|pt) (?:{_RUNNING})", _running),
        (rf"{_N} points (?:over|better|more than)", _final_margin),
        (rf"{_N} of (?:their|its) own", _own),
        (
            r"(?:lead\w*|led|ahead|trail\w*|up|down|behind|edge) by "
            rf"(?:(?:as (?:many|much) as|more than|over|only|just) )*{_N}",
            _running,
        ),
        (rf"by (?:(?:a|just|only|more than) )*{_N}(?: points)?", _by),
        (
            rf"(?P<p>P+) and (?P<q>P+) (?:\w+ ){{1,3}}{_N} and {_M} (?:{_NOUN})(?! apiece| each)",
            _in_turn,
        ),
        (rf"{_N} (?:- )?{_BETWEEN}(?:{_NOUN})", _quantity),
        (
            rf"(?P<n>an?|no) {_BETWEEN}{_ONCE}(?P<STL>steal|swipe)"
            rf"|(?P<m>an?|no) {_ONCE}(?:(?P<REB>rebound|board)|(?P<AST>assist|dime)"
            r"|(?P<BLK>block|blocked shot|rejection)|(?P<TO>turnover)"
            r"|(?P<FG3M>three - pointer|3 - pointer))(?! -)",
            _quantity,
        ),
        (rf"(?P<n>pair|couple) of {_BETWEEN}(?:{_NOUN})", _quantity),
        (
            rf"(?P<n>{ORDINAL}) (?:on|for) (?:the|his) (?:team|squad|club|T+)(?: in scoring)?"
            rf"|(?P<m>{ORDINAL}) - (?:leading|highest) scorer",
            _rank,
        ),
        (
            rf"{_N} (?:(?:of|different|the|their|its|T+) )*(?:players|starters|guys|men|members) "
            r"(?:\w+ ){0,3}?(?:in|reach\w*) double (?:figures|digits)",
            _count,
        ),
        (
            rf"(?:{_SCORED}) (?:(?:just|only|a|another|his|an|(?:game|team|season|career) - high"
            rf"|with) )*{_N}"
            r"(?= (?:[.,;()]|on|in|off|to go|while|apiece|each|and|as|from|for)|$)",
            _bare,
        ),
        (rf"(?P<p>P+) (?:with )?{_N}(?= (?:[.,;]|and)|$)", _beside),
    )
)
"""All rules, the most special first."""
