"""Reads e-mail: messages, in MIME or plain, and mailboxes of messages."""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import MessageError
from email.message import EmailMessage, MIMEPart
from email.policy import default
from email.utils import parseaddr

from lxml import html

from longsum.common.errors import LongsumError
from longsum.documents.conservation import MAIL_HEADER
from longsum.documents.model import Document, Source
from longsum.documents.readers.decode import decode
from longsum.documents.readers.html.elements import HEADINGS
from longsum.documents.readers.html.html import HtmlWalk
from longsum.documents.readers.html.html_tree import parse_html, without_entities
from longsum.documents.readers.limits import ReadLimits
from longsum.documents.readers.plain.text import add_text
from longsum.language.characters import clean
from longsum.language.sentences import split_sentences

_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From \S+ [^\n]{10,80}\d{4}\r?\n")
_REPLY = re.compile(r"(?:(?:re|fwd?|aw|wg|tr|sv|antw)(?:\[\d+\])?:\s{0,3})+", re.IGNORECASE)
_SIGNATURE = "\n-- \n"
_LONGEST_SIGNATURE = 2000
_QUOTED = re.compile(r"(?:^>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_NESTED = re.compile(r"^> ?>", re.MULTILINE)
_QUOTE_MARKS = re.compile(r"^(?:> ?)+", re.MULTILINE)
# `On Monday, 2 March, Ann Bell <ann@a.org> wrote:` above a quotation.
_WROTE = re.compile(
    r"(?:\A|[\n,])[ \t]*(?P<name>[^\s,<>:][^\n,<>:]{1,59}?)"
    r"(?:\s*<[^<>]*>)?\s+(?:wrote|writes):\s*\Z"
)
_ESCAPED_FROM = re.compile(r"^>(?=>*From )", re.MULTILINE)


def read_mail(data: bytes, source: Source, limits: ReadLimits) -> Document:
    """Read a message, or the messages of a mailbox in their order, each a section.

    If a message has several forms, the plain text is read, unless the HTML has headings. Signatures
    and attachments are left out, as is a quotation of a message already read.

    Raises:
        LongsumError: The messages are damaged or nested too deeply.
    """
    reading = _MailReading(source.name or "The input", limits)
    try:
        messages = [
            message_from_bytes(part, policy=default) for part in _messages(data) if part.strip()
        ]
        for message in messages:
            reading.add(message, alone=len(messages) == 1)
    except (MessageError, RecursionError, LookupError, ValueError) as error:
        raise LongsumError(
            f"{source.name or 'The input'} is damaged e-mail; save the message again as text."
        ) from error
    title = reading.title(messages[0]) if messages else ""
    return reading.walk.builder.build(title or None, source)


def _messages(data: bytes) -> Iterator[bytes]:
    whole = data.lstrip()
    starts = list(_SEPARATOR.finditer(whole))
    # Text before the first separator is a message too, and so is a whole file without any.
    yield whole[: starts[0].start()] if starts else whole
    ends = [*(found.start() for found in starts[1:]), len(whole)]
    for found, end in zip(starts, ends, strict=bool(starts)):
        yield whole[found.end() : end]


class _MailReading:
    """Reads message after message into one document."""

    def __init__(self, name: str, limits: ReadLimits) -> None:
        self.walk = HtmlWalk()
        self._name = name
        self._limits = limits
        self._said: set[str] = set()
        self._subject = self._sender = ""

    def title(self, message: EmailMessage) -> str:
        """Return the subject of a message, without the marks of replies."""
        subject = str(message["subject"] or "")
        marks = _REPLY.match(subject)
        return subject[marks.end() if marks else 0 :].strip()

    def add(self, message: EmailMessage, *, alone: bool) -> None:
        """Add a message; one of several has a heading, which names its author, and a speaker."""
        builder = self.walk.builder
        subject = self.title(message)
        name, address = parseaddr(str(message["from"] or ""))
        self._sender = clean(name or address)
        if not alone:
            replies = subject == self._subject
            builder.heading(1 + replies, name or address if replies else subject)
            builder.speaker = self._sender
        self._subject = subject
        builder.omit(MAIL_HEADER, "\n".join(f"{k}: {v}" for k, v in message.items()))
        body = message.get_body(preferencelist=("plain", "html"))
        marked = message.get_body(preferencelist=("html",))
        root = None if marked is None else self._html(marked)
        if root is not None and (body is marked or next(root.iter(*HEADINGS), None) is not None):
            self.walk.read(root)
        elif body is not None:
            self._plain(self._content(body))
        for part in message.iter_attachments():
            builder.omit("attachment", str(part.get_filename() or part.get_content_type()))

    def _html(self, part: MIMEPart) -> html.HtmlElement:
        text = without_entities(self._content(part).replace("\x00", "\ufffd"))
        return parse_html(f"{text}<p/>", self._name, self._limits)

    def _content(self, part: MIMEPart) -> str:
        """Return the text of a part, guessing its encoding if none is stated."""
        if part.get_content_charset():
            return str(part.get_content()).replace("\r\n", "\n")
        text, warnings = decode(bytes(part.get_payload(decode=True) or b""), self._name)
        self.walk.builder.warnings.extend(warnings)
        return text

    def _plain(self, text: str) -> None:
        """Add a plain text; quotations are separate paragraphs, and included only once.

        If the author of quotations is named, so is the sender; quotations within them have no
        speaker.
        """
        builder = self.walk.builder
        text = _ESCAPED_FROM.sub("", text)
        end = text.rfind(_SIGNATURE)
        signed = end >= 0 and len(text) - end <= _LONGEST_SIGNATURE
        text, signature = (text[:end], text[end:]) if signed else (text, "")
        at = 0
        quotations = list(_QUOTED.finditer(text))
        writers = [_WROTE.search(text, max(q.start() - 200, 0), q.start()) for q in quotations]
        if any(writers):
            builder.speaker = self._sender
        for quoted, writer in zip(quotations, writers, strict=True):
            self._paragraphs(text[at : quoted.start()])
            bare = _QUOTE_MARKS.sub("", quoted[0])
            if self._said.issuperset(_sentence_letters(bare)):
                builder.omit("quotation", bare)
            else:
                sender, nested = builder.speaker, _NESTED.search(quoted[0])
                builder.speaker = clean(writer["name"]) if writer and not nested else ""
                self._paragraphs(bare)
                builder.speaker = sender
            at = quoted.end()
        self._paragraphs(text[at:])
        self._said.update(_sentence_letters(text))
        if signature:
            builder.omit("signature", signature.removeprefix(_SIGNATURE))

    def _paragraphs(self, text: str) -> None:
        if text.strip() and not add_text(text, self.walk.builder):
            for part in text.split("\n\n"):
                self.walk.builder.paragraph(part)


def _sentence_letters(text: str) -> list[str]:
    """Return the letters of each sentence, which are the same however its lines are broken."""
    sentences = (part[a:b] for part in text.split("\n\n") for a, b in split_sentences(part))
    return ["".join(filter(str.isalpha, sentence.casefold())) for sentence in sentences]
