"""What every part of the encoder–decoder has as a Hugging Face model."""

from pathlib import Path
from typing import Any

from torch import Tensor, nn
from transformers import PreTrainedConfig
from transformers import initialization as init

from longsum.attention.biases.section_bias import EncoderBias
from longsum.attention.biases.section_cross_bias import DecoderBias
from longsum.attention.cross import SourceMixtures
from longsum.attention.encoder import EncoderAttention
from longsum.errors import LongsumError
from longsum.models.base import Held, LongsumModel
from longsum.models.folders import ModelFolder
from longsum.models.hugging_face import load_config
from longsum.models.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.seq2seq.convert_checkpoints import EMBEDDINGS, FAMILIES, convert_config
from longsum.models.seq2seq.encoder_layer import SelfAttention
from longsum.models.seq2seq.projected_attention import begin
from longsum.models.seq2seq.section_relations import SectionRelations

# Parts that draw their first weights in a way of their own.
OWN_START = (
    EncoderAttention,
    EncoderBias,
    DecoderBias,
    SourceMixtures,
    SectionRelations,
)


class LongsumPreTrainedModel(LongsumModel):
    """Configuration, initialisation and the abilities that `transformers` asks for.

    Attributes:
        converts: Whether a checkpoint of BART, LED, mBART or PEGASUS can be one of this class.
    """

    converts = False
    config: LongsumSeq2SeqConfig
    config_class = LongsumSeq2SeqConfig
    base_model_prefix = "model"
    supports_gradient_checkpointing = True
    _no_split_modules = ["EncoderLayer", "TopDownLayer", "DecoderLayer"]  # noqa: RUF012
    _skip_keys_device_placement = ["past_key_values"]  # noqa: RUF012
    _supports_sdpa = True

    @classmethod
    def held(cls, folder: ModelFolder, options: dict[str, Any]) -> Held[Any] | None:
        """Return what a folder holds in a form of ours, or of another model that converts.

        Args:
            folder: The folder.
            options: As of `LongsumModel.held`; and `position_extension`, for what converts.

        Raises:
            LongsumError: The folder is not safe to load, not whole, or does not fit its settings.
        """
        if not cls.converts or folder.model_type not in FAMILIES:
            return super().held(folder, options)
        # It makes a model to know what weights there are to be.
        from longsum.models.seq2seq.seq2seq_files import read_checkpoint

        given, changes = options.get("config"), {}
        if given is None:
            changes = cls.changes(options)
        elif not isinstance(given, PreTrainedConfig):
            given = load_config(Path(given))
        if given is not None and not isinstance(given, LongsumSeq2SeqConfig):
            given = convert_config(given)
        own = changes.keys() & LongsumSeq2SeqConfig.__annotations__.keys()
        extension = options.pop("position_extension", "tile")
        found = read_checkpoint(folder, extension, given, **{name: changes[name] for name in own})
        for name in changes.keys() - own:
            setattr(found.config, name, changes[name])
        if found.config.tie_word_embeddings:
            # As in a file: copies of one table would be compared, which they cannot be on a disk.
            for name in EMBEDDINGS[1:]:
                found.state.pop(name)
        return found

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
        bias = getattr(module, "final_logits_bias", None)
        if bias is not None:
            init.zeros_(bias)

    def wants_hidden_states(self, asked: bool | None) -> bool:
        """Tell whether to return the states of every layer: as asked, or as the config says."""
        return bool(self.config.output_hidden_states if asked is None else asked)


def check_inputs(
    config: LongsumSeq2SeqConfig,
    ids: Tensor | None,
    embeddings: Tensor | None,
    attentions: bool | None,
) -> None:
    """Check what encoder and decoder are given.

    Raises:
        LongsumError: Neither or both of ids and embeddings are given, or attention weights are
            asked for.
    """
    if (ids is None) == (embeddings is None):
        raise LongsumError("The model reads either token ids or embeddings; give exactly one.")
    if config.output_attentions if attentions is None else attentions:
        raise LongsumError(
            "This model returns no attention weights, because it never forms them whole; leave "
            "output_attentions off."
        )


def returns_tuple(config: Any, return_dict: bool | None) -> bool:
    """Tell whether a plain tuple is wanted: as asked, or as the config says."""
    return not (config.return_dict if return_dict is None else return_dict)
