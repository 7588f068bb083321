"""The base of all parts of the encoder–decoder as Hugging Face models."""

from typing import Any, TypeVar

from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils.generic import ModelOutput

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_bias import BiasTable
from longsum.models.attention.cross import LinformerCross, SourceMixtures
from longsum.models.attention.encoder_attention import EncoderAttention
from longsum.models.networks.base import CACHE, LongsumModel
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.decoder_attention import begin
from longsum.models.networks.seq2seq.encoder_layer import SelfAttention
from longsum.models.networks.seq2seq.sections import SectionRelations

Output = TypeVar("Output", bound=ModelOutput)

# Parts that initialize their weights in their own way.
OWN_START = (
    EncoderAttention,
    BiasTable,
    SourceMixtures,
    SectionRelations,
)


class AttentionWeightsError(LongsumError, ValueError):
    """There are no attention weights to return; `transformers` raises `ValueError` for this."""


class LongsumPreTrainedModel(LongsumModel):
    """Configuration, initialisation and the capabilities that `transformers` asks about."""

    config: LongsumSeq2SeqConfig
    config_class = LongsumSeq2SeqConfig
    base_model_prefix = "model"
    supports_gradient_checkpointing = True
    _no_split_modules = ["EncoderLayer", "TopDownLayer", "DecoderLayer"]  # noqa: RUF012
    _skip_keys_device_placement = [CACHE]  # noqa: RUF012
    _supports_sdpa = True

    def set_attn_implementation(self, attn_implementation: Any, *args: Any, **options: Any) -> None:
        """Choose how attention is computed; see `get_correct_attn_implementation`."""
        super().set_attn_implementation(attn_implementation, *args, **options)
        for module in self.modules():
            if isinstance(module, SelfAttention):
                module.follow(self.config._attn_implementation)

    def _init_weights(self, module: nn.Module) -> None:
        super()._init_weights(module)
        if isinstance(module, OWN_START):
            module.reset_parameters()
        begin(module)
        leading = getattr(module, "leading", None)
        if isinstance(leading, nn.Parameter):
            init.normal_(leading, std=self.config.init_std)
        bias = getattr(module, "final_logits_bias", None)
        if bias is not None:
            init.zeros_(bias)

    def wants_hidden_states(self, asked: bool | None) -> bool:
        """Tell whether to return the states of every layer: as requested, or as configured."""
        return bool(self.config.output_hidden_states if asked is None else asked)

    def wants_attentions(self, asked: bool | None) -> bool:
        """Tell whether to return the weights of attentions: as requested, or as configured.

        Raises:
            AttentionWeightsError: There are none.
        """
        if not (self.config.output_attentions if asked is None else asked):
            return False
        if self.config._attn_implementation != "eager":
            raise AttentionWeightsError(
                "This model computes whole attention weights only under 'eager'; load it with "
                "attn_implementation='eager', or leave output_attentions off."
            )
        attentions = self.config.encoder_attentions()
        mixes = any(
            attention.kind == "linformer" or attention.transient_block for attention in attentions
        )
        if mixes or isinstance(self.config.cross_pattern(), LinformerCross):
            raise AttentionWeightsError(
                "Linformer and transient tokens have weights for mixtures of tokens, not for "
                "tokens; leave output_attentions off."
            )
        return True

    def output_or_tuple(self, output: Output, return_dict: bool | None) -> Output | tuple[Any, ...]:
        """Return an output, or a plain tuple of it: as requested, or as configured."""
        keep = self.config.return_dict if return_dict is None else return_dict
        return output if keep else tuple(output.to_tuple())


def check_inputs(ids: Tensor | None, embeddings: Tensor | None) -> None:
    """Refuse inputs that have neither ids nor embeddings, or both."""
    if (ids is None) == (embeddings is None):
        raise LongsumError("The model reads either token ids or embeddings; give exactly one.")
