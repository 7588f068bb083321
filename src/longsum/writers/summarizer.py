"""A language model as a system, with planned calls and sentences traced to their sources."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import accumulate
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any, ClassVar, Literal, Self

from pydantic import ConfigDict

from longsum.common.checked_settings import CLOSED, Size, parse_settings
from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained
from longsum.common.wording import counted
from longsum.core.grounding.alignment import Aligner
from longsum.core.grounding.rouge_tokens import stem
from longsum.core.grounding.verification import Verifier
from longsum.core.loading import load_model, load_system
from longsum.core.recipes import DEFAULT
from longsum.core.summaries import (
    Budget,
    Coverage,
    FinishReason,
    Method,
    Notice,
    SourceSpan,
    Summary,
    SummarySentence,
)
from longsum.core.summaries.notices import notices_of, unverified
from longsum.core.systems.system import Progress, Request, System
from longsum.documents.model import Document
from longsum.documents.subset import subset
from longsum.language.words import content_terms
from longsum.writers.calls import ChatModel, Feature
from longsum.writers.endpoint import endpoint_of
from longsum.writers.estimates import Estimate, keep_rate, seconds_for
from longsum.writers.plan import Node, Sizes, plan_of, requested_words
from longsum.writers.prompt import Prompter, numbered
from longsum.writers.reply import Written
from longsum.writers.store import ReplyStore
from longsum.writers.tokens import TokenCount, Window
from longsum.writers.writing_run import Extract, Record, Unsupported, WritingRun


@dataclass(frozen=True, slots=True)
class WriterOptions:
    """How a language model is used.

    Attributes:
        context: Tokens of the model's window; None for the size stated by the model or its server.
        parallel: Number of concurrent calls.
        allow_net: Whether servers on other machines may be called.
        unsupported: What to do with sentences without a source.
        use: Optional features, used if the server has them; `datamark` marks the document's blanks,
            so that a model can tell it from the instructions.
    """

    context: Size | None = None
    parallel: Size = 1
    allow_net: bool = False
    unsupported: Unsupported = "flag"
    use: tuple[Feature | Literal["datamark"], ...] = ()

    __pydantic_config__: ClassVar[ConfigDict] = CLOSED


class WriterSummarizer(System):
    """Summarizes with a language model, which takes a conversation.

    The document is divided along its sections so that each sentence is in exactly one call;
    answers cite sentences by number, merges keep the numbers (`longsum.writers.plan`). Parts whose
    calls fail are extracted, which the summary states.
    """

    writes = True
    takes_focus = True
    keeps_work = True

    def __init__(self, model: ChatModel, options: WriterOptions) -> None:
        """Make the system; the model is asked for its window."""
        self.model = model
        self.options = options
        self._folder: Path | None = None
        self._progress: Progress = lambda *_: None
        self._records: list[Record] = []
        self.name = model.name
        self.window: Window = model.window()

    @property
    def settings(self) -> dict[str, Any]:
        """The model and its call parameters."""
        return {
            **self.model.identity,
            "context": self.window.tokens,
            "unsupported": self.options.unsupported,
            "temperature": 0.0,
            **({"use": [*self.options.use]} if self.options.use else {}),
        }

    @property
    def spent(self) -> str:
        """The resources that calls of this system have used so far."""
        tokens = sum(each.read + each.wrote for each in self._records)
        return f"{tokens:,} tokens" if tokens else ""

    @property
    def key(self) -> str:
        """The key of stored replies and rates."""
        return "#".join(self.model.identity.values())

    def record(self) -> Record:
        """Return a new record of calls, included in `spent`."""
        self._records.append(Record())
        return self._records[-1]

    def prompter(self, secret: bytes, focus: str | None = None, *, calls: bool = True) -> Prompter:
        """Return a prompter for the options.

        Args:
            secret: The seed of the marks.
            focus: What the reader wants to know about.
            calls: Whether the model may be called to test for features.
        """
        use = {*self.options.use}
        features: tuple[Feature, ...] = ("stream", "json_schema")
        for feature in features if calls else ():
            if feature in use and not self.model.enable(feature):
                use.remove(feature)
        return Prompter(secret, focus, "json_schema" in use, "datamark" in use)

    def resuming_in(self, folder: Path | None, progress: Progress | None) -> Self:
        """Return the system with its replies stored in a folder, and its progress reported."""
        changed = copy(self)
        changed._folder = folder
        changed._progress = progress or self._progress
        return changed

    def estimate(self, request: Request) -> Estimate:
        """Estimate the cost of a summary, without a call for an answer."""
        return self.estimated(*self.costs(request))

    def costs(self, request: Request) -> tuple[list[tuple[int, int]], bool]:
        """Return the tokens that each call reads and writes, and whether they were measured."""
        prompter = self.prompter(b"", request.focus, calls=False)
        plan, count = plan_of(request, self.model, self.window, prompter)
        tokens = [
            (_prompt_tokens(node, prompter, count, plan.sizes), plan.sizes.expected(node.target))
            for level in plan.levels
            for node in level
        ]
        return tokens, count.measured

    def estimated(self, costs: Sequence[tuple[int, int]], measured: bool) -> Estimate:
        """Return the estimate for calls that read and write given numbers of tokens."""
        read, written = (sum(each) for each in zip(*costs, strict=True))
        one_by_one = seconds_for(self.key, read, written)
        seconds = None if one_by_one is None else one_by_one / self.options.parallel
        return Estimate(len(costs), read, written, self.window, measured, seconds)

    def lengths(self, request: Request, budgets: Sequence[Budget]) -> Iterator[Summary]:
        """Write each length separately."""
        for budget in budgets:
            yield self._summary(replace(request, budget=budget))

    def _summary(self, request: Request) -> Summary:
        began = perf_counter()
        document, budget = request.document, request.budget
        store = ReplyStore.open(self._folder, self.key)
        prompter = self.prompter(store.secret, request.focus)
        plan, count = plan_of(request, self.model, self.window, prompter)
        run = WritingRun(
            document,
            self.model,
            plan,
            prompter=prompter,
            store=store,
            count=count,
            extract=_extractor(request),
            seed=request.seed,
            parallel=self.options.parallel,
            progress=self._progress,
            record=self.record(),
        )
        grounding = Grounding(document, self.options.unsupported)
        written = run.write()
        written_at = perf_counter()
        capacity = budget.capacity(document)
        if sum(budget.cost(each.text) for each in written) > capacity:
            written = run.shortened(written, requested_words(request))
        keep_rate(self.key, run.record.read, run.record.wrote, run.record.seconds)
        sentences = grounding.sentences(written)
        spent = accumulate(budget.cost(each.text) for each in sentences)
        kept = [each for each, total in zip(sentences, spent, strict=True) if total <= capacity]
        cut: FinishReason = "budget" if kept else "nothing_fits"
        ended = cut if len(kept) < len(sentences) else "model_end"
        return Summary(
            document=document,
            sentences=tuple(kept),
            budget=budget,
            coverage=Coverage.whole(document),
            system=self.name,
            settings=self.settings | request.named_focus,
            seed=request.seed,
            finish_reason=ended,
            notices=(
                *notices_of(document),
                *self._call_notices(run.record, grounding.unsupported),
                *([Notice("length", f"No sentence fits in {budget}.")] * (ended == "nothing_fits")),
                *unverified(kept),
            ),
            timings={"write": written_at - began, "align": perf_counter() - written_at},
        )

    def _call_notices(self, record: Record, unsupported: int) -> Iterator[Notice]:
        """Yield notices about the calls."""
        writing, reading = partial(Notice, "writing"), partial(Notice, "reading")
        if self.model.dropped:
            yield writing(
                f"{self.name} is called without settings that it does not accept: "
                f"{', '.join(sorted(self.model.dropped))}."
            )
        if not self.window.known_by:
            yield reading(
                f"The server does not say how much {self.name} reads; {self.window.tokens:,} "
                "tokens are assumed. Set the number with --context."
            )
        if record.failed:
            done = record.calls + len(record.failed)
            reasons = dict.fromkeys(record.failed)
            yield writing(
                f"{len(record.failed)} of {counted(done, 'call')} failed; their parts are "
                f"extracted, not written: {'; '.join([*reasons][:3])}."
            )
        if record.foreign:
            yield writing(
                f"{counted(record.foreign, 'sentence')} left out because of an address that is not "
                "in the document."
            )
        if unsupported:
            drops = self.options.unsupported == "drop"
            left = "left out" if drops else "replaced by what the document says"
            yield writing(f"{counted(unsupported, 'sentence')} without support {left}.")
        if record.invalid:
            yield writing(
                f"The model cited {counted(record.invalid, 'number')} of sentences that it was not "
                "shown; they were dropped."
            )
        if record.unchecked:
            yield reading(
                f"The server does not say how much it read in {counted(record.unchecked, 'call')}; "
                "whether it cut a prompt could not be checked."
            )


def _prompt_tokens(node: Node, prompter: Prompter, count: TokenCount, sizes: Sizes) -> int:
    """Return the tokens of a call's prompt, with answers in it at their requested length."""
    lines = [numbered(piece.unit, piece.text) for piece in node.pieces]
    messages = prompter.summary(node.titles, lines, node.target, merges=bool(node.inputs))
    own = count("".join(text for _, text in messages))
    return own + sum(sizes.expected(each.target) for each in node.inputs)


