"""Readers and classifiers that are trained, at toy size."""

from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForMaskedLM, PreTrainedTokenizerFast

from longsum.common.errors import LongsumError
from longsum.core.recipes import Recipe
from longsum.lab.checking.apes import ApesScorer
from longsum.lab.checking.checkers import ClaimScorer, SpanAnswerer
from longsum.lab.checking.checking_start import encoded_split
from longsum.lab.checking.corruptions import PAPER_KINDS
from longsum.lab.checking.prepared_pairs import EncodedPair
from longsum.lab.checking.run_checking import (
    CLAIM_CHECKING,
    SPAN_ANSWERING,
    ClaimTrainer,
    SpanTrainer,
    collate_claims,
    collate_spans,
)
from longsum.models.training.documents import PreparedCache
from tiny_sizes import bert_sizes

SIZES = bert_sizes()


def recipe_of(kind: str, prepared: Path, **more) -> Recipe:
    settings = {
        "model": SIZES,
        "tokenizer": {"size": 400},
        "task": {"tokens": 160},
        "data": {
            "names": "scitldr_a",
            "limit": 12,
            "validation_limit": 6,
            "prepared": str(prepared),
        },
        "training": {"steps": 2, "batch": 2, "optimizer": "adamw", "learning_rate": 0.01},
        "save_every": 2,
        "evaluate_every": 2,
        **more,
    }
    return Recipe("tiny", "For tests", "none", kind, settings, state="train first")


@pytest.mark.usefixtures("corpus")
def test_a_reader_is_trained_and_answers(prepared: Path, tmp_path: Path) -> None:
    recipe = recipe_of("span_answering", prepared)
    settings = SPAN_ANSWERING.settings_of(recipe, {})
    found = SPAN_ANSWERING.train(recipe, settings, tmp_path / "out")
    assert 0 <= found["eval_exact"] <= 1
    answerer = SpanAnswerer.load(tmp_path / "out")
    assert answerer.tokens == answerer.model.config.max_position_embeddings == 160
    scores = ApesScorer(answerer).score("It cost 7.", ["Ann paid 7."], ["Ann paid 7 of them."])
    assert scores.questions >= 1


@pytest.mark.usefixtures("corpus")
def test_questions_without_an_answer_are_counted(tokenizer, prepared, tmp_path) -> None:
    settings = SPAN_ANSWERING.settings_of(
        recipe_of("span_answering", prepared), {"data": {"prepared": None}}
    )
    said: list[str] = []
    pair = EncodedPair(*(np.ones(2, np.int32) for _ in range(3)))
    split = partial(
        encoded_split,
        settings,
        tokenizer,
        "train",
        PreparedCache(settings.data, tmp_path, said.append),
    )
    found = split(encode=lambda *_: [None, pair, None], described="two of three")
    assert (len(found), int(found.left_out[0])) == (12, 24)
    assert said[-1] == "train: 24 without an answer in the context are left out"
    with pytest.raises(LongsumError, match="nothing to learn from"):
        split(encode=lambda *_: [None], described="all")


@pytest.mark.usefixtures("corpus")
def test_a_classifier_is_trained_and_judges(prepared: Path, tmp_path: Path) -> None:
    said: list[str] = []
    recipe = recipe_of("claim_checking", prepared)
    settings = CLAIM_CHECKING.settings_of(recipe, {})
    found = CLAIM_CHECKING.train(recipe, settings, tmp_path / "out", say=said.append)
    # Two sentences a summary, and a number in each to swap where the document has another.
    assert any(each.startswith("train: 24 original, 0 negation, 0 entity") for each in said)
    assert 0 <= found["eval_balanced_accuracy"] <= 1
    assert "eval_accuracy_original" in found
    scorer = ClaimScorer.load(tmp_path / "out")
    assert scorer.model.config.id2label[scorer.label] == "CORRECT"
    assert 0 <= scorer.consistency("Ann paid 7.", "Ann paid 8.") <= 1


@pytest.mark.usefixtures("corpus")
def test_the_head_of_a_checkpoint_is_new_and_the_rest_is_not(tokenizer, prepared, tmp_path) -> None:
    torch.manual_seed(0)
    config = BertConfig(vocab_size=len(tokenizer), pad_token_id=1, **SIZES)
    start = BertForMaskedLM(config)
    start.save_pretrained(tmp_path / "start")
    tokenizer.save_pretrained(tmp_path / "start")
    for run in (SPAN_ANSWERING, CLAIM_CHECKING):
        recipe = recipe_of(run.kind, prepared, checkpoint=str(tmp_path / "start"), model={})
        model = run.build(run.settings_of(recipe, {}), tokenizer)
        own = model.bert.embeddings.word_embeddings.weight
        assert own.equal(start.bert.embeddings.word_embeddings.weight)
    assert model.config.id2label == {0: "CORRECT", 1: "INCORRECT"}


