"""Statements of cells, and mentions of their names."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import accumulate
from typing import Literal, Protocol

from longsum.language.words import stop_words, terms
from longsum.tables.matching.plain_words import PlainWords, fold
from longsum.tables.matching.spoken_numbers import NUMBER
from longsum.tables.table import GROUP, Entity, Table

LIKENESS = 0.9
"""How similar a misspelt name must be to one in the table, as `difflib` measures it."""

MOST_DOTS = 3
"""Most dots that may occur in a name that has none in the table."""

_INITIALS = re.compile(r"(?<![^ ])[^\W\d_](?: [^\W\d_])+(?![^ ])")
_ABBREVIATED = re.compile(r"(?<![^ ])(?:[^\W\d_]|jr|sr) \.$")
_GENERATION = re.compile(r"(?:jr|sr|ii|iii|iv)\.?")
# Words written with a capital letter before a name that are not part of it.
_OFFICES = frozenset(
    terms("center coach forward guard point rookie star starter starters swingman veteran")
)
# Two words with a capital letter each, and words among them that show it is no person.
_TWO_WORDS = re.compile(r"(?<![^ ])([^\W\d_]+) ([^\W\d_]+)(?![^ ])")
_PERSON = re.compile(r"[A-Z][a-z]+")
_NO_PEOPLE = _OFFICES | set(
    terms(
        "all american america april arena association atlantic august back bowl building center "
        "central christmas city classic club coliseum conference court day december defense "
        "division dome eastern february field fieldhouse final finals friday game garden hall "
        "january july june league march may monday new northwest november october offense pacific "
        "palace park player rookie saturday series september shooting southeast southwest stadium "
        "star state sunday team thursday tuesday wednesday western year"
    )
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a sentence.

    Attributes:
        start: Where it begins in the `text` of the `PlainWords`.
        end: Where it ends.
        entities: The names of the entities that it may mean: several if they share it, none if the
            table has no such entity.
        kind: Their kind.
        name: The full name of what is not in the table, else "".
    """

    start: int
    end: int
    entities: tuple[str, ...]
    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class OutsideName:
    """Something like the entities of a table that may not be in it, such as another team."""

    name: str
    kind: str
    aliases: tuple[str, ...] = ()


class NameFinder:
    """Finds the names of a table's entities in sentences, and other names that it is given.

    The longest name wins. A name is found in any spacing ("Karl - Anthony Towns"), with or without
    accents, the dots of initials ("C.J.", "CJ") and a closing "Jr." or "III"; but a name that
    begins with a capital letter is found only if the text has one too, so that "heat" and "love"
    are words. The last name of another person ("Josh Smith"), or the first name ("Isaiah Canaan"),
    is not found. An entity named only by its kind has no name.

    Args:
        table: The table.
        nicknames: Further names of entities, by one that they have.
        outside: Entities that may be named without being in the table.
    """

    def __init__(
        self,
        table: Table,
        nicknames: Mapping[str, Sequence[str]] | None = None,
        outside: Sequence[OutsideName] = (),
    ) -> None:
        self._kinds = {entity.name: entity.kind for entity in table.entities}
        self._folded = {fold(entity.name): entity.name for entity in table.entities}
        self._owners: dict[str, list[str]] = defaultdict(list)
        self._outside: dict[str, OutsideName] = {}
        for entity in table.entities:
            if entity.name == entity.kind or entity.kind == GROUP:
                continue
            for name in (entity.name, *_other_names(entity, nicknames or {})):
                if (key := _key(name)) and entity.name not in self._owners[key]:
                    self._owners[key].append(entity.name)
        for other in outside:
            for name in (other.name, *other.aliases):
                if _key(name) not in self._owners:
                    self._outside.setdefault(_key(name), other)
        keys = (*self._owners, *self._outside)
        # The dots of initials, and one after "Jr", may stand between.
        self._most = max((key.count(" ") + 1 for key in keys), default=0) + MOST_DOTS

    def find(self, words: PlainWords) -> list[Mention]:
        """Return the names in a sentence, in order, without overlap."""
        plain = words.text.split(" ")
        starts = list(accumulate((len(word) + 1 for word in plain), initial=0))
        found: list[Mention] = []
        place = 0
        while place < len(plain):
            ends = range(min(place + self._most, len(plain)), place, -1)
            spans = ((starts[place], starts[end] - 1, end) for end in ends)
            for start, stop, end in spans:
                if mention := self._mention(words, start, stop):
                    found.append(mention)
                    place = end
                    break
            else:
                place += 1
        strangers = (self._misspelt(each) for each in _strangers(words, found))
        return sorted((*found, *strangers), key=lambda each: each.start)

    def _misspelt(self, stranger: Mention) -> Mention:
        """Return whom a name means that is close to one of the table's: "Jarret Jack"."""
        close = get_close_matches(fold(stranger.name), self._folded, 1, LIKENESS)
        if not close:
            return stranger
        name = self._folded[close[0]]
        return Mention(stranger.start, stranger.end, (name,), self._kinds[name])

    def _mention(self, words: PlainWords, start: int, end: int) -> Mention | None:
        """Return the mention that a span of whole words is, if it is one."""
        text = words.text[start:end]
        if text.startswith(".") or (text.endswith(" .") and not _ABBREVIATED.search(text)):
            return None
        key = _merged(text)
        if key not in self._owners and key not in self._outside:
            return None
        written = words.at(start, end)
        if key in self._outside:
            other = self._outside[key]
            is_name = written[0] == other.name[0] or not written[0].islower()
            return Mention(start, end, (), other.kind, other.name) if is_name else None
        owners = [
            owner
            for owner in self._owners[key]
            if not (owner[0].isupper() and written[0].islower())
            and not _of_another(words, start, end, key, owner)
        ]
        return Mention(start, end, tuple(owners), self._kinds[owners[0]]) if owners else None


