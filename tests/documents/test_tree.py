"""HIBRIDS §3.1–3.2 and Figure 2: path lengths, level differences and relations."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum.documents import Document, DocumentTree, Relation

BuildTree = Callable[[list[int]], Document]
_RANKS = st.lists(st.integers(1, 5), min_size=1, max_size=20)

# §1, §1.1, §1.1.1, §1.2, §2, §2.1
_PAPER = [1, 2, 3, 2, 1, 2]
_ONE, _ONE_ONE, _ONE_ONE_ONE, _ONE_TWO, _TWO, _TWO_ONE = range(6)


@pytest.fixture(scope="module")
def paper(build_tree: BuildTree) -> DocumentTree:
    return DocumentTree(build_tree(_PAPER))


@pytest.mark.parametrize(
    ("first", "second", "path", "level"),
    [
        (_ONE, _ONE_TWO, 1, 1),  # the caption's example
        (_ONE_TWO, _ONE, -1, -1),  # "both numbers' signs are flipped"
        (_ONE, _ONE, 0, 0),
        (_ONE, _TWO, 2, 0),  # up to the virtual root and down
        (_TWO, _ONE, -2, 0),
        (_ONE_ONE, _ONE_TWO, 2, 0),
        (_ONE, _ONE_ONE_ONE, 2, 2),
        (_ONE_ONE_ONE, _ONE_TWO, 3, -1),
        (_ONE_ONE_ONE, _TWO_ONE, 5, -1),  # 1.1.1 → 1.1 → 1 → root → 2 → 2.1
        (_TWO_ONE, _ONE_ONE_ONE, -5, 1),
    ],
)
def test_path_length_and_level_difference(
    paper: DocumentTree, first: int, second: int, path: int, level: int
) -> None:
    assert paper.path_length(first, second) == path
    assert paper.level_difference(first, second) == level


@pytest.mark.parametrize(
    ("first", "second", "relations"),
    [
        (_ONE, _ONE, {"self", "same_top"}),
        (_ONE, _ONE_ONE, {"parent", "neighbour", "same_top"}),
        (_ONE_ONE, _ONE, {"child", "neighbour", "same_top"}),
        (_ONE, _ONE_TWO, {"parent", "same_top"}),
        (_ONE, _ONE_ONE_ONE, {"ancestor", "same_top"}),
        (_ONE_ONE_ONE, _ONE, {"descendant", "same_top"}),
        (_ONE_ONE, _ONE_TWO, {"sibling", "same_top"}),
        (_ONE_ONE_ONE, _ONE_TWO, {"neighbour", "same_top"}),  # "both in §1"
        (_ONE, _TWO, {"sibling"}),
        (_ONE_TWO, _TWO, {"neighbour"}),
        (_ONE_ONE, _TWO_ONE, set()),
    ],
)
def test_relations(paper: DocumentTree, first: int, second: int, relations: set[str]) -> None:
    assert paper.relations(first, second) == {Relation(name) for name in relations}


def test_labels_parents_and_ancestors(paper: DocumentTree) -> None:
    assert [paper.label(number) for number in range(6)] == ["1", "1.1", "1.1.1", "1.2", "2", "2.1"]
    assert [paper.parent(number) for number in range(6)] == [None, 0, 1, 0, None, 4]
    assert paper.ancestors(_ONE_ONE_ONE) == [_ONE_ONE, _ONE]
    assert paper.title_path(_ONE_ONE_ONE) == ("Heading 0", "Heading 1", "Heading 2")


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


@given(ranks=_RANKS)
@settings(max_examples=examples(100), derandomize=True)
def test_path_length_is_the_shortest_path_in_the_graph(
    build_tree: BuildTree, ranks: list[int]
) -> None:
    document = build_tree(ranks)
    tree, edges = DocumentTree(document), _edges(document)
    from_root = _distances(edges, -1)
    for first in range(len(ranks)):
        distance = _distances(edges, first)
        for second in range(len(ranks)):
            sign = 1 if first < second else -1
            assert tree.path_length(first, second) == sign * distance[second]
            assert tree.level_difference(first, second) == from_root[second] - from_root[first]


@given(ranks=_RANKS)
@settings(max_examples=examples(100), derandomize=True)
def test_laws_of_the_two_measures(build_tree: BuildTree, ranks: list[int]) -> None:
    tree = DocumentTree(build_tree(ranks))
    sections = range(len(ranks))
    path = [[tree.path_length(first, second) for second in sections] for first in sections]
    for first in sections:
        for second in sections:
            difference = tree.level_difference(first, second)
            assert path[first][second] == -path[second][first]
            assert difference == -tree.level_difference(second, first)
            assert (path[first][second] - difference) % 2 == 0
            assert abs(difference) <= abs(path[first][second])
            assert (path[first][second] == 0) == (first == second)
            for third in sections:
                detour = abs(path[first][third]) + abs(path[third][second])
                assert abs(path[first][second]) <= detour


@given(ranks=_RANKS)
@settings(max_examples=examples(100), derandomize=True)
def test_relations_by_their_definitions(build_tree: BuildTree, ranks: list[int]) -> None:
    document = build_tree(ranks)
    tree = DocumentTree(document)
    below = {s.number: {d.number for d in s.walk()} - {s.number} for s in document.walk()}
    children = {s.number: {child.number for child in s.children} for s in document.walk()}
    brothers = [*children.values(), {top.number for top in document.sections}]
    tops = [{top.number, *below[top.number]} for top in document.sections]
    for first in range(len(ranks)):
        for second in range(len(ranks)):
            pair = {first, second}
            expected = {
                Relation.SELF: first == second,
                Relation.PARENT: second in children[first],
                Relation.CHILD: first in children[second],
                Relation.ANCESTOR: second in below[first] - children[first],
                Relation.DESCENDANT: first in below[second] - children[second],
                Relation.SIBLING: first != second and any(pair <= group for group in brothers),
                Relation.NEIGHBOUR: abs(first - second) == 1,
                Relation.SAME_TOP: any(pair <= top for top in tops),
            }
            assert tree.relations(first, second) == {
                name for name, holds in expected.items() if holds
            }


def test_a_document_without_headings_has_one_section(build_tree: BuildTree) -> None:
    assert DocumentTree(build_tree([])).sections == ()
    tree = DocumentTree(build_tree([1]))
    assert tree.relations(0, 0) == {Relation.SELF, Relation.SAME_TOP}
