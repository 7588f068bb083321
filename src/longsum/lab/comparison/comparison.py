"""Comparison of systems on a data set: same documents, same length, every score with an interval.

Systems make summaries, or trees of questions (HIBRIDS, §5.2, §6.1).

This module joins systems, data sets and metrics, which do not depend on each other.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from time import perf_counter

from longsum.common.errors import LongsumError
from longsum.common.extras import is_installed, requirement
from longsum.common.wording import choose_from, quote
from longsum.core.pipeline import DEFAULTS, Options, summarize_with
from longsum.core.questions.question_tree import QuestionTree
from longsum.core.summaries import Budget, Summary
from longsum.core.summaries.question_summary import QuestionSummary
from longsum.core.systems.system import QuestionTreeMaker, Summarizer, TreeOptions
from longsum.evaluation.datasets import Example
from longsum.evaluation.datasets.question_sets import question_trees
from longsum.evaluation.metrics.metric_info import PER_CENT, UPWARDS, MetricInfo, ScoreInfo
from longsum.evaluation.metrics.question_hierarchy import score_hierarchy
from longsum.evaluation.metrics.reference_scores import BLEU_VARIANT, rouge_variant
from longsum.lab.comparison.comparison_metrics import (
    MODEL_METRICS,
    Metric,
    metric_infos,
    summary_metrics,
)
from longsum.lab.comparison.comparison_results import Results, SystemResult
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
    return _mean_budget(lengths)


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
        metrics: Names of metrics in `summary_metrics` or `more`.
        more: Further metrics, such as those that `metrics_of` returns.
        spare: Whether a metric that scores none of the documents is left out, with the reason in
            `Results.left_out`, rather than refused.
        options: How every system summarizes; if an example has a question (`Example.question`), it
            is the focus.
        done: Called with the number of finished documents.
        keep: Receives each summary with its example.

    Raises:
        LongsumError: A metric is unknown or scores none of the documents, or there are no
            documents.
    """
    known = {**summary_metrics(), **more}
    chosen = {name: known[name] for name in known_metrics(metrics, more)}
    scored: set[str] = set()
    ids: list[str] = []
    measured = [SystemResult(system.name) for system in systems]
    for example in examples:
        for system, result in zip(systems, measured, strict=True):
            summary, seconds = _summarized(example, system, budget, options)
            keep(example, summary)
            scores = {name: metric.score(summary, example) for name, metric in chosen.items()}
            scored |= {name for name, of_metric in scores.items() if of_metric}
            flat = {
                name: score for of_metric in scores.values() for name, score in of_metric.items()
            }
            result.add(flat, summary.words, seconds)
        ids.append(example.id)
        done(len(ids))
    if not ids:
        raise _no_documents()
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
        systems=measured,
        left_out=dict.fromkeys(unscored, "it scores none of these documents"),
    )


def _summarized(
    example: Example, system: Summarizer, budget: Budget, options: Options
) -> tuple[Summary, float]:
    """Return a system's summary of an example, and how many seconds it took."""
    if example.question:
        options = replace(options, focus=example.question)
    began = perf_counter()
    references = example.references
    summary = summarize_with(example.document, budget, system, options, references=references)
    return summary, perf_counter() - began


def available_metrics(more: Collection[str] = ()) -> tuple[list[str], dict[str, str]]:
    """Return the metrics that can be computed here, and why each of the others cannot.

    Args:
        more: Names of metrics that need a model and have one.
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

    `more` are names of metrics that need a model and have one.

    Raises:
        LongsumError: There is no such metric, or no model for it.
    """
    stripped = [name.strip() for name in names]
    ready = summary_metrics()
    known = [*ready, *MODEL_METRICS]
    for name in stripped:
        if name in ready or name in more:
            continue
        if name in MODEL_METRICS:
            raise LongsumError(
                f"The metric '{name}' needs a model; add {MODEL_METRICS[name].model}."
            )
        raise LongsumError(f"There is no metric {quote(name)}; {choose_from(name, known)}")
    return stripped


def _mean_budget(lengths: Sequence[float]) -> Budget:
    if not lengths:
        raise _no_documents()
    return Budget(max(1, round(fmean(lengths))))


