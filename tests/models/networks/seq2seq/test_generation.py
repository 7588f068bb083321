"""One shared copy of the source gives the same as a copy for every beam."""

from collections.abc import Callable
from functools import cache
from inspect import getattr_static

import pytest
import torch
from transformers import GenerationMixin
from transformers.cache_utils import DynamicCache, EncoderDecoderCache

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.shared_source import ROOM, SourceCache, new_cache, share_source

from .conftest import CROSS, config, randomise, sources

EOS = 2
MODES = {
    "greedy": {},
    "beams": {"num_beams": 4, "early_stopping": False},
    "early": {"num_beams": 4, "early_stopping": True, "num_return_sequences": 3},
    "never": {"num_beams": 3, "early_stopping": "never", "length_penalty": 2.0},
    "blocked": {"num_beams": 4, "no_repeat_ngram_size": 2, "length_penalty": -1.0},
    "bounded": {"num_beams": 2, "min_length": 9, "max_length": 12, "max_new_tokens": None},
    "source_blocked": {"num_beams": 2, "encoder_no_repeat_ngram_size": 1},
    "sampled_beams": {"do_sample": True, "num_beams": 3, "top_k": 20},
    "no_cache": {"num_beams": 3, "use_cache": False},
    "static": {"num_beams": 3, "cache_implementation": "static"},
    "prompted": {"num_beams": 3, "decoder_input_ids": torch.tensor([[2, 7, 9], [2, 8, 5]])},
}


class StockGeneration(LongsumForConditionalGeneration):
    """The same model with `transformers`' own expansion and cache."""

    # A static method in some releases and a plain one in others; taken as it is.
    _expand_inputs_for_generation = getattr_static(GenerationMixin, "_expand_inputs_for_generation")
    _prepare_cache_for_generation = GenerationMixin._prepare_cache_for_generation


@cache
def models(cross: str, seed: int) -> tuple[LongsumForConditionalGeneration, StockGeneration]:
    """A model and its stock twin, in fp64 and with ends of text that come now and then."""
    torch.manual_seed(seed)
    shared = LongsumForConditionalGeneration(config(cross_attention=CROSS[cross]))
    randomise(shared, seed)
    assert shared.final_logits_bias is not None
    shared.final_logits_bias[0, EOS] += 4.0
    stock = StockGeneration(shared.config)
    stock.load_state_dict(shared.state_dict())
    return shared.double().eval(), stock.double().eval()


