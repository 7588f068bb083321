"""Loading a tagger from a folder."""

from pathlib import Path

import torch
from torch import nn

from longsum.errors import LongsumError
from longsum.models.hugging_face import load_config, load_model
from longsum.models.tagger.configuration_tagger import LongsumTaggerConfig
from longsum.models.tagger.modeling_tagger import LongsumTagger


def load_tagger(folder: str | Path) -> LongsumTagger:
    """Load a tagger that `longsum train` wrote, onto a GPU where there is one.

    Args:
        folder: Its folder.

    Returns:
        The tagger, in evaluation mode.

    Raises:
        LongsumError: There is no such folder, it holds another kind of model, or its weights
            cannot be read.
    """
    if not Path(folder).is_dir():
        raise LongsumError(
            f"There is no folder '{folder}'; give that of a tagger, which 'longsum train "
            "importance-tagger' makes."
        )
    config = load_config(Path(folder))
    if not isinstance(config, LongsumTaggerConfig):
        raise LongsumError(
            f"The model in '{folder}' is no tagger of important tokens; give one that 'longsum "
            "train importance-tagger' made."
        )
    tagger: LongsumTagger = load_model(LongsumTagger, Path(folder), config)
    nn.Module.to(tagger, "cuda" if torch.cuda.is_available() else "cpu")
    return tagger
