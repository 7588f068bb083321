"""The trainer of extractive models.

Stepwise models may be measured by the ROUGE of what they choose, at several lengths.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn

from longsum.documents.model import Document
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.language.words import count_words
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.torch_network import TorchReading
from longsum.models.networks.extractive.units import Units
from longsum.models.tasks.extraction.prepared_units import choosable_sentences
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.extraction_settings import ExtractionOptimizationConfig
from longsum.models.training.trainer import LengthGroupedTrainer

LENGTHS = (0.5, 1.0, 2.0)
"""Multiples of the references' length: it decides which sentences are worth their space."""


class PlanScores:
    """Scores the plans of a stepwise model, within budgets of words.

    Args:
        examples: The validation documents.
        dataset: The same, prepared.
        documents: Number of documents to score, spread evenly over all.
        pad: Id of the padding token.
    """

    def __init__(
        self, examples: Sequence[Example], dataset: ExtractionDataset, documents: int, pad: int
    ) -> None:
        count = min(documents, len(examples))
        places = np.linspace(0, len(examples) - 1, count).round().astype(int)
        self._places = places.tolist()
        self._examples = examples
        self._dataset = dataset
        self._pad = pad

    def __call__(self, model: LongsumExtractor) -> dict[str, float]:
        """Return the mean over documents and `LENGTHS` of ROUGE F1.

        They are `rouge1`, `rouge2`, and `rouge`, the mean of both.
        """
        device = next(model.parameters()).device
        scores: list[tuple[float, float]] = []
        for place in self._places:
            example = self._examples[place]
            batch = collate([self._dataset[place]], self._pad)
            del batch["plans"], batch["targets"]
            read = model.extractor.read(Units(**batch).to(device))
            reading = TorchReading(model.extractor, read)
            words = float(np.mean([count_words(text) for text in example.references]))
            for length in LENGTHS:
                plan = self._choose(reading, example.document, round(length * words))
                text = "\n".join(example.document.sentences[at].text for at in sorted(plan))
                score = rouge(text, example.references)
                scores.append((score["rouge1"].fmeasure, score["rouge2"].fmeasure))
        rouge1, rouge2 = np.mean(scores, axis=0).tolist()
        return {"rouge1": rouge1, "rouge2": rouge2, "rouge": (rouge1 + rouge2) / 2}

    def _choose(self, reading: TorchReading, document: Document, capacity: int) -> list[int]:
        """Choose sentences greedily while one fits, each given those before it."""
        costs = np.array([count_words(sentence.text) for sentence in document.sentences])
        available, standing = choosable_sentences(document, self._dataset.task.history)
        plan: list[int] = []
        while (fitting := available & standing.startable & (costs <= capacity)).any():
            logits = reading.logits([tuple(plan)])[0, :-1]
            best = int(np.where(fitting, logits, -np.inf).argmax())
            if np.isneginf(logits[best]):
                break
            plan.append(best)
            available[best] = False
            standing.choose(best)
            capacity -= int(costs[best])
        return plan


SENTENCE_ENCODER = "sentence_encoder"


class ExtractionTrainer(LengthGroupedTrainer):
    """Trains an extractive model on an `ExtractionDataset`."""

    settings: ExtractionOptimizationConfig
    terms = 4

    def new_optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """Make AdamW, with a separate learning rate for the sentence encoder."""
        return torch.optim.AdamW(
            parameter_groups(model, self.settings), betas=self.settings.adam_betas
        )

    def targets(self, batch: Mapping[str, Any]) -> Tensor:
        """Return the number of scored choices or, of a model that is not stepwise, of sentences."""
        return cast(LongsumExtractor, self.model).counted(**batch)[None]

    @staticmethod
    def sums(model: LongsumExtractor, batch: Mapping[str, Any]) -> Tensor:
        """Return sums over all steps: `[4]`, fp64.

        They are the loss; the number of targets; the target probability of the choice relative to
        the highest, so that the best choice counts 1; and the number of steps.
        """
        outputs, targets, counted = model(**batch), batch["targets"], model.counted(**batch)
        # A document with fewer steps than others has rows without targets.
        steps = (targets.sum(-1) > 0).sum()
        # A separate decision to end does not compete with the sentences.
        units = slice(-1) if model.extractor.decides_end else slice(None)
        best, shares = outputs.logits[..., units].argmax(-1, keepdim=True), targets[..., units]
        hits = (shares.gather(-1, best).squeeze(-1) / shares.amax(-1).clamp_min(1e-9)).sum()
        sums = (outputs.loss.double() * counted, counted, hits, steps)
        return torch.stack([value.double() for value in sums])

    def named(self, means: Sequence[float]) -> dict[str, float]:
        """Return the mean loss per target, and the share of the best gain that choices achieve."""
        loss, targets, hits = means
        # Both are means over steps, which may have many targets or none.
        return {"loss": loss / targets if targets else 0.0, "hits": hits}


def parameter_groups(
    model: nn.Module, settings: ExtractionOptimizationConfig
) -> list[dict[str, Any]]:
    """Return parameter groups for AdamW: biases and normalisations have no weight decay."""
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        slow = SENTENCE_ENCODER in name
        if slow and not settings.sentence_encoder_rate:
            parameter.requires_grad_(False)
            continue
        groups.setdefault((slow, parameter.dim() > 1), []).append(parameter)
    return [
        {
            "params": parameters,
            "lr": settings.learning_rate * (settings.sentence_encoder_rate if slow else 1.0),
            "weight_decay": settings.weight_decay if decays else 0.0,
        }
        for (slow, decays), parameters in groups.items()
    ]
