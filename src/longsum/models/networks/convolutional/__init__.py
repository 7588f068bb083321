"""The convolutional encoder–decoder with a target length (Liu, Luo and Zhu 2018), A3 of MLS (§3).

Letters in shapes: b sources, n source words, t target words, E features of a word, H of a state,
V words of the vocabulary, k kernel width of a convolution.
"""

from longsum.models.networks.convolutional.configuration_convolutional import (
    LongsumConvolutionalConfig,
)
from longsum.models.networks.convolutional.modeling_convolutional import LongsumConvolutional

__all__ = ["LongsumConvolutional", "LongsumConvolutionalConfig"]
