"""The same weights give the same output as `transformers`."""

import pytest
import torch
from torch import Tensor
from transformers import PreTrainedModel

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, from_checkpoint
from longsum.models.networks.seq2seq.convert_checkpoints import convert_state_dict
from longsum.models.networks.seq2seq.convert_t5 import t5_weights

from .conftest import FAMILIES, assert_same_logits, both, config, logits, peer, randomised, sources

# LED's windows are 4 and 8: below, at, and at no multiple of them.
LENGTHS = ((1, 0), (8, 3), (33, 30))


def globally(family: str, ids: Tensor) -> dict[str, Tensor]:
    """The first token is global in an LED."""
    if family != "led":
        return {}
    mask = torch.zeros_like(ids)
    mask[:, 0] = 1
    return {"global_attention_mask": mask}


@pytest.mark.parametrize("family", FAMILIES)
def test_logits_loss_and_hidden_states(labels, family) -> None:
    theirs, ours = both(family)
    for length, shorter in LENGTHS:
        ids, mask = sources(length, shorter)
        with torch.no_grad():
            given = {"attention_mask": mask, "labels": labels, "output_hidden_states": True}
            expected, found = theirs(ids, **given, **globally(family, ids)), ours(ids, **given)
        torch.testing.assert_close(found.logits, expected.logits, atol=1e-4, rtol=1e-4)
        torch.testing.assert_close(found.loss, expected.loss, atol=1e-5, rtol=1e-5)
        real = mask.bool()
        states = (each.encoder_last_hidden_state[real] for each in (found, expected))
        torch.testing.assert_close(*states, atol=1e-4, rtol=1e-4)
        # PEGASUS-X returns states filled up to blocks, and its last with the global ones.
        both_states = {"decoder_hidden_states": slice(None), "encoder_hidden_states": real}
        for name, kept in [*both_states.items()][: 1 + (family != "pegasus_x")]:
            for one, other in zip(found[name], expected[name], strict=True):
                torch.testing.assert_close(one[kept], other[kept], atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("family", ["bart", "mbart", "pegasus", "pegasus_x", "longt5_tglobal"])
def test_generated(family: str) -> None:
    ids, mask = sources(21, 6)
    theirs, ours = both(family, 1)
    settings = {"num_beams": 4, "max_new_tokens": 12, "do_sample": False}
    expected = theirs.generate(ids, attention_mask=mask, **settings)
    assert ours.generate(ids, attention_mask=mask, **settings).tolist() == expected.tolist()


def chosen(real: Tensor, kind: str) -> Tensor:
    """A mask of global tokens: none, some at random, or all."""
    generator = torch.Generator().manual_seed(real.shape[1])
    share = {"none": 0.0, "few": 0.15, "all": 1.0}[kind]
    return (torch.rand(real.shape, generator=generator) < share).long()


@pytest.mark.parametrize("kind", ["none", "few", "all"])
def test_an_led_takes_a_mask_of_global_tokens(labels, kind) -> None:
    theirs, ours = both("led")
    written_out = from_checkpoint(theirs)
    written_out.set_attn_implementation("eager")
    for length, shorter in ((8, 3), (33, 30), (40, 0)):
        ids, mask = sources(length, shorter)
        seen_by_all = chosen(mask, kind)
        given = {"attention_mask": mask, "labels": labels, "global_attention_mask": seen_by_all}
        assert_same_logits((theirs, ours, written_out), ids, **given)


def test_an_led_writes_and_learns_with_a_mask_of_global_tokens(labels) -> None:
    theirs, ours = both("led")
    ids, mask = sources(33, 6)
    given = {"attention_mask": mask, "global_attention_mask": chosen(mask, "few")}
    settings = {**given, "num_beams": 4, "max_new_tokens": 12, "do_sample": False}
    assert ours.generate(ids, **settings).tolist() == theirs.generate(ids, **settings).tolist()
    for model in (ours, theirs):
        model(ids, **given, labels=labels).loss.backward()
    assert_learned_alike(ours, theirs)


def test_a_mask_of_the_first_tokens_equals_the_setting_of_global_tokens() -> None:
    """Also without projections of their own, and with padding before the text."""
    attention = {"window": 4, "global_tokens": 2, "random_block": 3}
    ours = randomised(config(encoder_attention=attention))
    for side in ("right", "left"):
        ids, mask = sources(24, 7, side)
        first = mask.cumsum(1).le(2) & mask.bool()
        given = {"attention_mask": mask, "decoder_input_ids": ids[:, :5]}
        expected = logits(ours, ids, **given)
        found = logits(ours, ids, **given, global_attention_mask=first)
        other = logits(ours, ids, **given, global_attention_mask=first.roll(9, 1))
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)
        assert (other - expected).abs().max() > 1e-4


