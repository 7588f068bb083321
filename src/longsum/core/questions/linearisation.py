"""Linearised question trees: one line, as a decoder writes it (HIBRIDS, §5.1), and back."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from longsum.core.questions.question_tree import Question, QuestionTree


class Mark(Enum):
    """The marks between the texts of a line; special tokens for a model."""

    LEVEL_DOWN = "<down>"
    LEVEL_UP = "<up>"
    SAME_LEVEL = "<hold>"
    QUESTION_END = "<question>"


LEVEL_DOWN = Mark.LEVEL_DOWN.value
"""Precedes a pair one level below the previous pair."""
LEVEL_UP = Mark.LEVEL_UP.value
"""Precedes a pair above the previous pair, once per level."""
SAME_LEVEL = Mark.SAME_LEVEL.value
"""Precedes a pair on the level of the previous pair."""
QUESTION_END = Mark.QUESTION_END.value
"""Separates a question from its answer.

Not stated in the paper; the released code splits at "?", which may be anywhere in a text.
"""

_CHANGES = {Mark.LEVEL_DOWN: 1, Mark.LEVEL_UP: -1, Mark.SAME_LEVEL: 0}
_MARKS = "|".join(mark.value for mark in Mark)
_LITERAL = re.compile(f"({_MARKS})")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed line.

    Attributes:
        tree: The tree.
        repairs: Errors in the line and how they were repaired, one sentence each; pairs are counted
            from 1 in the order of `tree.walk`. Empty if the line is well-formed.
    """

    tree: QuestionTree
    repairs: tuple[str, ...]


def linearise(tree: QuestionTree, first_question: bool = True) -> str:
    r"""Write a tree in one line, depth first, each pair preceded by its change of level.

    The question of the first pair is left out where a model is given it.

    Returns:
        `pieces`, separated by single spaces. A literal mark in a text is escaped with a backslash
        (`\<up>`), so that no text is taken for a mark.
    """
    return " ".join(
        piece.value if isinstance(piece, Mark) else _LITERAL.sub(r"\\\1", piece)
        for piece in pieces(tree, first_question)
    )


def pieces(tree: QuestionTree, first_question: bool = True) -> Iterator[Mark | str]:
    """Yield marks and texts separately, so that a tokenizer never mistakes text for a mark.

    Empty texts are left out; no two texts are consecutive.

    `first_question` is that of `linearise`.
    """
    previous = None
    for level, pair in tree.walk():
        if previous is not None:
            yield from _changes(level - previous)
        if previous is not None or first_question:
            if pair.question:
                yield pair.question
            yield Mark.QUESTION_END
        if pair.answer:
            yield pair.answer
        previous = level


def parse_pieces(found: Iterable[Mark | str], first_question: str | None = None) -> Parsed:
    """Parse marks and texts as a tree; the inverse of `pieces`.

    Consecutive texts are joined; `first_question` is that of `parse`.

    Returns:
        The tree and its repairs. A pair goes down by at most one level, and up to the first at
        most; consecutive level marks add up. Without its mark a question ends at the first "?"; a
        text without either is an answer or, at the end, a question whose answer is cut off.
    """
    segments = _segments(found, first_question is not None)
    reader = _Reader()
    for place, segment in enumerate(segments):
        given = None if place else first_question
        if given is None and segment.blank:
            reader.leave_out(segment)
        else:
            reader.add(segment, given, place == len(segments) - 1)
    return Parsed(_grown(reader.rows), tuple(reader.repairs))


@dataclass(slots=True)
class _Segment:
    """The level marks before a pair, and its texts, split at question-end marks."""

    marks: list[Mark] = field(default_factory=list)
    texts: list[str] = field(default_factory=lambda: [""])

    @property
    def blank(self) -> bool:
        return len(self.texts) == 1 and not self.texts[0].strip()


def _segments(found: Iterable[Mark | str], given: bool) -> list[_Segment]:
    """Return one segment per pair, the last one possibly blank."""
    segments = [_Segment()]
    for piece in found:
        last = segments[-1]
        if isinstance(piece, str):
            last.texts[-1] += piece
        elif piece is Mark.QUESTION_END:
            last.texts.append("")
        elif last.blank and not (given and len(segments) == 1):
            last.marks.append(piece)
            last.texts = [""]
        else:
            segments.append(_Segment([piece]))
    return segments


class _Reader:
    """Turns segments into pairs one after the other, and records repairs."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str]] = []
        self.repairs: list[str] = []

    def leave_out(self, segment: _Segment) -> None:
        if segment.marks:
            self.repairs.append("The line ends in marks without a pair; they are left out.")

    def add(self, segment: _Segment, given: str | None, last: bool) -> None:
        level = self._level(segment.marks)
        if given is not None:
            question, answer = given, self._given_answer(segment.texts)
        elif len(segment.texts) > 1:
            question, answer = segment.texts[0], self._answer(segment.texts[1:])
        else:
            question, answer = self._parted(segment.texts[0].strip(), last)
        self.rows.append((level, question, answer))

    def _level(self, marks: list[Mark]) -> int:
        if not self.rows:
            if marks:
                self._repair("follows marks of a level, but nothing before it; they are left out")
            return 1
        previous = self.rows[-1][0]
        change = sum(_CHANGES[mark] for mark in marks)
        level = max(1, min(previous + 1, previous + change))
        if marks != _changes(change):
            self._repair("follows marks that do not go together; they are added up")
        if change > 1:
            self._repair(f"falls by {change} levels at once; it is placed one level down")
        elif level > previous + change:
            self._repair("rises above the first level; it is placed on it")
        return level

    def _given_answer(self, texts: list[str]) -> str:
        if len(texts) == 1:
            return texts[0]
        self._repair("says its question again, which was given; the given one is kept")
        return self._answer(texts[1:])

    def _answer(self, texts: list[str]) -> str:
        if len(texts) == 1:
            return texts[0]
        self._repair("has more than one end of a question; all after the first is its answer")
        return " ".join(text for text in texts if text.strip())

    def _parted(self, text: str, last: bool) -> tuple[str, str]:
        question, end, answer = text.partition("?")
        if end:
            self._repair("has no end of its question; it ends at the first question mark")
            return question + end, answer.strip()
        if last:
            self._repair("is cut off before its answer; the answer is empty")
            return text, ""
        self._repair("has no question; its text is taken for the answer")
        return "", text

    def _repair(self, what: str) -> None:
        self.repairs.append(f"Pair {len(self.rows) + 1} {what}.")


def _changes(change: int) -> list[Mark]:
    """Return the marks of a change of level; going down well-formed is one level, so one mark."""
    if change == 0:
        return [Mark.SAME_LEVEL]
    return [Mark.LEVEL_DOWN if change > 0 else Mark.LEVEL_UP] * abs(change)


def _grown(rows: list[tuple[int, str, str]]) -> QuestionTree:
    """Return the tree of levels, questions and answers in depth-first order.

    Built from last to first, so that whatever waits one level below a pair is its children.
    """
    waiting: dict[int, list[Question]] = {}
    for level, question, answer in reversed(rows):
        children = tuple(reversed(waiting.pop(level + 1, [])))
        waiting.setdefault(level, []).append(Question(question, answer, children))
    return QuestionTree(tuple(reversed(waiting.get(1, []))))
