"""The folder and the tokenizer of the extractor that ships with longsum."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from tokenizers import Tokenizer

from longsum.common.errors import LongsumError
from longsum.core.model_files.tokenizer_file import TOKENIZER, read_tokenizer_file

LANGUAGE = "en"
"""The language that the extractor was trained on."""


def shipped_folder() -> Path:
    """Return the folder of the bundled extractor.

    Raises:
        LongsumError: This installation lacks it.
    """
    folder = Path(str(files("longsum").joinpath("weights", "extractor")))
    if not folder.is_dir():
        raise LongsumError(
            "This installation contains no extractor; give the folder of a trained one as 'model'."
        )
    return folder


@cache
def shipped_tokenizer() -> Tokenizer:
    """Return the tokenizer of the bundled extractor.

    Raises:
        LongsumError: As `shipped_folder` and `load_tokenizer`.
    """
    return load_tokenizer(shipped_folder())


def load_tokenizer(folder: Path) -> Tokenizer:
    """Read the tokenizer in a folder.

    Raises:
        LongsumError: There is none, or it cannot be read.
    """
    text = read_tokenizer_file(folder / TOKENIZER)
    try:
        return Tokenizer.from_str(text)
    except Exception as error:  # tokenizers raises nothing narrower
        raise LongsumError(
            f"The folder '{folder}' contains no readable {TOKENIZER}; give one that "
            "'longsum train' wrote."
        ) from error
