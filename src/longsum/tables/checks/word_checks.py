"""Claims in words that the table of a game decides: who won, led, or had most."""

import re
from collections.abc import Iterator, Sequence

from longsum.tables.checks.checked_words import BEFORE_OBJECT, WON, GameSentence
from longsum.tables.checks.checking import Claim
from longsum.tables.games import rotowire_types as types
from longsum.tables.games.game_rules import DOUBLE_FIGURES
from longsum.tables.games.game_story import QUARTERS
from longsum.tables.games.game_words import NOUNS
from longsum.tables.matching.matcher import Relation
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.spoken_numbers import NUMBER

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
"""How many players are in double figures when one is "the only other"."""


def outcomes(sentence: GameSentence) -> Iterator[Claim]:
    """Yield words that say that a team won or lost, with or without its opponent."""
    text = sentence.text
    for match in _OUTCOME.finditer(text):
        word = str(next(name for name, found in match.groupdict().items() if found))
        team = sentence.team_at(match.start())
        other = sentence.named_at(match.start("object")).entity if match["object"] else None
        won = sentence.winner(team)
        if won is None or team == other:
            continue
        if word[:4] in ("lost", "won_") and _OTHER_GAME.search(text, 0, match.start()):
            continue
        winner, most, fewest = won
        message = f"The table has the {sentence.short(winner)} as winners, {most:g} to {fewest:g}."
        right = (winner == team) == word.startswith("won")
        yield sentence.claim(match.span(), match.span(word), right, message, compares=True)


