"""Layouts of plain text, e-mail and subtitles, for `layouts.py`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from itertools import count, cycle
from typing import Any

from layout_markup import html_of
from layout_works import NONE, TITLE, Block, Layout, Work, wrap

Lines = list[str]
_NAMES = ("ALICE", "BENNETT", "CARLA")
_PAGE = 46


@dataclass(frozen=True, slots=True)
class Plain:
    """How a work is laid out in plain text.

    Attributes:
        width: Of a line; 0 for paragraphs on one line each.
        blank: Whether paragraphs are separated by blank lines.
        first: Prefix of the first line of a paragraph.
        rest: Prefix of its other lines.
        margin: Prefix of every line, including headings.
        label: Returns the label of a paragraph, by its number in the work, the number of its
            section, and its number there.
        heading: Returns the lines of a heading, by its words, level and number.
        change: Changes the lines of a paragraph.
        whole: Changes all lines.
        gap: The separator of sentences.
        end: The end of a line.
    """

    width: int = 0
    blank: bool = True
    first: str = ""
    rest: str = ""
    margin: str = ""
    label: Callable[[int, int, int], str] | None = None
    heading: Callable[[str, int, str], Lines] = lambda text, _level, _number: [text]
    change: Callable[[Lines], Lines] = list
    whole: Callable[[Lines], Lines] = list
    gap: str = " "
    end: str = "\n"

    def lines(self, work: Work) -> Lines:
        """Return the lines of a work."""
        written: Lines = self.heading(work.title, 0, "")
        section, within, headings = 0, 0, [0] * 7
        for number, block in enumerate(work.blocks, start=1):
            if block.level:
                headings[block.level] += 1
                headings[block.level + 1 :] = [0] * (6 - block.level)
                place = ".".join(str(each) for each in headings[1 : block.level + 1])
                lines = self.heading(block.text, block.level, place)
                section, within = section + 1, 0
            else:
                within += 1
                label = self.label(number, max(section, 1), within) if self.label else ""
                lines = self.paragraph(block, label)
            written += ["", *lines] if self.blank else lines
        return self.whole([self.margin + line if line else "" for line in written])

    def paragraph(self, block: Block, label: str) -> Lines:
        """Return the lines of a paragraph."""
        text = block.text if label.endswith(":    ") else block.spoken
        if block.speaker and label.endswith(":    "):
            label = f"{block.speaker}:    "
        text = text.replace(". ", f".{self.gap}")
        before = self.first + label
        if not self.width:
            return self.change([before + text])
        room = self.width - len(self.rest)
        indent = " " * (len(before) - len(self.rest))
        words = wrap(text, room, indent)
        lines = [before + words[0][len(indent) :], *(self.rest + line for line in words[1:])]
        return self.change(lines)

    def bytes(self, work: Work) -> bytes:
        """Return the file."""
        return (self.end.join(self.lines(work)) + self.end).encode()


def _underlined(text: str, level: int, _: str) -> Lines:
    return [text, "=-~^\"'"[level] * len(text)]


def _numbered(text: str, _: int, number: str) -> Lines:
    return [f"{number}. {text}" if number and "." not in number else f"{number} {text}".strip()]


def _justified(lines: Lines, width: int = 72) -> Lines:
    """Return lines but the last padded to one width."""
    padded = []
    for line in lines[:-1]:
        words = line.split(" ")
        gaps = [1] * (len(words) - 1)
        for place in cycle(range(len(gaps))) if gaps else ():
            if sum(gaps) + sum(map(len, words)) >= width:
                break
            gaps[place] += 1
        pairs = zip(words, [*gaps, 0], strict=True)
        padded.append("".join(word + " " * gap for word, gap in pairs))
    return [*padded, lines[-1]]


def _line_numbers(lines: Lines, every: int) -> Lines:
    numbers = count(1)
    numbered = []
    for line in lines:
        number = next(numbers) if line else 0
        shown = f"{number:4}" if number and number % every == 0 else "    "
        numbered.append(f"{shown}  {line}".rstrip())
    return numbered


def _spaced(lines: Lines) -> Lines:
    """Return lines with one blank line after each, and another after each paragraph."""
    return [each for line in lines for each in ((line, "") if line else ("",))]


def _quoted(lines: Lines) -> Lines:
    return [f"> {line}".rstrip() for line in lines]


def _paged(lines: Lines) -> Lines:
    """Return pages with a running head and a number; paragraphs run across pages."""
    written: Lines = []
    for page, start in enumerate(range(0, len(lines), _PAGE), start=1):
        head = "" if page == 1 else f"{'Proceedings of the Society':40}{lines[0][:30]:>32}"
        written += [head, "", *lines[start : start + _PAGE], "", f"{page:>37}", "\f"]
    return written


def _paragraph_number(number: int, _section: int, _within: int) -> str:
    return f"[{number:04}] "


def _name(number: int, _section: int, _within: int) -> str:
    return f"{_NAMES[number % 3]}:    "


_STYLES: tuple[tuple[str, Plain, dict[str, Any]], ...] = (
    ("unwrapped", Plain(), {}),
    ("unwrapped, no blank lines", Plain(blank=False), {}),
    ("wrapped at 40", Plain(40), {}),
    ("wrapped at 72", Plain(72), {}),
    ("wrapped at 100", Plain(100), {}),
    ("wrapped, no blank lines", Plain(72, blank=False), {"lossy": True, "marks": NONE}),
    ("CRLF", Plain(72, end="\r\n"), {}),
    ("headings underlined", Plain(72, heading=_underlined), {}),
    ("headings in capitals", Plain(72, heading=lambda text, _, __: [text.upper()]), {}),
    ("headings numbered", Plain(72, heading=_numbered), {}),
    ("all lines indented by 4", Plain(72, margin="    "), {}),
    ("body indented by 8", Plain(80, first=" " * 8, rest=" " * 8), {}),
    ("first lines indented by 4", Plain(72, blank=False, first="    "), {}),
    ("first lines indented by 8", Plain(72, first=" " * 8), {}),
    ("tab before first lines", Plain(72, blank=False, first="\t"), {}),
    ("tab before all lines", Plain(72, first="\t", rest="\t"), {}),
    ("hanging", Plain(72, rest="    "), {}),
    ("justified", Plain(72, change=_justified), {}),
    ("two spaces between sentences", Plain(72, gap="  "), {}),
    ("[0001]", Plain(label=_paragraph_number), {"label": r"\[\d{4}\]"}),
    ("1.", Plain(72, label=lambda n, _, __: f"{n}. "), {"label": r"\d+\."}),
    ("1.1", Plain(72, label=lambda _, s, w: f"{s}.{w}   "), {"label": r"\d+\.\d+"}),
    ("Art. 1", Plain(72, label=lambda n, _, __: f"Art. {n}   "), {"label": r"Art\. \d+"}),
    ("NAME:", Plain(72, label=_name), {"label": r"[A-Z ]+:"}),
    (
        "00:01",
        Plain(blank=False, label=lambda n, _, __: f"{n // 60:02}:{n % 60:02}\t"),
        {"label": r"\d\d:\d\d"},
    ),
    ("every line numbered", Plain(72, whole=partial(_line_numbers, every=1)), {}),
    ("every fifth line numbered", Plain(72, whole=partial(_line_numbers, every=5)), {}),
    ("double spaced", Plain(60, whole=_spaced), {"lossy": True}),
    (
        "double spaced, no gaps",
        Plain(60, blank=False, first="     ", whole=_spaced),
        {"lossy": True, "marks": NONE},
    ),
    ("quoted", Plain(72, whole=_quoted), {"lossy": True}),
    ("pages", Plain(72, whole=_paged), {}),
)


def _message(work: Work, content: str, *, html: str = "") -> bytes:
    message = EmailMessage()
    message["From"] = "Ada Brandt <ada@example.org>"
    message["To"] = "readers@example.org"
    message["Subject"] = work.title
    message["Date"] = "Mon, 04 Mar 2024 10:15:00 +0100"
    message.set_content(content, cte="quoted-printable")
    if html:
        message.add_alternative(html, subtype="html", cte="quoted-printable")
        message.set_boundary("---")
    return message.as_bytes()


def _body(work: Work) -> str:
    return "\n".join(Plain().lines(work)[2:]) + "\n"


def _plain_mail(work: Work) -> bytes:
    return _message(work, _body(work))


def _alternative_mail(work: Work) -> bytes:
    return _message(work, _body(work), html=html_of(work))


def _mailbox(work: Work) -> bytes:
    """Return a mailbox of a message for each section, with the heading as its subject."""
    sent = b"From ada@example.org Mon Mar  4 10:15:00 2024\n"
    messages = (_message(each, _body(each)) for each in work.sections())
    return b"".join(sent + message.replace(b"\nFrom ", b"\n>From ") + b"\n" for message in messages)


def _cues(work: Work) -> Iterator[tuple[float, str]]:
    """Yield the times and lines of subtitles, which have no headings."""
    seconds = 1.0
    for block in work.blocks:
        lines = [] if block.level else wrap(block.spoken, 42)
        for place in range(0, len(lines), 2):
            yield seconds, "\n".join(lines[place : place + 2])
            seconds += 3


def _time(seconds: float, point: str) -> str:
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{point}{thousandths:03}"


def _subtitles(work: Work, opening: str, point: str) -> bytes:
    cues = [
        f"{number}\n{_time(start, point)} --> {_time(start + 2.8, point)}\n{text}\n"
        for number, (start, text) in enumerate(_cues(work), start=1)
    ]
    return (opening + "\n".join(cues)).encode()


def plain_layouts() -> Sequence[Layout]:
    """Return all layouts of plain text."""
    texts = [Layout(f"text: {name}", ".txt", style.bytes, **more) for name, style, more in _STYLES]
    srt, vtt = (
        partial(_subtitles, opening=o, point=p) for o, p in (("", ","), ("WEBVTT\n\n", "."))
    )
    return [
        *texts,
        Layout("e-mail: text", ".eml", _plain_mail, marks=TITLE),
        Layout("e-mail: text and HTML", ".eml", _alternative_mail),
        Layout("e-mail: mailbox", ".mbox", _mailbox, marks=range(1, 2)),
        Layout("subtitles: SRT", ".srt", srt, marks=NONE),
        Layout("subtitles: VTT", ".vtt", vtt, marks=NONE),
    ]
