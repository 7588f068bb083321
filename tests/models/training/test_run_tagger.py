from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score
from transformers import PreTrainedTokenizerFast

from interrupted import logged
from longsum.common.errors import LongsumError
from longsum.core.recipes import Recipe, load_recipe
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from longsum.models.networks.tagger import LongsumTagger, LongsumTaggerConfig, load_tagger
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.source import SourceFormat
from longsum.models.tasks.task import Pair
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.training.measure import generate_all
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.run_tagger import BINS, TAGGER, ranking_scores
from longsum.models.training.tagged import tagged, with_test_importance
from longsum.models.training.training_dataset import TrainingDataset, collate
from tiny_sizes import tiny_sizes
from training_fixtures import tiny

SIZES = tiny_sizes(16, 2, (32, 16), layers=(2, 1), positions=(400, 32))
TOP_DOWN = {"layers": 1, "segment_layers": 1, "kernel": 8, "stride": 6}


@pytest.fixture(scope="session")
def labelled(small, example, tokenizer) -> PreparedSplit:
    pairs = [
        Pair(small, "Rivers flood the valley; railways cross it."),
        Pair(example, "Coins are mined by machines that use electricity."),
    ]
    return prepare(pairs, tokenizer, SourceFormat(150), target_tokens=20, importance=True)


def tagger_of(tokenizer: PreTrainedTokenizerFast, **more) -> LongsumTagger:
    torch.manual_seed(0)
    return LongsumTagger(LongsumTaggerConfig(vocab_size=len(tokenizer), **SIZES, **more))


@given(
    st.lists(st.tuples(st.integers(0, BINS - 1), st.integers(0, 1)), min_size=1).filter(
        lambda pairs: any(label for _, label in pairs)
    )
)
def test_scores_are_scikit_learns(pairs: list[tuple[int, int]]) -> None:
    steps, labels = np.array(pairs).T
    counts = np.bincount(steps + BINS * labels, minlength=2 * BINS) / len(pairs)
    found = ranking_scores(counts)
    assert found["average_precision"] == pytest.approx(average_precision_score(labels, steps))
    assert found["f1"] == pytest.approx(f1_score(labels, steps >= BINS // 2))
    # Where nothing is important, nothing is scored.
    assert ranking_scores(np.arange(2 * BINS) == 7) == {"f1": 0.0, "average_precision": 0.0}


def test_importance_is_padded_as_its_source(labelled: PreparedSplit) -> None:
    dataset = TrainingDataset(labelled, 150, importance="oracle")
    short = {name: column[:40] for name, column in dataset[0].items()}
    batch = collate([short, dataset[1]], pad=1)
    assert batch["importance"].shape == batch["input_ids"].shape
    assert batch["importance"].dtype == torch.float32
    assert batch["importance"][0, 40:].eq(0).all()
    assert batch["importance"][1].tolist() == labelled.weights(1, 150).tolist()
    assert "importance" not in collate([TrainingDataset(labelled, 150)[0]], pad=1)


def test_examples_without_importance(split, labelled, tokenizer) -> None:
    with pytest.raises(LongsumError, match="no importance"):
        TrainingDataset(split, 100, importance="oracle")
    gaps = GapSentences(100, 20, tokenizer.mask_token_id, 0.2, seed=1)
    with pytest.raises(LongsumError, match="gap_sentences=0"):
        TrainingDataset(labelled, 100, gaps, 1.0, importance="tagger")


def test_a_tagger_gives_importance_at_test_time(labelled, tokenizer, tmp_path) -> None:
    tagger = tagger_of(tokenizer).eval()
    tagger.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    task = TaskConfig(importance="tagger", tagger=str(tmp_path))
    found = with_test_importance(labelled, task, tokenizer, batch=2)
    assert not found.labelled
    ids = torch.from_numpy(found.ids[found.source(1)].astype(np.int64))[None]
    expected = tagger(ids).logits[0].sigmoid().detach().numpy()
    np.testing.assert_allclose(found.importance[found.source(1)], expected, atol=1e-6)
    oracle = TaskConfig(importance="oracle")
    assert with_test_importance(labelled, oracle, tokenizer, batch=2) is labelled
    with pytest.raises(LongsumError, match=r"task\.tagger"):
        with_test_importance(labelled, TaskConfig(importance="tagger"), tokenizer, batch=2)


def test_a_model_with_a_tagger_does_not_read_labels(labelled, tokenizer) -> None:
    torch.manual_seed(0)
    config = LongsumSeq2SeqConfig(
        vocab_size=len(tokenizer), **SIZES, top_down={**TOP_DOWN, "pooling": "adaptive"}
    )
    model = LongsumForConditionalGeneration(config).eval()
    write = partial(generate_all, model, batch=2, pad=1, max_new_tokens=5, num_beams=2)
    with pytest.raises(LongsumError, match="reference"):
        write(TrainingDataset(labelled, 150, importance="tagger"))
    probabilities = tagged(labelled, tagger_of(tokenizer).eval(), batch=2, pad=1)
    told = write(TrainingDataset(probabilities, 150, importance="tagger"))
    assert len(told) == len(write(TrainingDataset(labelled, 150, importance="oracle"))) == 2
    with pytest.raises(LongsumError, match="importance"):
        write(TrainingDataset(labelled, 150))


@pytest.fixture
def tagging_recipe(prepared) -> Recipe:
    settings = tiny(
        model={**SIZES, "top_down": TOP_DOWN},
        task={"source_tokens": 96, "importance": "oracle"},
        data={**tiny()["data"], "prepared": str(prepared)},
        training={**tiny()["training"], "steps": 4},
        evaluate_every=2,
    )
    return Recipe("tiny-tagger", "For tests", "none", "tagger", settings, state="train first")


@pytest.mark.usefixtures("corpus")
def test_trains_and_is_saved(tagging_recipe: Recipe, tmp_path) -> None:
    settings = TAGGER.settings_of(tagging_recipe, {})
    found = TAGGER.train(tagging_recipe, settings, tmp_path / "out")
    assert {"eval_loss", "eval_f1", "eval_average_precision"} <= set(found)
    measured = [loss for _, loss in logged(tmp_path / "out", "eval_loss")]
    assert len(measured) == 2
    assert measured[-1] == pytest.approx(found["eval_loss"])
    assert load_tagger(tmp_path / "out").config.top_down == TOP_DOWN


def test_labels_and_taggers_are_missed_before_anything_is_done(tagging_recipe, tmp_path) -> None:
    settings = TAGGER.settings_of(tagging_recipe, {"task": {"importance": None}})
    with pytest.raises(LongsumError, match=r"task\.importance=oracle"):
        TAGGER.train(tagging_recipe, settings, tmp_path / "none")
    recipe = load_recipe("top-down-adapool")
    with pytest.raises(LongsumError, match=r"task\.tagger"):
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, {}), tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.usefixtures("corpus")
@pytest.mark.slow
def test_a_model_that_reads_importance_needs_a_task_that_provides_it(
    recipe, tmp_path, prepared
) -> None:
    told = {"top_down": {**TOP_DOWN, "pooling": "adaptive"}}
    overrides = {"model": told, "data": {"prepared": str(prepared)}}
    with pytest.raises(LongsumError, match=r"set task\.importance"):
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, overrides), tmp_path / "none")
    overrides["task"] = {"importance": "oracle"}
    recipe = replace(recipe, name="told")
    found = SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, overrides), tmp_path / "told")
    assert found["eval_loss"] > 0