# Attentions, sides and seeds take turns.
PAIRS = [
    ([*CROSS][place % 4], mode, ("none", "right", "left")[place % 3], place // 3 % 2)
    for place, mode in enumerate(MODES)
]


@pytest.mark.parametrize(("cross", "mode", "side", "seed"), PAIRS)
def test_equals_the_stock_path(cross, mode, side, seed) -> None:
    ids, mask = sources(11, 0 if side == "none" else 5, side)
    settings = {"max_new_tokens": 14, "output_scores": True, "return_dict_in_generate": True}
    settings |= MODES[mode]
    shared, stock = models(cross, seed)
    torch.manual_seed(0)
    found = shared.generate(ids, attention_mask=mask, **settings)
    # A static cache of the source has room for all of it, and would pad a part of it.
    settings |= {"cache_implementation": None}
    torch.manual_seed(0)
    expected = stock.generate(ids, attention_mask=mask, **settings)
    assert found.sequences.tolist() == expected.sequences.tolist()
    torch.testing.assert_close(found.scores[-1], expected.scores[-1])


@pytest.mark.parametrize(
    ("cross", "kept"), [("full", 11), ("hepos", 6), ("contiguous", 3), ("linformer", 7)]
)
def test_the_cache_holds_each_source_once(cross, kept) -> None:
    ids, mask = sources(11, 5)
    shared, _ = models(cross, 0)
    found = shared.generate(
        ids, attention_mask=mask, num_beams=4, max_new_tokens=3, return_dict_in_generate=True
    )
    layers = found.past_key_values.cross_attention_cache.layers
    # 2 sources and not 2 · 4 beams; 4 heads of 4 features; ⌈11 / s⌉ positions or k mixtures.
    assert [tuple(layer.keys.shape) for layer in layers] == [(2, 4, kept, 4)] * 3
    assert found.past_key_values.self_attention_cache.layers[0].keys.shape[0] == 8


def test_a_callers_cache_is_filled_in_place() -> None:
    ids, mask = sources(11, 5)
    shared, _ = models("hepos", 0)
    cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
    settings = {"attention_mask": mask, "num_beams": 4, "max_new_tokens": 6}
    found = shared.generate(ids, past_key_values=cache, **settings)
    assert found.tolist() == shared.generate(ids, **settings).tolist()
    assert isinstance(cache.cross_attention_cache, SourceCache)
    assert cache.is_updated == {0: True, 1: True, 2: True}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_few_queries_read_as_many_do(dtype) -> None:
    """With hidden padding or without; a query without a visible key reads zeros."""
    attention = models("full", 0)[0].get_decoder().layers[0].encoder_attn
    generator = torch.Generator().manual_seed(0)
    query, key, value = (
        torch.randn(3, 4, size, 4, generator=generator).to(dtype) for size in (3, 1040, 1040)
    )
    mask = torch.ones(3, 1, 1, 1040, dtype=torch.bool)
    mask[1, ..., 30:], mask[2] = False, False
    many = query.repeat(1, 1, 20, 1)
    for hidden in (None, mask):
        with torch.no_grad():
            few, expected = (attention.attend(each, key, value, hidden) for each in (query, many))
        # In bf16 the scores of two products are rounded, and those of the fused one are not.
        close = 1e-5 if dtype == torch.float32 else 1e-2
        torch.testing.assert_close(few, expected[:, :, :3], atol=close, rtol=close)
    assert not few[2].any()


def test_target_padding_is_not_read() -> None:
    ids, _ = sources(11, 0)
    shared, _ = models("full", 0)
    target = torch.randint(3, 61, (2, 6), generator=torch.Generator().manual_seed(1))
    seen = torch.ones_like(target)
    seen[:, :2] = 0
    with torch.no_grad():
        settings = {"decoder_attention_mask": seen, "use_cache": False}
        one = shared(ids, decoder_input_ids=target, **settings).logits
        target[:, :2] = 3
        other = shared(ids, decoder_input_ids=target, **settings).logits
        cache = new_cache()
        for written, mask in ((target[:, :4], seen[:, :4]), (target[:, 4:], seen)):
            given = {"decoder_attention_mask": mask, "past_key_values": cache}
            last = shared(ids, decoder_input_ids=written, **given)
    torch.testing.assert_close(one[:, 2:], other[:, 2:])
    torch.testing.assert_close(last.logits, one[:, 4:])


def test_a_source_is_replaced_and_never_moved() -> None:
    cache = SourceCache()
    states = torch.rand(2, 2, 4, 3, 5)
    cache.update(torch.zeros_like(states[0]), states[0], 0)
    cache.update(*states, 0)
    cache.reorder_cache(torch.tensor([7, 0, 1, 3]))
    cache.batch_repeat_interleave(3)
    cache.batch_select_indices(torch.tensor([5]))
    cache.crop(-1)
    assert torch.equal(torch.stack([cache.layers[0].keys, cache.layers[0].values]), states)


def test_a_preallocated_cache_equals_a_growing_one() -> None:
    """Through all operations of generation on a cache, in steps with and without gradients."""
    plain, roomy = DynamicCache(), new_cache().self_attention_cache
    generator = torch.Generator().manual_seed(0)

    def both(call: Callable) -> None:
        for each in (plain, roomy):
            call(each)
        for one, other in zip(plain.layers, roomy.layers, strict=True):
            if one.is_initialized or other.is_initialized:
                assert torch.equal(one.keys, other.keys)
                assert torch.equal(one.values, other.values)

    def grow(rows: int, tokens: int) -> None:
        new = torch.randn(2, rows, 2, tokens, 3, generator=generator)
        both(lambda cache: cache.update(new[0], new[1], 0))

    with torch.no_grad():
        grow(3, 1)
        grow(3, 2)
        room = roomy.layers[0].keys.data_ptr()
        both(lambda cache: cache.reorder_cache(torch.tensor([2, 0, 0])))
        both(lambda cache: cache.reorder_cache(torch.tensor([0, 1, 2])))
        grow(3, ROOM - 4)
        assert roomy.layers[0].keys.data_ptr() == room
        both(lambda cache: cache.crop(-2))
        grow(3, 1)
        assert roomy.layers[0].keys.data_ptr() == room
        grow(3, ROOM)
        both(lambda cache: cache.batch_repeat_interleave(2))
        grow(6, 1)
        both(lambda cache: cache.batch_select_indices(torch.tensor([4, 1])))
        both(lambda cache: cache.reorder_cache(torch.tensor([1, 0])))
    grow(2, 2)
    with torch.inference_mode():
        grow(2, 1)
        both(lambda cache: cache.reorder_cache(torch.tensor([1, 1])))
    with torch.no_grad():
        grow(2, 1)
        both(lambda cache: cache.reorder_cache(torch.tensor([1, 0])))
        both(lambda cache: cache.reset())
        grow(4, 2)


def test_a_cache_in_use_stays_as_it_is() -> None:
    held = DynamicCache()
    held.update(torch.ones(2, 1, 1, 1), torch.ones(2, 1, 1, 1), 0)
    cache = EncoderDecoderCache(DynamicCache(), held)
    share_source(cache)
    assert cache.cross_attention_cache is held
