"""The names of teams and players in a report on a game."""

from dataclasses import dataclass

from longsum.tables.annotated_text import Span, Worded, joined, possessive, said
from longsum.tables.games import rotowire_types as types
from longsum.tables.narration import Entries, Narration, counted, figure
from longsum.tables.table import Entity

_POSITIONS = {"G": "guard", "F": "forward", "C": "center"}


@dataclass(frozen=True, slots=True)
class TeamNouns:
    """The names of a team that nobody could take for the other's.

    Attributes:
        full: `Boston Celtics`.
        nickname: `Celtics`, or the full name where both teams are called so.
        city: `Boston`, or None where both teams are from there.
    """

    full: str
    nickname: str
    city: str | None


def team_nouns(narration: Narration, team: Entity) -> TeamNouns:
    """Return the names of a team."""
    others = [each for each in narration.table.of_kind("team") if each != team]
    shared = {alias for other in others for alias in other.aliases}
    nickname, city = team.aliases
    return TeamNouns(
        team.name,
        team.name if nickname in shared else nickname,
        None if city in shared else city,
    )


def team_phrase(narration: Narration, entries: Entries) -> Worded:
    """Return a team with its name, city, side, wins and losses, as far as they are to be said.

    `the visiting Boston Celtics (32-18)`. Without an entry for its name, a team has its full name
    where it is first mentioned and its nickname afterwards.
    """
    team = entries.entity
    nouns = team_nouns(narration, team)
    name, city = (entries.take_if_present(each.name) for each in (types.NAME, types.CITY))
    side = entries.take_if_present(types.SIDE.name)
    first = team.name not in narration.named
    narration.named.add(team.name)
    if name is None and city is not None and nouns.city:
        noun, article = said(nouns.city, city), ""
    elif city is not None or nouns.nickname == team.name or (name is None and first):
        nickname = team.aliases[0]
        front = team.name.removesuffix(nickname).rstrip()
        noun = joined(_saying(front, city), " " if front else "", _saying(nickname, name))
        article = "the "
    else:
        noun, article = _saying(nouns.nickname, name), "the "
    aside = _standing(entries)
    if side is None:
        return joined(article, noun, aside)
    host = said("host" if team.side == "home" else "visiting", side)
    return joined(article, host, " ", noun, aside)


def short_team(narration: Narration, team: Entity) -> str:
    """Return a team by its nickname, with its article."""
    narration.named.add(team.name)
    return f"the {team_nouns(narration, team).nickname}"


def player_phrase(narration: Narration, entries: Entries) -> Worded:
    """Return a player with first and second name, team and position, as far as they are to be said.

    `Celtics guard Isaiah Thomas`; after the first mention `Thomas`, where nobody else is called so.
    """
    player = entries.entity
    first, second = (
        entries.take_if_present(each.name) for each in (types.FIRST_NAME, types.SECOND_NAME)
    )
    surname = _surname(narration, player)
    short = surname and first is None and (player.name in narration.named or second is not None)
    narration.named.add(player.name)
    if surname and short:
        noun = _saying(surname, second)
    else:
        noun = _named(narration, player.name, first, second)
    before = _belonging(narration, entries)
    return joined(before, noun)


def _belonging(narration: Narration, entries: Entries) -> Worded:
    """Return what stands before a player's name: `Celtics guard `, `the Celtics' `, `guard `."""
    team = entries.take_if_present(types.TEAM.name)
    position = entries.left.get(types.POSITION.name)
    role = _POSITIONS.get(narration.table.records[position].value) if position is not None else None
    if role and position is not None:
        entries.take(types.POSITION.name)
        noun = joined(said(role, position), " ")
    else:
        noun = Worded("")
    if team is None:
        return joined("starting ", noun) if role else noun
    of = narration.table.entity(str(entries.entity.of))
    name = team_nouns(narration, of).nickname if of else str(entries.entity.of)
    return joined(said(name if role else f"the {possessive(name)}", team), " ", noun)


def _surname(narration: Narration, player: Entity) -> str | None:
    """Return a player's second name, if nobody else has it."""
    record = narration.table.record(player.name, types.SECOND_NAME.name)
    if record is None or record.missing:
        return None
    same = [
        index
        for index in narration.table.of_type(types.SECOND_NAME.name)
        if narration.table.records[index].value == record.value
    ]
    return record.value if len(same) == 1 else None


def _named(narration: Narration, name: str, *records: int | None) -> Worded:
    """Return a name in which each record is said by the part that is its value."""
    spans = []
    for index in records:
        if index is not None:
            value = narration.table.records[index].value
            start = max(name.find(value), 0)
            end = start + len(value) if value in name else len(name)
            spans.append(Span(start, end, index))
    return Worded(name, tuple(spans))


def _saying(text: str, record: int | None) -> Worded:
    return Worded(text) if record is None else said(text, record)


def _standing(entries: Entries) -> Worded:
    """Return wins and losses in brackets: ` (32-18)`, ` (32 wins)`."""
    both = entries.take("TEAM-WINS", "TEAM-LOSSES")
    if both:
        wins, losses = (figure(entries.table, index) for index in both)
        return joined(" (", wins, "-", losses, ")")
    for type_name, one, many in (("TEAM-WINS", "win", "wins"), ("TEAM-LOSSES", "loss", "losses")):
        for index in entries.take(type_name):
            return joined(" (", counted(entries.table, index, one, many), ")")
    return Worded("")
