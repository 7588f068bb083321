"""Structure marks for models whose tokenizer was trained without them, such as BART and LED."""

from typing import Any

import torch
from transformers import AddedToken, PreTrainedTokenizerBase

from longsum.core.questions.linearisation import Mark
from longsum.models.tasks.question_generation import QUESTION_KINDS
from longsum.models.tasks.source import MARK_TOKENS
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import lacking


def marks_of(task: TaskConfig) -> tuple[str, ...]:
    """Return the special tokens that a task needs, each once."""
    asked = tuple(mark.value for mark in Mark) if task.kind in QUESTION_KINDS else ()
    return (*MARK_TOKENS.get(task.marks, ()), *asked)


def add_marks(tokenizer: PreTrainedTokenizerBase, task: TaskConfig) -> None:
    """Append the special tokens that a task needs and a tokenizer lacks."""
    missing = [
        AddedToken(mark, normalized=False, special=True)
        for mark in lacking(tokenizer, marks_of(task))
    ]
    if missing:
        tokenizer.add_special_tokens(
            {"additional_special_tokens": missing}, replace_extra_special_tokens=False
        )


@torch.no_grad()
def embed_marks(model: Any, tokenizer: PreTrainedTokenizerBase, seed: int) -> None:
    """Add embeddings for tokens that were added to a model's tokenizer.

    A new row is the mean of the others, so that a new token is not likelier than they are (Hewitt
    2021), plus noise with the standard deviation of initial weights, so that rows differ. The
    released code of HIBRIDS reuses rare tokens of the vocabulary instead.

    Args:
        model: The model; unchanged if it has a row for each token.
        tokenizer: Its tokenizer.
        seed: Seed of the noise.
    """
    held, needed = model.config.vocab_size, max(tokenizer.get_vocab().values()) + 1
    if needed <= held:
        return
    rows = model.resize_token_embeddings(needed, mean_resizing=False).weight
    noise = torch.randn(needed - held, rows.shape[1], generator=torch.Generator().manual_seed(seed))
    rows[held:] = rows[:held].mean(dim=0) + model.config.init_std * noise.to(rows)
