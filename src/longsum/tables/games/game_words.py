"""The words of basketball reports: periods, kinds of shots, and what is counted.

All patterns are of the `text` of `PlainWords`.
"""

import re
from collections.abc import Sequence

from longsum.tables.matching.mentions import Mention, Types
from longsum.tables.matching.spoken_numbers import NUMBER

NOUNS = {
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
"""What is counted, by the column of Rotowire; the more special words first."""

DEEP = (
    r"(?:three|3) - point|(?:three|3) pt|threes?\b|3s\b|trey|beyond the arc|behind the line"
    r"|(?:behind|outside|from) the arc|long range|long distance|downtown|deep\b|distance|perimeter"
)
FREE = r"free - throw|free throw|foul line|charity|stripe|the line\b|\bft\b"
FIELD = r"field|floor|shots|shooting|attempts|clip|looks"

_OF_TEAMS = {"PTS": "PTS", "REB": "REB", "AST": "AST", "TO": "TOV"}
_OF_TEAMS |= {share: share for share in ("FG_PCT", "FG3_PCT", "FT_PCT")}
_QUARTERS = tuple(f"TEAM-PTS_QTR{quarter}" for quarter in range(1, 5))
_PART = r"(?:quarter|period|frame)"
_PERIODS = (
    (r"(?:second and third|middle two) (?:quarters|periods)", _QUARTERS[1:3]),
    (r"(?:final|last|next) three (?:quarters|periods)", _QUARTERS[1:]),
    (r"(?:first|after) three (?:quarters|periods)", _QUARTERS[:3]),
    (r"(?:final|last) two (?:quarters|periods)", _QUARTERS[2:]),
    (
        rf"(?:first|opening|1 st) {_PART}|after one {_PART}|after (?:12|twelve) minutes",
        _QUARTERS[:1],
    ),
    (rf"(?:second|2 nd) {_PART}", _QUARTERS[1:2]),
    (rf"(?:third|3 rd) {_PART}", _QUARTERS[2:3]),
    (rf"(?:fourth|final|4 th) {_PART}|final (?:12|twelve) minutes", _QUARTERS[3:]),
    (r"(?:first|opening|1 st) half|(?:before|at) the (?:half|break)|halftime", _QUARTERS[:2]),
    (r"(?:second|2 nd) half|after the break|final (?:24|twenty - four) minutes", _QUARTERS[2:]),
    (r"first(?= \d)", _QUARTERS[:1]),
    (r"second(?= [\d,])", _QUARTERS[1:2]),
    (r"third(?= [\d,])", _QUARTERS[2:3]),
    (r"fourth(?! (?:straight|consecutive|on|of|in))", _QUARTERS[3:]),
)
_EACH_PERIOD = "|".join(f"(?P<p{place}>{words})" for place, (words, _) in enumerate(_PERIODS))
_PERIOD = re.compile(rf"(?<![^ ])(?:{_EACH_PERIOD})(?![^ ])")
_NEXT_NUMBER = re.compile(rf"(?<![^ ]){NUMBER}(?! minutes)(?![^ ])")
# How far after a number its period may begin although another number is between.
_NEAR = 25
# How far around a number a period is looked for, so that time is linear in the text.
_WINDOW = 400


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


def types_of(stat: str) -> Types:
    """Return the record types of a column, of players and of teams."""
    of_team = {"team": (f"TEAM-{_OF_TEAMS[stat]}",)} if stat in _OF_TEAMS else {}
    return {"player": (f"PLAYER-{stat}",), **of_team}


def period_spans(text: str) -> list[tuple[tuple[str, ...], int, int]]:
    """Return where a sentence is about which quarters."""
    return [(_quarters(match), *match.span()) for match in _PERIOD.finditer(text)]


def period_types(text: str, start: int, end: int) -> tuple[str, ...]:
    """Return the quarters that the words around a number refer to; none for the whole game.

    Words right before it take precedence, then those after it, then earlier ones.
    """
    periods = list(_PERIOD.finditer(text, max(0, start - _WINDOW), end + _WINDOW))
    before = [each for each in periods if each.end() <= start]
    if before and before[-1].end() == start - 1:
        return _quarters(before[-1])
    # A period right before another number belongs to that one.
    later = (each for each in periods if each.start() >= end)
    after = next(
        (each for each in later if not text[each.end() + 1 : each.end() + 2].isdigit()), None
    )
    stop = _NEXT_NUMBER.search(text, end)
    if after and (not stop or stop.start() > after.start() or after.start() - end < _NEAR):
        return _quarters(after)
    return _quarters(before[-1]) if before else ()


def zone_of(text: str) -> str:
    """Return the kind of shots that words refer to: `FG3`, `FT`, or `FG` by default."""
    return "FG3" if re.search(DEEP, text) else "FT" if re.search(FREE, text) else "FG"


def zones_in(text: str) -> list[str]:
    """Return the kinds of shots that a text names, in order, each once."""
    found = re.finditer(rf"{DEEP}|{FREE}|(?:field|floor)\b", text)
    return list(dict.fromkeys(zone_of(match[0]) for match in found))


def _quarters(match: re.Match[str]) -> tuple[str, ...]:
    return _PERIODS[int(str(match.lastgroup)[1:])][1]
