"""Trees of questions and summaries built from a document's sections (HIBRIDS, §4).

The paper trains a model that generates both. No such model is needed here: the tree is that of the
document's sections, and an extractor selects each node's summary from its section including
subsections. A node does not repeat the nodes above it, as long as its section has other sentences:
it "inquires about the content of its parent" (§1).
"""

from collections.abc import Sequence
from copy import deepcopy
from itertools import accumulate
from time import perf_counter
from typing import Any

import numpy as np

from longsum.common.arrays import Array
from longsum.core.extractive.copies import Aids
from longsum.core.extractive.extractor_options import ExtractorConfig
from longsum.core.extractive.focus import FOCUS
from longsum.core.extractive.part_extractor import PartExtractor
from longsum.core.extractive.selection import Choice, Selection
from longsum.core.extractive.summarizer import (
    ExtractiveSummarizer,
    PartRequest,
    Ranked,
    chosen_sentences,
)
from longsum.core.model_files.folders import ModelFolder
from longsum.core.recipes import DEFAULT, load_recipe
from longsum.core.recipes.recipe import check
from longsum.core.section_trees.heading_kinds import HeadingKind, heading_kind
from longsum.core.section_trees.segmentation import key_terms, topic_segments
from longsum.core.summaries import Coverage, Notice
from longsum.core.summaries.formats import section_heading
from longsum.core.summaries.notices import notices_of
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary, kind_of
from longsum.core.systems.system import SHORTEN, TreeOptions
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.model import Document, Section
from longsum.documents.subset import subset
from longsum.documents.tree import DocumentTree
from longsum.language.repeats import first_alike

MAX_SECTIONS = 5
"""Maximum number of sections shown below a question."""
MIN_SHARE = 0.05
"""Minimum share of the similarity to a question for a section to be shown below it."""

MIN_DIVIDED = 30
"""Minimum sentences of a text without headings for dividing it into topics."""
MAX_TOPICS = 8
"""Maximum number of topics."""
TITLE_TERMS = 3
"""Number of key terms that serve as the heading of a topic."""


