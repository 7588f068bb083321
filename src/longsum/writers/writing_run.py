"""Carries out a plan: calls side by side, answers checked, and a fallback for each that fails."""

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
"""What becomes of a sentence without a source: it is shown with a doubt, replaced by the sentence
of the document that is closest to it, or left out."""

_CUT = 0.9
"""Share of the tokens expected below which a server has cut the prompt."""
_LOOSER = 0.7
"""What texts of one document differ by in tokens a byte, where no tokenizer can be asked."""
_FEWEST = 1 / 7
"""Tokens of a byte at least, before the first answer says more."""

Extract = Callable[[Sequence[int], int], list[Written]]
"""Returns sentences of the document: of those at these positions, so many words."""


@dataclass(slots=True)
class Record:
    """What happened in a run.

    Attributes:
        calls: Answers that were used, those among them that an earlier run had paid for.
        failed: Why calls failed whose part was extracted instead.
        invalid: Numbers that were cited and not shown.
        foreign: Sentences left out for an address that the document does not have.
        read: Tokens of the prompts of new answers.
        wrote: Tokens of these answers.
        seconds: Seconds of these calls, one after the other.
        unchecked: Answers that do not say how many tokens of the prompt were read.
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
        """Count what an answer used."""
        self.read += read
        self.wrote += wrote
        self.seconds += seconds


@dataclass(eq=False)
class WritingRun:
    """One summary of one document by a model.

    `extract` takes the place of a call that fails; so many calls are made in parallel, and
    `progress` is called for each.
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
        """Return the sentences of the summary, each with the positions that it rests on."""
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
        """Return a summary in fewer words by another call, or as it is if that makes none.

        Sentences that do not fit a call are not shortened. An answer of less than half the words
        that are asked for has lost more than a cut would.
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
        """Return what is written of a part of what a node reads, in halves where it is too long.

        What it reads are sentences one by one, or the summaries that it merges.
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
        """Return what a model writes, with sources; of an answer that is too long its beginning.

        Raises:
            CallError: There is no answer, or none with a sentence.
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
        """Return a new answer, whose cost is counted.

        Raises:
            PromptTooLongError: By what earlier answers say of their prompts, and nobody has counted
                it, this one would not fit; or the server did not read all of it.
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
        """Hold what the server says it read to what it was given.

        Raises:
            PromptTooLongError: It read less: it cut the prompt.
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
        """Return the sentences of a reply, each with what it cites or what is found by its words.

        A sentence with an address that its sources do not have is left out.
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
    """Return the first sentences within so many words, one at least."""
    spent = accumulate(count_words(each.text) for each in written)
    fitting = [each for each, total in zip(written, spent, strict=True) if total <= words]
    return fitting or [*written[:1]]


def _openings(parts: Sequence[list[Written]], words: int) -> list[Written]:
    """Return the first sentences of each part, then the second ones, within so many words."""
    by_turns = [each for row in zip_longest(*parts) for each in row if each is not None]
    chosen = {id(each) for each in _beginning(by_turns, words)}
    return [each for part in parts for each in part if id(each) in chosen]
