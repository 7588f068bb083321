"""Scores of systems, document by document; their intervals and tests, also as table rows."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from statistics import fmean
from typing import Any

from longsum.common.errors import LongsumError
from longsum.core.summaries import Budget
from longsum.evaluation.metrics.significance import (
    FEWEST_PAIRED,
    AnalysisOfVariance,
    Comparison,
    Interval,
    analysis_of_variance,
    approximate_randomization,
    bootstrap_interval,
    corrected,
    effect_size,
    paired_bootstrap,
)

PRINTED_ROUGE = ("rouge1", "rouge2", "rougeLsum")
"""The scores that most papers call ROUGE-1, ROUGE-2 and ROUGE-L."""


@dataclass(slots=True)
class SystemResult:
    """One system's scores, which are added document by document.

    Attributes:
        system: Its name.
        scores: The values of each score, one per document; nan if a document has none.
        words: Words of each summary.
        seconds: Total time spent on summarizing.
    """

    system: str
    scores: dict[str, list[float]] = field(default_factory=dict)
    words: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, scores: Mapping[str, float], words: int, seconds: float) -> None:
        """Add the scores of a document, the words of its summary, and the time that it took."""
        before = len(self.words)
        for name in {**self.scores, **scores}:
            self.scores.setdefault(name, [math.nan] * before).append(scores.get(name, math.nan))
        self.words.append(words)
        self.seconds += seconds

    def interval(self, metric: str) -> Interval:
        """Return a score's mean over the documents that have it, with its bootstrap interval."""
        return bootstrap_interval([value for value in self.scores[metric] if not math.isnan(value)])


@dataclass(frozen=True, slots=True)
class Difference:
    """The lead of a system over the first one in one metric, and its significance.

    Attributes:
        system: The system.
        metric: The metric.
        bootstrap: The difference, with its interval and p-value from resampling.
        randomization_p: The p-value of approximate randomization.
        corrected_p: The same, corrected by Holm's procedure for the number of systems that are
            compared with the first in this metric.
        effect: The mean difference in standard deviations of the documents' differences.
    """

    system: str
    metric: str
    bootstrap: Comparison
    randomization_p: float
    corrected_p: float
    effect: float


@dataclass(frozen=True)
class Results:
    """The result of a comparison.

    Attributes:
        ids: The identifiers of the documents.
        budget: The length of every summary.
        variants: How each metric is computed.
        systems: The systems' scores; differences are measured from the first.
        left_out: Why a requested metric is left out, by its name.
    """

    ids: Sequence[str]
    budget: Budget
    variants: Sequence[str]
    systems: Sequence[SystemResult]
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the systems, with numbers after repeated ones."""
        return _distinct([result.system for result in self.systems])

    @property
    def too_few(self) -> str | None:
        """A caution for readers of paired tests if there are few documents."""
        if len(self.ids) >= FEWEST_PAIRED or len(self.systems) < 2:
            return None
        return (
            f"Paired tests on fewer than {FEWEST_PAIRED} (here {len(self.ids)}) hardly tell which "
            "system is better."
        )

    @cached_property
    def differences(self) -> Sequence[Difference]:
        """Each later system's differences from the first, metric by metric."""
        first, *others = self.systems
        scored = {
            (place, metric): _scored([other, first], metric)
            for place, other in enumerate(others)
            for metric in other.scores
        }
        p_values = {key: approximate_randomization(one, two) for key, (one, two) in scored.items()}
        corrected_p: dict[tuple[int, str], float] = {}
        for metric in dict.fromkeys(metric for _, metric in scored):
            keys = [key for key in scored if key[1] == metric]
            corrected_p |= zip(keys, corrected([p_values[key] for key in keys]), strict=True)
        return tuple(
            Difference(
                others[place].system,
                metric,
                paired_bootstrap(values, base),
                p_values[place, metric],
                corrected_p[place, metric],
                effect_size(values, base),
            )
            for (place, metric), (values, base) in scored.items()
        )

    def analyses(self) -> dict[str, AnalysisOfVariance]:
        """Return the analysis of variance of each score, and of mean ROUGE.

        Stepwise (§6.2) tests the average of its ROUGE scores; here, `rouge_mean` is that of the
        three that papers print (`PRINTED_ROUGE`). Scores of fewer than two documents are left out.

        Raises:
            LongsumError: As for `analysis_of_variance`.
        """
        names = self.names
        by_score = {name: _scored(self.systems, name) for name in self.systems[0].scores}
        if all(name in by_score for name in PRINTED_ROUGE):
            systems = zip(*(by_score[name] for name in PRINTED_ROUGE), strict=True)
            by_score["rouge_mean"] = [
                list(map(fmean, zip(*rouges, strict=True))) for rouges in systems
            ]
        return {
            score: analysis_of_variance(dict(zip(names, values, strict=True)))
            for score, values in by_score.items()
            if len(values[0]) > 1
        }

    def joined_with(self, other: "Results") -> "Results":
        """Return the results of both comparisons, with these systems first.

        Raises:
            LongsumError: Their documents, lengths or metrics differ.
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
        """Return the results that `to_json` has written."""
        systems = [
            SystemResult(
                result["system"],
                {name: _read(scores) for name, scores in result["scores"].items()},
                result["words"],
                result["seconds"],
            )
            for result in values["systems"]
        ]
        budget = Budget(**values["length"])
        left_out = values.get("left_out", {})
        return cls(values["documents"], budget, values["variants"], systems, left_out)

    def to_json(self) -> dict[str, Any]:
        """Return the results as JSON values, with the scores of every document."""
        return {
            "documents": list(self.ids),
            "length": {"amount": self.budget.amount, "unit": self.budget.unit},
            "variants": list(self.variants),
            "left_out": dict(self.left_out),
            "systems": [
                {
                    "system": result.system,
                    "words": list(result.words),
                    "seconds": round(result.seconds, 3),
                    "mean": {name: asdict(result.interval(name)) for name in result.scores},
                    "scores": {name: _written(values) for name, values in result.scores.items()},
                }
                for result in self.systems
            ],
            "differences_from_first": [
                {
                    "system": difference.system,
                    "metric": difference.metric,
                    "difference": difference.bootstrap.difference,
                    "low": difference.bootstrap.low,
                    "high": difference.bootstrap.high,
                    "p_bootstrap": difference.bootstrap.p_value,
                    "p_randomization": difference.randomization_p,
                    "p_corrected": difference.corrected_p,
                    "effect": difference.effect if math.isfinite(difference.effect) else None,
                }
                for difference in self.differences
            ],
        }


def _scored(systems: Sequence[SystemResult], metric: str) -> list[list[float]]:
    """Return a score for the documents for which all systems have it, `[systems][documents]`."""
    rows = zip(*(result.scores[metric] for result in systems), strict=True)
    complete = [row for row in rows if not any(map(math.isnan, row))]
    return [[row[place] for row in complete] for place in range(len(systems))]


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names with numbers after repeated ones; two folders may have the same name."""
    return [
        f"{name} ({before + 1})" if (before := names[:place].count(name)) else name
        for place, name in enumerate(names)
    ]


