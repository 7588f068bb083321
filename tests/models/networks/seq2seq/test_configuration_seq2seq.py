from typing import Any

import pytest

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import Config


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
    ("settings", "message"),
    [
        ({"encoder_attention": {"windows": 4}}, "no setting 'windows'; choose among .*window"),
        ({"encoder_attention": [{}] * 3}, "lists 3 layers and the encoder has 2"),
        ({"cross_attention": {"kind": "striped"}}, "cross_attention.kind cannot be 'striped'"),
        ({"cross_attention": {"kind": "hepos", "stride": 3}}, "4 heads cannot be divided"),
        ({"cross_attention": {"kind": "full", "stride": 4}}, "'full' has no setting 'stride'"),
        ({"cross_attention": "hepos"}, "cross_attention cannot be 'hepos': it should be an object"),
        ({"encoder_attention": {"stride": -1}}, "encoder_attention.stride cannot be -1; give 0"),
        ({"dropout": -0.1}, "dropout cannot be -0.1; give 0 or more"),
        ({"position_kind": "rotary"}, "position_kind cannot be 'rotary': it should be 'learned'"),
        ({"encoder_attention_heads": 3}, "16 cannot be divided among 3 heads"),
        ({"encoder_bias": {"kind": "magic"}}, "encoder_bias.kind cannot be 'magic': it should be"),
        (
            {"encoder_bias": {"kind": "token_distance"}, "encoder_attention": {"kind": "lsh"}},
            "kind 'lsh' has no biases of kind 'token_distance'",
        ),
        ({"decoder_bias": {}, "decoder_layers": 1}, "give the decoder 2 layers or more"),
        ({"decoder_bias": {"kind": "token_distance"}}, "decoder_bias.kind cannot be 'token_dist"),
        ({"decoder_bias": {"token_reach": 4}}, "no setting 'token_reach'; .*average"),
        ({"section_encoder": {"bias": "hibrids"}}, "section_encoder.bias cannot be 'hibrids'"),
        (
            {"section_encoder": {"bias": {"kind": "token_distance"}}},
            "no bias of sections of kind 'token_distance'",
        ),
        ({"section_relations": {"weight": 0.0}}, "weight cannot be 0.0; give a number above 0"),
        ({"section_relations": {"weight": float("nan")}}, "section_relations.weight cannot be nan"),
        ({"top_down": {"layers": 3}}, "top_down.layers cannot be 3; give at most the encoder's 2"),
        (
            {"top_down": {"layers": 1, "kernel": 8, "stride": 9}},
            "Segments of 8 tokens, one every 9, leave",
        ),
        ({"top_down": {"update": "sum"}}, "top_down.update cannot be 'sum'"),
    ],
)
def test_what_does_not_fit(config: Config, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(LongsumError, match=message):
        config(**settings)


@pytest.mark.parametrize(
    ("settings", "sections", "importance"),
    [
        ({}, False, False),
        ({"encoder_bias": {}}, True, False),
        ({"decoder_bias": {}}, True, False),
        ({"section_encoder": {}}, True, False),
        ({"section_relations": {}}, True, False),
        ({"top_down": {"layers": 2, "pooling": "adaptive"}}, False, True),
        ({"top_down": {"layers": 2, "pooling": "adaptive", "update": "none"}}, False, False),
    ],
)
def test_what_is_read_besides_tokens(config, settings, sections, importance) -> None:
    made = config(**settings)
    assert (made.reads_sections, made.reads_importance) == (sections, importance)


def test_the_weights_that_parts_add(config: Config) -> None:
    """For LED-large and BART-large, what the papers' tables say."""

    def added(**settings: Any) -> int:
        plain, other = (
            LongsumForConditionalGeneration(config(**each)).num_parameters()
            for each in ({}, settings)
        )
        return other - plain

    def attention(size: int) -> int:
        return 4 * (size * size + size) + 2 * size

    def layer(size: int, inner: int) -> int:
        return attention(size) + 2 * size * inner + inner + 3 * size

    # HierEnc, for LED-large: 12 layers of 12.6 M and 12 attentions of 4.2 M are 202 M.
    assert added(section_encoder={"layers": 3}) == 3 * layer(16, 24) + 3 * attention(16)
    assert 12 * layer(1024, 4096) + 12 * attention(1024) == 201_560_064
    # MultiTask: 459.8 M of LED-large become 466 M.
    assert added(section_relations={}) == 6 * (16 * 16 + 1)
    assert round((459_801_600 + 6 * (1024 * 1024 + 1)) / 1e6) == 466
    # Top-down: BART-large with 16,384 positions has 422.0 M, and 464.0 M in all.
    segments = {"layers": 2, "segment_layers": 1, "kernel": 4, "stride": 3}
    assert added(top_down=segments) == 2 * attention(16) + layer(16, 24)
    assert added(top_down={"update": "none", "layers": 1}) == 0
    positions = (16_384 - 1_024) * 1_024
    assert (
        round((406_291_456 + positions + 4 * attention(1024) + 2 * layer(1024, 4096)) / 1e6) == 464
    )
