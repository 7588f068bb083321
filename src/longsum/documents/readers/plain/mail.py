"""Recognises e-mail by its header."""

import re
from collections.abc import Sequence

_FIELD = re.compile(r"(?P<name>[A-Za-z][\w-]{1,40}):[ \t]*(?P<value>.*)")
_KNOWN = frozenset(
    {"from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to", "message-id", "in-reply-to",
     "references", "return-path", "received", "newsgroups", "path", "mime-version", "content-type",
     "organization", "lines", "sender", "list-id"}
)  # fmt: skip
_FEWEST = 3
_HEAD = 1 << 15
_MAILBOX = re.compile(rb"From \S+ [^\n]{10,80}\d{4}\r?\n")
_FIELDS = re.compile(rb"(?:[!-9;-~]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n)*)+")
_STATED = re.compile(rb"^(?:from|subject):", re.IGNORECASE | re.MULTILINE)
_MIME = re.compile(rb"^(?:mime-version|content-type):", re.IGNORECASE | re.MULTILINE)


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


def is_mail(data: bytes) -> bool:
    """Return whether a file is a message with a MIME header, or a mailbox of messages."""
    head = data[:_HEAD].replace(b"\r\n", b"\n").lstrip()
    mailbox = _MAILBOX.match(head)
    fields = _FIELDS.match(head, mailbox.end() if mailbox else 0)
    if fields is None or not _STATED.search(fields[0]):
        return False
    return mailbox is not None or _MIME.search(fields[0]) is not None
