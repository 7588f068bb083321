"""Plain texts in forms of their own: manual pages, Info files, subtitles, chats, e-mail.

Manual pages are as `man` prints them, Info files as `makeinfo` writes them (Texinfo manual,
appendix *Info Format Specification*), subtitles in SubRip or WebVTT.
"""

import re
from dataclasses import dataclass, field

from longsum.documents.readers.plain.plain_layout import indent
from longsum.language.sentences import ends_as_sentence

_LONGEST_LINE = 300
_HEADER = re.compile(r"(?P<name>\S{1,80}\(\d\w{0,8}\))\s(?:.*\s)?(?P=name)")
_FIRST_LINE = re.compile(r"\s*+(.*)")
_GAP = re.compile(r"\S\s{3,}\S")
# Groff breaks words with the Unicode hyphen, and a broken word continues in lower case.
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])\u2010\n\s*(?=[^\W\d_A-Z])")
_SUBHEADING_INDENT = 3
_MOST_WORDS = 12
_FEWEST_LETTERS = 4
_RANK = 10


@dataclass(frozen=True, slots=True)
class ManPage:
    """A manual page.

    Attributes:
        title: Its name and section, `LS(1)`.
        text: Its text without headers and footers, hyphenated words rejoined.
        running: The header and footer lines left out.
    """

    title: str
    text: str
    running: list[str]


def as_man_page(text: str) -> ManPage | None:
    """Return a text as a manual page if its first line is that of one, else None.

    Such a line has the name on both sides, `LS(1)    User Commands    LS(1)`.
    """
    opening = _FIRST_LINE.match(text)
    first = opening[1].rstrip() if opening else ""
    found = _HEADER.fullmatch(first) if len(first) <= _LONGEST_LINE else None
    if found is None:
        return None
    lines = text.split("\n")
    kept = [line for line in lines if not _is_running(line, found["name"])]
    running = [line.strip() for line in lines if _is_running(line, found["name"])]
    return ManPage(found["name"], _BROKEN_WORD.sub("", "\n".join(kept)), running)


def indented_heading(lines: list[str], *, man_page: bool) -> int | None:
    """Return the rank of the heading that opens a block, judged by indentation; None if none does.

    Args:
        lines: The block; a line in capitals at the margin over indented lines is a heading in any
            text.
        man_page: Whether the text is a manual page, where any line at the margin is a heading, and
            so is one of a subsection, indented by three.
    """
    own = indent(lines[0])
    below = [indent(line) for line in lines[1:]]
    if len(lines[0].split()) > _MOST_WORDS or not all(place > own for place in below):
        return None
    if man_page:
        subsection = own == _SUBHEADING_INDENT and bool(below)
        return _RANK + subsection if own == 0 or subsection else None
    letters = [character for character in lines[0] if character.isalpha()]
    capitals = len(letters) >= _FEWEST_LETTERS and all(map(str.isupper, letters))
    return _RANK if capitals and own == 0 and below else None


def _is_running(line: str, name: str) -> bool:
    """Return whether a line is a header or footer: it ends in the page's name, after a wide gap."""
    if len(line) > _LONGEST_LINE or not line.rstrip().endswith(name) or line[:1].isspace():
        return False
    return bool(_GAP.search(line))


_NODE = re.compile(r"\A\n?File:\s[^\n]{1,400}?,\s+Node:\s[^\n]*\n")
_SEPARATOR = "\x1f"
_LAST_NODES = ("Tag Table:", "End Tag Table", "Local Variables:", "Indirect:")
_MENU = re.compile(r"^\* Menu:[^\n]*\n?", re.MULTILINE)
_INDEX = "\x00\x08[index\x00\x08]"
_MARKED = re.compile("\x00\x08\\[[^\\]\n]{0,400}\\]")
# What titles are underlined with, from chapters down, and the same levels of plain text.
_UNDERLINE = re.compile(r"^(?:\*{3,}|={3,}|-{3,}|\.{3,})$", re.MULTILINE)
_LEVELS = str.maketrans("*=-.", "=-~^")
_NOTE = re.compile(
    r"(?P<seen>\b(?:see|See|refer to|Refer to|consult|in|at)\s{1,80})?\*(?P<mark>[Nn])ote\s{1,80}"
    r"(?:\([^()\n]{1,60}\))?(?P<label>[^:]{1,200}?)"
    r"(?:::|:\s{1,80}(?:\([^()]{1,60}\))?[^.,:()]{0,200}(?=[.,:)]))"
)


