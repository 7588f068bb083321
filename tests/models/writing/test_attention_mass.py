import numpy as np
import pytest
import torch
from transformers import BartConfig, BartForConditionalGeneration

from longsum.models.networks.seq2seq import from_checkpoint
from longsum.models.writing import attention_mass as module
from longsum.models.writing.attention_mass import attention_mass

SENTENCES = np.array([-1, 0, 0, 0, 1, 1, 2, 3, 3, 3, -1], dtype=np.int32)


def encoded(model, tokens=11):
    generator = torch.Generator().manual_seed(3)
    ids = torch.randint(20, 200, (1, tokens), generator=generator)
    with torch.inference_mode():
        return model.get_encoder()(ids, attention_mask=torch.ones_like(ids))[0]


SEQUENCE = torch.tensor([0, 31, 45, 99, 31, 2])


@pytest.mark.parametrize(
    "settings",
    [
        {"cross_attention": {"kind": "contiguous", "stride": 2}},
        # Of which tokens alone count.
        {"cross_attention": {"kind": "full"}, "section_encoder": {"layers": 1}},
    ],
)
def test_each_token_gives_all_its_attention(make_model, settings):
    model = make_model(**settings)
    sections = SECTIONS if "section_encoder" in settings else None
    mass = attention_mass(model, encoded(model), SEQUENCE, SENTENCES, sections)
    assert mass.shape == (5, 5)
    assert (mass >= 0).all()
    np.testing.assert_allclose(mass.sum(axis=1), 1, atol=1e-6)


def test_hepos_equals_the_dense_definition(make_model):
    """Every head covers the whole source, with the positions that it does not read masked."""
    model = make_model(cross_attention={"kind": "hepos", "stride": 4})
    states = encoded(model)
    expected = torch.zeros(5, 5, dtype=torch.float64)
    visible = model.config.cross_pattern().visible(4, len(SENTENCES), None)[0]

    def hook(attention, given):
        query, key = (
            project(tensor)[0].unflatten(-1, (4, 4)).transpose(0, 1)
            for project, tensor in ((attention.q_proj, given[0]), (attention.k_proj, states))
        )
        weights = (query @ key.mT / 2).masked_fill(~visible, -torch.inf).softmax(-1)
        for place, sentence in enumerate(SENTENCES):
            expected[:, sentence] += weights[:, :, place].sum(0).double() / 8

    handles = [
        layer.encoder_attn.register_forward_pre_hook(hook) for layer in model.model.decoder.layers
    ]
    with torch.inference_mode():
        model.model.decoder(SEQUENCE[None, :-1], encoder_hidden_states=states, use_cache=False)
    for handle in handles:
        handle.remove()
    found = attention_mass(model, states, SEQUENCE, SENTENCES)
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-6)
    assert not any(layer.encoder_attn._forward_pre_hooks for layer in model.model.decoder.layers)


@pytest.mark.parametrize("most", [2**26, 1])
def test_attention_mass_equals_that_of_transformers(make_model, monkeypatch, most):
    """Also in blocks of one token."""
    monkeypatch.setattr(module, "_MAX_WEIGHTS", most)
    sizes = {
        name: getattr(make_model().config, name)
        for name in ("d_model", "encoder_layers", "decoder_layers", "vocab_size", "init_std")
    }
    torch.manual_seed(4)
    config = BartConfig(
        **sizes, encoder_attention_heads=4, decoder_attention_heads=4, max_position_embeddings=64
    )
    bart = BartForConditionalGeneration(config).eval()
    ours = from_checkpoint(bart)
    states = encoded(bart)
    before = bart.config._attn_implementation
    theirs = attention_mass(bart, states, SEQUENCE, SENTENCES)
    assert bart.config._attn_implementation == before
    np.testing.assert_allclose(attention_mass(ours, states, SEQUENCE, SENTENCES), theirs, atol=1e-6)


def test_a_source_shorter_than_the_stride(make_model):
    """Heads without a position are ignored, and the others averaged."""
    model = make_model(cross_attention={"kind": "hepos", "stride": 4})
    mass = attention_mass(model, encoded(model, 3), SEQUENCE, np.array([-1, 0, 0], dtype=np.int32))
    np.testing.assert_allclose(mass.sum(axis=1), 1, atol=1e-6)


def test_mixtures_of_keys_have_no_attention_mass(make_model):
    model = make_model(cross_attention={"kind": "linformer", "projected": 8})
    assert attention_mass(model, encoded(model), SEQUENCE, SENTENCES) is None


SECTIONS = {
    "section_of": torch.tensor([[0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4]]),
    "section_parents": torch.tensor([[-1, -1, 1, -1, -1]]),
}


@pytest.mark.parametrize(
    ("cross", "shared"), [({"kind": "full"}, True), ({"kind": "hepos", "stride": 4}, False)]
)
def test_biases_of_sections_are_in_the_weights(make_model, cross, shared):
    """The last layer's weights reproduce its output."""
    model = make_model(cross_attention=cross, decoder_bias={"kind": "hibrids", "shared": shared})
    with torch.no_grad():
        model.model.decoder.section_bias.table.mul_(4)
        for layer in model.model.decoder.layers:
            # Each head hands on what it reads as it stands, of states that name their places.
            for part in (layer.encoder_attn.v_proj, layer.encoder_attn.out_proj):
                part.weight.copy_(torch.eye(16))
                part.bias.zero_()
    states = encoded(model)
    last = model.model.decoder.layers[-1].encoder_attn
    handed_on = []
    handle = last.register_forward_hook(lambda _, __, found: handed_on.append(found[0][0]))
    with torch.inference_mode():
        model.model.decoder(
            SEQUENCE[None, :-1], encoder_hidden_states=states, use_cache=False, **SECTIONS
        )
    handle.remove()
    tokens = []

    class Kept(module._Sums):
        def add(self, weights, first, places=None):
            tokens.append((weights[0], torch.arange(11) if places is None else places))
            super().add(weights, first, places)

    sums = Kept(torch.arange(11), 11)
    with torch.inference_mode():
        module._add_ours(model, states, SEQUENCE, SECTIONS, sums)
    for head, (weights, places) in enumerate(tokens[-4:]):
        read = weights @ torch.nn.functional.pad(states[0], (0, 0, 0, 4))[places]
        own = slice(4 * head, 4 * head + 4)
        torch.testing.assert_close(read[:, own], handed_on[0][:, own])
    plain = make_model(cross_attention=cross)
    plain.load_state_dict(model.state_dict(), strict=False)
    biased, unbiased = (
        attention_mass(each, states, SEQUENCE, SENTENCES, sections)
        for each, sections in ((model, SECTIONS), (plain, None))
    )
    np.testing.assert_allclose(biased.sum(axis=1), 1, atol=1e-6)
    assert np.abs(biased - unbiased).max() > 1e-3
