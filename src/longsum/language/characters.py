"""Cleans texts of invisible and control characters, and of line breaks.

A character that only tells a terminal or browser how to display others can reverse their order or
hide one word in another. Texts lose them, and messages escape them, so that a disguised file name
becomes visible.
"""

import re
import unicodedata
from functools import lru_cache

from longsum.language.broken_words import join_pieces

# A few format characters are visible ("prepended concatenation marks", Unicode 5.2), such as the
# Arabic year sign.
_SEEN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Other invisible characters (Default_Ignorable_Code_Point) besides format characters and variation
# selectors: Hangul fillers, Khmer vowels, reserved code points.
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
LOST = "[missing reference]"
"""The replacement for a lost reference that was the name of something."""

BULLETS = "•‣⁃◦●○■□▪▫▶►◆◇◾◽★☆✓✔✦➢➤❖❏❐❑❒☐☑☒∙\uf0a7\uf0a8\uf0b7\uf0d8\uf0e0\uf0fc"
"""Marks before the items of a list, including those of symbol fonts."""
_SELECTOR = "[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
_ZWNJ, _ZWJ = "\u200c", "\u200d"
# In ASCII, only the characters of a telephone keypad have variants.
_NO_VARIANTS = f'[\\s!-")$-)+-/:-~{_ZWNJ}{_ZWJ}]'
_EXTRA_SELECTORS = re.compile(f"(?:(?<={_NO_VARIANTS})|\\A|(?<={_SELECTOR})){_SELECTOR}+")
_JOINERS = re.compile(f"[{_ZWNJ}{_ZWJ}]+")
# Scripts in which a joiner shapes the letter before it, by the names of their letters.
_JOINING_SCRIPTS = frozenset(
    ["ADLAM", "ARABIC", "BALINESE", "BENGALI", "BRAHMI", "CHAKMA", "DEVANAGARI", "GRANTHA",
     "GUJARATI", "GURMUKHI", "JAVANESE", "KAITHI", "KANNADA", "KHMER", "LEPCHA", "MALAYALAM",
     "MANDAIC", "MEETEI", "MODI", "MONGOLIAN", "MYANMAR", "NEWA", "NKO", "ORIYA", "PHAGS-PA",
     "SHARADA", "SINHALA", "SUNDANESE", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN", "TIRHUTA"]
)  # fmt: skip
_ARROWS = frozenset("\u2194\u2195")
_UNSHOWN = frozenset({"Cc", "Cs", "Zl", "Zp"})
_PICTURE_MARKS = "\ufe0e\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
# Terminal escapes, NUL and other controls do not belong in text that people read.
_ESCAPES = re.compile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)")
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_SURROGATES = re.compile("[\ud800-\udfff]")
# A soft hyphen before a line break is removed together with the break.
_SOFT_BREAK = re.compile(r"\u00ad[^\S\n]*\n\s*")


@lru_cache(maxsize=4096)
def is_hidden(character: str) -> bool:
    """Return whether a character is invisible in any context.

    These are all format characters (category Cf: bidirectional controls, zero-width spaces, soft
    hyphens, tags, …) except joiners, which `without_hidden` judges by their context, and the few
    visible ones; and everything else that Unicode displays as nothing. Control characters (Cc) are
    not included, since they separate words.
    """
    if character in (_ZWNJ, _ZWJ) or character in _SEEN_FORMATS:
        return False
    return unicodedata.category(character) == "Cf" or bool(_IGNORABLE.match(character))


def without_hidden(text: str) -> str:
    """Return a text without invisible characters.

    A joiner stays where it has a visible effect: alone after a letter or mark of a joining script,
    or between two pictographs. A variation selector stays after a character that may have variants.
    """
    if text.isascii():
        return text
    if hidden := [character for character in set(text) if is_hidden(character)]:
        text = text.translate(dict.fromkeys(map(ord, hidden)))
    return _JOINERS.sub(_joiner_in_place, _EXTRA_SELECTORS.sub("", text))


def written_out(text: str) -> str:
    """Return a text with invisible and control characters as Python escapes."""
    if text.isascii() and text.isprintable():
        return text
    unseen = {c for c in set(text) if is_hidden(c) or unicodedata.category(c) in _UNSHOWN}
    text = "".join(_escape(character) if character in unseen else character for character in text)
    text = _EXTRA_SELECTORS.sub(lambda found: _escape(found[0]), text)
    return _JOINERS.sub(lambda found: _joiner_in_place(found) or _escape(found[0]), text)


def _escape(text: str) -> str:
    return text.encode("unicode_escape").decode()


def _joiner_in_place(joiners: re.Match[str]) -> str:
    """Return a joiner that has a visible effect; for any other, an empty string."""
    text, (start, end) = joiners.string, joiners.span()
    if end - start > 1 or start == 0:
        return ""
    before = text[start - 1]
    # Signs and digits of these scripts do not join.
    letter = unicodedata.category(before)[0] in "LM"
    shaped = letter and unicodedata.name(before, "").split(" ")[0] in _JOINING_SCRIPTS
    return joiners[0] if shaped or _in_sequence(text, start, end) else ""


def _in_sequence(text: str, start: int, end: int) -> bool:
    """Return whether a joiner combines two pictographs into one."""
    if text[start] != _ZWJ or end == len(text):
        return False
    before = text[max(0, start - 3) : start].rstrip(_PICTURE_MARKS)
    return bool(before) and _is_picture(before[-1]) and _is_picture(text[end])


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) == "So" or character in _ARROWS


def clean(text: str) -> str:
    """Clean text and put it on one line.

    White space is collapsed; a line break between characters that are written without spaces is
    removed, as are terminal escapes, control characters and invisible characters; lone surrogates
    become U+FFFD. All text of a document passes through here.
    """
    if text.isascii():
        return " ".join(_CONTROLS.sub(" ", _ESCAPES.sub("", text)).split())
    text = without_hidden(_SOFT_BREAK.sub("", _SURROGATES.sub("\ufffd", text)))
    text = without_hidden(_CONTROLS.sub(" ", _ESCAPES.sub("", text)))
    lines = (" ".join(line.split()) for line in text.splitlines())
    return join_pieces(filter(None, lines))


def letters_of(text: str) -> str:
    """Return only letters and digits, in lower case: what two forms of a text share."""
    return "".join(filter(str.isalnum, text.casefold()))