@dataclass(slots=True)
class InfoFile:
    """The text of an Info file.

    Attributes:
        text: Its nodes as plain text: titles underlined, cross-references as words.
        left_out: What else the file has, each with its kind: the notice before the first node,
            menus and indexes.
    """

    text: str
    left_out: list[tuple[str, str]] = field(default_factory=list)


def as_info(text: str) -> InfoFile | None:
    """Return a text as an Info file if it has nodes of one, else None."""
    before, separator, rest = text.partition(_SEPARATOR)
    if not separator or not _NODE.match(rest):
        return None
    info = InfoFile("")
    if before.strip():
        info.left_out.append(("notice", before.strip()))
    kept = [_read_node(node, info) for node in rest.split(_SEPARATOR)]
    info.text = "\n\n".join(filter(None, kept))
    return info


def _read_node(node: str, info: InfoFile) -> str:
    """Return the text of a node, without what is left out of it."""
    if node.lstrip().startswith(_LAST_NODES):
        return ""
    body = _NODE.sub("", node)
    menu = _MENU.search(body)
    if menu is not None:
        is_index = _INDEX in body
        listed = _MARKED.sub("", body[menu.end() :]).strip()
        info.left_out.append(("index line" if is_index else "menu", listed))
        # Nothing but its title stands before an index.
        body = "" if is_index else body[: menu.start()]
    titled = _UNDERLINE.sub(lambda rule: rule[0].translate(_LEVELS), _MARKED.sub("", body))
    return _NOTE.sub(_as_words, titled).strip("\n")


def _as_words(found: re.Match[str]) -> str:
    """Return a cross-reference as readers of Info show it: `see Defining Commands`."""
    label = " ".join(found["label"].split())
    if found["seen"]:
        return f"{found['seen']}{label}"
    return f"{'See' if found['mark'] == 'N' else 'see'} {label}"


_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"[ \t]*(?P<start>{_TIME})[ \t]+-->[ \t]+(?P<end>{_TIME})(?:[ \t].*)?")
_VOICE = re.compile(r"<v(?:\.[\w.]{1,80})? (?P<name>[^<>]{1,80})>")
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>|<[\d:.]{5,20}>|\{\\[^{}]{0,80}\}", re.IGNORECASE)
# A dash, the marks of a new speaker, a name in capitals, or a sound: `- No.`, `>> No.`, `ANN: No.`
_TURN = re.compile(
    r"(?:[-–]|>{2,3})\s?(?=[\"'“¿¡]?[^\W\d_a-z])|(?=[A-Z][A-Z.'’ -]{1,40}:\s)"
    r"|(?=[\[(][^()\[\]]*[\])]\Z)"
)
_FEWEST = 3
"""Fewest timings by which a text is known to be subtitles."""
_PAUSE = 4.0
"""Seconds without a caption after which a new paragraph begins."""


def as_captions(text: str) -> str | None:
    """Return what subtitles show, as paragraphs between blank lines; None for any other text.

    A paragraph ends with a pause, or where another voice or a sound begins. A line that is shown
    again with the next one, as in captions that roll, is said once.
    """
    lines = text.split("\n")
    timings = [place for place, line in enumerate(lines) if _TIMING.fullmatch(line)]
    if len(timings) < _FEWEST or 12 * len(timings) < len(lines):
        return None
    paragraphs: list[str] = []
    shown: list[str] = []
    last_end, voice = 0.0, ""
    for place in timings:
        timing = _TIMING.fullmatch(lines[place])
        assert timing is not None
        said = _said(lines, place + 1)
        name = next((found["name"] for line in said if (found := _VOICE.search(line))), "")
        plain = [text for line in said if (text := _TAG.sub("", line).strip())]
        pause = _seconds(timing["start"]) - last_end > _PAUSE
        if not paragraphs or pause or name != voice:
            paragraphs.append(f"{name}: " if name and name != voice else "")
        for line in plain:
            if line in shown:
                continue
            before = paragraphs[-1].strip() or "."
            turn = _TURN.match(line)
            if before.endswith(("]", ")")) or (turn and ends_as_sentence(before)):
                line = line[turn.end() :] if turn else line
                paragraphs.append("")
            # A line is divided at a hyphen that belongs to the word.
            paragraphs[-1] += line if line.endswith("-") else f"{line} "
        shown, last_end, voice = plain, _seconds(timing["end"]), name
    return "\n\n".join(paragraphs)


