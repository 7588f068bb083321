"""Executes a plan: concurrent calls, checked answers, and a fallback for failed ones."""

import math
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import accumulate, zip_longest
from threading import Lock
from time import perf_counter
from typing import Literal

from longsum.core.grounding.alignment import Aligner
from longsum.core.systems.system import Progress
from longsum.documents.model import Document
from longsum.language.words import count_words
from longsum.writers.calls import (
    Call,
    CallError,
    ChatModel,
    Message,
    PromptTooLongError,
    Reply,
)
from longsum.writers.plan import Node, Plan
from longsum.writers.prompt import Prompter, again, cited, numbered
from longsum.writers.reply import Written, foreign_addresses, parse_reply
from longsum.writers.store import ReplyStore
from longsum.writers.tokens import TokenCount

Unsupported = Literal["flag", "replace", "drop"]
"""What to do with a sentence without a source: show it with a doubt, replace it with the closest
sentence of the document, or leave it out."""

_CUT = 0.9
"""Share of the expected tokens below which a server must have cut the prompt."""
_LOOSER = 0.7
"""Variation of tokens per byte within a document, if no tokenizer is available."""
_FEWEST = 1 / 7
"""Minimum tokens per byte, before the first answer gives better information."""

Extract = Callable[[Sequence[int], int], list[Written]]
"""Extracts a number of words from the document sentences at given positions."""


@dataclass(slots=True)
class Record:
    """The record of a run.

    Attributes:
        calls: Number of used answers, including those from an earlier run.
        failed: Why calls failed whose parts were extracted instead.
        invalid: Number of citations of sentences that were not shown.
        foreign: Number of sentences left out because of addresses that are not in the document.
        read: Tokens of the prompts of new answers.
        wrote: Tokens of these answers.
        seconds: Total seconds of these calls.
        unchecked: Number of answers that do not state how many prompt tokens were read.
    """

    calls: int = 0
    failed: list[str] = field(default_factory=list)
    invalid: int = 0
    foreign: int = 0
    read: int = 0
    wrote: int = 0
    seconds: float = 0.0
    unchecked: int = 0

    def spend(self, read: int, wrote: int, seconds: float) -> None:
        """Add the cost of an answer."""
        self.read += read
        self.wrote += wrote
        self.seconds += seconds


