"""Finds acronyms that a text defines: "Government Accountability Office (GAO)".

The algorithm of Schwartz & Hearst (2003, *A simple algorithm for identifying abbreviation
definitions in biomedical text*): a short form in parentheses is matched from its last character to
its first with the words before it, and the first must begin a word. The reverse order, "GAO
(Government Accountability Office)", is matched likewise.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Places

# Every repetition is bounded, so each attempt takes bounded time.
_IN_PARENTHESES = re.compile(r"\(([^()]{2,120})\)")
_ACRONYM = re.compile(
    r"(?<!\w)(?=[\w\-&/]{0,12}[A-Z][\w\-&/]{0,12}[A-Z])[^\W\d_][^\W_]{0,9}(?:[-&/][^\W_]{1,6})?"
)
_WORD = re.compile(r"\S+")
_PART = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"(\S+)\s*$")
_AFTER = re.compile(r"(?:['’]s)?(?![\w\-–/&.@]\w|\w|\s*[(\[])")
_NOT_BEFORE = frozenset("-–/&.@_")
_EXTRA_WORDS = 5
_QUOTES = " \"'“”‘’´`"
_SPELLED = re.compile(r"[A-Z]+")
_POSSESSIVE = ("'s", "’s", "´s")
_SMALL_WORDS = "a an and as at by for from of or that the this to with"
_NEVER_FIRST = frozenset(_SMALL_WORDS.split())
"""Words that begin no name: the O of `Office of Management and Budget` is not that of `of`."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a text spells out an acronym.

    Attributes:
        meaning: Its long form.
        sentence: Position of the sentence that defines it first.
        start: Offset of the meaning in that sentence.
        end: Offset after it.
    """

    meaning: str
    sentence: int
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Acronyms:
    """The acronyms that a text defines, and the sentences after the definition that use them.

    Attributes:
        definitions: Definition of each acronym.
        uses: For each sentence that uses acronyms defined in an earlier one, the offset after the
            first use of each.
        users: For each acronym, the positions of these sentences.
    """

    definitions: Mapping[str, Definition]
    uses: Mapping[int, Mapping[str, int]]
    users: Mapping[str, Places]

    @classmethod
    def of(cls, sentences: Sequence[str], texts: Sequence[str]) -> "Acronyms":
        """Find the acronyms of a text.

        Args:
            sentences: Its sentences.
            texts: The text of each in a summary, which may be shortened.
        """
        known = definitions(sentences)
        found: dict[int, dict[str, int]] = {}
        users: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            for acronym, after in uses(text, known).items():
                definition = known[acronym]
                if definition.sentence < place and definition.meaning not in text:
                    found.setdefault(place, {})[acronym] = after
                    users.setdefault(acronym, []).append(place)
        return cls(
            {acronym: known[acronym] for acronym in users},
            found,
            {acronym: np.array(places, dtype=np.int64) for acronym, places in users.items()},
        )


def definitions(sentences: Sequence[str]) -> dict[str, Definition]:
    """Return the first definition of each acronym that sentences define, by acronym."""
    found: dict[str, Definition] = {}
    first: dict[str, int] = {}
    for place, sentence in enumerate(sentences):
        if "(" in sentence:
            first.setdefault(sentence, place)
    for sentence, place in first.items():
        for bracket in _IN_PARENTHESES.finditer(sentence):
            defined = _defined(sentence, bracket)
            if defined is not None and defined[0] not in found:
                acronym, start, end = defined
                found[acronym] = Definition(sentence[start:end], place, start, end)
    return found


def use(sentence: str, acronym: str) -> int | None:
    """Return the offset after the first use of an acronym where its meaning can be inserted.

    That is a use as a separate word, outside parentheses and not followed by any; a possessive
    ending belongs to it. None if there is none.
    """
    end, round_, square = 0, 0, 0
    while (at := sentence.find(acronym, end)) >= 0:
        # Parentheses within an acronym do not count.
        round_ += sentence.count("(", end, at) - sentence.count(")", end, at)
        square += sentence.count("[", end, at) - sentence.count("]", end, at)
        end = at + len(acronym)
        after = _AFTER.match(sentence, end)
        own_word = at == 0 or not (sentence[at - 1].isalnum() or sentence[at - 1] in _NOT_BEFORE)
        if after and own_word and round_ <= 0 and square <= 0:
            return after.end()
    return None


def uses(sentence: str, known: dict[str, Definition]) -> dict[str, int]:
    """Return the known acronyms that a sentence uses, with the offset after the first use."""
    words = dict.fromkeys(word[0] for word in _ACRONYM.finditer(sentence))
    offsets = {acronym: use(sentence, acronym) for acronym in words if acronym in known}
    return {acronym: after for acronym, after in offsets.items() if after is not None}


def _defined(sentence: str, bracket: re.Match[str]) -> tuple[str, int, int] | None:
    """Return the acronym in or before a bracket, and the span of its meaning."""
    inside = _bare(re.split(r"[;,]\s", bracket[1], maxsplit=1)[0].strip(" \"'“”‘’"))
    if _ACRONYM.fullmatch(inside):
        candidate = _words_before(_bare(sentence[: bracket.start()]), inside)
        if candidate is None:
            return None
        start, text = candidate
        shift = _match(inside, text)
        return None if shift is None else (inside, start + shift, start + len(text))
    before = _LAST_WORD.search(sentence[: bracket.start()][-30:])
    acronym = "" if before is None else before[1].strip("\"'“”‘’(")
    if " " in bracket[1] and _ACRONYM.fullmatch(acronym):
        within = _bare(bracket[1].split(";", maxsplit=1)[0])
        if _match(acronym, within) == 0:
            return acronym, bracket.start(1), bracket.start(1) + len(within)
    return None


def _bare(text: str) -> str:
    """Return a text without quotation marks and possessive ending."""
    bare = text.rstrip(_QUOTES)
    return bare[:-2].rstrip(_QUOTES) if bare.endswith(_POSSESSIVE) else bare


def _words_before(text: str, acronym: str) -> tuple[int, str] | None:
    """Return the words in which the meaning of an acronym may begin, and their offset.

    There are min(n + 5, 2n) for n letters.
    """
    most = min(len(acronym) + _EXTRA_WORDS, 2 * len(acronym))
    near = text[-40 * most :]
    pieces = near.rsplit(maxsplit=most)
    words = near[len(pieces[0]) if len(pieces) > most else 0 :].lstrip()
    return (len(text) - len(words), words) if words else None


def _initials(word: str) -> str:
    """Return the initials of a word and of its parts after hyphens and the like."""
    return "".join(part[0] for part in _PART.findall(word)).lower()


def _match(acronym: str, text: str) -> int | None:
    """Return where in a text the shortest meaning of an acronym starts, or None.

    Unlike in Schwartz & Hearst, the last character of an acronym in capitals must begin the last
    word: else the meaning is longer. If all of them begin words, as in `Social Security
    Administration`, those words are the meaning, even if another would be much shorter.
    """
    at = _first_place(acronym, text, initials=True) if _SPELLED.fullmatch(acronym) else None
    if at is None:
        at = _first_place(acronym, text, initials=False)
    if at is None:
        return None
    start = text.rfind(" ", 0, at) + 1
    meaning = text[start:]
    # "single electron (SET) and hydrogen atom (HAT) transfer": the last word is missing.
    if acronym.isupper() and acronym[-1].lower() not in _initials(meaning.split()[-1]):
        return None
    # A meaning is longer than its acronym, has several words and does not contain it.
    wordy = " " in meaning or "-" in meaning
    if not wordy or len(meaning) <= len(acronym) or acronym in meaning.split():
        return None
    # An option of a program, or the term of an entry: "--http2-prior (HTTP)".
    if meaning.startswith("-") or meaning.endswith(":"):
        return None
    bare = meaning.lstrip(_QUOTES + "([")
    if any(mark in bare for mark in "`“”();]"):
        return None
    return start + len(meaning) - len(bare)


def _first_place(acronym: str, text: str, *, initials: bool) -> int | None:
    """Return where the first character of an acronym is in its meaning, or None.

    From the last character to the first, each is found in the text to the left of the one before;
    the first must begin a word (Schwartz & Hearst, Figure 1) that a name may open with.

    The meaning ends the text; with `initials`, every character must begin a word, or a part of one.
    """
    at, lowered = len(text), _lowered(text)
    for place, character in reversed(list(enumerate(_lowered(acronym)))):
        if not character.isalnum():
            continue
        while (at := lowered.rfind(character, 0, at)) >= 0 and (
            ((initials or place == 0) and at > 0 and text[at - 1].isalnum())
            or (place == 0 and not _opens_name(text, at))
        ):
            pass
        if at < 0:
            return None
    return at


def _lowered(text: str) -> str:
    """Return a text in lower case with unchanged offsets."""
    if text.isascii():
        return text.lower()
    return "".join(low if len(low := each.lower()) == 1 else each for each in text)


def _opens_name(text: str, at: int) -> bool:
    word = _WORD.match(text, at)
    return word is not None and word[0] not in _NEVER_FIRST
