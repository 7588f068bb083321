import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.relative import RelativeLabels, label_scores, score_pairs


def offsets(count):
    places = torch.arange(count)
    return places - places[:, None]


def test_distances_are_labelled_as_the_worked_matrix_shows():
    assert RelativeLabels(2).of_distance(offsets(4)).tolist() == [
        [0, 1, 2, 2],
        [3, 0, 1, 2],
        [4, 3, 0, 1],
        [4, 4, 3, 0],
    ]


@pytest.mark.parametrize("reach", [1, 5, 12])
def test_every_label_below_the_count_is_used_once_for_what_it_means(reach):
    labels = RelativeLabels(reach)
    distances = labels.of_distance(torch.arange(-reach, reach + 1)).tolist()
    memberships = [labels.outside, labels.inside]
    assert sorted(distances + memberships) == list(range(labels.count))
    assert labels.of_distance(torch.tensor([-99, 99])).tolist() == [2 * reach, reach]


def test_scores_are_those_of_vectors_added_to_keys():
    generator = torch.Generator().manual_seed(0)
    labels = RelativeLabels(3)
    query, key = torch.randn(2, 2, 4, 7, 5, generator=generator, dtype=torch.float64)
    vectors = torch.randn(labels.count, 4, 5, generator=generator, dtype=torch.float64)
    pairs = labels.of_distance(offsets(7))
    found = query @ key.transpose(-1, -2) * 5**-0.5
    found = found + score_pairs(label_scores(query, vectors), pairs)
    keys = key[:, :, None] + vectors[pairs].permute(2, 0, 1, 3)
    torch.testing.assert_close(found, (query[..., None, :] * keys).sum(-1) * 5**-0.5)


def test_a_reach_of_nothing():
    with pytest.raises(LongsumError, match="reach of 0 tells no distances apart; give 1"):
        RelativeLabels(0)
