"""The greedy extractive oracle as a system: how well choosing sentences could do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from longsum.errors import LongsumError
from longsum.evaluation.oracle import OracleStep, oracle_steps
from longsum.systems.selection import Array
from longsum.systems.summarizer import ExtractiveSummarizer, Ranked, Request


@dataclass(frozen=True, slots=True)
class OracleConfig:
    """Settings of the oracle.

    Attributes:
        fill: Whether to go on, with what harms least, when no sentence improves ROUGE any more.
    """

    fill: bool = True


class Oracle(ExtractiveSummarizer):
    """Greedily maximizes ROUGE-1 + ROUGE-2 F against references that it is allowed to read.

    An upper bound to compare extractive systems with, not a system to use: it summarizes only after
    `with_references`, which the evaluation calls for each document.
    """

    def __init__(
        self, name: str, config: OracleConfig, references: Sequence[str] | None = None
    ) -> None:
        super().__init__(name, config)
        self._config = config
        self._references = references

    def with_references(self, references: Sequence[str]) -> "Oracle":
        """Return the oracle for one document, given its reference summaries."""
        return Oracle(self.name, self._config, references)

    def rank(self, request: Request) -> Ranked:
        """Search for the best sentences within the budget.

        Raises:
            LongsumError: There are no references to read.
        """
        if self._references is None:
            raise LongsumError(
                "The oracle reads the reference summary, so it works only in 'longsum evaluate'; "
                "choose another system."
            )
        document, budget = request.document, request.budget
        steps = oracle_steps(
            [sentence.text for sentence in document.sentences],
            self._references,
            costs=budget.costs(document.sentences),
            capacity=budget.capacity(document),
            fill=self._config.fill,
        )
        candidates = np.zeros(len(document.sentences), dtype=bool)
        candidates[[step.sentence for step in steps]] = True
        return Ranked(_InSteps(steps, len(document.sentences)), candidates)


class _InSteps:
    """Ranks the next step of the oracle over all others; its score is the objective's gain."""

    def __init__(self, steps: Sequence[OracleStep], count: int) -> None:
        self._steps = steps
        self._count = count
        self._taken = 0

    def scores(self) -> tuple[Array, Mapping[str, Array]]:
        """Return the gain of the next step; all others rank below it."""
        step = self._steps[self._taken]
        before = self._steps[self._taken - 1].objective if self._taken else 0.0
        gain = step.objective - before
        scores = np.full(self._count, gain - 1.0)
        scores[step.sentence] = gain
        return scores, {"rouge": scores}

    def choose(self, sentence: int) -> None:  # noqa: ARG002
        """Move to the next step."""
        self._taken += 1
