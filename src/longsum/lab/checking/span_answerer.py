"""Answers to cloze questions by a model that labels a span (HEPOS §5; Devlin et al. 2019, §4.2)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import AutoModelForQuestionAnswering, PreTrainedTokenizerBase

from longsum.lab.checking.checker_files import load_checker

MAX_ANSWER = 30
"""Most tokens of an answer, as in the released code of BERT for SQuAD."""
STRIDE = 128
"""Tokens that two windows of a long context share, as there."""


@dataclass(frozen=True, slots=True)
class SpanAnswerer:
    """A model that labels the answer in a context; long contexts are read in windows.

    Attributes:
        model: A model of the kind `AutoModelForQuestionAnswering`, in evaluation mode.
        tokenizer: Its tokenizer, which knows the offsets of tokens.
        tokens: Most tokens that the model reads at once, question and context together.
    """

    model: Any
    tokenizer: PreTrainedTokenizerBase
    tokens: int

    @classmethod
    def load(cls, folder: str | Path) -> "SpanAnswerer":
        """Load a checkpoint from a folder.

        Raises:
            LongsumError: There is no such folder, it holds another kind of model, or it cannot be
                used.
        """
        return cls(*load_checker(AutoModelForQuestionAnswering, folder, "ForQuestionAnswering"))

    @torch.inference_mode()
    def answer(self, question: str, context: str) -> str:
        """Return the span of the context with the highest sum of start and end logits.

        A question is cut to half of what the model reads. A context without tokens has no answer.
        """
        read = self.tokenizer(
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
        offsets = read.pop("offset_mapping")
        read.pop("overflow_to_sample_mapping", None)
        inside = torch.tensor(
            [
                [place == 1 for place in read.sequence_ids(row)]
                for row in range(len(read["input_ids"]))
            ]
        )
        if not inside.any():
            return ""
        found = self.model(**read.to(self.model.device))
        scores = _spans(found.start_logits.cpu(), found.end_logits.cpu(), inside)
        window, first, last = _highest(scores)
        return context[int(offsets[window, first, 0]) : int(offsets[window, last, 1])]

    def _shortened(self, question: str) -> str:
        """Return the first tokens of a question, half of those that the model reads."""
        found = self.tokenizer(
            question,
            truncation=True,
            max_length=self.tokens // 2,
            add_special_tokens=False,
            return_offsets_mapping=True,
        )["offset_mapping"]
        return question[: found[-1][1]] if found else question


def window_stride(tokens: int) -> int:
    """Return how many tokens two windows of a context share, in a model that reads so many."""
    return min(STRIDE, tokens // 8)


def _spans(start: Tensor, end: Tensor, inside: Tensor) -> Tensor:
    """Return the score of each span, `[windows, n, n]`, −∞ for those that are no answers."""
    scores = start[:, :, None].float() + end[:, None, :].float()
    length = scores.shape[-1]
    allowed = torch.ones(length, length, dtype=torch.bool).triu().tril(MAX_ANSWER - 1)
    allowed = allowed & inside[:, :, None] & inside[:, None, :]
    return scores.masked_fill(~allowed, -torch.inf)


def _highest(scores: Tensor) -> tuple[int, int, int]:
    best = int(scores.flatten().argmax())
    length = scores.shape[-1]
    window, span = divmod(best, length * length)
    return window, *divmod(span, length)
