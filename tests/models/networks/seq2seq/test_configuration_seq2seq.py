from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.attention.cross.cross_patterns import ContiguousBlocks, CrossPattern, Hepos
from longsum.models.attention.cross.linformer_cross import LinformerCross
from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig

Config = Callable[..., LongsumSeq2SeqConfig]


def test_one_attention_for_all_layers_or_one_for_each(config: Config) -> None:
    window = {"kind": "pattern", "window": 4}
    same = EncoderAttentionConfig(kind="pattern", window=4)
    full = EncoderAttentionConfig()
    assert config().encoder_attentions() == (full, full)
    assert config(encoder_attention=window).encoder_attentions() == (same, same)
    assert config(encoder_attention=[window, {}]).encoder_attentions() == (same, full)
    # What only a pattern has makes one.
    assert config(encoder_attention={"window": 4}).encoder_attentions() == (same, same)


@pytest.mark.parametrize(
    ("settings", "pattern"),
    [
        (None, Hepos(1)),
        ({"kind": "full"}, Hepos(1)),
        ({"kind": "hepos"}, Hepos(4)),
        ({"kind": "hepos", "stride": 2}, Hepos(2)),
        ({"kind": "contiguous", "stride": 2}, ContiguousBlocks(2)),
        ({"kind": "linformer"}, LinformerCross(1024)),
        ({"kind": "linformer", "projected": 8}, LinformerCross(8)),
    ],
)
def test_cross_patterns(
    config: Config, settings: dict[str, Any] | None, pattern: CrossPattern
) -> None:
    assert config(cross_attention=settings).cross_pattern() == pattern


def test_round_trip_through_a_file(config: Config, tmp_path: Path) -> None:
    made = config(
        encoder_attention=[{"kind": "pattern", "window": 4, "global_tokens": 1}, {}],
        cross_attention={"kind": "hepos", "stride": 2},
        position_kind="sinusoidal",
        position_offset=0,
        normalize_before=True,
        normalize_embedding=False,
        final_layer_norms=True,
        scale_embedding=True,
        final_logits_bias=False,
        global_projections=True,
        label_smoothing=0.1,
        decoder_start_token_id=None,
    )
    made.save_pretrained(tmp_path)
    loaded = LongsumSeq2SeqConfig.from_pretrained(tmp_path)
    for name in LongsumSeq2SeqConfig.__annotations__:
        assert getattr(loaded, name) == getattr(made, name), name


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"encoder_attention": {"windows": 4}}, "no setting 'windows'; choose among .*window"),
        ({"encoder_attention": [{}] * 3}, "lists 3 layers and the encoder has 2"),
        ({"cross_attention": {"kind": "hepos", "step": 4}}, "no setting 'step'"),
        ({"cross_attention": {"kind": "striped"}}, "cross_attention.kind cannot be 'striped'"),
        ({"cross_attention": {"kind": "hepos", "stride": 3}}, "4 heads cannot be divided"),
        ({"cross_attention": {"kind": "hepos", "stride": 0}}, "stride cannot be 0; give 1"),
        ({"cross_attention": {"kind": "full", "stride": 4}}, "'full' has no setting 'stride'"),
        (
            {"cross_attention": {"kind": "linformer", "stride": 4}},
            "no setting 'stride'; .*projected",
        ),
        ({"cross_attention": {"kind": "linformer", "projected": True}}, "projected cannot be True"),
        ({"cross_attention": "hepos"}, "cross_attention cannot be 'hepos': it should be an object"),
        ({"encoder_attention": {"window": "wide"}}, "encoder_attention.window cannot be 'wide'"),
        ({"encoder_attention": {"stride": -1}}, "encoder_attention.stride cannot be -1; give 0"),
        ({"encoder_attention": {"kind": "sinkhorn", "block": 0}}, "block cannot be 0; give 1"),
        ({"max_source_positions": "many"}, "max_source_positions cannot be 'many'"),
        ({"max_target_positions": 0}, "max_target_positions cannot be 0; give 1 or more"),
        ({"dropout": -0.1}, "dropout cannot be -0.1; give 0 or more"),
        ({"position_kind": "rotary"}, "position_kind cannot be 'rotary': it should be 'learned'"),
        ({"encoder_attention_heads": 3}, "16 cannot be divided among 3 heads"),
    ],
)
def test_what_does_not_fit(config: Config, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LongsumError, match=message):
        config(**settings)
