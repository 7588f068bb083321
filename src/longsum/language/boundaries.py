"""Rules for the ends of sentences where a full stop may belong to an abbreviation.

A statistical splitter decides most places; these rules decide those where the surrounding words
leave no doubt: names and numbers after abbreviations, initials, closing quotes before `he said`,
footnote marks. The lists are in `abbreviations.txt`.
"""

import re
from functools import cache
from importlib.resources import files

from longsum.language.words import stop_words

_LONGEST_TOKEN = 40
_PLACE = re.compile(r"[.?!…\])}\"”’'_»]\s+(?=\S)")
_OPENING = "([{\"“‘'«"
_CLOSING = ")]}\"”’'»_"
_INITIAL = re.compile(r"[A-Z]\.")
_INITIALS = re.compile(r"(?:[^\W\d_]\.){2,}")
_MARKED_NUMBER = re.compile(r"[(\[§#]*(?:\d|[IVXLC]+\b|[A-Z]{1,3}[-/.]?\d|[A-Z]\b(?!['’]))|§")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MARK = re.compile(r"\[\d{1,3}(?:[,–-] ?\d{1,3})*\]")
_MARKED_END = re.compile(r"[.?!…][\"”’')]*\s?\[\d{1,3}(?:[,–-] ?\d{1,3})*\](?:_?\.)?\)?\Z")
_REFERENCE_END = re.compile(r"\[[\w, -]{1,20}\]_?\.[)\"”]?\Z")
_SAID = (
    r"(?:said|says|asked|cried|replied|answered|shouted|whispered|muttered|called|exclaimed|added"
    r"|demanded|insisted|typed|wrote|roared|barked|snapped|growled|murmured|repeated|began|went on"
    r"|continued|told|thought|yelled|screamed|gasped|sighed|laughed|observed|remarked|inquired)\b"
)
_SPEAKER = re.compile(rf"(?:I|(?:[A-Z]\w+\.? ){{0,2}}(?!(?:He|She|They|We|You)\b)[A-Z]\w+) {_SAID}")
_TIMES = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July"
    r"|August|September|October|November|December|EST|EDT|CET|GMT|UTC|PST|Eastern|Central|Pacific"
    r"|Mountain|Greenwich|[A-Z]\w+ [Tt]ime)\b"
)
# "H.R. 4910/S. 2588", "(S. 281)".
_BILL = re.compile(r"(?:\A|[/(])[HS]\Z")
# What follows the initial of a name: `anarchist L. Susan Brown`.
_NAMES = re.compile(r"[A-Z][a-z]+ (?:(?:de|van|von) )?[A-Z][a-z]")
_PLAIN_WORD = re.compile(r"(?=.*[aeiouy])[a-z]{3,}")
# Continuations after a mark in quotes or brackets: `the characters ‘!’, ‘?’ and ‘*’`.
_GOES_ON = re.compile(r"[\])}\"”’'»]+(?:\s*[,;:]|\.(?!\.)|\s+[a-z])")
# The context of a German ordinal: `bis 9. März`, `das 30. Lebensjahr`.
_ORDINAL = re.compile(
    r"[a-zäöüß]\n(?:Januar|Februar|März|April|Mai|Ju[nl]i|August|September|Oktober|November|Dezember)\b"
    r"|\b(?i:das|de[mnrs]|zu[mr]|im|vom|beim|eine[mns])\n[A-ZÄÖÜ]"
)
_ITEM_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-z])\.")


def places(text: str) -> list[int]:
    """Return the places where a sentence may start: after a mark and white space."""
    return [found.end() for found in _PLACE.finditer(text)]


def opens_with_mark(text: str, place: int) -> bool:
    """Return whether the mark of a footnote is at a place, with no space before it: `fell.[3]`."""
    return bool(text[place - 1 : place].strip()) and _MARK.match(text, place) is not None


def sentence_continues(text: str, place: int) -> bool:
    """Return whether the sentence with the quotation continues at a place, where none can start."""
    return bool(text[place - 1 : place].strip()) and _GOES_ON.match(text, place) is not None


def starts_sentence(text: str, place: int) -> bool | None:
    """Decide whether a sentence starts at a place (one of `places`).

    Returns:
        None if the rules do not decide.
    """
    end = before_space(text, place)
    near = max(end - _LONGEST_TOKEN, 0)
    start = max(text.rfind(" ", near, end), text.rfind("\n", near, end), end - _LONGEST_TOKEN) + 1
    token, after = text[start:end], text[place : place + 2 * _LONGEST_TOKEN]
    before = text[max(start - _LONGEST_TOKEN, 0) : start].rstrip()
    if (found := _by_marks(text[near:end], after)) is not None:
        return found
    if token[-1] in _CLOSING:
        return _after_quote(token, after)
    if token[-1] == "!" and after[0].islower():
        # `The call to panic! causes …`, `Alas! with all her reasoning …`
        return False
    if token.endswith("....") or token.endswith("…."):
        return after[0].isupper() or after[0] in _OPENING or None
    if not token.endswith("."):
        return None
    if _ITEM_NUMBER.fullmatch(token) and (not before or _ORDINAL.search(f"{before}\n{after}")):
        return False
    return _after_abbreviation(token.lstrip(_OPENING)[:-1], token, before, after)


