"""Checks of a basketball report beside its numbers: names, days, and words the table decides."""

import re
from collections.abc import Iterator, Sequence

from longsum.language.numerals import numerals
from longsum.tables.checking import Check, Flag, Ground, Kind
from longsum.tables.game_words import mask, period_types
from longsum.tables.matcher import ReadSentence, Relation
from longsum.tables.mentions import Mention
from longsum.tables.subjects import Named
from longsum.tables.table import Table

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_NEXT = re.compile(
    r"(?<![^ ])(?:next|will|'ll|up next|on deck|await\w*|head(?:s|ing)?|travels?|hosts?(?! \w+ing)|look(?:s|ing)? to"
    r"|remain (?:at )?home|home again|return\w*|visits?|plays? (?:again|host)|upcoming|'re home|are home|stay\w*"
    r"|take on|face off|before (?:getting|head\w+|travel\w+|return\w+))(?![^ ])"
)
_WON = r"(?:defeat(?:ed|s)?|beat|beats|knock(?:ed|s) off|topp(?:ed|s)|upset|edged|blew out|rout(?:ed|s)|down(?:ed|s)|held off|outlast(?:ed|s)|cruised past|ran past)"
_MORE = r"out - ?scor\w+|outscor\w+"
LEAST_ALIKE = 2
"""Fewest numbers of somebody else by which a name is taken to be wrong."""
_DOUBLE = ("PTS", "REB", "AST", "STL", "BLK")


def game_checks() -> tuple[Check, ...]:
    """Return all checks of this module, the surest first."""
    return (
        opponents,
        absent_players,
        leaders_teams,
        misnamed,
        top_scorers,
        other_names,
        days,
        winners,
        doubles,
        double_figures,
        bench,
    )


def _flag(
    kind: Kind,
    number: int,
    read: ReadSentence,
    start: int,
    end: int,
    message: str,
    ground: Ground = "otherwise",
    explains: Sequence[Relation] = (),
) -> Flag:
    return Flag(
        kind,
        ground,
        number,
        read.words.span(start, end),
        read.words.at(start, end),
        message,
        explains=tuple(relation.span for relation in explains),
    )


def masked(read: ReadSentence) -> str:
    """Return the words of a sentence with capital letters for its names; see `mask`."""
    mentions = [
        Mention(each.start, each.end, (each.entity,) if each.entity else (), each.kind)
        for each in read.named
        if not each.pronoun
    ]
    return mask(read.words.text, mentions)


def _at(read: ReadSentence, start: int) -> Named:
    return next(each for each in read.named if each.start == start)


def _short(table: Table, name: str) -> str:
    entity = table.entity(name)
    return entity.aliases[0] if entity and entity.kind == "team" and entity.aliases else name


def _points(table: Table, name: str, types: Sequence[str] = ("TEAM-PTS",)) -> float | None:
    numbers = [record.number for type_ in types if (record := table.record(name, type_))]
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(types) else None


def _other(table: Table, team: str) -> str | None:
    return next((each.name for each in table.of_kind("team") if each.name != team), None)


