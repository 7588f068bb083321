"""Finds what a text says about a table: which cell each of its numbers states.

Deterministic, and without a model: names by `NameFinder`, pronouns by the rule of `subjects`, the
record types by the patterns of a `StatementReader`. What it finds are the relations (entity, value,
type) that the metrics of Wiseman et al. (2017) count.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from longsum.tables.matching.mentions import Form, NameFinder, Statement, StatementReader
from longsum.tables.matching.plain_words import PlainWords, Span
from longsum.tables.matching.spoken_numbers import NUMBER
from longsum.tables.matching.subjects import TOGETHER, Discourse, Named, Subject, subject_at
from longsum.tables.table import Table

_EACH = re.compile(r"(?: \S+){0,6}? (?:apiece|a piece|each)(?![^ ])")
_ALIKE = re.compile(r"(?<![^ ])(?:matching|identical|both|each|twin)(?: \S+){0,3} $")
_FROM = re.compile(
    r" [^.;]{0,90}?(?<= )(?:from|by|courtesy of) "
    r"(?:(?:the|his|fellow|veteran|star|rookie|forward|guard|center|point) )*$"
)
_NOT_FROM = re.compile(r"(?<= )(?:while|who|as|after|but|which|led|paced|\w+ed) ")
_BEHIND = re.compile(r"(?<![^ ])(?:trail\w*|los(?:t|e|es|ing)|fell|behind)(?: \S+){0,5} $")
# "39 , 37 and 73 percent for Los Angeles", "a 58 percent shooting night for the Knicks".
_SHARE_FOR = re.compile(
    rf"(?:(?: ,| and)+ {NUMBER})* percent(?: shooting(?: night| effort| performance| clip| mark)?)?"
    r" (?:for|by) (?:the )?(?=\S)"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """What a number in a text says about a table.

    Attributes:
        sentence: The sentence, from 0.
        span: Where the number is in the text of the sentence.
        said: The number as written.
        value: The number.
        form: What it states; see `Statement`.
        entities: The names of those whom it is about; none if that is unknown.
        types: The names of the record types; if several, it is their sum.
        cells: The records that it is about, by index.
        has: What the table has there; None if it has nothing.
        sure: Whether the words leave no doubt about the type.
        reason: What it is about if the table cannot have it, for messages.
        negated: Whether the sentence says that it is not so.
    """

    sentence: int
    span: Span
    said: str
    value: float
    form: Form
    entities: tuple[str, ...]
    types: tuple[str, ...]
    cells: tuple[int, ...]
    has: float | None
    sure: bool = True
    reason: str = ""
    negated: bool = False

    @property
    def record(self) -> int | None:
        """The record that has this value; None if the table has another one, or none."""
        plain = self.form in ("value", "pair") and len(self.cells) == 1 and not self.negated
        return self.cells[0] if plain and self.value == self.has else None


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence with what the matcher found in it.

    Attributes:
        number: The sentence's index in the text, from 0.
        words: Its words.
        named: Its names and pronouns, in order.
        subjects: Whom it is about, and from which position on.
        relations: What its numbers state, in order.
    """

    number: int
    words: PlainWords
    named: tuple[Named, ...]
    subjects: tuple[Subject, ...]
    relations: tuple[Relation, ...]

    def subject(self, place: int) -> Subject:
        """Return whom it is about at a position in the `text` of its words."""
        return subject_at(self.subjects, place)