def test_leading_tokens_stand_before_the_text_wherever_the_padding_is() -> None:
    """And other global tokens beside them change what is read."""
    ours = from_checkpoint(peer("pegasus_x"))
    found = []
    for side in ("right", "left"):
        ids, mask = sources(24, 7, side)
        given = {"attention_mask": mask, "decoder_input_ids": ids.new_tensor([[5, 6, 7]] * 2)}
        found.append(logits(ours, ids, **given))
        none, some = (
            logits(ours, ids, **given, global_attention_mask=chosen(mask, kind))
            for kind in ("none", "few")
        )
        torch.testing.assert_close(none, found[-1], atol=1e-5, rtol=1e-5)
        assert (some - none).abs().max() > 1e-4
    torch.testing.assert_close(*found, atol=1e-5, rtol=1e-5)
    ours.set_attn_implementation("eager")
    with pytest.raises(ValueError, match="learned tokens before the source"):
        ours(ids, **given, output_attentions=True)


@pytest.mark.parametrize("more", [{"top_down": {"layers": 1}}, {"encoder_bias": {}}])
def test_leading_tokens_are_in_no_section(more) -> None:
    with pytest.raises(LongsumError, match="set leading_tokens to 0"):
        config(leading_tokens=2, **more)


@pytest.mark.parametrize(
    ("settings", "mask", "sentence"),
    [
        ({"encoder_attention": {"kind": "lsh"}}, (2, 21), "Only full attention and fixed patterns"),
        ({"encoder_attention": {"window": 4}}, (2, 20), "give a number for each token"),
        (
            {"encoder_attention": {"window": 4}, "global_projections": True},
            (2, 21),
            "give its encoder_attention global_tokens of 1",
        ),
        (
            {
                "encoder_attention": {"window": 4, "global_tokens": 1},
                "encoder_bias": {"kind": "token_distance", "global_biases": True},
            },
            (2, 21),
            "treat the first tokens",
        ),
        (
            {"encoder_attention": {"window": 4, "execution": "flex"}},
            (2, 21),
            "FlexAttention takes no global_attention_mask",
        ),
    ],
)
def test_masks_that_mean_nothing_are_refused(settings, mask, sentence) -> None:
    model = LongsumForConditionalGeneration(config(**settings)).eval()
    ids, _ = sources(21, 0)
    given = {"decoder_input_ids": ids[:, :3], "global_attention_mask": torch.ones(mask).long()}
    with pytest.raises(LongsumError, match=sentence):
        model(ids, **given)


def assert_learned_alike(ours: LongsumForConditionalGeneration, theirs: PreTrainedModel) -> None:
    """Compare the gradients of all weights that both have."""
    learned = {name: p.grad for name, p in theirs.named_parameters() if p.grad is not None}
    expected = convert_state_dict(learned, ours.config)
    compared = 0
    for name, parameter in ours.named_parameters():
        # A key's bias moves all scores of a query alike: its gradient is noise.
        if name.endswith("k_proj.bias"):
            continue
        if name.endswith("_proj.bias") and not expected[name].any():
            continue  # PEGASUS-X and BigBird-PEGASUS have none in attentions.
        assert parameter.grad is not None, name
        torch.testing.assert_close(parameter.grad, expected[name], atol=1e-4, rtol=1e-3)
        compared += 1
    assert compared > 60


@pytest.mark.parametrize("family", ["mbart", "pegasus_x"])
def test_gradients(labels: Tensor, family: str) -> None:
    theirs, ours = both(family)
    ids, mask = sources(13, 4)
    theirs(ids, attention_mask=mask, labels=labels).loss.backward()
    ours(ids, attention_mask=mask, labels=labels).loss.backward()
    assert_learned_alike(ours, theirs)


