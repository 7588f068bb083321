"""Tokens of RTF (Rich Text Format 1.9.1): groups, control words and decoded characters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["open", "close", "word", "byte", "text"]

_TOKEN = re.compile(
    rb"(?P<open>\{)|(?P<close>\})"
    rb"|\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<byte>[0-9A-Fa-f]{2})"
    rb"|\\(?P<sign>[^A-Za-z])"
    rb"|(?P<text>[^{}\\\r\n]+)"
    rb"|(?P<rest>.)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class RtfToken:
    """A token.

    Attributes:
        kind: What it is.
        text: The control word or sign without its backslash.
        number: The number after a control word, None if there is none.
        data: The bytes of text in the encoding of the document or font.
    """

    kind: TokenKind
    text: str = ""
    number: int | None = None
    data: bytes = b""


def rtf_tokens(data: bytes) -> Iterator[RtfToken]:
    r"""Yield the tokens of an RTF file; the binary data of `\bin` is skipped."""
    position = 0
    while found := _TOKEN.match(data, position):
        position = found.end()
        if found["open"]:
            yield RtfToken("open")
        elif found["close"]:
            yield RtfToken("close")
        elif found["word"]:
            number = int(found["number"]) if found["number"] else None
            if found["word"] == b"bin":
                position += max(number or 0, 0)
            yield RtfToken("word", found["word"].decode(), number)
        elif found["byte"]:
            yield RtfToken("byte", data=bytes([int(found["byte"], 16)]))
        elif found["sign"]:
            yield RtfToken("word", found["sign"].decode("latin-1"))
        elif found["text"]:
            yield RtfToken("text", data=found["text"])
