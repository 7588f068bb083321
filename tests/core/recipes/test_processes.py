"""Every recipe learns the same in two processes, replicated or sharded, as in one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from effort import FULL
from every_recipe import RECIPES
from longsum.common.errors import LongsumError
from longsum.core.recipes import Recipe
from longsum.core.recipes.recipe import merged
from longsum.models.training.run_seq2seq import runs
from tiny_sizes import TINY_EXTRACTORS, bert_sizes
from two_processes import Job, train, trained_together

TRAINED = [recipe for recipe in RECIPES if recipe.kind in runs()]
SMALL_BERT = {"size": 16, "layers": 2, "heads": 2, "feed_forward": 24}
PLANNERS: dict[str, dict[str, Any]] = {
    "hibert": {
        "sentence_encoder": {"size": 16, "heads": 2, "feed_forward": 16},
        "document_encoder": {"layers": 2, "feed_forward": 16},
    },
    "etc": SMALL_BERT,
    "flat": {"encoder": SMALL_BERT},
}
WORD_LEVEL: dict[str, dict[str, Any]] = {
    "pointer_generator": {"max_source_tokens": 24, "max_target_tokens": 8, "min_target_tokens": 1},
    "convolutional": {"max_source_tokens": 24, "max_target_tokens": 8, "layers": 2},
}
CHECKERS = bert_sizes(layers=2)
RELATIONS = {"word_size": 8, "distance_size": 4, "filters": 8, "convolutional_units": 8}
FEW = (
    "small",  # shares its embedding with its output layer, and generates in validation
    "adaptive-span",  # uses weights of its layers in the loss; Adafactor
    "stepwise-hibert",  # reads sentences in as many groups as their lengths require
    "pointer-generator",  # has weights without a gradient; recurrent layers
)
"""Those that ask most of processes; `HYPOTHESIS_PROFILE=full` tries all."""
CHOSEN = [recipe for recipe in TRAINED if FULL or recipe.name in FEW]
COPIED = [recipe for recipe in CHOSEN if FULL or recipe.name == "pointer-generator"]
RECOMPUTED = [recipe for recipe in CHOSEN if FULL or recipe.name == "stepwise-hibert"]
RESUMED = ["adaptive-span", *(["small"] if FULL else [])]
UPDATES = 4
STOP = 3
TRAINING = {
    **{"steps": UPDATES, "batch": 2, "accumulate": 1, "precision": "fp32"},
    **{"learning_rate": 0.01, "warmup_steps": 0, "gradient_checkpointing": False},
}
OF_ITS_OWN: dict[str, dict[str, Any]] = {
    "small": {"rouge_documents": 1, "training": {"gap_sentences": 0.0}},
    "adaptive-span": {"training": {"span_loss": 0.1}},
    "stepwise-hibert": {"rouge_documents": 1},
    "pointer-generator": {"training": {"coverage_steps": 2}},
}
WAYS = {
    "one": {"accumulate": 2},
    "recomputed": {"accumulate": 2, "gradient_checkpointing": True},
    "two": {},
    "divided": {"sharding": "full"},
}
NOT_RECOMPUTED = ("words", "relations")


def toy(recipe: Recipe, shrink: Any, bert: Path, prepared: Path) -> dict[str, Any]:
    """Return the changes with which a recipe trains in a moment."""
    architecture = recipe.settings.get("architecture", "hibert")
    own: dict[str, Any]
    match recipe.kind:
        case "seq2seq" | "tagger":
            own = shrink(recipe.settings)
            own["task"] |= {"source_tokens": 64, "target_tokens": 16}
            if recipe.settings["model"].get("share_layers"):
                own["model"]["max_target_positions"] = 64
            if recipe.kind == "tagger":
                del own["generation"]
        case "extraction" | "etc_pretraining":
            # Frozen layers are not recomputed.
            rates = {"sentence_encoder_rate": 1.0} if recipe.kind == "extraction" else {}
            kind = "etc" if recipe.kind == "etc_pretraining" else architecture
            own = {"checkpoint": str(bert), "vocabulary": None, "model": TINY_EXTRACTORS[kind]}
            own |= {"task": {"sentences": 12}, "training": rates}
        case "planning":
            own = {"vocabulary": 300, "model": PLANNERS[architecture]}
            own["task"] = {"entries": 30, "beginnings": 2}
        case "words":
            sizes = {"embedding_size": 8, "hidden_size": 8}
            own = {"vocabulary": 100, "model": sizes | WORD_LEVEL[architecture]}
        case "relations":
            own = {"vocabulary": 100, "model": RELATIONS}
        case _:
            own = {"checkpoint": None, "model": CHECKERS, "tokenizer": {"size": 300}}
            own["task"] = {"tokens": 96}
    games = recipe.kind in ("planning", "relations") or "realiz" in recipe.name
    names = "games" if games else "quotes" if "tokens" in own.get("task", {}) else "lessons"
    shared: dict[str, Any] = {
        "data": {"names": names, "validation": names, "prepared": str(prepared)},
        "training": TRAINING,
        "save_every": 2,
        "evaluate_every": 2,
    }
    if "rouge_documents" in recipe.settings:
        shared["rouge_documents"] = 0
    return merged(merged(shared, own), OF_ITS_OWN.get(recipe.name, {}))


@pytest.fixture(scope="module")
def folder(shrink, bert, lessons, games, tmp_path_factory) -> Path:
    """Train recipes in every way, and resume runs with more and with fewer processes."""
    home = tmp_path_factory.mktemp("processes")
    # Of five validation documents, one process has two batches and the other one.
    both = {"lessons": lessons, "games": games}
    examples = {name: [*two, *two, two[0]] for name, two in both.items()}
    # Summaries that have names and figures of their documents.
    quotes = ((each, (each.document.text[:2000],)) for each in examples["lessons"])
    examples["quotes"] = [replace(each, references=quoted) for each, quoted in quotes]

    def job(recipe: Recipe, way: str, name: str, stop: int | None = None) -> Job:
        changes = merged(toy(recipe, shrink, bert, home / "prepared"), {"training": WAYS[way]})
        return Job(recipe, changes, home / recipe.name / name, stop)

    resumed = [recipe for recipe in CHOSEN if recipe.name in RESUMED]
    more = [job(recipe, "one", "more") for recipe in resumed]
    fewer = [job(recipe, "divided", "fewer") for recipe in resumed]
    train([replace(each, stop=STOP) for each in more], examples)
    train([job(recipe, "one", "one") for recipe in CHOSEN], examples)
    again = [recipe for recipe in RECOMPUTED if recipe.kind not in NOT_RECOMPUTED]
    train([job(recipe, "recomputed", "recomputed") for recipe in again], examples)
    copied = [job(recipe, "two", "two") for recipe in COPIED]
    divided = [job(recipe, "divided", "divided") for recipe in CHOSEN]
    begun = [replace(each, stop=STOP) for each in fewer]
    tried = replace(job(resumed[0], "divided", "tried"), estimated=True)
    trained_together([*copied, *divided, *more, *begun, tried], examples, home)
    train(fewer, examples)
    return home


def logged(folder: Path, name: str) -> list[float]:
    lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [line[name] for line in map(json.loads, lines) if name in line]


def check_same(found: Path, expected: Path) -> None:
    for name, count in (("loss", UPDATES), ("grad_norm", UPDATES), ("eval_loss", 2)):
        values = logged(found, name)
        assert len(values) == count, name
        assert values == pytest.approx(logged(expected, name), rel=2e-4), name
    assert (found / "config.json").read_text() == (expected / "config.json").read_text()
    ours, theirs = (load_file(folder / "model.safetensors") for folder in (found, expected))
    assert ours.keys() == theirs.keys()
    for name, weight in ours.items():
        if name.endswith(("k_proj.bias", "key.bias", "salience.bias")):
            # It adds the same to all scores; only rounding changes it.
            continue
        torch.testing.assert_close(weight, theirs[name], rtol=1e-3, atol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "way"),
    [
        *((recipe.name, "two") for recipe in COPIED),
        *((recipe.name, "divided") for recipe in CHOSEN),
        # Started by one process and continued by two, and the other way round.
        *((name, way) for name in RESUMED for way in ("more", "fewer")),
    ],
)
def test_several_processes_learn_the_same_as_one(name: str, way: str, folder: Path) -> None:
    check_same(folder / name / way, folder / name / "one")


@pytest.mark.slow
def test_processes_are_estimated_together(folder: Path) -> None:
    (tried,) = folder.glob("*/tried")
    found = [json.loads((tried / f"{rank}.json").read_text()) for rank in (0, 1)]
    assert found[0] == found[1]
    assert (found[0]["processes"], found[0]["updates"], found[0]["measurements"]) == (2, UPDATES, 3)
    assert found[0]["computed_per_update"] > 0
    # Each process has PyTorch in memory.
    assert found[0]["memory"] > 100e6


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECOMPUTED, ids=lambda recipe: recipe.name)
def test_recomputing_layers_changes_nothing(recipe: Recipe, folder: Path) -> None:
    if recipe.kind in NOT_RECOMPUTED:
        with pytest.raises(LongsumError, match=r"'training\.gradient_checkpointing'"):
            runs()[recipe.kind].settings_of(recipe, {"training": {"gradient_checkpointing": True}})
        return
    check_same(folder / recipe.name / "recomputed", folder / recipe.name / "one")
