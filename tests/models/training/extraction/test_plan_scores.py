from typing import Any

import numpy as np
import pytest
import torch

from longsum.documents import DocumentBuilder
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit, make_examples
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset
from longsum.models.training.extraction.extraction_settings import ExtractionTaskConfig
from longsum.models.training.extraction.extraction_trainer import PlanScores

TEXTS = [f"Word{number} and {letter} make a sentence." for number, letter in enumerate("abcdef")]


@pytest.fixture
def scored(pieces: Any) -> tuple[list[Example], ExtractionDataset]:
    builder = DocumentBuilder()
    builder.sentences(TEXTS)
    document = builder.build("A title")
    examples = [
        Example(str(n), document, (" ".join(TEXTS[2:4]),), "validation", "", {}) for n in range(3)
    ]
    made = make_examples(examples, pieces, 24, HistoryConfig(steps=4))
    return examples, ExtractionDataset(ExtractionSplit.of(made), ExtractionTaskConfig(beginnings=1))


class Fixed(torch.nn.Module):
    """Prefers sentences in a fixed order; the end before all."""

    def __init__(self, order: list[int]) -> None:
        super().__init__()
        self.held = torch.nn.Parameter(torch.zeros(1))
        self.order = order
        self.extractor = self
        self.decides_end = False

    def read(self, units: Any) -> Any:
        return len(units.sentences[0])

    def logits(self, count: int, _plans: torch.Tensor) -> torch.Tensor:
        logits = torch.full((1, 1, count + 1), 99.0)
        for rank, sentence in enumerate(self.order):
            logits[..., sentence] = -rank
        return logits


def test_scores_are_the_rouge_of_plans_at_three_lengths(scored: Any) -> None:
    examples, dataset = scored
    found = PlanScores(examples, dataset, 2, 0)(Fixed([2, 0, 3, 1, 4, 5]))  # type: ignore[arg-type]
    wanted = [rouge("\n".join(TEXTS[at] for at in chosen), examples[0].references)
              for chosen in ([2], [0, 2], [0, 1, 2, 3])]  # fmt: skip
    assert found["rouge1"] == pytest.approx(np.mean([each["rouge1"].fmeasure for each in wanted]))
    assert found["rouge2"] == pytest.approx(np.mean([each["rouge2"].fmeasure for each in wanted]))
    assert found["rouge"] == pytest.approx((found["rouge1"] + found["rouge2"]) / 2)


def test_the_best_choice_scores_higher_than_the_worst(scored: Any) -> None:
    examples, dataset = scored
    score = PlanScores(examples, dataset, 1, 0)
    best, worst = score(Fixed([2, 3, 0, 1, 4, 5])), score(Fixed([5, 4, 1, 0, 3, 2]))  # type: ignore[arg-type]
    assert best["rouge"] > worst["rouge"]