class SectionTreeMaker:
    """Builds the tree of the document's sections.

    A section without sentences of its own is summarized by those of its subsections; if it has a
    single subsection, that one replaces it, since both summaries would be equal. The same holds for
    the root, which represents the whole document. An empty section has no node.

    A longer text without sections is divided by its vocabulary into topics, which are named by
    their key terms (`longsum.core.section_trees.segmentation`).

    Given a question, the root is the question with the extractor's answer, and its children are the
    sections whose own sentences are most similar to it, in decreasing order.

    Args:
        extractor: Ranks the sentences of parts of a document; it must support `PartRequest`.
    """

    needs_question = False

    def __init__(self, extractor: ExtractiveSummarizer[Any]) -> None:
        self._extractor = extractor

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree; the document is encoded once.

        Raises:
            LongsumError: The document has no sentence, or there is a question and the extractor
                takes no focus.
        """
        self._extractor.check(document, options.question)
        began = perf_counter()
        builder = _TreeBuilder(self._extractor, document, options)
        ranked_at = perf_counter()
        root = builder.whole() if builder.similarity is None else builder.answered()
        return QuestionSummary(
            document=document,
            root=root,
            budget=options.budget,
            maker="sections",
            coverage=builder.coverage,
            system=self._extractor.name,
            settings=self._extractor.settings,
            question=options.question,
            depth=options.depth,
            notices=builder.notices,
            timings={"rank": ranked_at - began, "select": perf_counter() - ranked_at},
        )


class _TreeBuilder:
    """Builds one tree."""

    def __init__(
        self, extractor: ExtractiveSummarizer[Any], document: Document, options: TreeOptions
    ) -> None:
        self._extractor, self._document, self._options = extractor, document, options
        self._places = DocumentTree(document)
        self._costs = options.budget.costs(document.sentences)
        self._texts = [sentence.text for sentence in document.sentences]
        self._alike = first_alike(self._texts)
        fitness = fitness_of(document)
        self._material = fitness.material
        self._parts = _parts(document)
        self._everything = range(len(document.sentences))
        self._topics = topics_of(document) if len(self._places.sections) == 1 else []
        self._unfilled = 0
        self._nodes = 0
        self._ranked = self._rank(self._everything)
        focus = self._ranked.ranking.scores()[1].get(FOCUS)
        self.similarity: Array | None = None
        if focus is not None:
            # Squared, so that a few answering sentences outweigh many somewhat similar ones.
            self.similarity = np.array([focus[sentence] for sentence in self._everything]) ** 2
        assert self._ranked.preferred is not None
        levels = self._ranked.preferred.astype(np.int64)
        self._context = fitness.context(levels)
        self.coverage = self._ranked.coverage or Coverage.whole(document)

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The notices about the finished tree."""
        notices = [*notices_of(self._document), *self._ranked.notices]
        if len(self._places.sections) == 1 and not self._topics:
            text = "The document has no sections, so there is one summary, of the whole."
            notices.append(Notice("document", text))
        if self._unfilled:
            text = (
                f"In {self._unfilled} of {self._nodes} nodes no sentence fits in "
                f"{self._options.budget}; they have no summary."
            )
            notices.append(Notice("length", text))
        return tuple(notices)

    def whole(self) -> QuestionNode:
        """Return the tree of all sections."""
        if self._topics:
            return self._by_topics()
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
        )

    def _by_topics(self) -> QuestionNode:
        """Return the tree of a document without sections: the whole, then its topics."""
        choices = self._choose(self._ranked, self._everything, ())
        shown = [] if self._options.depth == 1 else self._topics
        return QuestionNode(
            self._document.title or self._document.source.name or "Untitled document",
            "heading",
            None,
            chosen_sentences(self._document, choices),
            tuple(self._topic(title, part, _chosen(choices)) for title, part in shown),
            len(self._topics) - len(shown),
        )

    def _topic(self, title: str, part: range, given: tuple[int, ...]) -> QuestionNode:
        choices = self._choose(self._rank(part), part, given)
        return QuestionNode(title, "topic", None, chosen_sentences(self._document, choices))

    def answered(self) -> QuestionNode:
        """Return the question with its answer and the sections most similar to it."""
        question = self._options.question
        assert question is not None
        answer = self._choose(self._ranked, self._everything, ())
        given = _chosen(answer)
        nearest = self._nearest()
        shown = [] if self._options.depth == 1 else nearest
        return QuestionNode(
            question,
            "question",
            None,
            chosen_sentences(self._document, answer),
            tuple(self._node(section, self._own(section), (), given) for section in shown),
            len(nearest) - len(shown),
        )

    def _nearest(self) -> list[Section]:
        """Return the sections whose own sentences have the most similarity to the question."""
        assert self.similarity is not None
        total = float(self.similarity.sum())
        shares = {
            section.number: float(self.similarity[slice(own.start, own.stop)].sum()) / total
            for section in self._places.sections
            if (own := self._own(section))
        }
        ranked = sorted(shares, key=lambda number: (-shares[number], number))
        nearest = [number for number in ranked if shares[number] >= MIN_SHARE]
        return [self._places.sections[number] for number in nearest[:MAX_SECTIONS]]

    def _node(
        self,
        section: Section,
        part: range,
        below: Sequence[Section],
        given: tuple[int, ...],
        level: int = 1,
    ) -> QuestionNode:
        title = section_heading(self._places, section.number)
        choices = self._choose(self._rank(part), part, given, heading_kind(section.title))
        return self._grow(title, section.number, choices, below, given, level)

    def _grow(
        self,
        title: str,
        section: int | None,
        choices: Sequence[Choice],
        below: Sequence[Section],
        given: tuple[int, ...] = (),
        level: int = 1,
    ) -> QuestionNode:
        """Return a node with its descendants down to the maximum depth."""
        depth = self._options.depth
        ends = depth is not None and level >= depth
        known = given + _chosen(choices)
        kind = None if section is None or level == 1 else heading_kind(title)
        children = (
            self._node(
                child, self._parts[child.number], self._below(child.children), known, level + 1
            )
            for child in below
        )
        return QuestionNode(
            title,
            kind_of(title),
            section,
            chosen_sentences(self._document, choices),
            () if ends else tuple(children),
            self._count(below) if ends else 0,
            kind.question if kind and kind_of(title) == "heading" else "",
        )

    def _below(self, sections: Sequence[Section]) -> list[Section]:
        """Return the sections that represent the given ones in the tree, without empty ones.

        A section that has only references or notices counts as empty.
        """
        represented = []
        for section in sections:
            if not self._has_material(section):
                continue
            while not section.sentences:
                filled = [child for child in section.children if self._has_material(child)]
                if len(filled) > 1:
                    break
                section = filled[0]
            represented.append(section)
        return represented

    def _has_material(self, section: Section) -> bool:
        """Return whether a section has material, or any sentence if the document has none."""
        part = self._parts[section.number]
        return bool(self._material[part].any() if self._material.any() else part)

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

    def _choose(
        self,
        ranked: Ranked,
        part: range,
        given: tuple[int, ...],
        kind: HeadingKind | None = None,
    ) -> list[Choice]:
        """Choose sentences of a part, those of nodes above (`given`) only if there are no others.

        Only material sentences are chosen if the part has any; captions, table rows and other
        fragments do not count as others. Sentences that answer the part's kind of heading come
        first. A sentence that needs the one before it is used only together with it.
        """
        for sentence in given:
            ranked.ranking.choose(sentence)
        assert ranked.candidates is not None
        assert ranked.preferred is not None
        preferred = ranked.preferred.astype(np.int64)
        if kind is not None:
            preferred = 2 * preferred + kind.answers(self._texts)
        material = ranked.candidates & self._material
        candidates = material if material.any() else ranked.candidates
        fresh = candidates & ~np.isin(self._alike, self._alike[list(given)])
        pools = [fresh] if ranked.preferred[fresh].any() else []
        choices: list[Choice] = []
        for allowed in [*pools, candidates]:
            aids = Aids(deepcopy(self._context))
            selection = Selection(
                ranked.ranking, self._costs, allowed, preferred, self._alike, aids
            )
            selection.extend(self._capacity(part))
            if choices := self._with_antecedents(selection.choices):
                break
        self._nodes += 1
        self._unfilled += not choices and bool(ranked.candidates.any())
        return choices

    def _with_antecedents(self, choices: Sequence[Choice]) -> list[Choice]:
        """Return the choices without those that need a sentence which was not chosen.

        The lead-in of a list needs an item.
        """
        chosen = set(_chosen(choices))
        for sentence in sorted(chosen):
            if self._context.needed(sentence) not in {None, *chosen}:
                chosen.remove(sentence)
        needed = set(map(self._context.needed, chosen))
        chosen -= {sentence for sentence in chosen - needed if self._context.leading[sentence]}
        return [choice for choice in choices if choice.sentence in chosen]

    def _capacity(self, part: range) -> int:
        """Return the capacity of a node's budget; a share refers to its own part."""
        budget, document = self._options.budget, self._document
        if budget.unit != "percent" or part == self._everything:
            return budget.capacity(document)
        return budget.capacity(subset(document, part))


