"""The importance of tokens by a tagger (Pang et al. 2022, §2.3, AdaPool, Step 3)."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from longsum.errors import LongsumError
from longsum.models.hugging_face import load_tokenizer
from longsum.models.tagger import LongsumTagger
from longsum.models.tagger.tagger_files import load_tagger
from longsum.tasks.prepared import PreparedSplit
from longsum.tasks.source import reads_sections
from longsum.tasks.task_settings import TaskConfig
from longsum.tasks.tokens import check_same_tokens
from longsum.training.measure import batches_of
from longsum.training.training_dataset import Lessons


def as_tested(
    split: PreparedSplit, task: TaskConfig, tokenizer: PreTrainedTokenizerBase, *, batch: int
) -> PreparedSplit:
    """Return lessons with the importance that a model is told when it writes.

    Args:
        split: The lessons, with the labels of the oracle where the task asks for importance.
        task: The task that they are of.
        tokenizer: The tokenizer that they were encoded with.
        batch: Sources at once.

    Raises:
        LongsumError: The task names no tagger and needs one, there is none in its folder, or it
            reads other tokens.
    """
    if task.importance != "tagger":
        return split
    folder = needed_tagger(task)
    tagger = load_tagger(folder)
    check_same_tokens(load_tokenizer(Path(folder)), tokenizer)
    return tagged(split, tagger, batch=batch, pad=int(tokenizer.pad_token_id or 0))


def needed_tagger(task: TaskConfig) -> str:
    """Return the folder of the tagger that a model writes with.

    Raises:
        LongsumError: The task names none.
    """
    if task.tagger is None:
        raise LongsumError(
            "A model that was trained with an oracle's labels writes with a tagger's; name its "
            "folder as task.tagger."
        )
    return task.tagger


@torch.inference_mode()
def tagged(split: PreparedSplit, tagger: LongsumTagger, *, batch: int, pad: int) -> PreparedSplit:
    """Return lessons whose importance is a tagger's probabilities.

    Args:
        split: The lessons.
        tagger: The tagger.
        batch: Sources at once.
        pad: Id of the padding token.
    """
    lessons = Lessons(split, sys.maxsize, structure=reads_sections(tagger.config))
    found = []
    for inputs in batches_of(lessons, batch, pad, tagger.device):
        del inputs["labels"]
        probabilities = tagger(**inputs).logits.float().sigmoid()
        found.append(probabilities[inputs["attention_mask"].bool()].cpu().numpy())
    return replace(split, importance=np.concatenate(found))
