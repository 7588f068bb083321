"""Scores of systems, document by document; their intervals and tests, also as rows."""

import math
from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system's scores.

    Attributes:
        system: Its name.
        scores: The values of each score, one per document; nan where it has none.
        words: Words of each summary.
        seconds: Total time spent on summarizing.
    """

    system: str
    scores: Mapping[str, Sequence[float]]
    words: Sequence[int]
    seconds: float

    def interval(self, metric: str) -> Interval:
        """Return the mean of a score with its 95 % bootstrap interval, if documents have it."""
        return bootstrap_interval([value for value in self.scores[metric] if not math.isnan(value)])


@dataclass(slots=True)
class Measured:
    """The measurements of one system, document by document; see `SystemResult`."""

    system: str
    scores: dict[str, list[float]] = field(default_factory=dict)
    words: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, scores: Mapping[str, float], words: int, seconds: float) -> None:
        """Add the scores of a document, the words of its summary, and the time taken."""
        before = len(self.words)
        for name in {**self.scores, **scores}:
            self.scores.setdefault(name, [math.nan] * before).append(scores.get(name, math.nan))
        self.words.append(words)
        self.seconds += seconds

    def result(self) -> SystemResult:
        """Return all that was measured."""
        return SystemResult(self.system, self.scores, self.words, self.seconds)


@dataclass(frozen=True, slots=True)
class Difference:
    """The lead of a system over the first one by one metric, and its significance.

    Attributes:
        system: The system.
        metric: The metric.
        bootstrap: The difference, with its interval and p-value from resampling.
        randomization_p: The p-value of approximate randomization.
        corrected_p: The same, corrected by Holm's procedure for the number of systems that are
            compared with the first by this metric.
        effect: The difference in standard deviations of the documents' differences.
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
        ids: The documents.
        budget: The length of every summary.
        variants: How each metric is computed.
        systems: The systems' scores; differences are measured from the first.
        left_out: Why each metric that was asked for is left out, by its name.
    """

    ids: Sequence[str]
    budget: Budget
    variants: Sequence[str]
    systems: Sequence[SystemResult]
    left_out: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of the systems, with numbers after repeated ones."""
        return _distinct([each.system for each in self.systems])

    @property
    def too_few(self) -> str | None:
        """A caution for readers of paired tests if there are few documents."""
        if len(self.ids) >= FEWEST_PAIRED or len(self.systems) < 2:
            return None
        return (
            f"Paired tests on fewer than {FEWEST_PAIRED} (here {len(self.ids)}) hardly tell which "
            "system is better."
        )

    def differences(self) -> Sequence[Difference]:
        """Return each later system's differences from the first, metric by metric."""
        return self._differences

    @cached_property
    def _differences(self) -> Sequence[Difference]:
        return tuple(self._measured_differences())

    def _measured_differences(self) -> Iterator[Difference]:
        first, *others = self.systems
        scored = {
            (place, metric): _scored([other, first], metric)
            for place, other in enumerate(others)
            for metric in other.scores
        }
        chances = {key: approximate_randomization(one, two) for key, (one, two) in scored.items()}
        of_all: dict[tuple[int, str], float] = {}
        for metric in dict.fromkeys(metric for _, metric in scored):
            keys = [key for key in scored if key[1] == metric]
            of_all |= zip(keys, corrected([chances[key] for key in keys]), strict=True)
        for (place, metric), (values, own) in scored.items():
            yield Difference(
                others[place].system,
                metric,
                paired_bootstrap(values, own),
                chances[place, metric],
                of_all[place, metric],
                effect_size(values, own),
            )

    def analyses(self) -> dict[str, AnalysisOfVariance]:
        """Return the analysis of variance of each score, and that of the mean of ROUGE.

        Stepwise (§6.2) tests the average of its ROUGE scores, here `rouge_mean` of the three that
        papers print (`PRINTED_ROUGE`). A score that fewer than two documents have is left out.

        Raises:
            LongsumError: As for `analysis_of_variance`.
        """
        names = self.names
        found = {name: _scored(self.systems, name) for name in self.systems[0].scores}
        if all(name in found for name in PRINTED_ROUGE):
            systems = zip(*(found[name] for name in PRINTED_ROUGE), strict=True)
            found["rouge_mean"] = [list(map(fmean, zip(*each, strict=True))) for each in systems]
        return {
            score: analysis_of_variance(dict(zip(names, values, strict=True)))
            for score, values in found.items()
            if len(values[0]) > 1
        }

    def beside(self, other: "Results") -> "Results":
        """Return the results of both comparisons, with these systems first.

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
            SystemResult(
                each["system"],
                {name: _read(scores) for name, scores in each["scores"].items()},
                each["words"],
                each["seconds"],
            )
            for each in values["systems"]
        ]
        budget = Budget(**values["length"])
        left_out = values.get("left_out", {})
        return cls(values["documents"], budget, values["variants"], systems, left_out)

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values, with the scores of every document."""
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
                    "system": found.system,
                    "metric": found.metric,
                    "difference": found.bootstrap.difference,
                    "low": found.bootstrap.low,
                    "high": found.bootstrap.high,
                    "p_bootstrap": found.bootstrap.p_value,
                    "p_randomization": found.randomization_p,
                    "p_corrected": found.corrected_p,
                    "effect": found.effect if math.isfinite(found.effect) else None,
                }
                for found in self.differences()
            ],
        }


