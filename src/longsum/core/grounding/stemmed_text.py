"""A text as stems with offsets, and the contexts of its words and names."""

from bisect import bisect_left
from dataclasses import dataclass

from longsum.core.grounding.rouge_tokens import stem
from longsum.language.words import placed_terms, stop_words

Span = tuple[int, int]

WINDOW = 6
"""Content words on either side of a word, name or figure that form its context."""


@dataclass(frozen=True, slots=True)
class StemmedText:
    """A text as stems with offsets; function words and single letters are not content.

    Attributes:
        text: The text.
        starts: Offset of each word.
        ends: Offset after each word.
        terms: The words in lower case.
        stems: Their stems.
        content: Whether each is a content word.
    """

    text: str
    starts: list[int]
    ends: list[int]
    terms: list[str]
    stems: list[str]
    content: list[bool]

    @classmethod
    def of(cls, text: str) -> "StemmedText":
        """Return a text with its stems."""
        placed = list(placed_terms(text))
        stop = stop_words()
        return cls(
            text,
            [start for start, _, _ in placed],
            [end for _, end, _ in placed],
            [term for _, _, term in placed],
            [stem(term) for _, _, term in placed],
            [term not in stop and not (len(term) == 1 and term.isalpha()) for _, _, term in placed],
        )

    def words(self, skip: range = range(0)) -> set[str]:
        """Return the content stems, without those at some positions."""
        return {
            stem
            for place, (stem, is_content) in enumerate(zip(self.stems, self.content, strict=True))
            if is_content and place not in skip
        }

    def likeness(self, other: "StemmedText") -> float:
        """Return Dice's coefficient of the content stems of two texts, in [0, 1]."""
        ours, theirs = self.words(), other.words()
        return 2 * len(ours & theirs) / (len(ours) + len(theirs) or 1)

    def span(self, first: int, last: int | None = None) -> Span:
        """Return the offsets of a range of words, or of a single word."""
        return self.starts[first], self.ends[first if last is None else last]

    def sides(self, place: int) -> tuple[set[str], set[str]]:
        """Return the content stems shortly before and after a word."""
        return self._near(place, place + 1)

    def _near(self, first: int, last: int) -> tuple[set[str], set[str]]:
        """Return the content stems near a range: before its first word, and after its last."""
        before = [self.stems[at] for at in range(first) if self.content[at]]
        after = [self.stems[at] for at in range(last, len(self.stems)) if self.content[at]]
        return set(before[-WINDOW:]), set(after[:WINDOW])

    def shared_around(self, place: int, other: "StemmedText", at: int) -> int:
        """Return how many content words surround both a word here and one in another text."""
        here = self.company(*self.span(place)).around
        return len(here & other.company(*other.span(at)).around)

    def company(self, start: int, end: int) -> "Company":
        """Return the context of a span."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return Company(
            frozenset().union(*self._near(first, last)),
            (
                self.stems[first - 1] if first else "",
                self.stems[last] if last < len(self.stems) else "",
                self.text[:start].rstrip()[-1:],
                self.text[end:].lstrip()[:1],
            ),
        )


@dataclass(frozen=True, slots=True)
class Company:
    """The context of a mention: content stems, and the adjacent words and characters."""

    around: frozenset[str]
    adjacent: tuple[str, str, str, str]


ADJOINING = (1.0, 1.0, 0.5, 0.5)
"""Weight of each of `Company.adjacent` that two mentions have in common."""
