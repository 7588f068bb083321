"""Divide and conquer: sections are summarised one by one (DANCER, Gidiotis and Tsoumakas 2020).

A summary is divided among the sections of its document, so that each section with a part of it is a
training example; at test time each section is summarised, and the results are joined.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from longsum.core.grounding.rouge_tokens import rouge_tokens
from longsum.documents.builder import DocumentBuilder
from longsum.documents.model import Document, Section
from longsum.documents.subset import subset, top_sections
from longsum.evaluation.datasets.info import Example
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words
from longsum.models.tasks.task import Pair, words_in

Sections = Literal["typed", "all"]

_WORD = re.compile(r"[a-z]+")
_KEYWORDS = {
    "introduction": "introduction introductory case purpose objective aim background summary",
    "literature": "literature related studies findings",
    "methods": "method material technique methodology design",
    "results": "result experiment experimental observation",
    "conclusion": "conclusion concluding conclude discussion",
}
_TYPE_OF = {word: name for name, words in _KEYWORDS.items() for word in words.split()}


def section_type(title: str) -> str | None:
    """Return the type of a section of an article, by the first keyword in its heading.

    The types are those of DANCER, the keywords those of its released code and of HEPOS, Table 11.
    "Limitations" have none: that code gives them their own type, which it then drops.

    Returns:
        `introduction`, `literature`, `methods`, `results`, `conclusion`, or None.
    """
    for word in _WORD.findall(title.lower()):
        if kind := _TYPE_OF.get(word) or _TYPE_OF.get(word.removesuffix("s")):
            return kind
    return None


@dataclass(frozen=True, slots=True)
class DivideAndConquer:
    """Pairs each section of a document with the closest sentences of the summary.

    Sections are those of the first level, with everything below them.

    Attributes:
        sections: `typed`, only sections whose heading has a type; `all`, for documents that are not
            articles.
        least_words: Sections with fewer words are left out, and training targets too (50 in the
            released code).
    """

    sections: Sections = "typed"
    least_words: int = 50

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield a training example for each section with at least one sentence of the summary."""
        document = example.document
        targets = divided(document, _sentences(example.references[0]))
        for section, places in self._readable(document):
            target = " ".join(targets[section.number])
            enough = example.split != "train" or count_words(target) >= self.least_words
            if target and enough:
                yield Pair(subset(document, places), target)

    def parts(self, document: Document) -> list[range]:
        """Return the parts to summarise at test time: the positions of each section's sentences.

        If no section qualifies, the document is read as a whole.
        """
        parts = [places for _, places in self._readable(document)]
        return parts or [range(len(document.sentences))]

    def _readable(self, document: Document) -> Iterator[tuple[Section, range]]:
        for section, places in top_sections(document):
            known = self.sections == "all" or section_type(section.title) is not None
            if known and words_in(document, places) >= max(1, self.least_words):
                yield section, places


def divided(document: Document, summary: Sequence[str]) -> dict[int, list[str]]:
    """Divide the sentences of a summary among the sections of the first level.

    Each is assigned to the section with the sentence of highest ROUGE-L recall, the first on ties,
    as in the released code. A sentence that shares no word with the document is dropped (there:
    assigned to any section).

    Returns:
        The sentences of the summary, in order, by the number of their first-level section.
    """
    tokens = [rouge_tokens(sentence.text) for sentence in document.sentences]
    targets: dict[int, list[str]] = {section.number: [] for section in document.sections}
    tops = list(top_sections(document))
    for sentence in summary:
        match = _Subsequence(rouge_tokens(sentence))
        shared = [match.length(other) for other in tokens]
        if best := max(shared, default=0):
            nearest = shared.index(best)
            section = next(section for section, places in tops if nearest in places)
            targets[section.number].append(sentence)
    return targets


class _Subsequence:
    """Lengths of longest common subsequences with a text, with one addition per token of the other.

    Hyyrö 2004, "Bit-parallel LCS-length computation revisited": the state has a bit for each token
    of the text, which is unset where the subsequence grows.
    """

    def __init__(self, text: Sequence[str]) -> None:
        self._all = (1 << len(text)) - 1
        self._places: dict[str, int] = {}
        for place, token in enumerate(text):
            self._places[token] = self._places.get(token, 0) | 1 << place

    def length(self, other: Sequence[str]) -> int:
        state = self._all
        for token in other:
            if places := self._places.get(token):
                matched = state & places
                state = ((state + matched) | (state - matched)) & self._all
        return (state ^ self._all).bit_count()


def _sentences(summary: str) -> list[str]:
    """Return a summary's sentences; the end of a line always ends one."""
    return [
        line[start:end] for line in summary.splitlines() for start, end in split_sentences(line)
    ]


@dataclass(frozen=True, slots=True)
class PartSummaries:
    """Pairs the summary of a document with the joined reference summaries of its parts.

    These are in `Example.extra["section_summaries"]`, objects with `section`, a title, and `text`.
    Each part is a section of the first level, as in a level of a recursive summary. This is how a
    model trained on chapters learns from books (top-down, Pang et al. 2022, §3.4.2); at test time
    it reads generated summaries, from the system `recursive`.
    """

    def pairs(self, example: Example) -> Iterator[Pair]:
        """Yield one training example, or none if the parts have no summaries."""
        builder = DocumentBuilder()
        for part in example.extra.get("section_summaries", ()):
            builder.heading(1, part["section"])
            for line in part["text"].splitlines():
                builder.paragraph(line)
        joined = builder.build(example.document.title, example.document.source)
        if joined.sentences:
            yield Pair(joined, example.references[0])
