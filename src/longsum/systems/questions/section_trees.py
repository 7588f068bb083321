"""Trees of questions and summaries, made of a document (HIBRIDS, §4).

The paper trains a model that writes both. What stands here needs none: the tree is that of the
document's sections, and an extractor chooses each node's summary from its section with all below
it. A node says nothing again that the nodes above it say, as long as its section has other
sentences: it "inquires about the content of its parent" (§1).
"""

from collections.abc import Sequence
from itertools import accumulate
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from longsum.arrays import Array
from longsum.documents.citation import section_heading
from longsum.documents.model import Document, Section
from longsum.documents.subset import subset
from longsum.documents.tree import DocumentTree
from longsum.language.repeats import first_alike
from longsum.summaries import Coverage, Notice, SourceSpan, SummarySentence
from longsum.summaries.notices import notices_of
from longsum.summaries.question_summary import QuestionNode, QuestionSummary, kind_of
from longsum.systems.extractive.salience import FOCUS
from longsum.systems.extractive.selection import Choice, Selection
from longsum.systems.extractive.summarizer import PartRequest, Ranked
from longsum.systems.questions.tree_maker import TreeOptions

MOST_SECTIONS = 5
"""Sections that are shown below a question that was asked."""
LEAST_SHARE = 0.05
"""Share of the likeness to a question that a section must hold to be shown below it."""


class PartRanker(Protocol):
    """An extractor that ranks the sentences of parts of a document, which it reads once."""

    name: str

    @property
    def settings(self) -> dict[str, Any]:
        """All that its choices depend on."""
        ...

    def check(self, document: Document, focus: str | None) -> None:
        """Check that there is something to choose from, and that a focus is taken if given."""
        ...

    def rank(self, request: PartRequest) -> Ranked:
        """Rank the sentences of a part."""
        ...


