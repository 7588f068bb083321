"""A sentence of a basketball report as its checks see it: names, the points of teams, flags."""

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


class GameSentence:
    """A sentence beside the table of its game.

    Attributes:
        read: The sentence.
        table: The table.
        text: Its words, with capital letters for its names; see `mask`.
    """

    def __init__(self, read: ReadSentence, table: Table) -> None:
        self.read = read
        self.table = table
        mentions = [
            Mention(each.start, each.end, (each.entity,) if each.entity else (), each.kind)
            for each in read.named
            if not each.pronoun
        ]
        self.text = mask(read.words.text, mentions)

    def flag(
        self,
        kind: Kind,
        place: Span,
        message: str,
        ground: Ground = "otherwise",
        explains: Sequence[Span] = (),
        instead: str | None = None,
    ) -> Flag:
        """Return a flag of whole words, by their place in the `PlainWords`."""
        read, words = self.read, self.read.words
        span, saw = words.span(*place), words.at(*place)
        return Flag(kind, ground, read.number, span, saw, message, instead, tuple(explains))

    def claim(
        self, place: Span, marked: Span, right: bool, message: str, *, compares: bool = False
    ) -> Claim:
        """Return a claim of words at a place; `marked` of them are flagged unless it is right."""
        return Claim(place, None if right else self.flag("word", marked, message), compares)

    def named_at(self, start: int) -> Named:
        """Return the name that begins at a place."""
        return next(each for each in self.read.named if each.start == start and not each.pronoun)

    def player_at(self, place: int) -> str | None:
        """Return the player it is about at a position, else the one it names next."""
        players = self.read.subject(place).players
        named = (each for each in self.read.named if each.start >= place)
        after = (each.entity for each in named if each.kind == "player")
        return players[-1] if players else next(after, None)

    def team_at(self, place: int) -> str | None:
        """Return the team it is about at a position; for a player, his team."""
        subject = self.read.subject(place)
        if subject.kind == "player":
            return self.team_of(subject.players[-1]) if subject.players else None
        return subject.team if subject.kind == "team" else None

    def team_of(self, player: str | None) -> str | None:
        """Return the team of a player."""
        entity = self.table.entity(player or "")
        return entity.of if entity else None

    def other_team(self, team: str | None) -> str | None:
        """Return the team against which a team plays."""
        others = (each.name for each in self.table.of_kind("team") if each.name != team)
        return next(others, None) if team else None

    def winner(self, team: str | None) -> tuple[str, float, float] | None:
        """Return who won a team's game, with both teams' points; None if the table does not say."""
        other = self.other_team(team)
        mine, theirs = self.number_of(team, "TEAM-PTS"), self.number_of(other, "TEAM-PTS")
        if team is None or other is None or mine is None or theirs is None or mine == theirs:
            return None
        return (team, mine, theirs) if mine > theirs else (other, theirs, mine)

    def number_of(self, name: str | None, *types: str) -> float | None:
        """Return the sum of the numbers of an entity; None if the table lacks one of them."""
        numbers = [
            record.number for type_ in types if (record := self.table.record(name or "", type_))
        ]
        known = [number for number in numbers if number is not None]
        return sum(known) if len(known) == len(types) else None

    def short(self, name: str) -> str:
        """Return the short name of a team in reports, and the full name of anybody else."""
        entity = self.table.entity(name)
        return entity.aliases[0] if entity and entity.kind == "team" and entity.aliases else name

    def renamed(self, team: Named, right: str) -> str | None:
        """Return the name of another team in one team's place: name, city or full name alike."""
        wrong, other = self.table.entity(team.entity or ""), self.table.entity(right)
        assert wrong is not None
        assert other is not None
        names = zip((wrong.name, *wrong.aliases), (other.name, *other.aliases), strict=False)
        return dict(names).get(self.read.words.at(team.start, team.end))
