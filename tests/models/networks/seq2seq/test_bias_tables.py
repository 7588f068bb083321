import pytest
import torch
from safetensors.torch import load_file, save_file

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq.bias_tables import load_bias_tables

from .conftest import config, peer, randomised


@pytest.fixture
def save(tmp_path):
    """Save a tiny model; return it and its folder."""

    def make(**settings):
        model = randomised(config(**settings), 3)
        model.save_pretrained(tmp_path)
        return model, tmp_path

    return make


def test_tables_are_those_of_the_layers(save):
    model, folder = save(encoder_bias={"path_reach": 3}, decoder_bias={"kind": "hibrids_selected"})
    encoder, decoder = load_bias_tables(folder)
    assert (encoder.side, encoder.layers, encoder.heads) == ("encoder", (1, 2), (1, 2))
    assert (decoder.side, decoder.layers, decoder.heads) == ("decoder", (3,), (1, 2, 3, 4))
    for found, layer in zip(encoder.tables, model.model.encoder.layers, strict=True):
        assert torch.equal(found, layer.self_attn.bias.table)
    assert torch.equal(decoder.tables[0], model.model.decoder.section_bias.table)
    assert decoder.settings.kind == "hibrids_selected"


def test_layers_of_segments_have_tables_of_their_own(save):
    top_down = {"layers": 1, "segment_layers": 2, "levels": 2, "kernel": 4, "stride": 3}
    model, folder = save(encoder_bias={"path_reach": 3}, top_down=top_down)
    encoder, segments = load_bias_tables(folder)
    assert (encoder.layers, segments.side, segments.layers) == ((1, 2), "segments", (1, 2, 3, 4, 5))
    level = model.model.encoder.segments
    expected = [*level.layers, *level.above.layers, level.top_down]
    for found, layer in zip(segments.tables, expected, strict=True):
        assert torch.equal(found, layer.self_attn.bias.table)


def test_one_layer_or_head(save):
    _, folder = save(encoder_bias={"path_reach": 3}, decoder_bias={"shared": True})
    encoder, decoder = load_bias_tables(folder)
    assert torch.equal(encoder.only(2, None).tables, encoder.tables[1:])
    one = encoder.only(1, 2)
    assert (one.layers, one.heads) == ((1,), (2,))
    assert torch.equal(one.tables, encoder.tables[:1, :, 1:])
    assert encoder.only(3, None) is None
    assert encoder.only(None, 3) is None
    assert encoder.only(None, None) is encoder
    # What all heads share is each one's.
    assert decoder.shared
    assert torch.equal(decoder.only(3, 4).tables, decoder.tables)
    assert decoder.only(1, None) is None


def test_distances_between_tokens(save):
    _, folder = save(encoder_bias={"kind": "token_distance", "token_reach": 5})
    before = torch.get_rng_state()
    (encoder,) = load_bias_tables(folder)
    assert encoder.tables.shape == (2, 11, 2)
    # Random numbers of the program stay what they are.
    assert torch.equal(torch.get_rng_state(), before)


def test_models_without_biases(save, tmp_path):
    _, folder = save()
    peer("bart").save_pretrained(tmp_path / "bart")
    for without in (folder, tmp_path / "bart"):
        with pytest.raises(LongsumError, match="learned no biases"):
            load_bias_tables(without)


@pytest.mark.parametrize("damage", ["missing", "size"])
def test_weights_that_do_not_fit(save, damage):
    _, folder = save(encoder_bias={})
    path = folder / "model.safetensors"
    state = load_file(path)
    table = state.pop("model.encoder.layers.1.self_attn.bias.table")
    if damage == "size":
        state["model.encoder.layers.1.self_attn.bias.table"] = table[:-1].contiguous()
    save_file(state, path, {"format": "pt"})
    with pytest.raises(LongsumError, match=r"layers\.1\.self_attn\.bias\.table"):
        load_bias_tables(folder)
