"""From bytes to text."""

import codecs

from longsum.errors import LongsumError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 1 << 16
_MOST_CONTROLS = 0.02


def decode(data: bytes, name: str = "") -> tuple[str, list[str]]:
    """Decode the bytes of a text file.

    A byte-order mark decides; without one UTF-8 is tried, then the encoding is guessed from the
    first 64 KiB, and a warning says so.

    Returns:
        The text, and a list of warnings.

    Raises:
        LongsumError: The bytes are no text.
    """
    warnings: list[str] = []
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = data[len(mark) if encoding == "utf-8" else 0 :].decode(encoding, "replace")
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = _guess(data, name, warnings)
    if _is_binary(text[:_SAMPLE]):
        raise _not_text(name)
    if "\ufffd" in text:
        warnings.append("Some bytes could not be decoded and stand as U+FFFD in the text.")
    return text, warnings


def _guess(data: bytes, name: str, warnings: list[str]) -> str:
    from charset_normalizer import from_bytes

    # NUL bytes mean a binary file here: UTF-16 and UTF-32 without a mark are not guessed.
    best = None if b"\x00" in data[:_SAMPLE] else from_bytes(data[:_SAMPLE]).best()
    if best is None:
        raise _not_text(name)
    warnings.append(
        f"The file is not UTF-8; it was read as {best.encoding}, which is a guess. "
        "Convert it to UTF-8 if letters look wrong."
    )
    return data.decode(best.encoding, "replace")


def _is_binary(sample: str) -> bool:
    if not sample:
        return True
    controls = sum(character < " " and character not in "\t\n\r\f\v" for character in sample)
    return controls / len(sample) > _MOST_CONTROLS


def _not_text(name: str) -> LongsumError:
    return LongsumError(
        f"{name or 'The input'} is not a text, Markdown, HTML, JSON or PDF file; "
        "convert it to one of these first."
    )