def before_space(text: str, place: int) -> int:
    """Return the offset at which the white space before an offset begins."""
    while place and text[place - 1].isspace():
        place -= 1
    return place


def _by_marks(ending: str, after: str) -> bool | None:
    """Decide at footnote and reference marks, which belong to the sentence before them."""
    if _MARKED_END.search(ending):
        return after[0].isupper() or after[0] in _OPENING or None
    if _MARK.match(after) and ending.rstrip(_CLOSING)[-1:] in (".", "?", "!"):
        return False
    if _REFERENCE_END.search(ending):
        return after[0].isupper() or None
    return None


def _after_quote(token: str, after: str) -> bool | None:
    """Decide after closing quotes: the words that name the speaker belong to the sentence."""
    if token[-1] in ")]}":
        return None
    bare = token.rstrip(_CLOSING)
    if bare.endswith(("?", "!", "…", "...")) and (after[0].islower() or _SPEAKER.match(after)):
        return False
    return None


def _after_abbreviation(word: str, token: str, before: str, after: str) -> bool | None:
    lists = _abbreviations()
    low = word.lower().rpartition("(")[2]
    opener = _opens_sentence(after)
    if _BILL.search(word) and after[0].isdigit():
        return False
    if _INITIAL.fullmatch(token.lstrip(_OPENING)):
        return _after_initial(before, after, opener)
    if low == "no" and not _MARKED_NUMBER.match(after):
        answers = not before or before[-1] in ".?!…,\"“‘'" or token[0] in _OPENING
        return True if answers and after[0].isupper() else None
    if low in lists["always"]:
        return False if low != "v" or after[0].isupper() else None
    if low in lists["number"] and _MARKED_NUMBER.match(after) and not opener:
        return False
    if low in lists["title"] and after[0].isupper() and word[0].isupper() and not opener:
        return False
    if low in lists["end"] or _INITIALS.fullmatch(token.lstrip(_OPENING)):
        return _after_end(word, before, after, opener)
    # "sun." and "sat." may be days, but those have capitals.
    if not (after[0].isupper() and _PLAIN_WORD.fullmatch(word)):
        return None
    return None if any(word in words for words in lists.values()) else True


def _after_initial(before: str, after: str, opener: bool) -> bool | None:
    """Decide after a single capital: an initial before a name, or a letter that ends a sentence."""
    if _INITIAL.match(after):
        return False
    previous = before.rpartition(" ")[2].strip(_OPENING)
    if previous[:1].isupper() and previous.endswith(","):
        return None
    if opener:
        return True
    is_word = previous[:1].islower() and previous.isalpha() and previous != "versus"
    if is_word and (previous.endswith("ed") or _NAMES.match(after)):
        # `proposed S. Dunne`: names follow verbs, and letters nouns.
        return False
    return (is_word and previous not in stop_words() and after[0].isupper()) or None


def _after_end(word: str, before: str, after: str, opener: bool) -> bool | None:
    """Decide after an abbreviation that may end a sentence."""
    low = word.lower()
    if after[0].islower() or after[0] in "([,;)0123456789§":
        return False
    if word in ("A.M", "P.M") and not before[-1:].isdigit():
        # The initials of a name, not a time.
        return False
    if low in ("a.m", "p.m", "am", "pm"):
        return False if _TIMES.match(after) else after[0].isupper() or None
    if low in ("al", "etc"):
        return after[0].isupper() or None
    if opener:
        return True
    return False if low in ("u.s", "u.k", "u.n", "e.u") else None


def _opens_sentence(after: str) -> bool:
    """Return whether a text opens with a capitalised function word, as names rarely do."""
    found = _WORD.match(after.lstrip(_OPENING))
    if found is None or not found[0][0].isupper():
        return False
    word = found[0].replace("’", "'").lower()
    # `I.` is an initial, `No.` comes before a number, and `May` and `Will` are names.
    shortens = after.lstrip(_OPENING)[found.end() : found.end() + 1] == "."
    return word in stop_words() and word not in ("may", "will") and not shortens


@cache
def _abbreviations() -> dict[str, frozenset[str]]:
    """Return the abbreviations by what may follow them (`abbreviations.txt`)."""
    text = files("longsum.language").joinpath("abbreviations.txt").read_text(encoding="utf-8")
    lines = (line.partition(":") for line in text.splitlines() if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, _, words in lines}
