"""Which models take which settings; imported only if settings are given."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from longsum.common.errors import LongsumError
from longsum.common.registry import registered
from longsum.core.loading import EXTRACTOR, is_chat
from longsum.core.model_files.folders import ModelFolder


def check_takes(
    model: str | None, settings: Mapping[str, Any], besides: Collection[str] = ()
) -> None:
    """Reject settings of a language model for any other model.

    Args:
        model: The model, if there is one.
        settings: The given settings.
        besides: Settings that an encoder–decoder also takes.
    """
    if not settings or (model is not None and is_chat(model)):
        return
    own = settings.keys() - (besides if model is not None and is_encoder_decoder(model) else ())
    if own:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in settings if name in own)
        raise LongsumError(
            f"Only language models take {names}; give --model with the folder of one or an "
            "address such as http://127.0.0.1:8080/v1#NAME, or leave it out."
        )


def is_encoder_decoder(name: str | Path) -> bool:
    """Return whether a model is one of those that `transformers` generates with.

    Raises:
        LongsumError: There is no such model, or its files cannot be read.
    """
    kind = str(ModelFolder.at(name).model_type)
    return kind != EXTRACTOR and kind not in registered("models")
