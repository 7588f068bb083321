"""Encoder–decoders of one geometry with random weights: ours, LED, BART, and blocks as PEGASUS-X's.

All have the sizes of BART-large (or of `small`, to try out the scripts), so that they differ only
in attention; PEGASUS-X as published has 16 layers and 96,103 tokens. Nothing is downloaded.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from peers import GEOMETRIES, Geometry

SIZES = {
    "large": GEOMETRIES["large"],
    "small": Geometry(64, 4, 128, 128, layers=2, window=32, vocabulary=512),
}
TARGET = 1024
"""Positions of the decoder, as the checkpoints have."""
FIRST_ONLY = "BART, 1,024 read"
"""BART as published, which reads no more than its positions."""

Build = Callable[[Geometry, int], nn.Module]


def encoder_patterns(geometry: Geometry) -> dict[str, Any]:
    """Return our encoder attentions by name, at the sizes of HEPOS, §6.2, and LED's window.

    Layers of the learned ones alternate with a window, as in the recipes.
    """
    narrow = {"kind": "pattern", "window": geometry.window // 4}
    block = geometry.window // 8
    return {
        "full": {"kind": "full"},
        "window": narrow,
        "LED's window": {"kind": "pattern", "window": geometry.window},
        "Sinkhorn": [narrow, {"kind": "sinkhorn", "block": block}],
        "LSH": [narrow, {"kind": "lsh", "chunk": max(block // 2, 2), "rounds": 4}],
    }


def build(name: str, geometry: Geometry, tokens: int) -> nn.Module:
    """Make a system that can read this many tokens, in training mode, on the default device.

    Raises:
        KeyError: There is no system of this name.
    """
    torch.manual_seed(0)
    return SYSTEMS[name](geometry, tokens).train()


def sources(geometry: Geometry, name: str, batch: int, tokens: int) -> torch.Tensor:
    """Return random tokens, `[b, n]`, up to the system's maximum."""
    read = min(tokens, TARGET) if name == FIRST_ONLY else tokens
    return torch.randint(3, geometry.vocabulary, (batch, read))


def _shape(geometry: Geometry) -> dict[str, int]:
    """Return the sizes under the names that all configurations use."""
    shape = {"vocab_size": geometry.vocabulary, "d_model": geometry.size}
    for part in ("encoder", "decoder"):
        shape |= {
            f"{part}_layers": geometry.layers,
            f"{part}_attention_heads": geometry.heads,
            f"{part}_ffn_dim": geometry.inner,
        }
    return shape


def _ours(
    encoder: str, stride: int, geometry: Geometry, tokens: int, dropout: float = 0.0
) -> nn.Module:
    config = LongsumSeq2SeqConfig(
        attention_dropout=dropout,
        encoder_attention=encoder_patterns(geometry)[encoder],
        cross_attention={"kind": "hepos", "stride": stride} if stride > 1 else None,
        max_source_positions=max(tokens, TARGET),
        max_target_positions=TARGET,
        **_shape(geometry),
    )
    return LongsumForConditionalGeneration(config)


def _led(geometry: Geometry, tokens: int) -> nn.Module:
    from transformers import LEDConfig, LEDForConditionalGeneration

    config = LEDConfig(
        attention_window=[geometry.window] * geometry.layers,
        # It pads to a multiple of the window.
        max_encoder_position_embeddings=max(tokens + geometry.window, TARGET),
        max_decoder_position_embeddings=TARGET,
        **_shape(geometry),
    )
    return LEDForConditionalGeneration(config)


def _bart(longest: int | None, geometry: Geometry, tokens: int) -> nn.Module:
    """Make BART with PyTorch's fused attention; without a longest its positions are stretched."""
    from transformers import BartConfig, BartForConditionalGeneration

    positions = max(tokens, TARGET) if longest is None else longest
    config = BartConfig(max_position_embeddings=positions, **_shape(geometry))
    made: nn.Module = BartForConditionalGeneration._from_config(config, attn_implementation="sdpa")
    return made


def _pegasus_x(geometry: Geometry, tokens: int) -> nn.Module:
    from transformers import PegasusXConfig, PegasusXForConditionalGeneration

    config = PegasusXConfig(
        # 512 and 32, as published.
        block_size=geometry.window // 2,
        num_global_tokens=geometry.window // 32,
        max_position_embeddings=max(tokens, TARGET),
        **_shape(geometry),
    )
    return PegasusXForConditionalGeneration(config)


SYSTEMS: dict[str, Build] = {
    "window": partial(_ours, "window", 1),
    "window, weights dropped": partial(_ours, "window", 1, dropout=0.1),
    "window + HEPOS": partial(_ours, "window", 4),
    "Sinkhorn": partial(_ours, "Sinkhorn", 1),
    "Sinkhorn + HEPOS": partial(_ours, "Sinkhorn", 4),
    "LSH": partial(_ours, "LSH", 1),
    "LSH + HEPOS": partial(_ours, "LSH", 4),
    "LED's window": partial(_ours, "LED's window", 1),
    "HF LED": _led,
    FIRST_ONLY: partial(_bart, TARGET),
    "BART, stretched": partial(_bart, None),
    "PEGASUS-X's blocks": _pegasus_x,
}
