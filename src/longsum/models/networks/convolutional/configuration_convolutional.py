"""The settings of the convolutional encoder–decoder."""

from typing import Any

from longsum.common.errors import LongsumError
from longsum.models.networks.words.configuration_words import WordModelConfig


class LongsumConvolutionalConfig(WordModelConfig):
    """Settings of the network; the defaults are those of the code of Liu, Luo and Zhu 2018.

    For the rest see `WordModelConfig`.

    Attributes:
        layers: Convolutions of the encoder, and of the decoder.
        width: Kernel width of a convolution (k), an odd number.
        dropout: Dropout rate.

    Raises:
        LongsumError: A size is not positive, or the width is even.
    """

    model_type = "longsum_convolutional"

    embedding_size: int = 256
    hidden_size: int = 512
    max_source_tokens: int = 500
    max_target_tokens: int = 200
    layers: int = 8
    width: int = 3
    dropout: float = 0.2

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.layers < 1 or self.width < 1 or self.width % 2 == 0:
            raise LongsumError(
                "A convolutional model needs at least one layer, and an odd number as 'width'."
            )
