"""Does the check of a realizer's output accept wrong sentences, or reject right ones?

Run: LONGSUM_DATA=… python benchmarks/table_claims.py --part development|final [--wrong]

The right sentences are those of the templates for the rules' plans of real games, unchanged and in
other words (`OTHER_WORDS`). Each is then made wrong in every way of `CORRUPTIONS` that its words
allow: another team, another player, another number, the opposite of "led" and "beat", a high or a
double-double that the table does not have, a streak, an injury, another day. A wrong sentence
passes if the check accepts it, or what it made of it, unless that is the right one again.

It also prints how many sentences of the references pass, of those whose numbers are their plan's:
people write more than a table has, so most are rejected. `--wrong` lists the wrongly accepted and
rejected sentences, for development only. The games are those of `benchmarks/table_checks.py`.
"""

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from longsum.language.sentences import sentence_texts
from longsum.tables.checks.text_checks import checker_for, matcher_for
from longsum.tables.games.rotowire import game_table, reference_text
from longsum.tables.oracle_plans import stated_records
from longsum.tables.plan_checks import unplanned_numbers
from longsum.tables.planning.planners import plan_by_rules
from longsum.tables.realization.checked_realization import SentenceCheck
from longsum.tables.realization.realizer_input import context_of
from longsum.tables.table import Table
from longsum.tables.templates import realize
from rotowire_texts import LAST_OF_DEVELOPMENT, PARTS, games

OTHER_WORDS = (
    (r"\b(?:beat|routed|blew out|edged|squeezed past)\b", "defeated"),
    (r"\b(?:beat|defeated|routed)\b", "topped"),
    (r"\bscored\b", "tallied"),
    (r"\bfinished with\b", "ended with"),
    (r"\b(?:had|posted|contributed)\b(?= (?:a|\w+ points))", "recorded"),
    (r"\badded\b", "chipped in with"),
    (r"\bpaced\b", "led"),
    (r", while committing", " and committed"),
)
_OPPOSITES = (
    ("led", "trailed"),
    ("trailed", "led"),
    ("outscored", "were outscored by"),
    ("won", "lost"),
    ("lost", "won"),
    ("more", "fewer"),
    ("fewer", "more"),
    ("beat", "lost to"),
    ("defeated", "fell to"),
    ("routed", "were routed by"),
    ("edged", "lost to"),
    ("outrebounded", "were outrebounded by"),
)
Corruption = Callable[[str, Table, set[str]], Iterator[str]]


