"""Numbers, lists and names in English prose."""

from datetime import date

_BELOW_TEN = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
# Not those of the machine's language.
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


def ordinal(number: int) -> str:
    """Return `1st`, `2nd`, `11th` and so on."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def ordinal_word(number: int) -> str:
    """Return `first` to `tenth`, and `11th` onwards."""
    return _ORDINALS[number - 1] if 1 <= number <= len(_ORDINALS) else ordinal(number)


def count_word(number: float) -> str:
    """Return how many there are of something: `no`, `one` to `nine`, `10` onwards."""
    if isinstance(number, int) and 0 <= number < len(_BELOW_TEN):
        return _BELOW_TEN[number]
    return f"{number:,}"


def possessive(name: str) -> str:
    """Return `Boston's`, `the Celtics'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def written_date(day: date) -> str:
    """Return `Friday, February 3, 2017`."""
    return f"{_WEEKDAYS[day.weekday()]}, {written_day(day)}"


def written_day(day: date) -> str:
    """Return `February 3, 2017`."""
    return f"{_MONTHS[day.month - 1]} {day.day}, {day.year}"


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case and all others as they are."""
    return text[:1].upper() + text[1:]
