"""Converts public checkpoints into this model: BART, LED, mBART and the kinds of PEGASUS.

Encoders, which become both halves of a model, are converted in `convert_encoders`, and LongT5 in
`convert_t5`.
"""

import re
from collections.abc import Mapping
from typing import Any, Literal

import torch
from torch import Tensor
from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.convert_encoders import ENCODERS, encoder_settings
from longsum.models.networks.seq2seq.convert_t5 import T5, t5_settings

Extension = Literal["tile", "repeat_last", "random", "interpolate"]

_PEGASUS = {
    "normalize_before": True,
    "final_layer_norms": True,
    "normalize_embedding": False,
    "position_offset": 0,
}
# Settings of each family that differ from those of BART.
FAMILIES: dict[str, dict[str, Any]] = {
    "bart": {},
    "led": {"position_offset": 0, "global_projections": True, "forced_eos_token_id": None},
    "mbart": {"normalize_before": True, "final_layer_norms": True},
    "pegasus": {**_PEGASUS, "position_kind": "sinusoidal"},
    "pegasus_x": {**_PEGASUS, "position_kind": "timescales", "final_logits_bias": False},
    "longt5": {},
    "bigbird_pegasus": _PEGASUS,
}

# Settings that families share under the same name.
COPIED = """
    vocab_size d_model encoder_layers encoder_attention_heads encoder_ffn_dim decoder_layers
    decoder_attention_heads decoder_ffn_dim activation_function dropout attention_dropout
    activation_dropout init_std scale_embedding tie_word_embeddings use_cache pad_token_id
    bos_token_id eos_token_id decoder_start_token_id forced_eos_token_id
"""

# Settings that the weights determine, so that no override can change them.
FIXED = """
    vocab_size d_model encoder_layers encoder_attention_heads encoder_ffn_dim decoder_layers
    decoder_attention_heads decoder_ffn_dim activation_function scale_embedding
    tie_word_embeddings position_kind position_offset normalize_before normalize_embedding
    final_layer_norms final_logits_bias leading_tokens norm_kind norm_epsilon gated_activation
    scale_scores decoder_token_reach output_scale
"""

RENAMED = (
    (re.compile(r"^led\."), "model."),
    (re.compile(r"^(shared|encoder|decoder)\."), r"model.\1."),
    # The first letter of query, key and value.
    (re.compile(r"\.longformer_self_attn\.([qkv])[a-z]+_global\."), r".global_queries.\1_proj."),
    (re.compile(r"\.longformer_self_attn\.([qkv])[a-z]+\."), r".\1_proj."),
    (re.compile(r"\.self_attn\.self\.([qkv])[a-z]+\."), r".self_attn.\1_proj."),
    (re.compile(r"\.self_attn\.output\."), ".self_attn.out_proj."),
    (re.compile(r"\.global_self_attn_layer_norm\."), ".leading_layer_norm."),
    (re.compile(r"\.embed_global\.weight$"), ".leading"),
)
EMBEDDINGS = (
    "model.shared.weight",
    "model.encoder.embed_tokens.weight",
    "model.decoder.embed_tokens.weight",
    "lm_head.weight",
)
POSITIONS = {
    "model.encoder.embed_positions.weight": "max_source_positions",
    "model.decoder.embed_positions.weight": "max_target_positions",
}
PROJECTIONS = ("q_proj.weight", "q_proj.bias", "k_proj.weight", "v_proj.weight", "v_proj.bias")
OBSOLETE = frozenset({"model.encoder.version", "model.decoder.version"})

# Parts of this model that no public checkpoint has.
LEARNED = (
    ".self_attn.attention.",
    ".self_attn.bias.",
    ".self_attn.transient_",
    ".decoder.token_bias.",
    ".encoder_attn.mixtures.",
    ".decoder.section_bias.",
    ".decoder.section_encoder.",
    ".section_attn.",
    ".section_attn_layer_norm.",
    "section_relations.",
    ".segments.",
    ".segment_update.",
    ".segment_update_layer_norm.",
)


def convert_config(source: PreTrainedConfig, **overrides: Any) -> LongsumSeq2SeqConfig:
    """Return this model's settings for a checkpoint of another.

    An LED sees its first token globally, because LED was trained to summarise in this way and its
    users forget to set it; a `global_attention_mask` names others, and one of zeros none.

    Args:
        source: The settings of one of `FAMILIES` or `ENCODERS`, or of this model itself.
        **overrides: Fields of `LongsumSeq2SeqConfig` to set differently.

    Raises:
        LongsumError: The family is unknown, or an override is unknown or fixed by the weights.
    """
    if isinstance(source, LongsumSeq2SeqConfig):
        settings = {name: getattr(source, name) for name in LongsumSeq2SeqConfig.__annotations__}
    else:
        settings = _settings(source)
    _check_overrides(settings, overrides)
    return LongsumSeq2SeqConfig(**{**settings, **overrides})


