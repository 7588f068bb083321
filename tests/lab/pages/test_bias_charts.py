"""Charts of biases: planted tables give the planted cells."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from longsum.lab.pages.bias_charts import (
    RELATIONS,
    chart_values,
    label_chart,
    longest_path,
    section_labels,
)
from longsum.models.attention.biases.section_bias import EncoderBiasConfig
from longsum.models.attention.biases.section_cross_bias import DecoderBiasConfig
from longsum.models.attention.biases.section_tree import (
    NO_LABEL,
    PathLabels,
    SectionTree,
    SelectedLabels,
)

EXAMPLE = (-1, 0, 1, 0, -1, 4)
"""§1, §1.1, §1.1.1, §1.2, §2, §2.1."""


def tree(parents):
    return SectionTree(torch.zeros(1, 0, dtype=torch.long), torch.tensor([list(parents)]))


def cells(axes, labels):
    """Return each label with its path length and level difference."""
    return {
        (column, row): int(labels[down, across])
        for down, row in enumerate(axes.rows)
        for across, column in enumerate(axes.columns)
        if labels[down, across] != NO_LABEL
    }


def random_trees():
    """Draw parents of up to 12 sections; each is below the one before or its ancestor."""

    def parents(steps):
        found = [-1]
        for step in steps:
            above = len(found) - 1
            for _ in range(step):
                above = found[above] if above >= 0 else -1
            found.append(above)
        return tuple(found)

    return st.lists(st.integers(0, 4), max_size=11).map(parents)


@given(random_trees(), st.integers(2, 14), st.sampled_from([None, "asymmetry"]))
def test_every_pair_of_every_tree_is_in_the_chart_with_its_label(parents, reach, without):
    settings = EncoderBiasConfig(path_reach=reach, without=without)
    chart = cells(*label_chart(settings))
    path, difference = tree(parents).path_lengths()[0], tree(parents).level_differences()[0]
    labels = section_labels(settings, parents)
    if without:
        path = path.abs()
    for first in range(len(parents)):
        for second in range(len(parents)):
            place = int(path[first, second]), int(difference[first, second])
            if abs(place[0]) <= reach:
                assert chart[place] == labels[first, second]
    assert longest_path(parents) == path.abs().max()


@pytest.mark.parametrize("reach", [2, 3, 7])
def test_impossible_cells_are_blank(reach):
    chart = cells(*label_chart(EncoderBiasConfig(path_reach=reach)))
    # Both are of one parity; an ancestor never comes later, a descendant never earlier.
    expected = {
        (path, difference)
        for path in range(-reach, reach + 1)
        for difference in range(-abs(path), abs(path) + 1, 2)
        if not path or difference != -path
    }
    assert set(chart) == expected
    assert len(set(chart.values())) == len(chart)


def test_without_asymmetry_ancestors_and_descendants_have_a_place_on_the_one_side():
    axes, labels = label_chart(EncoderBiasConfig(path_reach=3, without="asymmetry"))
    assert (axes.columns, axes.rows) == ((0, 1, 2, 3), (-3, -2, -1, 0, 1, 2, 3))
    assert len(cells(axes, labels)) == PathLabels(3, "asymmetry").count


def test_a_shorter_chart_is_the_middle_of_the_whole():
    settings = EncoderBiasConfig()
    whole, shorter = cells(*label_chart(settings)), cells(*label_chart(settings, 4))
    assert shorter == {place: label for place, label in whole.items() if abs(place[0]) <= 4}
    assert label_chart(settings, 99)[0].columns == label_chart(settings)[0].columns


@pytest.mark.parametrize(
    ("settings", "across", "reach"),
    [
        (EncoderBiasConfig(without="level_difference", path_reach=5), "path length", 5),
        (DecoderBiasConfig(without="path_length", path_reach=4), "level difference", 4),
        (DecoderBiasConfig(kind="section_distance", section_reach=3), "distance in sections", 3),
        (EncoderBiasConfig(kind="token_distance", token_reach=6), "distance in tokens", 6),
    ],
)
def test_lines_go_from_the_farthest_back_to_the_farthest_ahead(settings, across, reach):
    axes, labels = label_chart(settings)
    assert (axes.form, axes.across) == ("distance", across)
    assert axes.columns == tuple(range(-reach, reach + 1))
    back = [*range(2 * reach, reach, -1)]
    assert labels[0].tolist() == [*back, *range(reach + 1)]


def test_relations_are_named_as_their_labels_mean():
    of = section_labels(EncoderBiasConfig(kind="hibrids_selected"), EXAMPLE)
    assert len(RELATIONS) == SelectedLabels().count
    named = [[RELATIONS[label] if label != NO_LABEL else "" for label in row] for row in of]
    assert named[0] == ["itself", "child", "descendant", "child", "later sibling", ""]
    assert named[2] == ["ancestor", "parent", "itself", "next in the text", "", ""]
    assert named[3] == [
        "parent",
        "earlier sibling",
        "previous in the text",
        "itself",
        "next in the text",
        "",
    ]
    wide = section_labels(EncoderBiasConfig(kind="hibrids_selected"), (-1, 0, 1, 0, 3))
    assert RELATIONS[wide[2, 4]] == "later, same top section"
    assert RELATIONS[wide[4, 2]] == "earlier, same top section"


def test_planted_tables_give_the_planted_cells():
    settings = DecoderBiasConfig(path_reach=3)
    layers, heads = 2, 3
    count = settings.labelling().count
    table = torch.arange(layers * count * heads).view(layers, count, heads).float()
    axes, labels = label_chart(settings)
    found = chart_values(table, labels)
    assert found.shape == (layers, heads, 7, 7)
    for (path, difference), label in cells(axes, labels).items():
        assert torch.equal(found[:, :, difference + 3, path + 3], table[:, label].double())
    assert torch.equal(found.isnan()[1, 2], labels == NO_LABEL)
    # From §1.1.1 back to §1: two levels up, an earlier section.
    pairs = chart_values(table, section_labels(settings, EXAMPLE))
    assert torch.equal(pairs[:, :, 2, 0], found[:, :, 3 - 2, 3 - 2])


def test_tokens_know_no_sections_and_one_section_only_itself():
    assert section_labels(EncoderBiasConfig(kind="token_distance"), EXAMPLE) is None
    assert section_labels(EncoderBiasConfig(), (-1,)).tolist() == [[0]]
    assert section_labels(EncoderBiasConfig(), ()).shape == (0, 0)
    assert (longest_path((-1,)), longest_path(())) == (0, 0)
