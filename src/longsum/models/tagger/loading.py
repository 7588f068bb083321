"""Loading a tagger from a folder."""

from pathlib import Path

import torch
from safetensors import SafetensorError
from torch import nn

from longsum.errors import LongsumError
from longsum.models.seq2seq.loading import read_config
from longsum.models.tagger.configuration import LongsumTaggerConfig
from longsum.models.tagger.modeling import LongsumTagger
from longsum.models.weights import weight_files


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
    if not isinstance(read_config(Path(folder)), LongsumTaggerConfig):
        raise LongsumError(
            f"The model in '{folder}' is no tagger of important tokens; give one that 'longsum "
            "train importance-tagger' made."
        )
    # Asked for first, because where there are none others would be taken.
    weight_files(Path(folder))
    try:
        tagger: LongsumTagger = LongsumTagger.from_pretrained(folder, use_safetensors=True)
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise LongsumError(
            f"The weights in '{folder}' cannot be loaded ({type(error).__name__}); train the "
            "tagger again."
        ) from error
    nn.Module.to(tagger, "cuda" if torch.cuda.is_available() else "cpu")
    tagger.eval()
    return tagger
