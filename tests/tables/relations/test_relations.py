"""The extractor of relations: its networks, its ensemble, and its loss."""

import math

import numpy as np
import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model
from longsum.tables.relations import LongsumRelations, LongsumRelationsConfig
from longsum.tables.relations.candidate_batch import EncodedCandidate, collate
from longsum.tables.relations.configuration_relations import NONE
from longsum.tables.relations.modeling_relations import distances, marginal_loss

SIZES = {
    "vocab_size": 9,
    "labels": ["TEAM-PTS", NONE, "PLAYER-PTS"],
    **{"word_size": 6, "distance_size": 4, "furthest": 5, "filters": 7},
    **{"convolutional_units": 8, "recurrent_units": 8},
}


def model_of(**more) -> LongsumRelations:
    torch.manual_seed(0)
    model = LongsumRelations(LongsumRelationsConfig(**{**SIZES, **more})).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(torch.randn_like(weight) * 0.3)
    return model


def candidate(ids, name, number, labels=(True, False, False)) -> EncodedCandidate:
    return EncodedCandidate(*(np.array(each) for each in (ids, name, number)), np.array(labels))


SHORT = candidate([4, 5, 6], (0, 1), (2, 3))
LONG = candidate([4, 5, 6, 7, 8, 4, 5], (1, 3), (5, 6), (False, True, True))


def test_distances_count_from_the_nearest_word_of_a_span():
    found = distances(torch.arange(6), torch.tensor([[2, 4], [0, 1]]))
    assert found.tolist() == [[-2, -1, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]]


@pytest.mark.parametrize("networks", [{"recurrent": 0}, {"convolutional": 0}, {}])
@torch.no_grad()
def test_padding_changes_nothing(networks):
    model = model_of(**networks)
    alone = torch.cat([model(**collate([each])).scores for each in (SHORT, LONG)])
    together = model(**collate([SHORT, LONG])).scores
    torch.testing.assert_close(together, alone)


@torch.no_grad()
def test_an_ensemble_sums_the_distributions_of_its_networks():
    model = model_of(convolutional=2, recurrent=1)
    batch = collate([SHORT, LONG])
    del batch["labels"]
    each = [network(**batch).softmax(dim=-1) for network in model.networks]
    assert len(each) == 3
    torch.testing.assert_close(model(**batch).scores, sum(each))
    assert not torch.allclose(each[0], each[1])


def test_the_loss_is_that_of_choosing_any_right_label():
    logs = torch.tensor([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1]]).log()
    right = torch.tensor([[True, False, True], [False, True, False]])
    # −log(0.5 + 0.2) and −log 0.8.
    expected = -(math.log(0.7) + math.log(0.8)) / 2
    assert marginal_loss(logs, right).item() == pytest.approx(expected, rel=1e-5)


def test_the_loss_of_networks_is_the_mean_of_their_own():
    model = model_of(convolutional=2, recurrent=0)
    batch = collate([SHORT, LONG])
    labels = batch.pop("labels")
    own = [marginal_loss(each(**batch).log_softmax(-1), labels) for each in model.networks]
    assert model(**batch, labels=labels).loss.item() == pytest.approx(sum(own).item() / 2)


@torch.no_grad()
def test_places_matter():
    model = model_of()
    moved = candidate([4, 5, 6], (2, 3), (0, 1))
    one, other = (model(**collate([each])).scores for each in (SHORT, moved))
    assert not torch.allclose(one, other, atol=1e-4)


def test_none_is_found_among_the_labels():
    assert LongsumRelationsConfig(**SIZES).none == 1
    assert LongsumRelationsConfig(**{**SIZES, "labels": [NONE, "A"]}).none == 0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"labels": ["A"]}, "NONE among them"),
        ({"labels": [NONE, "A", "A"]}, "each occur once"),
        ({"convolutional": 0, "recurrent": 0}, "at least one network"),
        ({"kernels": []}, "'kernels'"),
        ({"filters": 0}, "positive 'filters'"),
    ],
)
def test_impossible_settings_are_refused(wrong, says):
    with pytest.raises(LongsumError, match=says):
        LongsumRelationsConfig(**{**SIZES, **wrong})


def test_saving_keeps_everything(tmp_path):
    model, words = model_of(), Vocabulary(["won", "lost", "by", "two", "the"])
    save_word_model(model, words, tmp_path / "extractor")
    loaded, vocabulary = load_word_model(tmp_path / "extractor", LongsumRelations)
    assert vocabulary.words == words.words
    assert loaded.config.labels == model.config.labels
    batch = collate([SHORT, LONG])
    assert torch.equal(loaded(**batch).scores, model(**batch).scores)
