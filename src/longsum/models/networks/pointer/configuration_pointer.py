"""The settings of the pointer-generator network."""

from typing import Any

from longsum.common.errors import LongsumError
from longsum.models.networks.words.configuration_words import WordModelConfig


class LongsumPointerConfig(WordModelConfig):
    """Settings of the network; the defaults are those of See et al. 2017 and of their code.

    Sources have 400 words and targets 100, or 500 and 200 in the fine-tuning of MLS (§2.3);
    `hidden_size` is that of each direction of the encoder. For the rest see `WordModelConfig`.

    Attributes:
        coverage: Whether attention is conditioned on previous attention, and the loss penalises
            repeating it. The paper turns it on for a last, short phase; its weights always exist,
            so that a checkpoint of either phase can start the other.
        coverage_weight: λ, the weight of the coverage loss.
        min_target_tokens: Minimum number of words of a text.
        lstm_init: LSTM weights are initialised uniformly between minus and plus this.
        init_std: Standard deviation of other initial weights.

    Raises:
        LongsumError: A size is not positive, or the minimum of words exceeds the maximum.
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
