"""Properties of every model, with any attention, biases, sections and segments."""

from copy import deepcopy
from functools import cache

import pytest
import torch
from transformers import AutoModel, AutoModelForSeq2SeqLM

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, from_checkpoint
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumSeq2SeqModel

from .conftest import (
    LEARNED,
    TOKENS,
    TOP_DOWN,
    assert_same_logits,
    checkpointed,
    config,
    inputs,
    logits,
    peer,
    randomised,
)

WINDOW = {"window": 8, "global_tokens": 1}
MIXED = [{"kind": "pattern", "window": 4, "global_tokens": 2, "stride": 3}, {"kind": "full"}]
PRENORM = {"normalize_before": True, "final_layer_norms": True}
HEPOS = {"kind": "hepos", "stride": 2}
CONTIGUOUS = {"kind": "contiguous", "stride": 4}
LINFORMER = {"kind": "linformer", "projected": 7}
SELECTED = {"kind": "hibrids_selected"}
SEGMENTS = {"layers": 2, "segment_layers": 1, "kernel": 4, "stride": 3}
# Parts that have nothing to do with each other stand together in a model.
VARIANTS = {
    "full": {},
    "global, hepos": {
        "global_projections": True,
        "encoder_attention": MIXED,
        "cross_attention": HEPOS,
    },
    "prenorm, linformer cross": {
        **PRENORM,
        **{"normalize_embedding": False, "position_kind": "sinusoidal"},
        "cross_attention": LINFORMER,
    },
    # HEPOS §6 of the released code: even layers see a window, odd ones the learned kind.
    **{
        name: {"encoder_attention": [{"kind": "pattern", "window": 8}, {"kind": name} | settings]}
        for name, settings in LEARNED.items()
    },
    **{
        f"encoder bias {kind}": {
            "encoder_bias": {"kind": kind, **own},
            "encoder_attention": WINDOW,
            "global_projections": True,
        }
        for kind, own in {"hibrids": {}, "token_distance": {"token_reach": 4}}.items()
    },
    "decoder bias": {"decoder_bias": {"kind": "hibrids"}},
    "decoder bias, hepos": {"decoder_bias": {"shared": True}, "cross_attention": HEPOS},
    "decoder bias, linformer": {
        "decoder_bias": SELECTED | {"average": False},
        "cross_attention": LINFORMER,
    },
    "sections, biased": {
        "section_encoder": {"layers": 2, "bias": SELECTED},
        "cross_attention": HEPOS,
    },
    "sections, prenorm": {
        "section_encoder": {"layers": 2},
        "normalize_before": True,
        "cross_attention": CONTIGUOUS,
    },
    # Weights are drawn anew here, so that those that start with zeros are as others.
    **{
        f"top-down, {kind}": {"top_down": SEGMENTS | TOP_DOWN[kind], "encoder_attention": WINDOW}
        for kind in ("adaptive", "three levels")
    },
    "top-down, prenorm": {"top_down": SEGMENTS, **PRENORM},
    "top-down, biased": {"top_down": SEGMENTS, "encoder_bias": {}, "cross_attention": HEPOS},
    "sections beside all": {
        "section_encoder": {"layers": 2, "bias": SELECTED},
        "section_relations": {"weight": 0.5},
        "encoder_attention": WINDOW,
        "cross_attention": LINFORMER,
        "encoder_bias": {"kind": "section_distance", "section_reach": 2},
        "decoder_bias": {},
    },
}
# What can be added to a trained model without a change at first.
ADDED = {
    "sections": {"section_encoder": {"layers": 1}},
    "top-down": {"top_down": {"layers": 1, "kernel": 8, "stride": 6}},
    "top-down, concat": {"top_down": {"layers": 1, "update": "concat", "kernel": 8, "stride": 6}},
    **{kind: {"encoder_bias": {"kind": kind}} for kind in ("hibrids", "token_distance")},
}
# What is read besides the tokens of a source, or kept of it, while a text is written.
WRITING = ("encoder bias hibrids", "decoder bias", "sections beside all", "top-down, biased")
# What a decoder that goes on word by word has in ways of its own.
DECODING = (
    *("full", "global, hepos", "prenorm, linformer cross"),
    *("decoder bias, hepos", "decoder bias, linformer", "sections, biased", "sections, prenorm"),
)
# Of each kind of weight or buffer one.
SAVED = (
    *("full", "global, hepos", "prenorm, linformer cross", "joined_span", "linformer"),
    *("learned_sinkhorn", "encoder bias token_distance", "sections beside all"),
    "top-down, three levels",
)
HALF = (
    *("global, hepos", "joined_span", "lsh", "learned_sinkhorn", "encoder bias hibrids"),
    *("sections beside all", "top-down, adaptive"),
)
every_variant = pytest.mark.parametrize("variant", VARIANTS)


@cache
def made(variant: str) -> LongsumForConditionalGeneration:
    layers = {"encoder_layers": 3} if "top_down" in VARIANTS[variant] else {}
    model = randomised(config(**VARIANTS[variant], **layers, dropout=0.0))
    with torch.no_grad():
        for name, table in model.named_parameters():
            if name.endswith("bias.table"):
                table.mul_(10)
    return model.double()


