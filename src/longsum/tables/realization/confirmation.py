"""Whether everything that a sentence claims is confirmed by its table and its plan.

A word passes if it is part of a confirmed number, name, day or claim, or if it claims nothing by
itself. Whatever else is in the sentence (a streak, an injury, a record of the season) cannot be
interpreted, and is not confirmed.
"""

import re
from collections.abc import Sequence

from longsum.language.words import terms
from longsum.tables.checks.checking import Claim
from longsum.tables.games.game_words import DEEP, FREE, NOUNS, period_spans
from longsum.tables.games.rotowire import MATCH
from longsum.tables.matching.matcher import ReadSentence
from longsum.tables.matching.subjects import Named
from longsum.tables.plan_checks import combined, stated_dates
from longsum.tables.table import Entity, Table

NEUTRAL = frozenset(
    terms(
        "a an the of in on for by at to with from and as while who which he his him they their it "
        "its also along off was were is had has have having scored scoring score got get gave "
        "added adding contributed contributing posted posting recorded recording finished "
        "finishing ended ending chipped tallied tallying poured dropped registered registering "
        "collected collecting notched amassed amassing totaled totaling supplied supplying "
        "provided providing logged logging racked accumulated produced producing turned put "
        "pitched hauled grabbed grabbing pulled dished dishing handed tossed swiped snatched "
        "shot shooting hit hitting made making went going connected connecting converted "
        "converting knocked knocking drained draining sank buried drilled needed "
        "committed committing turned played playing came apiece each another assisted together "
        "field floor range game quarter percent total roster did but behind against "
        "though stood away team squad performance effort line combined night contest action court "
        "both than"
    )
)
"""Words that claim nothing by themselves."""
_NEUTRAL_PHRASES = re.compile(
    r"(?<![^ ])(?:(?:chipp|pour|pitch)\w+ in|(?:knock|pull)\w+ down|(?:rack\w+|put\w*) up"
    rf"|com\w+ up with|{'|'.join(NOUNS.values())}|(?:{DEEP}|{FREE})"
    r"|(?:from |the |line |range ){1,4}"
    r"|the rebounding battle|after (?:the (?:first|second|third|fourth) quarter|three quarters)"
    r"|held on"
    r"|three - point|3 - point|free - throw|offensive|defensive)(?![^ ])"
)
_WORD = re.compile(r"[^ ]+")
_OPPONENT = re.compile(
    r"(?<![^ ])(?:against|over|past|than|to|with|met|faced|visited|hosted|beat|versus)"
    r"(?: the)?(?: host| visiting)? $"
)
_RIVAL = re.compile(r"(?<![^ ])(?:led|trailed|outscored|outrebounded)(?: the)? $")


def unconfirmed(
    read: ReadSentence, claims: Sequence[Claim], planned: Sequence[Entity], table: Table
) -> list[str]:
    """Return what nothing confirms in a sentence whose numbers its plan supports.

    Claims that the checker flags confirm nothing; the sentence must name all entities that are
    planned.

    Returns:
        Words, the names of entities that are not named, and scores that nobody has.
    """
    text, words = read.words.text, read.words
    right = [relation for relation in read.relations if relation.has == relation.value]
    said = {relation.types for relation in right}
    places = [claim.place for claim in claims if not claim.flag]
    places += [(start, end) for types, start, end in period_spans(text) if types in said]
    places += [match.span() for match in _NEUTRAL_PHRASES.finditer(text)]
    places += [
        (each.start, each.end)
        for each in read.named
        if each.pronoun or _in_its_place(each, read, planned, table)
    ]
    spans = [*(relation.span for relation in right), *stated_dates(read, table)]
    spans += [span for span, total, said in combined(read) if said == total]
    found = []
    for match in _WORD.finditer(text):
        start, end = words.span(*match.span())
        confirmed = any(first <= match.start() < last for first, last in places)
        confirmed |= any(first <= start and end <= last for first, last in spans)
        if match[0].isalnum() and match[0] not in NEUTRAL and not confirmed:
            found.append(match[0])
    named = {each.entity for each in read.named}
    found += [each.name for each in planned if each.kind != MATCH.kind and each.name not in named]
    pairs = [relation.said for relation in read.relations if relation.form == "pair"]
    return found + (pairs if not any(c.compares and not c.flag for c in claims) else [])


def _in_its_place(name: Named, read: ReadSentence, planned: Sequence[Entity], table: Table) -> bool:
    """Return whether a player is planned; or a team the one that the words around speak of."""
    entity = table.entity(name.entity or "")
    if entity is None or entity.kind != "team":
        return entity in planned
    before = read.words.text[: name.start]
    subject = read.subject(max(name.start - 1, 0))
    of = table.entity(subject.players[-1]) if subject.players else None
    mine = of.of if of and subject.kind == "player" else subject.team
    if subject.kind == "team" and _RIVAL.search(before):
        return subject.team != entity.name
    if _OPPONENT.search(before) and mine is not None:
        return mine != entity.name
    if any(entity.name in relation.entities for relation in read.relations):
        own = [each for each in read.relations if entity.name in each.entities]
        if all(each.value == each.has for each in own) and subject.kind != "player":
            return True
    players = [each for each in read.named if each.kind == "player" and not each.pronoun]
    last = [each for each in players if each.end <= name.start]
    beside = (
        last[-1]
        if last and subject.kind == "player"
        else next((each for each in players if each.start >= name.end), None)
    )
    if beside is None:
        return True
    player = table.entity(beside.entity or "")
    return player is not None and player.of == entity.name