def amend(source: PreTrainedConfig, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes to a checkpoint's settings as overrides.

    A dict of changes that names no kind of attention changes those fields of the checkpoint's, in
    every layer; one that names a kind replaces the attention.

    The source is as in `convert_config`.

    Raises:
        LongsumError: The family is unknown.
    """
    settings = convert_config(source)
    return {
        name: _merged(getattr(settings, name, None), change) for name, change in changes.items()
    }


def _merged(present: Any, change: Any) -> Any:
    if not isinstance(change, dict) or "kind" in change:
        return change
    if isinstance(present, list):
        return [_merged(layer, change) for layer in present]
    return {**present, **change} if isinstance(present, dict) else change


def convert_state_dict(
    state: dict[str, Tensor],
    config: LongsumSeq2SeqConfig,
    extension: Extension = "tile",
) -> dict[str, Tensor]:
    """Return the weights of another model with this model's names and sizes.

    Args:
        state: Weights of one of `FAMILIES`, with or without its head, or of this model.
        config: The settings that `convert_config` returned.
        extension: How a table of positions grows; see `extend_positions`.

    Returns:
        All weights of `LongsumForConditionalGeneration(config)` except those of learned attentions.

    Raises:
        LongsumError: There are no token embeddings, or `extension` is unknown.
    """
    converted: dict[str, Tensor] = {}
    for name, tensor in state.items():
        for pattern, replacement in RENAMED:
            name = pattern.sub(replacement, name)
        if not config.normalize_embedding:
            # What BigBird-PEGASUS calls its last norms.
            name = name.replace(".layernorm_embedding.", ".layer_norm.")
        if name not in OBSOLETE:
            converted[name] = tensor
    _share_embeddings(converted, config)
    _fit_positions(converted, config, extension)
    _fit_global_projections(converted, config)
    for name in [name for name in converted if name.endswith("_proj.weight")]:
        # PEGASUS-X and BigBird-PEGASUS have no biases there: zeros take their place.
        if "global_queries" not in name:
            bias = name.removesuffix("weight") + "bias"
            converted.setdefault(bias, converted[name].new_zeros(len(converted[name])))
    if config.final_logits_bias:
        converted.setdefault("final_logits_bias", torch.zeros(1, config.vocab_size))
    return converted


def extend_positions(
    rows: Tensor, count: int, extension: Extension, std: float = 0.02, seed: int = 0
) -> Tensor:
    """Lengthen a table of learned positions, or cut it: `[count, D]`.

    Args:
        rows: `[positions, D]`, without rows before position 0.
        count: Number of positions.
        extension: `tile` repeats the table (LED; Beltagy et al. 2020, §5, found it best);
            `repeat_last` its last row (HEPOS's released code); `random` draws the new rows
            (HEPOS, §5.1); `interpolate` stretches the table over the new length.
        std: Standard deviation of random rows.
        seed: Seed of random rows.

    Raises:
        LongsumError: The extension is unknown.
    """
    present, size = rows.shape
    if count <= present:
        return rows[:count]
    if extension == "tile":
        return rows.repeat(-(-count // present), 1)[:count]
    if extension == "repeat_last":
        return torch.cat([rows, rows[-1:].expand(count - present, -1)])
    if extension == "random":
        generator = torch.Generator().manual_seed(seed)
        drawn = torch.randn(count - present, size, generator=generator) * std
        return torch.cat([rows, drawn.to(rows)])
    if extension == "interpolate":
        table = rows.T[None].float()
        wide = torch.nn.functional.interpolate(table, count, mode="linear", align_corners=True)
        return wide[0].T.to(rows)
    raise LongsumError(
        f"Positions cannot be extended by {extension!r}; "
        "choose one of tile, repeat_last, random, interpolate."
    )


def _settings(source: PreTrainedConfig) -> dict[str, Any]:
    family = source.model_type
    if family in ENCODERS:
        return encoder_settings(source)
    if family not in FAMILIES:
        raise unconvertible(family)
    settings = {name: getattr(source, name) for name in COPIED.split() if hasattr(source, name)}
    if family in T5:
        return {**settings, **t5_settings(source)}
    settings = {**FAMILIES[family], **settings, **_lengths(source)}
    if family == "led":
        settings["encoder_attention"] = _led_attention(source)
    if family == "bigbird_pegasus" and source.attention_type == "block_sparse":
        settings["encoder_attention"] = {
            "kind": "pattern",
            "sparse_block": source.block_size,
            "sparse_random": source.num_random_blocks,
        }
    if family == "pegasus_x":
        settings["leading_tokens"] = source.num_global_tokens
        settings["encoder_attention"] = [
            {
                "kind": "pattern",
                "local_block": source.block_size,
                "staggered": bool(number % 2 and source.stagger_local_blocks),
                "global_tokens": source.num_global_tokens,
            }
            for number in range(source.encoder_layers)
        ]
    return settings


def _lengths(source: PreTrainedConfig) -> dict[str, int]:
    if source.model_type == "led":
        return {
            "max_source_positions": source.max_encoder_position_embeddings,
            "max_target_positions": source.max_decoder_position_embeddings,
        }
    positions = source.max_position_embeddings
    return {"max_source_positions": positions, "max_target_positions": positions}


def _led_attention(source: PreTrainedConfig) -> list[dict[str, Any]]:
    given = source.attention_window
    windows = [given] * source.encoder_layers if isinstance(given, int) else given
    return [{"kind": "pattern", "window": window, "global_tokens": 1} for window in windows]


def _check_overrides(settings: dict[str, Any], overrides: dict[str, Any]) -> None:
    for name, value in overrides.items():
        if name not in LongsumSeq2SeqConfig.__annotations__:
            raise LongsumError(
                f"The model has no setting {name!r}; see LongsumSeq2SeqConfig for those it has."
            )
        fixed = settings.get(name, getattr(LongsumSeq2SeqConfig, name))
        if name in FIXED.split() and value != fixed:
            raise LongsumError(
                f"The checkpoint's weights fix {name} at {fixed!r}; leave it as it is."
            )


def _share_embeddings(state: dict[str, Tensor], config: LongsumSeq2SeqConfig) -> None:
    """Fill in the token embeddings; a file contains any one of the tied ones.

    Those that are not tied are copies, as only one of tensors that share memory would be saved.
    """
    present = [name for name in EMBEDDINGS if name in state]
    if not present:
        raise LongsumError("The checkpoint has no token embeddings; give a whole model's weights.")
    for name in EMBEDDINGS:
        if config.tie_word_embeddings:
            state[name] = state[present[0]]
        elif name not in state:
            state[name] = state[present[0]].clone()


def has_own_head(state: Mapping[str, Tensor]) -> bool:
    """Tell whether there is a head other than the token embeddings, whatever the settings say.

    LongT5 has one; `transformers` then leaves both as they are, and so does this.
    """
    head = state.get("lm_head.weight")
    tables = [state[name] for name in state if name.endswith("shared.weight")]
    return head is not None and bool(tables) and not torch.equal(head, tables[0])


def _fit_positions(
    state: dict[str, Tensor], config: LongsumSeq2SeqConfig, extension: Extension
) -> None:
    for name, setting in POSITIONS.items():
        if config.position_kind != "learned":
            state.pop(name, None)
        elif name in state:
            offset, table = config.position_offset, state[name]
            rows = extend_positions(
                table[offset:], getattr(config, setting), extension, config.init_std
            )
            state[name] = torch.cat([table[:offset], rows])


def _fit_global_projections(state: dict[str, Tensor], config: LongsumSeq2SeqConfig) -> None:
    """Drop or add projections of global tokens; new ones start as copies (Longformer, §3.1)."""
    for number, attention in enumerate(config.encoder_attentions()):
        prefix = f"model.encoder.layers.{number}.self_attn."
        for part in PROJECTIONS:
            name = f"{prefix}global_queries.{part}"
            if not config.global_projections or not attention.global_tokens:
                state.pop(name, None)
            elif name not in state and prefix + part in state:
                state[name] = state[prefix + part].clone()
        # It would shift all scores of a query equally, and this model has none.
        state.pop(f"{prefix}global_queries.k_proj.bias", None)


def unconvertible(kind: str) -> LongsumError:
    """Return the message about a checkpoint of another kind."""
    return LongsumError(
        f"A checkpoint of the kind {kind!r} cannot be converted; choose one of "
        f"{', '.join((*FAMILIES, *ENCODERS))}, or load it as transformers has it, with "
        "AutoModelForSeq2SeqLM."
    )


def is_new(name: str) -> bool:
    """Tell whether a parameter, by its name, belongs to a part that no public checkpoint has."""
    return any(part in name for part in LEARNED)
