"""Names of invented teams and players."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from numpy.random import Generator

T = TypeVar("T", bound=Hashable)

_ONSETS = (
    *("b", "br", "c", "ch", "d", "dr", "f", "g", "gr", "h", "j", "k", "kl", "l", "m", "n", "p"),
    *("qu", "r", "s", "sh", "st", "t", "tr", "v", "w", "y", "z"),
)
_VOWELS = (
    "a",
    "e",
    "i",
    "o",
    "u",
    "ai",
    "ea",
    "ou",
    "ia",
    "ar",
    "er",
    "or",
    "en",
    "an",
    "in",
    "on",
)
_CODAS = ("", "", "", "l", "n", "r", "s", "t", "ck", "ld", "m", "nd", "rs", "x", "sh")
_PLACES = ("", "", "", " City", "ford", "ville", " Bay", " Falls", "mouth")
_BEFORE = ("", "", "", "", "", "New ", "Port ", "San ", "East ")
_NICKNAMES = (
    *("Anchors", "Badgers", "Beacons", "Bisons", "Canyons", "Cinders", "Comets", "Condors"),
    *("Cougars", "Coyotes", "Cranes", "Cyclones", "Dragons", "Falcons", "Ferries", "Foxes"),
    *("Geysers", "Glaciers", "Harriers", "Herons", "Hounds", "Kestrels", "Lanterns", "Larks"),
    *("Lynxes", "Mariners", "Meteors", "Millers", "Moose", "Otters", "Owls", "Panthers"),
    *("Pilots", "Pines", "Ravens", "Ridge", "Rivers", "Sails", "Sparrows", "Stags", "Storm"),
    *("Surge", "Swifts", "Tides", "Titans", "Vipers", "Voyagers", "Whalers", "Wolverines"),
)


def team_names(generator: Generator, count: int) -> list[tuple[str, str]]:
    """Return the city and the nickname of some teams, all different."""
    cities = _different(lambda: _place(generator), count)
    nicknames = generator.permutation(_NICKNAMES)[:count]
    return list(zip(cities, (str(each) for each in nicknames), strict=True))


def player_names(generator: Generator, count: int) -> list[tuple[str, str]]:
    """Return the first and the second name of some players, no two alike in both."""
    return _different(lambda: (_first(generator), _second(generator)), count)


def _different(draw: Callable[[], T], count: int) -> list[T]:
    found: dict[T, None] = {}
    while len(found) < count:
        found[draw()] = None
    return list(found)


def _place(generator: Generator) -> str:
    before, after = generator.choice(_BEFORE), generator.choice(_PLACES)
    return f"{before}{_word(generator, 1 if after else 2)}{after}"


def _first(generator: Generator) -> str:
    kind = generator.random()
    if kind < 0.04:
        return "".join(
            f"{chr(ord('A') + int(letter))}." for letter in generator.integers(26, size=2)
        )
    return _word(generator, 1 if kind < 0.3 else 2)


def _second(generator: Generator) -> str:
    name = _word(generator, 1 if generator.random() < 0.2 else 2)
    kind = generator.random()
    if kind < 0.03:
        return f"{name}-{_word(generator, 1)}"
    if kind < 0.05:
        return f"O'{name}"
    return f"{name} {generator.choice(('Jr.', 'III'))}" if kind < 0.08 else name


def _word(generator: Generator, syllables: int) -> str:
    parts = [
        str(generator.choice(_ONSETS)) + str(generator.choice(_VOWELS)) for _ in range(syllables)
    ]
    return ("".join(parts) + str(generator.choice(_CODAS))).capitalize()
