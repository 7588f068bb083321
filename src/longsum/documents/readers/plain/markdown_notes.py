"""Footnotes of Markdown, `[^1]: …`, which CommonMark does not have."""

import re

_NOTE = re.compile(r"^ {0,3}\[\^(?P<name>[^\s\[\]]{1,40})\]:[ \t]*", re.MULTILINE)
# A note of one word has the form of a link definition, which is not shown.
_SHORT_NOTE = re.compile(r"^\[\^[^\s\[\]]{1,40}\]:(?=[ \t]*\S{1,200}[ \t]*$)", re.MULTILINE)
_MARK = re.compile(r"\[\^([^\s\[\]]{1,40})\]")


class MarkdownNotes:
    """The notes of a file.

    Attributes:
        text: The file, so that CommonMark takes each note for a paragraph.
    """

    def __init__(self, text: str) -> None:
        self.text = _SHORT_NOTE.sub(r"\\\g<0>", text)
        self._names = {found["name"] for found in _NOTE.finditer(text)}

    def apart(self, lines: list[str]) -> tuple[list[str], list[str]]:
        """Return the lines of a paragraph before its notes, and the notes, without their marks."""
        kept: list[str] = []
        notes: list[str] = []
        for line in lines:
            opens = _NOTE.match(line)
            plain = line[opens.end() :] if opens else line
            plain = _MARK.sub(lambda mark: "" if mark[1] in self._names else mark[0], plain)
            if opens:
                notes.append(plain)
            elif notes:
                notes[-1] += f" {plain}"
            else:
                kept.append(plain)
        return kept, notes
