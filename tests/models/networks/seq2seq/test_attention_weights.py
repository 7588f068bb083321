"""`output_attentions` under `eager`: as in `transformers`, and as any pattern sees."""

import pytest
import torch
from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration

from .conftest import KINDS, T5, both, config, randomised, sources

FIELDS = ("encoder_attentions", "decoder_attentions", "cross_attentions")
WITH_WEIGHTS = {
    **{
        name: kind
        for name, kind in KINDS.items()
        if name != "transient" and "linformer" not in name
    },
    "T5": T5,
    "biased cross": {"decoder_bias": {"kind": "hibrids"}},
}


def close(found, expected) -> None:
    torch.testing.assert_close([*found], [*expected], atol=1e-5, rtol=1e-4)


def eager(family: str) -> tuple:
    theirs, ours = both(family)
    if family != "led":
        theirs.set_attn_implementation("eager")
    ours.set_attn_implementation("eager")
    return theirs, ours


@pytest.mark.parametrize("family", ["bart", "pegasus"])
def test_weights_are_those_of_transformers(labels, family) -> None:
    theirs, ours = eager(family)
    ids, mask = sources(21, 6)
    given = {"attention_mask": mask, "labels": labels, "output_attentions": True}
    with torch.no_grad():
        expected, found = theirs(ids, **given), ours(ids, **given)
        loss, logits, *plain = ours(ids, **given, return_dict=False)
    for name in FIELDS:
        close(found[name], expected[name])
    assert torch.equal(loss, found.loss)
    assert torch.equal(logits, found.logits)
    assert len(plain) == len(found.to_tuple()) - 2


def test_weights_of_an_led(labels) -> None:
    theirs, ours = eager("led")
    ids, mask = sources(21, 0)
    places = [4, 11, 12]
    chosen = torch.zeros_like(ids)
    chosen[:, places] = 1
    given = {"attention_mask": mask, "labels": labels, "global_attention_mask": chosen}
    with torch.no_grad():
        expected = theirs(ids, **given, output_attentions=True)
        found = ours(ids, **given, output_attentions=True)
    close(found.decoder_attentions, expected.decoder_attentions)
    close(found.cross_attentions, expected.cross_attentions)
    for own, local, everywhere in zip(
        found.encoder_attentions,
        expected.encoder_attentions,
        expected.encoder_global_attentions,
        strict=True,
    ):
        # Theirs lie [b, h, n, g + window + 1], and of global tokens [b, h, n, g].
        everywhere = everywhere[:, :, :21]  # LED fills a source up to its window.
        torch.testing.assert_close(own[:, :, places].mT, everywhere, atol=1e-5, rtol=1e-4)
        local_rows = [row for row in range(21) if row not in places]
        seen_globally = own[:, :, local_rows][..., places]
        torch.testing.assert_close(seen_globally, local[:, :, local_rows, :3], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("kind", WITH_WEIGHTS)
def test_weights_of_any_attention(kind) -> None:
    """They sum to 1 over tokens, padding has none, and padding on the other side shifts them.

    What Sinkhorn sorts is mixtures, in which padding takes part as zeros.
    """
    model = randomised(config(**WITH_WEIGHTS[kind]), 1)
    found = {}
    for side in ("right", "left"):
        ids, mask = sources(22, 5, side)
        given = {"attention_mask": mask, "decoder_input_ids": ids[:, 5:9]}
        if model.config.reads_sections:
            given["section_of"] = torch.arange(22).div(8, rounding_mode="floor").expand(2, -1)
            given["section_parents"] = torch.tensor([[-1, 0, 0]]).expand(2, -1)
        model.set_attn_implementation("sdpa")
        with torch.no_grad():
            plain = model(ids, **given).logits
            model.set_attn_implementation("eager")
            found[side] = model(ids, **given, output_attentions=True)
        torch.testing.assert_close(found[side].logits, plain, atol=2e-5, rtol=1e-4)
        for name, rows in (("encoder_attentions", 22), ("cross_attentions", 4)):
            for weights in found[side][name]:
                assert weights.shape == (2, weights.shape[1], rows, 22)
                real = weights.where(mask.bool()[:, None, None], 0.0)
                assert torch.equal(real, weights)
                if name == "encoder_attentions":
                    weights = weights[:, :, mask.bool()[1]]
                if kind != "sinkhorn" or name != "encoder_attentions":
                    torch.testing.assert_close(weights.sum(-1), torch.ones(weights.shape[:3]))
    if not model.config.reads_sections:
        for left, right in zip(
            found["left"].encoder_attentions, found["right"].encoder_attentions, strict=True
        ):
            moved = left[1].roll((-5, -5), (1, 2))[:, :17]
            torch.testing.assert_close(moved, right[1][:, :17], atol=1e-5, rtol=1e-4)


def test_heads_of_hepos_read_their_own_positions() -> None:
    settings = config(cross_attention={"kind": "hepos", "stride": 4})
    model = LongsumForConditionalGeneration(settings).eval()
    model.set_attn_implementation("eager")
    ids, _ = sources(21, 0)
    with torch.no_grad():
        found = model(ids, decoder_input_ids=ids[:, :3], output_attentions=True).cross_attentions
    for weights in found:
        for head in range(weights.shape[1]):
            seen = torch.arange(21) % 4 == head % 4
            assert (weights[:, head, :, seen] > 0).all()
            assert not weights[:, head, :, ~seen].any()


def test_attention_weights_of_generation() -> None:
    theirs, ours = eager("bart")
    ids, mask = sources(13, 4)
    given = {"num_beams": 3, "max_new_tokens": 4, "min_new_tokens": 4, "do_sample": False}
    given |= {"attention_mask": mask, "output_attentions": True, "return_dict_in_generate": True}
    expected, found = theirs.generate(ids, **given), ours.generate(ids, **given)
    close(
        [each[:1] for each in found.encoder_attentions],
        [each[:1] for each in expected.encoder_attentions],
    )
    for name in ("decoder_attentions", "cross_attentions"):
        assert len(found[name]) == 4
        close(found[name], expected[name])


@pytest.mark.parametrize(
    ("settings", "way", "sentence"),
    [
        ({}, "sdpa", "attn_implementation='eager'"),
        ({"encoder_attention": {"kind": "linformer", "projected": 5}}, "eager", "mixtures"),
        ({"cross_attention": {"kind": "linformer", "projected": 5}}, "eager", "mixtures"),
    ],
)
def test_weights_that_are_not_there_are_refused(settings, way, sentence) -> None:
    ids, _ = sources(21, 0)
    # `transformers` itself refuses to set it under sdpa.
    for in_config in (False, way == "eager"):
        model = LongsumForConditionalGeneration(config(**settings))
        model.set_attn_implementation(way)
        asked = {"output_attentions": True}
        if in_config:
            model.config.output_attentions = asked.pop("output_attentions")
        for error in (LongsumError, ValueError):
            with pytest.raises(error, match=sentence):
                model(ids, decoder_input_ids=ids[:, :3], **asked)


def test_weights_of_dropped_attention_are_those_that_read() -> None:
    settings = config(attention_dropout=0.5, dropout=0.0)
    model = LongsumForConditionalGeneration(settings).train()
    model.set_attn_implementation("eager")
    ids, _ = sources(21, 0)
    weights: Tensor = model(ids, labels=ids[:, :5], output_attentions=True).encoder_attentions[0]
    assert 0.3 < (weights == 0).float().mean() < 0.7
