"""Extractive models: HiBERT, ETC and the flat BERT extractor, stepwise or not (Stepwise, §4–§6).

Nothing here imports `transformers`; the models as Hugging Face models are in `modeling`.

Letters in shapes: b documents, k partial plans of a document, n sentences of a document, m texts or
sentences of a plan, t tokens of a text, F features of a sentence's place, D features of a state.
"""

from longsum.models.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.extractive.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.models.extractive.flat import FlatReading, FlatSum
from longsum.models.extractive.flat_settings import FlatConfig
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.units import ExtractiveModel, Units, join

__all__ = [
    "DocumentEncoderConfig",
    "ExtractiveModel",
    "FlatConfig",
    "FlatReading",
    "FlatSum",
    "Hibert",
    "HibertConfig",
    "SentenceEncoderConfig",
    "Units",
    "join",
    "load_extractor",
    "save_extractor",
]
