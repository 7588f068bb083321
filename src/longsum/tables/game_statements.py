"""What the numbers in a report of a basketball game state: patterns of its words."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from longsum.tables.mentions import Mention
from longsum.tables.spoken_numbers import NUMBER, ORDINAL, rank_of, value_of
from longsum.tables.statement import Form, Statement, Types

DOUBLE_FIGURES = 10
LEAST_YEAR = 1900
OTHER_GAMES = "other games"
RUNNING_SCORE = "the course of the game"

_QUARTERS = tuple(f"TEAM-PTS_QTR{quarter}" for quarter in range(1, 5))
_PERIODS = (
    (r"second and third (?:quarters|periods)|middle two (?:quarters|periods)", _QUARTERS[1:3]),
    (r"(?:final|last|next) three (?:quarters|periods)", _QUARTERS[1:]),
    (r"first three (?:quarters|periods)", _QUARTERS[:3]),
    (r"(?:final|last) two (?:quarters|periods)", _QUARTERS[2:]),
    (r"(?:first|opening|1 st) (?:quarter|period|frame)|after one (?:quarter|period)|after (?:12|twelve) minutes", _QUARTERS[:1]),
    (r"(?:second|2 nd) (?:quarter|period|frame)", _QUARTERS[1:2]),
    (r"(?:third|3 rd) (?:quarter|period|frame)|third(?= ,)", _QUARTERS[2:3]),
    (r"(?:fourth|final|4 th) (?:quarter|period|frame)|fourth\b|final (?:12|twelve) minutes",
     _QUARTERS[3:]),
    (r"(?:first|opening|1 st) half|(?:before|at) (?:halftime|the half|the break)|halftime",
     _QUARTERS[:2]),
    (r"(?:second|2 nd) half|after (?:halftime|the break)|final (?:24|twenty - four) minutes", _QUARTERS[2:]),
)
_PERIOD = re.compile("|".join(f"(?P<p{place}>{pattern})" for place, (pattern, _) in enumerate(_PERIODS)))

_DEEP = (
    r"(?:three|3) - point|(?:three|3) pt|threes?\b|3s\b|trey|beyond the arc|(?:behind|outside|from) the "
    r"arc|long range|long distance|downtown|deep\b|distance|behind the line|perimeter"
)
_FREE = r"free - throw|free throw|foul line|charity|stripe|the line\b|\bft\b"


def _both(stat: str) -> Types:
    team = {"TO": "TOV"}.get(stat, stat)
    of_team = {"team": (f"TEAM-{team}",)} if team in _OF_TEAMS else {}
    return {"player": (f"PLAYER-{stat}",), **of_team}


_OF_TEAMS = {"PTS", "REB", "AST", "TOV", "FG_PCT", "FG3_PCT", "FT_PCT"}
# What is counted, by the nouns that say so; the more special ones first.
_NOUNS = {
    "OREB": r"offensive (?:rebounds?|boards?)",
    "DREB": r"defensive (?:rebounds?|boards?)",
    "FG3A": r"(?:three|3) - point(?:er)? (?:attempts|tries|shots)|threes attempted",
    "FG3M": r"(?:three|3) - (?:point(?:ers?| (?:shots?|field goals?|baskets?))|balls?)|threes|treys"
    r"|trifectas|triples|3 s|(?:three|3) pointers?",
    "FTA": r"free(?: - | )throw attempts|(?:attempts|tries) (?:from|at) the (?:free|charity|foul)",
    "FTM": r"free(?: - | )throws?|foul shots?",
    "FGA": r"(?:field goal|shot) attempts|shots attempted",
    "FGM": r"(?:made )?field goals|baskets|buckets",
    "PTS": r"points?|pts",
    "REB": r"rebounds?|boards?",
    "AST": r"assists?|dimes?|helpers?",
    "STL": r"steals?|swipes?|thefts?",
    "BLK": r"blocks?|blocked shots?|rejections?|swats?",
    "TO": r"turnovers?|giveaways?",
    "PF": r"(?:personal )?fouls?",
    "MIN": r"minutes?",
}
_NOUN = "|".join(f"(?P<{stat}>{pattern})" for stat, pattern in _NOUNS.items())
_BETWEEN = (
    r"(?:(?:total|team|made|big|quick|huge|combined|easy|impressive|additional|efficient|key"
    r"|game - high|team - high|season - high|career - high|(?:game|team|season|career) high) )?"
)
_N = rf"(?P<n>{NUMBER})"
_M = rf"(?P<m>{NUMBER})"
_MARGIN = (
    r"(?:win|victory|loss|defeat|triumph|blowout|rout|decision|setback|drubbing|thrashing|margin of)"
)
_RUNNING = (
    r"(?:lead|deficit|advantage|game|cushion|hole|edge|run|swing|comeback|rally|spurt|favorite"
    r"|underdog|halftime|half - time|first|second|third|fourth|quarter|half)"
)
_LINE = r"(?:range|line|shooting|land|arc|territory|percentage|field|stripe|shots?|attempts?|efforts?|clip|mark|accuracy|shooters?|specialist|contest)"


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^ ])(?:{pattern})(?![^ ])")


Taken = list[tuple[int, int]]


class GameReader:
    """Reads what numbers state in sentences about a basketball game.

    The patterns are tried in order, the most special first; each number is read once.
    """

    def __init__(self) -> None:
        self._rules: tuple[tuple[re.Pattern[str], Callable[..., Iterator[Statement]]], ...] = (
            (_compiled(rf"(?:three|3) - (?:point(?= {_LINE})|point(?= - )|pointers?\b(?= shoot))"), _nothing),
            (_compiled(rf"{_N} - {_M} (?P<zone>fg|3 pt|3 p|ft)"), _bracket),
            (_compiled(rf"(?P<t>T+) \( {_N} - {_M}(?= [),;])"), _record),
            (_compiled(rf"(?:improv\w+|fell|falls?|dropp?\w*|mov\w+|sit(?:ting)?|now|record (?:of|to)|record)"
                       rf"(?: back)? (?:(?:to|at|with|is|of|a) )*(?:season )?(?:\( )?{_N} - {_M}"), _record),
            (_compiled(rf"(?:O+|P+|X+) \( {_N} - {_M}(?= [),;])"), _nothing),
            (_compiled(rf"{_N} (?:(?:- )?(?:of|for) (?:- )?)(?:(?:his|her|their|its|the|a) )?{_M}"), _shooting),
            (_compiled(rf"{_N} - {_M}(?= (?:shooting|from (?:the field|the floor|the free|the line|the stripe|the charity|three|long|beyond|behind|deep|downtown)))"), _shooting),
            (_compiled(rf"{_N} and {_M} percent from the (?:field|floor) and"), _two_shares),
            (_compiled(rf"{_N} (?:- |to ){_M}"), _pair),
            (_compiled(rf"{_N} (?:percent|%|per cent)"), _percentage),
            (_compiled(rf"{_N} (?:ties|lead changes)"), _running),
            (_compiled(rf"{_N} (?:(?:road|home|straight|consecutive|away) )?(?:wins|losses|games|contests|meetings|outings|tries|seasons?|victories|defeats|days|weeks|years|times|seconds|footer|of (?:their|its|his|the) last)"), _season),
            (_compiled(rf"{_N} (?:more|fewer|less|straight|consecutive)"), _nothing),
            (_compiled(rf"{_N} (?:- )?(?:point|pt) {_MARGIN}"), _final_margin),
            (_compiled(rf"{_N} (?:- )?(?:point|pt)(?= (?:{ORDINAL}|opening|final) (?:quarter|period|frame|half))"), _period_points),
            (_compiled(rf"(?:it|be|within) (?:to )?a {_N} - (?:point|pt) game"), _running),
            (_compiled(rf"{_N} - (?:point|pt) (?:mark|barrier|plateau|game)"), _nothing),
            (_compiled(rf"{_N} (?:- )?(?:point|pt) {_RUNNING}"), _running),
            (_compiled(rf"{_N} points (?:over|better|more than)"), _final_margin),
            (_compiled(rf"{_N} of (?:their|its) own"), _own),
            (_compiled(rf"(?:lead\w*|led|ahead|trail\w*|up|down|behind|edge) by (?:(?:as (?:many|much) as|more than|over|only|just) )*{_N}"), _running),
            (_compiled(rf"by (?:(?:a|just|only|more than) )*{_N}(?: points)?"), _by),
            (_compiled(rf"{_N} (?:- )?{_BETWEEN}(?:{_NOUN})"), _quantity),
            (_compiled(rf"(?P<n>an?|no) {_BETWEEN}(?:(?:lone|single|solitary) )?(?P<STL>steal|swipe)|(?P<n2>an?|no) (?:(?:lone|single|solitary) )?(?:(?P<REB>rebound|board)|(?P<AST>assist|dime)|(?P<BLK>block|blocked shot|rejection)|(?P<TO>turnover)|(?P<FG3M>three - pointer|3 - pointer))(?! -)"), _quantity),
            (_compiled(rf"(?P<n>pair|couple) of {_BETWEEN}(?:{_NOUN})"), _quantity),
            (_compiled(rf"(?P<n>{ORDINAL}) (?:on|for) (?:the|his) (?:team|squad|club|T+)(?: in scoring)?"), _rank),
            (_compiled(rf"(?P<n>{ORDINAL}) - (?:leading|highest) scorer"), _rank),
            (_compiled(rf"(?P<n>{NUMBER}) (?:(?:of|different) )*(?:(?:the|their|its|T+) )*(?:players|starters|guys|men|members) (?:\w+ ){{0,3}}?(?:in|reach\w*) (?:double|in double) (?:figures|digits)"), _count),
            (_compiled(rf"(?:scor\w+|with|had|has|post\w+|dropp\w+|pour\w+ in|chipp\w+ in|finish\w+ with|tall\w+|contribut\w+|nett\w+|add\w+|manag\w+|total\w+|record\w+|got|hit for|went for) (?:(?:just|only|a|another|his|an|(?:game|team|season|career) - high|with) )*{_N}(?= (?:[.,;)]|on|in|off|to go|while|apiece|each|and|as|from|for)|$)"), _bare),
        )

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order; see `StatementReader`."""
        masked = mask(text, mentions)
        taken: set[int] = {
            place
            for mention in mentions
            for place in range(mention.start, mention.end)
        }
        found: list[Statement] = []
        for pattern, rule in self._rules:
            for match in pattern.finditer(masked):
                places = [span[0] for span in _numbers(match)]
                if any(place in taken for place in places):
                    continue
                made = list(rule(match, masked))
                if made or rule is _nothing:
                    taken.update(places)
                found.extend(made)
        outside = _totals_elsewhere(masked)
        found = [_moved_outside(each) if _within(each, outside) else each for each in found]
        found = [replace(each, sure=False) if _about(masked, each) else each for each in found]
        return sorted(found, key=lambda each: each.start)


