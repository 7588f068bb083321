"""A tagger of important tokens: the encoder of an encoder–decoder, and a number for each token."""

from longsum.models.networks.tagger.configuration_tagger import LongsumTaggerConfig
from longsum.models.networks.tagger.modeling_tagger import LongsumTagger

__all__ = ["LongsumTagger", "LongsumTaggerConfig"]
