"""What words in a basketball report claim that the table decides: who won, led, or had most."""

import re
from collections.abc import Iterator, Sequence

from longsum.tables.checks.checked_words import (
    BEFORE_OBJECT,
    WON,
    claim,
    masked,
    named_at,
    number_of,
    other_team,
    player_at,
    points_of_both,
    short,
    team_at,
)
from longsum.tables.checks.checking import Claim
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_rules import DOUBLE_FIGURES
from longsum.tables.games.game_words import NOUNS
from longsum.tables.matching.matcher import ReadSentence, Relation
from longsum.tables.matching.spoken_numbers import NUMBER
from longsum.tables.table import Entity, Table

_COUNTED = ("PTS", "REB", "AST", "STL", "BLK")
_KINDS = {"double": 2, "triple": 3}
_SCORE = rf"{NUMBER} (?:- |to ){NUMBER}"
_LOSS = rf"(?:los(?:t|es|ing)|f[ae]ll(?:s|ing)?|succumb(?:ed|s|ing)?)(?: {_SCORE})? (?:to|against)"
_OUTCOME = re.compile(
    rf"(?<![^ ])(?:(?P<won>{WON}|(?:win|victory|triumph) (?:over|against))"
    rf"|(?P<lost>{_LOSS}|(?:was|were) {WON} by|(?:loss|defeat|setback) (?:to|against))"
    rf"|(?P<lost_to>(?:loss|defeat|setback) at the hands of)) {BEFORE_OBJECT}(?P<object>T+)"
    r"|(?<!have )(?<!has )(?<!had )(?<!now )(?<![^ ])"
    r"(?:(?P<won_it>won|prevail\w*|triumphed)|(?P<lost_it>lost|fell))(?= [.,]|$"
    rf"| (?:the game )?{_SCORE})(?!(?: ,)? {_SCORE} (?:in|after|at|during|on) (?:the|half))"
)
_OTHER_GAME = re.compile(
    r"(?<![^ ])(?:coming off|came|comes|checked|entered|last|previous|earlier|since|straight|after"
    r"|consecutive|not|n ' t|would|could|if|snap\w*)(?![^ ])"
)
_MORE = (
    r"pull(?:ed|s|ing) away|out(?: - )?(?:scor|reb)\w+|led|leads?|leading|w[io]n(?:ning|s)?|more"
    r"|ahead|edged"
)
_LESS = r"trail\w*|los(?:t|e|es|ing)|fewer|behind|w(?:as|ere) out(?: - )?(?:scor|reb)\w+"
_LEVEL = r"level|as many|tied|even|drew"
_DIRECTION = re.compile(
    rf"(?<![^ ])(?:(?P<less>{_LESS})|(?P<more>{_MORE})|(?P<level>{_LEVEL}))(?![^ ])"
    r"(?! by P| the way)"
)
_DOUBLE = re.compile(r"(?<!near )(?<!shy of a )(?<!short of a )(double|triple) - double(?!s)")
_FIGURES = r"double (?:- )?(?:figures|digits)"
_BENCH = re.compile(r"(?:off|from) (?:the|their|its) (bench)|(reserve) role|in (reserve)(?! role)")
_LED_BENCH = re.compile(r"(led|paced) the (?:T+ )?(?:bench|second unit|reserves)")
_LED = re.compile(
    r"(?<!T)T+(?: \( [^()]*\))? (?:was|were) (?P<passive>led|paced) by (?!the (?:duo|pair|trio))"
    r"[^,.;]{0,40}?P+"
    r"|(?:(?<!P)P+|he|who) (?P<verb>led|paced) "
    r"(?:the way|(?:the team|the squad|(?:the )?T+(?!T))(?: and (?P<both>all scorers))?"
    r"|(?P<all>all scorers|all players|everyone|the game))(?! with the)(?P<scoring> in scoring)?"
)
_IN_WHAT_ELSE = re.compile(r" (?:with|in) (?:\S+ ){0,3}(?:rebound|assist|steal|block|board|minute)")
_ONLY_OTHER = re.compile(
    rf"(only other) (?:T+ )?(starter|player) (?:\w+ ){{0,2}}(?:in|to \w+|with) {_FIGURES}"
)
_HIGH = re.compile(
    rf"((game|team)(?: -)? high) (?:of )?(?P<number>{NUMBER}) (?:- )?(?:{'|'.join(NOUNS.values())})"
)
_RESULT = re.compile(
    rf"(?:in|of) (?:the|a|their) (?:(?:{_SCORE}|{NUMBER} - point|\w+) )?"
    r"(win|victory|loss|defeat)(?= [.,;]|$)"
)
_SIDE = re.compile(r"(?<![^ ])(host|visiting) (T+)")
_POSITION = re.compile(
    r"(?<![^ ])(?P<starting>starting )?(?:(?P<letter>[gfc])(?:uard|orward|enter) )?(?P<player>P+)"
)
_OVERTIME = re.compile(r"(?:in|force[ds]?|needed) (overtime)(?![^ ])")
_COMEBACK = re.compile(
    rf"(?<![^ ])(?:rall(?:ied|ies) past|c[ao]mes? from behind to (?:beat|defeat)) {BEFORE_OBJECT}T+"
)
FELLOWS = 2
"""How many are in double figures where one is "the only other"."""


