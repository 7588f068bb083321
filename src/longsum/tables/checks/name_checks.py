"""Checks of the names and days in a basketball report."""

import re
from calendar import day_name
from collections.abc import Iterator, Sequence

from longsum.language.numerals import numerals
from longsum.tables.checks.checked_words import BEFORE_OBJECT, WON, GameSentence
from longsum.tables.checks.checking import Flag
from longsum.tables.checks.word_checks import outcomes
from longsum.tables.games.game_words import period_types
from longsum.tables.matching.matcher import ReadSentence, Relation
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.subjects import Named

LEAST_ALIKE = 2
"""Fewest numbers of somebody else for a name to be taken as wrong."""
OTHER_GAMES = "The table has nothing about other games."
_USUAL_GAP = 2
"""Usual days between games of a team. Among the days of next games in the development texts, people
marked 5 of 23 that were two days ahead, and 38 of the other 44."""

_AHEAD = re.compile(
    r"(?<![^ ])(?:next|will|'ll|up next|on deck|await\w*|head(?:s|ing)?|travels?"
    r"|(?<!the )(?<!, )hosts?(?! \w+ing)"
    r"|look(?:s|ing)? to|remain (?:at )?home|home again|return\w*|visits?|plays? (?:again|host)"
    r"|upcoming|'re home|are home|stay\w*|take on|face off"
    r"|before (?:getting|head\w+|travel\w+|return\w+))(?![^ ])"
)
_AGAINST = re.compile(
    r"(?<![^ ])(?:against|host|face|take on|play|visit\w*|with|to|await|versus) (?:the )?$"
)
_MORE = r"out(?: - )?scor\w+"
_RECORD = r"(?: \( [^()]*\))?"
_SELF = re.compile(
    rf"(?<!T)(T+){_RECORD} (?:{WON}|(?:[^ .;T]+ ){{0,14}}?{_MORE}) {BEFORE_OBJECT}(T+)"
)
_LED = r"(?:led|paced|leads|leading)"
_LEADERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<!P)(?P<p>P+) (?:\w+ )?{_LED} (?:the way for )?(?:the )?(?P<t>T+)",
        rf"(?<!T)(?P<t>T+){_RECORD} (?:was|were|are) (?:\w+ )?(?:led|paced) by "
        r"[^,.;]{0,70}?(?P<p>P+)",
        r"(?<!P)(?P<p>P+) (?:\w+ ){0,3}way for (?:the )?(?P<t>T+)",
        r"(?<!P)(?P<p>P+) was (?:the )?[^,.;]{0,40} for (?:the )?(?P<t>T+)",
    )
)
_TOP = re.compile(
    r"(?<!P)(P+) (?:\w+ )?(?:led|paced) (?:the team|the squad|(?:the )?T+) in scoring(?! off)"
)


def opponents(sentence: GameSentence) -> Iterator[Flag]:
    """Yield teams that play against themselves: "the Hawks defeated the Hawks".

    The second name is wrong if the first team had more points in the quarter in question, else the
    first.
    """
    text = sentence.text
    for match in _SELF.finditer(text):
        one, two = (sentence.named_at(match.start(group)) for group in (1, 2))
        other = sentence.other_team(one.entity)
        if one.entity != two.entity or other is None:
            continue
        scored = re.search(_MORE, match[0])
        types = period_types(text, match.end(), match.end()) if scored else ()
        types = types or ("TEAM-PTS",)
        mine, theirs = (sentence.number_of(each, *types) for each in (one.entity, other))
        if mine is not None and theirs is not None:
            name = sentence.short(other)
            message = f"The other team, the {name}, had {theirs:g} points to {mine:g}."
            yield _misnamed(sentence, two if mine >= theirs else one, other, message)


def leaders_teams(sentence: GameSentence) -> Iterator[Flag]:
    """Yield teams led by the other's player: "Hayward led the way for the Grizzlies"."""
    for pattern in _LEADERS:
        for match in pattern.finditer(sentence.text):
            player, team = (sentence.named_at(match.start(group)) for group in "pt")
            own = sentence.team_of(player.entity)
            if own and team.entity and own != team.entity:
                message = f"The table has {player.entity} with the {sentence.short(own)}."
                yield _misnamed(sentence, team, own, message)


def absent_players(sentence: GameSentence) -> Iterator[Flag]:
    """Yield players who are said to have done something, and did not play."""
    table = sentence.table
    for each in sentence.read.named:
        records = [table.records[index] for index in table.of_entity(each.entity or "")]
        numbers = [record for record in records if record.type.name.startswith("PLAYER-")]
        missing = [record.missing for record in numbers if record.type.kind == "number"]
        if each.object or not missing or not all(missing):
            continue
        if mine := _numbers_behind(each, sentence.read):
            message = f"The table has no numbers of {each.entity}, who did not play."
            explains = [one.span for one in mine]
            yield sentence.flag("name", (each.start, each.end), message, explains=explains)


def misnamed(sentence: GameSentence) -> Iterator[Flag]:
    """Yield names with the numbers of somebody else: the name is wrong, not the numbers."""
    read = sentence.read
    for each in read.named:
        if each.entity is None or each.pronoun:
            continue
        mine = _numbers_behind(each, read)
        # Two teams that change places are two pairs of wrong numbers; one that stands for both is
        # a wrong name.
        again = sum(other.entity == each.entity and not other.pronoun for other in read.named) > 1
        if each.kind == "team" and not again:
            continue
        if len(mine) < LEAST_ALIKE or sum(one.value == one.has for one in mine) > len(mine) // 3:
            continue
        owners = [
            other.name
            for other in sentence.table.of_kind(each.kind)
            if other.name != each.entity
            and all(sentence.number_of(other.name, *one.types) == one.value for one in mine)
        ]
        if len(owners) == 1:
            message = f"The table has these numbers for {sentence.short(owners[0])}."
            yield _misnamed(sentence, each, owners[0], message, [one.span for one in mine])