class Grounding:
    """Turns a model's output into sentences with sources and doubts.

    Attributes:
        unsupported: Number of sentences left out or replaced for lack of support.
    """

    def __init__(self, document: Document, unsupported: Unsupported = "flag") -> None:
        self._document = document
        self._choice = unsupported
        self.unsupported = 0
        self._texts = [sentence.text for sentence in document.sentences]
        self._verifier = Verifier(self._texts, ahead=True)

    @cached_property
    def _aligner(self) -> Aligner:
        return Aligner(self._texts)

    def sentences(self, written: Sequence[Written]) -> tuple[SummarySentence, ...]:
        """Return the sentences, without repetitions of earlier ones."""
        sentences: dict[str, SummarySentence] = {}
        for each in written:
            step = len(sentences)
            sentence: SummarySentence | None = self._sentence(each, step)
            if sentence and not sentence.verified and self._choice != "flag":
                self.unsupported += 1
                sentence = self._source_of(sentence, step) if self._choice == "replace" else None
            if sentence:
                sentences.setdefault(sentence.text, sentence)
        return tuple(sentences.values())

    def _sentence(self, written: Written, step: int) -> SummarySentence:
        words = {stem(term) for term in content_terms(written.text)}
        share = self._verifier.evidence.share
        shares = {unit: float(share(words, (unit,))) for unit in written.units}
        ordered = sorted(shares, key=lambda unit: (-shares[unit], unit))
        copied = [unit for unit in ordered if self._texts[unit] == written.text]
        if copied:
            return self._copy(copied[0], step)
        method: Method = "aligned" if written.found else "cited"
        sources = tuple(
            SourceSpan.of(self._document, unit, shares[unit], method) for unit in ordered
        )
        best = shares[ordered[0]] if ordered else 0.0
        reasons = {"overlap": best} if ordered else {}
        doubts = self._verifier.doubts(written.text, ordered)
        return SummarySentence(written.text, sources, best, reasons, step, doubts=doubts)

    def _source_of(self, sentence: SummarySentence, step: int) -> SummarySentence | None:
        """Return the document sentence that a sentence is based on, or the closest one."""
        places = [source.sentence for source in sentence.sources]
        places = places or [each.sentence for each in self._aligner.align(sentence.text)]
        return self._copy(places[0], step) if places else None

    def _copy(self, unit: int, step: int) -> SummarySentence:
        source = SourceSpan.of(self._document, unit)
        return SummarySentence(self._texts[unit], (source,), 1.0, {"copied": 1.0}, step)


