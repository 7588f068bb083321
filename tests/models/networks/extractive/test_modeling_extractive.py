from collections.abc import Callable
from dataclasses import asdict, fields

import pytest
import torch
from transformers import AutoModel

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import DocumentEncoderConfig, FlatConfig, HibertConfig
from longsum.models.networks.extractive.extractor_files import build, load_extractor, save_extractor
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.modeling_extractive import (
    LongsumExtractor,
    LongsumExtractorConfig,
    plan_loss,
    salience_loss,
)
from longsum.models.networks.extractive.units import ExtractiveModel, Units

from .conftest import randomised, units

Join = Callable[..., Units]
PLANS = torch.tensor([[[0, 2], [3, -1]], [[6, 1], [-1, -1]]])


@pytest.fixture
def inner(tiny) -> ExtractiveModel:
    document = DocumentEncoderConfig(2, 12, positions="places", places=(3, 3), headings=True)
    return randomised(lambda: Hibert(HibertConfig(True, tiny, document)))


def batch(units: Units) -> dict:
    return {part.name: getattr(units, part.name) for part in fields(units)} | {"plans": PLANS}


def test_new_weights_are_those_that_the_model_draws(tiny) -> None:
    config = LongsumExtractorConfig(
        architecture="flat", settings={"stepwise": True, "encoder": asdict(tiny)}
    )
    torch.manual_seed(0)
    wrapped = LongsumExtractor(config).extractor.state_dict()
    torch.manual_seed(0)
    plain = build("flat", FlatConfig(True, tiny)).state_dict()
    assert all(torch.equal(wrapped[name], plain[name]) for name in plain)


@pytest.mark.parametrize(
    ("save", "load"), [("plain", "transformers"), ("plain", "auto"), ("transformers", "plain")]
)
def test_a_folder_is_read_by_all(save, load, inner, tmp_path) -> None:
    if save == "plain":
        save_extractor(inner, tmp_path)
    else:
        LongsumExtractor.of(inner, positive_weight=2.0).save_pretrained(tmp_path)
    if load == "plain":
        loaded = load_extractor(tmp_path)
    else:
        kind = AutoModel if load == "auto" else LongsumExtractor
        whole = kind.from_pretrained(tmp_path)
        assert whole.config.positive_weight == (1.0 if save == "plain" else 2.0)
        loaded = whole.extractor
    given = units(4, 7)
    assert loaded.config == inner.config
    expected = inner.logits(inner.read(given), PLANS)
    assert torch.equal(loaded.logits(loaded.read(given), PLANS), expected)


def test_weights_that_a_checkpoint_lacks_are_initialized(inner: ExtractiveModel, tmp_path) -> None:
    model = LongsumExtractor.of(inner)
    state = model.state_dict()
    lacking = ("extractor.document_encoder.end", "extractor.document_encoder.heading.weight")
    for name in lacking:
        del state[name]
    model.save_pretrained(tmp_path, state_dict=state)
    loaded = LongsumExtractor.from_pretrained(tmp_path).state_dict()
    for name in lacking:
        assert 0.005 < loaded[name].std() < 0.05, name
    assert all(torch.equal(loaded[name], each) for name, each in state.items())


def test_a_stepwise_model_scores_as_itself_and_learns_the_next_choice(inner) -> None:
    targets = torch.rand(2, 2, 8, generator=torch.Generator().manual_seed(0))
    model, given = LongsumExtractor.of(inner), units(4, 7)
    assert model.extractor is inner
    found = model(**batch(given), targets=targets)
    assert torch.equal(found.logits, inner.logits(inner.read(given), PLANS))
    assert torch.equal(found.loss, plan_loss(found.logits, targets))
    assert model(**batch(given)).loss is None


def test_another_model_learns_all_choices_at_once(tiny) -> None:
    model = LongsumExtractor.of(FlatSum(FlatConfig(False, tiny)), positive_weight=3.0).eval()
    targets = torch.zeros(2, 2, 8)
    targets[:, :, 2] = 1
    found = model(**batch(units(4, 7)), targets=targets)
    assert torch.equal(found.loss, salience_loss(found.logits, targets, 3.0))
    assert found.loss != salience_loss(found.logits, targets, 1.0)


def test_settings_that_do_not_exist_are_refused() -> None:
    with pytest.raises(LongsumError, match="no extractive model 'lstm'"):
        LongsumExtractorConfig(architecture="lstm")
    with pytest.raises(LongsumError, match="stepwise cannot be 'perhaps'"):
        LongsumExtractorConfig(settings={"stepwise": "perhaps"})
