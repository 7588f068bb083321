"""Decodes the bytes of text files."""

import codecs
import re

from longsum.errors import LongsumError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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


def decode(data: bytes, name: str = "") -> tuple[str, list[str]]:
    """Decode the bytes of a text file.

    A byte-order mark decides; without one, UTF-8 is tried. Otherwise the encoding is guessed from
    64 KiB around the first byte that is not UTF-8, with a warning.

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
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text = _damaged_utf8(data) or _guess(data, error.start, name, warnings)
    if _is_binary(text[:_SAMPLE]):
        raise _not_text(name)
    if "\ufffd" in text:
        warnings.append("Some bytes could not be decoded and appear as U+FFFD in the text.")
    return text.replace("\r\n", "\n").replace("\r", "\n"), warnings


def _damaged_utf8(data: bytes) -> str | None:
    """Return the text if the bytes are mostly valid UTF-8, such as a truncated file."""
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(not character.isascii() for character in text) - wrong
    return text if right >= 2 * wrong else None


def _guess(data: bytes, position: int, name: str, warnings: list[str]) -> str:
    """Decode by the most likely encoding; the byte at `position` is not UTF-8."""
    from charset_normalizer import from_bytes

    # NUL bytes mean a binary file here: UTF-16 and UTF-32 without a mark are not guessed.
    sample = _sample_around(data, position)
    if b"\x00" in data[:_SAMPLE]:
        raise _not_text(name)
    if _is_western(sample):
        encoding = "cp1252"
    elif best := from_bytes(sample).best():
        encoding = best.encoding
    else:
        raise _not_text(name)
    warnings.append(
        f"The file is not UTF-8; it was read as {encoding}, which is a guess. "
        "Convert it to UTF-8 if letters look wrong."
    )
    return data.decode(encoding, "replace")


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
