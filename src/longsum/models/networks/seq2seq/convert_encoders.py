"""Converts encoders into this model: a RoBERTa becomes encoder and decoder (Rothe et al. 2020).

Both halves start from its weights, and by default share them (RoBERTaShare). The decoder's
attention to the source, which RoBERTa lacks, starts at random. The softmax is applied to the states
of the decoder directly, without the layer that RoBERTa has before it: 152.4 million parameters for
the base size, where Stepwise counts 152.5 (A.3).
"""

import re
from collections.abc import Mapping
from typing import Any

from torch import Tensor
from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError

ENCODERS = ("roberta",)
"""Kinds of encoders that can be converted."""

BETWEEN = (".encoder_attn.", ".encoder_attn_layer_norm.")
"""Parts of a decoder that no encoder has."""

# Rows of a table of positions before that of position 0: RoBERTa counts from its padding id, 1.
_OFFSET = 2

_LAYER = r"^(?:roberta\.)?encoder\.layer\.(\d+)\."
_EMBEDDINGS = r"^(?:roberta\.)?embeddings\."
_NAMES = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (_EMBEDDINGS + r"LayerNorm\.", "encoder.layernorm_embedding."),
        (_EMBEDDINGS + r"position_embeddings\.", "encoder.embed_positions."),
        (_EMBEDDINGS + r"word_embeddings\.", "shared."),
        (_LAYER + r"attention\.self\.query\.", r"encoder.layers.\1.self_attn.q_proj."),
        (_LAYER + r"attention\.self\.key\.", r"encoder.layers.\1.self_attn.k_proj."),
        (_LAYER + r"attention\.self\.value\.", r"encoder.layers.\1.self_attn.v_proj."),
        (_LAYER + r"attention\.output\.dense\.", r"encoder.layers.\1.self_attn.out_proj."),
        (_LAYER + r"attention\.output\.LayerNorm\.", r"encoder.layers.\1.self_attn_layer_norm."),
        (_LAYER + r"intermediate\.dense\.", r"encoder.layers.\1.fc1."),
        (_LAYER + r"output\.dense\.", r"encoder.layers.\1.fc2."),
        (_LAYER + r"output\.LayerNorm\.", r"encoder.layers.\1.final_layer_norm."),
    )
)
_TYPES = re.compile(_EMBEDDINGS + r"token_type_embeddings\.weight$")


def encoder_settings(source: PreTrainedConfig) -> dict[str, Any]:
    """Return the fields of `LongsumSeq2SeqConfig` for an encoder–decoder made from an encoder."""
    positions = source.max_position_embeddings - _OFFSET
    halves = {
        f"{half}_{name}": size
        for half in ("encoder", "decoder")
        for name, size in (
            ("layers", source.num_hidden_layers),
            ("attention_heads", source.num_attention_heads),
            ("ffn_dim", source.intermediate_size),
        )
    }
    return {
        **halves,
        "share_layers": True,
        "vocab_size": source.vocab_size,
        "d_model": source.hidden_size,
        "activation_function": source.hidden_act,
        "dropout": source.hidden_dropout_prob,
        "attention_dropout": source.attention_probs_dropout_prob,
        "init_std": source.initializer_range,
        "max_source_positions": positions,
        "max_target_positions": positions,
        "position_offset": _OFFSET,
        "final_logits_bias": False,
        "pad_token_id": source.pad_token_id,
        "bos_token_id": source.bos_token_id,
        "eos_token_id": source.eos_token_id,
        "decoder_start_token_id": source.bos_token_id,
        "forced_eos_token_id": None,
    }


def both_halves(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of an encoder as those of an encoder and a decoder.

    RoBERTa adds one vector, that of its only segment, to all positions; here it is part of the
    table of positions.

    Raises:
        LongsumError: There are no weights of a RoBERTa.
    """
    converted = {}
    segment = None
    for name, tensor in state.items():
        if _TYPES.match(name):
            segment = tensor[0]
        for pattern, replacement in _NAMES:
            if pattern.match(name):
                converted[pattern.sub(replacement, name)] = tensor
                break
    positions = "encoder.embed_positions.weight"
    if positions not in converted or segment is None:
        raise LongsumError(
            "The checkpoint has no table of positions or of segments; give one of a RoBERTa."
        )
    converted[positions] = converted[positions] + segment
    decoder = {
        name.replace("encoder.", "decoder.", 1): tensor
        for name, tensor in converted.items()
        if name.startswith("encoder.")
    }
    return {**converted, **decoder}
