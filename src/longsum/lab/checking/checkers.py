"""Models that check summaries, loaded from folders: a reader and a classifier of claims.

The reader answers cloze questions with spans of a text (HEPOS §5; Devlin et al. 2019, §4.2); the
classifier says how likely it is that a claim is consistent with a text (FactCC, Kryscinski et al.
2020, §3.2).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import (
    AutoModelForQuestionAnswering,
    AutoModelForSequenceClassification,
    PreTrainedTokenizerBase,
)

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, check_local
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer

DEFAULT_TOKENS = 512
"""Most tokens that a model reads at once if its settings do not say; BERT's number."""

UNUSED = ("pooler", "position_ids")
"""Parts of the names of weights that checkpoints may contain and these models do not use."""


def load_checker(
    kind: Any, folder: str | Path, architecture: str
) -> tuple[Any, PreTrainedTokenizerBase, int]:
    """Load a model and its tokenizer, onto a GPU if there is one.

    Args:
        kind: An Auto class of `transformers`.
        folder: The folder; nothing is fetched.
        architecture: The end of the class names of such models, such as `ForQuestionAnswering`.

    Returns:
        The model in evaluation mode, its tokenizer, and the most tokens that it reads at once.

    Raises:
        LongsumError: There is no such folder, or its model is of another kind or cannot be used.
    """
    check_local(folder)
    source = ModelFolder.at(folder)
    config = load_config(source)
    named = config.architectures or []
    if not any(str(name).endswith(architecture) for name in named):
        raise LongsumError(
            f"The model in '{folder}' is not a …{architecture} but "
            f"{', '.join(named) or 'unnamed'}; give one that is."
        )
    tokenizer = load_tokenizer(source)
    if not tokenizer.is_fast:
        raise LongsumError(
            f"The tokenizer in '{folder}' cannot tell where its tokens are in a text; give a model "
            "that has a tokenizer.json."
        )
    model = load_model(kind, source, config, spare=UNUSED)
    nn.Module.to(model, "cuda" if torch.cuda.is_available() else "cpu")
    # A model may have embeddings of positions that it was never trained on.
    return model, tokenizer, min(tokens_of(config), tokenizer.model_max_length)


def tokens_of(config: Any) -> int:
    """Return the most tokens that a model with these settings reads at once."""
    most = int(getattr(config, "max_position_embeddings", DEFAULT_TOKENS))
    # RoBERTa-like models number positions from the padding token's index plus one.
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert")
    return most - (int(config.pad_token_id) + 1 if shifted else 0)


MAX_ANSWER = 30
"""Most tokens of an answer, as in the released code of BERT for SQuAD."""
STRIDE = 128
"""Tokens that two neighbouring windows of a long context share, as in that code."""


@dataclass(frozen=True, slots=True)
class PairReader:
    """A model that reads two texts together.

    Attributes:
        model: The model, of the Auto class that its reader loads, in evaluation mode.
        tokenizer: Its tokenizer, which reports the offsets of tokens.
        tokens: Most tokens that the model reads at once, both texts together.
    """

    model: Any
    tokenizer: PreTrainedTokenizerBase
    tokens: int


@dataclass(frozen=True, slots=True)
class SpanAnswerer(PairReader):
    """A model that marks the answer in a context; long contexts are read in windows."""

    @classmethod
    def load(cls, folder: str | Path) -> "SpanAnswerer":
        """Load a checkpoint from a folder.

        Raises:
            LongsumError: There is no such folder, or its model is of another kind or cannot be
                used.
        """
        return cls(*load_checker(AutoModelForQuestionAnswering, folder, "ForQuestionAnswering"))

    @torch.inference_mode()
    def answer(self, question: str, context: str) -> str:
        """Return the span of the context with the highest sum of start and end logits.

        The question is truncated to half of the tokens that the model reads. A context without
        tokens has no answer.
        """
        encoded = self.tokenizer(
            self._shortened(question),
            context,
            truncation="only_second",
            max_length=self.tokens,
            stride=window_stride(self.tokens),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            padding=True,
            return_tensors="pt",
            split_special_tokens=True,
        )
        offsets = encoded.pop("offset_mapping")
        encoded.pop("overflow_to_sample_mapping", None)
        in_context = torch.tensor(
            [
                [sequence == 1 for sequence in encoded.sequence_ids(row)]
                for row in range(len(encoded["input_ids"]))
            ]
        )
        if not in_context.any():
            return ""
        output = self.model(**encoded.to(self.model.device))
        scores = _span_scores(output.start_logits.cpu(), output.end_logits.cpu(), in_context)
        window, first, last = _highest(scores)
        return context[int(offsets[window, first, 0]) : int(offsets[window, last, 1])]

    def _shortened(self, question: str) -> str:
        """Return the first tokens of a question, half of those that the model reads."""
        offsets = self.tokenizer(
            question,
            truncation=True,
            max_length=self.tokens // 2,
            add_special_tokens=False,
            return_offsets_mapping=True,
        )["offset_mapping"]
        return question[: offsets[-1][1]] if offsets else question


