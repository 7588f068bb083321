"""The settings of the pointer-generator network."""

from typing import Any

from transformers import PreTrainedConfig

from longsum.errors import LongsumError
from longsum.models.words.vocabulary import PAD, START, STOP


class WordModelConfig(PreTrainedConfig):
    """What models of a vocabulary of words have in common.

    Attributes:
        vocab_size: Words of the vocabulary, the four special tokens included.
        embedding_size: Features of a word (E).
        hidden_size: Features of a state (H).
        lower_case: Whether the words are in small letters.
        max_source_tokens: Most words that are read.
        max_target_tokens: Most words that are written.
        beams: Hypotheses of the search.

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
        sizes = (
            "vocab_size",
            "embedding_size",
            "hidden_size",
            "max_source_tokens",
            "max_target_tokens",
            "beams",
        )
        for name in sizes:
            if getattr(self, name) < 1:
                raise LongsumError(f"A model of words needs a positive '{name}'.")


class LongsumPointerConfig(WordModelConfig):
    """Sizes and phases; the defaults are those of See et al. 2017 and of their code.

    Its source is 400 words and its target 100, or 500 and 200 in the fine-tuning of MLS (§2.3);
    `hidden_size` is that of each direction of the encoder. For the rest see `WordModelConfig`.

    Attributes:
        coverage: Whether attention knows what it has attended to, and the loss asks it not to
            repeat that. The paper turns it on for a last, short phase; weights for it are always
            there, so that a checkpoint of either phase starts the other.
        coverage_weight: λ, the weight of the coverage loss.
        min_target_tokens: Fewest words before a text may end.
        lstm_init: LSTM weights start between minus and plus this.
        init_std: Standard deviation of other weights at the start.

    Raises:
        LongsumError: A size is not positive, or the fewest words are more than the most.
    """

    model_type = "longsum_pointer"

    coverage: bool = False
    coverage_weight: float = 1.0
    min_target_tokens: int = 35
    lstm_init: float = 0.02
    init_std: float = 1e-4

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if not 0 <= self.min_target_tokens <= self.max_target_tokens:
            raise LongsumError(
                "'min_target_tokens' of a pointer-generator network lies between 0 and "
                "'max_target_tokens'."
            )
