"""What may be a heading where a format does not say, and how likely its signs make it one."""

import json
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import exp

from longsum.documents.model import Evidence
from longsum.documents.readers.structure.heading_numbers import Number

PRIOR = "a line"
"""The sign that every candidate has: how rare headings are."""
_STATED = 100.0
"""What a statement of the file counts, in log-odds: no sign outweighs it."""
_SAID = 0.1
"""Least weight of a sign that is told of."""
_FEWEST_CAPITALS, _MOST_LOWER = 6, 0.1
USUAL_TITLES = re.compile(
    "abstract|executive summary|summary|introduction|background|related work|motivation|methods?"
    "|materials and methods|methodology|results|discussion|results and discussion|conclusions?"
    "|references|bibliography|acknowledge?ments?|appendix|appendices|glossary|preface|foreword"
    "|contents|index|zusammenfassung|einleitung|ergebnisse|literatur(?:verzeichnis)?|anhang"
    "|vorwort|résumé|introduction|conclusion|bibliographie|annexes?|resumen|introducción"
    "|conclusiones|referencias|bibliografía",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Type:
    """How words are set.

    Attributes:
        size: Size in points.
        bold: Whether they are bold.
        italic: Whether they are italic.
        underlined: Whether they are underlined.
        capitals: Whether they are shown in capitals or small capitals.
        mono: Whether they are set in typewriter type.
        family: The name of the font's family, where it is known.
    """

    size: float = 10.0
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    capitals: bool = False
    mono: bool = False
    family: str = ""


@dataclass(slots=True)
class HeadingCandidate:
    """Lines that may be one heading.

    Attributes:
        first: Position of its first line among the lines of the document.
        last: Position after its last line.
        text: Its text.
        type: How it is set.
        is_centred: Whether it is centred.
        is_set_off: Whether it looks unlike the text.
        number: The number that opens it.
        signs: What speaks for and against it, and how much of that there is.
        level: Its depth as the file states it, from 1; None if it does not.
        stated: What of the file says that it is a heading; an empty string if nothing does.
        counted: Whether its number goes on from that of an earlier one.
    """

    first: int
    last: int
    text: str
    type: Type
    is_centred: bool = False
    is_set_off: bool = True
    number: Number | None = field(default=None, kw_only=True)
    signs: dict[str, float] = field(default_factory=dict, kw_only=True)
    level: int | None = field(default=None, kw_only=True)
    stated: str = field(default="", kw_only=True)
    counted: bool = field(default=False, kw_only=True)

    @property
    def look(self) -> Hashable:
        """How it is set: headings of one level look alike."""
        own = self.type
        capitals = own.capitals or is_upper(self.text)
        return round(own.size * 2), own.bold, own.italic, own.underlined, capitals, own.family

    @property
    def prominence(self) -> float:
        """How strongly it stands out by its type: its size in points, and more if it is bold."""
        own = self.type
        capitals = own.capitals or is_upper(self.text)
        return own.size + 0.8 * own.bold + 0.7 * capitals - 0.3 * own.italic

    @property
    def score(self) -> float:
        """The log-odds of its being a heading."""
        known = weights()
        signs = sum(known.get(name, 0.0) * value for name, value in self.signs.items())
        return signs + _STATED * bool(self.stated)

    @property
    def evidence(self) -> Evidence:
        """Its probability and its signs, what speaks for it first."""
        told = {name: weights().get(name, 0.0) * value for name, value in self.signs.items()}
        told.pop(PRIOR, None)
        said = [self.stated] * bool(self.stated)
        said += [each for each in sorted(told, key=lambda n: -told[n]) if told[each] >= _SAID]
        said += [
            f"but {each}" for each in sorted(told, key=told.__getitem__) if told[each] <= -_SAID
        ]
        return Evidence(round(1 / (1 + exp(-max(min(self.score, 30.0), -30.0))), 3), tuple(said))


@cache
def weights() -> Mapping[str, float]:
    """Return the weights of signs in log-odds, as `benchmarks/fit_headings.py` fitted them."""
    file = files("longsum.documents.readers.structure") / "heading_weights.json"
    found: dict[str, float] = json.loads(file.read_text("utf-8"))["weights"]
    return found


def is_upper(text: str) -> bool:
    """Return whether nearly all letters are capitals, and they are more than an acronym's."""
    letters = [character for character in text if character.isalpha()]
    lower = sum(map(str.islower, letters))
    return len(letters) >= _FEWEST_CAPITALS and lower <= _MOST_LOWER * len(letters)


def is_usual_title(text: str) -> bool:
    """Return whether a heading is one that many documents have, such as `Abstract`."""
    return bool(USUAL_TITLES.fullmatch(text.strip(" .:")))


def letters_of(text: str) -> str:
    """Return letters and digits alone, in lower case: what two forms of a title share."""
    return "".join(filter(str.isalnum, text.casefold()))