@dataclass(eq=False)
class WritingRun:
    """One summary of one document by a model.

    `extract` replaces failed calls; `parallel` calls are made concurrently, and `progress` is
    called for each.
    """

    document: Document
    model: ChatModel
    plan: Plan
    prompter: Prompter
    store: ReplyStore
    count: TokenCount
    extract: Extract
    seed: int = 0
    parallel: int = 1
    progress: Progress = field(default=lambda *_: None)
    record: Record = field(default_factory=Record)

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._per_byte = _FEWEST
        self._calibrated = 0.0
        self._texts = [sentence.text for sentence in self.document.sentences]

    def write(self) -> list[Written]:
        """Return the sentences of the summary, each with the positions that it is based on."""
        made: dict[Node, list[Written]] = {}
        running: dict[Future[list[Written]], Node] = {}
        nodes = [node for level in self.plan.levels for node in level]
        merge_of = {each: node for node in nodes for each in node.inputs}
        with ThreadPoolExecutor(self.parallel) as pool:

            def begin(node: Node) -> None:
                read = [made[each] for each in node.inputs]
                running[pool.submit(self._node, node, read)] = node

            try:
                self.progress(1, 0, len(nodes))
                for leaf in self.plan.leaves:
                    begin(leaf)
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        node = running.pop(future)
                        made[node] = future.result()
                        self.progress(1, len(made), len(nodes))
                        merge = merge_of.get(node)
                        if merge is not None and all(each in made for each in merge.inputs):
                            begin(merge)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [each for root in self.plan.roots for each in made[root]]

    def shortened(self, written: list[Written], words: int) -> list[Written]:
        """Shorten a summary by another call; return it unchanged if that fails.

        Sentences that do not fit in a call are not shortened. An answer with less than half the
        requested words has lost more than cutting would.
        """
        units = {unit for each in written for unit in each.units}
        lines = [cited(each.text, each.units) for each in written]
        sizes = self.plan.sizes
        if self.count("\n".join(lines)) > sizes.room or words > sizes.longest:
            return written
        messages = self.prompter.summary((), lines, words, merges=True)
        try:
            made = self._called(messages, units, words, tries=1)
        except CallError:
            return written
        return made if words / 2 <= _words(made) < _words(written) else written

    def _node(self, node: Node, read: Sequence[list[Written]]) -> list[Written]:
        sentences = [[Written(piece.text, (piece.unit,))] for piece in node.pieces]
        parts = sentences or [each for each in read if each]
        return self._written(node, parts, node.target) if parts else []

    def _written(self, node: Node, parts: Sequence[list[Written]], target: int) -> list[Written]:
        """Return the text written from part of a node's input, in halves if that is too long.

        The parts are single sentences, or the summaries to merge.
        """
        read = [each for part in parts for each in part]
        units = [*dict.fromkeys(unit for each in read for unit in each.units)]
        if node.inputs:
            lines = [cited(each.text, each.units) for each in read]
        else:
            lines = [numbered(each.units[0], each.text) for each in read]
        messages = self.prompter.summary(node.titles, lines, target, merges=bool(node.inputs))
        try:
            return self._called(messages, units, target, _words(read))
        except CallError as error:
            if isinstance(error, PromptTooLongError) and len(parts) > 1:
                middle, half = len(parts) // 2, math.ceil(target / 2)
                first = self._written(node, parts[:middle], half)
                return first + self._written(node, parts[middle:], half)
            with self._lock:
                self.record.failed.append(str(error))
            return _openings(parts, target) if node.inputs else self.extract(units, target)

    def _called(
        self,
        messages: tuple[Message, ...],
        shown: Collection[int],
        target: int,
        words: int = 0,
        tries: int = 2,
    ) -> list[Written]:
        """Return a model's sentences with sources; answers that are too long are cut.

        Raises:
            CallError: There is no answer, or it has no sentence.
        """
        answer = self.plan.sizes.answer_for(target)
        most = min(target, max(words * 4 // 5, 1)) if words else target
        for attempt in range(tries):
            call = Call(again(messages) if attempt else messages, answer, self.seed + attempt)
            kept = self.store.find(call)
            reply = kept or self._paid(call)
            if not self._calibrated and reply.prompt_tokens is not None:
                self._calibrated = reply.prompt_tokens / _size(call)
            if written := self._grounded(reply, shown):
                if kept is None:
                    self.store.keep(call, reply)
                with self._lock:
                    self.record.calls += 1
                    self.record.unchecked += reply.prompt_tokens is None
                return _beginning(written, most + most // 4)
        raise CallError("the model wrote no sentence")

    def _paid(self, call: Call) -> Reply:
        """Return a new answer, and count its cost.

        Raises:
            PromptTooLongError: Judging by earlier answers, since it was not counted, the prompt
                would not fit; or the server did not read all of it.
            CallError: There is no answer.
        """
        guessed = 0.0 if self.count.measured else self._calibrated * _size(call)
        if guessed and guessed + call.max_tokens > self.plan.sizes.usable:
            raise PromptTooLongError(f"a prompt of about {int(guessed):,} tokens is too long")
        began = perf_counter()
        reply = self.model.complete(call)
        wrote = reply.completion_tokens or self.count(reply.text)
        read = reply.prompt_tokens or int((self._calibrated or _FEWEST) * _size(call))
        with self._lock:
            self.record.spend(read, wrote, perf_counter() - began)
        self._check_read(call, reply)
        return reply

    def _check_read(self, call: Call, reply: Reply) -> None:
        """Compare the tokens that the server says it read with the prompt.

        Raises:
            PromptTooLongError: It read fewer: it cut the prompt.
        """
        if reply.prompt_tokens is None:
            return
        text = "\n".join(text for _, text in call.messages)
        size = _size(call)
        expected = _LOOSER * self._per_byte * size
        if self.count.measured and reply.prompt_tokens < self.count(text):
            expected = self.model.tokens_of(text) or expected
        with self._lock:
            self._per_byte = max(self._per_byte, reply.prompt_tokens / size)
        if reply.prompt_tokens < _CUT * expected:
            raise PromptTooLongError(
                f"the server read {reply.prompt_tokens:,} tokens of a prompt of about "
                f"{int(expected):,}"
            )

    def _grounded(self, reply: Reply, shown: Collection[int]) -> list[Written]:
        """Return the sentences of a reply, each with its citations or sources found by its words.

        Sentences with addresses that are not in their sources are left out.
        """
        kept = []
        places = sorted(shown)
        aligner: Aligner | None = None
        for each in parse_reply(reply.text, shown, finished=reply.finished):
            units = each.units
            if not units:
                aligner = aligner or Aligner([self._texts[place] for place in places])
                units = tuple(places[one.sentence] for one in aligner.align(each.text))
            source = " ".join(self._texts[unit] for unit in units)
            foreign = bool(foreign_addresses(each.text, source))
            with self._lock:
                self.record.invalid += each.invalid
                self.record.foreign += foreign
            if not foreign:
                kept.append(replace(each, units=units, found=not each.units))
        return kept


def _size(call: Call) -> int:
    """Return the bytes of a prompt."""
    return sum(len(text.encode("utf-8", "replace")) for _, text in call.messages) or 1


def _words(written: Sequence[Written]) -> int:
    return sum(count_words(each.text) for each in written)


def _beginning(written: Sequence[Written], words: int) -> list[Written]:
    """Return the first sentences within a number of words, at least one."""
    spent = accumulate(count_words(each.text) for each in written)
    fitting = [each for each, total in zip(written, spent, strict=True) if total <= words]
    return fitting or [*written[:1]]


def _openings(parts: Sequence[list[Written]], words: int) -> list[Written]:
    """Return the first sentences of each part, then the second ones, within a number of words."""
    by_turns = [each for row in zip_longest(*parts) for each in row if each is not None]
    chosen = {id(each) for each in _beginning(by_turns, words)}
    return [each for part in parts for each in part if id(each) in chosen]
