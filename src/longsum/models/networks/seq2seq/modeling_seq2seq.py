"""The encoder–decoder as Hugging Face models."""

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoModelForSeq2SeqLM, PreTrainedConfig
from transformers.cache_utils import EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqModelOutput

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.models.attention.linear_layers import project
from longsum.models.attention.softmax import at_least_float32
from longsum.models.networks.base import CACHE, Checkpoint, register
from longsum.models.networks.hugging_face import load_config
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.convert_checkpoints import (
    EMBEDDINGS,
    FAMILIES,
    convert_config,
    unconvertible,
)
from longsum.models.networks.seq2seq.convert_encoders import ENCODERS
from longsum.models.networks.seq2seq.convertible import convert_in_memory, read_folder
from longsum.models.networks.seq2seq.decoder import LongsumDecoder
from longsum.models.networks.seq2seq.encoder import LongsumEncoder
from longsum.models.networks.seq2seq.pretrained_model import LongsumPreTrainedModel
from longsum.models.networks.seq2seq.sections import (
    LongsumSeq2SeqOutput,
    SectionRelations,
    section_tree,
)
from longsum.models.networks.seq2seq.seq2seq_layers import ScaledEmbedding, real_tokens
from longsum.models.networks.seq2seq.shared_source import SharedSourceGenerationMixin


class ConvertibleModel(LongsumPreTrainedModel):
    """A model that `from_pretrained` can also make from a checkpoint of another family."""

    @classmethod
    def read_checkpoint(
        cls, folder: ModelFolder, options: dict[str, Any]
    ) -> Checkpoint[Any] | None:
        """Read a checkpoint in longsum's format, or of a family that can be converted.

        The options are those of `LongsumModel.read_checkpoint`, and `position_extension` for
        checkpoints to convert.

        Raises:
            LongsumError: The folder is not safe to load, incomplete, or does not fit its settings.
        """
        if (kind := folder.model_type) not in FAMILIES:
            if isinstance(kind, str) and kind not in (*ENCODERS, cls.config_class.model_type):
                raise unconvertible(kind)
            return super().read_checkpoint(folder, options)
        target, changes = options.get("config"), {}
        if target is None:
            changes = cls.changes(options)
        elif not isinstance(target, PreTrainedConfig):
            target = load_config(Path(target))
        if target is not None and not isinstance(target, LongsumSeq2SeqConfig):
            target = convert_config(target)
        overrides = changes.keys() & LongsumSeq2SeqConfig.__annotations__.keys()
        checkpoint = convert_in_memory(
            read_folder(folder),
            # This class has all weights of a checkpoint, including the head.
            LongsumForConditionalGeneration,
            options.pop("position_extension", "tile"),
            target,
            **{name: changes[name] for name in overrides},
        )
        for name in changes.keys() - overrides:
            setattr(checkpoint.config, name, changes[name])
        if checkpoint.config.tie_word_embeddings:
            # As in a file: copies of one table would be compared, which is impossible with
            # offloading.
            for name in EMBEDDINGS[1:]:
                checkpoint.state.pop(name)
        return checkpoint


