"""The probability that a claim is consistent with a text (FactCC, Kryscinski et al. 2020, §3.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.lab.checking.checker_files import load_checker

CONSISTENT = "CORRECT"
INCONSISTENT = "INCORRECT"
"""The labels of FactCC's released checkpoint, and of those that are trained here."""

CONTEXT_SENTENCES = "context_sentences"
"""The setting of a model that holds the most sentences of a text that it learned from."""

_CONSISTENT = frozenset({CONSISTENT, "CONSISTENT", "ENTAILMENT", "SUPPORTED", "FAITHFUL"})


@dataclass(frozen=True, slots=True)
class ClaimScorer:
    """A classifier of pairs: a text, and a claim about it.

    Attributes:
        model: A model of the kind `AutoModelForSequenceClassification`, in evaluation mode.
        tokenizer: Its tokenizer.
        tokens: Most tokens that the model reads, text and claim together.
        label: Number of the label that stands for consistency.
        sentences: Most sentences of a text that it learned from; None for no limit.
    """

    model: Any
    tokenizer: PreTrainedTokenizerBase
    tokens: int
    label: int
    sentences: int | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "ClaimScorer":
        """Load a checkpoint from a folder.

        Raises:
            LongsumError: There is no such folder, it holds another kind of model, it cannot be
                used, or none of its labels is known to stand for consistency.
        """
        kind = AutoModelForSequenceClassification
        model, tokenizer, tokens = load_checker(kind, folder, "ForSequenceClassification")
        label = consistent_label(model.config.id2label, folder)
        return cls(model, tokenizer, tokens, label, sentences_of(model.config, folder))

    @torch.inference_mode()
    def consistency(self, claim: str, context: str) -> float:
        """Return the probability that the claim is consistent with the text, in [0, 1].

        The text comes first, as FactCC reads it, and is cut where both do not fit.
        """
        read = self.tokenizer(
            context,
            claim,
            truncation="longest_first",
            max_length=self.tokens,
            return_tensors="pt",
            split_special_tokens=True,
        )
        logits = self.model(**read.to(self.model.device)).logits[0].float()
        return float(logits.softmax(dim=-1)[self.label])


def sentences_of(config: Any, folder: str | Path) -> int | None:
    """Return the most sentences of a text that a model learned from, if its settings say so.

    Raises:
        LongsumError: They say so, and it is no number of sentences.
    """
    found = getattr(config, CONTEXT_SENTENCES, None)
    if found is None or (isinstance(found, int) and found >= 1):
        return found
    raise LongsumError(
        f"The config.json in '{folder}' has {found!r} for {CONTEXT_SENTENCES}; write a whole "
        "number from 1 there, or null."
    )


def consistent_label(labels: Mapping[int, str], folder: str | Path) -> int:
    """Return the number of the label that stands for consistency, by its name.

    Raises:
        LongsumError: No label has a name that is known, or several have.
    """
    found = [int(number) for number, name in labels.items() if name.upper() in _CONSISTENT]
    if len(found) != 1:
        known = ", ".join(sorted(_CONSISTENT))
        raise LongsumError(
            f"The labels of the model in '{folder}' ({', '.join(labels.values())}) do not tell "
            "which one stands for consistency; name that one in id2label of its config.json as one "
            f"of {known}."
        )
    return found[0]
