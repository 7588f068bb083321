"""Converts LongT5 into this model: renames weights, and gives each distance its bucket's bias.

A T5 has one table of biases for all layers of the encoder and one for those of the decoder, with a
row for each bucket of distances. Here every distance up to the last bucket has a row, and every
encoder layer a table: the function is the same, and training may separate what T5 cannot.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor
from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError

T5 = ("longt5",)
"""Kinds that can be converted."""

# The length that its authors' checkpoints were trained for, if the settings state none.
_POSITIONS = 16_384
_PARTS = (
    (r"\.block\.(\d+)\.layer\.\d\.", r".layers.\1."),
    (r"\.(?:Local|TransientGlobal)?SelfAttention\.global_input_", ".self_attn.transient_"),
    (r"\.(?:Local|TransientGlobal)?SelfAttention\.([qkv])\.", r".self_attn.\1_proj."),
    (r"\.(?:Local|TransientGlobal)?SelfAttention\.o\.", ".self_attn.out_proj."),
    (r"\.EncDecAttention\.([qkv])\.", r".encoder_attn.\1_proj."),
    (r"\.EncDecAttention\.o\.", ".encoder_attn.out_proj."),
    (r"\.DenseReluDense\.wi(?:_0)?\.", ".fc1."),
    (r"\.DenseReluDense\.wi_1\.", ".fc_gate."),
    (r"\.DenseReluDense\.wo\.", ".fc2."),
    (r"coder\.final_layer_norm\.", "coder.layer_norm."),
)
# The norms of a block are distinguished by the index of their sub-layer.
_NORMS = {
    "encoder": ("self_attn_layer_norm", "final_layer_norm"),
    "decoder": ("self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"),
}
_NORM = re.compile(r"(encoder|decoder)\.block\.(\d+)\.layer\.(\d)\.layer_norm\.")
_TABLE = re.compile(
    r"(encoder|decoder)\.block\.0\.layer\.0\.\w+\.(global_)?relative_attention_bias\.weight\Z"
)


def t5_settings(source: PreTrainedConfig) -> dict[str, Any]:
    """Return the fields of `LongsumSeq2SeqConfig` for a LongT5.

    Raises:
        LongsumError: Its heads together do not have the width of the model.
    """
    if source.d_kv * source.num_heads != source.d_model:
        raise LongsumError(
            f"This checkpoint has {source.num_heads} heads of {source.d_kv} in states of "
            f"{source.d_model}, and only heads that divide the states convert; load it as "
            "transformers has it, with AutoModelForSeq2SeqLM."
        )
    attention = {"kind": "pattern", "window": 2 * source.local_radius}
    if source.encoder_attention_type == "transient-global":
        attention["transient_block"] = source.global_block_size
    reach = source.relative_attention_max_distance
    positions = getattr(source, "n_positions", _POSITIONS)
    start = source.decoder_start_token_id
    dropout = dict.fromkeys(
        ("dropout", "attention_dropout", "activation_dropout"), source.dropout_rate
    )
    return {
        **{f"{half}_attention_heads": source.num_heads for half in ("encoder", "decoder")},
        **{f"{half}_ffn_dim": source.d_ff for half in ("encoder", "decoder")},
        **dropout,
        "encoder_layers": source.num_layers,
        "decoder_layers": source.num_decoder_layers,
        "activation_function": source.dense_act_fn,
        "gated_activation": source.is_gated_act,
        "encoder_attention": attention,
        "encoder_bias": {"kind": "token_distance", "token_reach": reach},
        "decoder_token_reach": reach,
        "position_kind": "none",
        "max_source_positions": positions,
        "max_target_positions": positions,
        "normalize_before": True,
        "normalize_embedding": False,
        "final_layer_norms": True,
        "norm_kind": "rms",
        "norm_epsilon": source.layer_norm_epsilon,
        "scale_scores": False,
        "output_scale": source.d_model**-0.5 if source.scale_decoder_outputs else 1.0,
        "final_logits_bias": False,
        "decoder_start_token_id": source.pad_token_id if start is None else start,
        "forced_eos_token_id": None,
    }


def t5_weights(state: Mapping[str, Tensor], source: PreTrainedConfig) -> dict[str, Tensor]:
    """Return the weights of a LongT5 under this model's names."""
    converted: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if match := _TABLE.search(name):
            half, transient = match.groups()
            table = _by_distance(tensor, source.relative_attention_max_distance, half == "encoder")
            if half == "decoder":
                converted["decoder.token_bias.table"] = table
                continue
            part = "transient_bias" if transient else "bias"
            for layer in range(source.num_layers):
                converted[f"encoder.layers.{layer}.self_attn.{part}.table"] = table.clone()
            continue
        name = _NORM.sub(_norm_name, name)
        for pattern, replacement in _PARTS:
            name = re.sub(pattern, replacement, name)
        converted[name] = tensor
    for name in [name for name in converted if re.search(r"\.fc(1|2|_gate)\.weight$", name)]:
        bias = converted[name].new_zeros(len(converted[name]))
        converted.setdefault(name.removesuffix("weight") + "bias", bias)
    return converted


def _norm_name(match: "re.Match[str]") -> str:
    half, layer, place = match.groups()
    return f"{half}.layers.{layer}.{_NORMS[half][int(place)]}."


def _by_distance(buckets: Tensor, reach: int, both_sides: bool) -> Tensor:
    """Return a row for each distance: 0, then those to the right if `both_sides`, then to the left.

    Args:
        buckets: `[buckets, h]`; with both sides, those to the left come first.
        reach: The distance from which on all share the last bucket.
        both_sides: Whether there are distances to the right.
    """
    count = len(buckets) // 2 if both_sides else len(buckets)
    exact = count // 2
    if not 0 < exact < reach <= _POSITIONS:
        raise LongsumError(
            f"The checkpoint has {len(buckets)} buckets for distances of up to {reach}, which no "
            "T5 has; give one whose weights match its configuration."
        )
    near = torch.arange(reach + 1)
    # As in T5, in fp32: near distances one by one, far ones by their logarithm.
    far = (near.float() / exact).log() / math.log(reach / exact) * (count - exact)
    numbers = torch.where(near < exact, near, exact + far.long().clamp(max=count - exact - 1))
    if both_sides:
        numbers = torch.cat([numbers[:1], numbers[1:] + count, numbers[1:]])
    return buckets[numbers]
