"""What checks of a basketball report share: names in a sentence, points of teams, flags."""

from collections.abc import Sequence

from longsum.tables.checks.checking import Flag, Ground, Kind
from longsum.tables.games.game_words import mask
from longsum.tables.matching.matcher import ReadSentence, Relation
from longsum.tables.matching.mentions import Mention
from longsum.tables.matching.subjects import Named
from longsum.tables.table import Table

WON = (
    r"(?:defeat(?:ed|s)?|beats?|knock(?:ed|s) off|topp(?:ed|s)|upset|edged|blew out|rout(?:ed|s)"
    r"|down(?:ed|s)|held off|outlast(?:ed|s)|cruised past|ran past)"
)
"""The pattern of verbs by which a team wins a game."""
BEFORE_OBJECT = r"(?:(?:the|host|visiting) )*"


def flag(
    kind: Kind,
    read: ReadSentence,
    place: tuple[int, int],
    message: str,
    ground: Ground = "otherwise",
    explains: Sequence[Relation] = (),
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


def named_at(read: ReadSentence, start: int) -> Named:
    """Return the name that begins at a place."""
    return next(each for each in read.named if each.start == start and not each.pronoun)


def player_at(read: ReadSentence, place: int) -> str | None:
    """Return about which player a sentence speaks at a place."""
    players = read.subject(place).players
    return players[-1] if players else None


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
