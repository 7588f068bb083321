from typing import Any

import pytest
import torch

from every_recipe import RECIPES
from longsum.core.recipes import Recipe
from longsum.core.summaries import Budget
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.training.words.run_words import WORDS, collate, encode, start_model
from longsum.models.writing.summarizer import AbstractiveSummarizer
from longsum.models.writing.words import ConvolutionalWriter, PointerWriter

WORD_LEVEL = [recipe for recipe in RECIPES if recipe.kind == WORDS.kind]
TINY: dict[str, dict[str, Any]] = {
    "pointer_generator": {"embedding_size": 8, "hidden_size": 8, "min_target_tokens": 1},
    "convolutional": {"embedding_size": 8, "hidden_size": 8, "layers": 2, "dropout": 0.0},
}
WRITERS = {"pointer_generator": PointerWriter, "convolutional": ConvolutionalWriter}


@pytest.mark.slow
@pytest.mark.parametrize("recipe", WORD_LEVEL, ids=lambda recipe: recipe.name)
def test_life_of_a_word_level_model(recipe, lessons, small, tmp_path) -> None:
    settings = WORDS.settings_of(recipe, {"model": TINY[recipe.settings["architecture"]]})
    torch.manual_seed(settings.training.seed)
    model, vocabulary = start_model(
        settings,
        lambda words: Vocabulary.of((words.tokens(each.document.text) for each in lessons), 200),
    )
    split = PreparedSplit.of(encode(lessons, vocabulary, model.config))
    items = [{"input_ids": split.truncated(i, 60), "labels": split.target(i)} for i in range(2)]
    batch = collate(items, len(vocabulary))
    optimizer = torch.optim.Adagrad(model.parameters(), lr=settings.training.learning_rate)
    losses = []
    for _ in range(8):
        optimizer.zero_grad()
        loss = model.train()(**batch).loss
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.1

    save_word_model(model.eval(), vocabulary, tmp_path)
    loaded = load_word_model(tmp_path, type(model))
    kind = WRITERS[settings.architecture]
    written = [
        AbstractiveSummarizer(kind(*each)).summarize(small, Budget(12))
        for each in ((model, vocabulary), loaded)
    ]
    assert written[0] == written[1]
    assert written[0].words <= 12


@pytest.mark.parametrize("recipe", WORD_LEVEL, ids=lambda recipe: recipe.name)
def test_settings_of_a_word_level_model_are_the_papers(recipe: Recipe) -> None:
    assert recipe.state == "train first"
    settings = WORDS.settings_of(recipe, {"data": "govreport"})
    training = settings.training
    assert settings.data.names == "govreport"
    assert settings.vocabulary == 80_000
    assert (training.batch, training.learning_rate, training.accumulator) == (16, 0.15, 0.1)
    assert (training.schedule, training.warmup_steps) == ("constant_with_warmup", 0)
    if recipe.name.endswith("finetuned"):
        assert training.steps == 3000


def test_pretraining_and_fine_tuning_read_the_papers_lengths() -> None:
    lengths = {
        recipe.name: (settings.model["max_source_tokens"], settings.model["max_target_tokens"])
        for recipe in WORD_LEVEL
        if "max_source_tokens" in (settings := WORDS.settings_of(recipe, {})).model
    }
    assert lengths["pointer-generator"] == (400, 100)
    assert lengths["pointer-generator-finetuned"] == (500, 200)
