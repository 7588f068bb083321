"""What the numbers in a report on a basketball game state."""

import re
from collections.abc import Sequence
from dataclasses import replace

from longsum.tables.games.game_rules import OTHER_GAMES, RULES, nothing
from longsum.tables.games.game_words import mask
from longsum.tables.matching.mentions import Mention, Statement
from longsum.tables.matching.plain_words import Span

_TOTAL = re.compile(
    r"combin(?:ed|ing|es) for|is (?:now )?(?:shooting|scoring)"
    r"|(?:has|'s) (?:now )?(?:scored|totaled)"
)
_MEAN = re.compile(r"coming off (?!the bench)|averag(?:ed|es|ing)")
_SEVERAL_GAMES = re.compile(
    r"(?:last|past|previous|straight|consecutive) (?:\S+ )?"
    r"(?:games|contests|outings|starts|matchups|appearances)"
    r"|(?:over|during|in) (?:that|this|the|his) (?:span|stretch|last|past|period)"
    r"|in a row|per game|on the (?:season|year)|this season|stretch|between"
)
_CLAUSE_END = re.compile(r" (?:[.;]|while|but|who|P+) ")
_ABOUT = re.compile(
    r"(?<![^ ])(?:under|over|nearly|almost|about|around|roughly|surpass\w*|crack(?:ed)?|below|above"
    r"|than|approximately|at least|exceed\w*|reach\w*|close to|mere|topp(?:ed|ing)|eclips\w+) $"
)

_NEGATED = re.compile(r"(?<![^ ])(?:n ' t|not(?! only)|never|failed to)(?: \w+){0,2} $")


class GameReader:
    """Reads what numbers state in sentences about a basketball game.

    The rules of `game_rules` are tried in order, and each number is read once. Totals and means
    over several games are then taken out, and numbers that are only near what is meant ("just under
    39 percent") marked as unsure.
    """

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order; see `StatementReader`."""
        masked = mask(text, mentions)
        taken = {place for each in mentions for place in range(each.start, each.end)}
        found: list[Statement] = []
        for pattern, rule in RULES:
            for match in pattern.finditer(masked):
                places = _places(match)
                if taken & places:
                    continue
                made = list(rule(match, masked))
                if made or rule is nothing:
                    taken |= places
                found += made
        spans = _several_games(masked)
        return sorted(
            (_settled(each, masked, spans) for each in found), key=lambda each: each.start
        )


def _places(match: re.Match[str]) -> set[int]:
    """Return where the numbers of a match begin, or the match itself if it has none."""
    groups = (group for group in "nlm" if match.re.groupindex.get(group) and match[group])
    return {match.start(group) for group in groups} or {match.start()}


def _settled(statement: Statement, text: str, several: Sequence[Span]) -> Statement:
    inside = any(start <= statement.start < end for start, end in several)
    if inside and statement.reason != OTHER_GAMES:
        return Statement(
            statement.start, statement.end, statement.value, "outside", reason=OTHER_GAMES
        )
    if _NEGATED.search(text, max(0, statement.start - 40), statement.start):
        statement = replace(statement, negated=True)
    if _ABOUT.search(text, max(0, statement.start - 30), statement.start):
        return replace(statement, sure=False)
    return statement


def _several_games(text: str) -> list[Span]:
    """Return where a sentence adds or averages over several games, or is about another one."""
    found = list(_MEAN.finditer(text))
    if _SEVERAL_GAMES.search(text):
        found += _TOTAL.finditer(text)
    ends = [(match.start(), _CLAUSE_END.search(text, match.end())) for match in found]
    return [(start, end.start() if end else len(text)) for start, end in ends]