def mask(text: str, mentions: Sequence[Mention]) -> str:
    """Return a sentence with capital letters in place of its names.

    `P` of players and `T` of teams of the table, `O` of other teams, `X` of anything else.
    """
    parts = []
    reached = 0
    for mention in mentions:
        letter = {"player": "P", "team": "T"}.get(mention.kind, "X")
        letter = letter if mention.entities else "O" if mention.kind == "team" else "X"
        parts += [text[reached : mention.start], letter * (mention.end - mention.start)]
        reached = mention.end
    return "".join((*parts, text[reached:]))


def period_types(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the quarters that the words around a number speak of; none for the whole game.

    What follows it goes before what precedes it.
    """
    after = _PERIOD.search(text, end)
    stop = re.search(rf"(?<![^ ]){NUMBER}(?! minutes)(?![^ ])", text[end:])
    if after and (not stop or end + stop.start() > after.start() or after.start() - end < 25):
        return _PERIODS[int(str(after.lastgroup)[1:])][1]
    before = list(_PERIOD.finditer(text, 0, start))
    return _PERIODS[int(str(before[-1].lastgroup)[1:])][1] if before else ()


def _numbers(match: re.Match[str]) -> list[tuple[int, int]]:
    names = [name for name in ("n", "n2", "m") if match.re.groupindex.get(name)]
    spans = [match.span(name) for name in names if match[name] is not None]
    return spans or [match.span()]


def _made(
    match: re.Match[str], name: str, form: Form, types: Types | None = None, **more: object
) -> Statement:
    value = value_of(match[name])
    return Statement(*match.span(name), value, form, types or {}, **more)  # type: ignore[arg-type]


def _nothing(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Numbers that are part of a name or stand with one that is not in the table."""
    del match, text
    yield from ()


def _bracket(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Shooting in brackets: "( 7 - 12 FG , 3 - 5 3Pt , 4 - 4 FT )"."""
    del text
    zone = {"fg": "FG", "ft": "FT"}.get(match["zone"], "FG3")
    yield _made(match, "n", "value", {"player": (f"PLAYER-{zone}M",)})
    yield _made(match, "m", "value", {"player": (f"PLAYER-{zone}A",)})


def _record(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Wins and losses: "Celtics ( 32 - 18 )"."""
    del text
    yield _made(match, "n", "value", {"team": ("TEAM-WINS",)})
    yield _made(match, "m", "value", {"team": ("TEAM-LOSSES",)})


def _shooting(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Shots made of those attempted: "8 - of - 15 from the field", "four of his 10 threes"."""
    after = text[match.end() : match.end() + 60]
    if re.match(r" (?:(?:straight|home|road) )?(?:games|contests|outings|meetings|matchups|tries|wins|losses|points|days|quarters)", after):
        if " point" not in after[:7]:
            yield _made(match, "n", "outside", sure=False, reason=OTHER_GAMES)
            yield _made(match, "m", "outside", sure=False, reason=OTHER_GAMES)
        return
    near = re.split(rf"(?<![^ ]){NUMBER}(?! - point)(?![^ ])| (?:,|\)|and|while|but) ", after)[0]
    zone = "FG3" if re.search(_DEEP, near) else "FT" if re.search(_FREE, near) else "FG"
    plain = "for" in match[0] or "of" in match[0]
    if plain and zone == "FG" and not re.search(r"-|field|floor|shots|shooting|attempts|looks", match[0] + near):
        return
    yield _made(match, "n", "value", {"player": (f"PLAYER-{zone}M",)})
    yield _made(match, "m", "value", {"player": (f"PLAYER-{zone}A",)})


def _pair(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Two numbers of two teams: a final score, that of a quarter, or rebounds."""
    first, second = value_of(match["n"]), value_of(match["m"])
    if re.match(r" (?:run|spurt|burst|series|lead|start|stretch|road|home)", text[match.end() :]):
        yield _made(match, "n", "outside", sure=False, reason=RUNNING_SCORE)
        yield _made(match, "m", "outside", sure=False, reason=RUNNING_SCORE)
        return
    if first >= LEAST_YEAR:
        return
    if re.search(r"O", text[match.end() : match.end() + 60]):
        yield _made(match, "n", "outside", sure=False, reason=OTHER_GAMES)
        yield _made(match, "m", "outside", sure=False, reason=OTHER_GAMES)
        return
    types = _pair_types(match, text, first, second)
    if types:
        yield _made(match, "n", "pair", {"team": types}, partner=match.start("m"))
        yield _made(match, "m", "pair", {"team": types}, partner=match.start("n"))


def _pair_types(
    match: re.Match[str], text: str, first: float, second: float
) -> tuple[str, ...]:
    near = text[max(0, match.start() - 110) : match.end() + 50]
    # Two teams score at least 60 points each in a game, and less than that in a quarter.
    if min(first, second) < 60 and max(first, second) < 75:
        if re.search(r"offensive|second - chance|paint|bench|fast|free throws?|turnover", near):
            return ()
        if re.search(r"rebound|boards|glass", near):
            return ("TEAM-REB",)
        quarters = period_types(text, *match.span())
        return quarters
    if re.search(r"overtime|regulation", near) and min(first, second) == max(first, second):
        return ()
    return ("TEAM-PTS",)


def _percentage(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A share of shots made: "53 percent from three - point range"."""
    after = text[match.end() : match.end() + 70]
    near = re.split(rf"(?<![^ ])(?!three - point|3 - point){NUMBER}(?![^ ])| , ", after)[0]
    zone = "FG3" if re.search(_DEEP, near) else "FT" if re.search(_FREE, near) else "FG"
    if zone == "FG" and not re.search(r"field|floor|shots|shooting|attempts|clip|looks", near):
        before = text[: match.start()]
        named = [found[0] for found in re.finditer(rf"{_DEEP}|{_FREE}|field|floor", before)]
        if named and re.search(_DEEP, named[-1]):
            zone = "FG3"
        elif not re.search(r"sh[oo]o?t|hit|convert|connect|made|field|finish|went|go", before + near):
            return
    yield _made(match, "n", "value", _both(f"{zone}_PCT"))


def _two_shares(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Two shares at once: "48 and 43 percent from the field and three - point range"."""
    del text
    yield _made(match, "n", "value", _both("FG_PCT"))
    yield _made(match, "m", "value", _both("FG3_PCT"))


def _running(match: re.Match[str], text: str) -> Iterator[Statement]:
    """How the score changed during the game, which the table does not have."""
    del text
    yield _made(match, "n", "outside", reason=RUNNING_SCORE)


def _season(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Wins, losses and games of the season, which the table does not have one by one."""
    del text
    yield _made(match, "n", "outside", sure=False, reason=OTHER_GAMES)


def _final_margin(match: re.Match[str], text: str) -> Iterator[Statement]:
    """By how much a team won: "a 30 - point win"."""
    del text
    yield _made(match, "n", "difference", {"team": ("TEAM-PTS",)})


def _by(match: re.Match[str], text: str) -> Iterator[Statement]:
    """By how much a team won the game or a quarter: "outscored the Lakers by 16"."""
    if re.match(rf" (?:- {NUMBER}|percent|%|rebounds|assists|minutes)", text[match.end() :]):
        return
    before = text[max(0, match.start() - 60) : match.start()]
    quarters = period_types(text, *match.span())
    if re.search(r"out - ?scor|outscor", before) and quarters:
        yield _made(match, "n", "difference", {"team": quarters})
    elif re.search(r"(?:won|lost|win|beat|defeat\w*|top\w+|outscor\w+)(?: \S+){0,4} $", before):
        yield _made(match, "n", "difference", {"team": quarters or ("TEAM-PTS",)})


def _quantity(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A number with what it counts: "18 - point", "six rebounds", "a pair of steals"."""
    name = "n" if match["n"] is not None else "n2"
    stat = next(stat for stat in _NOUNS if match.re.groupindex.get(stat) and match[stat])
    after = text[match.end() : match.end() + 60]
    before = text[max(0, match.start() - 40) : match.start()]
    if stat == "MIN" and re.search(r"(?:final|last|first|opening|under|with|next|past|after) (?:the )?$", before):
        return
    if stat == "TO" and re.search(r"forc(?:ed|ing|es?) (?:\S+ )?$", before):
        yield _made(match, name, "value", {"team": ("TEAM-TOV",)}, other=True)
        return
    if stat == "FGM":
        near = text[match.end() : match.end() + 40]
        stat = "FG3M" if re.match(rf" (?:\S+ ){{0,3}}(?:{_DEEP})", near) else stat
        stat = "FTM" if re.match(rf" (?:\S+ ){{0,3}}(?:{_FREE})", near) else stat
    if stat == "MIN" and re.match(r" (?:left|remaining|to (?:go|play)|into|later)", after):
        return
    if re.match(r" (?:per|a) (?:game|contest|night)| (?:on|this|for) (?:the )?(?:season|year)", after):
        yield _made(match, name, "outside", reason=OTHER_GAMES)
        return
    if re.match(r" (?:short|shy) of", after):
        return
    types: Types = _both(stat)
    if re.search(r"(?:bench|reserves|starters|backcourt|frontcourt|unit)(?: \w+){0,6} $", before):
        if not re.search(r"(?:off|from|led) (?:the|their) (?:bench|reserves)|second unit with", before):
            return
    if stat == "PTS" and re.search(r" (?:in|during|of|over) (?:the |a )?(?:\w+ )?(?:first|second|third|fourth|final|opening|overtime|extra|last)(?! (?:game|two games))", after[:36]):
        quarters = period_types(text, *match.span())
        types = {"team": quarters} if quarters and "overtime" not in after else {}
    if types:
        yield _made(match, name, "value", types)
    else:
        yield _made(match, name, "outside", sure=False, reason=RUNNING_SCORE)


def _period_points(match: re.Match[str], text: str) -> Iterator[Statement]:
    """The points of a team in a quarter or half: "a 33 - point first quarter"."""
    quarters = period_types(text, match.end(), match.end())
    if quarters:
        yield _made(match, "n", "value", {"team": quarters})


def _own(match: re.Match[str], text: str) -> Iterator[Statement]:
    """Turnovers of a team: "forced 16 turnovers , while committing 12 of their own"."""
    if "turnover" in text[: match.start()]:
        yield _made(match, "n", "value", {"team": ("TEAM-TOV",)})


def _rank(match: re.Match[str], text: str) -> Iterator[Statement]:
    """The place of a player among the scorers of the team: "second on the team"."""
    after = text[match.end() : match.end() + 40]
    if re.search(r"^ (?:in|with) .{0,20}(?:rebound|assist|steal|block|board|minutes)", after):
        return
    types = {"player": ("PLAYER-PTS",)}
    yield Statement(*match.span("n"), rank_of(match["n"]), "rank", types)


def _count(match: re.Match[str], text: str) -> Iterator[Statement]:
    """How many players of a team scored ten points or more."""
    del text
    types = {"player": ("PLAYER-PTS",)}
    yield _made(match, "n", "count", types, threshold=DOUBLE_FIGURES)


def _bare(match: re.Match[str], text: str) -> Iterator[Statement]:
    """A number after a verb of scoring, without a noun: "posted 13"."""
    del text
    yield _made(match, "n", "value", {"player": ("PLAYER-PTS",)}, sure=False)


_ELSEWHERE = re.compile(
    r"coming off (?!the bench)|combin(?:ed|ing|es) for|averag(?:ed|es|ing)|is (?:now )?(?:shooting|scoring)|(?:has|'s) (?:now )?(?:scored|totaled)"
)
_SEVERAL_GAMES = re.compile(
    r"(?:last|past|previous|straight|consecutive) (?:\S+ )?(?:games|contests|outings|starts|matchups|appearances)"
    r"|(?:over|during|in) (?:that|this|the|his) (?:span|stretch|last|past|period)|in a row|per game|on the (?:season|year)|this season|stretch|between"
)


def _totals_elsewhere(text: str) -> list[tuple[int, int]]:
    """Return where a sentence adds or averages over several games."""
    spans = []
    for match in _ELSEWHERE.finditer(text):
        end = re.compile(r" (?:[.;]|while|but|who|P+) ").search(text, match.end())
        stop = end.start() if end else len(text)
        mean = "averag" in match[0] or "coming off" in match[0]
        if mean or _SEVERAL_GAMES.search(text):
            spans.append((match.start(), stop))
    return spans


_ABOUT = re.compile(
    r"(?<![^ ])(?:under|over|nearly|almost|about|around|roughly|surpass\w*|cracked?|crack|below|above|than"
    r"|approximately|at least|exceed\w*|reach\w*|close to|mere|topp(?:ed|ing)|eclips\w+) $"
)


def _about(text: str, statement: Statement) -> bool:
    """Return whether a number is only near what is meant: "just under 39 percent"."""
    return bool(_ABOUT.search(text, max(0, statement.start - 30), statement.start))


def _within(statement: Statement, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= statement.start < end for start, end in spans)


def _moved_outside(statement: Statement) -> Statement:
    if statement.reason == OTHER_GAMES:
        return statement
    return Statement(
        statement.start, statement.end, statement.value, "outside", reason=OTHER_GAMES
    )
