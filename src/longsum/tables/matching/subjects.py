"""Whom a sentence is about at each of its positions: names, pronouns, and what they refer to.

The rule, in short: a player who is named is the subject of what follows; so is a team, unless it is
an object ("led the way for the Lakers") after a subject. "He", "his" and "who" are the last player,
"they" the last team that was a subject, "them" after "held" or "forced" the other team; "the hosts"
and "the visitors" are known from the table; "the former" and "the latter" are the last two players
who were named together.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from longsum.tables.matching.mentions import Mention
from longsum.tables.table import Table

_OBJECT = re.compile(
    r"(?<![^ ])(?:for|led|leads?|in|of|at|to|against|over|from|with|past|by|on|help|gave|give|beat"
    r"|hosts?|off|face|visit|plays?|than|allows?|blew out|into|\w+ing|\w{2,}ed)"
    r"(?: the)?(?: visiting| host| home| hometown| rival)? $"
)
_HELD = re.compile(
    r"(?<![^ ])(?:held|hold|holds|holding|limit\w*|forc\w+|restrict\w+|kept|keeping|elicit\w+)"
    r"(?: the)?(?: \w+)? $"
)
_ACTS = re.compile(r" (?:\w+ing|who|which)(?![^ ])")
_BESIDE = re.compile(
    r"(?<![^ ])(?:(?:behind|in|match(?:ed|ing)?|trail(?:ed|ing)|than|against|guard\w*|defend\w*"
    r"|alongside|replac(?:ed|ing)|without|join(?:ed|ing)|support(?:ed|ing)|like|to|of|for|past"
    r"|found|feeding)|(?:place|absence|instead|lieu) of(?: \w+){1,2}) $"
)
_BELONGS = re.compile(
    r" (?:'|reserves|bench|starters|backcourt|frontcourt|second unit|offense|defense"
    r"|attack|faithful|leading|starters?|players?|guard|forward|center|star|rookie|big man|reserve)"
    r"(?![^ ])"
)
_PRONOUN = re.compile(
    r"(?<![^ ])(?:(?P<he>he|his|him|himself|she|her|hers|herself|who)"
    r"|(?P<they>they|the team(?! (?:leader|lead|high|'))|their)"
    r"|(?P<them>(?:(?<=forcing )|(?<=forced )|(?<=held )|(?<=holding )|(?<=limiting )"
    r"|(?<=limited ))them)"
    r"|(?P<former>the former)|(?P<latter>the latter)"
    r"|(?P<home>the hosts|the home (?:team|side|squad))"
    r"|(?P<away>the visitors|the visiting (?:team|side)|the (?:away|road) team)"
    r"|(?P<back>while (?:also |only |just )*(?:committ|shoot|record|mak|connect|go|hitt)ing)"
    r")(?![^ ])"
)
TOGETHER = re.compile(r"(?: ,)?(?: (?:jr|sr|ii|iii|iv)(?: \.)?)?(?: ,)? (?:and|&) | , ")
"""What stands between two names that are named together."""
FRESH = 1
"""For how many sentences "the former" may mean a name."""


@dataclass(frozen=True, slots=True)
class Named:
    """A mention of an entity, or a pronoun for one, that has been resolved.

    Attributes:
        start: Where it begins in the `text` of the `PlainWords` of its sentence.
        end: Where it ends.
        entity: The name of the entity, None if the table lacks it.
        kind: Its kind.
        pronoun: Whether it is a pronoun.
        object: Whether it is an object rather than what the sentence is about.
        name: The full name of what is not in the table.
    """

    start: int
    end: int
    entity: str | None
    kind: str
    pronoun: bool = False
    object: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a sentence is about from a position on.

    Attributes:
        start: The place.
        players: The players, several where they are named together.
        team: The team.
        kind: Which of them it is about, "player" or "team"; "other" if it is somebody who is not in
            the table, "" before it names anyone.
        held: Whether the team is the one that the other held or forced to something.
    """

    start: int
    players: tuple[str, ...] = ()
    team: str | None = None
    kind: str = ""
    held: bool = False


def subject_at(subjects: Sequence[Subject], place: int) -> Subject:
    """Return which of a sentence's subjects, in order, holds at a position."""
    return [each for each in subjects if each.start <= place][-1]


