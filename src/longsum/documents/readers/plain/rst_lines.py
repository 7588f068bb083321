"""Which lines of reStructuredText belong together, by their indentation and blank lines."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from longsum.documents.readers.plain.plain_layout import indent

_OPTION = re.compile(r":(?P<name>[\w-]{1,40}):(?:\s+(?P<text>\S.*))?")


def indented_to(lines: Sequence[str], start: int, least: int) -> int:
    """Return the end of the lines that are indented by a width, or blank before such lines."""
    end = start
    for at in range(start, len(lines)):
        if lines[at]:
            if indent(lines[at]) < least:
                break
            end = at + 1
    return end


def filled_to(lines: Sequence[str], start: int) -> int:
    """Return the end of the lines before the next blank one."""
    return next((at for at in range(start, len(lines)) if not lines[at]), len(lines))


def opening_of(lines: Sequence[str]) -> list[str]:
    """Return the paragraph that opens lines: those before one that is blank or indented."""
    return list(takewhile(lambda line: line and line[0] != " ", lines))


def dedented(lines: Sequence[str]) -> list[str]:
    """Return lines without the indentation that all of them have."""
    least = min((indent(line) for line in lines if line), default=0)
    return [line[least:] for line in lines]


def within_item(line: str, below: Sequence[str], mark: re.Match[str]) -> list[str]:
    """Return the lines of a list item, without its mark and their indentation."""
    return [line[mark.end() :], *(each[min(indent(each), mark.end()) :] for each in below)]


def options_of(lines: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options that open the lines of a directive, and the other lines."""
    options: dict[str, str] = {}
    body: list[str] = []
    end = filled_to(lines, 0)
    name = ""
    for line in lines[:end]:
        if option := _OPTION.fullmatch(line):
            name = option["name"]
            options[name] = option["text"] or ""
        elif name and line[0] == " ":
            options[name] += f" {line.strip()}"
        else:
            name = ""
            body.append(line)
    return options, [*body, *lines[end:]]


def verses(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a block of lines, each with what continues it."""
    verse = ""
    for line in lines:
        if line[0] == "|":
            yield verse
            verse = line[1:]
        else:
            verse += f" {line}"
    yield verse
