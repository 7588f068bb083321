"""When a name or figure counts as swapped for another of the document.

A logistic regression on the features of `longsum.systems.grounding.evidence.Support`, fitted on
corrupted sentences of references of training splits; a threshold gives 90 % precision there, where
half of the sentences are corrupted. `python benchmarks/faithfulness.py fit` prints these numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Swaps:
    """A rule for names or for figures.

    Attributes:
        weights: The bias, then the weight of each of `FEATURES`.
        threshold: Probability from which it is one; in (0, 1).
    """

    weights: Sequence[float]
    threshold: float


NAME_SWAPS = Swaps(
    (2.52, -4.71, -2.5, -0.45, 2.3, -3.3, 2.27, -4.2, 3.12, -0.32, -1.23, -0.8), threshold=0.5
)
FIGURE_SWAPS = Swaps(
    (1.89, -3.16, -2.69, 0.81, 1.4, -5.35, 3.51, -2.39, 1.62, 0.03, -1.15, 0.64), threshold=0.58
)
