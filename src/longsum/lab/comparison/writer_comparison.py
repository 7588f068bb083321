"""What a language model's summaries gain from longsum: the same model, used in three ways.

`bare` is one call with as much of the document's beginning as the window holds, as most tools ask;
`hierarchical` has the same plan of calls as longsum, without numbers to cite and without checks
(hierarchical merging, as in BooookScore); `longsum` is what `longsum summarize` gives.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from statistics import fmean
from threading import Lock
from time import perf_counter

from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.verification import Verifier
from longsum.core.pipeline import DEFAULTS, Options, summarize_with
from longsum.core.summaries import Budget, Coverage, Summary, SummarySentence
from longsum.core.systems.system import Request, Summarizer
from longsum.documents.model import Document
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.metric_info import PER_CENT, UPWARDS, MetricInfo, ScoreInfo
from longsum.lab.checking.consistency import ClaimChecker
from longsum.lab.comparison.comparison import compare
from longsum.lab.comparison.comparison_metrics import Metric
from longsum.lab.comparison.comparison_results import Results
from longsum.writers.calls import (
    Call,
    CallError,
    ChatModel,
    Feature,
    PromptTooLongError,
    Reply,
)
from longsum.writers.plan import Node, plan_of, words_asked
from longsum.writers.prompt import Prompter
from longsum.writers.reply import parse_reply
from longsum.writers.summarizer import WriterSummarizer
from longsum.writers.tokens import Window, guess

_RULES = "Summarize the text in at most {words} words. Write nothing else."
_SHOWN = re.compile(r"^\[(\d+)\] ", re.MULTILINE)
_ENTAILED = 0.5
"""Probability of entailment from which a model counts a sentence as supported."""

Cited = Sequence[tuple[str, tuple[int, ...]]]
"""Sentences with the positions in the document that they rest on."""
Supports = Callable[[str, Collection[int]], bool]
"""Tells whether sentences of the document, by position, support a sentence."""


@dataclass(slots=True)
class Meter:
    """A model whose calls are counted; see `ChatModel`.

    Attributes:
        model: The model.
        calls: Calls that were answered since the last `begin`.
        tokens: Tokens of their prompts and answers; guessed where the server does not say.
        seconds: Seconds that the last summary took.
        read: Positions of the sentences that an answered call showed.
    """

    model: ChatModel
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    read: set[int] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.model.name

    @property
    def identity(self) -> Mapping[str, str]:
        """What tells its answers from those of other models."""
        return self.model.identity

    @property
    def dropped(self) -> Collection[str]:
        """The parameters that it refused."""
        return self.model.dropped

    def enable(self, feature: Feature) -> bool:
        """Use a feature from now on if there is one; tell whether it does."""
        return self.model.enable(feature)

    def window(self) -> Window:
        """Return how much it reads and writes in one call."""
        return self.model.window()

    def tokens_of(self, text: str) -> int | None:
        """Return the tokens of a text by the model's tokenizer; None if that is not available."""
        return self.model.tokens_of(text)

    def begin(self) -> None:
        """Reset the counts."""
        self.calls = self.tokens = 0
        self.read = set()

    def complete(self, call: Call) -> Reply:
        """Return the answer, or raise `CallError`."""
        reply = self.model.complete(call)
        asked = "".join(text for _, text in call.messages)
        read = reply.prompt_tokens or round(guess(asked))
        with self._lock:
            self.calls += 1
            self.tokens += read + (reply.completion_tokens or round(guess(reply.text)))
            self.read.update(int(number) - 1 for number in _SHOWN.findall(asked))
        return reply