@pytest.mark.usefixtures("corpus")
def test_frozen_layers_do_not_learn(tokenizer: PreTrainedTokenizerFast, prepared: Path) -> None:
    sizes = {"model": {**SIZES, "num_hidden_layers": 3}}
    recipe = recipe_of("claim_checking", prepared, **sizes, frozen_layers=2)
    model = CLAIM_CHECKING.build(CLAIM_CHECKING.settings_of(recipe, {}), tokenizer)
    learning = {name for name, weight in model.named_parameters() if weight.requires_grad}
    assert {name.split(".")[1] for name in learning if name.startswith("bert.")} == {
        "encoder",
        "pooler",
    }
    assert all(name.startswith("bert.encoder.layer.2.") for name in learning if "layer" in name)
    recipe = recipe_of("claim_checking", prepared, **sizes, frozen_layers=4)
    with pytest.raises(LongsumError, match="has 3 layers, fewer than the 4"):
        CLAIM_CHECKING.build(CLAIM_CHECKING.settings_of(recipe, {}), tokenizer)


def test_batches_are_padded_on_the_right() -> None:
    one = {"input_ids": [5, 6, 7], "token_type_ids": [0, 1, 1], "targets": [1, 2]}
    other = {"input_ids": [5], "token_type_ids": [0], "targets": [0, 0]}
    batch = collate_spans([one, other], pad=9)  # type: ignore[list-item]
    assert batch["input_ids"].tolist() == [[5, 6, 7], [5, 9, 9]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
    assert batch["start_positions"].tolist() == [1, 0]
    assert batch["end_positions"].tolist() == [2, 0]
    claims = collate_claims([one, other], pad=9, original=4, corrupted=3)  # type: ignore[list-item]
    assert claims["kinds"].tolist() == [1, 0]
    assert claims["labels"].tolist() == [3, 4]


def test_sums_of_a_batch_by_hand() -> None:
    def answers(**_: object) -> SimpleNamespace:
        # Places 1, 0, 1 and 1, 1, 0 are the most likely.
        start, end = torch.eye(2)[[1, 0, 1]], torch.eye(2)[[1, 1, 0]]
        return SimpleNamespace(loss=torch.tensor(0.5), start_logits=start, end_logits=end)

    batch = {"input_ids": torch.zeros(3, 4), "start_positions": torch.tensor([1, 0, 0])}
    batch["end_positions"] = torch.tensor([1, 0, 0])
    assert SpanTrainer.sums(answers, batch).tolist() == [1.5, 1, 3]
    assert SpanTrainer.named(None, [0.5, 0.25, 1]) == {"loss": 0.5, "exact": 0.25}  # type: ignore[arg-type]
    assert SpanTrainer.targets(None, batch).tolist() == [3]  # type: ignore[arg-type]

    def judge(**given: object) -> SimpleNamespace:
        assert "kinds" not in given
        return SimpleNamespace(loss=torch.tensor(0.5), logits=torch.eye(2)[[0, 0, 1]])

    claims = {"kinds": torch.tensor([0, 2, 2]), "labels": torch.tensor([0, 1, 1])}
    rightly, total = [1.0, 0, 1, 0, 0, 0, 0], [1.0, 0, 2, 0, 0, 0, 0]
    assert ClaimTrainer.sums(judge, claims).tolist() == [1.5, *rightly, *total, 3]


def test_accuracy_is_balanced_over_labels() -> None:
    # Of 4 original claims 1 is judged rightly; of 6 corrupted ones 3 of 3, 0 of 1 and 1 of 2.
    rightly, total = [1, 3, 0, 1, 0, 0, 0], [4, 3, 1, 2, 0, 0, 0]
    named = ClaimTrainer.named(None, [0.5, *(n / 10 for n in (*rightly, *total))])  # type: ignore[arg-type]
    assert named["balanced_accuracy"] == pytest.approx((1 / 4 + 4 / 6) / 2)
    found = [named[f"accuracy_{kind}"] for kind in ("original", *PAPER_KINDS)]
    assert found == pytest.approx([0.25, 1, 0, 0.5])
    assert "accuracy_predicate" not in named
