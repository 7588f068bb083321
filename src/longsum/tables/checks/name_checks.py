"""Checks of the names and days in a basketball report."""

import re
from calendar import day_name
from collections.abc import Iterator

from longsum.language.numerals import numerals
from longsum.tables.checks.checked_words import (
    BEFORE_OBJECT,
    WON,
    flag,
    masked,
    named_at,
    number_of,
    other_team,
    renamed,
    short,
)
from longsum.tables.checks.checking import Flag
from longsum.tables.checks.word_checks import outcomes
from longsum.tables.games.game_words import period_types
from longsum.tables.matching.matcher import ReadSentence, Relation
from longsum.tables.matching.subjects import Named
from longsum.tables.table import Table

LEAST_ALIKE = 2
"""Fewest numbers of somebody else by which a name is taken to be wrong."""
OTHER_GAMES = "The table has nothing about other games."

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


def opponents(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield teams that play against themselves: "the Hawks defeated the Hawks".

    The second name is wrong if the first team had more points, in the quarter that is meant, else
    the first.
    """
    text = masked(read)
    for match in _SELF.finditer(text):
        one, two = named_at(read, match.start(1)), named_at(read, match.start(2))
        other = other_team(table, one.entity or "")
        if one.entity != two.entity or one.entity is None or other is None:
            continue
        scored = re.search(_MORE, match[0])
        types = period_types(text, match.end(), match.end()) if scored else ()
        types = types or ("TEAM-PTS",)
        mine, theirs = number_of(table, one.entity, types), number_of(table, other, types)
        if mine is not None and theirs is not None:
            wrong = two if mine >= theirs else one
            message = (
                f"The other team, the {short(table, other)}, had {theirs:g} points to {mine:g}."
            )
            instead = renamed(read, table, wrong, other)
            yield flag("name", read, (wrong.start, wrong.end), message, instead=instead)


def leaders_teams(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield teams led by a player of the other: "Hayward led the way for the Grizzlies"."""
    text = masked(read)
    for pattern in _LEADERS:
        for match in pattern.finditer(text):
            player, team = named_at(read, match.start("p")), named_at(read, match.start("t"))
            entity = table.entity(player.entity or "")
            if entity and entity.of and team.entity and entity.of != team.entity:
                message = f"The table has {entity.name} with the {short(table, entity.of)}."
                instead = renamed(read, table, team, entity.of)
                yield flag("name", read, (team.start, team.end), message, instead=instead)


def absent_players(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield players who are said to have done something, and did not play."""
    for each in read.named:
        records = [table.records[index] for index in table.of_entity(each.entity or "")]
        numbers = [record for record in records if record.type.name.startswith("PLAYER-")]
        missing = [record.missing for record in numbers if record.type.kind == "number"]
        if each.object or not missing or not all(missing):
            continue
        mine = _numbers_behind(each, read)
        if mine:
            message = f"The table has no numbers of {each.entity}, who did not play."
            yield flag(
                "name", read, (each.start, each.end), message, explains=[one.span for one in mine]
            )


def misnamed(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield names beside which the numbers of somebody else stand: the name is wrong, not they."""
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
            for other in table.of_kind(each.kind)
            if other.name != each.entity
            and all(number_of(table, other.name, one.types) == one.value for one in mine)
        ]
        if len(owners) == 1:
            message = f"The table has these numbers for {short(table, owners[0])}."
            instead = renamed(read, table, each, owners[0]) if each.kind == "team" else None
            place = (each.start, each.end)
            explains = [one.span for one in mine]
            yield flag("name", read, place, message, explains=explains, instead=instead)


def misrecorded(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield teams with the other's wins and losses that are also named twice, or did not win.

    Where nothing else tells against the name, the numbers are wrong: so people mark them.
    """
    named = [each.entity for each in read.named if each.kind == "team" and not each.pronoun]
    results = [claim.flag.span for claim in outcomes(read, table) if claim.flag]
    for each in read.named:
        other = other_team(table, each.entity or "")
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
        theirs = [number_of(table, other, one.types) for one in record]
        right = theirs == [one.value for one in record] != [one.has for one in record]
        if len(record) == len(("wins", "losses")) and right and (again or results):
            message = f"The table has this record for the {short(table, other)}."
            instead = renamed(read, table, each, other)
            explains = [*(one.span for one in record), *results]
            place = (each.start, each.end)
            yield flag("name", read, place, message, explains=explains, instead=instead)


def top_scorers(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield players who are said to lead their team in scoring, and do not."""
    for match in _TOP.finditer(masked(read)):
        player = named_at(read, match.start(1))
        entity = table.entity(player.entity or "")
        if entity is None or entity.of is None:
            continue
        teams = (each.entity for each in read.named if match.start(1) < each.start < match.end())
        if next(teams, entity.of) != entity.of:
            continue
        scores = {
            each.name: number_of(table, each.name, ("PLAYER-PTS",)) or 0
            for each in table.of_kind("player")
            if each.of == entity.of
        }
        best = max(scores, key=lambda name: scores[name])
        if scores[best] > scores[entity.name]:
            team = short(table, entity.of)
            message = f"{best} led the {team} in scoring, with {scores[best]:g} points."
            yield flag("name", read, (player.start, player.end), message)


def other_names(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield names that the table does not have, and opponents in games that it does not have."""
    del table
    text = masked(read)
    ahead = _AHEAD.search(text)
    for each in read.named:
        place = (each.start, each.end)
        if each.pronoun:
            continue
        if each.entity is None:
            yield flag("name", read, place, f"The table has no {each.name}.", "absent")
        elif each.kind == "team" and each.object and ahead and not _says_score(read):
            before = text[max(0, each.start - 45) : each.start]
            if ahead.start() < each.start and _AGAINST.search(before):
                yield flag("name", read, place, OTHER_GAMES, "absent")


def days(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield days of the week on which the game was not played, and days of other games."""
    if table.date is None:
        return
    source = read.words.source
    played = day_name[table.date.weekday()]
    ahead = _AHEAD.search(masked(read)) and not _says_score(read)
    for kind, start, end in numerals(source):
        saw = source[start:end]
        if kind != "date" or saw not in tuple(day_name):
            continue
        if ahead:
            yield Flag("name", "absent", read.number, (start, end), saw, OTHER_GAMES)
        elif saw != played:
            message = f"The table has the game on a {played}."
            yield Flag("name", "otherwise", read.number, (start, end), saw, message, played)


def _says_score(read: ReadSentence) -> bool:
    return any(each.form == "pair" and each.types == ("TEAM-PTS",) for each in read.relations)


def _numbers_behind(name: Named, read: ReadSentence) -> list[Relation]:
    """Return the values that a sentence gives to a name until it names somebody else."""
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
