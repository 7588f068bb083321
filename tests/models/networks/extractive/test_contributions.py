"""The contributions of a network's inputs for a sentence, one by one."""

from collections.abc import Callable

import pytest
import torch

from longsum.core.encoder.extractor_settings import DocumentEncoderConfig, HibertConfig
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.torch_network import Contributions

from .conftest import randomised, units

UNTOLD = 3
"""A place whose rows in the tables are 0: nothing is told by it."""
NOTHING = torch.full((1, 1, 0), -1)

Build = Callable[..., Hibert]


@pytest.fixture
def build(tiny) -> Build:
    def make(**settings) -> Hibert:
        document = DocumentEncoderConfig(
            layers=3,
            feed_forward=12,
            plan=4,
            positions="places",
            places=(UNTOLD + 1, UNTOLD + 1),
            **settings,
        )
        model = randomised(lambda: Hibert(HibertConfig(True, tiny, document)))
        with torch.no_grad():
            for table in model.document_encoder.positions:
                table.weight[UNTOLD] = 0
        return model

    return make


each_depth = pytest.mark.parametrize("summary_layers", [1, 2, None])


@each_depth
@pytest.mark.parametrize("headings", [True, False])
@pytest.mark.parametrize("points", [True, False])
@torch.inference_mode()
def test_with_all_inputs_the_score_is_the_models_logit(
    summary_layers, headings, points, build
) -> None:
    model = build(summary_layers=summary_layers, headings=headings, points=points)
    reading = model.read(units(7))
    expected = model.logits(reading, NOTHING)[0, 0]
    tell = Contributions(model.document_encoder, reading)
    for sentence in range(7):
        for groups in ([[0], [1]], [[1, 0]]):
            (told,) = tell([sentence], groups)
            assert told.shape == (2 + len(groups),)
            torch.testing.assert_close(told[-1], expected[sentence], atol=1e-5, rtol=0)


@each_depth
@torch.inference_mode()
def test_with_fewer_inputs_it_scores_a_copy_that_nothing_attends_to(summary_layers, build) -> None:
    """A copy of the sentence is read beside the document, without the ablated inputs."""
    model, read = build(summary_layers=summary_layers, headings=True), units(5)
    encoder = model.document_encoder
    texts = model.encode(read.tokens, read.lengths)
    vectors = texts[read.sentences]
    headings = texts[read.headings.clamp_min(0)] * (read.headings >= 0)[..., None]
    tell = Contributions(encoder, model.read(read))
    real = torch.tensor([[True] * 5 + [False]])

    def copied(sentence: int, heading: bool, places: list[int]) -> torch.Tensor:
        own_heading = headings[:, [sentence]] * heading
        found = encoder.read(
            torch.cat([vectors, vectors[:, [sentence]]], dim=1),
            torch.cat([headings, own_heading], dim=1),
            torch.cat([read.places, torch.tensor([[places]])], dim=1),
            real,
        )
        return encoder.scores(*encoder._conditioned(found, NOTHING))[0, 5]

    for sentence in (0, 4):
        first, second = read.places[0, sentence].tolist()
        expected = [
            copied(sentence, False, [UNTOLD, UNTOLD]),
            copied(sentence, True, [UNTOLD, UNTOLD]),
            copied(sentence, True, [UNTOLD, second]),
            copied(sentence, True, [first, second]),
        ]
        (told,) = tell([sentence], [[1], [0]])
        torch.testing.assert_close(told, torch.stack(expected), atol=1e-5, rtol=0)
        assert len({round(value, 4) for value in told.tolist()}) > 2
