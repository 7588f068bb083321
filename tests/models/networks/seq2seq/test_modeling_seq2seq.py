import pytest
import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.cross import CrossPattern, FoldedSource, full_cross
from longsum.models.networks.seq2seq import decoder

from .conftest import config, logits, randomised, sources

LINFORMER = {"cross_attention": {"kind": "linformer", "projected": 5}}


def build(**settings):
    return randomised(config(**settings))


def _dense(
    pattern: CrossPattern, hidden: Tensor, real: Tensor | None, *, heads: int, cached: bool
) -> tuple[FoldedSource, Tensor]:
    """Every head projects the whole source, and a mask hides the positions of other heads."""
    assert not cached
    visible = pattern.visible(heads, hidden.shape[1], real, hidden.shape[0])
    return full_cross().fold(hidden), visible


@pytest.mark.parametrize("length", [1, 3, 4, 11])
@pytest.mark.parametrize("kind", ["hepos", "contiguous"])
def test_divided_heads_equal_the_dense_definition(labels, monkeypatch, kind, length) -> None:
    model = build(cross_attention={"kind": kind, "stride": 4}).double()
    ids, mask = sources(length, length // 3)
    whole = build().double()
    given = {"attention_mask": mask, "labels": labels}
    found, full = (logits(each, ids, **given) for each in (model, whole))
    monkeypatch.setattr(decoder, "_fold", _dense)
    expected = logits(model, ids, **given)
    torch.testing.assert_close(found, expected)
    assert (found - full).abs().max() > 1e-3


@pytest.mark.parametrize("side", ["right", "left"])
@pytest.mark.parametrize("length", [1, 4, 11])
def test_linformer_equals_its_definition(labels, length, side) -> None:
    """Also in keys and values of the first layer, and with fewer tokens than mixtures."""
    model = build(**LINFORMER).double()
    ids, mask = sources(length, length // 3, side)
    with torch.no_grad():
        output = model(ids, attention_mask=mask, labels=labels)
        cached = model(ids, attention_mask=mask, decoder_input_ids=labels.clamp(min=0))
        attention = model.model.decoder.layers[0].encoder_attn
        mixed = attention.mixtures.reference(output.encoder_last_hidden_state, mask.bool())
        key = attention.k_proj(mixed).unflatten(-1, (4, 4)).transpose(1, 2)
        value = attention.v_proj(mixed).unflatten(-1, (4, 4)).transpose(1, 2)
    held = cached.past_key_values.cross_attention_cache.layers[0]
    torch.testing.assert_close(held.keys, key)
    torch.testing.assert_close(held.values, value)
    # Table 1: O(n) parameters; one projection a layer, 5 mixtures of 48 positions.
    new = [p for name, p in model.named_parameters() if "mixtures" in name]
    assert [tuple(p.shape) for p in new] == [(5, 48)] * 3


@pytest.mark.parametrize("settings", [{}, LINFORMER], ids=["full", "linformer"])
def test_padding_may_exceed_the_positions(labels, settings) -> None:
    model = build(**settings, max_source_positions=11)
    ids, mask = sources(11, 4)
    wide = torch.nn.functional.pad(ids, (0, 9), value=1)
    wide_mask = torch.nn.functional.pad(mask, (0, 9))
    encoder = model.get_encoder()
    found = encoder(wide, attention_mask=wide_mask).last_hidden_state[:, :11]
    expected = encoder(ids, attention_mask=mask).last_hidden_state
    torch.testing.assert_close(found[mask.bool()], expected[mask.bool()])
    found = model(wide, attention_mask=wide_mask, labels=labels).logits
    torch.testing.assert_close(found, model(ids, attention_mask=mask, labels=labels).logits)


def test_labels_are_smoothed_only_in_training(labels) -> None:
    ids, _ = sources(11, 0)
    model = build(label_smoothing=0.1, dropout=0.0).train()
    output = model(ids, labels=labels)
    log_probabilities = output.logits.log_softmax(-1)[labels != -100]
    chosen = log_probabilities.gather(1, labels[labels != -100][:, None])
    # 0.9 of the mass on the label, 0.1 spread over the vocabulary.
    expected = -(0.9 * chosen[:, 0] + 0.1 * log_probabilities.mean(dim=1)).mean()
    torch.testing.assert_close(output.loss, expected)
    torch.testing.assert_close(model.eval()(ids, labels=labels).loss, -chosen.mean())


def test_labels_become_decoder_inputs() -> None:
    labels = torch.tensor([[5, 6, 7, 2], [8, 2, -100, -100]])
    shift = build().prepare_decoder_input_ids_from_labels
    assert shift(labels).tolist() == [[2, 5, 6, 7], [2, 8, 2, 1]]
    # mBART's language token ends the labels and starts the target.
    shift = build(decoder_start_token_id=None).prepare_decoder_input_ids_from_labels
    assert shift(labels + 20 * (labels == 2)).tolist() == [[22, 5, 6, 7], [22, 8, 22, 1]]


def test_long_sources_pass_the_feed_forward_network_in_pieces() -> None:
    model = build(encoder_attention={"window": 4}, max_source_positions=4200)
    ids = torch.randint(4, 60, (1, 4150), generator=torch.Generator().manual_seed(0))
    encoder = model.get_encoder()
    whole = encoder(ids).last_hidden_state
    with torch.no_grad():
        torch.testing.assert_close(encoder(ids).last_hidden_state, whole)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"input_ids": torch.ones(1, 49).long()}, "49 tokens does not fit .* 48"),
        (
            {"input_ids": torch.ones(1, 3).long(), "attention_mask": torch.tensor([[1, 0, 1]])},
            "hides tokens between",
        ),
        ({}, "exactly one"),
        (
            {"input_ids": torch.ones(2, 5).long(), "labels": torch.full((3, 2), 4)},
            "3 target rows cannot be divided among 2 sources",
        ),
    ],
)
def test_errors_that_users_can_correct(labels, inputs, message) -> None:
    with pytest.raises(LongsumError, match=message):
        build()(**{"labels": labels[:1], **inputs})


def test_inputs_that_belong_together_are_required() -> None:
    model = build()
    with pytest.raises(LongsumError, match="reads a source; give encoder_hidden_states"):
        model.get_decoder()(input_ids=torch.ones(1, 3).long())
    sections = build(encoder_bias={"kind": "hibrids"})
    with pytest.raises(LongsumError, match=r"[Ss]ections"):
        sections(input_ids=torch.ones(1, 3).long(), decoder_input_ids=torch.ones(1, 2).long())
    transient = {"kind": "pattern", "window": 4, "transient_block": 4}
    with pytest.raises(LongsumError, match="Transient tokens are in no section"):
        build(encoder_attention=transient, encoder_bias={"kind": "hibrids"})
    with pytest.raises(LongsumError, match="Transient tokens and a global_attention_mask"):
        build(encoder_attention=transient)(
            input_ids=torch.ones(1, 9).long(),
            global_attention_mask=torch.tensor([[1, *[0] * 8]]),
            decoder_input_ids=torch.ones(1, 2).long(),
        )
    model.config.pad_token_id = None
    with pytest.raises(LongsumError, match="Labels need a padding token; set pad_token_id"):
        model.prepare_decoder_input_ids_from_labels(torch.ones(1, 2).long())
