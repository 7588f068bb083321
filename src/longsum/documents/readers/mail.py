"""Recognises the header of an e-mail at the head of a text."""

import re
from collections.abc import Sequence

_FIELD = re.compile(r"(?P<name>[A-Za-z][\w-]{1,40}):[ \t]*(?P<value>.*)")
_KNOWN = frozenset(
    {"from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to", "message-id", "in-reply-to",
     "references", "return-path", "received", "newsgroups", "path", "mime-version", "content-type",
     "organization", "lines", "sender", "list-id"}
)  # fmt: skip
_FEWEST = 3


def mail_title(lines: Sequence[str]) -> str | None:
    """Return the subject of an e-mail of which these lines are the header.

    Returns:
        The subject, an empty string if the header has none; None if the lines are no header.
    """
    fields: dict[str, str] = {}
    for line in lines:
        found = _FIELD.match(line)
        if found is not None:
            fields.setdefault(found["name"].lower(), found["value"].strip())
        elif not fields or not line[:1].isspace():
            return None
    known = _KNOWN.intersection(fields)
    if len(known) < _FEWEST or not known & {"from", "subject"}:
        return None
    return fields.get("subject", "")
