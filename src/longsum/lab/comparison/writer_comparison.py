"""What a language model's summaries gain from longsum: the same model, used in three ways.

`bare` is one call with as much of the document's beginning as fits into the context window, as in
most tools; `hierarchical` has the same plan of calls as longsum, without numbers to cite and
without checks (hierarchical merging, as in BooookScore); `longsum` is `longsum summarize`.
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
from longsum.writers.plan import Node, plan_of, requested_words
from longsum.writers.prompt import Prompter
from longsum.writers.reply import parse_reply
from longsum.writers.summarizer import WriterSummarizer
from longsum.writers.tokens import Window, guess

_RULES = "Summarize the text in at most {words} words. Write nothing else."
_SHOWN = re.compile(r"^\[(\d+)\] ", re.MULTILINE)
_ENTAILED = 0.5
"""Probability of entailment from which on a sentence counts as supported."""

Cited = Sequence[tuple[str, tuple[int, ...]]]
"""Sentences with the positions of their sources in the document."""
Supports = Callable[[str, Collection[int]], bool]
"""Tells whether sentences of the document, by position, support a sentence."""


@dataclass(slots=True)
class Meter:
    """A model whose calls are counted; see `ChatModel`.

    Attributes:
        model: The model.
        calls: Calls that were answered since the last `begin`.
        tokens: Tokens of their prompts and answers; estimated if the server does not report them.
        seconds: Seconds that the last summary took.
        read: Positions of the sentences that the prompts of answered calls contained.
    """

    model: ChatModel
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    read: set[int] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    @property
    def identity(self) -> Mapping[str, str]:
        """What distinguishes its answers from those of other models."""
        return self.model.identity

    @property
    def dropped(self) -> Collection[str]:
        """The parameters that its server refused."""
        return self.model.dropped

    def enable(self, feature: Feature) -> bool:
        """Use a feature from now on if the model has it; return whether it does."""
        return self.model.enable(feature)

    def window(self) -> Window:
        """Return how many tokens it reads and writes in one call."""
        return self.model.window()

    def tokens_of(self, text: str) -> int | None:
        """Count the tokens of a text with the model's tokenizer; None if that is not available."""
        return self.model.tokens_of(text)

    def begin(self) -> None:
        """Reset the counts."""
        self.calls = self.tokens = 0
        self.read = set()

    def complete(self, call: Call) -> Reply:
        """Return the answer, or raise `CallError`."""
        reply = self.model.complete(call)
        prompt = "".join(text for _, text in call.messages)
        prompt_tokens = reply.prompt_tokens or round(guess(prompt))
        with self._lock:
            self.calls += 1
            self.tokens += prompt_tokens + (reply.completion_tokens or round(guess(reply.text)))
            self.read.update(int(number) - 1 for number in _SHOWN.findall(prompt))
        return reply


