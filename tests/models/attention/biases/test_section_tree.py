"""The section tree of HIBRIDS §3.1, and the labels of its pairs: no two relations share one."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from document_views import build_tree
from effort import examples
from longsum.common.errors import LongsumError
from longsum.documents import DocumentTree
from longsum.models.attention.biases.section_tree import (
    NO_LABEL,
    PathLabels,
    SectionDistanceLabels,
    SelectedLabels,
    label_values,
)

from ..conftest import section_tree


def _distances(tree: DocumentTree) -> Tensor:
    """Return the edges between all nodes; the virtual root is the last."""
    near = torch.eye(len(tree.sections) + 1)
    for number in range(len(tree.sections)):
        above = tree.parent(number)
        near[number, -1 if above is None else above] = 1
    near = near + near.mT
    reached, edges = torch.eye(len(near)), torch.zeros_like(near)
    for _ in near:
        edges += reached == 0
        reached = (reached @ near).clamp(max=1)
    return edges


@given(ranks=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=12), min_size=1, max_size=3))
@settings(max_examples=examples(60))
def test_paths_are_the_shortest_in_the_graph(ranks) -> None:
    trees = [DocumentTree(build_tree(each)) for each in ranks]
    batch = section_tree(ranks)
    paths, differences, levels = batch.path_lengths(), batch.level_differences(), batch.levels()
    tops = batch.tops()
    for row, tree in enumerate(trees):
        edges = _distances(tree)
        for first, section in enumerate(tree.sections):
            assert levels[row, first] == section.level
            assert tops[row, first] == [first, *tree.ancestors(first)][-1]
            for second, other in enumerate(tree.sections):
                sign = 1 if first < second else -1
                assert paths[row, first, second] == sign * edges[first, second]
                assert differences[row, first, second] == other.level - section.level
        assert not levels[row, len(tree.sections) :].any()


EXAMPLE = [1, 2, 3, 2, 1, 2, 1]
"""The ranks of §1, §1.1, §1.1.1, §1.2, §2, §2.1, §3."""


def enumerated(reach):
    """Return path lengths and level differences in the order of their labels."""
    found = [(0, 0)]
    for path in range(1, reach + 1):
        for sign in (1, -1):
            found += [(sign * path, difference) for difference in range(-path, path + 1, 2)]
    return found


def clipped(path, difference, reach):
    length = abs(path)
    while length > reach:
        length -= 2
    return (-length if path < 0 else length), max(-length, min(length, difference))


def test_the_released_code_has_as_many_labels():
    assert len(enumerated(19)) == PathLabels().count == 419
    assert PathLabels(without="level_difference").count == 39
    assert PathLabels(without="path_length").count == 39
    assert PathLabels(without="asymmetry").count == 1 + sum(p + 1 for p in range(1, 20))
    assert SelectedLabels().count == 11
    assert SectionDistanceLabels(64).count == 129


@given(
    rows=st.lists(st.lists(st.integers(1, 6), min_size=1, max_size=12), min_size=1, max_size=3),
    reach=st.integers(2, 6),
)
def test_a_label_is_a_path_length_and_a_level_difference(rows, reach):
    batch = section_tree(rows)
    paths, differences = batch.path_lengths(), batch.level_differences()
    labels = {
        without: PathLabels(reach, without).of(batch)
        for without in (None, "level_difference", "path_length", "asymmetry")
    }
    assert (differences - paths).remainder(2).eq(0).all()
    names = enumerated(reach)
    later = [(path, difference) for path, difference in names if path >= 0]
    for row, made in enumerate(rows):
        for first in range(len(made)):
            for second in range(len(made)):
                place = row, first, second
                path, difference = clipped(int(paths[place]), int(differences[place]), reach)
                assert names[labels[None][place]] == (path, difference)
                assert labels["level_difference"][place] == (path if path >= 0 else reach - path)
                sign = difference if difference >= 0 else reach - difference
                assert labels["path_length"][place] == sign
                assert later[labels["asymmetry"][place]] == (abs(path), difference)


def test_the_selected_relations():
    labels = SelectedLabels().of(section_tree([EXAMPLE]))[0]
    assert labels.tolist() == [
        # §1, §1.1, §1.1.1, §1.2, §2, §2.1, §3
        [0, 1, 3, 1, 5, NO_LABEL, 5],
        [2, 0, 1, 5, NO_LABEL, NO_LABEL, NO_LABEL],
        [4, 2, 0, 7, NO_LABEL, NO_LABEL, NO_LABEL],
        [2, 6, 8, 0, 7, NO_LABEL, NO_LABEL],
        [6, NO_LABEL, NO_LABEL, 8, 0, 1, 5],
        [NO_LABEL, NO_LABEL, NO_LABEL, NO_LABEL, 2, 0, 7],
        [6, NO_LABEL, NO_LABEL, NO_LABEL, 6, 8, 0],
    ]
    # §1.1.1 and §1.2.1 are neither siblings nor neighbours, but both in §1.
    cousins = SelectedLabels().of(section_tree([[1, 2, 3, 2, 3]]))[0]
    assert cousins[2, 4] == 9
    assert cousins[4, 2] == 10
    # Distances of sections are clipped.
    distances = SectionDistanceLabels(2).of(section_tree([EXAMPLE]))[0, 3]
    assert distances.tolist() == [4, 4, 3, 0, 1, 2, 2]


def test_pairs_without_a_label_have_no_value_and_teach_nothing():
    table = torch.randn(2, 3, requires_grad=True)
    labels = torch.tensor([[[0, NO_LABEL], [1, 1]]])
    values = label_values(table, labels)
    assert values[0, :, 0, 1].tolist() == [0.0] * 3
    torch.testing.assert_close(values[0, :, 1, 0], table[1])
    values.sum().backward()
    assert table.grad.tolist() == [[1.0] * 3, [2.0] * 3]


def test_reaches_that_tell_nothing_apart():
    with pytest.raises(LongsumError, match="give 2 or more"):
        PathLabels(1)
    with pytest.raises(LongsumError, match="give 1 or more"):
        SectionDistanceLabels(0)
