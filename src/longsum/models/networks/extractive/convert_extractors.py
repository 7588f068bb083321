"""Checkpoints of BERT, RoBERTa and MiniLM into the extractive models."""

import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.sentence_encoder import SentenceEncoder

# Whether a family's table of positions begins with rows up to and with that of its padding token.
FAMILIES = {"bert": False, "roberta": True, "camembert": True, "xlm-roberta": True}

COPIED = {
    "vocabulary": "vocab_size",
    "size": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "feed_forward": "intermediate_size",
    "token_types": "type_vocab_size",
    "norm_epsilon": "layer_norm_eps",
    "dropout": "hidden_dropout_prob",
}
# What the models are built for, where a checkpoint's settings name it at all.
NEEDED = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}

RENAMED = (
    (re.compile(r"^(bert|roberta)\."), ""),
    # Names of TensorFlow, in old checkpoints.
    (re.compile(r"LayerNorm\.gamma$"), "LayerNorm.weight"),
    (re.compile(r"LayerNorm\.beta$"), "LayerNorm.bias"),
    (re.compile(r"^embeddings\.word_embeddings\."), "embedding.tokens."),
    (re.compile(r"^embeddings\.position_embeddings\."), "embedding.positions."),
    (re.compile(r"^embeddings\.token_type_embeddings\."), "embedding.types."),
    (re.compile(r"^embeddings\.LayerNorm\."), "embedding.norm."),
    (re.compile(r"^encoder\.layer\."), "layers."),
    (re.compile(r"\.attention\.self\.(query|key|value)\."), r".attention.\1."),
    (re.compile(r"\.attention\.output\.dense\."), ".attention.output."),
    (re.compile(r"\.attention\.output\.LayerNorm\."), ".attention.norm."),
    (re.compile(r"\.intermediate\.dense\."), ".feed_forward.expand."),
    (re.compile(r"^(layers\.\d+)\.output\.dense\."), r"\1.feed_forward.shrink."),
    (re.compile(r"^(layers\.\d+)\.output\.LayerNorm\."), r"\1.feed_forward.norm."),
)
ENCODER = re.compile(r"(embedding|layers\.\d+)\.")
# Heads of the checkpoint, and what follows from its sizes.
OBSOLETE = re.compile(
    r"(pooler|cls|lm_head|classifier|qa_outputs)\.|embeddings\.(position|token_type)_ids$"
)
POSITIONS = "embedding.positions.weight"


def sentence_encoder_config(checkpoint: Mapping[str, Any]) -> SentenceEncoderConfig:
    """Return the settings of a sentence encoder for a checkpoint.

    Args:
        checkpoint: What the `config.json` of a BERT or RoBERTa holds.

    Raises:
        LongsumError: The checkpoint is of another kind, or one that these models cannot hold.
    """
    family = checkpoint.get("model_type")
    if family not in FAMILIES:
        raise LongsumError(
            f"A checkpoint of the kind {family!r} cannot be converted; "
            f"choose one of {', '.join(FAMILIES)}."
        )
    for name, needed in NEEDED.items():
        if checkpoint.get(name, needed) != needed:
            raise LongsumError(
                f"A checkpoint whose {name} is {checkpoint[name]!r} cannot be converted; "
                f"choose one with {needed!r}."
            )
    missing = [
        name for name in (*COPIED.values(), "max_position_embeddings") if name not in checkpoint
    ]
    if missing:
        raise LongsumError(
            f"The checkpoint's configuration lacks {missing[0]}; give a complete config.json."
        )
    offset = checkpoint.get("pad_token_id", 1) + 1 if FAMILIES[family] else 0
    return SentenceEncoderConfig(
        **{ours: checkpoint[theirs] for ours, theirs in COPIED.items()},
        positions=checkpoint["max_position_embeddings"] - offset,
        position_offset=offset,
    )


def convert_state_dict(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of a BERT or RoBERTa under the names of `SentenceEncoder`.

    Args:
        state: Weights in the naming of `transformers`, with or without prefix and heads.

    Raises:
        LongsumError: A weight is none of such a model.
    """
    found: dict[str, Tensor] = {}
    for theirs, tensor in state.items():
        name = RENAMED[0][0].sub("", theirs)
        if OBSOLETE.match(name):
            continue
        for pattern, replacement in RENAMED:
            name = pattern.sub(replacement, name)
        if not ENCODER.match(name):
            raise LongsumError(
                f"The checkpoint's {theirs} is no weight of a BERT or RoBERTa; give one of those."
            )
        found[name] = tensor
    return found


def start_encoder(encoder: SentenceEncoder, weights: Mapping[str, Tensor]) -> None:
    """Fill an encoder with embeddings and the bottom layers of a checkpoint.

    Args:
        encoder: Its positions may be fewer than the checkpoint's.
        weights: What `convert_state_dict` returned.

    Raises:
        LongsumError: The checkpoint lacks a weight, or has another size of one.
    """
    rows = encoder.embedding.positions.num_embeddings
    fitted = {name: each[:rows] if name == POSITIONS else each for name, each in weights.items()}
    _fill(encoder, fitted)


def start_flat(model: FlatSum, weights: Mapping[str, Tensor]) -> None:
    """Fill a flat extractor's encoder; as `start_encoder`, but with all layers.

    Raises:
        LongsumError: As `start_encoder`, or the checkpoint has more layers.
    """
    have, wanted = _depth(weights), len(model.encoder.layers)
    if have != wanted:
        raise LongsumError(
            f"The checkpoint has {have} layers and the model {wanted}; set its layers to {have}."
        )
    start_encoder(model.encoder, weights)


def start_hibert(model: Hibert, weights: Mapping[str, Tensor]) -> None:
    """Fill the sentence encoder from the bottom layers, the document encoder from the top (A.1).

    Attention to the summary begins as a copy of its layer's self-attention. Positions of sentences
    in document and summary stay as they are, as do the norm below the layers and the salience.

    Args:
        model: The model; its encoders may share layers of a checkpoint that has few.
        weights: What `convert_state_dict` returned.

    Raises:
        LongsumError: As `start_encoder`, or the document encoder has more layers.
    """
    start_encoder(model.sentence_encoder, weights)
    layers = model.document_encoder.layers
    below = _depth(weights) - len(layers)
    if below < 0:
        raise LongsumError(
            f"The checkpoint has {_depth(weights)} layers, too few for a document encoder of "
            f"{len(layers)}; set its layers to fewer."
        )
    for number, layer in enumerate(layers, start=below):
        prefix = f"layers.{number}."
        own = {
            name.removeprefix(prefix): each
            for name, each in weights.items()
            if name.startswith(prefix)
        }
        own |= {
            f"summary_{name}": each for name, each in own.items() if name.startswith("attention.")
        }
        _fill(layer, own)


def _depth(weights: Mapping[str, Tensor]) -> int:
    """Return the number of layers of a checkpoint."""
    numbers = [int(name.split(".")[1]) for name in weights if name.startswith("layers.")]
    return max(numbers, default=-1) + 1


@torch.no_grad()
def _fill(module: nn.Module, weights: Mapping[str, Tensor]) -> None:
    for name, parameter in module.state_dict().items():
        if name not in weights:
            raise LongsumError(
                f"The checkpoint lacks {name}; give one with at least as many layers as the model."
            )
        if weights[name].shape != parameter.shape:
            raise LongsumError(
                f"The checkpoint's {name} has the size {tuple(weights[name].shape)} and the "
                f"model's {tuple(parameter.shape)}; give both the same sizes."
            )
        parameter.copy_(weights[name])
