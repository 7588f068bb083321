"""Training runs of planners at toy size, on generated games."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.recipes import load_recipe
from longsum.evaluation.datasets import Example, load
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.tables.checks.text_checks import matcher_for
from longsum.tables.oracle_plans import oracle_plan
from longsum.tables.plan import Plan, plan_from_json
from longsum.tables.planning import run_planning
from longsum.tables.planning.neural_planner import NeuralPlanner
from longsum.tables.planning.run_planning import (
    PLANNING,
    PlannerSettings,
    build_planner,
    game_of,
    planned_game,
    reference_sentences,
    spread_weights,
)
from longsum.tables.planning.table_units import BREAK_UNIT, KINDS, PLACES, TableUnits

HIBERT = {
    "sentence_encoder": {"size": 16, "heads": 2, "feed_forward": 16},
    "document_encoder": {"layers": 2, "feed_forward": 16},
}
TINY = {
    "stepwise-hibert-planner": HIBERT,
    "informed-hibert-planner": HIBERT,
    "hibert-planner": HIBERT,
    "informed-etcsum-planner": {"size": 16, "layers": 1, "heads": 2, "feed_forward": 16},
}
SETTINGS = {
    "vocabulary": 300,
    "data": {"limit": 3, "validation_limit": 1},
    "task": {"entries": 60, "beginnings": 3},
    "training": {"steps": 2, "batch": 1, "warmup_steps": 1},
    "save_every": 2,
    "evaluate_every": 2,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TINY)
def test_a_run_makes_a_planner_that_can_be_trained_further(name: str, tmp_path: Path) -> None:
    recipe = load_recipe(name)
    settings = PLANNING.settings_of(recipe, {**SETTINGS, "model": TINY[name]})
    metrics = PLANNING.train(recipe, settings, tmp_path / "first")
    assert np.isfinite(metrics["eval_loss"])
    card = (tmp_path / "first" / "README.md").read_text(encoding="utf-8")
    assert "Learned from: 3 documents; all of them" in card
    again = {**SETTINGS, "checkpoint": str(tmp_path / "first"), "vocabulary": None}
    again["model"] = TINY[name]
    PLANNING.train(recipe, PLANNING.settings_of(recipe, again), tmp_path / "second")
    planner = NeuralPlanner.of(
        ModelFolder.of(tmp_path / "second"), precision="fp32", runtime="torch"
    )
    assert planner.config.entries == 60
    game = planned_game(game_of(next(load("generated_games", "validation"))))
    plan = planner.plan(game.table)
    assert plan.sentences
    assert {index for s in plan.sentences for index in s} <= set(
        TableUnits.of(game.table, 60).records
    )


def split(tmp_path: Path, name: str) -> ExtractionSplit:
    from longsum.models.training.documents import PreparedCache

    recipe = load_recipe(name)
    settings = PLANNING.settings_of(recipe, SETTINGS)
    cache = PreparedCache(settings.data, tmp_path)
    tokens = PLANNING.tokens(settings, cache)
    return PLANNING.split(settings, tokens, "train", cache)


def test_a_stepwise_planner_learns_ordered_plans_and_a_ranker_their_content(tmp_path) -> None:
    examples = list(load("generated_games", "train", limit=3))
    stepwise, ranked = split(tmp_path, "stepwise-hibert-planner"), split(tmp_path, "hibert-planner")
    for place, example in enumerate(examples):
        game = planned_game(game_of(example))
        units = TableUnits.of(game.table, 60)
        wanted = units.choices(game.plan)
        learned = stepwise[place].histories
        chosen = learned.plans[0][: learned.lengths[0]].tolist()
        assert chosen == wanted
        assert units.plan(chosen) == units.plan(wanted) != Plan(())
        all_at_once = ranked[place].histories
        labels = all_at_once.plans[0][: all_at_once.lengths[0]].tolist()
        assert len(labels) == len(set(labels))
        assert set(labels) == set(wanted) - {BREAK_UNIT}


def test_recipes_know_all_kinds_of_entries() -> None:
    for name in ("informed-hibert-planner", "hibert-planner", "informed-etcsum-planner"):
        model = load_recipe(name).settings["model"]
        encoder = model.get("document_encoder") or model
        assert encoder.get("kinds", len(KINDS)) == len(KINDS)
        assert tuple(encoder.get("places", ())) in ((), tuple(PLACES.values())[:3])


@pytest.mark.parametrize(
    "given",
    [{"rouge_documents": 2}, {"task": {"target": "gains"}}, {"task": {"strayed": 0.5}}],
    ids=json.dumps,
)
def test_settings_without_meaning_for_planners_are_refused(given: dict, tmp_path: Path) -> None:
    recipe = load_recipe("stepwise-hibert-planner")
    settings = PLANNING.settings_of(recipe, given)
    with pytest.raises(LongsumError, match="A planner learns plans as they are"):
        PLANNING.train(recipe, settings, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"vocabulary": None}, "needs a size of its vocabulary"),
        ({"tokenizer": "."}, r"no tokenizer.json in '\.'; name the folder of a planner"),
        ({"training": {"gradient_checkpointing": True, "sentence_encoder_rate": 0}}, "is run only"),
    ],
)
def test_a_planner_needs_pieces_of_words_and_something_to_recompute(
    given: dict, problem: str, tmp_path: Path
) -> None:
    recipe = load_recipe("stepwise-hibert-planner")
    with pytest.raises(LongsumError, match=problem):
        PLANNING.train(recipe, PLANNING.settings_of(recipe, given), tmp_path / "out")


@pytest.mark.parametrize("checkpoint", [None, "folder"])
def test_only_weights_that_were_never_trained_are_spread(checkpoint: str | None) -> None:
    made, layer = [], torch.nn.Linear(400, 100)
    before = layer.weight.clone()
    monkeypatch = pytest.MonkeyPatch()
    with monkeypatch.context() as patched:
        patched.setattr(run_planning, "build_extractor", lambda *given: made.append(given) or layer)
        settings = PlannerSettings(checkpoint=checkpoint)
        tokens = object()
        assert build_planner(settings, tokens) is layer
    assert made == [(settings, tokens)]
    assert torch.equal(layer.weight, before) == (checkpoint is not None)


def test_weights_begin_as_wide_as_their_inputs_and_keys_as_queries() -> None:
    from longsum.core.encoder.extractor_settings import read_settings
    from longsum.models.networks.extractive.extractor_files import build

    sizes = {"size": 64, "layers": 1, "heads": 2, "feed_forward": 256, "vocabulary": 50}
    model = build("hibert", read_settings("hibert", {"sentence_encoder": sizes}))
    torch.manual_seed(0)
    spread_weights(model)
    layer = model.sentence_encoder.layers[0]
    assert layer.attention.value.weight.std().item() == pytest.approx(1 / 8, rel=0.1)
    torch.testing.assert_close(layer.attention.key.weight, layer.attention.query.weight)


def test_a_plan_is_the_games_own_or_that_of_its_reference() -> None:
    for game in map(game_of, load("generated_games", "train", limit=2)):
        own = planned_game(game)
        assert own.plan == plan_from_json(game["plan"], own.table) != Plan(())
        read = planned_game({name: value for name, value in game.items() if name != "plan"})
        sentences = reference_sentences(game)
        assert len(sentences) > 1
        assert read.plan == oracle_plan(matcher_for(read.table), sentences) != Plan(())
        words = "".join(f"{sentence} " for sentence in sentences).split()
        assert reference_sentences({"summary": words}) == sentences
    assert reference_sentences({}) == []


def test_documents_are_no_games(small) -> None:
    with pytest.raises(LongsumError, match="'one' is not a game; planners learn from data sets of"):
        game_of(Example("one", small, ("Text.",), "train", "cc0", {}))
    game = {"home_name": "Hawks"}
    assert game_of(Example("one", small, ("Text.",), "train", "cc0", {"game": game})) == game