class _Plain:
    """Asks for text without sources, which are searched for when it is scored."""

    name = "bare"

    def __init__(self, meter: Meter, window: Window, parallel: int) -> None:
        self.meter, self.window, self.parallel = meter, window, parallel

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document; the length is requested, but nothing is cut to it."""
        self.meter.begin()
        began = perf_counter()
        request = Request(document, budget, focus, seed)
        text, read = self._written(request)
        self.meter.read = read
        self.meter.seconds = perf_counter() - began
        sentences = [
            SummarySentence(each.text, (), 0.0, {}, step)
            for step, each in enumerate(parse_reply(text, ()))
        ]
        return Summary(
            document=document,
            sentences=tuple(sentences),
            budget=budget,
            coverage=Coverage.of(document, sorted(read)),
            system=self.name,
            settings={**self.meter.identity},
            seed=seed,
            finish_reason="model_end",
        )

    def _written(self, request: Request) -> tuple[str, set[int]]:
        """Return what the model writes, and the positions of what it read."""
        document, words = request.document, words_asked(request)
        plan, count = plan_of(request, self.meter, self.window, Prompter(b""))
        answer = plan.sizes.answer_for(words)
        room = self.window.usable - answer - count(_RULES) - 32
        ends = [sentence.end for sentence in document.sentences]
        shown = bisect_right(ends, room, key=lambda end: count(document.text[:end]))
        while shown:
            try:
                text = document.text[: ends[shown - 1]]
                return self._asked(text, words, answer, request.seed), {*range(shown)}
            except PromptTooLongError:
                shown //= 2
            except CallError:
                break
        return "", set()

    def _asked(self, text: str, words: int, answer: int, seed: int) -> str:
        messages = (("system", _RULES.format(words=words)), ("user", text))
        return self.meter.complete(Call(messages, answer, seed)).text


class _Hierarchical(_Plain):
    """Summarizes parts, and merges the summaries."""

    name = "hierarchical"

    def _written(self, request: Request) -> tuple[str, set[int]]:
        plan, _ = plan_of(request, self.meter, self.window, Prompter(b""))
        made: dict[Node, str] = {}
        read: set[int] = set()

        def write(node: Node) -> str:
            parts = [piece.text for piece in node.pieces] or [made[each] for each in node.inputs]
            answer = plan.sizes.answer_for(node.target)
            try:
                return self._asked("\n".join(parts), node.target, answer, request.seed)
            except CallError:
                return ""

        with ThreadPoolExecutor(self.parallel) as pool:
            for level in plan.levels:
                made |= zip(level, pool.map(write, level), strict=True)
        for node in plan.leaves:
            read.update(piece.unit for piece in node.pieces if made[node])
        return "\n".join(made[root] for root in plan.roots), read


class _Ours:
    """longsum's summaries by the same model."""

    name = "longsum"

    def __init__(self, meter: Meter, system: WriterSummarizer, options: Options) -> None:
        self.meter, self.system, self.options = meter, system, options

    def summarize(
        self,
        document: Document,
        budget: Budget,
        *,
        focus: str | None = None,  # noqa: ARG002
        seed: int = 0,  # noqa: ARG002
    ) -> Summary:
        """Summarize a document, with the focus and the seed of the options."""
        self.meter.begin()
        began = perf_counter()
        made = summarize_with(document, budget, self.system, self.options)
        self.meter.seconds = perf_counter() - began
        return replace(made, system=self.name)


def compare_writers(
    documents: Mapping[str, Document],
    system: WriterSummarizer,
    budget: Budget,
    options: Options = DEFAULTS,
    *,
    judge: ClaimChecker | None = None,
    done: Callable[[int], None] = lambda _: None,
    keep: Callable[[Example, Summary], None] = lambda *_: None,
) -> Results:
    """Summarize documents with a language model in three ways, and compare the results.

    Args:
        documents: The documents by name.
        system: The model under longsum; its window and calls at a time are those of all three.
        budget: The length that is asked for.
        options: How longsum summarizes.
        judge: A model of entailment, used in addition to longsum's checks; None for none.
        done: Called with the number of finished documents.
        keep: Receives each summary with its document.

    Raises:
        LongsumError: There is no document, or one without a sentence; or the model is gone.
    """
    meter = Meter(system.model)
    at_once = system.options.parallel
    ways: list[Summarizer] = [
        _Plain(meter, system.window, at_once),
        _Hierarchical(meter, system.window, at_once),
        _Ours(meter, WriterSummarizer(meter, system.options), options),
    ]
    examples = [
        Example(name, document, (), "", "", {}, options.focus or "")
        for name, document in documents.items()
    ]
    metric = {NAME: writer_metric(meter, budget, judge)}
    return compare(examples, ways, budget, metrics=[NAME], more=metric, done=done, keep=keep)


def citation_scores(cited: Cited, supports: Supports) -> tuple[float, float]:
    """Return citation recall and precision, in per cent (ALCE, Gao et al. 2023, §3).

    Recall is the share of sentences that their sources together support. A source counts for
    precision if its sentence is supported, and the source alone supports it or the others do not.

    Args:
        cited: The sentences; without any, both are 0.
        supports: Tells what supports what.
    """
    right = total = borne = 0
    for text, units in cited:
        supported = bool(units) and supports(text, units)
        borne += supported
        total += len(units)
        for unit in units if supported else ():
            others = [each for each in units if each != unit]
            right += not others or supports(text, [unit]) or not supports(text, others)
    return 100 * borne / max(len(cited), 1), 100 * right / max(total, 1)


