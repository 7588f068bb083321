"""Plans the calls that summarize a document: each sentence in one, along the section tree.

The plan depends only on sizes, so that the content of a section does not affect other sections'
calls, and the number of calls is known in advance.

Let `usable` be the size of the window and `overhead` that of the instructions. An answer takes at
most a quarter of the rest, sentences the other three quarters; so at least three answers fit in a
merge, and a merge requests at most half of the words that it reads: each level is smaller than the
one below.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, takewhile

from longsum.common.errors import LongsumError
from longsum.core.systems.system import Request
from longsum.documents.model import Document, Section
from longsum.language.words import count_words
from longsum.writers.calls import ChatModel
from longsum.writers.prompt import BLANK, TITLES, Prompter, neutral, numbered, shown_title
from longsum.writers.tokens import TokenCount, Window, sample_of

LEAST_WINDOW = 512
LEAST_WORDS = 50
"""Minimum words of the summary of a part that is merged with others."""
_LEAST_ANSWER = 20
_SPARE = 32
"""Tokens of an answer besides its sentences."""
_LONGER = 1.3
"""Tokens of an answer relative to document text with as many words."""
_NUMBERS = 0.5
"""Tokens of the numbers after a sentence, per word of the sentence."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A document sentence in a call, or a part of one that is too long for a call.

    Attributes:
        unit: Its position in the document.
        text: Its text in the prompt.
    """

    unit: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A call: a leaf, which summarizes sentences of the document, or a merge of summaries.

    Attributes:
        titles: Titles of the document and of the sections around its input.
        pieces: The sentences of a leaf, in order.
        inputs: The calls whose answers a merge reads, in order.
        target: Number of words to write.
    """

    titles: tuple[str, ...] = ()
    pieces: tuple[Piece, ...] = ()
    inputs: tuple["Node", ...] = ()
    target: int = 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """What fits in a call.

    Attributes:
        room: Maximum tokens of the sentences that a call reads.
        answer: Maximum tokens of an answer.
        per_word: Tokens of an answer per word.
        usable: Maximum tokens of prompt and answer together.
    """

    room: int
    answer: int
    per_word: float
    usable: int

    @classmethod
    def of(
        cls, document: Document, window: Window, count: TokenCount, prompter: Prompter
    ) -> "Sizes":
        """Return the sizes for a document.

        Raises:
            LongsumError: The window is too small for instructions, sentences and an answer.
        """
        text = " ".join(sentence.text for sentence in document.sentences)
        per_word = count(text) / max(count_words(text), 1) * _LONGER + _NUMBERS
        known = (document.title, *(section.title for section in document.walk()))
        titles = sorted(map(shown_title, known), key=count)[-TITLES:]
        rules = [prompter.summary(titles, (), 9_999, merges=merges) for merges in (False, True)]
        overhead = max(sum(count(text) + 8 for _, text in messages) for messages in rules)
        rest = window.usable - overhead
        if window.tokens < LEAST_WINDOW or rest // 4 < _SPARE + _LEAST_ANSWER * per_word / 2:
            raise LongsumError(
                f"A window of {window.tokens:,} tokens is too small; the model must read "
                f"at least {LEAST_WINDOW}, and more if titles are long."
            )
        return cls(rest - rest // 4, rest // 4, per_word, window.usable)

    @property
    def longest(self) -> int:
        """Maximum number of words of an answer."""
        return max(int((self.answer - _SPARE) / self.per_word), 1)

    def answer_for(self, words: int) -> int:
        """Return the maximum tokens of an answer with a given number of words."""
        return min(math.ceil(words * self.per_word) + _SPARE, self.answer)

    def expected(self, words: int) -> int:
        """Return the expected tokens of an answer with a given number of words."""
        return math.ceil(words * ((self.per_word - _NUMBERS) / _LONGER + _NUMBERS))


@dataclass(frozen=True, slots=True)
class Plan:
    """The calls for a document.

    Attributes:
        roots: The calls whose answers make up the summary, in order.
        sizes: What fits in a call.
        levels: All calls by their level, the leaves first.
    """

    roots: tuple[Node, ...]
    sizes: Sizes
    levels: tuple[tuple[Node, ...], ...]

    @property
    def calls(self) -> int:
        """Number of calls, if all succeed."""
        return sum(map(len, self.levels))

    @property
    def leaves(self) -> tuple[Node, ...]:
        """The calls that read the document."""
        return self.levels[0]


def make_plan(document: Document, words: int, sizes: Sizes, count: TokenCount) -> Plan:
    """Return the plan for a summary of a given number of words."""
    leaves = _Packing(document, words, sizes, count).leaves()
    read = [sum(count_words(piece.text) for piece in leaf.pieces) for leaf in leaves]
    apart = len(leaves) == 1 or words >= LEAST_WORDS * len(leaves)
    aimed = []
    for leaf, own in zip(leaves, read, strict=True):
        share = words * own / (sum(read) or 1)
        target = max(_LEAST_ANSWER, round(share))
        if not apart:
            target = max(LEAST_WORDS, round(2 * share))
            target = min(target, max(own // 2, _LEAST_ANSWER))
        aimed.append(replace(leaf, target=min(target, sizes.longest)))
    roots = aimed if apart else _merged(aimed, words, sizes)
    return Plan(tuple(roots), sizes, tuple(_levels(roots)))


def plan_of(
    request: Request, model: ChatModel, window: Window, prompter: Prompter
) -> tuple[Plan, TokenCount]:
    """Return the calls for a request, and their token counter.

    Raises:
        LongsumError: The window is too small.
    """
    document = request.document
    sample = sample_of([neutral(sentence.text) for sentence in document.sentences])
    count = TokenCount.of(sample, model.tokens_of, BLANK if prompter.marked else " ")
    sizes = Sizes.of(document, window, count, prompter)
    return make_plan(document, requested_words(request), sizes, count), count


def requested_words(request: Request) -> int:
    """Return the approximate number of words in a budget."""
    sentences = request.document.sentences
    words = sum(count_words(sentence.text) for sentence in sentences)
    costs = sum(request.budget.cost(sentence.text) for sentence in sentences)
    return max(round(request.budget.capacity(request.document) * words / max(costs, 1)), 1)


_Group = tuple[tuple[str, ...], range]
"""Consecutive sentences, and the titles above them."""


class _Packing:
    """Divides the sentences of a document into calls, by sections if they fit."""

    def __init__(self, document: Document, words: int, sizes: Sizes, count: TokenCount) -> None:
        """Measure the sentences of a document, for a summary of a given number of words."""
        self._document, self._count = document, count
        self._most = sizes.room
        self._texts = [neutral(sentence.text) for sentence in document.sentences]
        costs = (count(numbered(place, text)) + 1 for place, text in enumerate(self._texts))
        self._spent = [0, *accumulate(costs)]
        self._room = sizes.room
        if words > sizes.longest:
            # Several answers make up the summary: none may read more than its share.
            self._room = min(sizes.room, max(self._spent[-1] * sizes.longest // words, 1))

    def leaves(self) -> list[Node]:
        """Return the calls in reading order."""
        title = (self._document.title,) if self._document.title else ()
        groups = self._packed(self._document.sections, title, 0)
        return [leaf for titles, places in groups for leaf in self._called(titles, places)]

    def _packed(
        self, sections: Sequence[Section], titles: tuple[str, ...], begin: int
    ) -> list[_Group]:
        """Return groups of sentences that fit, from a position on; neighbours share calls."""
        groups: list[_Group] = []
        for section in sections:
            under = (*titles, section.title) if section.title else titles
            own = range(begin, begin + len(section.sentences))
            places = range(begin, begin + sum(len(each.sentences) for each in section.walk()))
            if self._cost(places) <= self._room:
                groups += [(under, part) for part in self._parts(places)]
            else:
                groups += [(under, part) for part in self._parts(own)]
                groups += self._packed(section.children, under, own.stop)
            begin = places.stop
        joined: list[_Group] = []
        for under, places in groups:
            above, before = joined[-1] if joined else ((), places)
            together = range(before.start, places.stop)
            if joined and self._cost(together) <= self._room:
                joined[-1] = (under if above == under else titles, together)
            else:
                joined.append((under, places))
        return joined

    def _parts(self, places: range) -> Iterator[range]:
        """Yield sentences in parts that fit, of about equal size."""
        total = self._cost(places)
        aim = min(self._room, math.ceil(total / max(math.ceil(total / self._room), 1)) + 1)
        begin = places.start
        for place in places:
            spent = self._cost(range(begin, place))
            if spent and (self._cost(range(begin, place + 1)) > self._room or spent >= aim):
                yield range(begin, place)
                begin = place
        if places:
            yield range(begin, places.stop)

    def _called(self, titles: tuple[str, ...], places: range) -> Iterator[Node]:
        """Yield the calls for a group: one, or several for a sentence that is too long."""
        pieces: list[Piece] = []
        for place in places:
            if self._cost(range(place, place + 1)) <= self._most:
                pieces.append(Piece(place, self._texts[place]))
                continue
            if pieces:
                yield Node(titles, tuple(pieces))
                pieces = []
            for part in _divided(self._texts[place], self._most, self._count, place):
                yield Node(titles, (Piece(place, part),))
        if pieces:
            yield Node(titles, tuple(pieces))

    def _cost(self, places: range) -> int:
        return self._spent[places.stop] - self._spent[places.start]


def _divided(text: str, most: int, count: TokenCount, place: int) -> Iterator[str]:
    """Yield the parts of a sentence that is too long for a call; together they cover it."""
    spare = count(numbered(place, "")) + 2
    while text:
        size = len(text)
        while size > 1 and count(text[:size]) + spare > most:
            size = max(1, size * 3 // 4)
        cut = text.rfind(" ", 0, size) + 1 if size < len(text) else size
        yield text[: cut or size]
        text = text[cut or size :]


def _merged(leaves: Sequence[Node], words: int, sizes: Sizes) -> list[Node]:
    """Return the roots: merges of merges until the rest fits in one call."""
    nodes: list[Node] = [*leaves]
    while sum(sizes.answer_for(node.target) for node in nodes) > sizes.room:
        nodes = [
            _merge(group, min(sum(node.target for node in group) // 2, sizes.longest))
            for group in _groups(nodes, sizes)
        ]
    parts = min(max(1, math.ceil(words / sizes.longest)), len(nodes))
    size = len(nodes) / parts
    shares = [nodes[round(size * at) : round(size * (at + 1))] for at in range(parts)]
    target = min(math.ceil(words / parts), sizes.longest)
    return [_merge(share, target) for share in shares]


def _merge(group: Sequence[Node], target: int) -> Node:
    if len(group) == 1:
        return group[0]
    return Node(_common(group), inputs=tuple(group), target=max(target, 1))


def _groups(nodes: Sequence[Node], sizes: Sizes) -> list[list[Node]]:
    """Return neighbours that fit in a merge, grouped by common titles if possible.

    At least three answers fit (see above), so there are fewer groups than nodes.
    """
    groups: list[list[Node]] = []
    spent = 0
    for node in nodes:
        cost = sizes.answer_for(node.target)
        before = groups[-1] if groups else []
        # Another section begins here, and enough precedes it.
        other = len(before) > 2 and len(_common([*before, node])) < len(_common(before))
        if not before or other or spent + cost > sizes.room:
            groups.append([])
            spent = 0
        groups[-1].append(node)
        spent += cost
    return groups


def _common(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Return the leading titles that nodes have in common."""
    rows = zip(*(node.titles for node in nodes), strict=False)
    return tuple(row[0] for row in takewhile(lambda row: len({*row}) == 1, rows))


def _levels(roots: Sequence[Node]) -> Iterator[tuple[Node, ...]]:
    """Yield all nodes by level, the leaves first, in reading order."""
    levels: list[list[Node]] = []

    def place(node: Node) -> int:
        at = 1 + max(map(place, node.inputs), default=-1)
        while len(levels) <= at:
            levels.append([])
        levels[at].append(node)
        return at

    for root in roots:
        place(root)
    yield from map(tuple, levels)
