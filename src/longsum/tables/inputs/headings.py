"""What the names of columns say of their values: English rules, measured in docs/tables.md."""

import re
from collections.abc import Sequence
from itertools import pairwise

from longsum.tables.annotated_text import MONTHS
from longsum.tables.inputs.table_schema import Overall
from longsum.tables.table import CURRENCIES

_FLOW = re.compile(
    r"amount|revenues?|turnover|sales|costs?|expens\w+|expenditures?|spend\w*|spent|budget"
    r"|actual|profits?|loss(?:es)?|earnings|orders?|units|sold|quantity|qty|volume|visit(?:s|ors)"
    r"|views|clicks|downloads|votes?|returns|donations?|gifts?|rain(?:fall)?|precipitation|hours"
    r"|calls|cases|deaths|births|accidents|incidents|trips|rides|shipments|exports?|imports?"
    r"|production|consumption|payments?|invoices?|fees?|tax(?:es)?|medals?|gold|silver|bronze"
    r"|arrests|passengers|counts?|freq|frequency|generation|betrag|umsatz|kosten|anzahl|menge|niederschlag",
    re.I,
)
_STOCK = re.compile(
    r"population|inhabitants|residents|staff|employees|teachers|students|pupils|members|seats"
    r"|area|stock|inventory|users|subscribers|customers|beds|headcount|einwohner",
    re.I,
)
_MEAN = re.compile(
    r"rates?|prices?|fares?|scores?|ratings?|ages?|temperature|temp|salary|salaries|wage|speed"
    r"|wind|height|weight|length|width|depth|duration|low|high|wt|income|pressure|humidity|gpa|bmi",
    re.I,
)
_NEVER = re.compile(
    r"per|average|avg|mean|median|share|ratio|index|percent\w*|pct|growth|change|rank|variance"
    r"|difference|diff|cumulative|std|sd|factor|level|balance|state|pair|quarter|month|day|week|time"
    r"|replicate|block|plot|subject|group|class",
    re.I,
)
_TIME = re.compile(r"date|day|month|year|quarter|week|period|time|datum|monat|jahr|quartal", re.I)
_YEAR = re.compile(
    r"(?:FY ?)?[12]\d{3}(?:[-/ ]?(?:Q[1-4]|W[0-5]\d|[01]\d))?|Q[1-4][-/ ]?[12]\d{3}", re.I
)
_KIND = (
    r"month|year|day|week|quarter|region|state|city|team|player|product|customer|student|employee"
    r"|department|project|store|item|supplier|candidate|party|district|planet|sensor|flight|runner"
    r"|donor|vendor|school|course|account|country|county"
)
_SHORT = {
    "won": "wins",
    "drawn": "draws",
    "lost": "losses",
    "played": "games played",
    "gold": "gold medals",
    "silver": "silver medals",
    "bronze": "bronze medals",
    "high": "maximum",
    "low": "minimum",
}
"""Phrases for columns whose name is no noun, or a noun that cannot be *highest*."""
_MONEY = re.compile(
    r"sales|costs|revenues|earnings|profits|expenses|fees|wages|returns|savings", re.I
)
_MEASURED = re.compile(r"%|(?:average|avg|mean|median|share|rate|percent\w*|pct)\b", re.I)
_OTHERS = re.compile(
    r"played|won|drawn|lost|wins|losses|draws|points|goals|assists|games|saves|party|type|category"
    r"|status|days|count|number|size|value|weight|name|total",
    re.I,
)
_MANY = 10
_SOME = 4
_SINGULAR = re.compile(r".*(?:ss|us|is|[^s]'s)", re.I)
_DONE = re.compile(r"\w+ed|sold|won|lost|made|paid|spent|held|built|left|drawn|worked", re.I)


