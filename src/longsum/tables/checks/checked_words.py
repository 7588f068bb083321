"""What checks of a basketball report share: names in a sentence, points of teams, flags."""

from collections.abc import Sequence

from longsum.tables.checks.checking import Claim, Flag, Ground, Kind
from longsum.tables.games.game_words import mask
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.matching.mentions import Mention
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.subjects import Named
from longsum.tables.table import Table

WON = (
    r"(?:defeat(?:ed|s|ing)?|beat(?:s|ing)?|knock(?:ed|s) off|topp(?:ed|s|ing)|upset|edg(?:ed|ing)"
    r"|blew out|rout(?:ed|s|ing)|down(?:ed|s|ing)|held off|outlast(?:ed|s|ing)|took down|handled"
    r"|(?:cruised|ran|rolled|squeezed|slipped|eased|got|squeaked|blew|coasted) (?:by|past)"
    r"|crush(?:ed|ing)|demolished|dispatched|overcame|thrashed|trounced|pummeled|hammered|stunned"
    r"|dominated|survived|fended off|pulled away from|(?:won|prevailed|triumphed) (?:over|against))"
)
"""The pattern of verbs by which a team wins a game, before its opponent."""
BEFORE_OBJECT = r"(?:(?:the|host|visiting) )*"


def flag(
    kind: Kind,
    read: ReadSentence,
    place: tuple[int, int],
    message: str,
    ground: Ground = "otherwise",
    explains: Sequence[Span] = (),
    instead: str | None = None,
) -> Flag:
    """Return a flag of whole words of a sentence, by their place in the `PlainWords`."""
    return Flag(
        kind,
        ground,
        read.number,
        read.words.span(*place),
        read.words.at(*place),
        message,
        instead,
        explains=tuple(explains),
    )


def claim(
    read: ReadSentence,
    place: tuple[int, int],
    marked: tuple[int, int],
    right: bool,
    message: str,
    *,
    compares: bool = False,
) -> Claim:
    """Return a claim of words at a place; `marked` of them are flagged unless it is right."""
    return Claim(place, None if right else flag("word", read, marked, message), compares)


def masked(read: ReadSentence) -> str:
    """Return the words of a sentence with capital letters for its names; see `mask`."""
    mentions = [
        Mention(each.start, each.end, (each.entity,) if each.entity else (), each.kind)
        for each in read.named
        if not each.pronoun
    ]
    return mask(read.words.text, mentions)


def named_at(read: ReadSentence, start: int) -> Named:
    """Return the name that begins at a place."""
    return next(each for each in read.named if each.start == start and not each.pronoun)


def player_at(read: ReadSentence, place: int) -> str | None:
    """Return about which player a sentence speaks at a place, else the one it names next."""
    players = read.subject(place).players
    after = (each.entity for each in read.named if each.start >= place and each.kind == "player")
    return players[-1] if players else next(after, None)


def team_at(read: ReadSentence, table: Table, place: int) -> str | None:
    """Return about which team a sentence speaks at a place: of a player, about his."""
    subject = read.subject(place)
    if subject.kind == "player":
        entity = table.entity(subject.players[-1]) if subject.players else None
        return entity.of if entity else None
    return subject.team if subject.kind == "team" else None


def points_of_both(table: Table, team: str) -> tuple[float, float] | None:
    """Return the points of a team and of the other one; None if the table lacks them."""
    other = other_team(table, team)
    mine = number_of(table, team, ("TEAM-PTS",))
    theirs = number_of(table, other, ("TEAM-PTS",)) if other else None
    return None if mine is None or theirs is None else (mine, theirs)


def short(table: Table, name: str) -> str:
    """Return the name by which a report calls a team, and the full one of anybody else."""
    entity = table.entity(name)
    return entity.aliases[0] if entity and entity.kind == "team" and entity.aliases else name


def renamed(read: ReadSentence, table: Table, team: Named, right: str) -> str | None:
    """Return how another team would be called where one is: by its name, city or full name."""
    wrong, other = table.entity(team.entity or ""), table.entity(right)
    if wrong is None or other is None:
        return None
    written = read.words.at(team.start, team.end)
    names = dict(zip((wrong.name, *wrong.aliases), (other.name, *other.aliases), strict=False))
    return names.get(written)


def other_team(table: Table, team: str) -> str | None:
    """Return the team against which a team plays."""
    return next((each.name for each in table.of_kind("team") if each.name != team), None)


def number_of(table: Table, name: str, types: Sequence[str]) -> float | None:
    """Return the sum of the numbers of an entity; None if the table lacks one of them."""
    numbers = [record.number for type_ in types if (record := table.record(name, type_))]
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(types) else None
