"""Tokens of RTF (Rich Text Format 1.9.1): groups, control words and characters."""

import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb"(?P<open>\{)|(?P<close>\})"
    rb"|\\(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<byte>[0-9A-Fa-f]{2})"
    rb"|\\(?P<sign>[^A-Za-z])"
    rb"|(?P<text>[^{}\\\r\n]+)"
    rb"|(?P<rest>.)",
    re.DOTALL,
)


def rtf_tokens(data: bytes) -> Iterator[re.Match[bytes]]:
    r"""Yield the tokens of an RTF file; the binary data of `\bin` is skipped.

    A token has one of the groups `open`, `close`, `word` (a control word, perhaps with a `number`),
    `sign` (likewise, of one character), `byte` (two digits), `text` and `rest`, which is ignored.
    """
    position = 0
    while found := _TOKEN.match(data, position):
        position = found.end()
        if found["word"] == b"bin":
            position += max(int(found["number"] or 0), 0)
        yield found