def overall_of(name: str, unit: str, count: int, *, in_time: bool) -> Overall:
    """Return what is stated of all values of a column of numbers, by its name and unit.

    Args:
        name: Its name.
        unit: Its unit; percentages are neither added up nor averaged.
        count: How many values it has.
        in_time: Whether they describe one thing at several times, where a stock is not added up.
    """
    words = re.findall(r"[^\W\d_]+", name)
    if unit == "%" or any(map(_NEVER.fullmatch, words)) or "/" in unit:
        return None
    if in_time and "income" in name.casefold():
        return "total"
    if any(map(_MEAN.fullmatch, words)):
        return "mean" if count >= _SOME else None
    if any(map(_FLOW.fullmatch, words)) or unit in CURRENCIES:
        return "total"
    if any(map(_STOCK.fullmatch, words)):
        return "level" if in_time else "total"
    return "mean" if count >= _MANY else None


def phrase_of(name: str, *, capitals: bool = False) -> str:
    """Return a column's name as used in a sentence: `units sold` for `Units_sold`.

    Args:
        name: The name; a question stays as it is.
        capitals: Whether one unknown word may be a name, as where each column is a country's.
    """
    if name.endswith("?"):
        return name
    if short := _SHORT.get(name.casefold()):
        return short
    words = _SCALE.sub("", name).replace("_", " ").split() or [name]
    plain = all(word.islower() for word in words[1:]) and not (capitals and len(words) == 1)
    return " ".join(
        word.lower()
        if word.istitle()
        and len(word) > 1
        and (plain or is_known(word))
        and month_number(word) is None
        else word
        for word in words
    )


def is_known(word: str) -> bool:
    """Return whether a word is known from names of columns, rather than a proper name."""
    return any(each.fullmatch(word) for each in _KNOWN)


_SCALE = re.compile(r" ?\(\d{1,4} ?(?:-|–|to) ?\d{1,4}\)")
_KNOWN = (_FLOW, _STOCK, _MEAN, _NEVER, _TIME, re.compile(_KIND, re.I), _OTHERS)


def is_plural(phrase: str) -> bool:
    """Return whether a phrase takes *are*: `sales`, `units sold`, `hours per week`."""
    head = re.split(r" (?:of|in|per|by|for|from|to|on|at|with)\b", phrase)[0].split()
    while len(head) > 1 and _DONE.fullmatch(head[-1]):
        head.pop()
    return (
        bool(head)
        and head[-1][-1:] == "s"
        and len(head[-1]) > _SOME - 1
        and not (_SINGULAR.fullmatch(head[-1]))
    )


def is_counted(phrase: str) -> bool:
    """Return whether *most* and *fewest* fit a phrase, as with orders."""
    return is_plural(phrase) and not (_MONEY.search(phrase) or _MEASURED.match(phrase))


def kind_of(name: str) -> str:
    """Return one word for the rows that a column names: `month`; `row` if unknown."""
    return name.casefold() if re.fullmatch(_KIND, name, re.I) else "row"


def plural(kind: str) -> str:
    """Return the plural of one of the words of `kind_of`."""
    return f"{kind[:-1]}ies" if kind.endswith("y") and kind[-2] not in "aeo" else f"{kind}s"


def is_time_name(name: str) -> bool:
    """Return whether a column has the name of a column of times."""
    return bool(_TIME.search(name))


def is_time(name: str, values: Sequence[str]) -> bool:
    """Return whether values are successive months, quarters or years, and their column agrees."""
    months = [month_number(value) for value in values]
    if len(values) > 1 and all(month is not None for month in months):
        return all((b or 0) == (a or 0) + 1 for a, b in pairwise(months))
    if not is_time_name(name) or not all(map(_YEAR.fullmatch, values)):
        return False
    keys = [sorted(re.findall(r"\d+", value), key=len, reverse=True) for value in values]
    return len(values) > 1 and (keys == sorted(keys) or keys == sorted(keys, reverse=True))


def month_number(value: str) -> int | None:
    """Return which month a word is, from 0, by its first letters."""
    word = value.casefold().rstrip(".")
    for number, month in enumerate(MONTHS):
        if len(word) >= 3 and month.casefold().startswith(word):
            return number
    return None
