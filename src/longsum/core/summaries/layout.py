"""The layout of a summary: coherent paragraphs, lists, turns of speech, titles.

Titles are layout, and do not count as words of the summary; speakers' names count. Metrics read
neither.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile

from longsum.core.summaries.sentence import SummarySentence
from longsum.documents.model import Document, Sentence
from longsum.language.broken_words import join_pieces
from longsum.language.characters import BULLETS
from longsum.language.sentences import ends_as_sentence
from longsum.language.words import count_words

TITLED_WORDS = 300
"""Summaries of more words show section titles by default."""
MOST_SENTENCES = 6
"""A paragraph with more sentences is divided."""
MOST_WORDS = 150
"""A paragraph with more words is divided."""

_BULLET = re.compile(rf"[{BULLETS}*+–—-]\s+")
# In running text, a dash may open speech, and a number that no capital follows may be a count.
_LONE_MARK = re.compile(rf"(?:[{BULLETS}*+-]|\(?\d{{1,3}}[.)](?=\s+[A-Z]))\s+(?=\S)")
_LONGEST_MARK = 8
"""Maximum characters between the start of a paragraph and its first sentence, for a list mark."""
# Short items of a list may be fragments.
_ITEMS = frozenset({"list_item", "fragment"})
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]\s")


@dataclass(frozen=True, slots=True)
class TextLine:
    """Sentences on a line: running text, a turn of speech, or an item of a list.

    Attributes:
        sentences: The sentences, in reading order.
        speaker: Who says them, if not the speaker of the previous line; else empty.
        item: Whether it is an item of a list.
        cut: Whether it is the last item shown of a longer list with a lead-in; readers must know
            that the list is incomplete.
    """

    sentences: tuple[SummarySentence, ...]
    speaker: str = ""
    item: bool = False
    cut: bool = False

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the sentences, without list marks other than the numbers of items."""
        first, *others = (sentence.text for sentence in self.sentences)
        if self.item:
            return (_without(_BULLET, first), *others)
        return tuple(_without(_LONE_MARK, text) for text in (first, *others))

    @property
    def mark(self) -> str:
        """The dash before an item without a number of its own; else empty."""
        return "- " if self.item and not _NUMBER.match(self.texts[0]) else ""

    @property
    def more(self) -> str:
        """The line that follows if the list has more items; else empty."""
        return "\n- …" if self.cut else ""

    @property
    def text(self) -> str:
        """The line as plain text, with its speaker and list marks."""
        named = f"{self.speaker}: " if self.speaker else ""
        return f"{self.mark}{named}{join_pieces(self.texts)}{self.more}"


def _without(mark: re.Pattern[str], text: str) -> str:
    """Return a text without its opening mark."""
    match = mark.match(text)
    return text[match.end() :] if match else text


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, with the list that it leads into.

    Attributes:
        lines: Its lines.
        section: Number of the section whose title is above it; None if there is none, or if the
            title of an earlier block covers it, too.
    """

    lines: tuple[TextLine, ...]
    section: int | None = None

    @property
    def sentences(self) -> tuple[SummarySentence, ...]:
        """Its sentences, in reading order."""
        return tuple(sentence for line in self.lines for sentence in line.sentences)


def lay_out(
    sentences: Sequence[SummarySentence], document: Document, *, titled: bool = False
) -> tuple[Block, ...]:
    """Arrange sentences in paragraphs, in the given order.

    Sentences of one section form a paragraph; neighbouring sections under the same parent share one
    if they have one sentence each. If the sentences are not in document order, as may be in free
    generation, all of them form a paragraph. A paragraph of more than `MOST_SENTENCES` or
    `MOST_WORDS` is divided where its sentences are furthest apart in the document. Items of a list
    are on lines of their own, directly below the sentence that leads into them, followed by a mark
    if the list has more items.

    Args:
        sentences: The sentences of a summary.
        document: The document.
        titled: Whether blocks have the section whose title is above them. Sections that share a
            paragraph are then under the title of their parent, and others under their own.
    """
    if not sentences:
        return ()
    return tuple(_Layout(sentences, document, titled).blocks())


def speaker_of(sentence: SummarySentence, document: Document) -> str:
    """Return the speaker of a copied sentence in the document; empty if it has none."""
    place = sentence.copied_from
    return "" if place is None else document.sentences[place].speaker


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Indices of sentences that stay together; see `TextLine`."""

    indexes: list[int]
    item: bool = False
    cut: bool = False


