import pytest
import torch

from every_recipe import RECIPES
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.training.words.run_words import WORDS, start_model

WORD_LEVEL = [recipe for recipe in RECIPES if recipe.kind == WORDS.kind]


@pytest.mark.parametrize("recipe", WORD_LEVEL, ids=lambda recipe: recipe.name)
def test_settings_of_a_word_level_model_are_the_papers(recipe) -> None:
    assert recipe.state == "train first"
    settings = WORDS.settings_of(recipe, {"data": "govreport"})
    with torch.device("meta"):
        start_model(settings, lambda _: Vocabulary(["river"]))
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