def comebacks(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "rallied past" of a team that was behind when a quarter ended, or that has lost."""
    for match in _COMEBACK.finditer(sentence.text):
        team = sentence.team_at(match.start())
        other, won = sentence.other_team(team), sentence.winner(team)
        if other is None or won is None:
            continue
        behind = False
        for quarters in range(1, len(QUARTERS)):
            mine, theirs = (
                sentence.number_of(each, *QUARTERS[:quarters]) for each in (team, other)
            )
            behind |= mine is not None and theirs is not None and mine < theirs
        if behind or won[0] == other:
            message = f"The table has the {sentence.short(other)} as winners."
            place = match.span()
            yield sentence.claim(place, place, won[0] == team, message, compares=True)


def comparisons(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "led", "trailed", "more" and "fewer" before two numbers of two teams."""
    text, words = sentence.text, sentence.read.words
    for relation in sentence.read.relations:
        # Nothing follows from wrong numbers.
        if relation.form != "pair" or relation.types == ("TEAM-PTS",):
            continue
        if relation.has != relation.value:
            continue
        end = next(place for place in range(len(text)) if words.after(place) == relation.span[0])
        found = list(_DIRECTION.finditer(text, max(0, text.rfind(";", 0, end)), end))
        team = sentence.team_at(found[-1].start()) if found else None
        other = sentence.other_team(team)
        mine, theirs = (sentence.number_of(each, *relation.types) for each in (team, other))
        if team is not None and mine is not None and theirs is not None:
            word = str(found[-1].lastgroup)
            right = {"more": mine > theirs, "less": mine < theirs, "level": mine == theirs}[word]
            message = f"The table has {mine:g} of the {sentence.short(team)} to {theirs:g}."
            place = found[-1].span()
            yield sentence.claim(place, place, right, message, compares=True)


def doubles(sentence: GameSentence) -> Iterator[Claim]:
    """Yield double-doubles and triple-doubles."""
    for match in _DOUBLE.finditer(sentence.text):
        player = sentence.player_at(match.start())
        if player is None or sentence.table.entity(player) is None:
            continue
        values = [sentence.number_of(player, f"PLAYER-{stat}") or 0 for stat in _COUNTED]
        reached = sum(value >= DOUBLE_FIGURES for value in values)
        often = ("never", "once", "twice", "three times", "four times", "five times")[reached]
        message = f"The table has {player} in double figures {often}."
        yield sentence.claim(match.span(), match.span(), reached >= _KINDS[match[1]], message)


def double_figures(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "double figures", which are ten points or more."""
    text = sentence.text
    for match in re.finditer(_FIGURES, text):
        # "No other starter scored in double figures" is about nobody.
        if "P" not in text[: match.start()] and re.search(r"(?:no|players|starters?) ", text):
            continue
        player = sentence.player_at(match.start())
        points = sentence.number_of(player, "PLAYER-PTS")
        if points is not None:
            message = f"The table has {player} with {points:g} points."
            yield sentence.claim(match.span(), match.span(), points >= DOUBLE_FIGURES, message)


def bench(sentence: GameSentence) -> Iterator[Claim]:
    """Yield words that put a player on the bench."""
    for match in _BENCH.finditer(sentence.text):
        if player := sentence.player_at(match.start()):
            message = f"The table has {player} as a starter."
            place = match.span(match.lastindex or 0)
            yield sentence.claim(match.span(), place, not _started(sentence, player), message)


def leaders(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "led" said of the player with most points in the game, the team, or its substitutes."""
    text = sentence.text
    for match in _LED_BENCH.finditer(text):
        player = sentence.player_at(match.start())
        fellows = [each for each in _team_of(sentence, player) if not _started(sentence, each)]
        yield from _most(sentence, match.span(), match.span(1), player, fellows)
    for match in _LED.finditer(text):
        if _IN_WHAT_ELSE.match(text, match.end()):
            continue
        word = "passive" if match["passive"] else "verb"
        # "Led" a team in scoring is checked by name, in `top_scorers`.
        if match["scoring"] and not match["all"] and text[match.start()] == "P":
            continue
        player = sentence.player_at(match.end())
        everyone = match["all"] or match["both"]
        fellows = _players(sentence) if everyone else _team_of(sentence, player)
        yield from _most(sentence, match.span(), match.span(word), player, fellows)


def highs(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "game-high" and "team-high" counts of players."""
    read = sentence.read
    for match in _HIGH.finditer(sentence.text):
        start = read.words.span(*match.span("number"))[0]
        held = next((each for each in read.relations if each.span[0] == start), None)
        if held and held.types and held.types[0].startswith("PLAYER") and held.entities:
            player = held.entities[-1]
            fellows = _team_of(sentence, player) if match[2] == "team" else _players(sentence)
            yield from _most(sentence, match.span(), match.span(1), player, fellows, held)


def only_other_claims(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "only other" said of players of a team in double figures."""
    for match in _ONLY_OTHER.finditer(sentence.text):
        player = sentence.player_at(match.start())
        fellows = [
            each
            for each in _team_of(sentence, player)
            if (sentence.number_of(each, "PLAYER-PTS") or 0) >= DOUBLE_FIGURES
            and (match[2] == "player" or _started(sentence, each))
        ]
        message = f"The table has {len(fellows)} in double figures: {', '.join(fellows)}."
        yield sentence.claim(match.span(), match.span(1), len(fellows) <= FELLOWS, message)


def results(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "in the win" and "in the loss" said of the subject's team."""
    for match in _RESULT.finditer(sentence.text):
        team = sentence.team_of(sentence.player_at(match.start()))
        if won := sentence.winner(team):
            message = f"The table has the {sentence.short(won[0])} as winners."
            right = (won[0] == team) == (match[1] in ("win", "victory"))
            yield sentence.claim(match.span(), match.span(1), right, message)


def sides(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "host" and "visiting" before a team."""
    for match in _SIDE.finditer(sentence.text):
        team = sentence.table.entity(sentence.named_at(match.start(2)).entity or "")
        if team and team.side:
            message = f"The table has the {sentence.short(team.name)} as the {team.side} team."
            right = (team.side == "home") == (match[1] == "host")
            yield sentence.claim(match.span(1), match.span(1), right, message)


def positions(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "starting", and the position of those who started, before a player."""
    for match in _POSITION.finditer(sentence.text):
        player = sentence.named_at(match.start("player")).entity or ""
        record = sentence.table.record(player, types.POSITION.name)
        said = match["starting"] or match["letter"]
        right = record and not record.missing and match["letter"] in (None, record.value.lower())
        if said and right:
            yield Claim((match.start(), match.start("player") - 1), None)


def overtime(sentence: GameSentence) -> Iterator[Claim]:
    """Yield "in overtime"."""
    for match in _OVERTIME.finditer(sentence.text):
        teams = [each.name for each in sentence.table.of_kind("team")]
        played = [sentence.number_of(each, *QUARTERS) for each in teams]
        scored = [sentence.number_of(each, "TEAM-PTS") for each in teams]
        if None not in (*played, *scored):
            right = len(set(played)) == 1 and played != scored
            message = "The table has no points outside the four quarters."
            yield sentence.claim(match.span(), match.span(1), right, message)


CLAIMS = (
    outcomes,
    comebacks,
    comparisons,
    doubles,
    double_figures,
    bench,
    leaders,
    highs,
    only_other_claims,
    results,
    sides,
    positions,
    overtime,
)
"""All checks of words; if two flag the same words, the first one's flag is kept."""


def _most(
    sentence: GameSentence,
    place: Span,
    marked: Span,
    player: str | None,
    fellows: Sequence[str],
    held: Relation | None = None,
) -> Iterator[Claim]:
    """Yield the claim that no other player has more than one, in points or what a number counts."""
    what = held.types if held else ("PLAYER-PTS",)
    mine = sentence.number_of(player, *what)
    scores = {each: sentence.number_of(each, *what) or 0 for each in fellows}
    best = max(scores, key=lambda name: scores[name], default=None)
    if mine is not None and best:
        noun = next(each.phrase for each in sentence.table.types if each.name == what[0])
        counted = noun.removeprefix("player ")
        message = f"The table gives {best} {scores[best]:g} for {counted}, {player} {mine:g}."
        yield sentence.claim(place, marked, scores[best] <= mine, message)


def _started(sentence: GameSentence, player: str) -> bool:
    record = sentence.table.record(player, types.POSITION.name)
    return record is not None and not record.missing


def _players(sentence: GameSentence) -> list[str]:
    return [each.name for each in sentence.table.of_kind("player")]


def _team_of(sentence: GameSentence, player: str | None) -> list[str]:
    """Return the players of a player's team."""
    team = sentence.team_of(player)
    return [each.name for each in sentence.table.of_kind("player") if team and each.of == team]
