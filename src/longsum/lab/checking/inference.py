"""A classifier of natural language inference as a second opinion on checks of texts."""

from dataclasses import dataclass
from pathlib import Path

from transformers import AutoModelForSequenceClassification

from longsum.checking.text_check import LABELS, Label, Opinion
from longsum.common.errors import LongsumError
from longsum.lab.checking.checkers import PairClassifier, load_checker


@dataclass(frozen=True, slots=True)
class InferenceJudge(PairClassifier):
    """Judges whether a text entails a claim; see `longsum.checking.judging.Judge`.

    Attributes:
        name: The name of its folder.
        labels: The relations that its outputs stand for, in order.
    """

    name: str
    labels: tuple[Label, ...]

    @classmethod
    def load(cls, folder: str | Path) -> "InferenceJudge":
        """Load a checkpoint from a folder; nothing is fetched.

        Raises:
            LongsumError: There is no such folder, or its model is of another kind.
        """
        kind = AutoModelForSequenceClassification
        model, tokenizer, tokens = load_checker(kind, folder, "ForSequenceClassification")
        names = [str(model.config.id2label[place]) for place in sorted(model.config.id2label)]
        labels = [label for name in names for label in LABELS if name.lower() == label]
        if sorted(labels) != sorted(LABELS) or len(names) != len(LABELS):
            raise LongsumError(
                f"The labels of the model in '{folder}' ({', '.join(names)}) are not entailment, "
                "neutral and contradiction; name them so in id2label of its config.json, or give "
                "a model of natural language inference."
            )
        return cls(model, tokenizer, tokens, Path(folder).resolve().name, tuple(labels))

    def opinion(self, source: str, claim: str) -> Opinion:
        """Return the most probable relation; the text is truncated if both do not fit."""
        probabilities = self.probabilities(source, claim)
        best = int(probabilities.argmax())
        return Opinion(self.labels[best], float(probabilities[best]))
