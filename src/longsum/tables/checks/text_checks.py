"""Checks of a text against its table, of any kind or of a game, and their results."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from longsum.common.wording import counted
from longsum.language.sentences import split_sentences
from longsum.tables.checks.checked_words import GameSentence
from longsum.tables.checks.checking import Checker, Claim, Flag, repaired
from longsum.tables.checks.name_checks import NAME_CHECKS
from longsum.tables.checks.word_checks import CLAIMS
from longsum.tables.games.game_statements import GameReader
from longsum.tables.games.league import NICKNAMES, TEAMS
from longsum.tables.games.rotowire import GAME
from longsum.tables.matching.matcher import Matcher, ReadSentence
from longsum.tables.matching.mentions import NameFinder
from longsum.tables.matching.phrase_statements import PhraseReader
from longsum.tables.matching.plain_words import Span
from longsum.tables.table import Table

SCHEMA = "longsum/table-check/1"


def matcher_for(table: Table) -> Matcher:
    """Return a matcher for texts about a table, with basketball's wordings if it is a game."""
    if table.kind == GAME:
        return Matcher(table, NameFinder(table, NICKNAMES, TEAMS), GameReader())
    return Matcher(table, NameFinder(table), PhraseReader(table))


def checker_for(table: Table) -> Checker:
    """Return a checker of texts against a table."""
    if table.kind != GAME:
        return Checker(matcher_for(table))
    return Checker(matcher_for(table), _game_flags, _game_claims)


def _game_flags(read: ReadSentence, table: Table) -> Iterator[Flag]:
    sentence = GameSentence(read, table)
    for check in NAME_CHECKS:
        yield from check(sentence)


def _game_claims(read: ReadSentence, table: Table) -> Iterator[Claim]:
    sentence = GameSentence(read, table)
    for claims in CLAIMS:
        yield from claims(sentence)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A text and where the table differs from it.

    Attributes:
        text: The text.
        sentences: Where its sentences are.
        flags: What the table does not confirm, in order; spans are relative to their sentences.
    """

    text: str
    sentences: tuple[Span, ...]
    flags: tuple[Flag, ...]

    @property
    def placed(self) -> list[tuple[Span, Flag]]:
        """The flags, each with its span in the whole text."""
        begins = [self.sentences[flag.sentence][0] for flag in self.flags]
        return [
            ((begin + flag.span[0], begin + flag.span[1]), flag)
            for begin, flag in zip(begins, self.flags, strict=True)
        ]

    @property
    def repaired(self) -> str:
        """The text corrected by the table where nothing else would have to change."""
        texts = [self.text[start:end] for start, end in self.sentences]
        parts, done = [], 0
        for (start, end), better in zip(self.sentences, repaired(texts, self.flags), strict=True):
            parts += [self.text[done:start], better]
            done = end
        return "".join([*parts, self.text[done:]])


def check_text(table: Table, text: str) -> CheckResult:
    """Check a text against a table."""
    spans = tuple(split_sentences(text))
    flags = checker_for(table).check([text[start:end] for start, end in spans])
    return CheckResult(text, spans, tuple(flags))


def check_to_json(result: CheckResult) -> dict[str, Any]:
    """Return the result as JSON values; offsets count characters of the text."""
    return {
        "schema": SCHEMA,
        "text": result.text,
        "flags": [
            {
                "kind": flag.kind,
                "ground": flag.ground,
                "start": start,
                "end": end,
                "saw": flag.saw,
                "message": flag.message,
                "instead": flag.instead,
            }
            for (start, end), flag in result.placed
        ],
        "repaired": result.repaired,
    }


def check_to_text(result: CheckResult) -> str:
    """Return each sentence that is flagged, followed by what the table has."""
    lines: list[str] = []
    last = -1
    for flag in result.flags:
        if flag.sentence != last:
            start, end = result.sentences[flag.sentence]
            lines += ["", " ".join(result.text[start:end].split())]
            last = flag.sentence
        lines.append(f"  {flag.saw}: {flag.message}")
    sentences = counted(len(result.sentences), "sentence")
    if not result.flags:
        return f"Nothing in {sentences} differs from the table.\n"
    found = counted(len(result.flags), "place")
    head = f"In {sentences}, {found} that the table does not confirm:"
    return "\n".join([head, *lines, ""])