def _extractor(request: Request) -> Extract:
    """Return the replacement for failed calls: the default system, loaded once."""
    lock, load = Lock(), cache(lambda: load_system(DEFAULT))

    def extract(units: Sequence[int], words: int) -> list[Written]:
        part, places = subset(request.document, units), sorted(set(units))
        try:
            with lock:
                made = load().summarize(part, Budget(words), focus=request.focus)
        except LongsumError:
            return []
        chosen = (places[sentence.sources[0].sentence] for sentence in made.sentences)
        return [Written(request.document.sentences[place].text, (place,)) for place in chosen]

    return extract


def load_chat(name: str, *, allow_net: bool = False) -> ChatModel:
    """Load a language model for other purposes than summaries.

    Args:
        name: Its folder, its id on the Hub, or the address or name of an endpoint.
        allow_net: Whether an endpoint on another machine may be called.

    Raises:
        LongsumError: There is no such model, or its endpoint may not be called.
    """
    settings: dict[str, Any] = {"allow_net": True} if allow_net else {}
    system = load_model(name, **settings)
    assert isinstance(system, WriterSummarizer)
    return system.model


@missing_extras_explained()
def load_endpoint(address: str, **settings: Any) -> System:
    """Load the model behind an endpoint.

    Args:
        address: An address, or the name that the user gave it (`longsum.writers.endpoint`).
        settings: Of `WriterOptions`.

    Raises:
        LongsumError: The server is not this machine, does not answer, has no such model, or several
            of which none is named; or a setting is unknown.
    """
    # Imports that need the extra are made where its absence is explained.
    from longsum.writers.client import Client

    endpoint = endpoint_of(address)
    assert endpoint is not None
    options = parse_settings(WriterOptions, settings, "endpoint")
    if options.context is not None:
        endpoint = replace(endpoint, context=options.context)
    return WriterSummarizer(Client(endpoint, allow_net=options.allow_net).find_model(), options)
