"""Extractors of relations learn from the cells of games."""

import json
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch

from longsum.common.errors import LongsumError
from longsum.core.loading import load_system
from longsum.core.recipes import load_recipe
from longsum.evaluation.datasets import load
from longsum.language.sentences import sentence_texts
from longsum.models.training.documents import PreparedCache, Tally
from longsum.tables.games.rotowire import game_table
from longsum.tables.relation_finder import MatchedRelations
from longsum.tables.relations.configuration_relations import NONE
from longsum.tables.relations.neural_relations import NeuralRelations
from longsum.tables.relations.run_relations import (
    RELATIONS,
    CandidateSplit,
    RelationDataConfig,
    RelationTrainer,
    candidate_split,
    game_labels,
    game_vocabulary,
)

TOY = {
    "data": {"names": "generated_games", "limit": 2, "validation_limit": 2},
    "model": {
        "word_size": 24,
        "distance_size": 12,
        "filters": 32,
        "convolutional_units": 48,
        "dropout": 0.0,
    },
    "vocabulary": 300,
    "training": {"steps": 250, "batch": 32, "learning_rate": 0.006, "precision": "fp32"},
    "save_every": 1000,
    "evaluate_every": 250,
}


@pytest.fixture
def cache(tmp_path) -> PreparedCache:
    data = RelationDataConfig(names="generated_games", limit=2, validation_limit=1)
    return PreparedCache(data, tmp_path)


def test_candidates_are_encoded_with_the_labels_that_fit(cache: PreparedCache) -> None:
    words = game_vocabulary(400, cache)
    split = candidate_split(words, "train", cache)
    assert split.labels.shape == (len(split), len(game_labels()))
    assert split.labels.any(axis=1).all()
    none = game_labels().index(NONE)
    # Nothing and something at once is never right.
    assert (split.labels.sum(axis=1)[split.labels[:, none]] == 1).all()
    assert 0 < split.labels[:, none].mean() < 1
    for candidate in (split[0], split[len(split) - 1]):
        for span in (candidate.name, candidate.number):
            assert 0 <= span[0] < span[1] <= len(candidate.ids)
    assert sum(split.lengths()) == len(split.ids)
    (used,) = cache.used["train"]
    assert (used.documents, used.lessons, used.shippable) == (2, len(split), 2)


def test_a_split_is_found_again(cache: PreparedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    words = game_vocabulary(400, cache)
    first = candidate_split(words, "validation", cache)
    monkeypatch.setattr(Tally, "documents", lambda _: pytest.fail("read again"))
    again = candidate_split(game_vocabulary(400, cache), "validation", cache)
    assert np.array_equal(first.ids, again.ids)
    assert np.array_equal(first.labels, again.labels)


def test_data_without_games_are_refused() -> None:
    with pytest.raises(LongsumError, match="data set of games"):
        CandidateSplit.of([])


def test_an_unknown_setting_is_refused(tmp_path) -> None:
    recipe = load_recipe("relation-extractor-small")
    settings = RELATIONS.settings_of(recipe, {**TOY, "model": {"colour": 1}})
    with pytest.raises(LongsumError, match="no setting 'colour'"):
        RELATIONS.train(recipe, settings, tmp_path / "run")


def test_a_recipe_of_relations_is_no_system() -> None:
    with pytest.raises(LongsumError, match="train"):
        load_system("relation-extractor")


@pytest.mark.slow
def test_an_extractor_learns_what_its_games_state(tmp_path) -> None:
    recipe = load_recipe("relation-extractor-small")
    metrics = RELATIONS.train(recipe, RELATIONS.settings_of(recipe, TOY), tmp_path / "run")
    assert metrics["eval_precision"] > 0.3
    lines = (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()
    assert any("eval_recall" in json.loads(line) for line in lines)

    (example, *_) = load("generated_games", "train", limit=1)
    table = game_table(example.extra["game"])
    sentences = sentence_texts(example.references[0])
    found = NeuralRelations.load(tmp_path / "run").relations(table, sentences)
    right = {triple for triple, is_right in found if is_right}
    known = {triple for triple, is_right in MatchedRelations().relations(table, sentences)}
    assert len(right & known) / len(known) > 0.6
    assert sum(is_right for _, is_right in found) / len(found) > 0.7


def test_relations_are_counted_as_found_correct_and_present() -> None:
    """Of four candidates three are found, one of them correctly; two have a relation."""
    chosen, none = [1, 2, 1, 0], 0
    labels = torch.tensor([[0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]])
    scores = torch.nn.functional.one_hot(torch.tensor(chosen), 3).float()
    model: Any = lambda **_: SimpleNamespace(scores=scores, loss=torch.tensor(0.5))  # noqa: E731
    model.config = SimpleNamespace(none=none)
    sums = RelationTrainer.sums(model, {"labels": labels}).tolist()
    assert sums == [2.0, 3, 1, 2, 2, 4]
    named = RelationTrainer.named(cast(Any, None), [each / 4 for each in sums[:-1]])
    expected = {"loss": 0.5, "precision": 1 / 3, "recall": 1 / 2, "accuracy": 1 / 2}
    assert named == pytest.approx(expected)
    nothing = RelationTrainer.named(cast(Any, None), [0.5, 0.0, 0.0, 0.0, 1.0])
    assert (nothing["precision"], nothing["recall"]) == (0.0, 0.0)
