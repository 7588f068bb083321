"""Loading a model that checks summaries from a folder."""

from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, check_local
from longsum.models.networks.hugging_face import load_config, load_model, load_tokenizer

DEFAULT_TOKENS = 512
"""Most tokens at once of a model that does not say how many; BERT's number."""

UNUSED = ("pooler", "position_ids")
"""Parts of the names of weights that checkpoints may hold and these models do not use."""


def load_checker(
    kind: Any, folder: str | Path, architecture: str
) -> tuple[Any, PreTrainedTokenizerBase, int]:
    """Load a model and its tokenizer, onto a GPU where there is one.

    Args:
        kind: An Auto class of `transformers`.
        folder: The folder; nothing is fetched.
        architecture: How the names of the model's classes end, such as `ForQuestionAnswering`.

    Returns:
        The model in evaluation mode, its tokenizer, and the most tokens that it reads at once.

    Raises:
        LongsumError: There is no such folder, it holds another kind of model, or it cannot be
            used.
    """
    check_local(folder)
    source = ModelFolder.at(folder)
    config = load_config(source)
    named = config.architectures or []
    if not any(str(name).endswith(architecture) for name in named):
        raise LongsumError(
            f"The model in '{folder}' is no …{architecture} but {', '.join(named) or 'unnamed'}; "
            "give one that is."
        )
    tokenizer = load_tokenizer(source)
    if not tokenizer.is_fast:
        raise LongsumError(
            f"The tokenizer in '{folder}' cannot tell where its tokens are in a text; give a model "
            "that has a tokenizer.json."
        )
    model = load_model(kind, source, config, spare=UNUSED)
    nn.Module.to(model, "cuda" if torch.cuda.is_available() else "cpu")
    # Positions beyond those that a model learned from exist, but mean nothing to it.
    return model, tokenizer, min(tokens_of(config), tokenizer.model_max_length)


def tokens_of(config: Any) -> int:
    """Return the most tokens that a model of these settings reads at once."""
    most = int(getattr(config, "max_position_embeddings", DEFAULT_TOKENS))
    # RoBERTa and its kin count positions from after the padding token.
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert")
    return most - (int(config.pad_token_id) + 1 if shifted else 0)