def _strangers(words: PlainWords, found: Sequence[Mention]) -> Iterator[Mention]:
    """Yield people whom no other rule knows, by a first and a last name, as "David West"."""
    reached = 0
    while pair := _TWO_WORDS.search(words.text, reached):
        reached = pair.end(1)
        start, end = pair.span()
        free = all(end <= each.start or each.end <= start for each in found)
        written = words.at(start, end).split(" ")
        if free and len(written) == 2 and all(_PERSON.fullmatch(each) for each in written):
            beside = _beside(words, start, end)
            first, last = pair.groups()
            no_name = {first, last} & (_NO_PEOPLE | stop_words()) or re.fullmatch(NUMBER, first)
            if not beside and not no_name:
                yield Mention(start, end, (), "", " ".join(written))
                reached = end


def _beside(words: PlainWords, start: int, end: int) -> bool:
    """Return whether a name continues before or after, as "Madison Square Garden" does."""
    before = words.text[: max(start - 1, 0)].rpartition(" ")[2]
    after = words.text[end + 1 :].partition(" ")[0]
    beside = ((start - 1 - len(before), before), (end + 1, after))
    return any(_has_capital(words, *each) and each[1] not in stop_words() for each in beside)


def _of_another(words: PlainWords, start: int, end: int, key: str, owner: str) -> bool:
    """Return whether the capital word beside a part of a name makes it another one's name."""
    full = PlainWords(owner).text
    if key == full or " " in key:
        return False
    if full.endswith(f" {key}"):
        before = words.text[: max(start - 1, 0)].rpartition(" ")[2]
        place = start - 1 - len(before)
        return _is_name(words, place, before) and before not in full.split()
    if full.startswith(f"{key} "):
        after = words.text[end + 1 :].partition(" ")[0]
        return _is_name(words, end + 1, after) and after not in full.split()
    return False


def _is_name(words: PlainWords, place: int, word: str) -> bool:
    """Return whether a word is capitalized as a name, not as the start of a sentence."""
    known = word in _OFFICES or word in stop_words() or re.fullmatch(NUMBER, word)
    return _has_capital(words, place, word) and not known


def _has_capital(words: PlainWords, place: int, word: str) -> bool:
    return len(word) > 1 and word.isalpha() and words.at(place, place + len(word))[0].isupper()


def _other_names(entity: Entity, nicknames: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name in (entity.name, *entity.aliases):
        yield name
        yield from nicknames.get(name, ())
        *first, last = name.split()
        if first and _GENERATION.fullmatch(fold(last)):
            yield " ".join(first)
            yield first[-1]


def _key(name: str) -> str:
    """Return a key that is the same for all spellings of a name."""
    return _merged(PlainWords(name).text)


def _merged(text: str) -> str:
    """Return plain words without dots, initials as one word: "c . j . miles" as "cj miles"."""
    if " " not in text:
        return text
    return _INITIALS.sub(lambda match: match[0].replace(" ", ""), text.replace(" .", ""))


Form = Literal["value", "pair", "difference", "rank", "count", "outside"]
Types = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Statement:
    """A number and what it states.

    Attributes:
        start: Where it begins in the `text` of the `PlainWords` of its sentence.
        end: Where it ends.
        value: The number.
        form: `value` is a value of an entity; `pair` one of two adjacent values, of two entities;
            `difference` how far two entities are apart; `rank` the rank of an entity among those
            that belong with it; `count` how many entities reach `threshold`; `outside` something
            that the table cannot have.
        types: By the kind of the entity, the names of the record types that it states; if several,
            it is their sum.
        partner: Where the other number of a pair begins.
        threshold: What the counted entities reach.
        final: Whether a pair is the final score, which has the winner's number first.
        beside: Whether it is about the name right before it, whatever the subject of the sentence.
        other: Whether it is about the other team than the subject of the sentence.
        of: Where the name that it is about begins, if the words say so.
        negated: Whether the sentence negates it.
        sure: Whether the words leave no doubt about the type.
        reason: What an `outside` number is about, for messages.
    """

    start: int
    end: int
    value: float
    form: Form
    types: Types = field(default_factory=dict)
    partner: int | None = None
    threshold: float = 0
    final: bool = False
    beside: bool = False
    other: bool = False
    of: int | None = None
    negated: bool = False
    sure: bool = True
    reason: str = ""


class StatementReader(Protocol):
    """Finds what the numbers of sentences state; one for each domain."""

    def statements(self, text: str, mentions: Sequence[Mention]) -> list[Statement]:
        """Return the statements of a sentence in order.

        The text is that of its `PlainWords`.
        """
        ...
