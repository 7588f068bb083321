"""The settings of the pointer-generator network."""

from typing import Any

from longsum.errors import LongsumError
from longsum.models.words.configuration_words import WordModelConfig


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
