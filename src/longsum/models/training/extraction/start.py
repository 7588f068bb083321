"""The model that training starts from: its sizes, and the weights that a checkpoint provides."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tokenizers import Tokenizer
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import MODEL_TYPE, read_settings, write_settings
from longsum.core.model_files.folders import ModelFolder, check_model
from longsum.core.recipes.recipe import merged
from longsum.documents.sentence_features import PLACES
from longsum.models.networks.extractive.convert_extractors import (
    convert_state_dict,
    sentence_encoder_config,
    start_encoder,
    start_flat,
    start_hibert,
)
from longsum.models.networks.extractive.etc import EtcSum
from longsum.models.networks.extractive.etc_pretraining import from_bert_layers
from longsum.models.networks.extractive.extractor_files import (
    architecture_of,
    build,
    load_extractor,
)
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import ExtractiveModel
from longsum.models.networks.weights import check_weights, load_weights
from longsum.models.training.extraction.extraction_settings import StartSettings

EMBEDDING = "embedding.tokens.weight"
_SIZES = ("size", "layers", "heads", "feed_forward")


def start_model(
    settings: StartSettings, tokenizer: Tokenizer, kept: list[int] | None
) -> ExtractiveModel:
    """Make the model that the settings describe.

    The sizes of a checkpoint are the defaults of the encoder that it initialises; `settings.start`
    says whether that includes the document encoder. A checkpoint that is itself an extractive
    model is continued as a whole, or provides its sentence encoder.

    Args:
        settings: What is trained.
        tokenizer: The tokenizer, which decides the vocabulary.
        kept: Rows of the checkpoint's embedding to keep; None for all.

    Raises:
        LongsumError: The checkpoint is missing or does not fit.
    """
    if settings.checkpoint is None:
        return _build(settings, {"vocabulary": tokenizer.get_vocab_size()})
    folder = check_model(settings.checkpoint)
    if folder.model_type == MODEL_TYPE and settings.start == "whole":
        return _continued(folder, settings)
    if folder.model_type == MODEL_TYPE:
        sizes, weights = _of_extractor(folder)
    else:
        sizes = asdict(sentence_encoder_config(folder.settings))
        weights = convert_state_dict(load_weights(folder))
    if kept is not None:
        weights[EMBEDDING] = weights[EMBEDDING][kept]
    sizes["vocabulary"] = len(weights[EMBEDDING])
    model = _build(settings, sizes)
    _fill(model, weights, settings)
    return model


def _of_extractor(folder: ModelFolder) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return the settings and weights of the sentence encoder of a HiBERT."""
    model = load_extractor(folder)
    if not isinstance(model, Hibert):
        raise LongsumError(
            f"'{folder}' has no sentence encoder to start from; continue it with start=whole."
        )
    encoder = model.sentence_encoder
    return asdict(model.config.sentence_encoder), dict(encoder.state_dict())


def _continued(folder: ModelFolder, settings: StartSettings) -> ExtractiveModel:
    """Make a model with the weights of an earlier run, and its settings unless others are given.

    Raises:
        LongsumError: It has another architecture or size, or its vocabulary is to be reduced.
    """
    earlier = load_extractor(folder)
    if architecture_of(earlier) != settings.architecture or settings.vocabulary is not None:
        raise LongsumError(
            f"'{folder}' holds a model of the architecture '{architecture_of(earlier)}'; set "
            "'architecture' to that, and leave out 'vocabulary', which cannot change."
        )
    values = merged(write_settings(earlier.config), settings.model)
    model = build(settings.architecture, read_settings(settings.architecture, values))
    check_weights(earlier.state_dict(), model.state_dict())
    model.load_state_dict(earlier.state_dict())
    return model


def _build(settings: StartSettings, encoder: Mapping[str, Any]) -> ExtractiveModel:
    """Make the model, with the sizes of an encoder unless the settings give others."""
    sizes: dict[str, Any]
    if settings.architecture == "hibert":
        sizes = {"sentence_encoder": encoder, "document_encoder": {"places": [*PLACES.values()]}}
    elif settings.architecture == "flat":
        sizes = {"encoder": encoder}
    else:
        sizes = {name: encoder[name] for name in ("vocabulary", *_SIZES) if name in encoder}
    values = merged(sizes, settings.model)
    return build(settings.architecture, read_settings(settings.architecture, values))


def _fill(model: ExtractiveModel, weights: Mapping[str, Tensor], settings: StartSettings) -> None:
    if isinstance(model, Hibert):
        if settings.start == "whole":
            start_hibert(model, weights)
        else:
            start_encoder(model.sentence_encoder, weights)
    elif isinstance(model, FlatSum):
        start_flat(model, weights)
    elif isinstance(model, EtcSum):
        model.encoder = from_bert_layers(model.config, weights)