def window_stride(tokens: int) -> int:
    """Return how many tokens neighbouring windows of a context share if a model reads `tokens`."""
    return min(STRIDE, tokens // 8)


def _span_scores(start: Tensor, end: Tensor, in_context: Tensor) -> Tensor:
    """Return the score of each span, `[windows, n, n]`; −∞ for spans that cannot be answers."""
    scores = start[:, :, None].float() + end[:, None, :].float()
    length = scores.shape[-1]
    allowed = torch.ones(length, length, dtype=torch.bool).triu().tril(MAX_ANSWER - 1)
    allowed = allowed & in_context[:, :, None] & in_context[:, None, :]
    return scores.masked_fill(~allowed, -torch.inf)


def _highest(scores: Tensor) -> tuple[int, int, int]:
    """Return the window, first token and last token of the span with the highest score."""
    best = int(scores.flatten().argmax())
    length = scores.shape[-1]
    window, span = divmod(best, length * length)
    return window, *divmod(span, length)


CONSISTENT = "CORRECT"
INCONSISTENT = "INCORRECT"
"""The labels of FactCC's released checkpoint, and of the classifiers trained here."""

CONTEXT_SENTENCES = "context_sentences"
"""The setting that says how many sentences of a text a model was trained on at most."""

_CONSISTENT = frozenset({CONSISTENT, "CONSISTENT", "ENTAILMENT", "SUPPORTED", "FAITHFUL"})


@dataclass(frozen=True, slots=True)
class PairClassifier(PairReader):
    """A classifier of pairs of a text and a claim about it."""

    @torch.inference_mode()
    def probabilities(self, text: str, claim: str) -> Tensor:
        """Return the probability of each label, `[labels]`.

        The text that the claim is checked against comes first, as in FactCC. If both do not fit,
        the longer one is truncated first.
        """
        encoded = self.tokenizer(
            text,
            claim,
            truncation="longest_first",
            max_length=self.tokens,
            return_tensors="pt",
            split_special_tokens=True,
        )
        logits = self.model(**encoded.to(self.model.device)).logits[0]
        probabilities: Tensor = logits.float().softmax(dim=-1)
        return probabilities


@dataclass(frozen=True, slots=True)
class ClaimScorer(PairClassifier):
    """A classifier that says how likely it is that a claim is consistent with a text.

    Attributes:
        label: Index of the label for consistency.
        sentences: Most sentences of a text that it was trained on; None for no limit.
    """

    label: int
    sentences: int | None = None

    @classmethod
    def load(cls, folder: str | Path) -> "ClaimScorer":
        """Load a checkpoint from a folder.

        Raises:
            LongsumError: There is no such folder, its model is of another kind or cannot be used,
                or none of its labels is a known name for consistency.
        """
        kind = AutoModelForSequenceClassification
        model, tokenizer, tokens = load_checker(kind, folder, "ForSequenceClassification")
        label = consistent_label(model.config.id2label, folder)
        return cls(model, tokenizer, tokens, label, sentences_of(model.config, folder))

    def consistency(self, claim: str, context: str) -> float:
        """Return the probability that the claim is consistent with the text, in [0, 1]."""
        return float(self.probabilities(context, claim)[self.label])


def sentences_of(config: Any, folder: str | Path) -> int | None:
    """Return the most sentences of a text that a model was trained on, if its settings say so.

    Raises:
        LongsumError: The setting is not a number of sentences.
    """
    value = getattr(config, CONTEXT_SENTENCES, None)
    if value is None or (isinstance(value, int) and value >= 1):
        return value
    raise LongsumError(
        f"The config.json in '{folder}' has {value!r} for {CONTEXT_SENTENCES}; write a whole "
        "number from 1 there, or null."
    )


def consistent_label(labels: Mapping[int, str], folder: str | Path) -> int:
    """Return the index of the label whose name stands for consistency.

    Raises:
        LongsumError: There is no such label, or there are several.
    """
    indices = [int(index) for index, name in labels.items() if name.upper() in _CONSISTENT]
    if len(indices) != 1:
        known = ", ".join(sorted(_CONSISTENT))
        raise LongsumError(
            f"The labels of the model in '{folder}' ({', '.join(labels.values())}) do not tell "
            "which one stands for consistency; name that one in id2label of its config.json as one "
            f"of {known}."
        )
    return indices[0]