class LongsumSeq2SeqModel(ConvertibleModel):
    """Encoder and decoder with one table of token embeddings."""

    _tied_weights_keys = {  # noqa: RUF012 (transformers reads a dict)
        "encoder.embed_tokens.weight": "shared.weight",
        "decoder.embed_tokens.weight": "shared.weight",
    }
    _input_embed_layer = "shared"

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.shared: nn.Module = ScaledEmbedding(config)
        self.encoder = LongsumEncoder(config)
        self.decoder = LongsumDecoder(config)
        if config.share_layers:
            self._tied_weights_keys = {**self._tied_weights_keys, **self._shared_layers()}
        self.post_init()

    def _shared_layers(self) -> dict[str, str]:
        """Return the decoder's weights that are shared with the encoder, by name."""
        encoder = dict(self.encoder.named_parameters())
        return {
            f"decoder.{name}": f"encoder.{name}"
            for name, _ in self.decoder.named_parameters()
            if name in encoder and not name.startswith("embed_tokens.")
        }

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace the token embeddings of encoder and decoder."""
        self.shared = self.encoder.embed_tokens = self.decoder.embed_tokens = value

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: BaseModelOutput | tuple[Tensor, ...] | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        use_cache: bool | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        return_dict: bool | None = None,
        section_of: Tensor | None = None,
        section_parents: Tensor | None = None,
        importance: Tensor | None = None,
        global_attention_mask: Tensor | None = None,
    ) -> Seq2SeqModelOutput | tuple[Any, ...]:
        """Encode and decode.

        Args:
            input_ids: Source `[b, n]`; not needed with `encoder_outputs`.
            attention_mask: `[b, n]`, 1 for source tokens, 0 for padding on either side.
            decoder_input_ids: Target `[b·k, t]`, the k rows of a source next to each other.
            decoder_attention_mask: `[b·k, cached + t]`, 0 for target padding.
            encoder_outputs: An earlier output of the encoder, b rows.
            past_key_values: Cache of earlier target tokens.
            inputs_embeds: Embeddings in place of `input_ids`.
            decoder_inputs_embeds: Embeddings in place of `decoder_input_ids`.
            use_cache: Whether to return a cache.
            output_hidden_states: Whether to return the states of every layer.
            output_attentions: As for `LongsumEncoder.forward` and `LongsumDecoder.forward`.
            return_dict: False for a plain tuple.
            section_of: Section of each source token `[b, n]`; see `LongsumEncoder.forward`.
            section_parents: Section above each section `[b, S]`; see `LongsumEncoder.forward`.
            importance: Importance of each source token `[b, n]`; see `LongsumEncoder.forward`.
            global_attention_mask: `[b, n]`; see `LongsumEncoder.forward`.

        Raises:
            LongsumError: Inputs are missing or too long, the mask has holes, the sections or the
                importance are missing or do not fit, or there are no attention weights to return.
        """
        if encoder_outputs is None:
            encoded = self.encoder(
                input_ids,
                attention_mask=attention_mask,
                inputs_embeds=inputs_embeds,
                output_hidden_states=output_hidden_states,
                output_attentions=output_attentions,
                return_dict=True,
                section_of=section_of,
                section_parents=section_parents,
                importance=importance,
                global_attention_mask=global_attention_mask,
            )
        else:
            encoded = _as_output(encoder_outputs)
        decoded = self.decoder(
            decoder_input_ids,
            attention_mask=decoder_attention_mask,
            encoder_hidden_states=encoded.last_hidden_state,
            encoder_attention_mask=attention_mask,
            past_key_values=past_key_values,
            inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            output_hidden_states=output_hidden_states,
            output_attentions=output_attentions,
            section_of=section_of,
            section_parents=section_parents,
        )
        output = Seq2SeqModelOutput(
            last_hidden_state=decoded.last_hidden_state,
            **{CACHE: getattr(decoded, CACHE)},
            decoder_hidden_states=decoded.hidden_states,
            decoder_attentions=decoded.attentions,
            cross_attentions=decoded.cross_attentions,
            encoder_last_hidden_state=encoded.last_hidden_state,
            encoder_hidden_states=encoded.hidden_states,
            encoder_attentions=encoded.attentions,
        )
        return self.output_or_tuple(output, return_dict)


class LongsumForConditionalGeneration(ConvertibleModel, SharedSourceGenerationMixin):
    """The model with a language-model head, for training on pairs of texts and for generation."""

    final_logits_bias: Tensor | None
    _tied_weights_keys = {"lm_head.weight": "model.shared.weight"}  # noqa: RUF012
    _keys_to_ignore_on_load_missing = ["final_logits_bias"]  # noqa: RUF012

    def __init__(self, config: LongsumSeq2SeqConfig) -> None:
        super().__init__(config)
        self.model = LongsumSeq2SeqModel(config)
        self.lm_head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        bias = torch.zeros(1, config.vocab_size) if config.final_logits_bias else None
        self.register_buffer("final_logits_bias", bias)
        relations = config.section_relation_settings()
        self.section_relations: SectionRelations | None = None
        if relations is not None:
            self.section_relations = SectionRelations(relations, config.d_model, config.init_std)
        self.post_init()

    def resize_token_embeddings(
        self,
        new_num_tokens: int | None = None,
        pad_to_multiple_of: int | None = None,
        mean_resizing: bool = True,
    ) -> nn.Embedding:
        """Resize embeddings, head and the bias of the logits; see `PreTrainedModel`."""
        resized: nn.Embedding = super().resize_token_embeddings(
            new_num_tokens, pad_to_multiple_of, mean_resizing
        )
        bias = self.final_logits_bias
        if bias is not None:
            more = resized.weight.shape[0] - bias.shape[1]
            self.final_logits_bias = nn.Buffer(nn.functional.pad(bias, (0, more)))
        return resized

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        decoder_input_ids: Tensor | None = None,
        decoder_attention_mask: Tensor | None = None,
        encoder_outputs: BaseModelOutput | tuple[Tensor, ...] | None = None,
        past_key_values: EncoderDecoderCache | None = None,
        inputs_embeds: Tensor | None = None,
        decoder_inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        use_cache: bool | None = None,
        output_hidden_states: bool | None = None,
        output_attentions: bool | None = None,
        return_dict: bool | None = None,
        section_of: Tensor | None = None,
        section_parents: Tensor | None = None,
        importance: Tensor | None = None,
        global_attention_mask: Tensor | None = None,
        cache: EncoderDecoderCache | None = None,
    ) -> LongsumSeq2SeqOutput | tuple[Any, ...]:
        """Predict the next target tokens, and compute the loss of labels.

        There is no `**kwargs`: a Trainer would take it as a promise to divide the loss by the
        number of tokens of all accumulated batches.

        Arguments are those of `LongsumSeq2SeqModel.forward`, and labels, `[b·k, t]`, of which −100
        is left out of the loss; `cache` is the name of `past_key_values` in `transformers` from
        5.24 on. With labels there is no cache, and `decoder_input_ids` are made from them unless
        given.

        Returns:
            Logits `[b·k, t, V]` and, with labels, the mean cross-entropy of their tokens. If
            relations of sections are predicted, also their loss, which is added to the other in
            training, and accuracy.

        Raises:
            LongsumError: As for `LongsumSeq2SeqModel.forward`.
        """
        if labels is not None:
            use_cache = False
            if decoder_input_ids is None and decoder_inputs_embeds is None:
                decoder_input_ids = self.prepare_decoder_input_ids_from_labels(labels)
        outputs = self.model(
            input_ids,
            attention_mask=attention_mask,
            decoder_input_ids=decoder_input_ids,
            decoder_attention_mask=decoder_attention_mask,
            encoder_outputs=encoder_outputs,
            past_key_values=cache if past_key_values is None else past_key_values,
            inputs_embeds=inputs_embeds,
            decoder_inputs_embeds=decoder_inputs_embeds,
            use_cache=use_cache,
            output_hidden_states=output_hidden_states,
            output_attentions=output_attentions,
            return_dict=True,
            section_of=section_of,
            section_parents=section_parents,
            importance=importance,
            global_attention_mask=global_attention_mask,
        )
        states = outputs.last_hidden_state
        scale = self.config.output_scale
        logits = project(self.lm_head, states if scale == 1.0 else states * scale)
        if self.final_logits_bias is not None:
            logits = logits + self.final_logits_bias
        loss = None if labels is None else self._loss(logits, labels)
        others = {name: value for name, value in outputs.items() if name != "last_hidden_state"}
        output = LongsumSeq2SeqOutput(loss=loss, logits=logits, **others)
        if loss is not None and self.section_relations is not None:
            real = real_tokens(attention_mask)
            encoded = outputs.encoder_last_hidden_state
            tree = section_tree(section_of, section_parents, real, encoded.shape)
            measured = self.section_relations.measure(encoded, tree, real)
            output.relation_loss, output.relation_accuracy = measured
            if self.training:
                output.loss = loss + self.section_relations.loss_weight * measured[0]
        return self.output_or_tuple(output, return_dict)

    def prepare_decoder_input_ids_from_labels(self, labels: Tensor) -> Tensor:
        """Shift labels `[b, t]` one place to the right, after the token that starts a target.

        Raises:
            LongsumError: The configuration names no padding token.
        """
        pad = self.config.pad_token_id
        if pad is None:
            raise LongsumError("Labels need a padding token; set pad_token_id.")
        tokens = labels.masked_fill(labels == -100, pad)
        if self.config.decoder_start_token_id is None:
            last = (tokens != pad).sum(dim=1, keepdim=True).sub(1).clamp(min=0)
            start = tokens.gather(1, last)
        else:
            start = torch.full_like(tokens[:, :1], self.config.decoder_start_token_id)
        return torch.cat([start, tokens[:, :-1]], dim=1)

    def _loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        return nn.functional.cross_entropy(
            logits.flatten(0, 1).to(at_least_float32(logits.dtype)),
            labels.to(logits.device).flatten(),
            label_smoothing=self.config.label_smoothing if self.training else 0.0,
        )


def _as_output(encoder_outputs: BaseModelOutput | tuple[Tensor, ...]) -> BaseModelOutput:
    if isinstance(encoder_outputs, BaseModelOutput):
        return encoder_outputs
    if not isinstance(encoder_outputs, (tuple, list)):
        return BaseModelOutput(last_hidden_state=encoder_outputs.last_hidden_state)
    return BaseModelOutput(last_hidden_state=encoder_outputs[0])


register(LongsumSeq2SeqModel)
register(LongsumForConditionalGeneration, AutoModelForSeq2SeqLM)
