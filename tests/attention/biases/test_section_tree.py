"""HIBRIDS §3.1: the tensors say what the tree of the document says."""

from collections.abc import Callable

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.attention.biases.section_tree import NO_SECTION, ROOT, SectionTree
from longsum.documents import Document, DocumentTree

BuildTree = Callable[[list[int]], Document]


def tensors(trees: list[DocumentTree], sections: int) -> SectionTree:
    """Return trees as a batch, filled up to so many sections."""
    parents = torch.full((len(trees), sections), NO_SECTION)
    for row, tree in enumerate(trees):
        for number in range(len(tree.sections)):
            above = tree.parent(number)
            parents[row, number] = ROOT if above is None else above
    return SectionTree(torch.zeros(len(trees), 1, dtype=torch.long), parents)


@given(ranks=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=12), min_size=1, max_size=3))
@settings(max_examples=examples(60))
def test_says_what_the_tree_of_the_document_says(
    build_tree: BuildTree, ranks: list[list[int]]
) -> None:
    trees = [DocumentTree(build_tree(each)) for each in ranks]
    batch = tensors(trees, 13)
    paths, differences, levels = batch.path_lengths(), batch.level_differences(), batch.levels()
    tops = batch.tops()
    for row, tree in enumerate(trees):
        for first, section in enumerate(tree.sections):
            assert levels[row, first] == section.level
            assert tops[row, first] == [first, *tree.ancestors(first)][-1]
            for second in range(len(tree.sections)):
                assert paths[row, first, second] == tree.path_length(first, second)
                assert differences[row, first, second] == tree.level_difference(first, second)
        assert not levels[row, len(tree.sections) :].any()
