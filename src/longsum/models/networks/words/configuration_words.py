"""The settings that word-level models share."""

from typing import Any

from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError
from longsum.models.networks.words.vocabulary import PAD, START, STOP

_SIZES = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "max_source_tokens",
    "max_target_tokens",
    "beams",
)


class WordModelConfig(PreTrainedConfig):
    """Settings shared by all word-level models.

    Attributes:
        vocab_size: Words of the vocabulary, including the four special tokens.
        embedding_size: Features of a word (E).
        hidden_size: Features of a state (H).
        lower_case: Whether words are lower-cased.
        max_source_tokens: Maximum number of source words.
        max_target_tokens: Maximum number of target words.
        beams: Number of beams in beam search.

    Raises:
        LongsumError: A size is not positive.
    """

    vocab_size: int = 50_000
    embedding_size: int = 128
    hidden_size: int = 256
    lower_case: bool = True
    max_source_tokens: int = 400
    max_target_tokens: int = 100
    beams: int = 4
    pad_token_id: int | None = PAD
    bos_token_id: int | None = START
    eos_token_id: int | list[int] | None = STOP

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for name in _SIZES:
            if getattr(self, name) < 1:
                raise LongsumError(f"A word-level model needs a positive '{name}'.")
