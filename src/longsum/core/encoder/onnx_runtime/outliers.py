"""Features of states that are far larger than the others, and so spoil the rounding of a token.

A token's state is rounded to 8 bits by its largest feature. BERT-shaped encoders have a handful of
features, the same for nearly every token, that are many times larger than the rest (Kovaleva et
al. 2021; Dettmers et al. 2022), so that the rest would be rounded coarsely. Such a feature is
divided by a whole number and enters the product that many times, with the same weights each time:
outlier channel splitting (Zhao et al. 2019). The product stays what it was, and no weight changes.
"""

from dataclasses import dataclass

import numpy as np

from longsum.common.arrays import Places
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.encoder.onnx_runtime.stored_weights import Floats

# A feature is brought to at most this many times the median of all features' largest values.
_WITHIN = 2.0
_MOST_TIMES = 16
_SEQUENCES, _TOKENS = 64, 32


@dataclass(frozen=True, slots=True)
class Split:
    """How features enter a product.

    Attributes:
        divisors: `[D]`, what each is divided by.
        again: Features that enter once more, each as often as it does.
    """

    divisors: Floats
    again: Places

    @classmethod
    def of(cls, largest: Floats) -> "Split":
        """Decide by the largest absolute value of each feature, `[D]`."""
        level = _WITHIN * float(np.median(largest))
        # Where most features are 0, none is an outlier.
        divisors = np.ceil(largest / level) if level else np.ones_like(largest)
        divisors = np.clip(divisors, 1, _MOST_TIMES)
        repeats = divisors.astype(np.int64) - 1
        return cls(divisors, np.repeat(np.arange(len(largest)), repeats))


def sample(config: SentenceEncoderConfig) -> Places:
    """Return texts to find outliers with, `[64, 32]`: random tokens, since any tokens show them."""
    width = min(_TOKENS, config.positions - config.position_offset)
    return np.random.default_rng(0).integers(config.vocabulary, size=(_SEQUENCES, width))