class _Bare:
    """Asks for a summary in one call; sources are found only when the summary is scored."""

    name = "bare"

    def __init__(self, meter: Meter, window: Window, parallel: int) -> None:
        self.meter, self.window, self.parallel = meter, window, parallel

    def summarize(
        self, document: Document, budget: Budget, *, focus: str | None = None, seed: int = 0
    ) -> Summary:
        """Summarize a document; the length is requested but not enforced."""
        self.meter.begin()
        began = perf_counter()
        request = Request(document, budget, focus, seed)
        text, read = self._write(request)
        self.meter.read = read
        self.meter.seconds = perf_counter() - began
        sentences = [
            SummarySentence(sentence.text, (), 0.0, {}, step)
            for step, sentence in enumerate(parse_reply(text, ()))
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

    def _write(self, request: Request) -> tuple[str, set[int]]:
        """Return what the model writes, and the positions of the sentences that it read."""
        document, words = request.document, requested_words(request)
        plan, count = plan_of(request, self.meter, self.window, Prompter(b""))
        answer = plan.sizes.answer_for(words)
        room = self.window.usable - answer - count(_RULES) - 32
        ends = [sentence.end for sentence in document.sentences]
        shown = bisect_right(ends, room, key=lambda end: count(document.text[:end]))
        while shown:
            try:
                text = document.text[: ends[shown - 1]]
                return self._answer(text, words, answer, request.seed), {*range(shown)}
            except PromptTooLongError:
                shown //= 2
            except CallError:
                break
        return "", set()

    def _answer(self, text: str, words: int, answer: int, seed: int) -> str:
        messages = (("system", _RULES.format(words=words)), ("user", text))
        return self.meter.complete(Call(messages, answer, seed)).text


class _Hierarchical(_Bare):
    """Summarizes parts, and merges the summaries."""

    name = "hierarchical"

    def _write(self, request: Request) -> tuple[str, set[int]]:
        plan, _ = plan_of(request, self.meter, self.window, Prompter(b""))
        texts: dict[Node, str] = {}
        read: set[int] = set()

        def write(node: Node) -> str:
            parts = [piece.text for piece in node.pieces] or [texts[part] for part in node.inputs]
            answer = plan.sizes.answer_for(node.target)
            try:
                return self._answer("\n".join(parts), node.target, answer, request.seed)
            except CallError:
                return ""

        with ThreadPoolExecutor(self.parallel) as pool:
            for level in plan.levels:
                texts |= zip(level, pool.map(write, level), strict=True)
        for node in plan.leaves:
            read.update(piece.unit for piece in node.pieces if texts[node])
        return "\n".join(texts[root] for root in plan.roots), read


class _Longsum:
    """Summarizes with longsum and the same model."""

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
        summary = summarize_with(document, budget, self.system, self.options)
        self.meter.seconds = perf_counter() - began
        return replace(summary, system=self.name)


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
        system: longsum with the model; its window and number of parallel calls hold for all three.
        budget: The length that is requested.
        options: How longsum summarizes.
        judge: A model of entailment, used in addition to longsum's checks, if any.
        done: Called with the number of finished documents.
        keep: Receives each summary with its document.

    Raises:
        LongsumError: There is no document, or one has no sentence; or the model is unavailable.
    """
    meter = Meter(system.model)
    parallel = system.options.parallel
    ways: list[Summarizer] = [
        _Bare(meter, system.window, parallel),
        _Hierarchical(meter, system.window, parallel),
        _Longsum(meter, WriterSummarizer(meter, system.options), options),
    ]
    examples = [
        Example(name, document, (), "", "", {}, options.focus or "")
        for name, document in documents.items()
    ]
    metric = {NAME: writer_metric(meter, budget, judge)}
    return compare(examples, ways, budget, metrics=[NAME], more=metric, done=done, keep=keep)


def citation_scores(cited: Cited, supports: Supports) -> tuple[float, float]:
    """Return citation recall and precision, in per cent (ALCE, Gao et al. 2023, §3).

    Recall is the share of sentences that their sources together support. A source is precise if
    its sentence is supported, and either the source supports it alone or the others do not.

    Args:
        cited: The sentences; if there are none, both scores are 0.
        supports: Tells whether sources support a sentence.
    """
    precise = sources = supported_sentences = 0
    for text, units in cited:
        supported = bool(units) and supports(text, units)
        supported_sentences += supported
        sources += len(units)
        for unit in units if supported else ():
            others = [other for other in units if other != unit]
            precise += not others or supports(text, [unit]) or not supports(text, others)
    return 100 * supported_sentences / max(len(cited), 1), 100 * precise / max(sources, 1)


_SCORES = (
    ScoreInfo("read", "sentences of the document that the model read", PER_CENT, "higher"),
    ScoreInfo("sections", "sections that the summary leads back to", PER_CENT, "higher"),
    ScoreInfo("recall", "sentences that their sources support", PER_CENT, "higher"),
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
"""The description of the scores."""


def writer_metric(meter: Meter, budget: Budget, judge: ClaimChecker | None) -> Metric:
    """Return the metric by which the three ways to use a model are compared.

    A sentence without sources gets those that its words lead to, as a reader would search for
    them; for such text, recall is how much of it the document supports at all.

    Args:
        meter: The meter that counted the calls of the scored summary.
        budget: The length that is requested.
        judge: A model of entailment; None for the checks alone.
    """
    grounds: list[_Grounds] = []

    def score(summary: Summary, example: Example) -> dict[str, float]:
        if not grounds or grounds[0].document is not example.document:
            grounds[:] = [_Grounds(example.document)]
        return _scored(summary, grounds[0], meter, budget, judge)

    variant = (
        "recall, precision: ALCE (Gao et al. 2023), with support if no check has a doubt; text "
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
        """Return the positions that a sentence cites, or else those that its words lead to."""
        cited = tuple(dict.fromkeys(source.sentence for source in sentence.sources))
        return cited or tuple(source.sentence for source in self._aligner.align(sentence.text))

    def supports(self, text: str, units: Collection[int]) -> bool:
        """Return whether a sentence has no doubt, given its sources."""
        return not self.verifier.doubts(text, sorted(units))

    def entailed(self, judge: ClaimChecker) -> Supports:
        """Return a function that asks a model whether sources entail a sentence."""
        return lambda text, units: (
            judge.consistency(text, " ".join(self.texts[unit] for unit in sorted(units)))
            >= _ENTAILED
        )


def _scored(
    summary: Summary, grounds: _Grounds, meter: Meter, budget: Budget, judge: ClaimChecker | None
) -> dict[str, float]:
    document, sentences = summary.document, summary.sentences
    cited = [(sentence.text, grounds.cited(sentence)) for sentence in sentences]
    sections = [section for section in document.walk() if section.sentences]
    cited_sections = {document.section_of(unit).number for _, units in cited for unit in units}
    recall, precision = citation_scores(cited, grounds.supports)
    document_sentences = {*grounds.texts}
    capacity = budget.capacity(document)
    excess = sum(budget.cost(sentence.text) for sentence in sentences) / max(capacity, 1) - 1
    scores = {
        "read": 100 * len(meter.read) / len(document.sentences),
        "sections": 100 * len(cited_sections) / len(sections),
        "recall": recall,
        "precision": precision,
        "flagged": _share([not (units and grounds.supports(text, units)) for text, units in cited]),
        "copied": _share([text in document_sentences for text, _ in cited]),
        "length_error": 100 * abs(excess),
        "too_long": 100 * max(excess, 0.0),
        "calls": float(meter.calls),
        "tokens": float(meter.tokens),
        "seconds_each": meter.seconds,
    }
    if judge is not None:
        judged = citation_scores(cited, grounds.entailed(judge))
        scores |= zip(("judged_recall", "judged_precision"), judged, strict=True)
    return scores


def _share(flags: Sequence[bool]) -> float:
    return 100 * fmean(flags) if flags else 0.0
