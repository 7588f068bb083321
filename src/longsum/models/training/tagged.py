"""The importance of tokens as a tagger predicts it (Pang et al. 2022, §2.3, AdaPool, Step 3)."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.models.networks.hugging_face import load_tokenizer
from longsum.models.networks.tagger import LongsumTagger, load_tagger
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import reads_sections
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import check_same_tokens
from longsum.models.training.measure import batches_of
from longsum.models.training.training_dataset import TrainingDataset


def with_test_importance(
    split: PreparedSplit, task: TaskConfig, tokenizer: PreTrainedTokenizerBase, *, batch: int
) -> PreparedSplit:
    """Return a split with the importance that a model reads when it generates.

    Args:
        split: The split, with the oracle's labels if the task has importance.
        task: Its task.
        tokenizer: The tokenizer that it was encoded with.
        batch: Number of sources read at once.

    Raises:
        LongsumError: The task needs a tagger and names none, there is none in its folder, or its
            vocabulary differs.
    """
    if task.importance != "tagger":
        return split
    folder = tagger_folder(task)
    tagger = load_tagger(folder)
    check_same_tokens(load_tokenizer(Path(folder)), tokenizer)
    return tagged(split, tagger, batch=batch, pad=int(tokenizer.pad_token_id or 0))


def tagger_folder(task: TaskConfig) -> str:
    """Return the folder of the tagger that a model generates with.

    Raises:
        LongsumError: The task names none.
    """
    if task.tagger is None:
        raise LongsumError(
            "A model that is trained with an oracle's labels generates with a tagger's; name its "
            "folder as task.tagger."
        )
    return task.tagger


@torch.inference_mode()
def tagged(split: PreparedSplit, tagger: LongsumTagger, *, batch: int, pad: int) -> PreparedSplit:
    """Return a split whose importance is a tagger's probabilities.

    It reads `batch` sources at once.
    """
    dataset = TrainingDataset(split, sys.maxsize, structure=reads_sections(tagger.config))
    predicted = []
    for inputs in batches_of(dataset, batch, pad, tagger.device):
        del inputs["labels"]
        probabilities = tagger(**inputs).logits.float().sigmoid()
        predicted.append(probabilities[inputs["attention_mask"].bool()].cpu().numpy())
    return replace(split, importance=np.concatenate(predicted))
