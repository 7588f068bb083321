"""The life cycle of extractors' recipes at toy size, and their settings against the paper's."""

from dataclasses import replace

import pytest
import torch

from every_recipe import RECIPES
from learning import learn
from longsum.core.encoder.encode_units import encode_document
from longsum.core.encoder.extractor_settings import read_settings
from longsum.core.recipes import Recipe, load_recipe
from longsum.core.recipes.recipe import merged
from longsum.documents.subset import subset
from longsum.models.networks.extractive.extractor_files import build, load_extractor
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.networks.extractive.units import join
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit, make_examples
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.run_extraction import EXTRACTION
from longsum.models.training.extraction.run_pretraining import ETC_PRETRAINING
from longsum.models.training.extraction.start import start_model
from tiny_sizes import TINY_EXTRACTORS

EXTRACTIVE = [recipe for recipe in RECIPES if recipe.kind == EXTRACTION.kind]
DATA = ("cnn_dailymail", "govreport", "pubmed", "arxiv")
# Their training must be deterministic.
TINY = merged(TINY_EXTRACTORS, {"etc": {"dropout": 0.0}})
# The paper's checkpoints.
BASE = {"size": 768, "layers": 12, "heads": 12, "feed_forward": 3072}
BERT = {**BASE, "vocabulary": 30522}
ROBERTA = {**BASE, "vocabulary": 50265, "position_offset": 2, "token_types": 1}


@pytest.mark.slow
@pytest.mark.parametrize("recipe", EXTRACTIVE, ids=lambda recipe: recipe.name)
def test_life_of_an_extractor(recipe, bert, pieces, lessons, tmp_path) -> None:
    architecture = recipe.settings["architecture"]
    given = {"checkpoint": str(bert), "vocabulary": None, "model": TINY[architecture]}
    settings = EXTRACTION.settings_of(recipe, given)
    task = settings.task
    most = min(task.sentences or 40, 40)
    # Cut, so that all recipes learn from the same few sentences.
    examples = [
        replace(each, document=subset(each.document, range(len(each.document.sentences))[:most]))
        for each in lessons
    ]
    split = ExtractionSplit.of(make_examples(examples, pieces, task.sentence_tokens, task.history))
    torch.manual_seed(settings.training.seed)
    extractor = start_model(settings, pieces, None)
    model = LongsumExtractor.of(extractor, positive_weight=task.positive_weight)
    items = ExtractionDataset(split, task, stepwise=extractor.stepwise, draws=2)
    batch = collate([items[index] for index in range(len(items))], pad=0)

    before, after = learn(model.train(), lambda: model(**batch).loss, 8)
    assert after < before - 0.1

    model.eval().save_pretrained(tmp_path)
    with torch.no_grad():
        expected = model(**batch)
        again = LongsumExtractor.from_pretrained(tmp_path).eval()(**batch)
        torch.testing.assert_close(again.logits, expected.logits)
        torch.testing.assert_close(again.loss, expected.loss)
        loaded = load_extractor(tmp_path)
        document = join([encode_document(examples[0].document, pieces, task.sentence_tokens)], 0)
        plans = torch.tensor([[[1]]])
        logits = [each.logits(each.read(document), plans) for each in (extractor, loaded)]
    torch.testing.assert_close(*logits)
    assert logits[0].isfinite()[0, 0, :-1].any()


@pytest.mark.parametrize("recipe", EXTRACTIVE, ids=lambda recipe: recipe.name)
def test_settings_of_an_extractor_are_valid_for_every_data_set(recipe: Recipe) -> None:
    assert recipe.state == "train first"
    for name in {*DATA, *recipe.data}:
        settings = EXTRACTION.settings_of(recipe, {"data": name})
        assert settings.data.names == name
        assert settings.training.warmup_steps < settings.training.steps
        model = settings.model
        stepwise = model["stepwise"]
        assert stepwise == recipe.name.startswith("stepwise")
        read_settings(settings.architecture, model)


@pytest.mark.parametrize(
    ("name", "encoder", "parameters"),
    [("stepwise-hibert", ROBERTA, 133_784_833), ("stepwise-etcsum", BERT, 165_825_793)],
)
def test_models_are_as_large_as_the_papers(name, encoder, parameters) -> None:
    """A.1 and A.2 give the numbers; ours are a thousandth smaller, for reasons unknown."""
    settings = EXTRACTION.settings_of(load_recipe(name), {})
    sizes = {"sentence_encoder": encoder}
    if settings.architecture == "etc":
        sizes = encoder
    values = merged(sizes, settings.model)
    with torch.device("meta"):
        model = build(settings.architecture, read_settings(settings.architecture, values))
    found = sum(parameter.numel() for parameter in model.parameters())
    assert found == pytest.approx(parameters, rel=0.001)


def test_the_batch_of_etcsum_is_the_papers() -> None:
    assert ETC_PRETRAINING.settings_of(load_recipe("etc-pretraining"), {}).training.steps
    for name in ("etcsum", "stepwise-etcsum"):
        training = EXTRACTION.settings_of(load_recipe(name), {}).training
        assert training.batch * training.accumulate == 512
        assert (training.steps, training.learning_rate) == (5000, 0.000025)