def analyses_to_json(analyses: Mapping[str, AnalysisOfVariance]) -> dict[str, Any]:
    """Return analyses of variance as JSON values; an infinite F is null."""
    return {
        score: {
            **asdict(analysis),
            "f": analysis.f if math.isfinite(analysis.f) else None,
            "groups": dict(analysis.groups()),
        }
        for score, analysis in analyses.items()
    }


def _written(values: Sequence[float]) -> list[float | None]:
    """Return scores for JSON, which has no nan."""
    return [None if math.isnan(value) else value for value in values]


def _read(values: Sequence[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


Rows = tuple[list[str], list[list[str]]]
"""The head of a table, and its rows."""
_LEAST_SHOWN = 0.0001


def difference_rows(results: Results) -> Rows:
    """Return each system's lead over the first, with its interval and tests, as a table."""
    against = f"less {results.names[0]}"
    head = ["system", "metric", against, "95 % interval", "p bootstrap", "p randomization"]
    head += ["p corrected", "effect"]
    return head, [
        [
            difference.system,
            difference.metric,
            f"{difference.bootstrap.difference:+.2f}",
            f"[{difference.bootstrap.low:+.2f}, {difference.bootstrap.high:+.2f}]",
            f"{difference.bootstrap.p_value:.4f}",
            f"{difference.randomization_p:.4f}",
            f"{difference.corrected_p:.4f}",
            f"{difference.effect:+.2f}",
        ]
        for difference in results.differences
    ]


def analysis_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return F and p of each score, with the means and letters of all systems, as a table."""
    first = next(iter(analyses.values()))
    rows = []
    for score, analysis in analyses.items():
        groups = analysis.groups()
        rows.append(
            [
                score,
                f"F({analysis.between}, {analysis.within}) = {analysis.f:.2f}",
                _small_p(analysis.p_value),
                *(f"{mean:.2f} {groups[name]}" for name, mean in analysis.means.items()),
            ]
        )
    return ["score", "F", "p", *first.means], rows


def pair_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return Tukey's test of every pair of systems, score by score, as a table."""
    head = ["system", "less", "score", "difference", "95 % interval", "p Tukey"]
    return head, [
        [
            pair.first,
            pair.second,
            score,
            f"{pair.difference:+.2f}",
            f"[{pair.low:+.2f}, {pair.high:+.2f}]",
            _small_p(pair.p_value),
        ]
        for score, analysis in analyses.items()
        for pair in analysis.pairs
    ]


def _small_p(p_value: float) -> str:
    """Return a p-value that may be tiny, as it is not a share of resamples but computed."""
    return f"{p_value:.4f}" if p_value >= _LEAST_SHOWN else f"<{_LEAST_SHOWN}"