_SCORES = (
    ScoreInfo("read", "sentences of the document that the model read", PER_CENT, "higher"),
    ScoreInfo("sections", "sections that the summary leads back to", PER_CENT, "higher"),
    ScoreInfo("recall", "sentences that their sources bear out", PER_CENT, "higher"),
    ScoreInfo("precision", "sources that their sentence needs", PER_CENT, "higher"),
    ScoreInfo("judged_recall", "recall by the model of --judge", PER_CENT, "higher"),
    ScoreInfo("judged_precision", "precision by the model of --judge", PER_CENT, "higher"),
    ScoreInfo("flagged", "sentences with a doubt", PER_CENT, "lower"),
    ScoreInfo("copied", "sentences of the document as they stand", PER_CENT, "neither"),
    ScoreInfo("length_error", "difference from the length asked for, in %", UPWARDS, "lower"),
    ScoreInfo("too_long", "what exceeds the length asked for, in %", UPWARDS, "lower"),
    ScoreInfo("calls", "calls of the model that were answered", UPWARDS, "lower"),
    ScoreInfo("tokens", "tokens of prompts and answers", UPWARDS, "lower"),
    ScoreInfo("seconds_each", "seconds of a document", UPWARDS, "lower"),
)
NAME = "writers"
INFO = MetricInfo("What a summary reads, cites and costs", "longsum's own; ALCE §3", _SCORES)
"""What the scores are."""


def writer_metric(meter: Meter, budget: Budget, judge: ClaimChecker | None = None) -> Metric:
    """Return the metric by which the three ways to use a model are compared.

    A sentence without sources is given those that are found by its words, as a reader would search
    for them; so for such text, recall says how much of it the document supports at all.

    Args:
        meter: The meter that counted the calls of the scored summary.
        budget: The length that is asked for.
        judge: A model of entailment; None for the checks alone.
    """
    grounds: list[_Grounds] = []

    def score(summary: Summary, example: Example) -> dict[str, float]:
        if not grounds or grounds[0].document is not example.document:
            grounds[:] = [_Grounds(example.document)]
        return _scored(summary, grounds[0], meter, budget, judge)

    variant = (
        "recall, precision: ALCE (Gao et al. 2023), borne out where no check doubts it; text "
        "without citations has the sources that its words lead to"
    )
    return Metric(score, lambda: variant, INFO)


class _Grounds:
    """What summaries of a document are checked against."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.texts = [sentence.text for sentence in document.sentences]
        self.verifier = Verifier(self.texts)
        self._aligner = Aligner(self.texts)

    def cited(self, sentence: SummarySentence) -> tuple[int, ...]:
        """Return the positions that a sentence cites, or else those found by its words."""
        own = tuple(dict.fromkeys(source.sentence for source in sentence.sources))
        return own or tuple(each.sentence for each in self._aligner.align(sentence.text))

    def supports(self, text: str, units: Collection[int]) -> bool:
        """Return whether no check doubts a sentence."""
        return not self.verifier.doubts(text, sorted(units))

    def entailed(self, judge: ClaimChecker) -> Supports:
        """Return what a model says."""
        return lambda text, units: (
            judge.consistency(text, " ".join(self.texts[unit] for unit in sorted(units)))
            >= _ENTAILED
        )


def _scored(
    summary: Summary, grounds: _Grounds, meter: Meter, budget: Budget, judge: ClaimChecker | None
) -> dict[str, float]:
    document, said = summary.document, summary.sentences
    cited = [(each.text, grounds.cited(each)) for each in said]
    own = [section for section in document.walk() if section.sentences]
    led = {document.section_of(unit).number for _, units in cited for unit in units}
    recall, precision = citation_scores(cited, grounds.supports)
    known = {*grounds.texts}
    capacity = budget.capacity(document)
    over = sum(budget.cost(each.text) for each in said) / max(capacity, 1) - 1
    scores = {
        "read": 100 * len(meter.read) / len(document.sentences),
        "sections": 100 * len(led) / len(own),
        "recall": recall,
        "precision": precision,
        "flagged": _share([not (units and grounds.supports(text, units)) for text, units in cited]),
        "copied": _share([text in known for text, _ in cited]),
        "length_error": 100 * abs(over),
        "too_long": 100 * max(over, 0.0),
        "calls": float(meter.calls),
        "tokens": float(meter.tokens),
        "seconds_each": meter.seconds,
    }
    if judge is not None:
        found = citation_scores(cited, grounds.entailed(judge))
        scores |= zip(("judged_recall", "judged_precision"), found, strict=True)
    return scores


def _share(of: Sequence[bool]) -> float:
    return 100 * fmean(of) if of else 0.0
