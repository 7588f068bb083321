"""Loading a tagger from a folder."""

from pathlib import Path

import torch
from torch import nn

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder, ModelPath
from longsum.models.networks.hugging_face import load_config, load_model
from longsum.models.networks.tagger.configuration_tagger import LongsumTaggerConfig
from longsum.models.networks.tagger.modeling_tagger import LongsumTagger


def load_tagger(source: ModelPath) -> LongsumTagger:
    """Load a tagger that `longsum train` wrote, onto a GPU where there is one.

    Args:
        source: Its folder.

    Returns:
        The tagger, in evaluation mode.

    Raises:
        LongsumError: There is no such folder, it holds another kind of model, or its weights
            cannot be read.
    """
    if not Path(source).is_dir():
        raise LongsumError(
            f"There is no folder '{source}'; give that of a tagger, which 'longsum train "
            "importance-tagger' makes."
        )
    folder = ModelFolder.at(source)
    config = load_config(folder)
    if not isinstance(config, LongsumTaggerConfig):
        raise LongsumError(
            f"The model in '{folder}' is no tagger of important tokens; give one that 'longsum "
            "train importance-tagger' made."
        )
    tagger: LongsumTagger = load_model(LongsumTagger, folder, config)
    nn.Module.to(tagger, "cuda" if torch.cuda.is_available() else "cpu")
    return tagger
