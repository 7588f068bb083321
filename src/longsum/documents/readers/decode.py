"""Decodes the bytes of text files."""

import codecs
import re
import unicodedata
from collections import Counter

from longsum.common.errors import LongsumError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What opens double-byte text in ISO 2022, which is otherwise ASCII.
_ESCAPES = ((b"\x1b$B", "iso2022_jp_2"), (b"\x1b$@", "iso2022_jp_2"), (b"\x1b$)C", "iso2022_kr"))
# Encodings that files have besides UTF-8 (WHATWG, "Encoding", §4.2, without those that hardly
# occur), and those of DOS. Detectors mistake these for rare ones.
_LEGACY = (
    "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_9", "koi8_r", "koi8_u", "cp866", "cp852",
    "cp850", "mac_roman", "mac_cyrillic", "cp874", "cp932", "euc_jp", "gb18030", "big5", "cp949",
)  # fmt: skip
_GUESSED = (
    "The file {}; it was read as {}, which is a guess. Convert it to UTF-8 if letters look wrong."
)
_SIGNS = "[¢£¤¥¦§¨©¬®¯°±²³´µ¶·¸¹¼½¾×÷†‡ˆ‰˜˘˙˛˝ˇ]"
_SIGN_IN_WORD = re.compile(rf"(?<=[^\W\d_]){_SIGNS}|{_SIGNS}(?=[^\W\d_])")
_SAMPLE = 1 << 16
_CONTEXT = 256
_SPACE = re.compile(rb"\s")
_MOST_CONTROLS = 0.02
# Windows-1252 as used by English, French, German, Spanish, …, without the letters that are Turkish
# in other code pages; these languages have few letters outside ASCII, unlike Czech or Russian.
_WESTERN = frozenset(
    "‘’“”‚„–—…•€£§©®™°·«»¡¿½¼¾´\u00a0\u00ad"
    "àáâãäåæçèéêëìíîïñòóôõöøùúûüÿßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒ"
)
_MOST_WESTERN = 0.08
_ENCODINGS = (("utf-32-le", 4), ("utf-32-be", 4), ("utf-16-le", 2), ("utf-16-be", 2))
_FEWEST = 10
_MOST_SCRIPTS = 3
"""Scripts of a Japanese text; Latin letters may be added."""
_LEAST_OF_THEM = 0.98
_SEPARATORS = frozenset(" \n\t.,。、，！？")
_IMPOSSIBLE = frozenset({"Cn", "Co", "Cs"})


def decode(data: bytes, name: str = "") -> tuple[str, list[str]]:
    """Decode the bytes of a text file.

    A byte-order mark decides, or the escape sequences of ISO 2022; without them, UTF-8 is tried.
    Otherwise the encoding is guessed with a warning: UTF-16 or UTF-32 if there are zero bytes, else
    one of the encodings that legacy files have, from 64 KiB around the first byte that is not
    UTF-8.

    Returns:
        The text with line feeds as line endings, and a list of warnings.

    Raises:
        LongsumError: The bytes are not text.
    """
    warnings: list[str] = []
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) if encoding == "utf-8" else 0 :].decode(encoding, "replace")
            break
    else:
        text = _unmarked(data, name, warnings)
    if _is_binary(text[:_SAMPLE]):
        raise _not_text(name)
    if "\ufffd" in text:
        own = data.count("\ufffd".encode()) == text.count("\ufffd")
        warnings.append(
            "The file itself has U+FFFD where characters were lost."
            if own
            else "Some bytes could not be decoded and appear as U+FFFD in the text."
        )
    # Ends of lines that were converted twice have two carriage returns.
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    return text, warnings


