"""The loss of an update of extractors and of ETC pretraining, however divided into batches."""

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor, nn

from longsum.models.networks.extractive.etc import EtcLayer, EtcSum
from longsum.models.networks.extractive.extractor_layers import Layer
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.units import join
from longsum.models.training.extraction.extraction_dataset import (
    ExtractionDataset,
    collate,
)
from longsum.models.training.extraction.extraction_settings import (
    ExtractionOptimizationConfig,
    ExtractionTaskConfig,
    MaskingConfig,
)
from longsum.models.training.extraction.extraction_trainer import ExtractionTrainer
from longsum.models.training.extraction.run_pretraining import (
    EtcPretraining,
    PretrainingTrainer,
    collate_documents,
    masking_of,
)
from longsum.models.training.extraction.start import start_model
from longsum.models.training.trainer import training_arguments
from training_fixtures import check_update, gradients, update

from .conftest import toy

# Of a long document these read a part, and what comes later is no target.
ENCODER = {
    "layers": 1,
    "feed_forward": 24,
    "dropout": 0.0,
    "positions": "learned",
    "sentences": 20,
    "attention_dropout": 0.0,
}
SHORT = {
    "hibert": {"document_encoder": ENCODER},
    "etc": {"long_tokens": 200, "summary_tokens": 60},
    "flat": {},
}
CASES = [("hibert", True), ("hibert", False), ("etc", True), ("flat", False)]
PARTS = [(0,), (1, 3), (2,)]


@pytest.fixture
def dataset(split) -> Callable[..., ExtractionDataset]:
    task = ExtractionTaskConfig(beginnings=4, target="selection")
    return lambda stepwise: ExtractionDataset(split, task, stepwise=stepwise)


@pytest.fixture
def model_of(bert, pieces) -> Callable[..., LongsumExtractor]:
    def make(architecture: str, stepwise: bool) -> LongsumExtractor:
        torch.manual_seed(0)
        sizes = {**SHORT[architecture], "stepwise": stepwise}
        settings = toy(architecture, model=sizes, checkpoint=str(bert), start="sentences")
        return LongsumExtractor.of(start_model(settings, pieces, None), positive_weight=2.0)

    return make


def joined(dataset: ExtractionDataset, *places: int) -> dict[str, Tensor]:
    return collate([dataset[place] for place in places], pad=0)


@pytest.fixture
def make(tmp_path, dataset) -> Callable[[LongsumExtractor], ExtractionTrainer]:
    settings = ExtractionOptimizationConfig(precision="fp32")
    arguments = training_arguments(tmp_path, settings, save_every=9, evaluate_every=9)
    return lambda model: ExtractionTrainer(
        model,
        arguments,
        train=dataset(True),
        validation=dataset(True),
        collate=partial(collate, pad=0),
        metrics=tmp_path / "metrics.jsonl",
        settings=settings,
    )


@pytest.mark.parametrize(("architecture", "stepwise"), CASES)
def test_choices_of_extractors(make, model_of, dataset, architecture, stepwise) -> None:
    given = dataset(stepwise)
    batches = [joined(given, *places) for places in PARTS]
    check_update(make, model_of(architecture, stepwise), batches, joined(given, 0, 1, 3, 2))


@pytest.mark.parametrize(
    ("architecture", "attention"), [("hibert", "sdpa"), ("etc", "sdpa"), ("flat", "eager")]
)
def test_layers_that_are_computed_again_give_the_same_gradients(
    model_of, dataset, architecture, attention, monkeypatch
) -> None:
    model, batch = model_of(architecture, True).train(), joined(dataset(True), 0, 2)
    model.set_attn_implementation(attention)
    kind = EtcLayer if architecture == "etc" else Layer
    forward, calls = kind.forward, []

    def counted(*given):
        calls.append(given)
        return forward(*given)

    monkeypatch.setattr(kind, "forward", counted)
    found, times = [], []
    for again in (False, True):
        if again:
            model.gradient_checkpointing_enable({"use_reentrant": False})
        calls.clear()
        found.append(gradients(model, [model(**batch).loss]))
        times.append(len(calls))
    assert times[1] == 2 * times[0] > 0
    assert found[0][0] == found[1][0]
    assert all(map(torch.equal, found[0][1], found[1][1]))


