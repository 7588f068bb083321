import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.relative import RelativeLabels, label_scores, score_pairs


def offsets(count):
    places = torch.arange(count)
    return places - places[:, None]


def test_distances_are_labelled_as_the_worked_matrix_shows():
    labels = RelativeLabels(3)
    assert labels.of_distance(offsets(5)).tolist() == [
        [0, 1, 2, 3, 3],
        [4, 0, 1, 2, 3],
        [5, 4, 0, 1, 2],
        [6, 5, 4, 0, 1],
        [6, 6, 5, 4, 0],
    ]
    # Memberships have what is left.
    assert {labels.outside, labels.inside} == {7, 8}
    assert labels.count == 9


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
