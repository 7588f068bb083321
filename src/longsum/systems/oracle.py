"""The greedy extractive oracle as a system: how well choosing sentences could do."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from longsum.errors import LongsumError
from longsum.evaluation.oracle import oracle_steps
from longsum.systems.selection import PlannedRanking
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
        objectives = [0.0, *(step.objective for step in steps)]
        ranking = PlannedRanking(
            [step.sentence for step in steps],
            [after - before for before, after in pairwise(objectives)],
            len(document.sentences),
            "rouge",
        )
        return Ranked(ranking, candidates)