class _Layout:
    """Arranges the sentences of one summary, which are identified by their indices in it."""

    def __init__(
        self, sentences: Sequence[SummarySentence], document: Document, titled: bool
    ) -> None:
        self._sentences, self._document, self._titled = sentences, document, titled
        self._sections = document.walk()
        self._places = [sentence.copied_from for sentence in sentences]
        self._homes = list(_filled_forward(_home(sentence) for sentence in sentences))
        self._anchors = list(
            _filled_forward(
                sentence.sources[0].sentence if sentence.sources else None for sentence in sentences
            )
        )
        self._parents = {
            child.number: section.number for section in self._sections for child in section.children
        }

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks."""
        title: int | None = None
        speaker = ""
        for section, members in self._groups():
            for paragraph in self._paragraphs(members):
                lines, speaker = self._lines(paragraph, speaker)
                yield Block(lines, None if section == title else section)
                title = section

    def _groups(self) -> Iterator[tuple[int | None, list[int]]]:
        """Yield the sentences under each title, with the section of that title."""
        if self._homes != sorted(self._homes):
            yield None, list(range(len(self._sentences)))
            return
        groups = [
            (home, list(members))
            for home, members in groupby(
                range(len(self._sentences)), key=lambda index: self._homes[index]
            )
        ]
        for (alone, parent), run in groupby(groups, key=self._shares):
            sharing = list(run)
            if alone and len(sharing) > 1:
                yield self._title(parent), [index for _, members in sharing for index in members]
            else:
                yield from ((self._title(home), members) for home, members in sharing)

    def _shares(self, group: tuple[int, list[int]]) -> tuple[bool, int]:
        """Return whether a section may share a paragraph, and the section to share it under."""
        home, members = group
        parent = self._parents.get(home, -1)
        above = parent >= 0 and bool(self._sections[parent].title)
        alone = len(members) == 1 and (above or not self._titled)
        return alone, parent if alone else home

    def _title(self, section: int) -> int | None:
        shown = self._titled and section >= 0 and bool(self._sections[section].title)
        return section if shown else None

    def _paragraphs(self, members: Sequence[int]) -> Iterator[list[_Stretch]]:
        """Yield the stretches of each paragraph: running text, and the items it leads into."""
        waiting: list[_Stretch] = []
        for listed, run in self._stretches(members):
            if listed:
                lead = waiting[-1].indexes[-1] if waiting else None
                if lead is not None and not self._leads_into(lead, run[0]):
                    yield waiting
                    waiting, lead = [], None
                *items, last = self._items(run)
                cut = lead is not None and self._has_more(lead, run)
                waiting = [*waiting, *(_Stretch(item, True) for item in items)]
                waiting.append(_Stretch(last, True, cut))
                continue
            if waiting:
                yield waiting
            *others, last = self._divided(run)
            yield from ([_Stretch(part)] for part in others)
            waiting = [_Stretch(last)]
        if waiting:
            yield waiting

    def _stretches(self, members: Sequence[int]) -> list[tuple[bool, list[int]]]:
        """Return the lists and the running text between them, each with whether it is a list."""
        lists = {items[0]: items for items in self._lists(members)}
        listed = {index for items in lists.values() for index in items}
        stretches: list[tuple[bool, list[int]]] = []
        for index in members:
            if index in lists:
                stretches.append((True, lists[index]))
            elif index not in listed:
                if not stretches or stretches[-1][0]:
                    stretches.append((False, []))
                stretches[-1][1].append(index)
        return stretches

    def _lists(self, members: Sequence[int]) -> list[list[int]]:
        """Return runs of items of the same list, without single items that nothing leads into."""
        runs: list[list[int]] = []
        for index in members:
            if not self._is_item(index):
                continue
            if runs and runs[-1][-1] == index - 1 and self._only_items_between(index - 1, index):
                runs[-1].append(index)
            else:
                runs.append([index])
        return [
            items
            for items in runs
            if len(items) > 1
            or (items[0] - 1 in members and self._leads_into(items[0] - 1, items[0]))
        ]

    def _is_item(self, index: int) -> bool:
        place = self._places[index]
        unit = None if place is None else self._document.sentences[place]
        # A turn of speech is no item, even if turns are set as a list.
        return unit is not None and unit.kind == "list_item" and not unit.speaker

    def _only_items_between(self, first: int, second: int) -> bool:
        """Return whether two sentences are of one section, with only items between them."""
        start, end = self._anchors[first], self._anchors[second]
        between = self._document.sentences[start + 1 : end]
        one_section = self._homes[first] == self._homes[second]
        return one_section and start < end and all(unit.kind in _ITEMS for unit in between)

    def _leads_into(self, index: int, item: int) -> bool:
        """Return whether a sentence is the last one before the list that an item belongs to."""
        return not self._is_item(index) and self._only_items_between(index, item)

    def _has_more(self, lead: int, items: Sequence[int]) -> bool:
        """Return whether the list that a sentence leads into has items that are not shown."""
        shown = {self._anchors[index] for index in items}
        first, end = self._anchors[lead] + 1, self._sections[self._homes[lead]].end
        following = takewhile(
            lambda unit: unit.kind in _ITEMS and unit.start < end,
            self._document.sentences[first:],
        )
        return any(
            place not in shown and unit.kind == "list_item" and self._opens(unit)
            for place, unit in enumerate(following, start=first)
        )

    def _items(self, items: Sequence[int]) -> Iterator[list[int]]:
        """Yield the sentences of each item: from a bullet or number to the last adjacent sentence.

        Without marks, each sentence is an item.
        """
        item: list[int] = []
        for index in items:
            follows = bool(item) and self._anchors[index] == self._anchors[item[-1]] + 1
            if item and not (follows and self._marked(item[0]) and not self._marked(index)):
                yield item
                item = []
            item.append(index)
        yield item

    def _marked(self, index: int) -> bool:
        """Return whether a sentence opens a paragraph or has a list mark."""
        text, place = self._sentences[index].text, self._places[index]
        if place is not None and self._opens(self._document.sentences[place]):
            return True
        return bool(_BULLET.match(text) or _NUMBER.match(text))

    def _opens(self, unit: Sentence) -> bool:
        """Return whether a sentence of the document opens a paragraph."""
        before = self._document.text[max(unit.start - _LONGEST_MARK, 0) : unit.start]
        return "\n" in before or not unit.start

    def _divided(self, run: Sequence[int]) -> list[list[int]]:
        """Divide running text where its sentences are furthest apart; ties go to the middle."""
        divided: list[list[int]] = []
        pending = [list(run)]
        while pending:
            part = pending.pop()
            words = sum(count_words(self._sentences[index].text) for index in part)
            gaps = [abs(self._anchors[b] - self._anchors[a]) for a, b in pairwise(part)]
            small = len(part) <= MOST_SENTENCES and words <= MOST_WORDS
            if small or not any(gaps):
                divided.append(part)
                continue
            # Avoid leaving a sentence alone.
            edge = 1 if len(part) > 3 else 0
            inner = range(edge, len(gaps) - edge)
            cut = max(inner, key=lambda at: (gaps[at], -abs(2 * at + 2 - len(part))))
            pending += [part[cut + 1 :], part[: cut + 1]]
        return divided

    def _lines(
        self, paragraph: Sequence[_Stretch], speaker: str
    ) -> tuple[tuple[TextLine, ...], str]:
        """Return lines, broken where the speaker changes or breaks off, and the last speaker.

        `speaker` is that of the line before.
        """
        lines: list[TextLine] = []
        for stretch in paragraph:
            for name, run in groupby(
                stretch.indexes,
                key=lambda index: speaker_of(self._sentences[index], self._document),
            ):
                turn = [self._sentences[index] for index in run]
                for part in _until_breaks(turn) if name else [tuple(turn)]:
                    shown = name if name != speaker else ""
                    lines.append(TextLine(part, shown, stretch.item, stretch.cut))
                    speaker = name
        return tuple(lines), speaker


def _until_breaks(sentences: Iterable[SummarySentence]) -> Iterator[tuple[SummarySentence, ...]]:
    """Yield runs of sentences, each up to one that breaks off."""
    part: list[SummarySentence] = []
    for sentence in sentences:
        part.append(sentence)
        if not ends_as_sentence(sentence.text):
            yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def _home(sentence: SummarySentence) -> int | None:
    return sentence.sources[0].section if sentence.sources else None


def _filled_forward(values: Iterable[int | None]) -> Iterator[int]:
    """Yield each value, or the last one before it if it is None; 0 at the start."""
    last = 0
    for value in values:
        last = last if value is None else value
        yield last
