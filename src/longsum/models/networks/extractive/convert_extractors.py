"""Converts checkpoints of BERT, RoBERTa and MiniLM into extractive models, and back into a BERT.

The sentence encoder of an extractor makes a checkpoint of BERT, from which other models can start.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

from longsum.common.errors import LongsumError
from longsum.common.files import new_folder
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import TOKENIZER, read_tokenizer_file
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert

# Whether a family's table of positions begins with unused rows, up to its padding token's.
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
# Values that the models are built for, if a checkpoint's settings mention them at all.
NEEDED = {"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}

# Parts of names, ours and those of `transformers`.
NAMES = (
    ("embedding.tokens.", "embeddings.word_embeddings."),
    ("embedding.positions.", "embeddings.position_embeddings."),
    ("embedding.types.", "embeddings.token_type_embeddings."),
    ("embedding.norm.", "embeddings.LayerNorm."),
    ("layers.", "encoder.layer."),
    (".attention.query.", ".attention.self.query."),
    (".attention.key.", ".attention.self.key."),
    (".attention.value.", ".attention.self.value."),
    (".attention.output.", ".attention.output.dense."),
    (".attention.norm.", ".attention.output.LayerNorm."),
    (".feed_forward.expand.", ".intermediate.dense."),
    (".feed_forward.shrink.", ".output.dense."),
    (".feed_forward.norm.", ".output.LayerNorm."),
)
PREFIX = re.compile(r"^(bert|roberta)\.")
# Names of TensorFlow, in old checkpoints.
OLD_NAMES = (("LayerNorm.gamma", "LayerNorm.weight"), ("LayerNorm.beta", "LayerNorm.bias"))
ENCODER = re.compile(r"(embedding|layers\.\d+)\.")
# Heads of the checkpoint, and tensors that follow from its sizes.
OBSOLETE = re.compile(
    r"(pooler|cls|lm_head|classifier|qa_outputs)\.|embeddings\.(position|token_type)_ids$"
)
POSITIONS = "embedding.positions.weight"


def sentence_encoder_config(checkpoint: Mapping[str, Any]) -> SentenceEncoderConfig:
    """Return the settings of a sentence encoder for a checkpoint.

    Args:
        checkpoint: The content of the `config.json` of a BERT or RoBERTa.

    Raises:
        LongsumError: The checkpoint is of another kind, or has settings that these models lack.
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
        LongsumError: A weight does not belong to such a model.
    """
    converted: dict[str, Tensor] = {}
    for theirs, tensor in state.items():
        name = PREFIX.sub("", theirs)
        if OBSOLETE.match(name):
            continue
        for old, new in OLD_NAMES:
            name = name.replace(old, new)
        for our_part, their_part in NAMES:
            name = name.replace(their_part, our_part)
        if not ENCODER.match(name):
            raise LongsumError(
                f"The checkpoint's {theirs} is not a weight of a BERT or RoBERTa; give one of "
                "those."
            )
        converted[name] = tensor
    return converted


def start_encoder(encoder: SentenceEncoder, weights: Mapping[str, Tensor]) -> None:
    """Fill an encoder with embeddings and the bottom layers of a checkpoint.

    Args:
        encoder: The encoder, which may have fewer positions than the checkpoint.
        weights: What `convert_state_dict` returned.

    Raises:
        LongsumError: The checkpoint lacks a weight, or has one of another size.
    """
    rows = encoder.embedding.positions.num_embeddings
    fitted = dict(weights)
    if POSITIONS in fitted:
        fitted[POSITIONS] = fitted[POSITIONS][:rows]
    _fill(encoder, fitted)


def start_flat(model: FlatSum, weights: Mapping[str, Tensor]) -> None:
    """Fill a flat extractor's encoder as `start_encoder` does, but with all layers.

    Raises:
        LongsumError: As for `start_encoder`, or the checkpoint has another number of layers.
    """
    given, needed = _depth(weights), len(model.encoder.layers)
    if given != needed:
        raise LongsumError(
            f"The checkpoint has {given} layers and the model {needed}; set its layers to {given}."
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
        LongsumError: As for `start_encoder`, or the document encoder has more layers.
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
        # Weights of other layers keep their prefix, so that none has the name of a part of this.
        parts = {name.removeprefix(prefix): weight for name, weight in weights.items()}
        parts |= {
            f"summary_{name}": weight
            for name, weight in parts.items()
            if name.startswith("attention.")
        }
        _fill(layer, parts)


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


_SPECIAL = {
    "pad_token": "[PAD]",
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "mask_token": "[MASK]",
}


def write_bert(folder: ModelFolder, to: Path) -> int:
    """Write the sentence encoder of a HiBERT, with its tokenizer, as a checkpoint of BERT.

    Returns the number of parameters.

    Args:
        folder: The extractor's folder.
        to: A new or empty folder.

    Raises:
        LongsumError: The folder holds no HiBERT, its encoder is no BERT, or `to` is not empty.
    """
    if to.is_file() or (to.is_dir() and any(to.iterdir())):
        raise LongsumError(f"'{to}' is not an empty folder; name a new one.")
    extractor = load_extractor(folder)
    if not isinstance(extractor, Hibert):
        raise LongsumError(
            f"'{folder}' has no sentence encoder; give the folder of a HiBERT, such as "
            "'longsum train stepwise' writes."
        )
    encoder = extractor.sentence_encoder
    tokenizer = Tokenizer.from_str(read_tokenizer_file(folder.path / TOKENIZER))
    padding, *others = (tokenizer.token_to_id(token) for token in _SPECIAL.values())
    if encoder.config.position_offset or padding is None or None in others:
        raise LongsumError(
            f"The sentence encoder in '{folder}' began as another model than BERT; give the folder "
            "of an extractor that began as a BERT."
        )
    config = bert_config(encoder.config, padding)
    model = BertModel(config, add_pooling_layer=False)
    model.load_state_dict(bert_state_dict(encoder.state_dict()))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=config.max_position_embeddings,
        # Otherwise both texts of a pair would be read as one.
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
        **_SPECIAL,
    )
    with new_folder(to) as unfinished:
        model.save_pretrained(unfinished)
        wrapped.save_pretrained(unfinished)
    return int(model.num_parameters())


def bert_config(config: SentenceEncoderConfig, padding: int) -> BertConfig:
    """Return the settings of a BERT of the same sizes, with the id of its padding token."""
    sizes = {theirs: getattr(config, ours) for ours, theirs in COPIED.items()}
    return BertConfig(
        max_position_embeddings=config.positions,
        attention_probs_dropout_prob=config.dropout,
        pad_token_id=padding,
        **sizes,
    )


def bert_state_dict(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of a `SentenceEncoder` under the names of `transformers`."""
    converted = {}
    for name, tensor in state.items():
        theirs = name
        for our_part, their_part in NAMES:
            theirs = theirs.replace(our_part, their_part)
        converted[theirs] = tensor
    return converted