def opposites(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with "led" for "trailed" and the like, of teams."""
    del table, named
    for word, other in _OPPOSITES:
        for match in re.finditer(rf"\b{word}\b(?! all| the rebounding)", text):
            # "Thomas led the Celtics with 38 points" has no opposite in these words.
            after = text[match.end() : match.end() + 60]
            if word != "led" or re.match(r"[^,]* \d+-\d+ after", after):
                yield text[: match.start()] + other + text[match.end() :]


def other_team(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with one name of a team replaced by the other's."""
    del named
    for one, two in (table.of_kind("team"), table.of_kind("team")[::-1]):
        for mine, theirs in zip(one.aliases, two.aliases, strict=True):
            for match in re.finditer(rf"\b{re.escape(mine)}\b", text):
                if mine != theirs:
                    yield text[: match.start()] + theirs + text[match.end() :]


def other_player(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with a player replaced by one that it does not name."""
    players = [each.name for each in table.of_kind("player")]
    for name in (each for each in players if each in text):
        other = next(each for each in reversed(players) if each not in named)
        yield text.replace(name, other)


def other_number(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with one number in digits three higher, and more than the table has."""
    del table, named
    for match in re.finditer(r"\b\d\d+\b(?!, 20|th)", text):
        yield f"{text[: match.start()]}{int(match[0]) + 3}{text[match.end() :]}"


def highs(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence that wrongly calls a count a high, or one of the season."""
    del table, named
    for match in re.finditer(r"(?<!high )(?<!\w-)\b\w+ (?:points|rebounds|assists|steals)", text):
        for high in ("game-high", "season-high", "career-high"):
            if high != "game-high" or " all scorers" not in text:
                yield f"{text[: match.start()]}a {high} {text[match.start() :]}"


def streaks(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with a streak that the table does not have."""
    del table, named
    for more in (", their third straight win", ", extending a losing streak", " once again"):
        yield text.rstrip(".") + more + "."


def injuries(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with an injury that the table does not have."""
    del table, named
    for more in (" before leaving with a knee injury", ", despite a sore ankle"):
        yield text.rstrip(".") + more + "."


def feats(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence that makes its first player a starter, a leader, or credits a double."""
    players = [each.name for each in table.of_kind("player") if each.name in text]
    if players and "bench" not in text and "reserve" not in text:
        position = table.record(players[0], "PLAYER-START_POSITION")
        if position is not None and not position.missing:
            yield text.rstrip(".") + " off the bench."
    if players and " led " not in text and " paced " not in text:
        yield re.sub(
            r"\b(?:had|posted|added|finished with|contributed)\b", "led all scorers with", text
        )
    if players and "double-double" not in text and "11 " not in text and "10 " not in text:
        yield text.rstrip(".") + " for a triple-double."
    del named


def other_day(text: str, table: Table, named: set[str]) -> Iterator[str]:
    """Yield a sentence with another day."""
    del named
    if table.date and f"{table.date:%A}" in text:
        yield text.replace(f"{table.date:%A}", "Monday" if table.date.weekday() else "Sunday")


CORRUPTIONS: tuple[Corruption, ...] = (
    opposites,
    other_team,
    other_player,
    other_number,
    highs,
    streaks,
    injuries,
    feats,
    other_day,
)


def main() -> None:
    """Print how many sentences pass."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--wrong", action="store_true", help="list what the check gets wrong")
    options = parser.parse_args()
    if options.wrong and options.part == "final":
        parser.error("--wrong is for the development part; the final games are not looked at.")
    passed, tried = Counter[str](), Counter[str]()
    for name, game in sorted(games().items()):
        if (name <= LAST_OF_DEVELOPMENT) != (options.part == "development"):
            continue
        table = game_table(game)
        for kind, hit, text in [*judged(table), *of_people(table, reference_text(game))]:
            tried[kind] += 1
            passed[kind] += hit
            if options.wrong and kind != "references" and hit != kind.startswith("right"):
                print(f"{name} {kind}: {text}")
    print("\nsentences              passed    of")
    for kind, count in tried.items():
        print(f"{kind:20} {passed[kind]:8} {count:5}  {passed[kind] / count:6.1%}")
    wrong = [kind for kind in tried if kind not in ("right", "right, reworded", "references")]
    part, whole = (sum(counts[kind] for kind in wrong) for counts in (passed, tried))
    print(f"{'all corruptions':20} {part:8} {whole:5}  {part / whole:6.1%}")


def judged(table: Table) -> Iterator[tuple[str, bool, str]]:
    """Yield right and wrong sentences about a game, each with its kind and whether it passes."""
    check = SentenceCheck(checker_for(table))
    before: list[str] = []
    for sentence in realize(table, plan_by_rules(table)).sentences:
        text, planned = sentence.text, sentence.records
        named = {table.records[index].entity.name for index in planned}
        yield "right", bool(check.passed(text, planned, before)), text
        for old, new in OTHER_WORDS:
            if (reworded := re.sub(old, new, text)) != text:
                yield "right, reworded", bool(check.passed(reworded, planned, before)), reworded
        for corruption in CORRUPTIONS:
            for wrong in dict.fromkeys(corruption(text, table, named)):
                if wrong != text:
                    found = check.passed(wrong, planned, before)
                    yield corruption.__name__, bool(found and found.text != text), wrong
        before = [*before, text][-2:]


def of_people(table: Table, reference: str) -> Iterator[tuple[str, bool, str]]:
    """Yield the sentences of a reference whose numbers are their plan's."""
    check = SentenceCheck(checker_for(table))
    sentences: Sequence[str] = sentence_texts(reference)
    for place, read in enumerate(matcher_for(table).read(sentences)):
        entries = stated_records(read, table)
        if entries and not any(
            unplanned_numbers(read, {*entries, *context_of(table, entries)}, table)
        ):
            found = check.passed(sentences[place], entries, sentences[max(place - 2, 0) : place])
            yield "references", bool(found), sentences[place]


if __name__ == "__main__":
    main()
