"""Trees of questions and summaries that a trained encoder–decoder writes (HIBRIDS, §5.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from longsum.documents.builder import clean
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.errors import LongsumError
from longsum.language.sentences import split_sentences
from longsum.questions.linearisation import Parsed, parse_pieces
from longsum.summaries import Budget, Coverage, Notice, SummarySentence
from longsum.summaries.notices import notices_of, unverified
from longsum.summaries.question_summary import QuestionNode, QuestionSummary
from longsum.systems.abstractive.budgeting import TokenRange, fit
from longsum.systems.abstractive.generating import GeneratingWriter
from longsum.systems.abstractive.read_document import ReadDocument
from longsum.systems.questions.tree_maker import TreeOptions
from longsum.tasks.alignment import aligned_sentences
from longsum.tasks.question_generation import follow_up_tree
from longsum.tasks.task_settings import TaskConfig
from longsum.tasks.tokens import decode_pieces


@dataclass(frozen=True, slots=True)
class _Text:
    """What the model wrote, as a tree, and whether it had to stop."""

    parsed: Parsed
    stopped: bool


@dataclass(frozen=True, slots=True)
class _Source:
    """What the model has read, and the whole document that it is a part of.

    Attributes:
        document: The whole.
        positions: Where each sentence of what was read stands in the whole.
        read: What was read.
    """

    document: Document
    positions: Sequence[int]
    read: ReadDocument

    @property
    def title(self) -> str:
        """What the document is called."""
        return self.document.title or self.document.source.name or "Untitled document"

    def sentence(self, text: str, step: int) -> SummarySentence:
        """Align a sentence with what was read, and check it; its sources are those of the whole."""
        return self.read.sentence(text, step).lifted(self.document, self.positions, step)


class GeneratedTreeMaker:
    """Lets a model write the tree, and aligns and checks each sentence of its answers.

    The line that it writes is read as a tree whatever its form; what had to be repaired is said.
    An answer is cut after the last whole sentence that fits. A model of follow-up questions
    (`child_questions`) is given a question with its answer, and writes what stands right below.

    A model that has learned from the sections that a tree's answers rest on (`aligned`) cannot know
    the answers beforehand: it reads those that the question, with its answer if there is one, rests
    on in the same way (§4.2), or the whole document where it rests on none.
    """

    def __init__(self, writer: GeneratingWriter, task: TaskConfig) -> None:
        """Make the maker.

        Args:
            writer: The model as a writer.
            task: What it was trained on, of one of `QUESTION_KINDS`.

        Raises:
            LongsumError: It asks its own questions about sections that only an answer can choose.
        """
        if task.aligned and task.kind == "question_hierarchy" and not task.question_given:
            raise LongsumError(
                f"The model '{writer.name}' has learned from the sections that answers rest on, "
                "and is given no question to choose them by; train it with task.aligned=false or "
                "task.question_given=true."
            )
        self._writer, self._task = writer, task

    def make(self, document: Document, options: TreeOptions) -> QuestionSummary:
        """Make the tree.

        Raises:
            LongsumError: The model answers a question and none is asked, or the other way round.
        """
        self._check(options.question)
        began = perf_counter()
        source = self._read(document, options.question)
        read = source.read
        written = self._write(read, options.question)
        written_at = perf_counter()
        root = _root(source, written.parsed, options)
        return QuestionSummary(
            document=document,
            root=root,
            budget=options.budget,
            maker="model",
            coverage=Coverage.of(document, source.positions[: read.reading.sentences_read]),
            system=self._writer.name,
            settings=self._writer.settings,
            question=options.question,
            depth=options.depth,
            notices=(
                *notices_of(document),
                *_chosen(source),
                *read.unread(self._writer.form.tokens),
                *_mended(written),
                *unverified([sentence for _, node in root.walk() for sentence in node.sentences]),
            ),
            timings={
                "read": read.seconds,
                "write": written_at - began - read.seconds,
                "align": perf_counter() - written_at,
            },
        )

    def _check(self, question: str | None) -> None:
        follows = self._task.kind == "child_questions"
        if follows and question is None:
            raise LongsumError(
                f"The model '{self._writer.name}' asks what follows from a question and its "
                "answer; give both with --question."
            )
        if self._task.question_given and question is None:
            raise LongsumError(
                f"The model '{self._writer.name}' answers a question; ask one with --question."
            )
        if question is not None and not (self._task.question_given or follows):
            raise LongsumError(
                f"The model '{self._writer.name}' asks its own questions; leave --question out."
            )

    def _read(self, document: Document, question: str | None) -> _Source:
        positions: Sequence[int] = range(len(document.sentences))
        if self._task.aligned:
            assert question is not None
            positions = aligned_sentences(question, document) or positions
        part = (
            document if len(positions) == len(document.sentences) else subset(document, positions)
        )
        return _Source(document, positions, ReadDocument.by(self._writer, part, question or ""))

    def _write(self, read: ReadDocument, question: str | None) -> _Text:
        limit = self._writer.limit
        most = self._task.target_tokens if limit is None else min(self._task.target_tokens, limit)
        writing = self._writer.write(read.reading, TokenRange(0, most), seed=0)
        ids = writing.sequence[1:].tolist()
        found = decode_pieces(ids, self._writer.tokenizer)
        parsed = parse_pieces(found, question)
        if self._task.kind == "child_questions":
            parsed = Parsed(follow_up_tree(question or "", found), ())
        return _Text(parsed, stopped=len(ids) >= most)


def _root(source: _Source, parsed: Parsed, options: TreeOptions) -> QuestionNode:
    """Return the only question of the first level, or a heading above several.

    From the last question to the first: what waits one level below a question are its children.
    """
    questions = list(parsed.tree.walk())
    single = len(parsed.tree.questions) == 1
    waiting: dict[int, list[QuestionNode]] = {}
    for level, question in reversed(questions):
        below = tuple(reversed(waiting.pop(level + 1, [])))
        shown = options.depth is None or level + (not single) < options.depth
        node = QuestionNode(
            clean(question.question),
            "question",
            None,
            tuple(_answer(source, clean(question.answer), options.budget)),
            below if shown else (),
            0 if shown else sum(1 for child in below for _ in child.walk()) + _cut(below),
        )
        waiting.setdefault(level, []).append(node)
    tops = tuple(reversed(waiting.get(1, [])))
    if single:
        return tops[0]
    if options.depth == 1:
        count = sum(1 for top in tops for _ in top.walk()) + _cut(tops)
        return QuestionNode(source.title, "heading", None, (), cut=count)
    return QuestionNode(source.title, "heading", None, (), tops)


def _cut(nodes: tuple[QuestionNode, ...]) -> int:
    """Count what was left out below nodes that are left out themselves."""
    return sum(below.cut for node in nodes for _, below in node.walk())


def _answer(source: _Source, answer: str, budget: Budget) -> list[SummarySentence]:
    texts = [answer[start:end] for start, end in split_sentences(answer)]
    fitted = fit(texts, budget, budget.capacity(source.document), unfinished=False)
    return [
        source.sentence(fitted.shortened or text, step)
        for step, text in enumerate(texts[: fitted.count])
    ]


def _chosen(source: _Source) -> tuple[Notice, ...]:
    """Say how much of the document the model was given, if not all."""
    given, total = len(source.positions), len(source.document.sentences)
    if given == total:
        return ()
    text = (
        f"The model is given {given:,} of {total:,} sentences: the sections that the question "
        "rests on, as it was trained."
    )
    return (Notice("reading", text),)


def _mended(written: _Text) -> Iterator[Notice]:
    """Say what was amiss with what the model wrote."""
    repairs = written.parsed.repairs
    if not written.parsed.tree.questions:
        yield Notice("length", "The model wrote nothing; try another model.")
    if repairs:
        places = "one place" if len(repairs) == 1 else f"{len(repairs)} places"
        text = f"The model's tree was repaired in {places}; the first: {repairs[0]}"
        yield Notice("verification", text)
    if written.stopped:
        yield Notice("length", "The model can write no more, so the tree may be broken off.")