class Matcher:
    """Matches texts with a table."""

    def __init__(self, table: Table, names: NameFinder, reader: StatementReader) -> None:
        self.table = table
        self._names = names
        self._reader = reader

    def read(self, sentences: Sequence[str]) -> list[ReadSentence]:
        """Read the sentences of one text in order."""
        discourse = Discourse(self.table)
        read = []
        for number, sentence in enumerate(sentences):
            words = PlainWords(sentence)
            mentions = self._names.find(words)
            named, subjects = discourse.follow(words.text, mentions)
            statements = self._reader.statements(words.text, mentions)
            found = [
                relation
                for statement in statements
                for relation in self._relate(
                    _Context(number, words, named, subjects, statements, discourse), statement
                )
            ]
            read.append(ReadSentence(number, words, tuple(named), tuple(subjects), tuple(found)))
        return read

    def _relate(self, context: "_Context", statement: Statement) -> list[Relation]:
        if statement.form == "outside":
            return [context.relation(statement, (), (), (), None)]
        if statement.form in ("pair", "difference"):
            return [self._between(context, statement)]
        if statement.form == "count":
            return [self._count(context, statement)]
        holders, kind = context.holders(statement)
        types = statement.types.get(kind, ())
        if not holders or not types:
            return [context.relation(statement, (), types, (), None)]
        if statement.form == "rank":
            return [self._rank(context, statement, holders[-1], types)]
        if len(holders) > 1 and context.adds(statement):
            cells = self._cells(holders, types)
            return [context.relation(statement, holders, types, cells, self._sum(cells))]
        found = []
        for holder in holders:
            cells = self._cells((holder,), types)
            found.append(context.relation(statement, (holder,), types, cells, self._sum(cells)))
        return found

    def _between(self, context: "_Context", statement: Statement) -> Relation:
        """Relate a number about two teams: how far they are apart, or the value of one of them."""
        types = statement.types["team"]
        first = context.subject(statement.start).team or context.first_team()
        if first not in context.teams:
            first = next(iter(context.teams), None)
        second = context.discourse.other(first)
        mine = self._sum(self._cells((first or "",), types))
        theirs = self._sum(self._cells((second or "",), types))
        if first is None or second is None or mine is None or theirs is None:
            return context.relation(statement, (), types, (), None)
        if statement.form == "difference":
            cells = self._cells((first, second), types)
            return context.relation(statement, (first, second), types, cells, abs(mine - theirs))
        partner = context.partner(statement)
        spoken = sorted((statement, partner), key=lambda each: each.start)
        values = spoken[0].value, spoken[1].value
        before = context.words.text[: spoken[0].start]
        other_first = mine < theirs if statement.final else bool(_BEHIND.search(before))
        turned = _turned(values, (mine, theirs), other_first, final=statement.final)
        is_first = (statement.start < partner.start) != turned
        team, has = (first, mine) if is_first else (second, theirs)
        return context.relation(statement, (team,), types, self._cells((team,), types), has)

    def _rank(
        self, context: "_Context", statement: Statement, holder: str, types: tuple[str, ...]
    ) -> Relation:
        entity = self.table.entity(holder)
        fellows = [
            each.name
            for each in self.table.entities
            if entity and each.of == entity.of and each.kind == entity.kind
        ]
        mine = self._sum(self._cells((holder,), types))
        cells = self._cells(fellows, types)
        if mine is None:
            return context.relation(statement, (holder,), types, cells, None)
        values = [self.table.records[cell].number for cell in cells]
        rank = 1 + sum(value > mine for value in values if value is not None)
        return context.relation(statement, (holder,), types, cells, rank)

    def _count(self, context: "_Context", statement: Statement) -> Relation:
        team = context.subject(statement.start).team or context.first_team()
        types = statement.types["player"]
        fellows = [each.name for each in self.table.entities if each.of == team]
        cells = self._cells(fellows, types)
        values = [self.table.records[cell].number for cell in cells]
        reached = sum(value >= statement.threshold for value in values if value is not None)
        return context.relation(
            statement, (team,) if team else (), types, cells, reached if fellows and team else None
        )

    def _cells(self, entities: Sequence[str], types: Sequence[str]) -> tuple[int, ...]:
        found = (self.table.index(entity, type_) for entity in entities for type_ in types)
        return tuple(index for index in found if index is not None)

    def _sum(self, cells: Sequence[int]) -> float | None:
        numbers = [self.table.records[cell].number for cell in cells]
        known = [number for number in numbers if number is not None]
        return sum(known) if known and len(known) == len(numbers) else None


def _turned(
    values: tuple[float, float], have: tuple[float, float], other_first: bool, *, final: bool
) -> bool:
    """Return whether the second team's number comes first.

    Args:
        values: What the text says, in order.
        have: What the table has for the first team and for the second.
        other_first: Whether the wording suggests that the second team's number comes first.
        final: Whether this is a final score, whose numbers may be in either order: the one in which
            more are right. Other pairs are taken in the unexpected order only if both numbers are
            right in it.
    """
    straight = sum(value == has for value, has in zip(values, have, strict=True))
    crossed = sum(value == has for value, has in zip(values, have[::-1], strict=True))
    if other_first:
        return crossed >= straight if final else straight < len(values) or crossed == len(values)
    return crossed > straight if final else crossed == len(values) and straight < crossed


