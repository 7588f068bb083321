"""HIBRIDS §3.1 and Figure 2: path lengths and level differences, in the tree of a document."""

from collections.abc import Callable

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.documents import Document, DocumentTree
from longsum.models.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree

BuildTree = Callable[[list[int]], Document]


def tensors(trees: list[DocumentTree], sections: int) -> SectionTree:
    """Return trees as a batch, filled up to so many sections."""
    parents = torch.full((len(trees), sections), NO_SECTION)
    for row, tree in enumerate(trees):
        for number in range(len(tree.sections)):
            above = tree.parent(number)
            parents[row, number] = ROOT if above is None else above
    return SectionTree(torch.zeros(len(trees), 1, dtype=torch.long), parents)


def _edges(document: Document) -> dict[int, set[int]]:
    """Return the neighbours of every node of the tree; −1 is the virtual root."""
    edges: dict[int, set[int]] = {number: set() for number in range(-1, len(document.walk()))}
    pairs = [(-1, top.number) for top in document.sections]
    pairs += [(s.number, child.number) for s in document.walk() for child in s.children]
    for one, other in pairs:
        edges[one].add(other)
        edges[other].add(one)
    return edges


def _distances(edges: dict[int, set[int]], start: int) -> dict[int, int]:
    found = {start: 0}
    border = [start]
    while border:
        border = [node for near in border for node in edges[near] if node not in found]
        step = max(found.values()) + 1
        found.update(dict.fromkeys(border, step))
    return found


# §1, §1.1, §1.1.1, §1.2, §2, §2.1
_ONE, _ONE_ONE, _ONE_ONE_ONE, _ONE_TWO, _TWO, _TWO_ONE = range(6)


@given(ranks=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=12), min_size=1, max_size=3))
@settings(max_examples=examples(60))
def test_paths_are_the_shortest_in_the_graph(build_tree: BuildTree, ranks: list[list[int]]) -> None:
    documents = [build_tree(each) for each in ranks]
    trees = [DocumentTree(document) for document in documents]
    batch = tensors(trees, 13)
    paths, differences, levels = batch.path_lengths(), batch.level_differences(), batch.levels()
    tops = batch.tops()
    for row, tree in enumerate(trees):
        edges = _edges(documents[row])
        for first, section in enumerate(tree.sections):
            assert levels[row, first] == section.level
            assert tops[row, first] == [first, *tree.ancestors(first)][-1]
            distance = _distances(edges, first)
            for second, other in enumerate(tree.sections):
                sign = 1 if first < second else -1
                assert paths[row, first, second] == sign * distance[second]
                assert differences[row, first, second] == other.level - section.level
        assert not levels[row, len(tree.sections) :].any()