def _said(lines: list[str], start: int) -> list[str]:
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return lines[start:end]


def _seconds(time: str) -> float:
    whole, _, part = time.replace(",", ".").partition(".")
    seconds = 0
    for unit in whole.split(":"):
        seconds = 60 * seconds + int(unit)
    return seconds + float(f"0.{part}")


_WHEN = r"(?:[\w.,/-]{2,12},? (?:at )?)?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?+"
_WORD = r"(?:[^\W_]|[.'’()-]){1,30}"
_NO_ZONE = r"(?![A-Z]{2,5}(?:\W|\Z))(?=[^\W\d_a-z])"
_NAME = rf"(?P<name>{_NO_ZONE}{_WORD}(?: (?!to ){_WORD}){{0,3}})(?:#\d{{4}})?"
_CHAT_HEADS = (
    re.compile(
        rf"[\[(]?{_WHEN}[\])]?\s{{1,4}}From {_NAME}(?: to [^:]{{1,60}})?\s?:\s?(?P<said>.*)"
    ),
    re.compile(rf"[\[(]?{_WHEN}[\])]?\s{{1,4}}{_NAME}:?"),
    re.compile(rf"{_NAME}\s{{1,4}}[\[(—–|-]?\s?{_WHEN}[\])]?:?"),
)
_FEWEST_HEADS = 4


def as_chat(text: str) -> str | None:
    """Return a chat or a transcript with a line for who speaks when as `Name: text`, else None.

    As Slack, Teams, Discord, Zoom and services of transcription write them: a name and a time alone
    in a line (`Ana Ruiz  9:12 AM`), above what is said; names come again.
    """
    before: list[str] = []
    turns: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        short = line.strip()[:_LONGEST_LINE]
        head = next(filter(None, (form.fullmatch(short) for form in _CHAT_HEADS)), None)
        if head is not None:
            turns.append((head["name"], [said] if (said := head.groupdict().get("said")) else []))
        elif turns:
            turns[-1][1].append(line.strip())
        else:
            before.append(line)
    names = {name for name, _ in turns}
    if len(turns) < _FEWEST_HEADS or not 1 < len(names) <= len(turns) / 2:
        return None
    said = [f"{name}: " + "\n".join(filter(None, lines)) for name, lines in turns if any(lines)]
    return "\n\n".join(["\n".join(before), *said]).strip("\n")


_FIELDS = re.compile(rb"(?:[!-9;-~]{1,60}:[^\n]*(?:\n[ \t]+\S[^\n]*)*(?:\n|\Z))+")
_KNOWN = re.compile(
    rb"^(from|to|b?cc|date|sent|subject|reply-to|message-id|in-reply-to|references|return-path"
    rb"|received|newsgroups|path|mime-version|content-type|organization|lines|sender|list-id):",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_FIELDS = 3
_HEAD = 1 << 15
_MAILBOX = re.compile(rb"From \S+ [^\n]{10,80}\d{4}\r?\n")


def is_mail(data: bytes) -> bool:
    """Return whether a file is a message, or a mailbox of messages, by the fields of its head."""
    head = data[:_HEAD].replace(b"\r\n", b"\n").lstrip()
    mailbox = _MAILBOX.match(head)
    fields = _FIELDS.match(head, mailbox.end() if mailbox else 0)
    known = {name.lower() for name in _KNOWN.findall(fields[0])} if fields else set()
    if fields is None or known.isdisjoint((b"from", b"subject")):
        return False
    below = head[fields.end() :].split(b"\n", 1)[0]
    return (
        mailbox is not None
        or not known.isdisjoint((b"mime-version", b"content-type"))
        or (len(known) >= _FEWEST_FIELDS and not below.strip())
    )
