"""Blocks hold as many documents as allowed, by number and by size."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longsum.batch.corpora.corpus import Item
from longsum.batch.plan import Block, BlockSize, DamagedPlanError, PlanFile, blocks_of
from longsum.common.errors import LongsumError


@given(
    items=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=12),
    documents=st.integers(1, 4),
    size=st.integers(1, 15),
    first=st.integers(0, 2),
)
def test_blocks_are_in_order_and_as_full_as_possible(
    items: list[tuple[str, int]], documents: int, size: int, first: int
) -> None:
    given_ = [Item(name, (place,), size) for place, (name, size) in enumerate(items)]
    blocks = list(blocks_of(given_, BlockSize(documents, size), first=first, taken=["a"]))
    planned = [item for block in blocks for item in block.items]
    assert [item.place for item in planned] == [item.place for item in given_]
    assert len({item.id for item in planned} | {"a"}) == len(planned) + 1
    assert [block.number for block in blocks] == list(range(first, first + len(blocks)))
    for block, following in zip(blocks, [*blocks, None][1:], strict=True):
        held = sum(item.size for item in block.items)
        assert len(block.items) <= documents
        assert held <= size or len(block.items) == 1
        if following:
            full = len(block.items) == documents
            assert full or held + following.items[0].size > size
        assert Block.from_json(block.to_json()) == block


def test_ids_that_come_again_are_numbered_in_linear_time() -> None:
    begun = time.process_time()
    items = (Item(name, (), 1) for name in ["a#3", *["a"] * 30_000])
    (block,) = blocks_of(items, BlockSize(30_001, 10**6), taken=["a#2"])
    assert block.ids[:4] == ("a#3", "a", "a#4", "a#5")
    assert len({*block.ids}) == 30_001
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ({}, None),
        ({"run": "other"}, "belong to different runs"),
        ({"sha256": "0" * 64}, "is missing or damaged"),
        # A first line is no longer than this, whatever follows it.
        ({"width": 1_000}, None),
        ({"width": 1_001}, "is missing or damaged"),
    ],
)
def test_a_plan_is_read_as_it_was_written_or_refused(tmp_path, head, says) -> None:
    plan = PlanFile(tmp_path / "plan.jsonl", "run")
    blocks = [Block(number, (Item("a", (number,), 7), Item("b", (9,), 8))) for number in range(3)]
    plan.write(blocks)
    first, rest = plan.path.read_text().split("\n", 1)
    width = head.pop("width", 0)
    plan.path.write_text(json.dumps(json.loads(first) | head).ljust(width - 1) + f"\n{rest}")
    if says is None:
        assert list(plan.blocks()) == blocks
    else:
        with pytest.raises(LongsumError, match=says) as refused:
            list(plan.blocks())
        assert isinstance(refused.value, DamagedPlanError) is ("damaged" in says)
