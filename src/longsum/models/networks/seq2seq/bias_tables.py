"""The tables of biases that a saved model has learned, loaded without the model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelPath, check_model
from longsum.models.attention.biases.section_bias import EncoderBias, EncoderBiasConfig
from longsum.models.attention.biases.section_cross_bias import DecoderBias, DecoderBiasConfig
from longsum.models.networks.hugging_face import load_config
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.weights import check_weights, load_weights

Side = Literal["encoder", "segments", "decoder"]


@dataclass(frozen=True, slots=True, eq=False)
class BiasTables:
    """The biases that an encoder, its layers of segments or a decoder has learned.

    Attributes:
        side: The part of the model that has them.
        settings: The settings of the biases.
        layers: Numbers of the layers that have a table, from 1; of a decoder, its last. Layers of
            segments are counted in the order of computation: up through the levels, then down.
        heads: Numbers of the heads, from 1.
        tables: `[layers, labels, heads]`; one head if all share their biases.
    """

    side: Side
    settings: EncoderBiasConfig | DecoderBiasConfig
    layers: tuple[int, ...]
    heads: tuple[int, ...]
    tables: Tensor

    @property
    def shared(self) -> bool:
        """Whether all heads share their biases."""
        return isinstance(self.settings, DecoderBiasConfig) and self.settings.shared

    def only(self, layer: int | None, head: int | None) -> "BiasTables | None":
        """Return the tables of one layer, one head or both; None if there are none."""
        if layer not in (None, *self.layers) or head not in (None, *self.heads):
            return None
        chosen = self
        if layer is not None:
            place = self.layers.index(layer)
            chosen = replace(chosen, layers=(layer,), tables=chosen.tables[place : place + 1])
        if head is not None and not self.shared:
            place = self.heads.index(head)
            chosen = replace(chosen, heads=(head,), tables=chosen.tables[..., place : place + 1])
        return chosen


def load_bias_tables(source: ModelPath) -> tuple[BiasTables, ...]:
    """Load the biases that a model's encoder and decoder have.

    Args:
        source: A folder, or an id on the Hugging Face Hub.

    Raises:
        LongsumError: The model is missing, has no biases, or its weights do not fit.
    """
    folder = check_model(source)
    config = load_config(folder)
    encoder = decoder = None
    if isinstance(config, LongsumSeq2SeqConfig):
        encoder, decoder = config.encoder_biases(), config.decoder_biases()
    if not isinstance(config, LongsumSeq2SeqConfig) or not (encoder or decoder):
        raise LongsumError(
            f"The model at {source} has learned no biases; give one that was trained with "
            "encoder_bias or decoder_bias."
        )
    state = load_weights(folder)
    sides = []
    if encoder is not None:
        layers, heads = _from_1(config.encoder_layers), config.encoder_attention_heads
        names = [f"model.encoder.layers.{layer - 1}.self_attn.bias.table" for layer in layers]
        tables = _tables(state, names, partial(EncoderBias, encoder, heads))
        sides.append(BiasTables("encoder", encoder, layers, _from_1(heads), tables))
        if encoder.by_sections and (names := _segment_tables(config)):
            tables = _tables(state, names, partial(EncoderBias, encoder, heads))
            layers = _from_1(len(names))
            sides.append(BiasTables("segments", encoder, layers, _from_1(heads), tables))
    if decoder is not None:
        last, heads = (config.decoder_layers,), config.decoder_attention_heads
        names = ["model.decoder.section_bias.table"]
        tables = _tables(state, names, partial(DecoderBias, decoder, heads))
        sides.append(BiasTables("decoder", decoder, last, _from_1(heads), tables))
    return tuple(sides)


def _segment_tables(config: LongsumSeq2SeqConfig) -> list[str]:
    """Return the names of the tables of the layers of segments."""
    top_down = config.top_down_settings()
    if top_down is None:
        return []
    levels = [f"model.encoder.segments{'.above' * level}" for level in range(top_down.levels)]
    layers = [
        *(f"{level}.layers.{n}" for level in levels for n in range(top_down.segment_layers)),
        *(f"{level}.top_down" for level in reversed(levels[:-1])),
    ]
    return [f"{layer}.self_attn.bias.table" for layer in layers]


def _tables(
    state: Mapping[str, Tensor], names: list[str], make: Callable[[], EncoderBias | DecoderBias]
) -> Tensor:
    """Return the tables of these names, stacked, after checking their sizes."""
    with torch.device("meta"):
        expected = make().table
    tables = {name: state[name] for name in names if name in state}
    check_weights(tables, dict.fromkeys(names, expected))
    return torch.stack([tables[name].float() for name in names])


def _from_1(count: int) -> tuple[int, ...]:
    return tuple(range(1, count + 1))
