"""What people's answers come to: means by system with intervals, medians, and agreement."""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from longsum.evaluation.metrics.agreement import Agreement, Level, Rating, agreement
from longsum.evaluation.metrics.significance import Interval, bootstrap_interval


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of a system.

    Attributes:
        system: The system.
        of: The aspect or criterion that the figure is of; empty for all.
        name: What is measured.
        interval: The mean over documents, of each the mean of its judgements, and its 95 % interval
            by resampling documents.
        median: The median of all judgements.
        documents: How many documents.
        judgements: How many judgements.
    """

    system: str
    of: str
    name: str
    interval: Interval
    median: float
    documents: int
    judgements: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far annotators agree on something.

    Attributes:
        what: On what.
        level: How ratings differ.
        found: Krippendorff's alpha.
    """

    what: str
    level: Level
    found: Agreement


class Tally:
    """Collects figures and ratings, and sums them up."""

    def __init__(self) -> None:
        self._scores: dict[tuple[str, str, str], dict[str, list[float]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._ratings: dict[tuple[str, Level], dict[Hashable, list[Rating]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def score(self, system: str, document: str, name: str, value: float, *, of: str = "") -> None:
        """Add a figure of a system on a document; see `Measure`."""
        self._scores[system, of, name][document].append(float(value))

    def rate(self, what: str, level: Level, unit: Hashable, value: Rating) -> None:
        """Add one annotator's rating of a unit; see `Agreed`."""
        self._ratings[what, level][unit].append(value)

    def measures(self, seed: int = 0) -> list[Measure]:
        """Return the figures by system, in the order of the names."""
        found = []
        for (system, of, name), documents in sorted(self._scores.items()):
            every = [value for values in documents.values() for value in values]
            interval = bootstrap_interval([fmean(each) for each in documents.values()], seed=seed)
            found.append(
                Measure(system, of, name, interval, median(every), len(documents), len(every))
            )
        return found

    def agreements(self, seed: int = 0) -> list[Agreed]:
        """Return the agreement on all that at least two annotators rated."""
        return [
            Agreed(what, level, agreement(list(units.values()), level, seed=seed))
            for (what, level), units in self._ratings.items()
            if any(len(ratings) > 1 for ratings in units.values())
        ]


def measure_to_json(measure: Measure) -> dict[str, Any]:
    """Return a figure as JSON values."""
    return {
        "system": measure.system,
        "of": measure.of,
        "measure": measure.name,
        "mean": measure.interval.mean,
        "low": measure.interval.low,
        "high": measure.interval.high,
        "median": measure.median,
        "documents": measure.documents,
        "judgements": measure.judgements,
    }
