"""Descriptions of metrics, for lists of metrics."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from longsum.common.extras import requirement

Better = Literal["higher", "lower", "neither"]
State = Literal["ready", "needs an extra", "needs a model"]

PER_CENT = "0 to 100"
UPWARDS = "0 and above"


@dataclass(frozen=True, slots=True)
class ScoreInfo:
    """One of the scores of a metric.

    Attributes:
        name: Its name in tables; a part in capitals stands for several (`ASPECT_rouge1`).
        measures: What it measures.
        range: Its lowest and highest value, with the unit: `0 to 100`.
        better: Which values are better; `neither` if that depends on the purpose.
    """

    name: str
    measures: str
    range: str
    better: Better


@dataclass(frozen=True, slots=True)
class MetricInfo:
    """What a metric measures, who defines it, and what it needs.

    Attributes:
        measures: What it measures, in one line.
        paper: Where it is defined, with the place.
        scores: Its scores, in the order of the tables.
        package: Import name of the optional package that it needs; None for none.
        model: The option that names the model which it needs; empty for none.
    """

    measures: str
    paper: str
    scores: tuple[ScoreInfo, ...]
    package: str | None = None
    model: str = ""

    @property
    def state(self) -> State:
        """Whether it can be used; `needs a model` even if it needs an extra as well."""
        if self.model:
            return "needs a model"
        return "ready" if self.package is None else "needs an extra"

    @property
    def needs(self) -> tuple[str, ...]:
        """What must be installed (`longsum[models]`), and what must be given."""
        extra = () if self.package is None else (requirement(self.package),)
        return (*extra, self.model) if self.model else extra


_SEVERAL = re.compile("[A-Z]{3,}")


def find_score(name: str, infos: Mapping[str, MetricInfo]) -> tuple[str, ScoreInfo]:
    """Return the metric that a score belongs to, and the score's description.

    The name is the one in tables, such as `results_rouge1`.

    Raises:
        KeyError: No metric has such a score.
    """
    for metric, info in infos.items():
        for score in info.scores:
            if re.fullmatch(_SEVERAL.sub(r"\\w+", re.escape(score.name)), name):
                return metric, score
    raise KeyError(name)
