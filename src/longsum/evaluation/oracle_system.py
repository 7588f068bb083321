"""The greedy extractive oracle as a system, an upper bound for sentence selection."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field

from longsum.common.errors import LongsumError
from longsum.core.extractive.extractor_options import shipped_tokenizer
from longsum.core.extractive.selection import PlannedRanking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked
from longsum.core.summaries import Coverage
from longsum.core.systems.system import Request, SystemKind
from longsum.evaluation.metrics.oracle import oracle_steps
from longsum.language.repeats import first_alike


@dataclass(frozen=True, slots=True)
class OracleConfig:
    """Settings of the oracle.

    Attributes:
        fill: Whether to fill the budget with the least harmful sentences once none improves ROUGE.
        per_word: Whether to choose by the gain of recall per word instead of F
            (`longsum.evaluation.metrics.oracle`), which gives the higher bound if words are
            limited.
        tokens: Choose only among the sentences that end within so many tokens of the bundled
            extractor's tokenizer; None for all. With 512, it is the upper bound for models that
            read 512 tokens (Stepwise, Table 1).
    """

    fill: bool = True
    per_word: bool = False
    tokens: Annotated[int, Field(ge=1)] | None = None


class Oracle(ExtractiveSummarizer[OracleConfig]):
    """Greedily maximizes ROUGE-1 + ROUGE-2 against the reference summaries.

    An upper bound to compare extractive systems with, not a system to use: it summarizes only after
    `with_references`, which the evaluation calls for each document.
    """

    reads_references = True

    def __init__(
        self, name: str, config: OracleConfig, references: Sequence[str] | None = None
    ) -> None:
        super().__init__(name, config)
        self._references = references

    def with_references(self, references: Sequence[str]) -> "Oracle":
        """Return the oracle for one document with its reference summaries."""
        informed = copy(self)
        informed._references = references
        return informed

    def rank(self, request: Request) -> Ranked:
        """Search for the best sentences within the budget.

        Raises:
            LongsumError: No references were given.
        """
        if self._references is None:
            raise LongsumError(
                "The oracle reads the reference summary, so it works only in 'longsum evaluate'; "
                "choose another system."
            )
        document, budget = request.document, request.budget
        copies = self.copies(document)
        texts = copies.texts
        lengths = copies.costs(budget)
        read = self._read(texts)
        distinct = np.unique(first_alike(texts[:read])).tolist()
        steps = oracle_steps(
            [texts[place] for place in distinct],
            self._references,
            costs=[lengths[place] for place in distinct],
            capacity=budget.capacity(document),
            fill=self.config.fill,
            per_word=self.config.per_word,
        )
        plan = [distinct[step.sentence] for step in steps]
        candidates = np.zeros(len(document.sentences), dtype=bool)
        candidates[plan] = True
        objectives = [0.0, *(step.objective for step in steps)]
        ranking = PlannedRanking(
            plan,
            [after - before for before, after in pairwise(objectives)],
            len(document.sentences),
            "rouge",
        )
        return Ranked(
            ranking,
            candidates,
            coverage=Coverage(read, len(texts)),
            exhausted="document" if read == len(texts) else "model_limit",
        )

    def _read(self, texts: Sequence[str]) -> int:
        """Return how many sentences from the beginning are candidates."""
        if self.config.tokens is None:
            return len(texts)
        encoded = shipped_tokenizer().encode_batch_fast(texts, add_special_tokens=False)
        ends = np.cumsum([len(text.ids) for text in encoded])
        return int(np.searchsorted(ends, self.config.tokens, side="right"))


ORACLE = SystemKind(OracleConfig, Oracle)