def _alone(name: str | None) -> tuple[str, ...]:
    return (name,) if name else ()


@dataclass(frozen=True, slots=True)
class _Context:
    """A sentence whose statements are being related."""

    sentence: int
    words: PlainWords
    named: Sequence[Named]
    subjects: Sequence[Subject]
    statements: Sequence[Statement]
    discourse: Discourse

    @property
    def teams(self) -> tuple[str, ...]:
        return self.discourse.teams

    def subject(self, place: int) -> Subject:
        return subject_at(self.subjects, place)

    def first_team(self) -> str | None:
        named = (each.entity for each in self.named if each.kind == "team" and each.entity)
        return next(named, self.discourse.team)

    def partner(self, statement: Statement) -> Statement:
        return next(each for each in self.statements if each.start == statement.partner)

    def adds(self, statement: Statement) -> bool:
        return "combin" in self.words.text[max(0, statement.start - 40) : statement.start]

    def holders(self, statement: Statement) -> tuple[tuple[str, ...], str]:
        """Return the names of those whom a statement is about, and their kind."""
        kinds = statement.types.keys()
        if statement.of is not None:
            holder = next(each for each in self.named if each.start == statement.of)
            return _alone(holder.entity), holder.kind
        after = self._named_after(statement)
        if after and "player" in kinds:
            return after, "player"
        subject = self.subject(statement.start)
        if subject.kind == "other":
            return (), ""
        if kinds == {"team"}:
            return self._team(statement, subject), "team"
        behind = _SHARE_FOR.match(self.words.text, statement.end)
        if behind and "team" in kinds:
            named = (each.entity for each in self.named if each.start == behind.end())
            return _alone(next(named, None)), "team"
        if subject.kind == "team" and "team" in kinds:
            return (() if self.adds(statement) else _alone(subject.team)), "team"
        if "player" not in kinds:
            return subject.players, subject.kind
        if subject.kind == "team" and not subject.players:
            return (), "player"
        return self._players(statement, subject), "player"

    def _team(self, statement: Statement, subject: Subject) -> tuple[str, ...]:
        """Return the team that a statement is about which can be only about teams."""
        before = [
            each.entity
            for each in self.named
            if each.kind == "team" and each.entity and each.end <= statement.start
        ]
        if statement.beside and before:
            return _alone(before[-1])
        if subject.kind == "player" and not statement.beside:
            return ()
        team = subject.team or self.discourse.team
        # After "forced the Lakers into" the subject is already the other team.
        return _alone(self.discourse.other(team) if statement.other and not subject.held else team)

    def _players(self, statement: Statement, subject: Subject) -> tuple[str, ...]:
        players = subject.players
        if not players and not subject.kind:
            players = self._first_player() or self.discourse.players[-1:]
        together = self._each(statement) or self.adds(statement)
        return players if together else players[-1:]

    def _first_player(self) -> tuple[str, ...]:
        named = (each.entity for each in self.named if each.kind == "player" and each.entity)
        return tuple(named)[:1]

    def _each(self, statement: Statement) -> bool:
        text = self.words.text
        return bool(_EACH.match(text, statement.end) or _ALIKE.search(text[: statement.start]))

    def _named_after(self, statement: Statement) -> tuple[str, ...]:
        """Return the players of "20 points and four rebounds from …"."""
        text = self.words.text
        later = [each for each in self.named if each.start > statement.end][:2]
        if not later or later[0].kind != "player" or later[0].pronoun or not later[0].entity:
            return ()
        between = text[statement.end : later[0].start]
        if not _FROM.match(between) or _NOT_FROM.search(between):
            return ()
        names = [later[0].entity]
        second = later[1] if len(later) > 1 and not later[1].pronoun else None
        if second and second.entity and TOGETHER.fullmatch(text, later[0].end, second.start):
            names.append(second.entity)
        return tuple(names)

    def relation(
        self,
        statement: Statement,
        entities: Sequence[str],
        types: tuple[str, ...],
        cells: tuple[int, ...],
        has: float | None,
    ) -> Relation:
        return Relation(
            self.sentence,
            self.words.span(statement.start, statement.end),
            self.words.at(statement.start, statement.end),
            statement.value,
            statement.form,
            tuple(entities),
            types,
            cells,
            has,
            statement.sure,
            statement.reason,
            statement.negated,
        )
