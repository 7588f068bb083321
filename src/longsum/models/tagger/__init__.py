"""A tagger of important tokens: the encoder of an encoder–decoder, and a number for each token."""

from transformers import AutoConfig, AutoModelForTokenClassification

from longsum.models.tagger.configuration_tagger import LongsumTaggerConfig
from longsum.models.tagger.modeling_tagger import LongsumTagger


def register() -> None:
    """Make the model known to AutoConfig and AutoModelForTokenClassification."""
    AutoConfig.register(LongsumTaggerConfig.model_type, LongsumTaggerConfig, exist_ok=True)
    AutoModelForTokenClassification.register(LongsumTaggerConfig, LongsumTagger, exist_ok=True)


register()

__all__ = ["LongsumTagger", "LongsumTaggerConfig", "register"]
