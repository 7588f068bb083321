"""Trees of questions and answers written by a language model (the task of HIBRIDS, §5.1).

The sections form the tree. The deepest are read first; a section above reads its own sentences and
those cited by the answers below, so that its answer is based on the document, never on answers.
Then the model writes the question for each answer. If it writes no usable one, the heading is
kept, and if it writes no answer, extracted sentences take its place.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from longsum.common.wording import counted
from longsum.core.grounding.verification import Verifier
from longsum.core.section_trees.section_trees import topics_of
from longsum.core.summaries import Coverage, Notice, SummarySentence
from longsum.core.summaries.notices import notices_of, unverified
from longsum.core.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.core.systems.system import Progress, Request, TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.documents.fitness.fitness import fitness_of
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.writers.calls import Call, CallError
from longsum.writers.estimates import Estimate
from longsum.writers.reply import foreign_addresses, parse_question
from longsum.writers.store import ReplyStore
from longsum.writers.summarizer import WriterSummarizer
from longsum.writers.tokens import TokenCount

_QUESTION_TOKENS = 200
"""Maximum tokens of a question; a model may reason first."""
_EXPECTED = 15
"""Tokens of a question, for estimates."""
_NUMBER = re.compile(r"\d")
_CHECKED = ("name", "number", "quantity", "money", "date", "unit")
"""What a question may state only if its answer or heading does; the rest is what it asks for."""


@dataclass
class WrittenTreeMaker:
    """Has a language model answer and ask along the sections of a document.

    The writer writes the answers, and its model the questions, which are stored in the folder if
    there is one.
    """

    writer: WriterSummarizer
    folder: Path | None = None
    progress: Progress = field(default=lambda *_: None)
    needs_question: ClassVar[bool] = False

    def resuming_in(self, folder: Path | None, progress: Progress) -> "WrittenTreeMaker":
        """Return the maker with its replies stored in a folder, and finished nodes reported."""
        return WrittenTreeMaker(self.writer.resuming_in(folder, None), folder, progress)

    def estimate(self, document: Document, options: TreeOptions) -> Estimate:
        """Estimate the cost of a tree, without a call for an answer.

        What sections read besides their own sentences depends on the citations of the answers
        below; here the sentences extracted for those are counted instead.
        """
        tree = _TreeEstimate(self.writer, document, options)
        tree.written(load_tree_maker().make(document, options).root, whole=True)
        return self.writer.estimated(tree.costs, tree.measured)

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree.

        Raises:
            LongsumError: The document has no sentence, or the model is no longer available.
        """
        began = perf_counter()
        extracted = load_tree_maker().make(document, options)
        extracted_at = perf_counter()
        store = ReplyStore.open(self.folder, self.writer.key)
        tree = _TreeWriter(self.writer, document, options, store)
        nodes = len([*extracted.root.walk()])
        tree.done = lambda done: self.progress(1, done, nodes)
        root = tree.written(extracted.root, whole=True)
        return replace(
            extracted,
            root=root,
            maker="model",
            coverage=Coverage.of(document, sorted(tree.read)),
            system=self.writer.name,
            settings=self.writer.settings,
            notices=(
                *notices_of(document),
                *tree.notices(),
                *unverified([sentence for _, node in root.walk() for sentence in node.sentences]),
            ),
            timings={"extract": extracted_at - began, "write": perf_counter() - extracted_at},
        )