def _scored(systems: Sequence[SystemResult], metric: str) -> list[list[float]]:
    """Return the scores of documents that all systems have one for, `[systems][documents]`."""
    rows = zip(*(each.scores[metric] for each in systems), strict=True)
    kept = [row for row in rows if not any(map(math.isnan, row))]
    return [[row[place] for row in kept] for place in range(len(systems))]


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names with numbers after repeated ones, as two folders may have the same name."""
    return [
        f"{name} ({before + 1})" if (before := names[:place].count(name)) else name
        for place, name in enumerate(names)
    ]


def analyses_to_json(analyses: Mapping[str, AnalysisOfVariance]) -> dict[str, Any]:
    """Return analyses of variance as JSON values; an infinite F is null."""
    return {
        score: {
            **asdict(found),
            "f": found.f if math.isfinite(found.f) else None,
            "groups": dict(found.groups()),
        }
        for score, found in analyses.items()
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
    """Return each system's lead over the first, with its interval and tests."""
    against = f"less {results.names[0]}"
    head = ["system", "metric", against, "95 % interval", "p bootstrap", "p randomization"]
    head += ["p corrected", "effect"]
    return head, [
        [
            found.system,
            found.metric,
            f"{found.bootstrap.difference:+.2f}",
            f"[{found.bootstrap.low:+.2f}, {found.bootstrap.high:+.2f}]",
            f"{found.bootstrap.p_value:.4f}",
            f"{found.randomization_p:.4f}",
            f"{found.corrected_p:.4f}",
            f"{found.effect:+.2f}",
        ]
        for found in results.differences()
    ]


def analysis_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return F and p of each score, with the means and letters of all systems."""
    first = next(iter(analyses.values()))
    rows = []
    for score, each in analyses.items():
        groups = each.groups()
        rows.append(
            [
                score,
                f"F({each.between}, {each.within}) = {each.f:.2f}",
                _chance(each.p_value),
                *(f"{mean:.2f} {groups[name]}" for name, mean in each.means.items()),
            ]
        )
    return ["score", "F", "p", *first.means], rows


def pair_rows(analyses: Mapping[str, AnalysisOfVariance]) -> Rows:
    """Return Tukey's test of every pair of systems, score by score."""
    head = ["system", "less", "score", "difference", "95 % interval", "p Tukey"]
    return head, [
        [
            pair.first,
            pair.second,
            score,
            f"{pair.difference:+.2f}",
            f"[{pair.low:+.2f}, {pair.high:+.2f}]",
            _chance(pair.p_value),
        ]
        for score, each in analyses.items()
        for pair in each.pairs
    ]


def _chance(p_value: float) -> str:
    """Return a p-value that was computed, not counted, and so may be tiny."""
    return f"{p_value:.4f}" if p_value >= _LEAST_SHOWN else f"<{_LEAST_SHOWN}"