def opponents(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Teams that play against themselves: "the Hawks defeated the Hawks"."""
    text = masked(read)
    for match in re.finditer(rf"(T+)(?: \( [^)]*\))? (?:{_WON}|(?:[^ .;T]+ ){{0,14}}?(?:{_MORE})) (?:(?:the|host|visiting) )*(T+)", text):
        one, two = _at(read, match.start(1)), _at(read, match.start(2))
        if one.entity is None or one.entity != two.entity:
            continue
        quarters = period_types(text, match.end(), match.end()) if re.search(_MORE, match[0]) else ()
        types = quarters or ("TEAM-PTS",)
        other = _other(table, one.entity)
        mine, theirs = _points(table, one.entity, types), other and _points(table, other, types)
        if other is None or mine is None or theirs is None or isinstance(theirs, str):
            continue
        wrong = two if mine >= theirs else one
        message = f"The {_short(table, other)} were the other team, and had {theirs:g} points to {mine:g}."
        yield _flag("name", number, read, wrong.start, wrong.end, message)


def leaders_teams(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Players who lead the other team: "Hayward led the way for the Grizzlies"."""
    text = masked(read)
    patterns = (
        r"(?P<p>P+) (?:\w+ )?(?:led|paced|leads|leading) (?:the way for )?(?:the )?(?P<t>T+)",
        r"(?P<t>T+)(?: \( [^)]*\))? (?:was|were|are) (?:\w+ )?(?:led|paced) by [^,.;]{0,70}?(?P<p>P+)",
        r"(?P<p>P+) (?:\w+ ){0,3}way for (?:the )?(?P<t>T+)",
        r"(?P<p>P+) was (?:the )?[^,.;]{0,40} for (?:the )?(?P<t>T+)",
    )
    for pattern in patterns:
        for match in re.finditer(pattern, text):
            player, team = _at(read, match.start("p")), _at(read, match.start("t"))
            entity = table.entity(player.entity or "")
            if entity and entity.of and team.entity and entity.of != team.entity:
                message = f"The table has {entity.name} with the {_short(table, entity.of)}."
                yield _flag("name", number, read, team.start, team.end, message)


def absent_players(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Players who are said to have done something, and did not play."""
    for each in read.named:
        record = table.record(each.entity or "", "PLAYER-MIN")
        if record is None or not record.missing or each.object:
            continue
        mine = _numbers_behind(each, read)
        if mine:
            message = f"The table has no numbers of {each.entity}, who did not play."
            yield _flag("name", number, read, each.start, each.end, message, explains=mine)


def misnamed(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Names beside which the numbers of somebody else stand: the name is wrong, not all of them."""
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
            and all(_points(table, other.name, one.types) == one.value for one in mine)
        ]
        if len(owners) == 1:
            message = f"The table has these numbers for {_short(table, owners[0])}."
            yield _flag("name", number, read, each.start, each.end, message, explains=mine)


def _numbers_behind(name: Named, read: ReadSentence) -> list[Relation]:
    """Return the values that a sentence gives to a name until it names somebody else."""
    later = [each.start for each in read.named if each.start > name.start and not each.pronoun]
    end = read.words.span(*_word_at(read, later[0]))[0] if later else len(read.words.source)
    start = read.words.span(name.start, name.end)[1]
    return [
        one
        for one in read.relations
        if start <= one.span[0] < end
        and one.entities == (name.entity,)
        and one.form == "value"
        and one.types[0] not in ("TEAM-WINS", "TEAM-LOSSES")
    ]


def _word_at(read: ReadSentence, start: int) -> tuple[int, int]:
    named = _at(read, start)
    return named.start, named.end


def top_scorers(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Players who are said to lead in scoring, and do not."""
    text = masked(read)
    for match in re.finditer(r"(P+) (?:\w+ )?(?:led|paced) (?:the team|the squad|(?:the )?T+) in scoring(?! off)", text):
        player = _at(read, match.start(1))
        entity = table.entity(player.entity or "")
        if entity is None:
            continue
        scores = {
            each.name: _points(table, each.name, ("PLAYER-PTS",)) or 0
            for each in table.of_kind("player")
            if each.of == entity.of
        }
        best = max(scores, key=lambda name: scores[name])
        led = next((each.entity for each in read.named if match.start(1) < each.start < match.end()), None)
        if led in (None, entity.of) and scores[best] > scores[entity.name]:
            message = f"{best} led the {_short(table, entity.of or '')} in scoring, with {scores[best]:g} points."
            yield _flag("name", number, read, player.start, player.end, message)


def other_names(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Teams that the table does not have, and opponents in games that it does not have."""
    text = masked(read)
    ahead = _NEXT.search(text)
    for each in read.named:
        if each.pronoun:
            continue
        if each.entity is None:
            message = f"The table has no {each.name}."
            yield _flag("name", number, read, each.start, each.end, message, "absent")
        elif each.kind == "team" and each.object and ahead and not _says_score(read):
            before = text[max(0, each.start - 45) : each.start]
            if ahead.start() < each.start and re.search(
                r"(?:against|host|face|take on|play|visit\w*|with|to|await|versus|tangle with) (?:the )?$", before
            ):
                message = "The table has nothing about other games."
                yield _flag("name", number, read, each.start, each.end, message, "absent")


def _says_score(read: ReadSentence) -> bool:
    return any(each.form == "pair" and each.types == ("TEAM-PTS",) for each in read.relations)


def days(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Days of the week on which the game was not played, and days of other games."""
    if table.date is None:
        return
    source = read.words.source
    played = _DAYS[table.date.weekday()]
    text = masked(read)
    ahead = _NEXT.search(text)
    for kind, start, end in numerals(source):
        if kind != "date" or source[start:end] not in _DAYS:
            continue
        if ahead and not _says_score(read):
            message = "The table has nothing about other games."
            yield Flag("name", "absent", number, (start, end), source[start:end], message)
        elif source[start:end] != played:
            message = f"The table has the game on a {played}."
            yield Flag("name", "otherwise", number, (start, end), source[start:end], message, played)


def winners(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """A team that is said to have beaten the one to which it lost."""
    text = masked(read)
    for match in re.finditer(rf"(T+)(?: \( [^)]*\))? ({_WON}) (?:(?:the|host|visiting) )*(T+)", text):
        one, two = _at(read, match.start(1)).entity, _at(read, match.start(3)).entity
        if one is None or two is None or one == two:
            continue
        mine, theirs = _points(table, one), _points(table, two)
        if mine is not None and theirs is not None and mine < theirs:
            message = f"The table has the {_short(table, two)} as winners, {theirs:g} to {mine:g}."
            yield _flag("word", number, read, *match.span(2), message)


def _player_at(read: ReadSentence, place: int) -> str | None:
    subject = [each for each in read.subjects if each.start <= place][-1]
    return subject.players[-1] if subject.players else None


def doubles(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Double-doubles and triple-doubles of players who have none."""
    text = masked(read)
    for match in re.finditer(r"(?<!near )(?<!shy of a )(?<!of a )(double|triple) - double(?!s)", text):
        player = _player_at(read, match.start())
        if player is None or table.entity(player) is None:
            continue
        values = [_points(table, player, (f"PLAYER-{stat}",)) or 0 for stat in _DOUBLE]
        reached = sum(value >= 10 for value in values)
        if reached < {"double": 2, "triple": 3}[match[1]]:
            message = f"The table has {player} with ten or more of {'one kind' if reached else 'none'} only."
            yield _flag("word", number, read, *match.span(), message)


def double_figures(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Players who are said to have scored in double figures, and have fewer than ten points."""
    text = masked(read)
    for match in re.finditer(r"double (?:- )?(?:figures|digits)", text):
        if re.search(r"(?:no |only other|players|starters).{0,60}$", text[: match.start()]) and "P" not in text[: match.start()]:
            continue
        player = _player_at(read, match.start())
        points = _points(table, player, ("PLAYER-PTS",)) if player else None
        if points is not None and points < 10:
            yield _flag("word", number, read, *match.span(), f"The table has {player} with {points:g} points.")


def bench(number: int, read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Starters who are said to have come off the bench."""
    text = masked(read)
    for match in re.finditer(r"(?:off|from) the (bench)|led the (bench|second unit|reserves)|(reserve) role", text):
        player = _player_at(read, match.start())
        record = table.record(player, "PLAYER-START_POSITION") if player else None
        if record and not record.missing:
            group = next(place for place in (1, 2, 3) if match[place])
            yield _flag("word", number, read, *match.span(group), f"The table has {player} as a starter.")
