"""Porter's stemmer as in nltk, which takes a second or two to import.

The algorithm is that of Porter (1980, *An algorithm for suffix stripping*), with his later
departures (`bli`, `logi`) and those of nltk: exceptions, short words in `-ies` and `-ied`, `fulli`,
and `y` after a consonant. ROUGE counts the stems of nltk, so they are the same for every word.
"""

from collections.abc import Callable, Mapping

_IRREGULAR = {
    **{"skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "innings": "inning"},
    **{"outings": "outing", "cannings": "canning"},
    **{word: word for word in ("sky", "news", "inning", "outing", "canning", "howe")},
    **{word: word for word in ("proceed", "exceed", "succeed")},
}
_SHORTEST = 3

# The replacement of each suffix, if the stem before it has a vowel and a consonant after it.
_SECOND = {
    **{"ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize"},
    **{"bli": "ble", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize"},
    **{"ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful"},
    **{"ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "fulli": "ful"},
}
_THIRD = {
    **{"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic"},
    **{"ful": "", "ness": ""},
}
_FOURTH = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


def porter_stem(word: str) -> str:
    """Return the stem of a lower-case word."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST:
        return word
    word = _first_c(_first_b(_first_a(word)))
    word = _replaced(_second(word), _THIRD, lambda stem: _measure(stem) > 0)
    return _fifth(_fourth(word))


def _shape(word: str) -> str:
    """Return which letters are consonants: `crying` is `ccvvcc`, with its y after a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(stem: str) -> int:
    """Return how often a consonant follows a vowel, Porter's *m*."""
    return _shape(stem).count("vc")


def _is_short(word: str) -> bool:
    """Return whether a word ends consonant, vowel, consonant (no w, x or y), or is like `in`."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _replaced(word: str, endings: Mapping[str, str], holds: Callable[[str], bool]) -> str:
    """Replace the first matching ending of a word, if the condition holds for its stem."""
    for ending, instead in endings.items():
        if word.endswith(ending):
            stem = word[: -len(ending)]
            return stem + instead if holds(stem) else word
    return word


def _first_a(word: str) -> str:
    if word.endswith("ies") and len(word) == len("dies"):
        return word[:-1]
    plurals = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
    return _replaced(word, plurals, lambda _: True)


def _first_b(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == len("died") else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            stem = word[: -len(ending)]
            return _mended(stem) if "v" in _shape(stem) else word
    return word


def _mended(stem: str) -> str:
    """Restore the ending of a stem without `-ed` or `-ing`: `hoped`, `hopping`."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _is_short(stem) else stem


def _first_c(word: str) -> str:
    stem = word[:-1]
    changes = word.endswith("y") and len(stem) > 1 and _shape(stem)[-1] == "c"
    return stem + "i" if changes else word


def _second(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        return _second(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replaced(word, _SECOND, lambda stem: _measure(stem) > 0)


def _fourth(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            stem = word[: -len(ending)]
            drops = _measure(stem) > 1 and (ending != "ion" or stem[-1] in "st")
            return stem if drops else word
    return word


def _fifth(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