class _TreeWriter:
    """Writes the nodes of one tree."""

    def __init__(
        self,
        writer: WriterSummarizer,
        document: Document,
        options: TreeOptions,
        store: ReplyStore,
        *,
        calls: bool = True,
    ) -> None:
        self._writer, self._document, self._options = writer, document, options
        self._store, self._prompter = store, writer.prompter(store.secret, calls=calls)
        self._record = writer.record()
        self.done: Callable[[int], None] = lambda _: None
        self._verifier = Verifier([sentence.text for sentence in document.sentences])
        self._sections = document.walk()
        sizes = [len(section.sentences) for section in self._sections]
        self._starts = [0, *accumulate(sizes)]
        # In the order of the nodes that represent them.
        self._topics = (part for _, part in topics_of(document))
        self.read: set[int] = set()
        """Positions of the sentences that the model was shown."""
        self._told: dict[str, list[Notice]] = {}
        self._unasked = self._nodes = 0

    def written(self, node: QuestionNode, *, whole: bool = False) -> QuestionNode:
        """Return a node with the texts written for it and those below."""
        below = tuple(map(self.written, node.children))
        places = self._places(node, below, whole=whole)
        sentences = (self._answer(places) if places else ()) or node.sentences
        self._nodes += 1
        kind, title = node.kind, node.title
        if kind != "question":
            if sentences and (question := self._question(node, sentences)):
                kind, title = "question", question
            else:
                self._unasked += 1
        asks = "" if kind == "question" else node.asks
        self.done(self._nodes)
        return replace(node, title=title, kind=kind, sentences=sentences, children=below, asks=asks)

    def _places(
        self, node: QuestionNode, below: Sequence[QuestionNode], *, whole: bool
    ) -> list[int]:
        """Return the positions of the sentences that a node reads."""
        if whole and (not below or self._options.question is not None):
            return [*range(len(self._document.sentences))]
        if node.kind == "topic":
            return [*next(self._topics)]
        answers = [sentence for each in below for sentence in each.sentences]
        cited = {source.sentence for sentence in answers for source in sentence.sources}
        if whole:
            covered = {each.section for top in below for _, each in top.walk()}
            own = [section.number for section in self._sections if section.number not in covered]
        else:
            assert node.section is not None
            section = self._sections[node.section]
            own = [each.number for each in ([section] if below else section.walk())]
        read = cited.union(*(range(*self._starts[number : number + 2]) for number in own))
        if whole:
            # References and notices come from sections that the tree leaves out.
            material = fitness_of(self._document).material
            read = {place for place in read if material[place]} or read
        return sorted(read)

    def _answer(self, places: Sequence[int]) -> tuple[SummarySentence, ...]:
        """Return the answer written from the sentences at given positions."""
        self.read.update(places)
        request = self._request(places)
        made = self._writer.summarize(request.document, request.budget, focus=request.focus)
        own = set(notices_of(request.document))
        for notice in made.notices:
            if notice not in own and notice.kind != "verification":
                # Notices of one kind differ only in their numbers.
                self._told.setdefault(_NUMBER.split(notice.text)[0], []).append(notice)
        return tuple(
            sentence.lifted(self._document, places, step)
            for step, sentence in enumerate(made.sentences)
        )

    def _request(self, places: Sequence[int]) -> Request:
        part = subset(self._document, places)
        return Request(part, self._options.budget.absolute(part), self._options.question)

    def _question(self, node: QuestionNode, sentences: Sequence[SummarySentence]) -> str | None:
        """Return the question that sentences answer; None if there is no usable one."""
        call = self._call(node, sentences)
        reply = kept = self._store.find(call)
        if reply is None:
            began = perf_counter()
            try:
                reply = self._writer.model.complete(call)
            except CallError:
                return None
            read, wrote = reply.prompt_tokens or 0, reply.completion_tokens or 0
            self._record.spend(read, wrote, perf_counter() - began)
        question = parse_question(reply.text)
        if question is None:
            return None
        if kept is None:
            self._store.keep(call, reply)
        units = sorted({source.sentence for each in sentences for source in each.sources})
        allowed = " ".join([self._document.title, node.title, *(each.text for each in sentences)])
        doubted = any(
            each.kind in _CHECKED and each.text not in allowed
            for each in self._verifier.doubts(question, units)
        )
        return None if doubted or foreign_addresses(question, allowed) else question

    def _call(self, node: QuestionNode, sentences: Sequence[SummarySentence]) -> Call:
        texts = [sentence.text for sentence in sentences]
        messages = self._prompter.question([self._document.title, node.title], texts)
        return Call(messages, _QUESTION_TOKENS)

    def notices(self) -> list[Notice]:
        """Return notices about the calls."""
        notices = []
        for first, *others in self._told.values():
            also = f" The same holds for {counted(len(others), 'other node')}." * bool(others)
            notices.append(Notice(first.kind, f"{first.text}{also}"))
        if self._unasked:
            text = (
                f"In {self._unasked} of {self._nodes} nodes the model wrote no question that can "
                "be used; they keep their headings."
            )
            notices.append(Notice("writing", text))
        return notices


class _TreeEstimate(_TreeWriter):
    """Counts calls instead of making them."""

    def __init__(self, writer: WriterSummarizer, document: Document, options: TreeOptions) -> None:
        super().__init__(writer, document, options, ReplyStore.open(None, ""), calls=False)
        self.costs: list[tuple[int, int]] = []
        self.measured = False

    def _answer(self, places: Sequence[int]) -> tuple[SummarySentence, ...]:
        found, self.measured = self._writer.costs(self._request(places))
        self.costs += found
        return ()

    def _question(self, node: QuestionNode, sentences: Sequence[SummarySentence]) -> str | None:
        call = self._call(node, sentences)
        read = TokenCount()("".join(text for _, text in call.messages))
        self.costs.append((read, _EXPECTED))
        return None


def load_written_trees(system: Any) -> WrittenTreeMaker:
    """Return the maker of trees for a language model that is loaded as a system."""
    assert isinstance(system, WriterSummarizer)
    return WrittenTreeMaker(system)