def outcomes(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield words by which a team is said to have won or lost, over whom or alone."""
    text = masked(read)
    for match in _OUTCOME.finditer(text):
        word = str(next(name for name, found in match.groupdict().items() if found))
        team = team_at(read, table, match.start())
        other = named_at(read, match.start("object")).entity if match["object"] else None
        both = points_of_both(table, team) if team else None
        if not both or team is None or team == other or both[0] == both[1]:
            continue
        if word[:4] in ("lost", "won_") and _OTHER_GAME.search(text, 0, match.start()):
            continue
        winner = team if both[0] > both[1] else other_team(table, team) or ""
        message = (
            f"The table has the {short(table, winner)} as winners, {max(both):g} to {min(both):g}."
        )
        right = (winner == team) == word.startswith("won")
        yield claim(read, match.span(), match.span(word), right, message, compares=True)


def comebacks(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "rallied past" of a team that was behind when a quarter ended, or that has lost."""
    for match in _COMEBACK.finditer(masked(read)):
        team = team_at(read, table, match.start())
        other = other_team(table, team) if team else None
        both = points_of_both(table, team) if team else None
        if team is None or other is None or both is None or both[0] == both[1]:
            continue
        behind = False
        for quarters in range(1, 4):
            names = [f"TEAM-PTS_QTR{number}" for number in range(1, quarters + 1)]
            mine, theirs = (number_of(table, each, names) for each in (team, other))
            behind |= mine is not None and theirs is not None and mine < theirs
        if behind or both[0] < both[1]:
            message = f"The table has the {short(table, other)} as winners."
            place = match.span()
            yield claim(read, place, place, both[0] > both[1], message, compares=True)


def comparisons(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "led", "trailed", "more" and "fewer" before two numbers of two teams."""
    text = masked(read)
    for relation in read.relations:
        # Of numbers that are wrong nothing follows.
        if relation.form != "pair" or relation.types == ("TEAM-PTS",):
            continue
        if relation.has != relation.value:
            continue
        end = next(
            place for place in range(len(text)) if read.words.after(place) == relation.span[0]
        )
        found = list(_DIRECTION.finditer(text, max(0, text.rfind(";", 0, end)), end))
        team = team_at(read, table, found[-1].start()) if found else None
        other = other_team(table, team) if team else None
        if team is None or other is None:
            continue
        mine, theirs = (number_of(table, each, relation.types) for each in (team, other))
        if mine is not None and theirs is not None:
            word = str(found[-1].lastgroup)
            right = {"more": mine > theirs, "less": mine < theirs, "level": mine == theirs}[word]
            message = f"The table has {mine:g} of the {short(table, team)} to {theirs:g}."
            place = found[-1].span()
            yield claim(read, place, place, right, message, compares=True)


def doubles(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield double-doubles and triple-doubles."""
    for match in _DOUBLE.finditer(masked(read)):
        player = player_at(read, match.start())
        if player is None or table.entity(player) is None:
            continue
        values = [number_of(table, player, (f"PLAYER-{stat}",)) or 0 for stat in _COUNTED]
        reached = sum(value >= DOUBLE_FIGURES for value in values)
        often = ("never", "once", "twice", "three times", "four times", "five times")[reached]
        message = f"The table has {player} in double figures {often}."
        yield claim(read, match.span(), match.span(), reached >= _KINDS[match[1]], message)


def double_figures(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "double figures", which are ten points or more."""
    text = masked(read)
    for match in re.finditer(_FIGURES, text):
        # "No other starter scored in double figures" is about nobody.
        if "P" not in text[: match.start()] and re.search(r"(?:no|players|starters?) ", text):
            continue
        player = player_at(read, match.start())
        points = number_of(table, player, ("PLAYER-PTS",)) if player else None
        if points is not None:
            message = f"The table has {player} with {points:g} points."
            yield claim(read, match.span(), match.span(), points >= DOUBLE_FIGURES, message)


def bench(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield words that put a player on the bench."""
    for match in _BENCH.finditer(masked(read)):
        player = player_at(read, match.start())
        if player:
            message = f"The table has {player} as a starter."
            place = match.span(match.lastindex or 0)
            yield claim(read, match.span(), place, not _started(table, player), message)


def leaders(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "led" of the player with most points of the game, the team, or its substitutes."""
    text = masked(read)
    for match in _LED_BENCH.finditer(text):
        player = player_at(read, match.start())
        fellows = [each for each in _team_of(table, player) if not _started(table, each)]
        yield from _most(read, match.span(), match.span(1), player, fellows, table)
    for match in _LED.finditer(text):
        if _IN_WHAT_ELSE.match(text, match.end()):
            continue
        word = "passive" if match["passive"] else "verb"
        # What "led" says of a team in scoring is a matter of names, for `top_scorers`.
        if match["scoring"] and not match["all"] and _is_name(text, match.start()):
            continue
        player = player_at(read, match.end())
        everyone = bool(match["all"] or match["both"])
        fellows = _players(table) if everyone else _team_of(table, player)
        yield from _most(read, match.span(), match.span(word), player, fellows, table)


def highs(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "game-high" and "team-high" counts of players."""
    for match in _HIGH.finditer(masked(read)):
        start = read.words.span(*match.span("number"))[0]
        held = next((each for each in read.relations if each.span[0] == start), None)
        if held and held.types and held.types[0].startswith("PLAYER") and held.entities:
            player = held.entities[-1]
            fellows = _team_of(table, player) if match[2] == "team" else _players(table)
            yield from _most(read, match.span(), match.span(1), player, fellows, table, held)


def only_others(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "only other" of players of a team in double figures."""
    for match in _ONLY_OTHER.finditer(masked(read)):
        player = player_at(read, match.start())
        fellows = [
            each
            for each in _team_of(table, player)
            if (number_of(table, each, ("PLAYER-PTS",)) or 0) >= DOUBLE_FIGURES
            and (match[2] == "player" or _started(table, each))
        ]
        message = f"The table has {len(fellows)} in double figures: {', '.join(fellows)}."
        yield claim(read, match.span(), match.span(1), len(fellows) <= FELLOWS, message)


def results(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "in the win" and "in the loss" of the team that is spoken of, or of a player's."""
    for match in _RESULT.finditer(masked(read)):
        entity = table.entity(player_at(read, match.start()) or "")
        team = entity.of if entity else None
        both = points_of_both(table, team) if team else None
        if both and team and both[0] != both[1]:
            winner = team if both[0] > both[1] else other_team(table, team) or ""
            message = f"The table has the {short(table, winner)} as winners."
            right = (winner == team) == (match[1] in ("win", "victory"))
            yield claim(read, match.span(), match.span(1), right, message)


def sides(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "host" and "visiting" before a team."""
    for match in _SIDE.finditer(masked(read)):
        team = table.entity(named_at(read, match.start(2)).entity or "")
        if team and team.side:
            message = f"The table has the {short(table, team.name)} as the {team.side} team."
            right = (team.side == "home") == (match[1] == "host")
            yield claim(read, match.span(1), match.span(1), right, message)


def positions(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "starting", and the position of those who started, before a player."""
    for match in _POSITION.finditer(masked(read)):
        player = named_at(read, match.start("player")).entity or ""
        record = table.record(player, types.POSITION.name)
        said = match["starting"] or match["letter"]
        right = record and not record.missing and match["letter"] in (None, record.value.lower())
        if said and right:
            yield Claim((match.start(), match.start("player") - 1), None)


def overtime(read: ReadSentence, table: Table) -> Iterator[Claim]:
    """Yield "in overtime"."""
    for match in _OVERTIME.finditer(masked(read)):
        quarters = [f"TEAM-PTS_QTR{number}" for number in range(1, 5)]
        teams = [each.name for each in table.of_kind("team")]
        played = [number_of(table, each, quarters) for each in teams]
        scored = [number_of(table, each, ("TEAM-PTS",)) for each in teams]
        if None not in (*played, *scored):
            right = len(set(played)) == 1 and played != scored
            message = "The table has no points outside the four quarters."
            yield claim(read, match.span(), match.span(1), right, message)


CLAIMS = (
    outcomes,
    comebacks,
    comparisons,
    doubles,
    double_figures,
    bench,
    leaders,
    highs,
    only_others,
    results,
    sides,
    positions,
    overtime,
)
"""All that words can claim; where two flag the same words, the first one's flag is kept."""


def _most(
    read: ReadSentence,
    place: tuple[int, int],
    marked: tuple[int, int],
    player: str | None,
    fellows: Sequence[str],
    table: Table,
    held: Relation | None = None,
) -> Iterator[Claim]:
    """Yield the claim that no other player has more than one, of points or what a number counts."""
    what = held.types if held else ("PLAYER-PTS",)
    mine = number_of(table, player, what) if player else None
    scores = {each: number_of(table, each, what) or 0 for each in fellows}
    best = max(scores, key=lambda name: scores[name], default=None)
    if mine is not None and best:
        noun = next(each.phrase for each in table.types if each.name == what[0])
        counted = noun.removeprefix("player ")
        message = f"The table gives {best} {scores[best]:g} for {counted}, {player} {mine:g}."
        yield claim(read, place, marked, scores[best] <= mine, message)


def _is_name(text: str, place: int) -> bool:
    return text[place] == "P"


def _started(table: Table, player: str) -> bool:
    record = table.record(player, types.POSITION.name)
    return record is not None and not record.missing


def _players(table: Table) -> list[str]:
    return [each.name for each in table.of_kind("player")]


def _team_of(table: Table, player: str | None) -> list[str]:
    """Return the players of a player's team."""
    entity: Entity | None = table.entity(player or "")
    return [each.name for each in table.of_kind("player") if entity and each.of == entity.of]
