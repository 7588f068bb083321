"""Parses sentences and the positions that they cite from a model's output."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from longsum.language.characters import clean
from longsum.language.sentences import split_sentences
from longsum.writers.prompt import BLANK

MOST_CITED = 6
"""Maximum positions that a sentence keeps; readers would not check more."""


def _closed(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these fields and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


_NUMBERS_CITED = {"type": "array", "items": {"type": "integer"}}
_SENTENCE = _closed(text={"type": "string"}, cites=_NUMBERS_CITED)
REPLY_SCHEMA = _closed(sentences={"type": "array", "items": _SENTENCE})
"""The schema for servers that can constrain answers to one (`json_schema`)."""
_OBJECT = re.compile(
    r'\{\s?"text"\s?:\s?("(?:[^"\\]|\\.){0,4000}")\s?,\s?"cites"\s?:\s?\[([\d,\s]{0,200})\]\s?\}'
)

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_NUMBERS = re.compile(r"\s?[\[【](\d{1,7}(?:\s?[,;–-]\s?\d{1,7}){0,40})[\]】]")
_RANGE = re.compile(r"(\d{1,7})(?:\s?[–-]\s?(\d{1,7}))?")
_LONGEST_RANGE = 20
_BULLET = re.compile(r"\A(?:[-*•–—]|\d{1,3}[.)])\s")
_ASKS = ("?", "？", "؟")
_LONGEST_QUESTION = 200
_NO_TEXT = re.compile(r"#|```|~~~|===")
_EMPHASIS = re.compile(r"\*\*|__|`")
_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}:(?://|[\w.+-]{1,60}@)\S+|www\.\S+|[\w.+-]{1,60}@[\w-]{1,60}\.\w+"
    r"|\b[\w-]{1,60}(?:\.[\w-]{1,60}){0,4}\.(?:[a-z]{2,3}|info|site|online|link|page)\b(?:/\S*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence that a model wrote.

    Attributes:
        text: The sentence, on one line.
        units: Positions of the document sentences that it cites, in its order.
        invalid: Number of other cited numbers, which the model was not shown.
        found: Whether the positions were found by its words, since it cites none.
    """

    text: str
    units: tuple[int, ...] = ()
    invalid: int = 0
    found: bool = False


def parse_reply(text: str, shown: Collection[int], *, finished: bool = True) -> list[Written]:
    """Return the sentences of an answer.

    Reasoning, headings, bullets and introductory lines are left out, as is the last line of a
    truncated answer.

    Args:
        text: The answer.
        shown: Positions of the sentences that the model was shown; other numbers are dropped and
            counted.
        finished: Whether the model ended by itself.
    """
    text = _THOUGHT.sub("", text).replace(BLANK, " ")
    if is_structured(text):
        text, finished = _lines(text), True
    stripped = (line.strip() for line in text.splitlines())
    lines = [line for line in stripped if line]
    if not finished and lines and not _NUMBERS.search(lines[-1]):
        lines.pop()
    return [
        each
        for line in lines
        if not _NO_TEXT.match(line)
        for each in _of_line(_BULLET.sub("", line), shown)
    ]


def is_structured(text: str) -> bool:
    """Return whether an answer is JSON of `REPLY_SCHEMA`, or the beginning of it."""
    return text.lstrip().startswith("{") and _OBJECT.search(" ".join(text.split())) is not None


def _lines(text: str) -> str:
    """Return the equivalent lines of a JSON answer: complete sentences with their citations."""
    lines = []
    for quoted, cites in _OBJECT.findall(" ".join(text.split())):
        sentence = " ".join(str(json.loads(quoted, strict=False)).split())
        lines.append(f"{sentence} [{cites}]")
    return "\n".join(lines)


def parse_question(text: str) -> str | None:
    """Return the question that an answer consists of; None if it is not one, or too long."""
    for line in _THOUGHT.sub("", text).splitlines():
        stripped = _BULLET.sub("", line.strip())
        question = clean(_EMPHASIS.sub("", stripped)).strip("\"'“”„«» ")
        if question.endswith(_ASKS) and len(question) <= _LONGEST_QUESTION:
            return question
    return None


def _of_line(line: str, shown: Collection[int]) -> Iterator[Written]:
    """Yield the sentences of a line; those without numbers get the next ones."""
    line = clean(_EMPHASIS.sub("", line))
    marks: list[tuple[int, str]] = []
    plain = ""
    end = 0
    for found in _NUMBERS.finditer(line):
        plain += line[end : found.start()]
        end = found.end()
        marks.append((len(plain.rstrip()), found[1]))
    plain += line[end:]
    if plain.endswith(":") and not marks:
        return
    waiting: list[str] = []
    for start, stop in split_sentences(plain):
        sentence = clean(plain[start:stop])
        if not any(map(str.isalnum, sentence)):
            continue
        waiting.append(sentence)
        own = [numbers for place, numbers in marks if start < place <= stop]
        if own:
            units, invalid = _positions(own, shown)
            yield from (Written(each, units, invalid) for each in waiting)
            waiting = []
    yield from map(Written, waiting)


def _positions(marks: list[str], shown: Collection[int]) -> tuple[tuple[int, ...], int]:
    cited: dict[int, None] = {}
    for mark in marks:
        for first, last in _RANGE.findall(mark):
            begin, end = int(first), int(last or first)
            cited.update(dict.fromkeys(range(begin - 1, min(end, begin + _LONGEST_RANGE))))
    valid = [unit for unit in cited if unit in shown]
    return tuple(valid[:MOST_CITED]), len(cited) - len(valid)


def foreign_addresses(text: str, source: str) -> list[str]:
    """Return the web and e-mail addresses in a text that are not in its source."""
    known = source.casefold()
    return [each[0] for each in _ADDRESS.finditer(text) if each[0].casefold() not in known]
