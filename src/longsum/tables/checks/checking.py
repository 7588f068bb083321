"""Checks what a text says against a table, and says what the table has instead.

A check is no verdict on the world: a flag says that the table has something else, or that it has
nothing that could confirm the text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.tables.matching.matcher import Matcher, ReadSentence, Relation
from longsum.tables.matching.plain_words import Span
from longsum.tables.matching.spoken_numbers import ordinal_like, written_like
from longsum.tables.table import Table

Kind = Literal["number", "name", "word"]
Ground = Literal["otherwise", "absent"]


@dataclass(frozen=True, slots=True)
class Flag:
    """Something in a text that the table does not confirm.

    Attributes:
        kind: What is flagged: a number, a name (days too), or another word.
        ground: `otherwise` if the table has something else; `absent` if it has nothing that could
            confirm it, such as the opponent of the next game.
        sentence: The sentence, from 0.
        span: Where it is in the text of the sentence.
        saw: The flagged words.
        message: What the table has, in a sentence.
        instead: What to write there, where there is no doubt about it.
        explains: Other spans that this flag accounts for, such as the numbers of a player who is
            called by another's name.
    """

    kind: Kind
    ground: Ground
    sentence: int
    span: Span
    saw: str
    message: str
    instead: str | None = None
    explains: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """Words with a claim that the table decides, other than a number.

    Attributes:
        place: All of these words, in the `text` of the `PlainWords`.
        flag: What the table has instead; None if it confirms them.
        compares: Whether they say which of two teams had more, so that the numbers' order matters.
    """

    place: Span
    flag: Flag | None
    compares: bool = False


Check = Callable[[ReadSentence, Table], Iterable[Flag]]
ClaimReader = Callable[[ReadSentence, Table], Iterable[Claim]]


class Checker:
    """Checks texts against a table.

    Args:
        matcher: Reads the texts, with the table.
        check: What is checked besides numbers.
        claims: Reads other claims that the table decides.
    """

    def __init__(
        self,
        matcher: Matcher,
        check: Check = lambda *_: (),
        claims: ClaimReader = lambda *_: (),
    ) -> None:
        self.matcher = matcher
        self._check = check
        self._claims = claims

    def claims(self, read: ReadSentence) -> list[Claim]:
        """Return a sentence's claims that the table decides, other than its numbers."""
        return list(self._claims(read, self.matcher.table))

    def check(self, sentences: Sequence[str]) -> list[Flag]:
        """Return the flags of a text in order; if two overlap, the first check's."""
        table = self.matcher.table
        found: list[Flag] = []
        for read in self.matcher.read(sentences):
            flags = [*self._check(read, table)]
            flags += [claim.flag for claim in self.claims(read) if claim.flag]
            flags += number_flags(read, table)
            kept: list[Flag] = []
            for flag in flags:
                taken = [span for other in kept for span in (other.span, *other.explains)]
                if not any(_overlap(flag.span, span) for span in taken):
                    kept.append(flag)
            found += sorted(kept, key=lambda flag: flag.span)
        return found


def repaired(sentences: Sequence[str], flags: Iterable[Flag]) -> list[str]:
    """Return sentences corrected by the table where the correction is certain."""
    texts = list(sentences)
    for flag in sorted(flags, key=lambda flag: flag.span, reverse=True):
        if flag.instead is not None:
            text, (start, end) = texts[flag.sentence], flag.span
            texts[flag.sentence] = text[:start] + flag.instead + text[end:]
    return texts


def number_flags(read: ReadSentence, table: Table) -> Iterator[Flag]:
    """Yield the numbers of a sentence that differ from the table or are not in it."""
    for relation in read.relations:
        if relation.sure and (found := _problem(relation, table)):
            ground, message = found
            instead = None if ground == "absent" or relation.negated else _instead(relation)
            said, span = relation.said, relation.span
            yield Flag("number", ground, read.number, span, said, message, instead)


def _problem(relation: Relation, table: Table) -> tuple[Ground, str] | None:
    """Return what the table has instead of a number; None if it confirms it."""
    if relation.form == "outside":
        return "absent", f"The table has nothing about {relation.reason}."
    if not relation.entities or not relation.types:
        return None
    who = " and ".join(relation.entities)
    if relation.negated:
        given = f"The table does give {who} {relation.has:g}."
        return ("otherwise", given) if relation.has == relation.value else None
    if relation.has is None:
        absent = f"The table has no {_what(relation, table)} of {who}."
        return ("absent", absent) if relation.cells else None
    return None if relation.has == relation.value else ("otherwise", _correction(relation, table))


def _correction(relation: Relation, table: Table) -> str:
    has = f"{relation.has:g}"
    what = _what(relation, table)
    who = " and ".join(relation.entities)
    if relation.form == "rank":
        rank = ordinal_like(int(relation.has or 0), "1")
        return f"By {what}, {who} is {rank} of the team, not {relation.said}."
    if relation.form == "count":
        return f"The table has {has} of {who} with ten or more, not {relation.said}."
    if relation.form == "difference":
        return f"The table has {who} {has} apart in {what}, not {relation.said}."
    return f"The table gives {who} {has} for {what}, not {relation.said}."


def _what(relation: Relation, table: Table) -> str:
    kinds = {entity.kind for entity in table.entities}
    phrases = {type_.name: type_.phrase for type_ in table.types}
    told = (phrases[name] for name in relation.types)
    # "Player rebounds" are a player's anyway.
    return " and ".join(
        next((text.removeprefix(f"{kind} ") for kind in kinds if text.startswith(f"{kind} ")), text)
        for text in told
    )


def _instead(relation: Relation) -> str | None:
    """Return the right number as it would be written there; None if words must change too."""
    has, said = relation.has, relation.said
    if has is None or said.lower() in ("a", "an", "no", "pair", "couple"):
        return None
    if relation.form == "rank":
        return ordinal_like(int(has), said)
    # "One steal" and "zero steals": the noun would have to change.
    if (has == 1) != (relation.value == 1):
        return None
    return written_like(has, said)


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]
