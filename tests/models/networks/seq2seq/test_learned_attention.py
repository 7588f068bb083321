"""Encoder attentions that are random or learned: seeds, lengths, settings of another kind."""

import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.attention.attention_settings import (
    EncoderAttentionConfig,
    build_encoder_attention,
)
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes

DRAWN = {
    "lsh": {"kind": "lsh", "chunk": 4, "rounds": 2},
    "random blocks": {"kind": "pattern", "random_block": 4},
    "spans and random blocks": {"kind": "adaptive_span", "window": 2, "random_block": 4},
}


def made(attention: dict, **settings) -> LongsumForConditionalGeneration:
    """Make a model of three layers, the same weights whatever the settings."""
    torch.manual_seed(0)
    config = LongsumSeq2SeqConfig(
        **{"vocab_size": 61, **tiny_sizes(16, 4, 24, layers=(3, 1)), **settings},
        **{"encoder_attention": attention, "position_kind": "sinusoidal"},
    )
    return LongsumForConditionalGeneration(config).eval()


def read_by_each_layer(model: LongsumForConditionalGeneration) -> list[torch.Tensor]:
    """Return the output of each layer's attention for the same queries, keys and values."""
    generator = torch.Generator().manual_seed(3)
    states = [torch.randn(1, 4, 40, 4, generator=generator) for _ in range(3)]
    with torch.no_grad():
        return [layer.self_attn.attention(*states) for layer in model.model.encoder.layers]


@pytest.mark.parametrize("name", DRAWN)
def test_each_layer_draws_for_itself_and_always_the_same(name: str, tmp_path) -> None:
    model = made(DRAWN[name])
    first, second, third = found = read_by_each_layer(model)
    assert not torch.allclose(first, second)
    assert not torch.allclose(first, third)
    assert not torch.allclose(second, third)
    model.save_pretrained(tmp_path)
    loaded = LongsumForConditionalGeneration.from_pretrained(tmp_path).eval()
    for other in (made(DRAWN[name]), loaded):
        assert all(map(torch.equal, found, read_by_each_layer(other)))
    # The first layer draws as a single attention of the same seed does.
    seeded = read_by_each_layer(made({**DRAWN[name], "seed": 1}))
    assert not torch.allclose(seeded[0], first)
    alone = build_encoder_attention(
        EncoderAttentionConfig(**DRAWN[name]), heads=4, head_dim=4, tokens=40
    )
    alone.load_state_dict(model.model.encoder.layers[0].self_attn.attention.state_dict())
    model.model.encoder.layers[1].self_attn.attention = alone
    torch.testing.assert_close(read_by_each_layer(model)[1], first)


@pytest.mark.parametrize("seed", [-1, 2**63 - 1, 2**80])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    read_by_each_layer(made({**DRAWN["lsh"], "seed": seed}))


FOREIGN = [
    ({"kind": "full", "window": 8}, "'full' has no window; 'pattern' and 'adaptive_span' have it"),
    ({"kind": "pattern", "window": 8, "chunk": 4}, "'pattern' has no chunk; 'lsh' has it"),
    ({"kind": "linformer", "global_tokens": 1}, "'linformer' has no global_tokens"),
    ({"kind": "sinkhorn", "rounds": 2}, "'sinkhorn' has no rounds; 'lsh' has it"),
]


@pytest.mark.parametrize(("settings", "says"), FOREIGN)
def test_settings_of_another_kind_are_refused(settings: dict, says: str) -> None:
    with pytest.raises(LongsumError, match=f"{says}.*Leave it out"):
        made(settings)


def test_switched_off_settings_are_allowed_with_any_kind() -> None:
    made({"kind": "full", "window": 0, "global_tokens": 0})
