"""Compares systems on a data set: same documents, same length, every score with an interval.

It is above systems, data sets and metrics, which do not know each other.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from time import perf_counter

from longsum.common.errors import LongsumError
from longsum.common.extras import is_installed, requirement
from longsum.common.wording import did_you_mean, quote
from longsum.core.pipeline import DEFAULTS, Options, summarize_with
from longsum.core.summaries import Budget, Summary
from longsum.core.systems.system import Summarizer
from longsum.evaluation.datasets import Example
from longsum.lab.comparison.comparison_metrics import (
    MODEL_METRICS,
    Metric,
    metric_infos,
    summary_metrics,
)
from longsum.lab.comparison.comparison_results import Measured, Results
from longsum.language.words import count_words

EMPTY: Mapping[str, Metric] = {}


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
    spare: bool = False,
    options: Options = DEFAULTS,
    done: Callable[[int], None] = lambda _: None,
    keep: Callable[[Example, Summary], None] = lambda *_: None,
) -> Results:
    """Summarize every document with every system, and score the summaries.

    Args:
        examples: Documents with references; streamed.
        systems: The systems; differences are measured from the first.
        budget: The length of every summary.
        metrics: Names of `summary_metrics` or of `more`.
        more: Further metrics, such as `metrics_of` returns.
        spare: Whether a metric that scores none of the documents is left out, with the reason in
            `Results.left_out`, and not refused.
        options: How every system summarizes; the focus is the question of an example that has one
            (`Example.question`).
        done: Called with the number of finished documents.
        keep: Receives each summary with its example.

    Raises:
        LongsumError: A metric is unknown, or scores none of the documents, or there are none.
    """
    known = {**summary_metrics(), **more}
    chosen = {name: known[name] for name in known_metrics(metrics, more)}
    scored: set[str] = set()
    ids: list[str] = []
    measured = [Measured(system.name) for system in systems]
    for example in examples:
        for system, own in zip(systems, measured, strict=True):
            summary, taken = _summarized(example, system, budget, options)
            keep(example, summary)
            scores = {name: metric.score(summary, example) for name, metric in chosen.items()}
            scored |= {name for name, found in scores.items() if found}
            every = {name: score for found in scores.values() for name, score in found.items()}
            own.add(every, summary.words, taken)
        ids.append(example.id)
        done(len(ids))
    if not ids:
        raise no_documents()
    unscored = [name for name in chosen if name not in scored]
    if unscored and not spare:
        raise LongsumError(
            f"The metric '{unscored[0]}' scores none of these documents; leave it out of "
            "--metrics, or choose another data set."
        )
    return Results(
        ids=ids,
        budget=budget,
        variants=[metric.variant() for name, metric in chosen.items() if name in scored],
        systems=[own.result() for own in measured],
        left_out=dict.fromkeys(unscored, "it scores none of these documents"),
    )


def _summarized(
    example: Example, system: Summarizer, budget: Budget, options: Options
) -> tuple[Summary, float]:
    """Return a system's summary of an example, and the seconds that it took."""
    if example.question:
        options = replace(options, focus=example.question)
    began = perf_counter()
    references = example.references
    summary = summarize_with(example.document, budget, system, options, references=references)
    return summary, perf_counter() - began


def available_metrics(more: Collection[str] = ()) -> tuple[list[str], dict[str, str]]:
    """Return the metrics that can be computed here, and why each of the others cannot.

    Args:
        more: Names of those that need a model, for which there is one.
    """
    names, left_out = [], {}
    for name, info in metric_infos().items():
        if info.model and name not in more:
            left_out[name] = f"it needs a model; add {info.model}"
        elif info.package is not None and not is_installed(info.package):
            left_out[name] = f"it needs pip install '{requirement(info.package)}'"
        else:
            names.append(name)
    return names, left_out


def known_metrics(names: Iterable[str], more: Collection[str] = ()) -> list[str]:
    """Return the names of metrics, stripped and checked.

    Args:
        names: The names.
        more: Names of those that need a model, for which there is one.

    Raises:
        LongsumError: There is no such metric, or no model for it.
    """
    found = [name.strip() for name in names]
    ready = summary_metrics()
    known = [*ready, *MODEL_METRICS]
    for name in found:
        if name in ready or name in more:
            continue
        if name in MODEL_METRICS:
            raise LongsumError(
                f"The metric '{name}' needs a model; add {MODEL_METRICS[name].model}."
            )
        raise LongsumError(
            f"There is no metric {quote(name)}; choose from {', '.join(known)}."
            f"{did_you_mean(name, known)}"
        )
    return found


def no_documents() -> LongsumError:
    """Return the error that there is nothing to evaluate on."""
    return LongsumError("There is no document to evaluate on; choose another split or limit.")