class SectionTreeMaker:
    """Makes the tree of the document's sections.

    A section without sentences of its own is summarized by those below it, and where it has a
    single section below, that one takes its place: both would say the same. The same holds of the
    root, which stands for the whole document. A section without any sentence has no node.

    Asked a question, the root is the question with what the extractor finds for it, and below it
    stand the sections whose own sentences are most like it, the likest first.
    """

    def __init__(self, extractor: PartRanker) -> None:
        self._extractor = extractor

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree; the document is encoded once.

        Raises:
            LongsumError: The document has no sentence, or a question is asked and the extractor
                takes no focus.
        """
        self._extractor.check(document, options.question)
        began = perf_counter()
        growth = _Growth(self._extractor, document, options)
        ranked_at = perf_counter()
        root = growth.asked() if growth.likeness is not None else growth.whole()
        return QuestionSummary(
            document=document,
            root=root,
            budget=options.budget,
            maker="sections",
            coverage=growth.coverage,
            system=self._extractor.name,
            settings=self._extractor.settings,
            question=options.question,
            depth=options.depth,
            notices=growth.notices,
            timings={"rank": ranked_at - began, "select": perf_counter() - ranked_at},
        )


class _Growth:
    """One tree while it is made: what is known of its document, and its nodes."""

    def __init__(self, extractor: PartRanker, document: Document, options: TreeOptions) -> None:
        self._extractor, self._document, self._options = extractor, document, options
        self._places = DocumentTree(document)
        self._costs = options.budget.costs(document.sentences)
        self._alike = first_alike([sentence.text for sentence in document.sentences])
        self._parts = _parts(document)
        self._everything = range(len(document.sentences))
        self._unfilled = 0
        self._nodes = 0
        self._ranked = self._rank(self._everything)
        focus = self._ranked.ranking.scores()[1].get(FOCUS)
        self.likeness: Array | None = None
        if focus is not None:
            self.likeness = np.array([focus[sentence] for sentence in self._everything])
        self.coverage = self._ranked.coverage or Coverage.whole(document)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What the reader should know of the finished tree."""
        found = [*notices_of(self._document), *self._ranked.notices]
        if len(self._places.sections) == 1:
            text = "The document has no sections, so there is one summary, of the whole."
            found.append(Notice("document", text))
        if self._unfilled:
            some = f"In {self._unfilled} of {self._nodes} nodes no sentence fits in"
            text = f"{some} {self._options.budget}; they have no summary."
            found.append(Notice("length", text))
        return tuple(found)

    def whole(self) -> QuestionNode:
        """Return the tree of all sections."""
        tops = self._below(self._document.sections)
        root = tops[0] if len(tops) == 1 else None
        title = self._document.title or (root.title if root else "")
        children = tops if root is None else self._below(root.children)
        section = None if root is None else root.number
        return self._grow(
            title or self._document.source.name or "Untitled document",
            section,
            self._choose(self._ranked, self._everything, ()),
            children,
            (),
            1,
        )

    def asked(self) -> QuestionNode:
        """Return the question with its answer and the sections that are most like it."""
        question = self._options.question
        assert question is not None
        answer = self._choose(self._ranked, self._everything, ())
        given = _chosen(answer)
        likest = self._likest()
        shown = [] if self._options.depth == 1 else likest
        return QuestionNode(
            question,
            "question",
            None,
            self._sentences(answer),
            tuple(self._leaf(section, given) for section in shown),
            len(likest) - len(shown),
        )

    def _likest(self) -> list[Section]:
        """Return the sections whose own sentences hold most of the likeness to the question."""
        assert self.likeness is not None
        total = float(self.likeness.sum())
        shares = {
            section.number: float(self.likeness[slice(own.start, own.stop)].sum()) / total
            for section in self._places.sections
            if (own := self._own(section))
        }
        ranked = sorted(shares, key=lambda number: (-shares[number], number))
        likest = [number for number in ranked if shares[number] >= LEAST_SHARE]
        return [self._places.sections[number] for number in likest[:MOST_SECTIONS]]

    def _leaf(self, section: Section, given: tuple[int, ...]) -> QuestionNode:
        part = self._own(section)
        title = section_heading(self._places, section.number)
        choices = self._choose(self._rank(part), part, given)
        return QuestionNode(title, kind_of(title), section.number, self._sentences(choices))

    def _node(self, section: Section, given: tuple[int, ...], level: int) -> QuestionNode:
        part = self._parts[section.number]
        return self._grow(
            section_heading(self._places, section.number),
            section.number,
            self._choose(self._rank(part), part, given),
            self._below(section.children),
            given,
            level,
        )

    def _grow(
        self,
        title: str,
        section: int | None,
        choices: Sequence[Choice],
        below: Sequence[Section],
        given: tuple[int, ...],
        level: int,
    ) -> QuestionNode:
        """Return a node with all below it, as far as the depth goes."""
        depth = self._options.depth
        ends = depth is not None and level >= depth
        known = given + _chosen(choices)
        return QuestionNode(
            title,
            kind_of(title),
            section,
            self._sentences(choices),
            () if ends else tuple(self._node(child, known, level + 1) for child in below),
            self._count(below) if ends else 0,
        )

    def _below(self, sections: Sequence[Section]) -> list[Section]:
        """Return what stands for sections in the tree: those that hold sentences."""
        found = []
        for section in sections:
            if not self._parts[section.number]:
                continue
            while not section.sentences:
                filled = [child for child in section.children if self._parts[child.number]]
                if len(filled) > 1:
                    break
                section = filled[0]
            found.append(section)
        return found

    def _count(self, sections: Sequence[Section]) -> int:
        """Count the nodes that sections and all below them would have."""
        pending, count = list(sections), 0
        while pending:
            count += 1
            pending.extend(self._below(pending.pop().children))
        return count

    def _own(self, section: Section) -> range:
        start = self._parts[section.number].start
        return range(start, start + len(section.sentences))

    def _rank(self, part: range) -> Ranked:
        options = self._options
        request = PartRequest(self._document, options.budget, options.question, part=part)
        return self._extractor.rank(request)

    def _choose(self, ranked: Ranked, part: range, given: tuple[int, ...]) -> list[Choice]:
        """Choose the sentences of a part; those given above it only where nothing else is there.

        Captions, table rows and the like do not count as something else.
        """
        for sentence in given:
            ranked.ranking.choose(sentence)
        assert ranked.candidates is not None
        assert ranked.preferred is not None
        fresh = ranked.candidates & ~np.isin(self._alike, self._alike[list(given)])
        pools = [fresh] if ranked.preferred[fresh].any() else []
        choices: list[Choice] = []
        for candidates in [*pools, ranked.candidates]:
            selection = Selection(
                ranked.ranking, self._costs, candidates, ranked.preferred, self._alike
            )
            selection.extend(self._capacity(part))
            if choices := selection.choices:
                break
        self._nodes += 1
        self._unfilled += not choices and bool(ranked.candidates.any())
        return choices

    def _capacity(self, part: range) -> int:
        """Return the length of a node; a share is one of its own part's words."""
        budget, document = self._options.budget, self._document
        if budget.unit != "percent" or part == self._everything:
            return budget.capacity(document)
        return budget.capacity(subset(document, part))

    def _sentences(self, choices: Sequence[Choice]) -> tuple[SummarySentence, ...]:
        return tuple(
            SummarySentence(
                text=self._document.sentences[choice.sentence].text,
                sources=(SourceSpan.of(self._document, choice.sentence),),
                score=choice.score,
                reasons=choice.reasons,
                step=step,
                runner_up=choice.runner_up,
            )
            for step, choice in sorted(enumerate(choices), key=lambda pair: pair[1].sentence)
        )


def _chosen(choices: Sequence[Choice]) -> tuple[int, ...]:
    return tuple(choice.sentence for choice in choices)


def _parts(document: Document) -> list[range]:
    """Return, of each section, the positions of all sentences in and below it."""
    sections = document.walk()
    starts = [0, *accumulate(len(section.sentences) for section in sections)]
    parts = []
    for section in sections:
        last = max(below.number for below in section.walk())
        parts.append(range(starts[section.number], starts[last + 1]))
    return parts
