"""Carries out a plan: calls side by side, answers checked, and a fallback for each that fails."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import zip_longest
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
from longsum.writers.plan import Leaf, Merge, Node, Plan
from longsum.writers.prompt import Prompter, again, cited
from longsum.writers.rates import Rate
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
_TRIES = 2

Extract = Callable[[Sequence[int], int], list[Written]]
"""Returns sentences of the document: of those at these positions, so many words."""


@dataclass(slots=True)
class Record:
    """What happened in a run.

    Attributes:
        calls: Calls that were answered, kept replies not among them.
        kept: Replies that an earlier run had paid for.
        failed: Why calls failed whose part was extracted instead, by the sentences they read.
        invalid: Numbers that were cited and not shown.
        uncited: Sentences that cited nothing, and whose source was found by their words.
        foreign: Sentences left out for an address that the document does not have.
        spent: Tokens and seconds of the calls that were answered.
        unchecked: Answers that do not say how many tokens of the prompt were read.
    """

    calls: int = 0
    kept: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    invalid: int = 0
    uncited: int = 0
    foreign: int = 0
    spent: Rate = field(default_factory=Rate)
    unchecked: int = 0


class _UselessError(CallError):
    """An answer without a sentence."""


class WritingRun:
    """One summary of one document by a model."""

    def __init__(
        self,
        document: Document,
        model: ChatModel,
        plan: Plan,
        *,
        prompter: Prompter,
        store: ReplyStore,
        count: TokenCount,
        extract: Extract,
        seed: int = 0,
        parallel: int = 1,
        progress: Progress = lambda *_: None,
        record: Record | None = None,
    ) -> None:
        """Prepare the run.

        Args:
            document: The document.
            model: Answers the calls.
            plan: The calls.
            prompter: Writes the prompts.
            store: Keeps replies.
            count: Counts tokens.
            extract: Takes the place of a call that fails.
            seed: Random seed.
            parallel: Calls at a time.
            progress: Called for each finished call.
            record: What happens is recorded here.
        """
        self.record = record or Record()
        self._document = document
        self._model = model
        self._plan = plan
        self._prompter = prompter
        self._store = store
        self._count = count
        self._extract = extract
        self._seed = seed
        self._parallel = parallel
        self._progress = progress
        self._lock = Lock()
        self._per_byte = _FEWEST
        self._calibrated = 0.0
        self._texts = [sentence.text for sentence in document.sentences]

    def write(self) -> list[Written]:
        """Return the sentences of the summary, each with the positions that it rests on."""
        made: dict[Node, list[Written]] = {}
        nodes = [node for level in self._plan.levels for node in level]
        merge_of = {each: node for node in nodes for each in _inputs(node)}
        with ThreadPoolExecutor(self._parallel) as pool:
            running: dict[Future[list[Written]], Node] = {}

            def begin(node: Node) -> None:
                running[pool.submit(self._node, node, [made[each] for each in _inputs(node)])] = (
                    node
                )

            try:
                self._progress(1, 0, len(nodes))
                for leaf in self._plan.leaves:
                    begin(leaf)
                while running:
                    for future in wait(running, return_when=FIRST_COMPLETED).done:
                        node = running.pop(future)
                        made[node] = future.result()
                        self._progress(1, len(made), len(nodes))
                        merge = merge_of.get(node)
                        if merge is not None and all(each in made for each in _inputs(merge)):
                            begin(merge)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [each for root in self._plan.roots for each in made[root]]

    def shortened(self, written: Sequence[Written], words: int) -> list[Written] | None:
        """Return a summary in fewer words by another call; None if there is none that is shorter.

        Sentences that do not fit a call are not shortened.
        """
        units = {unit for each in written for unit in each.units}
        lines = [cited(each.text, each.units) for each in written]
        if self._count("\n".join(lines)) > self._plan.sizes.room or words > self._longest:
            return None
        try:
            made = self._called(self._prompter.merge((), lines, words), units, words, tries=1)
        except CallError:
            return None
        before = sum(count_words(each.text) for each in written)
        return made if sum(count_words(each.text) for each in made) < before else None

    @property
    def _longest(self) -> int:
        return self._plan.sizes.longest

    def _node(self, node: Node, parts: Sequence[list[Written]]) -> list[Written]:
        return self._leaf(node) if isinstance(node, Leaf) else self._merge(node, parts)

    def _leaf(self, leaf: Leaf) -> list[Written]:
        lines = [piece.line for piece in leaf.pieces]
        messages = self._prompter.leaf(leaf.titles, lines, leaf.target)
        try:
            return self._called(messages, leaf.units, leaf.target, leaf.words)
        except PromptTooLongError as error:
            if (halves := leaf.halves()) is not None:
                return [each for half in halves for each in self._leaf(half)]
            failure: CallError = error
        except CallError as error:
            failure = error
        self._fail(leaf, failure)
        return self._extract(leaf.units, leaf.target)

    def _merge(self, merge: Merge, parts: Sequence[list[Written]]) -> list[Written]:
        sentences = [each for part in parts for each in part]
        lines = [cited(each.text, each.units) for each in sentences]
        units = {unit for each in sentences for unit in each.units}
        words = sum(count_words(each.text) for each in sentences)
        if not sentences:
            return []
        messages = self._prompter.merge(merge.titles, lines, merge.target)
        try:
            return self._called(messages, units, merge.target, words)
        except CallError as error:
            self._fail(merge, error)
            return _openings(parts, merge.target)

    def _fail(self, node: Node, failure: CallError) -> None:
        with self._lock:
            self.record.failed[min(node.units, default=0)] = str(failure)

    def _called(
        self,
        messages: tuple[Message, ...],
        shown: Collection[int],
        target: int,
        words: int = 0,
        tries: int = _TRIES,
    ) -> list[Written]:
        """Return what a model writes, with sources; of an answer that is too long its beginning.

        Raises:
            CallError: There is no answer, or none with a sentence.
        """
        answer = self._plan.sizes.answer_for(target)
        failure: CallError | None = None
        for attempt in range(tries):
            asked = again(messages) if attempt else messages
            call = Call(asked, answer, self._seed + attempt)
            reply = self._store.find(call)
            new = reply is None
            if reply is None:
                self._check_fits(call)
                began = perf_counter()
                reply = self._model.complete(call)
                self._spend(call, reply, perf_counter() - began)
                self._check_read(call, reply)
            written = self._grounded(reply, shown)
            if written:
                if new:
                    self._store.keep(call, reply)
                self._note(reply, new)
                most = target if not words else min(target, max(words * 4 // 5, 1))
                return _beginning(written, _slack(most))
            failure = _UselessError("the model wrote no sentence")
        assert failure is not None
        raise failure

    def _check_fits(self, call: Call) -> None:
        """Hold a prompt that nobody has counted to what earlier answers say of their prompts.

        Raises:
            PromptTooLongError: Prompt and answer would not fit the window.
        """
        if self._calibrated and not self._count.measured:
            read = self._calibrated * _size(call)
            if read + call.max_tokens > self._plan.sizes.usable:
                raise PromptTooLongError(f"a prompt of about {int(read):,} tokens is too long")

    def _spend(self, call: Call, reply: Reply, seconds: float) -> None:
        """Count what an answer cost; the first one says how many tokens a byte of a prompt has."""
        wrote = reply.completion_tokens or self._count(reply.text)
        with self._lock:
            read = reply.prompt_tokens or int((self._calibrated or _FEWEST) * _size(call))
            if reply.prompt_tokens is not None:
                self._calibrated = self._calibrated or reply.prompt_tokens / max(_size(call), 1)
            self.record.spent += Rate(read, wrote, seconds)

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
        if self._count.measured and reply.prompt_tokens < self._count(text):
            expected = self._model.tokens_of(text) or expected
        with self._lock:
            self._per_byte = max(self._per_byte, reply.prompt_tokens / max(size, 1))
        if reply.prompt_tokens < _CUT * expected:
            raise PromptTooLongError(
                f"the server read {reply.prompt_tokens:,} tokens of a prompt of about "
                f"{int(expected):,}"
            )

    def _note(self, reply: Reply, new: bool) -> None:
        with self._lock:
            self.record.calls += new
            self.record.kept += not new
            self.record.unchecked += reply.prompt_tokens is None

    def _grounded(self, reply: Reply, shown: Collection[int]) -> list[Written]:
        """Return the sentences of a reply, each with what it cites or what is found by its words.

        A sentence with an address that its sources do not have is left out.
        """
        kept = []
        places = sorted(shown)
        aligner: Aligner | None = None
        for each in parse_reply(reply.text, shown, finished=reply.finished):
            units, found = each.units, False
            if not units:
                aligner = aligner or Aligner([self._texts[place] for place in places])
                units = tuple(places[one.sentence] for one in aligner.align(each.text))
                found = True
            source = " ".join(self._texts[unit] for unit in units)
            foreign = bool(foreign_addresses(each.text, source))
            with self._lock:
                self.record.invalid += each.invalid
                self.record.uncited += found
                self.record.foreign += foreign
            if not foreign:
                kept.append(replace(each, units=units, found=found))
        return kept


def _inputs(node: Node) -> tuple[Node, ...]:
    return node.inputs if isinstance(node, Merge) else ()


def _size(call: Call) -> int:
    """Return the bytes of a prompt."""
    return sum(len(text.encode("utf-8", "replace")) for _, text in call.messages)


def _slack(words: int) -> int:
    """Return the most words that are kept of an answer that should have so many."""
    return words + words // 4


def _beginning(written: Sequence[Written], words: int) -> list[Written]:
    """Return the first sentences within so many words, one at least."""
    kept: list[Written] = []
    spent = 0
    for each in written:
        spent += count_words(each.text)
        if kept and spent > words:
            break
        kept.append(each)
    return kept


def _openings(parts: Sequence[list[Written]], words: int) -> list[Written]:
    """Return the first sentences of each part, then the second ones, within so many words."""
    by_turns = [each for row in zip_longest(*parts) for each in row if each is not None]
    chosen = {id(each) for each in _beginning(by_turns, words)}
    return [each for part in parts for each in part if id(each) in chosen]
