from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from document_views import document_of
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit, make_examples
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.extraction_settings import (
    ExtractionOptimizationConfig,
    ExtractionTaskConfig,
    ExtractorSettings,
)
from longsum.models.training.extraction.extraction_trainer import (
    ExtractionTrainer,
    PlanScores,
    parameter_groups,
)
from longsum.models.training.extraction.start import start_model
from longsum.models.training.extraction.vectors import TextVectors, text_vectors

from .conftest import toy

Toy = Callable[..., ExtractorSettings]
TASK = ExtractionTaskConfig(beginnings=3)


@pytest.fixture
def make(bert, pieces) -> Callable[..., LongsumExtractor]:
    def model(architecture: str, **others) -> LongsumExtractor:
        torch.manual_seed(0)
        settings = toy(architecture, checkpoint=str(bert), start="sentences", **others)
        return LongsumExtractor.of(start_model(settings, pieces, None))

    return model


def batch_of(dataset: ExtractionDataset) -> dict[str, torch.Tensor]:
    return collate([dataset[index] for index in range(len(dataset))], pad=0)


@pytest.mark.parametrize(("architecture", "rate"), [("hibert", 0.0), ("hibert", 0.1), ("etc", 0.1)])
def test_groups_contain_every_trained_parameter_once(make, architecture: str, rate: float) -> None:
    model = make(architecture)
    settings = ExtractionOptimizationConfig(
        learning_rate=0.5, weight_decay=0.3, sentence_encoder_rate=rate
    )
    groups = parameter_groups(model, settings)
    held = [id(parameter) for group in groups for parameter in group["params"]]
    learning = {id(each) for each in model.parameters() if each.requires_grad}
    assert len(held) == len(set(held))
    assert set(held) == learning
    assert len(learning) < len(list(model.parameters())) or rate or architecture != "hibert"
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    for group in groups:
        for parameter in group["params"]:
            slow = "sentence_encoder" in names[id(parameter)]
            assert group["lr"] == 0.5 * (rate if slow else 1)
            assert group["weight_decay"] == (0.3 if parameter.dim() > 1 else 0)


@pytest.fixture
def vectors(split: ExtractionSplit, tmp_path) -> Callable[[LongsumExtractor], TextVectors]:
    return lambda model: text_vectors(model.extractor.sentence_encoder, split, tmp_path, bf16=False)


@pytest.mark.parametrize("representation", ["first", "mean"])
def test_known_vectors_give_the_logits_that_tokens_do(make, vectors, split, representation) -> None:
    encoder = {"layers": 1, "representation": representation}
    model = make("hibert", model={"sentence_encoder": encoder}).eval()
    read = batch_of(ExtractionDataset(split, TASK))
    known = batch_of(ExtractionDataset(split, TASK, vectors=vectors(model)))
    with torch.no_grad():
        found, expected = model(**known), model(**read)
    torch.testing.assert_close(found.logits, expected.logits, rtol=0, atol=3e-3)
    assert found.loss == pytest.approx(expected.loss.item(), abs=1e-3)


def test_a_frozen_encoder_gets_no_gradient(make, vectors, split: ExtractionSplit) -> None:
    model = make("hibert")
    parameter_groups(model, ExtractionOptimizationConfig(sentence_encoder_rate=0))
    batch = batch_of(ExtractionDataset(split, TASK, draws=1, vectors=vectors(model)))
    model.train()(**batch).loss.backward()
    for name, parameter in model.named_parameters():
        assert (parameter.grad is None) == ("sentence_encoder" in name), name


def test_hits_are_shares_of_the_best_choice(split: ExtractionSplit) -> None:
    class Told(torch.nn.Module):
        """Chooses the given sentences."""

        def __init__(self, choose: Callable[[torch.Tensor], torch.Tensor]) -> None:
            super().__init__()
            self.choose = choose
            self.held = torch.nn.Parameter(torch.zeros(1))
            self.extractor = SimpleNamespace(decides_end=False)

        def forward(self, targets: torch.Tensor, **_: torch.Tensor):
            logits = self.choose(targets)
            return type("Found", (), {"logits": logits, "loss": torch.tensor(2.0)})

        def counted(self, **_: torch.Tensor) -> torch.Tensor:
            return torch.tensor(7)

    batch = batch_of(ExtractionDataset(split, TASK))
    rows = batch["targets"].flatten(0, 1)
    shares = {1.0: lambda targets: targets, 0.0: lambda targets: -targets}
    for share, choose in shares.items():
        totals = sum(ExtractionTrainer.sums(Told(choose), each) for each in (batch, batch))
        loss, counted, hits, steps = totals.tolist()
        assert (loss / counted, hits / steps) == (2.0, share)
        assert (counted, steps) == (14, 2 * len(rows))


TEXTS = [f"Word{number} and {letter} make a sentence." for number, letter in enumerate("abcdef")]


@pytest.fixture
def scored(pieces) -> tuple[list[Example], ExtractionDataset]:
    document = document_of([*TEXTS], title="A title")
    examples = [
        Example(str(n), document, (" ".join(TEXTS[2:4]),), "validation", "", {}) for n in range(3)
    ]
    made = make_examples(examples, pieces, 24, HistoryConfig(steps=4))
    return examples, ExtractionDataset(ExtractionSplit.of(made), ExtractionTaskConfig(beginnings=1))


class Fixed(torch.nn.Module):
    """Prefers sentences in a fixed order, and the end before all."""

    def __init__(self, order: list[int]) -> None:
        super().__init__()
        self.held = torch.nn.Parameter(torch.zeros(1))
        self.order = order
        self.extractor = self
        self.decides_end = False

    def read(self, units):
        return len(units.sentences[0])

    def logits(self, count: int, _plans: torch.Tensor) -> torch.Tensor:
        logits = torch.full((1, 1, count + 1), 99.0)
        for rank, sentence in enumerate(self.order):
            logits[..., sentence] = -rank
        return logits


def test_scores_are_the_rouge_of_plans_at_three_lengths(scored) -> None:
    examples, dataset = scored
    found = PlanScores(examples, dataset, 2, 0)(Fixed([2, 0, 3, 1, 4, 5]))  # type: ignore[arg-type]
    wanted = [rouge("\n".join(TEXTS[at] for at in chosen), examples[0].references)
              for chosen in ([2], [0, 2], [0, 1, 2, 3])]  # fmt: skip
    assert found["rouge1"] == pytest.approx(np.mean([each["rouge1"].fmeasure for each in wanted]))
    assert found["rouge2"] == pytest.approx(np.mean([each["rouge2"].fmeasure for each in wanted]))
    assert found["rouge"] == pytest.approx((found["rouge1"] + found["rouge2"]) / 2)
