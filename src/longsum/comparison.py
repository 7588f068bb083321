"""Compares systems on a data set: same documents, same length, every score with an interval.

It is above systems, data sets and metrics, which do not know each other.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from statistics import fmean
from time import perf_counter
from typing import Any

from longsum.datasets import Example
from longsum.errors import LongsumError
from longsum.evaluation import (
    READABILITY_VARIANT,
    Comparison,
    Interval,
    RougeConfig,
    approximate_randomization,
    bootstrap_interval,
    coherence_difference,
    extractiveness,
    meteor,
    meteor_variant,
    novel_ngrams,
    paired_bootstrap,
    readability,
    repeated_ngrams,
    rouge,
    sentiment_divergence,
    topic_divergence,
)
from longsum.evaluation.apes import Answerer, ApesScorer
from longsum.evaluation.cloze import ClozeMaker
from longsum.evaluation.consistency import ClaimChecker, factcc
from longsum.language.words import count_words
from longsum.pipeline import DEFAULTS, Options, summarize_with
from longsum.summaries import Budget, Summary
from longsum.systems.system import Summarizer
from longsum.wording import did_you_mean, quote

Scores = dict[str, float]
EMPTY: Mapping[str, "Metric"] = {}


@dataclass(frozen=True, slots=True)
class Metric:
    """A group of scores that are computed together, and the variant to report with them."""

    score: Callable[[Summary, Example], Scores]
    variant: Callable[[], str]


def _rouge(summary: Summary, example: Example) -> Scores:
    scores = rouge(summary.text, example.references)
    return {name: 100 * scores[name].fmeasure for name in scores}


def _meteor(summary: Summary, example: Example) -> Scores:
    return {"meteor": 100 * meteor(summary.text, example.references)}


def _copying(summary: Summary, example: Example) -> Scores:
    found = extractiveness(summary.text, example.document.text)
    return {
        "coverage": found.coverage,
        "density": found.density,
        "compression": found.compression,
        "novel_2grams": novel_ngrams(summary.text, example.document.text, 2),
    }


def _redundancy(summary: Summary, example: Example) -> Scores:  # noqa: ARG001
    return {f"repeated_{n}grams": 100 * repeated_ngrams(summary.text, n) for n in (2, 3)}


def _representativeness(summary: Summary, example: Example) -> Scores:
    return {
        "topic_kl": topic_divergence(summary.text, example.document.text),
        "sentiment_kl": sentiment_divergence(summary.text, example.document.text),
        "coherence_difference": coherence_difference(summary.text, example.document.text),
    }


def _readability(summary: Summary, example: Example) -> Scores:
    found = readability(
        [sentence.text for sentence in summary.sentences],
        [
            next(
                (source.sentence for source in sentence.sources[:1] if source.method == "copied"),
                None,
            )
            for sentence in summary.sentences
        ],
        example.document,
    )
    return asdict(found)


def metrics_of(
    answerer: Answerer | None, checker: ClaimChecker | None, cloze: ClozeMaker | None = None
) -> dict[str, Metric]:
    """Return the metrics that need a model, for those models that are given.

    Args:
        answerer: Answers questions, for `apes`; such as
            `longsum.models.checkers.span_answerer.SpanAnswerer`.
        checker: Checks claims, for `factcc`; such as
            `longsum.models.checkers.claim_scorer.ClaimScorer`.
        cloze: Makes the questions of `apes`; by default by rules.
    """
    found: dict[str, Metric] = {}
    if answerer is not None:
        scorer = ApesScorer(answerer, cloze or ClozeMaker())

        def apes(summary: Summary, example: Example) -> Scores:
            scores = scorer.score(summary.text, example.references, _sentences(example))
            return {
                "apes": 100 * scores.apes,
                "apes_src": 100 * scores.apes_src,
                "questions": float(scores.questions),
            }

        found["apes"] = Metric(apes, lambda: f"APES, APES_src: {scorer.cloze.variant}")
    if checker is not None:

        def consistency(summary: Summary, example: Example) -> Scores:
            claims = [sentence.text for sentence in summary.sentences]
            return {"factcc": 100 * factcc(claims, _sentences(example), checker)[0]}

        found["factcc"] = Metric(
            consistency, lambda: "FactCC: mean probability over sentences, contexts by ROUGE-2"
        )
    return found


def _sentences(example: Example) -> list[str]:
    return [sentence.text for sentence in example.document.sentences]


METRICS: Mapping[str, Metric] = {
    "rouge": Metric(_rouge, lambda: RougeConfig().variant),
    "meteor": Metric(_meteor, meteor_variant),
    "copying": Metric(_copying, lambda: "coverage, density, compression: Grusky et al. 2018"),
    "redundancy": Metric(_redundancy, lambda: "repeated n-grams, in per cent"),
    "readability": Metric(_readability, lambda: READABILITY_VARIANT),
    "representativeness": Metric(
        _representativeness, lambda: "topic KL, sentiment KL, Δcoherence: MLS §3; lower is better"
    ),
}
"""Groups of scores by their names for `longsum evaluate --metrics`."""

MODEL_OPTIONS: Mapping[str, str] = {"apes": "--qa-model", "factcc": "--claim-model"}
"""The metrics that need a model, with the option that names its folder; see `metrics_of`."""


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system's scores.

    Attributes:
        system: Its name.
        scores: The values of each metric, one per document.
        words: Words of each summary.
        seconds: Total time spent on summarizing.
    """

    system: str
    scores: Mapping[str, Sequence[float]]
    words: Sequence[int]
    seconds: float

    def interval(self, metric: str) -> Interval:
        """Return the mean of a metric with its 95 % bootstrap interval."""
        return bootstrap_interval(self.scores[metric])