def _no_documents() -> LongsumError:
    return LongsumError("There is no document to evaluate on; choose another split or limit.")


_COUNTS = ("edits", "pairs", "depth")
"""Scores that are counts; all others are shares, reported times 100."""
HIERARCHY_VARIANT = (
    "hierarchy: HIBRIDS §5.2, edges in the paper's form; edits: §6.1, with additions"
)

HIERARCHY = MetricInfo(
    "How a tree of questions and summaries agrees with a reference tree",
    "HIBRIDS §5.2, §6.1, Table 6",
    (
        ScoreInfo("hierarchy_precision", "edges that the reference has", PER_CENT, "higher"),
        ScoreInfo("hierarchy_recall", "edges of the reference", PER_CENT, "higher"),
        ScoreInfo("hierarchy_f1", "harmonic mean of both", PER_CENT, "higher"),
        ScoreInfo("hierarchy_f1_released", "as the released code has it", PER_CENT, "higher"),
        ScoreInfo("question_bleu4", "BLEU of all questions", PER_CENT, "higher"),
        ScoreInfo("rouge1", "words of all summaries", PER_CENT, "higher"),
        ScoreInfo("rouge2", "pairs of words", PER_CENT, "higher"),
        ScoreInfo("rougeL", "longest common subsequence", PER_CENT, "higher"),
        ScoreInfo("rougeLsum", "the same, sentence by sentence", PER_CENT, "higher"),
        ScoreInfo("edits", "moves and additions that make it the reference", UPWARDS, "lower"),
        ScoreInfo("pairs", "questions with their summaries", UPWARDS, "neither"),
        ScoreInfo("depth", "levels", UPWARDS, "neither"),
    ),
)
"""The description of the scores of trees."""


def compare_trees(
    examples: Iterable[Example],
    makers: Mapping[str, QuestionTreeMaker],
    budget: Budget,
    *,
    done: Callable[[int], None] = lambda _: None,
    keep: Callable[[Example, str, QuestionSummary], None] = lambda *_: None,
) -> Results:
    """Make a tree of every document with every maker, and score it against the references.

    With several reference trees, each score is the mean over them. A maker that answers a given
    question gets the first question of the first reference, which is then left out of BLEU.

    Args:
        examples: Documents of a set with question trees; streamed.
        makers: The makers by name; differences are measured from the first.
        budget: The length of every node.
        done: Called with the number of finished documents.
        keep: Receives each tree with its example and the name of its maker.

    Raises:
        LongsumError: The set has no question trees, or there are no examples.
    """
    ids: list[str] = []
    measured = {name: SystemResult(name) for name in makers}
    for example in examples:
        references = question_trees(example)
        for name, maker in makers.items():
            question = references[0].questions[0].question if maker.needs_question else None
            began = perf_counter()
            made = maker.make(example.document, TreeOptions(budget, question=question))
            seconds = perf_counter() - began
            keep(example, name, made)
            words = sum(node.words for _, node in made.root.walk())
            scores = _scores(made.questions, references, first_question=question is None)
            measured[name].add(scores, words, seconds)
        ids.append(example.id)
        done(len(ids))
    if not ids:
        raise _no_documents()
    return Results(
        ids=ids,
        budget=budget,
        variants=[HIERARCHY_VARIANT, BLEU_VARIANT, rouge_variant()],
        systems=list(measured.values()),
    )


def mean_answer_length(examples: Iterable[Example]) -> Budget:
    """Return the mean number of words of the answers in reference trees, as a budget.

    Raises:
        LongsumError: The set has no question trees, or there is no answer.
    """
    lengths = [
        count_words(pair.answer)
        for example in examples
        for tree in question_trees(example)
        for _, pair in tree.walk()
    ]
    return _mean_budget(lengths)


def _scores(
    made: QuestionTree, references: tuple[QuestionTree, ...], first_question: bool
) -> dict[str, float]:
    by_reference = [score_hierarchy(made, reference, first_question) for reference in references]
    return {
        name: fmean(score[name] for score in by_reference) * (1 if name in _COUNTS else 100)
        for name in by_reference[0]
    }
