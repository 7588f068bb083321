"""Blocks hold as many documents as may be, by number and by size."""

from hypothesis import given
from hypothesis import strategies as st

from longsum.batch.corpora.corpus import Item
from longsum.batch.plan import Block, BlockSize, blocks_of


@given(
    items=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 9)), max_size=12),
    documents=st.integers(1, 4),
    size=st.integers(1, 15),
    first=st.integers(0, 2),
)
def test_documents_are_divided_in_order_and_no_block_could_hold_more(
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
