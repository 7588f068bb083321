"""A PyTorch network gives the same answers about a document as its model."""

import numpy as np
import pytest
import torch

from longsum.models.networks.extractive.torch_network import (
    Contributions,
    TorchNetwork,
    TorchReading,
)

from .conftest import hibert, randomised, units

PLANS = [(), (3,), (0, 2, 5)]


@pytest.fixture
def build(tiny):
    return lambda **settings: randomised(lambda: hibert(**settings)(tiny))


@pytest.mark.parametrize("within", [slice(2, 5), np.array([6, 0, 3])])
@torch.inference_mode()
def test_if_one_layer_reads_the_plan_a_part_suffices_to_score_its_sentences(within, build) -> None:
    model = build(summary_layers=1)
    reading = TorchReading(model, model.read(units(7)))
    part = reading.part(within)
    assert part is not None
    for plans in (PLANS[:1], PLANS[1:2], PLANS[2:]):
        whole = reading.logits(plans)
        expected = np.concatenate([whole[:, within], whole[:, -1:]], axis=1)
        np.testing.assert_allclose(part.logits(plans), expected, atol=1e-6)
        assert part.logits(plans).dtype == np.float64
    np.testing.assert_array_equal(part.vectors, reading.vectors)


@pytest.mark.parametrize("settings", [{"summary_layers": 2}, {"stepwise": False}, {"kinds": 3}])
@torch.inference_mode()
def test_if_lower_layers_read_the_plan_no_part_suffices(settings, build) -> None:
    model = build(**settings)
    assert TorchReading(model, model.read(units(4))).part(slice(0, 2)) is None


@torch.inference_mode()
def test_a_network_answers_as_its_model(build) -> None:
    model, given = build(), units(5)
    network = TorchNetwork(model.train(), "cpu", "fp32")
    assert not model.training
    assert (network.stepwise, network.decides_end, network.compares) == (True, False, True)
    lengths = given.lengths.tolist()
    texts = [given.tokens[row, :length].numpy() for row, length in enumerate(lengths)]
    rows = network.encode(texts)
    np.testing.assert_allclose(rows, model.encode(given.tokens, given.lengths), atol=1e-6)
    reading = TorchReading(model, model.read(given))
    groups = [[0], [0, 1]]
    expected = Contributions(model.document_encoder, model.read(given))([1, 4], groups)
    assert reading.contributions([1, 4], groups) == expected.tolist()