@dataclass(slots=True)
class Measured:
    """What is measured of one system, document by document; see `SystemResult`."""

    system: str
    scores: dict[str, list[float]] = field(default_factory=dict)
    words: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, scores: Mapping[str, float], words: int, seconds: float) -> None:
        """Add the scores of a document, the words made of it, and the time that took."""
        for name, value in scores.items():
            self.scores.setdefault(name, []).append(value)
        self.words.append(words)
        self.seconds += seconds

    def result(self) -> SystemResult:
        """Return all that was measured."""
        return SystemResult(self.system, self.scores, self.words, self.seconds)


@dataclass(frozen=True, slots=True)
class Difference:
    """The lead of a system over the first one by one metric, and its significance."""

    system: str
    metric: str
    bootstrap: Comparison
    randomization_p: float


@dataclass(frozen=True, slots=True)
class Results:
    """The result of a comparison."""

    ids: Sequence[str]
    budget: Budget
    variants: Sequence[str]
    systems: Sequence[SystemResult]

    def differences(self) -> Iterator[Difference]:
        """Yield each later system's difference from the first, metric by metric."""
        first, *others = self.systems
        for other in others:
            for metric, values in other.scores.items():
                yield Difference(
                    other.system,
                    metric,
                    paired_bootstrap(values, first.scores[metric]),
                    approximate_randomization(values, first.scores[metric]),
                )

    def beside(self, other: "Results") -> "Results":
        """Return the results of both comparisons, these systems first.

        Raises:
            LongsumError: They are not of the same documents, length and metrics.
        """
        if (list(self.ids), self.budget, list(self.variants)) != (
            list(other.ids),
            other.budget,
            list(other.variants),
        ):
            raise LongsumError(
                "Results can be joined only if their documents, length and metrics are the same; "
                "run the comparison again."
            )
        return replace(self, systems=[*self.systems, *other.systems])

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Results":
        """Return the result that `to_json` has written."""
        systems = [
            SystemResult(each["system"], each["scores"], each["words"], each["seconds"])
            for each in values["systems"]
        ]
        budget = Budget(**values["length"])
        return cls(values["documents"], budget, values["variants"], systems)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values, with the scores of every document."""
        return {
            "documents": list(self.ids),
            "length": {"amount": self.budget.amount, "unit": self.budget.unit},
            "variants": list(self.variants),
            "systems": [
                {
                    "system": result.system,
                    "words": list(result.words),
                    "seconds": round(result.seconds, 3),
                    "mean": {name: _interval(result.interval(name)) for name in result.scores},
                    "scores": {name: list(values) for name, values in result.scores.items()},
                }
                for result in self.systems
            ],
            "differences_from_first": [
                {
                    "system": found.system,
                    "metric": found.metric,
                    "difference": found.bootstrap.difference,
                    "low": found.bootstrap.low,
                    "high": found.bootstrap.high,
                    "p_bootstrap": found.bootstrap.p_value,
                    "p_randomization": found.randomization_p,
                }
                for found in self.differences()
            ],
        }


def mean_reference_length(examples: Iterable[Example]) -> Budget:
    """Return the mean number of words of the references, as a budget.

    Raises:
        LongsumError: There is no example.
    """
    lengths = [
        fmean(count_words(reference) for reference in example.references) for example in examples
    ]
    if not lengths:
        raise no_documents()
    return Budget(max(1, round(fmean(lengths))))


def compare(
    examples: Iterable[Example],
    systems: Sequence[Summarizer],
    budget: Budget,
    *,
    metrics: Sequence[str] = ("rouge",),
    more: Mapping[str, Metric] = EMPTY,
    options: Options = DEFAULTS,
    done: Callable[[int], None] = lambda _: None,
    keep: Callable[[str, Summary], None] = lambda *_: None,
) -> Results:
    """Summarize every document with every system, and score the summaries.

    Args:
        examples: Documents with references; streamed.
        systems: The systems; differences are measured from the first.
        budget: The length of every summary.
        metrics: Names in `METRICS` or in `more`.
        more: Further metrics, such as `metrics_of` returns.
        options: How every system summarizes; the focus is the question of an example that has one
            (`Example.question`).
        done: Called with the number of finished documents.
        keep: Receives each summary with the id of its document.

    Raises:
        LongsumError: A metric is unknown, or there are no examples.
    """
    known = {**METRICS, **more}
    chosen = [known[name] for name in known_metrics(metrics, more)]
    ids: list[str] = []
    measured = [Measured(system.name) for system in systems]
    for example in examples:
        asked = replace(options, focus=example.question) if example.question else options
        for system, own in zip(systems, measured, strict=True):
            began = perf_counter()
            summary = summarize_with(
                example.document, budget, system, asked, references=example.references
            )
            taken = perf_counter() - began
            keep(example.id, summary)
            scores = (metric.score(summary, example).items() for metric in chosen)
            own.add(dict(chain.from_iterable(scores)), summary.words, taken)
        ids.append(example.id)
        done(len(ids))
    if not ids:
        raise no_documents()
    return Results(
        ids=ids,
        budget=budget,
        variants=[metric.variant() for metric in chosen],
        systems=[own.result() for own in measured],
    )


def known_metrics(names: Iterable[str], more: Collection[str] = ()) -> list[str]:
    """Return the names of metrics, stripped and checked.

    Args:
        names: The names.
        more: Names of those that need a model, for which there is one.

    Raises:
        LongsumError: There is no such metric, or no model for it.
    """
    found = [name.strip() for name in names]
    known = [*METRICS, *MODEL_OPTIONS]
    for name in found:
        if name in METRICS or name in more:
            continue
        if name in MODEL_OPTIONS:
            raise LongsumError(
                f"The metric '{name}' needs a model; give its folder as {MODEL_OPTIONS[name]}."
            )
        raise LongsumError(
            f"There is no metric {quote(name)}; choose from {', '.join(known)}."
            f"{did_you_mean(name, known)}"
        )
    return found


def no_documents() -> LongsumError:
    """Return the error that there is nothing to evaluate on."""
    return LongsumError("There is no document to evaluate on; choose another split or limit.")


def _interval(interval: Interval) -> dict[str, float]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}