def build(variant: str) -> LongsumForConditionalGeneration:
    """Return a model with fixed weights."""
    model = made(variant).eval()
    model.zero_grad()
    return model


@every_variant
def test_padding_changes_nothing(labels, variant) -> None:
    model = build(variant)
    # Chunks and mixtures are of places from the left.
    for side in ("right",) if variant in LEARNED else ("right", "left"):
        given = inputs(model, side=side)
        real = given["attention_mask"][1].bool()
        alone = {
            name: rows[1:, :2] if name == "section_parents" else rows[1:, real]
            for name, rows in given.items()
        }
        with torch.no_grad():
            found = model(**given, labels=labels)
            expected = model(**alone, labels=labels[1:])
        torch.testing.assert_close(found.logits[1:], expected.logits)
        states = found.encoder_last_hidden_state[1, real]
        torch.testing.assert_close(states, expected.encoder_last_hidden_state[0])


@pytest.mark.parametrize("variant", WRITING)
def test_beams_with_a_cache_equal_beams_without(variant) -> None:
    model = build(variant)
    given, beams = inputs(model), {"num_beams": 3, "max_new_tokens": 8, "num_return_sequences": 3}
    found = model.generate(**given, **beams).tolist()
    for way in ({"cache_implementation": "static"}, {"use_cache": False}):
        assert model.generate(**given, **beams, **way).tolist() == found
    encoded = model.get_encoder()(**given)
    before = encoded.last_hidden_state.clone()
    del given["input_ids"]
    assert model.generate(encoder_outputs=encoded, **given, **beams).tolist() == found
    assert torch.equal(encoded.last_hidden_state, before)


@pytest.mark.parametrize("variant", SAVED)
def test_saved_and_loaded(labels, tmp_path, variant) -> None:
    model = build(variant)
    model.save_pretrained(tmp_path)
    loaded = AutoModelForSeq2SeqLM.from_pretrained(tmp_path, dtype=torch.float64).eval()
    assert isinstance(loaded, LongsumForConditionalGeneration)
    for name, value in VARIANTS[variant].items():
        assert getattr(loaded.config, name) == value
    assert_same_logits((model, loaded), **inputs(model), labels=labels, close=1e-12)
    assert loaded.lm_head.weight is loaded.model.encoder.embed_tokens.weight
    if variant == "full":
        assert isinstance(AutoModel.from_pretrained(tmp_path), LongsumSeq2SeqModel)


@every_variant
def test_every_weight_learns_and_checkpointing_gives_the_same_gradients(labels, variant) -> None:
    """Distributed training stops at a weight without a gradient. One source is empty."""
    model = build(variant).train()
    gradients = checkpointed(model, **inputs(model, TOKENS), labels=labels)
    assert gradients.keys() == dict(model.named_parameters()).keys()
    assert all(gradient.isfinite().all() for gradient in gradients.values())
    assert all(each.any() for name, each in gradients.items() if name.endswith("bias.table"))


@pytest.mark.parametrize("variant", HALF)
def test_half_precision_is_finite(labels, variant) -> None:
    model = deepcopy(build(variant)).bfloat16().train()
    output = model(**inputs(model, TOKENS - 1), labels=labels)
    assert output.loss.dtype == torch.float32
    output.loss.backward()
    assert output.logits.isfinite().all()
    assert all(p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("variant", [*WRITING, *DECODING])
def test_step_by_step_equals_all_at_once_for_rows_of_a_source(variant) -> None:
    model = build(variant)
    given = inputs(model)
    target = torch.randint(3, 61, (4, 9), generator=torch.Generator().manual_seed(1))
    repeated = {name: rows.repeat_interleave(2, dim=0) for name, rows in given.items()}
    with torch.no_grad():
        whole = model(**repeated, decoder_input_ids=target, use_cache=False).logits
        cache, found = None, []
        for step in target.split([1, 1, 4, 2, 1], dim=1):
            output = model(**given, decoder_input_ids=step, past_key_values=cache)
            cache = output.past_key_values
            found.append(output.logits)
    torch.testing.assert_close(torch.cat(found, dim=1), whole)


@pytest.mark.parametrize("added", ADDED)
def test_layers_that_start_at_zero_change_nothing_at_first_but_learn(labels, added) -> None:
    ((name, settings),) = ADDED[added].items()
    plain, zeros, drawn = (
        from_checkpoint(peer("mbart"), **{name: each})
        for each in (None, settings | {"start": "zeros"}, settings | {"start": "normal"})
    )
    expected, found, other = (
        logits(model, **inputs(model), labels=labels) for model in (plain, zeros, drawn)
    )
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
    assert (other - expected).abs().max() > 1e-4
    new = dict(zeros.named_parameters()).keys() - dict(plain.named_parameters()).keys()
    step = torch.optim.SGD(zeros.train().parameters(), lr=0.1)
    for _ in range(2):
        step.zero_grad()
        zeros(**inputs(zeros), labels=labels).loss.backward()
        step.step()
    assert all(zeros.get_parameter(each).grad.any() for each in new if "v_proj.weight" in each)
    assert all(zeros.get_parameter(each).any() for each in new if each.endswith("table"))
