"""A decoder that has the encoder's weights, and a RoBERTa that becomes both (RoBERTaShare)."""

import pytest
import torch
from safetensors.torch import load_file
from transformers import RobertaConfig, RobertaForMaskedLM, RobertaModel

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    from_checkpoint,
    load_seq2seq,
)
from longsum.models.writing.hub import load_writer
from tiny_sizes import bert_sizes, tiny_sizes

IDS = torch.tensor([[0, 5, 6, 7, 2, 1], [0, 9, 8, 7, 6, 2]])
MASK = (IDS != 1).long()
LABELS = torch.tensor([[5, 6, 2], [7, 8, 2]])
SIZES = {"vocab_size": 60, **tiny_sizes(16, 2, 24, positions=32)}


@pytest.fixture
def roberta() -> RobertaForMaskedLM:
    torch.manual_seed(1)
    config = RobertaConfig(
        vocab_size=60,
        **bert_sizes(24, layers=2),
        max_position_embeddings=34,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
    )
    model = RobertaForMaskedLM(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.2)
    return model


def shared(model: LongsumForConditionalGeneration) -> bool:
    halves = model.model.encoder, model.model.decoder
    layers = [half.layers[1] for half in halves]
    return (
        layers[0].fc1.weight is layers[1].fc1.weight
        and layers[0].self_attn.q_proj.bias is layers[1].self_attn.q_proj.bias
        and layers[0].self_attn_layer_norm.weight is layers[1].self_attn_layer_norm.weight
        and halves[0].embed_positions.weight is halves[1].embed_positions.weight
        and halves[0].layernorm_embedding.weight is halves[1].layernorm_embedding.weight
    )


@torch.no_grad()
def test_the_encoder_is_the_roberta(roberta: RobertaForMaskedLM) -> None:
    ours = from_checkpoint(roberta)
    expected = roberta.roberta(IDS, attention_mask=MASK).last_hidden_state
    found = ours.model.encoder(IDS, attention_mask=MASK).last_hidden_state
    torch.testing.assert_close(found[MASK.bool()], expected[MASK.bool()], atol=1e-4, rtol=1e-4)


def test_the_halves_share_all_but_the_attention_to_the_source(roberta: RobertaForMaskedLM) -> None:
    ours = from_checkpoint(roberta)
    assert shared(ours)
    assert ours.lm_head.weight is ours.model.shared.weight
    # A cross-attention has four projections and a norm; the head of RoBERTa and its vector of the
    # only segment are left behind.
    cross = 2 * (4 * (16 * 16 + 16) + 2 * 16)
    assert ours.num_parameters() == roberta.roberta.num_parameters() - 16 + cross


def test_a_base_size_has_the_parameters_of_the_paper() -> None:
    """Stepwise, A.3: 152,491,008, which is 91 rows of 768 more than here."""
    sizes = {"d_model": 768, "vocab_size": 50265}
    for half in ("encoder", "decoder"):
        sizes |= {f"{half}_layers": 12, f"{half}_attention_heads": 12, f"{half}_ffn_dim": 3072}
    positions = {"max_source_positions": 512, "max_target_positions": 512}
    with torch.device("meta"):
        model = LongsumForConditionalGeneration(
            LongsumSeq2SeqConfig(**sizes, **positions, share_layers=True)
        )
    assert model.num_parameters() == 152_491_008 - 91 * 768


def test_saved_once_and_loaded_alike(roberta: RobertaForMaskedLM, tmp_path) -> None:
    roberta.save_pretrained(tmp_path / "roberta")
    torch.manual_seed(0)
    ours = load_seq2seq(tmp_path / "roberta")
    ours.save_pretrained(tmp_path / "ours")
    stored = load_file(tmp_path / "ours" / "model.safetensors")
    assert sum(each.numel() for each in stored.values()) == ours.num_parameters()
    expected = ours(IDS, attention_mask=MASK, labels=LABELS).loss
    for load in (load_seq2seq, LongsumForConditionalGeneration.from_pretrained):
        loaded = load(tmp_path / "ours")
        assert shared(loaded)
        assert torch.equal(loaded(IDS, attention_mask=MASK, labels=LABELS).loss, expected)


def test_an_encoder_without_a_head_converts_too(roberta: RobertaForMaskedLM) -> None:
    bare = RobertaModel(roberta.config, add_pooling_layer=False)
    bare.load_state_dict(roberta.roberta.state_dict())
    torch.manual_seed(0)
    one = from_checkpoint(bare)
    torch.manual_seed(0)
    other = from_checkpoint(roberta)
    for name, weight in one.state_dict().items():
        assert torch.equal(weight, other.state_dict()[name]), name


def test_halves_may_start_alike_without_sharing(roberta: RobertaForMaskedLM) -> None:
    ours = from_checkpoint(roberta, share_layers=False)
    encoder, decoder = (
        half.layers[0].fc2.weight for half in (ours.model.encoder, ours.model.decoder)
    )
    assert encoder is not decoder
    assert torch.equal(encoder, decoder)


def test_a_roberta_itself_writes_nothing(roberta: RobertaForMaskedLM, tmp_path) -> None:
    roberta.save_pretrained(tmp_path)
    with pytest.raises(LongsumError, match="not an encoder–decoder"):
        load_writer(tmp_path)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"decoder_layers": 3}, "as many decoder_layers as encoder_layers"),
        ({"max_source_positions": 64}, "set both to 64"),
        ({"tie_word_embeddings": False}, "tie_word_embeddings to true"),
    ],
)
def test_halves_that_differ_are_refused(changed: dict[str, int], says: str) -> None:
    with pytest.raises(LongsumError, match=says):
        LongsumSeq2SeqConfig(**{**SIZES, **changed}, share_layers=True)