@pytest.mark.parametrize(("architecture", "stepwise"), CASES)
def test_validation_does_not_depend_on_batches(model_of, dataset, architecture, stepwise) -> None:
    model, given = model_of(architecture, stepwise).eval(), dataset(stepwise)
    with torch.no_grad():
        whole = ExtractionTrainer.sums(model, joined(given, 0, 1, 3, 2))
        apart = sum(ExtractionTrainer.sums(model, joined(given, *places)) for places in PARTS)
        expected = model(**joined(given, 0, 1, 3, 2)).loss.item()
    torch.testing.assert_close(apart, whole, rtol=1e-5, atol=1e-6)
    assert (whole[0] / whole[1]).item() == pytest.approx(expected, rel=1e-5)


@pytest.fixture
def pretraining(bert, pieces, split, tmp_path) -> PretrainingTrainer:
    torch.manual_seed(0)
    started = start_model(toy("etc", checkpoint=str(bert)), pieces, None)
    assert isinstance(started, EtcSum)
    masking = MaskingConfig(hidden_words=0.3, hidden_sentences=0.4)
    settings = ExtractionOptimizationConfig(precision="fp32")
    return PretrainingTrainer(
        EtcPretraining(started.encoder, masking_of(pieces, masking), contrast=0.25),
        training_arguments(tmp_path, settings, save_every=9, evaluate_every=9),
        train=split,
        validation=split,
        settings=settings,
        collate=partial(collate_documents, pad=0),
        metrics=tmp_path / "metrics.jsonl",
    )


def test_hidden_words_and_hidden_sentences_count_each_by_themselves(
    pretraining, split, monkeypatch
) -> None:
    model = pretraining.model
    documents = [[split[place].document for place in places] for places in PARTS]
    batches = [join(each, 0).parts() for each in documents]
    taken, _ = pretraining.get_batch_samples(iter(batches), 3, torch.device("cpu"))
    assert len({each["draw"] for each in taken}) == 3
    hidden: dict[str, list[int]] = {"words": [], "sentences": []}
    for name, numbers in hidden.items():
        head = getattr(model, name)
        choose = head.choose

        def watched(*given, choose=choose, numbers: list[int] = numbers) -> Tensor:
            found: Tensor = choose(*given)
            numbers.append(int(found.sum()))
            return found

        monkeypatch.setattr(head, "choose", watched)
    with torch.no_grad():
        outputs = [model(**each) for each in taken]
    monkeypatch.undo()
    # The batches hide unlike numbers, in unlike proportions.
    assert all(min(numbers) > 1 and len(set(numbers)) > 1 for numbers in hidden.values())
    means = {
        name: sum(each[name].item() * number for each, number in zip(outputs, numbers, strict=True))
        / sum(numbers)
        for name, numbers in hidden.items()
    }
    expected = means["words"] + 0.25 * means["sentences"]
    assert update(pretraining, batches)[0] == pytest.approx(expected, rel=1e-5)


def test_pretraining_is_measured_by_words_and_sentences(pretraining: PretrainingTrainer) -> None:
    model = pretraining.model
    totals = torch.zeros(5, dtype=torch.float64)
    with torch.no_grad():
        model.eval()
        for place, batch in enumerate(pretraining.get_eval_dataloader()):
            given = pretraining.seeded(batch, 0, place)
            found, counts = model(**given), model.counted(**given)
            totals[0] += found["words"] * counts[0]
            totals[1] += found["sentences"] * counts[1]
            totals[2:4] += counts
    words, sentences = (totals[:2] / totals[2:4]).tolist()
    metrics = pretraining.evaluate()
    assert metrics["eval_words"] == pytest.approx(words, rel=1e-5)
    assert metrics["eval_sentences"] == pytest.approx(sentences, rel=1e-5)
    assert metrics["eval_loss"] == pytest.approx(words + 0.25 * sentences, rel=1e-5)
    nothing = pretraining.named([0.0, 0.0, 0.0, 0.0])
    assert nothing == {"loss": 0.0, "words": 0.0, "sentences": 0.0}


def test_the_encoder_is_saved_once_and_loaded_completely(pretraining) -> None:
    model = pretraining.model
    saved = model.state_dict()
    assert not [name for name in saved if name.startswith(("words.encoder.", "sentences.encoder."))]
    named = {name for name, _ in model.named_parameters()}
    assert named <= saved.keys()
    # As a part of another module, too.
    assert nn.Sequential(model).state_dict().keys() == {f"0.{name}" for name in saved}
    changed = {name: tensor + 1 for name, tensor in saved.items()}
    model.load_state_dict(changed)
    assert all(torch.equal(tensor, changed[name]) for name, tensor in model.state_dict().items())
    missing = next(iter(named))
    del changed[missing]
    with pytest.raises(RuntimeError, match=missing):
        model.load_state_dict(changed)
