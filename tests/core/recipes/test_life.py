"""The life cycle of every recipe at toy size: build, use or train, save, load, same output."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoTokenizer, GenerationConfig

from every_recipe import RECIPES
from longsum import load_system
from longsum.common.errors import LongsumError
from longsum.core.recipes.recipe import parse_recipe
from longsum.core.summaries import Budget
from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.evaluation.oracle_system import Oracle
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.tasks.prepared import prepare
from longsum.models.tasks.source import reads_sections
from longsum.models.training.run_seq2seq import SEQ2SEQ, build_model
from longsum.models.training.run_settings import (
    DataConfig,
    Seq2SeqOptimizationConfig,
    Seq2SeqSettings,
)
from longsum.models.training.training_dataset import TrainingDataset, collate
from within import within

SECONDS = 3.0
TRAINED = [recipe for recipe in RECIPES if recipe.kind == SEQ2SEQ.kind]
OTHERS = [recipe for recipe in RECIPES if recipe.state != "train first"]
DATA = ("govreport", "pubmed", "arxiv", "pmc_jats")


def summary_of(system, document: Document):
    if isinstance(system, Oracle):
        system = system.with_references(["Floods of the river damaged bridges and roads."])
    return system.summarize(document, Budget(40))


@within(SECONDS)
@pytest.mark.parametrize("recipe", OTHERS, ids=lambda recipe: recipe.name)
def test_life_of_a_recipe(recipe, small: Document):
    system = load_system(recipe.name)
    before = summary_of(system, small)
    assert before.sentences
    again = load_system(recipe.name, **system.settings)
    assert (again.name, again.settings) == (system.name, system.settings)
    assert summary_of(again, small) == before
    for overrides in recipe.data.values():
        load_system(recipe.name, **overrides)


LIVED: set[str] = set()


@pytest.mark.slow
@pytest.mark.parametrize("recipe", TRAINED, ids=lambda recipe: recipe.name)
def test_life_of_a_trained_recipe(recipe, shrink, lessons, games, tmp_path):
    settings = SEQ2SEQ.settings_of(recipe, shrink(recipe.settings))
    training = Seq2SeqOptimizationConfig(
        seed=settings.training.seed, label_smoothing=settings.training.label_smoothing
    )
    # What is left out, `live` does not use. Of systems that are the same at toy size, as windows of
    # all sizes are, one lives.
    used = repr(
        replace(settings, training=training, data=DataConfig(), save_every=1, evaluate_every=1)
    )
    if used not in LIVED:
        live(settings, games if settings.task.kind == "realization" else lessons, tmp_path)
        LIVED.add(used)


def live(settings: Seq2SeqSettings, lessons: list[Example], folder: Path) -> None:
    """Train, save and load a system, and check that its output stays the same."""
    tokenizer = AutoTokenizer.from_pretrained(settings.tokenizer.path)
    task = settings.task
    pairs = [pair for lesson in lessons for pair in task.build().pairs(lesson)]
    weighted = task.importance is not None
    split = prepare(pairs, tokenizer, task.source_format(), task.target_tokens, importance=weighted)
    torch.manual_seed(settings.training.seed)
    model = build_model(settings, tokenizer)
    structure = reads_sections(model.config)
    items = TrainingDataset(
        split,
        task.source_tokens,
        start=model.config.decoder_start_token_id,
        structure=structure,
        overflow=task.overflow,
        importance=task.importance,
    )
    batch = collate([items[index] for index in range(min(4, len(items)))], pad=1)
    assert ("section_of" in batch) == structure
    assert ("importance" in batch) == weighted == model.config.reads_importance

    before = loss(model, batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(6):
        optimizer.zero_grad()
        model.train()(**batch).loss.backward()
        optimizer.step()
    after = loss(model, batch)
    assert after < before - 0.1

    model.save_pretrained(folder)
    loaded = LongsumForConditionalGeneration.from_pretrained(folder).eval()
    assert loss(loaded, batch) == after
    source = {name: tensor for name, tensor in batch.items() if name != "labels"}
    written = [each.generate(**source) for each in (model, loaded)]
    assert torch.equal(*written)
    assert 2 < written[0].shape[1] <= 9


@torch.no_grad()
def loss(model: LongsumForConditionalGeneration, batch: Mapping[str, torch.Tensor]) -> float:
    return model.eval()(**batch).loss.item()


@pytest.mark.parametrize("recipe", TRAINED, ids=lambda recipe: recipe.name)
def test_settings_of_a_trained_recipe_are_valid_for_every_data_set(recipe):
    assert recipe.state == "train first"
    for name in {*DATA, *recipe.data}:
        settings = SEQ2SEQ.settings_of(recipe, {"data": name})
        assert settings.data.names == name
        # Checks the attentions' fields, their number and the heads.
        lengths = {
            "max_source_positions": settings.task.source_tokens,
            "max_target_positions": settings.task.target_tokens,
        }
        LongsumSeq2SeqConfig(**{**lengths, **settings.model})
        generation = GenerationConfig(**settings.generation)
        assert generation.max_new_tokens <= settings.task.target_tokens
        assert settings.training.warmup_steps < settings.training.steps
        assert settings.task.build() == settings.task.build()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: [", "not valid YAML"),
        ("name: x", "'title'"),
        ("name: x\ntitle: t\npaper: p", "'kind'"),
        ("name: x\ntitle: t\npaper: p\nkind: lead\ncolour: red", "'colour'"),
        ("just text", "its content"),
    ],
)
def test_a_wrong_recipe_is_refused_in_one_sentence(text, says):
    with pytest.raises(LongsumError, match=says):
        parse_recipe(text, "x")


def test_an_unknown_system_is_refused_in_one_sentence(tmp_path):
    wrong = (({"keyword": 3}, "'keyword'"), ({"topics": "many"}, "'topics'"))
    for settings, says in (*wrong, ({"redundancy": "x"}, "red")):
        with pytest.raises(LongsumError, match=says):
            load_system("kernels", **settings)
    with pytest.raises(LongsumError, match=r"systems' lists them\. Did you mean 'kernels'\?"):
        load_system("kernel")
    path = tmp_path / "odd.yaml"
    path.write_text("name: odd\ntitle: t\npaper: p\nkind: odd\n")
    with pytest.raises(LongsumError, match="unknown kind"):
        load_system(path)
