"""The settings of the encoder–decoder."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field
from transformers import PreTrainedConfig

from longsum.common.checked_settings import Count, Size, parse_settings
from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.attention.biases.section_bias import EncoderBiasConfig
from longsum.models.attention.biases.section_cross_bias import DecoderBiasConfig
from longsum.models.attention.cross import (
    ContiguousBlocks,
    CrossPattern,
    Hepos,
    LinformerCross,
    full_cross,
)
from longsum.models.networks.seq2seq.part_settings import (
    SectionEncoderConfig,
    SectionRelationsConfig,
    TopDownConfig,
)

CrossKind: Any = Literal["full", "hepos", "contiguous", "linformer"]
# The constructor of each kind of cross-attention, and its only setting.
CROSS_KINDS: dict[str, tuple[Callable[..., CrossPattern], str | None]] = {
    "full": (full_cross, None),
    "hepos": (Hepos, "stride"),
    "contiguous": (ContiguousBlocks, "stride"),
    "linformer": (LinformerCross, "projected"),
}
Share = Annotated[float, Field(ge=0, le=1)]
# Types of fields that `transformers` does not know.
_TYPES = {
    **dict.fromkeys(("max_source_positions", "max_target_positions"), Size),
    "leading_tokens": Count,
    **dict.fromkeys(("dropout", "attention_dropout", "activation_dropout"), Share),
    "label_smoothing": Share,
    "position_kind": Literal["learned", "sinusoidal", "timescales", "none"],
    "norm_kind": Literal["layer", "rms"],
    "decoder_token_reach": Count,
}
# Settings of an encoder attention that switch on a part of a pattern, and imply its kind.
PATTERN_SETTINGS = (
    *("window", "global_tokens", "stride", "random_block", "local_block", "sparse_block"),
    "transient_block",
)
# Encoder attentions that support only biases of sections.
SECTIONS_ALONE = ("linformer", "lsh", "sinkhorn")
# Settings that must be equal for a decoder to have the encoder's weights.
SHARED_SIZES = (
    ("encoder_layers", "decoder_layers"),
    ("encoder_attention_heads", "decoder_attention_heads"),
    ("encoder_ffn_dim", "decoder_ffn_dim"),
    ("max_source_positions", "max_target_positions"),
)


class LongsumSeq2SeqConfig(PreTrainedConfig):
    """Sizes, attentions and the places of the norms; the defaults are BART-large's.

    Attributes:
        encoder_attention: Fields of `EncoderAttentionConfig`: one dict for all encoder layers, or a
            list with one for each. None is full attention; without a kind, settings of a pattern
            imply one.
        cross_attention: `{"kind": "hepos", "stride": s}` or `contiguous`, where s is the number of
            groups of heads, by default 4; `{"kind": "linformer", "projected": k}`, by default 1024;
            or `{"kind": "full"}`, which is the same as None.
        max_source_positions: Longest source; no limit if positions are not learned.
        max_target_positions: Longest target; no limit if positions are not learned.
        position_kind: `learned`, `sinusoidal` (PEGASUS), `timescales` (PEGASUS-X), in which the
            slowest sine is the last of the features' half instead of the next one, or `none` (T5).
        position_offset: Rows of a learned table before that of position 0 (BART 2, LED none).
        normalize_before: Whether a sub-layer normalises its input (mBART, PEGASUS) or its sum with
            that input (BART, LED).
        normalize_embedding: Whether the embeddings are normalised (not in PEGASUS).
        final_layer_norms: Whether encoder and decoder end in a norm (mBART, PEGASUS).
        norm_kind: `layer`, or `rms` (T5): divided by the root mean square, and not centred.
        norm_epsilon: Constant that a norm adds to the variance or the mean square.
        gated_activation: Whether the feed-forward network multiplies its inner states by a second
            projection (T5 1.1).
        scale_scores: Whether scores are divided by the square root of a head's size (not in T5).
        decoder_token_reach: The longest distance with its own bias in the decoder's self-attention,
            in one table for all layers (T5); 0 for no biases.
        output_scale: Factor of the decoder's states before the head.
        scale_embedding: Whether token embeddings are multiplied by the square root of `d_model`.
        final_logits_bias: Whether a constant vector is added to the logits.
        encoder_bias: Fields of `EncoderBiasConfig`: the biases that all encoder layers add to their
            scores, each from its own table; None for none.
        decoder_bias: Fields of `DecoderBiasConfig`: the biases that the decoder's last
            cross-attention adds to its scores; None for none.
        section_encoder: Fields of `SectionEncoderConfig`, where `bias` has those of
            `EncoderBiasConfig`: an encoder of sections, which every decoder layer reads too; None
            for none.
        section_relations: Fields of `SectionRelationsConfig`: relations of sections, predicted in
            addition to the summary. They are part of the loss only in training. None for none.
        top_down: Fields of `TopDownConfig`: segments of tokens, which the last layers of the
            encoder read; None for none.
        leading_tokens: Number of learned tokens before the source in the encoder, with their own
            norms before its attentions (PEGASUS-X). An attention's global tokens count from the
            first of them, and the decoder does not read them.
        global_projections: Whether global tokens have their own projections (LED).
        share_layers: Whether the decoder has the encoder's weights, except for its cross-attentions
            (Rothe et al. 2020, RoBERTaShare).
        label_smoothing: Share of the loss that is spread over the vocabulary, only in training.
        attention_dropout: Dropout of the weights of every attention, only in training.
        decoder_start_token_id: First token of a target. None stands for the last token of the
            labels, where mBART has the language.

    Raises:
        LongsumError: A setting is unknown or does not fit the sizes.
    """

    model_type = "longsum_seq2seq"
    keys_to_ignore_at_inference = ["past_key_values", "cache"]  # noqa: RUF012 (transformers reads a list)
    attribute_map = {  # noqa: RUF012
        "num_attention_heads": "encoder_attention_heads",
        "hidden_size": "d_model",
        "num_hidden_layers": "encoder_layers",
        "initializer_range": "init_std",
    }

    vocab_size: int = 50265
    d_model: int = 1024
    encoder_layers: int = 12
    encoder_attention_heads: int = 16
    encoder_ffn_dim: int = 4096
    decoder_layers: int = 12
    decoder_attention_heads: int = 16
    decoder_ffn_dim: int = 4096
    activation_function: str = "gelu"
    dropout: float = 0.1
    attention_dropout: float = 0.0
    activation_dropout: float = 0.0
    init_std: float = 0.02
    label_smoothing: float = 0.0

    encoder_attention: dict[str, Any] | list[dict[str, Any]] | None = None
    cross_attention: dict[str, Any] | None = None
    encoder_bias: dict[str, Any] | None = None
    decoder_bias: dict[str, Any] | None = None
    section_encoder: dict[str, Any] | None = None
    section_relations: dict[str, Any] | None = None
    top_down: dict[str, Any] | None = None
    leading_tokens: int = 0
    global_projections: bool = False
    share_layers: bool = False

    max_source_positions: int = 1024
    max_target_positions: int = 1024
    position_kind: str = "learned"
    position_offset: int = 2

    normalize_before: bool = False
    normalize_embedding: bool = True
    final_layer_norms: bool = False
    norm_kind: str = "layer"
    norm_epsilon: float = 1e-5
    gated_activation: bool = False
    scale_scores: bool = True
    decoder_token_reach: int = 0
    output_scale: float = 1.0
    scale_embedding: bool = False
    final_logits_bias: bool = True

    use_cache: bool = True
    is_encoder_decoder: bool = True
    tie_word_embeddings: bool = True
    pad_token_id: int | None = 1
    bos_token_id: int | None = 0
    eos_token_id: int | list[int] | None = 2
    decoder_start_token_id: int | None = 2
    forced_eos_token_id: int | list[int] | None = 2

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for name, kind in {**LongsumSeq2SeqConfig.__annotations__, **_TYPES}.items():
            parse_settings(kind, getattr(self, name), name)
        for heads in (self.encoder_attention_heads, self.decoder_attention_heads):
            if self.d_model % heads:
                raise LongsumError(
                    f"A d_model of {self.d_model} cannot be divided among {heads} heads; "
                    "choose a number of heads that divides it."
                )
        self._check_sharing()
        self.encoder_attentions()
        self.encoder_biases()
        self.cross_pattern().check_heads(self.decoder_attention_heads)
        self.decoder_biases()
        self.section_encoder_settings()
        self.section_relation_settings()
        above = self.top_down_settings()
        if self.leading_tokens and not (above is None and self.encoder_bias is None):
            raise LongsumError(
                "Tokens before the source are in no section and no segment; leave top_down and "
                "encoder_bias out, or set leading_tokens to 0."
            )

    @property
    def reads_sections(self) -> bool:
        """Whether the model needs the sections of its source."""
        biases = self.encoder_biases()
        others = (self.decoder_bias, self.section_encoder, self.section_relations)
        return (biases is not None and biases.by_sections) or any(
            part is not None for part in others
        )

    @property
    def reads_importance(self) -> bool:
        """Whether the model needs the importance of its source's tokens."""
        settings = self.top_down_settings()
        return settings is not None and settings.pooling == "adaptive"

    @classmethod
    def from_dict(
        cls, config_dict: dict[str, Any], *args: Any, **kwargs: Any
    ) -> "LongsumSeq2SeqConfig":
        """Make settings from a dict; see `PreTrainedConfig`.

        Raises:
            LongsumError: They are those of another kind of model, whose weights need conversion.
        """
        kind = config_dict.get("model_type", cls.model_type)
        if kind != cls.model_type:
            raise LongsumError(
                f"This is a checkpoint of the kind {kind!r}; load it with "
                "longsum.models.networks.seq2seq.load_seq2seq, which converts it."
            )
        config: LongsumSeq2SeqConfig = super().from_dict(config_dict, *args, **kwargs)
        return config

    def encoder_attentions(self) -> tuple[EncoderAttentionConfig, ...]:
        """Return the attention of each encoder layer."""
        given = self.encoder_attention if self.encoder_attention is not None else {}
        layers = [given] if isinstance(given, dict) else given
        if not layers or self.encoder_layers % len(layers):
            raise LongsumError(
                f"encoder_attention lists {len(layers)} layers and the encoder has "
                f"{self.encoder_layers}; give one dict for all layers, one for each, or a few "
                "that repeat."
            )
        repeats = self.encoder_layers // len(layers)
        return tuple(_attention(settings) for settings in [*layers] * repeats)

    def encoder_biases(self) -> EncoderBiasConfig | None:
        """Return the biases of the encoder layers, if they have any."""
        if self.encoder_bias is None:
            return None
        biases = parse_settings(EncoderBiasConfig, self.encoder_bias, "encoder_bias")
        if biases.by_sections:
            biases.labelling()
            if any(attention.transient_block for attention in self.encoder_attentions()):
                raise LongsumError(
                    "Transient tokens are in no section; choose a bias of kind 'token_distance', "
                    "or set transient_block to 0."
                )
            return biases
        for attention in self.encoder_attentions():
            if attention.kind in SECTIONS_ALONE:
                raise LongsumError(
                    f"An encoder attention of kind {attention.kind!r} has no biases of kind "
                    f"{biases.kind!r}; choose a bias of sections, or another attention."
                )
        return biases

    def cross_pattern(self) -> CrossPattern:
        """Return the pattern of source positions that the heads of the cross-attention read."""
        given = dict(self.cross_attention or {})
        kind = parse_settings(CrossKind, given.pop("kind", "full"), "cross_attention.kind")
        make, setting = CROSS_KINDS[kind]
        for name, size in given.items():
            if name != setting:
                raise LongsumError(
                    f"cross_attention of kind {kind!r} has no setting {name!r}; it has "
                    f"{setting or 'none'}."
                )
            parse_settings(Size, size, f"cross_attention.{name}")
        return make(*given.values())

    def decoder_biases(self) -> DecoderBiasConfig | None:
        """Return the biases of the decoder's last cross-attention, if it has any."""
        if self.decoder_bias is None:
            return None
        if self.decoder_layers < 2:
            raise LongsumError(
                "A decoder_bias goes by what the layer before the last reads; give the decoder "
                "2 layers or more."
            )
        biases = parse_settings(DecoderBiasConfig, self.decoder_bias, "decoder_bias")
        biases.labelling()
        return biases

    def section_encoder_settings(self) -> SectionEncoderConfig | None:
        """Return the settings of the encoder of sections, if there is one."""
        if self.section_encoder is None:
            return None
        return parse_settings(SectionEncoderConfig, self.section_encoder, "section_encoder")

    def section_relation_settings(self) -> SectionRelationsConfig | None:
        """Return the settings of the prediction of relations, if there is one."""
        if self.section_relations is None:
            return None
        return parse_settings(SectionRelationsConfig, self.section_relations, "section_relations")

    def top_down_settings(self) -> TopDownConfig | None:
        """Return the settings of segments; None if there are none, or nothing reads them."""
        if self.top_down is None:
            return None
        settings = parse_settings(TopDownConfig, self.top_down, "top_down")
        if settings.layers > self.encoder_layers:
            raise LongsumError(
                f"top_down.layers cannot be {settings.layers}; give at most the encoder's "
                f"{self.encoder_layers}."
            )
        return None if settings.update == "none" else settings

    def _check_sharing(self) -> None:
        if not self.share_layers:
            return
        for encoder, decoder in SHARED_SIZES:
            if getattr(self, encoder) != getattr(self, decoder):
                raise LongsumError(
                    f"A decoder that shares the encoder's layers needs as many {decoder} as "
                    f"{encoder}; set both to {getattr(self, encoder)}, or share_layers to false."
                )
        if not self.tie_word_embeddings:
            raise LongsumError(
                "A decoder that shares the encoder's layers shares its embeddings too; set "
                "tie_word_embeddings to true."
            )


def _attention(settings: Mapping[str, Any]) -> EncoderAttentionConfig:
    implied = "pattern" if any(settings.get(name) for name in PATTERN_SETTINGS) else "full"
    return parse_settings(
        EncoderAttentionConfig, {"kind": implied, **settings}, "encoder_attention"
    )