def _unmarked(data: bytes, name: str, warnings: list[str]) -> str:
    """Decode bytes without a byte-order mark."""
    for sign, encoding in _ESCAPES:
        if sign in data[:_SAMPLE]:
            return data.decode(encoding, "replace")
    if b"\x00" in data[:_SAMPLE] and (wide := wide_encoding(data[:_SAMPLE])):
        warnings.append(_GUESSED.format("does not say its encoding", wide))
        return data.decode(wide, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _damaged_utf8(data) or _guess(data, error.start, name, warnings)


def _damaged_utf8(data: bytes) -> str | None:
    """Return the text if the bytes are mostly valid UTF-8, such as a truncated file."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(not character.isascii() for character in text) - wrong
    return text if right >= 2 * wrong else None


def _guess(data: bytes, position: int, name: str, warnings: list[str]) -> str:
    """Decode by the most likely encoding; the byte at `position` is not UTF-8."""
    sample = _sample_around(data, position)
    if b"\x00" in data[:_SAMPLE]:
        raise _not_text(name)
    encoding = "cp1252" if _is_western(sample) else _detect(sample)
    if encoding is None:
        raise _not_text(name)
    warnings.append(_GUESSED.format("is not UTF-8", encoding))
    return data.decode(encoding, "replace")


def _detect(sample: bytes) -> str | None:
    """Return the encoding in which bytes look most like text, None if there is none.

    Among those that charset-normalizer finds equally likely, it is the one with the fewest signs
    beside letters: `wyp³ywa` is `wypływa` in a wrong encoding.
    """
    from charset_normalizer import from_bytes

    found = list(from_bytes(sample, cp_isolation=list(_LEGACY))) or list(from_bytes(sample))
    if not found:
        return None
    least = min(match.chaos for match in found)
    likely = [match for match in found if match.chaos <= least]
    return min(likely, key=lambda match: len(_SIGN_IN_WORD.findall(str(match)))).encoding


def _is_western(sample: bytes) -> bool:
    """Return whether the bytes are plausible Windows-1252, which general detectors often miss."""
    foreign = [character for character in sample.decode("cp1252", "replace") if character > "\x7f"]
    return len(foreign) <= _MOST_WESTERN * len(sample) and _WESTERN.issuperset(foreign)


def _sample_around(data: bytes, position: int) -> bytes:
    """Cut at white space, since half of a multi-byte character would rule out its encoding."""
    start = 0
    # The head of an HTML file names its encoding, so the sample starts there if it can.
    if position > _SAMPLE // 2:
        space = _SPACE.search(data, position - _CONTEXT, position)
        start = space.end() if space else position
    space = _SPACE.search(data, start + _SAMPLE, start + 2 * _SAMPLE)
    return data[start : space.start() if space else start + _SAMPLE]


def _is_binary(sample: str) -> bool:
    # The escape character does not count: terminal output is text.
    controls = sum(character < " " and character not in "\t\n\r\f\v\x1b" for character in sample)
    return controls > _MOST_CONTROLS * len(sample)


def _not_text(name: str) -> LongsumError:
    return LongsumError(
        f"{name or 'The input'} is not a text, Markdown, HTML, EPUB, JSON or PDF file; "
        "convert it to one of these first."
    )


def wide_encoding(sample: bytes) -> str | None:
    """Return the encoding if bytes are text in UTF-16 or UTF-32, None if they are not.

    Bytes are text in an encoding if all of them can be decoded, nearly all letters are of a few
    scripts, words or sentences are divided, and there are no controls or unassigned characters.
    """
    for encoding, width in _ENCODINGS:
        try:
            text = sample[: len(sample) // width * width].decode(encoding)
        except UnicodeDecodeError as error:
            # Half a character at the end of the sample is no error.
            if error.start < len(sample) - 2 * width:
                continue
            text = sample[: error.start].decode(encoding)
        if _is_text(text):
            return encoding
    return None


def _is_text(text: str) -> bool:
    characters = Counter(text)
    if len(text) < _FEWEST or not any(character in _SEPARATORS for character in characters):
        return False
    scripts: Counter[str] = Counter()
    for character, count in characters.items():
        category = unicodedata.category(character)
        if category in _IMPOSSIBLE or (category == "Cc" and not character.isspace()):
            return False
        if category[0] == "L" and not character.isascii():
            # The names of letters begin with their script.
            script = re.split("[ -]", unicodedata.name(character, ""), maxsplit=1)[0]
            scripts[script] += count
    few = sum(count for _, count in scripts.most_common(_MOST_SCRIPTS))
    return few >= _LEAST_OF_THEM * scripts.total()