@dataclass
class Discourse:
    """Whom the sentences so far were about."""

    table: Table
    players: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    age: int = 0
    team: str | None = None
    last: dict[str, int] = field(default_factory=dict)
    count: int = 0

    def __post_init__(self) -> None:
        """Learn the teams."""
        self.teams = tuple(entity.name for entity in self.table.of_kind("team"))

    def follow(self, text: str, mentions: Sequence[Mention]) -> tuple[list[Named], list[Subject]]:
        """Read the next sentence; return its names and pronouns, and its subjects in order."""
        named: list[Named] = []
        subjects = [Subject(0, (), None, "")]
        start_team = self.team
        for start, end, item in _in_order(text, mentions):
            before = subjects[-1]
            each: Named | None
            if isinstance(item, Mention):
                each = self._settle(text, item, before)
                after = self._after_name(text, each, before, named)
            else:
                each, after = self._after_pronoun(item, start, end, subjects, named)
            if each:
                named.append(each)
            if after:
                subjects.append(replace(after, start=end))
        self._remember(subjects, start_team)
        return named, subjects

    def _settle(self, text: str, mention: Mention, before: Subject) -> Named:
        entity = self._choose(mention)
        context = text[max(0, mention.start - 40) : mention.start]
        is_object = False
        if mention.kind == "team":
            held = bool(_HELD.search(context))
            acts = context.endswith(("with ", "with the ")) and _ACTS.match(text, mention.end)
            is_object = bool(_OBJECT.search(context)) and not acts and not held
            belongs = bool(_BELONGS.match(text, mention.end))
            is_object = is_object or (before.kind == "player" and belongs)
        elif mention.kind == "player":
            is_object = before.kind == "player" and bool(_BESIDE.search(context))
        elif entity is None:
            is_object = bool(_OBJECT.search(context))
        return Named(
            mention.start, mention.end, entity, mention.kind, False, is_object, mention.name
        )

    def _choose(self, mention: Mention) -> str | None:
        """Return which entity a shared name means: the last one named, else who did most."""
        if not mention.entities:
            return None
        if len(mention.entities) > 1:
            said = [name for name in mention.entities if name in self.last]
            if said:
                chosen = max(said, key=lambda name: self.last[name])
            else:
                chosen = max(mention.entities, key=self._played)
        else:
            chosen = mention.entities[0]
        self.count += 1
        self.last[chosen] = self.count
        return chosen

    def _played(self, name: str) -> float:
        numbers = (self.table.records[index].number for index in self.table.of_entity(name))
        return sum(number for number in numbers if number)

    def _after_name(
        self, text: str, each: Named, before: Subject, named: Sequence[Named]
    ) -> Subject | None:
        if each.entity is None:
            return None if each.object else Subject(each.end, kind="other")
        if each.kind == "player":
            group: tuple[str, ...] = (each.entity,)
            last = named[-1] if named else None
            joined = last and last.kind == "player" and not last.pronoun and last.entity
            if last and joined and TOGETHER.fullmatch(text, last.end, each.start):
                group = (*(name for name in before.players if name != each.entity), each.entity)
            if len(group) > 1:
                self.together, self.age = group, 0
            if each.object:
                return None
            self.players = group
            return replace(before, players=group, kind="player")
        if each.kind == "team":
            if each.object and before.kind:
                return replace(before, team=before.team or each.entity)
            held = bool(_HELD.search(text, max(0, each.start - 40), each.start))
            return replace(before, team=each.entity, kind="team", held=held)
        return replace(before, players=(each.entity,), kind=each.kind)

    def _after_pronoun(
        self,
        match: re.Match[str],
        start: int,
        end: int,
        subjects: Sequence[Subject],
        said: Sequence[Named],
    ) -> tuple[Named | None, Subject | None]:
        before = subjects[-1]
        which = str(match.lastgroup)
        if which == "he":
            players = before.players or self.players
            if not players or before.kind == "other":
                return None, None
            # Of players named together, "who" and "his" mean the last.
            players = players if match[0] in ("his", "her") and before.players else players[-1:]
            return (
                Named(start, end, players[-1], "player", True),
                replace(before, players=players, kind="player"),
            )
        if which in ("former", "latter"):
            here = [each.entity for each in said if each.kind == "player" and not each.pronoun]
            pair = tuple(dict.fromkeys(name for name in here if name))[-2:]
            if len(pair) < 2:
                pair = self.together[-2:] if self.age <= FRESH else ()
            if len(pair) < 2:
                return None, None
            player = pair[which == "latter"]
            self.players = (player,)
            return (
                Named(start, end, player, "player", True),
                replace(before, players=(player,), kind="player"),
            )
        if which == "back":
            back = self._actor(subjects)
            return None, replace(before, team=back, kind="team", held=False) if back else None
        team = self._team_of(which, match[0], before)
        if which == "them":
            team = self.other(self._actor(subjects) or self.team)
        if match[0].startswith("the ") and before.kind and _OBJECT.search(match.string, 0, start):
            return None, None
        if team is None or (match[0] == "their" and before.kind):
            return None, None
        held = which == "them"
        return Named(start, end, team, "team", True), replace(
            before, team=team, kind="team", held=held
        )

    def _team_of(self, which: str, word: str, before: Subject) -> str | None:
        if which in ("home", "away"):
            sides = {entity.side: entity.name for entity in self.table.of_kind("team")}
            return sides.get("home" if which == "home" else "away")
        team = before.team or self._team_of_players(before.players if word != "they" else ())
        return team or self.team

    def _actor(self, subjects: Sequence[Subject]) -> str | None:
        """Return the last team that did something, rather than being held to it."""
        teams = [each.team for each in subjects if each.kind == "team" and not each.held]
        return teams[-1] if teams else None

    def _team_of_players(self, players: Iterable[str]) -> str | None:
        for name in players:
            entity = self.table.entity(name)
            if entity:
                return entity.of
        return None

    def other(self, team: str | None) -> str | None:
        """Return the other one of two teams."""
        others = [name for name in self.teams if name != team]
        return others[0] if team in self.teams and len(others) == 1 else None

    def _remember(self, subjects: Sequence[Subject], before: str | None) -> None:
        self.age += 1
        teams = [each.team for each in subjects if each.team and each.kind == "team"]
        spoken = teams[0] if teams else None
        if spoken is None and self.players and subjects[-1].players:
            spoken = self._team_of_players(subjects[-1].players)
        self.team = spoken or before


def _in_order(
    text: str, mentions: Sequence[Mention]
) -> list[tuple[int, int, Mention | re.Match[str]]]:
    taken = [(mention.start, mention.end) for mention in mentions]
    items: list[tuple[int, int, Mention | re.Match[str]]] = [
        (mention.start, mention.end, mention) for mention in mentions
    ]
    items += [
        (*match.span(), match)
        for match in _PRONOUN.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return sorted(items, key=lambda item: item[0])
