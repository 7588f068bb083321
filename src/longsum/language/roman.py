"""Roman numbers."""

_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def roman_value(number: str) -> int:
    """Return the value of a Roman number of letters in either case; 0 of an empty one."""
    values = [_VALUES[letter] for letter in number.lower()]
    following = [*values[1:], 0]
    return sum(-v if v < after else v for v, after in zip(values, following, strict=True))
