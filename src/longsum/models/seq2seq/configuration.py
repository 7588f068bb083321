"""The settings of the encoder–decoder."""

from dataclasses import fields
from typing import Any

from transformers import PreTrainedConfig

from longsum.attention.cross import ContiguousBlocks, CrossPattern, Hepos, full_cross
from longsum.attention.settings import EncoderAttentionConfig
from longsum.errors import LongsumError

POSITION_KINDS = ("learned", "sinusoidal")
CROSS_KINDS = ("full", "hepos", "contiguous")


class LongsumSeq2SeqConfig(PreTrainedConfig):
    """Sizes, attentions and the places of the norms; the defaults are BART-large's.

    Attributes:
        encoder_attention: Fields of `EncoderAttentionConfig`: one dict for all encoder layers, or a
            list with one for each. None is full attention.
        cross_attention: `{"kind": "full" | "hepos" | "contiguous", "stride": s}`; s is the number
            of groups of heads, 4 unless given. None is full.
        max_source_positions: Longest source; no limit where positions are sinusoidal.
        max_target_positions: Longest target; no limit where positions are sinusoidal.
        position_kind: `learned` or `sinusoidal`.
        position_offset: Rows of a learned table before that of position 0 (BART 2, LED none).
        normalize_before: Whether a sub-layer normalises its input (mBART, PEGASUS) or its sum with
            that input (BART, LED).
        normalize_embedding: Whether the embeddings are normalised (not in PEGASUS).
        final_layer_norms: Whether encoder and decoder end in a norm (mBART, PEGASUS).
        scale_embedding: Whether token embeddings are multiplied by the square root of `d_model`.
        final_logits_bias: Whether a constant vector is added to the logits.
        global_projections: Whether global tokens query through projections of their own (LED).
        label_smoothing: Share of the loss that is spread over the whole vocabulary.
        attention_dropout: Of the decoder's attentions; the encoder's patterns have none.
        decoder_start_token_id: First token of a target. None is the last token of the labels, where
            mBART keeps the language.

    Raises:
        LongsumError: A setting is unknown or does not fit the sizes.
    """

    model_type = "longsum_seq2seq"
    keys_to_ignore_at_inference = ["past_key_values"]  # noqa: RUF012 (transformers reads a list)
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
    global_projections: bool = False

    max_source_positions: int = 1024
    max_target_positions: int = 1024
    position_kind: str = "learned"
    position_offset: int = 2

    normalize_before: bool = False
    normalize_embedding: bool = True
    final_layer_norms: bool = False
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
        if self.position_kind not in POSITION_KINDS:
            raise LongsumError(
                f"There is no position_kind {self.position_kind!r}; "
                f"choose one of {', '.join(POSITION_KINDS)}."
            )
        for heads in (self.encoder_attention_heads, self.decoder_attention_heads):
            if self.d_model % heads:
                raise LongsumError(
                    f"A d_model of {self.d_model} cannot be divided among {heads} heads; "
                    "choose a number of heads that divides it."
                )
        self.encoder_attentions()
        self.cross_pattern().check_heads(self.decoder_attention_heads)

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
                "longsum.models.seq2seq.load_seq2seq, which converts it."
            )
        made: LongsumSeq2SeqConfig = super().from_dict(config_dict, *args, **kwargs)
        return made

    def encoder_attentions(self) -> tuple[EncoderAttentionConfig, ...]:
        """Return the attention of each encoder layer.

        Raises:
            LongsumError: A field is unknown, or the list has another length than the encoder.
        """
        given = self.encoder_attention if self.encoder_attention is not None else {}
        each = [given] * self.encoder_layers if isinstance(given, dict) else given
        if len(each) != self.encoder_layers:
            raise LongsumError(
                f"encoder_attention lists {len(each)} layers and the encoder has "
                f"{self.encoder_layers}; give one dict for each layer, or one for all."
            )
        return tuple(_attention(settings) for settings in each)

    def cross_pattern(self) -> CrossPattern:
        """Return what the heads of the cross-attention read.

        Raises:
            LongsumError: A key or the kind is unknown, or the stride is below 1.
        """
        given = self.cross_attention if self.cross_attention is not None else {}
        _reject_unknown("cross_attention", given, {"kind", "stride"})
        kind, stride = given.get("kind", "full"), given.get("stride", 4)
        if kind not in CROSS_KINDS:
            raise LongsumError(
                f"There is no cross_attention of kind {kind!r}; "
                f"choose one of {', '.join(CROSS_KINDS)}."
            )
        if stride < 1:
            raise LongsumError(f"A stride of {stride} reads nothing; give 1 or more.")
        if kind == "full":
            return full_cross()
        return Hepos(stride) if kind == "hepos" else ContiguousBlocks(stride)


def _attention(settings: dict[str, Any]) -> EncoderAttentionConfig:
    known = {field.name for field in fields(EncoderAttentionConfig)}
    _reject_unknown("encoder_attention", settings, known)
    return EncoderAttentionConfig(**settings)


def _reject_unknown(name: str, settings: dict[str, Any], known: set[str]) -> None:
    unknown = sorted(set(settings) - known)
    if unknown:
        raise LongsumError(
            f"{name} has no setting {unknown[0]!r}; choose among {', '.join(sorted(known))}."
        )
