"""ROUGE of what a stepwise model chooses on validation documents, at several lengths."""

from collections.abc import Sequence

import numpy as np

from longsum.documents.model import Document
from longsum.evaluation.datasets import Example
from longsum.evaluation.metrics.reference_scores import rouge
from longsum.language.words import count_words
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.torch_network import TorchReading
from longsum.models.networks.extractive.units import Units
from longsum.models.tasks.extraction.prepared_units import choosable_sentences
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate

LENGTHS = (0.5, 1.0, 2.0)
"""Multiples of the references' length: which sentences are worth their room depends on it."""


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
        found: list[tuple[float, float]] = []
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
                scores = rouge(text, example.references)
                found.append((scores["rouge1"].fmeasure, scores["rouge2"].fmeasure))
        rouge1, rouge2 = np.mean(found, axis=0).tolist()
        return {"rouge1": rouge1, "rouge2": rouge2, "rouge": (rouge1 + rouge2) / 2}

    def _choose(self, reading: TorchReading, document: Document, capacity: int) -> list[int]:
        """Return the best sentences that may be chosen, each conditioned on those before."""
        costs = np.array([count_words(sentence.text) for sentence in document.sentences])
        left, standing = choosable_sentences(document, self._dataset.task.history)
        plan: list[int] = []
        while (fitting := left & standing.startable & (costs <= capacity)).any():
            logits = reading.logits([tuple(plan)])[0, :-1]
            best = int(np.where(fitting, logits, -np.inf).argmax())
            if np.isneginf(logits[best]):
                break
            plan.append(best)
            left[best] = False
            standing.choose(best)
            capacity -= int(costs[best])
        return plan
