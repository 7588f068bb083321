import pytest

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import EncoderAttentionConfig

from .conftest import config


def test_one_attention_for_all_layers_or_one_for_each() -> None:
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
def test_what_does_not_fit(settings, message: str) -> None:
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
def test_inputs_besides_tokens(settings, sections, importance) -> None:
    made = config(**settings)
    assert (made.reads_sections, made.reads_importance) == (sections, importance)
