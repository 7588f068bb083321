"""When a name or figure counts as swapped for another of the document.

A logistic regression on the features of `longsum.core.grounding.evidence.Support`, fitted on
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
    (2.41, -4.42, -2.54, -1.33, 3.26, -4.02, 2.08, -3.36, 3.13, -0.41, -1.22, -0.56),
    threshold=0.49,
)
FIGURE_SWAPS = Swaps(
    (1.64, -3.19, -3.23, 1.8, 1.04, -4.56, 2.96, -3.44, 1.93, -0.01, -1.04, 0.45),
    threshold=0.55,
)