def misrecorded(sentence: GameSentence) -> Iterator[Flag]:
    """Yield teams with the other's wins and losses that are also named twice, or did not win.

    If nothing else contradicts the name, the numbers are wrong, as people mark them.
    """
    read = sentence.read
    named = [each.entity for each in read.named if each.kind == "team" and not each.pronoun]
    results = [claim.flag.span for claim in outcomes(sentence) if claim.flag]
    for each in read.named:
        other = sentence.other_team(each.entity)
        if each.pronoun or other is None or other in named:
            continue
        end = read.words.span(each.start, each.end)[1]
        record = [
            one
            for one in read.relations
            if one.types in (("TEAM-WINS",), ("TEAM-LOSSES",))
            and one.entities == (each.entity,)
            and 0 <= one.span[0] - end < len(" (100 - 100")
        ]
        again = named.count(each.entity) > 1
        theirs = [sentence.number_of(other, *one.types) for one in record]
        right = theirs == [one.value for one in record] != [one.has for one in record]
        if len(record) == len(("wins", "losses")) and right and (again or results):
            message = f"The table has this record for the {sentence.short(other)}."
            explains = [*(one.span for one in record), *results]
            yield _misnamed(sentence, each, other, message, explains)


def top_scorers(sentence: GameSentence) -> Iterator[Flag]:
    """Yield players who are said to lead their team in scoring, and do not."""
    table = sentence.table
    for match in _TOP.finditer(sentence.text):
        player = sentence.named_at(match.start(1))
        own = sentence.team_of(player.entity)
        between = range(match.start(1) + 1, match.end())
        teams = (each.entity for each in sentence.read.named if each.start in between)
        if own is None or player.entity is None or next(teams, own) != own:
            continue
        scores = {
            each.name: sentence.number_of(each.name, "PLAYER-PTS") or 0
            for each in table.of_kind("player")
            if each.of == own
        }
        best = max(scores, key=lambda name: scores[name])
        if scores[best] > scores[player.entity]:
            team = sentence.short(own)
            message = f"{best} led the {team} in scoring, with {scores[best]:g} points."
            yield sentence.flag("name", (player.start, player.end), message)


def unknown_names(sentence: GameSentence) -> Iterator[Flag]:
    """Yield names that are not in the table, and opponents in games that are not in it."""
    text = sentence.text
    ahead = _AHEAD.search(text)
    for each in sentence.read.named:
        place = (each.start, each.end)
        if each.pronoun:
            continue
        if each.entity is None:
            yield sentence.flag("name", place, f"The table has no {each.name}.", "absent")
        elif each.kind == "team" and each.object and ahead and not _says_score(sentence.read):
            before = text[max(0, each.start - 45) : each.start]
            if ahead.start() < each.start and _AGAINST.search(before):
                yield sentence.flag("name", place, OTHER_GAMES, "absent")


def days(sentence: GameSentence) -> Iterator[Flag]:
    """Yield days of the week on which the game was not played, and days of other games."""
    read, table = sentence.read, sentence.table
    if table.date is None:
        return
    played = day_name[table.date.weekday()]
    ahead = _AHEAD.search(sentence.text) and not _says_score(read)
    for kind, start, end in numerals(read.words.source):
        saw = read.words.source[start:end]
        if kind != "date" or saw not in tuple(day_name):
            continue
        if ahead:
            if saw == day_name[(table.date.weekday() + _USUAL_GAP) % 7]:
                continue
            yield Flag("name", "absent", read.number, (start, end), saw, OTHER_GAMES)
        elif saw != played:
            message = f"The table has the game on a {played}."
            yield Flag("name", "otherwise", read.number, (start, end), saw, message, played)


NAME_CHECKS = (
    misrecorded,
    opponents,
    absent_players,
    leaders_teams,
    misnamed,
    top_scorers,
    unknown_names,
    days,
)
"""If two flag the same words, the first one's flag is kept."""


def _misnamed(
    sentence: GameSentence, name: Named, right: str, message: str, explains: Sequence[Span] = ()
) -> Flag:
    """Return the flag of a name that should be another one."""
    instead = sentence.renamed(name, right) if name.kind == "team" else None
    return sentence.flag(
        "name", (name.start, name.end), message, explains=explains, instead=instead
    )


def _says_score(read: ReadSentence) -> bool:
    return any(each.form == "pair" and each.types == ("TEAM-PTS",) for each in read.relations)


def _numbers_behind(name: Named, read: ReadSentence) -> list[Relation]:
    """Return the values that a sentence gives for a name before it names somebody else."""
    later = [each.start for each in read.named if each.start > name.start and not each.pronoun]
    start = read.words.span(name.start, name.end)[1]
    end = read.words.after(later[0]) if later else len(read.words.source)
    return [
        one
        for one in read.relations
        if start <= one.span[0] < end
        and one.entities == (name.entity,)
        and one.form == "value"
        and one.types[0] not in ("TEAM-WINS", "TEAM-LOSSES")
    ]