def test_gradients_of_a_t5(labels: Tensor) -> None:
    """A bucket has the sum over its distances, in all layers."""
    theirs, ours = both("longt5_tglobal")
    ids, mask = sources(29, 4)
    for model in (theirs, ours):
        model(ids, attention_mask=mask, labels=labels).loss.backward()
    expected, tables = {}, []
    for name, parameter in theirs.named_parameters():
        if "relative_attention_bias" in name:
            tables.append(parameter.grad.sum(0))
        else:
            expected[name] = parameter.grad
    found = {name.removeprefix("model."): p.grad for name, p in ours.named_parameters()}
    for table in (expected["shared.weight"], found["shared.weight"]):
        table[0] = 0.0  # Of padding, with which targets begin: it learns in a T5 alone.
    renamed = t5_weights(expected, theirs.config)
    for name, gradient in renamed.items():
        if not name.endswith(".bias"):
            torch.testing.assert_close(found[name], gradient, atol=1e-4, rtol=1e-3)
    own = [
        [found[name].sum(0) for name in found if name.endswith(part)]
        for part in ("self_attn.bias.table", "transient_bias.table", "token_bias.table")
    ]
    own_tables = [sum(each) for each in own if each]
    torch.testing.assert_close(torch.stack(own_tables), torch.stack(tables), atol=1e-4, rtol=1e-3)
    assert len(renamed) > 40


def test_a_head_of_its_own_stays(labels: Tensor, tmp_path) -> None:
    """As in LongT5, whose settings say that the head is the token embeddings."""
    theirs = peer("longt5_tglobal")
    theirs.lm_head.weight = torch.nn.Parameter(theirs.shared.weight.detach().flip(0))
    theirs.config.tie_word_embeddings = False
    theirs.save_pretrained(tmp_path / "theirs")
    ids, _ = sources(21, 0)
    ours = LongsumForConditionalGeneration.from_pretrained(tmp_path / "theirs")
    ours.save_pretrained(tmp_path / "ours")
    again = LongsumForConditionalGeneration.from_pretrained(tmp_path / "ours")
    assert_same_logits((theirs, ours, again), ids, labels=labels, close=1e-4)


@pytest.mark.parametrize("random", [1, 3])
def test_blocks_of_bigbird(labels: Tensor, random: int) -> None:
    """Below and above the length up to which attention is full, with padding in the last block."""
    sizes = {"block_size": 2, "num_random_blocks": random}
    _, ours = both("bigbird_pegasus", **sizes)
    written_out = from_checkpoint(ours)
    written_out.set_attn_implementation("eager")
    assert ours.config.encoder_attention["sparse_block"] == 2
    whole = (5 + 2 * random) * 2
    for length, shorter in ((whole, 0), (whole + 1, 0), (48, 1)):
        ids, mask = sources(length, shorter)
        # Anew: a short source makes theirs full for good.
        models = (peer("bigbird_pegasus", **sizes), ours, written_out)
        assert_same_logits(models, ids, attention_mask=mask, labels=labels, close=1e-4)


def test_blocks_of_bigbird_write_and_learn(labels: Tensor) -> None:
    theirs, ours = both("bigbird_pegasus", block_size=2, num_random_blocks=2)
    ids, _ = sources(40, 0)
    settings = {"num_beams": 3, "max_new_tokens": 12, "do_sample": False}
    assert ours.generate(ids, **settings).tolist() == theirs.generate(ids, **settings).tolist()
    for model in (ours, theirs):
        model(ids, labels=labels).loss.backward()
    assert_learned_alike(ours, theirs)


def test_blocks_of_bigbird_are_those_of_each_row() -> None:
    """`transformers` takes them from the longest row; here padding does not change a row."""
    _, ours = both("bigbird_pegasus", block_size=2, num_random_blocks=1)
    ids, mask = sources(40, 9)
    given = {"decoder_input_ids": ids[1:, :5]}
    alone = logits(ours, ids[1:, :31], **given)
    for side in ("right", "left"):
        ids, mask = sources(40, 9, side)
        padded = logits(ours, ids[1:], attention_mask=mask[1:], **given)
        torch.testing.assert_close(padded, alone, atol=1e-5, rtol=1e-5)


def test_distances_and_heads_that_no_t5_has_are_refused() -> None:
    theirs = peer("longt5")
    for distance in (2, 20_000):
        theirs.config.relative_attention_max_distance = distance
        with pytest.raises(LongsumError, match=f"8 buckets for distances of up to {distance}"):
            from_checkpoint(theirs)
    with pytest.raises(LongsumError, match="4 heads of 8 in states of 16"):
        from_checkpoint(peer("longt5", d_kv=8))
