import torch
from transformers.cache_utils import DynamicCache, EncoderDecoderCache

from longsum.models.networks.seq2seq.shared_source import SourceCache, new_cache, share_source


def test_a_source_is_replaced_and_never_moved() -> None:
    cache = SourceCache()
    first, second = torch.zeros(2, 4, 3, 5), torch.ones(2, 4, 3, 5)
    cache.update(first, first, 0)
    cache.update(second, second, 0)
    cache.reorder_cache(torch.tensor([7, 0, 1, 3]))
    cache.batch_repeat_interleave(3)
    cache.batch_select_indices(torch.tensor([5]))
    cache.crop(-1)
    assert torch.equal(cache.layers[0].keys, second)
    assert torch.equal(cache.layers[0].values, second)


def test_only_the_target_follows_the_beams() -> None:
    cache = new_cache()
    target = torch.arange(4.0).view(4, 1, 1, 1)
    source = torch.arange(2.0).view(2, 1, 1, 1)
    cache.self_attention_cache.update(target, target, 0)
    cache.cross_attention_cache.update(source, source, 0)
    cache.reorder_cache(torch.tensor([1, 1, 3, 2]))
    assert cache.self_attention_cache.layers[0].keys.flatten().tolist() == [1, 1, 3, 2]
    assert cache.cross_attention_cache.layers[0].keys.flatten().tolist() == [0, 1]


def test_a_cache_in_use_stays_as_it_is() -> None:
    held = DynamicCache()
    held.update(torch.ones(2, 1, 1, 1), torch.ones(2, 1, 1, 1), 0)
    cache = EncoderDecoderCache(DynamicCache(), held)
    share_source(cache)
    assert cache.cross_attention_cache is held