def topics_of(document: Document) -> list[tuple[str, range]]:
    """Return the topics of a text without headings, named by key terms; none if it is short."""
    texts = [sentence.text for sentence in document.sentences]
    if len(texts) < MIN_DIVIDED:
        return []
    parts = topic_segments(texts, MAX_TOPICS)
    if len(parts) < 2:
        return []
    named = key_terms([texts[part.start : part.stop] for part in parts], TITLE_TERMS)
    return [
        (", ".join(terms).capitalize() or f"Part {number}", part)
        for number, (terms, part) in enumerate(zip(named, parts, strict=True), start=1)
    ]


def _chosen(choices: Sequence[Choice]) -> tuple[int, ...]:
    return tuple(choice.sentence for choice in choices)


def _parts(document: Document) -> list[range]:
    """Return the positions of all sentences of each section, including its subsections."""
    sections = document.walk()
    starts = [0, *accumulate(len(section.sentences) for section in sections)]
    parts = []
    for section in sections:
        last = max(below.number for below in section.walk())
        parts.append(range(starts[section.number], starts[last + 1]))
    return parts


def load_section_trees(folder: ModelFolder | None) -> SectionTreeMaker:
    """Load a maker of trees along the sections.

    Args:
        folder: Folder of the extractor that chooses the sentences; None for the bundled one.

    Raises:
        LongsumError: It cannot be read.
    """
    if folder is not None:
        return SectionTreeMaker(PartExtractor(folder.name, ExtractorConfig(model=str(folder.path))))
    recipe = load_recipe(DEFAULT)
    settings = {key: value for key, value in recipe.settings.items() if key != SHORTEN}
    config = check(ExtractorConfig, settings, f"The system '{recipe.name}'")
    return SectionTreeMaker(PartExtractor(recipe.name, config))
