from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from longsum.core.encoder.extractor_settings import FlatConfig, SentenceEncoderConfig
from longsum.models.networks.extractive.etc import EtcSum
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.units import ExtractiveModel, Units

from .conftest import SMALL_ETC, hibert, randomised, score, units

Join = Callable[..., Units]
Make = Callable[[SentenceEncoderConfig], ExtractiveModel]
PLANS = torch.tensor([[[0, 2, -1], [3, -1, -1]], [[6, 1, 4], [-1, -1, -1]]])


def flat(stepwise: bool, positions: int) -> Make:
    return lambda tiny: FlatSum(FlatConfig(stepwise, replace(tiny, positions=positions)))


def etc(**settings) -> Make:
    return lambda _: EtcSum(replace(SMALL_ETC, **settings))


MODELS: dict[str, Make] = {
    "hibert, means": hibert(representation="mean"),
    "hibert, two on top": hibert(summary_layers=2),
    "hibert, placed": hibert(positions="places", places=(3, 3), headings=True),
    "planner": hibert(summary_layers=1, positions="none", counted="end", points=True),
    "hibert, at once": hibert(stepwise=False),
    "flat, cut": flat(True, 20),
    "flat, at once": flat(False, 200),
    "etc": etc(),
    "etc, at once": etc(stepwise=False),
    "etc, shared": etc(separate=False, segments=False, representation="mean"),
}


@pytest.fixture(params=MODELS)
def model(request, tiny) -> ExtractiveModel:
    return randomised(lambda: MODELS[request.param](tiny))


def test_a_batch_scores_each_document_as_alone(model: ExtractiveModel) -> None:
    together = score(model, units(4, 7), PLANS)
    assert together.shape == (2, 2, 8)
    assert together[0, :, 4:7].isneginf().all()
    assert together[0, :, -1].isfinite().all() == model.stepwise
    short = score(model, units(4, seeds=[0]), PLANS[:1])
    long = score(model, units(7, seeds=[1]), PLANS[1:])
    torch.testing.assert_close(together[0][:, [0, 1, 2, 3, 7]], short[0], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(together[1], long[0], atol=1e-5, rtol=1e-5)


def test_padded_plans_and_tokens_change_nothing(model: ExtractiveModel) -> None:
    given = units(4, 7)
    longer = torch.cat([PLANS, torch.full((2, 2, 5), -1)], dim=2)
    wider = replace(given, tokens=torch.nn.functional.pad(given.tokens, (0, 9), value=5))
    expected = score(model, given, PLANS)
    torch.testing.assert_close(score(model, wider, longer), expected, atol=1e-5, rtol=1e-5)


def test_choices_and_their_order_matter_only_to_stepwise_models(model) -> None:
    plans = torch.tensor([[[0, 2], [2, 0], [2, -1], [-1, -1], [2, 3]]])
    scores = score(model, units(4), plans)[0, :, :-1]
    for one in range(5):
        for other in range(one):
            seen = scores[one].isfinite() & scores[other].isfinite()
            differ = bool((scores[one] - scores[other])[seen].abs().max() > 1e-4)
            assert differ == model.stepwise


def test_all_weights_learn(model: ExtractiveModel) -> None:
    scores = score(model, units(4, 7), PLANS)
    scores[scores.isfinite()].pow(3).sum().backward()
    for name, parameter in model.named_parameters():
        # A constant that is added to all keys moves no attention; the last layer's global states
        # of ETC reach no score.
        if not name.endswith("key.bias") and not name.startswith("encoder.layers.1.global_att"):
            assert parameter.grad is not None, name
            assert 0 < parameter.grad.abs().max() < torch.inf, name
