from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

from interrupted import interrupted, logged
from longsum.common.errors import LongsumError
from longsum.core.model_files.weight_files import has_plain_weights
from longsum.core.recipes import Recipe, load_recipe
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.training import run_seq2seq
from longsum.models.training.documents import PreparedCache
from longsum.models.training.measure import batches_of, token_loss, write_all
from longsum.models.training.prepare_tokens import save_tokens, tokenized_split
from longsum.models.training.run_seq2seq import SEQ2SEQ, LongsumSeq2SeqTrainer, _gap_sentences, runs
from longsum.models.training.training_dataset import TrainingDataset
from longsum.models.training.training_run import CHECKPOINTS, SAVED, SPLITS, claim


def test_settings_are_laid_over_those_of_the_data_set(recipe: Recipe) -> None:
    recipe = replace(
        recipe, data={"squality": {"task": {"target_tokens": 99}, "training": {"steps": 7}}}
    )
    assert SEQ2SEQ.settings_of(recipe, {}).task.target_tokens == 24
    settings = SEQ2SEQ.settings_of(recipe, {"data": "squality", "training": {"steps": 8}})
    assert settings.data.names == "squality"
    assert settings.task.target_tokens == 99
    assert settings.task.source_tokens == 96
    assert settings.training.steps == 8


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ({"trainig": {}}, "no field 'trainig'"),
        ({"training": {"step": 3}}, "training.step"),
        ({"task": {"section": "all"}}, "task.section"),
    ],
)
def test_wrong_settings(recipe: Recipe, overrides: dict, sentence: str) -> None:
    with pytest.raises(LongsumError, match=sentence):
        SEQ2SEQ.settings_of(recipe, overrides)


def test_settings_of_generation_are_laid_over_the_models_and_have_to_fit(
    recipe, tokenizer, monkeypatch
) -> None:
    model = SEQ2SEQ.build(SEQ2SEQ.settings_of(recipe, {}), tokenizer)
    model.generation_config.length_penalty = 0.5
    asked = []
    monkeypatch.setattr(run_seq2seq, "start_model", lambda *_, **more: asked.append(more) or model)
    given = {"generation": {"num_beams": 3}, "training": {"label_smoothing": 0.25}}
    assert SEQ2SEQ.build(SEQ2SEQ.settings_of(recipe, given), tokenizer) is model
    generation = model.generation_config
    assert (generation.num_beams, generation.length_penalty) == (3, 0.5)
    assert asked == [{"label_smoothing": 0.25}]
    wrong = SEQ2SEQ.settings_of(recipe, {"generation": {"num_beams": 1, "early_stopping": True}})
    with pytest.raises(LongsumError, match="settings of generation do not fit together: ") as told:
        SEQ2SEQ.build(wrong, tokenizer)
    assert "If you're using" not in str(told.value)
    monkeypatch.setattr(run_seq2seq, "reads_importance", lambda config: config is model.config)
    with pytest.raises(LongsumError, match="reads the importance of tokens"):
        SEQ2SEQ.build(SEQ2SEQ.settings_of(recipe, {}), tokenizer)


@pytest.mark.parametrize("kind", runs())
def test_nothing_to_train(kind: str) -> None:
    with pytest.raises(LongsumError, match="nothing to train"):
        runs()[kind].settings_of(load_recipe("kernels"), {})


@pytest.mark.usefixtures("corpus")
def test_resumes_with_the_same_losses(recipe, tmp_path, prepared, monkeypatch) -> None:
    gaps = {"data": {"prepared": str(prepared)}, "training": {"gap_sentences": 1.0}}
    settings = SEQ2SEQ.settings_of(recipe, gaps)
    whole = SEQ2SEQ.train(recipe, settings, tmp_path / "whole")
    losses = logged(tmp_path / "whole", "loss")
    assert [step for step, _ in losses] == [1, 2, 3, 4, 5, 6]
    with interrupted(monkeypatch, 5):
        SEQ2SEQ.train(recipe, settings, tmp_path / "broken")
    # A process was killed while it wrote the last one.
    left = tmp_path / "broken" / CHECKPOINTS / "checkpoint-6" / "weights" / "part"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half of it")
    told: list[tuple[int, int]] = []
    resumed = SEQ2SEQ.train(
        *(recipe, settings, tmp_path / "broken"), step=lambda *done: told.append(done)
    )
    assert resumed["eval_loss"] == whole["eval_loss"]
    assert told == [(3, 6), (4, 6), (5, 6), (6, 6)]
    assert not left.exists()
    # The card tells of twelve of the sixteen documents there are, and of four of six.
    for folder in ("whole", "broken"):
        card = (tmp_path / folder / "README.md").read_text(encoding="utf-8")
        assert "Learned from: 12 documents; all of them" in card
        assert "Measured on (validation): 4 documents; all of them" in card
    # The fourth step was logged and lost with the fifth; it stands there once.
    assert logged(tmp_path / "broken", "loss") == losses


@pytest.mark.usefixtures("corpus")
def test_the_result_is_a_model_like_any_other(recipe, tmp_path, prepared) -> None:
    settings = SEQ2SEQ.settings_of(recipe, {"data": {"prepared": str(prepared)}})
    metrics = SEQ2SEQ.train(recipe, settings, tmp_path / "run")
    model = AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "run")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "run")
    split = tokenized_split(
        settings, tokenizer, "validation", PreparedCache(settings.data, tmp_path)
    )
    dataset = TrainingDataset(split, 96, start=model.config.decoder_start_token_id)
    total, count = token_loss(model, batches_of(dataset, 3, 1, model.device)).tolist()
    # The trainer measures in bf16 where the machine computes in it.
    assert total / count == pytest.approx(metrics["eval_loss"], rel=5e-3)
    # Neither batches nor dropout, which goes on when training does, change what is written.
    together = write_all(model.train(), tokenizer, dataset, batch=4, max_new_tokens=8)
    apart = write_all(model.train(), tokenizer, dataset, batch=1, max_new_tokens=8)
    assert together == apart
    assert len(together) == 4
    assert not model.training
    assert {each.name for each in (tmp_path / "run").iterdir()} >= {
        *("README.md", "training.yaml", "metrics.jsonl", "documents.json", "checkpoints")
    }


@pytest.mark.usefixtures("corpus")
def test_a_model_that_is_half_written_is_none(recipe, tmp_path, prepared) -> None:
    def ended(model, tokens, folder: Path) -> None:
        save_tokens(model, tokens, folder)
        raise KeyboardInterrupt

    settings = SEQ2SEQ.settings_of(
        recipe, {"data": {"prepared": str(prepared)}, "training": {"steps": 1}}
    )
    with pytest.raises(KeyboardInterrupt):
        replace(SEQ2SEQ, save=ended).train(recipe, settings, tmp_path / "run")
    assert not has_plain_weights(tmp_path / "run")


@pytest.mark.usefixtures("corpus")
def test_gap_sentences_come_from_all_of_a_document(recipe, tokenizer, tmp_path) -> None:
    given = SEQ2SEQ.settings_of(recipe, {"training": {"gap_sentences": 1.0}})
    cache = PreparedCache(given.data, tmp_path)
    train, validation = (tokenized_split(given, tokenizer, name, cache) for name in SPLITS)
    longest = [np.diff(each.source_ends, prepend=0).max() for each in (train, validation)]
    assert longest[0] > 96 >= longest[1]
    # Of a longer one, as much as stands in the description of what is kept.
    kept = SimpleNamespace(split=lambda *told: told[2])
    described = tokenized_split(given, tokenizer, "train", kept)
    assert described[1]["source_tokens"] == 32_768
    training = given.training
    expected = GapSentences(96, 24, tokenizer.mask_token_id, training.gap_share, training.seed)
    assert _gap_sentences(given, tokenizer) == expected
    assert _gap_sentences(SEQ2SEQ.settings_of(recipe, {}), tokenizer) is None
    with pytest.raises(LongsumError, match="need a tokenizer with a mask token"):
        _gap_sentences(given, SimpleNamespace(mask_token_id=None))  # type: ignore[arg-type]


@pytest.mark.usefixtures("corpus")
def test_nothing_is_overwritten(recipe: Recipe, tmp_path: Path, prepared: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine", encoding="utf-8")
    settings = SEQ2SEQ.settings_of(recipe, {"data": {"prepared": str(prepared)}})
    for taken in (tmp_path, tmp_path / "letters.txt"):
        with pytest.raises(LongsumError, match="not an empty folder"):
            SEQ2SEQ.train(recipe, settings, taken)
    # What failed before it began is no run.
    with pytest.raises(LongsumError, match="no data set"):
        SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, {"data": "nowhere"}), tmp_path / "run")


def test_a_finished_model_without_checkpoints_is_not_replaced(recipe, tmp_path) -> None:
    claim(tmp_path, recipe, SEQ2SEQ.settings_of(recipe, {}))
    other = SEQ2SEQ.settings_of(recipe, {"training": {"seed": 9}})
    # Nothing but its settings is there yet.
    claim(tmp_path, recipe, other)
    (tmp_path / "model.safetensors").write_bytes(b"mine")
    with pytest.raises(LongsumError, match="other settings"):
        claim(tmp_path, recipe, SEQ2SEQ.settings_of(recipe, {}))
    # How often it is saved decides nothing.
    claim(tmp_path, recipe, SEQ2SEQ.settings_of(recipe, {"training": {"seed": 9}, "save_every": 3}))


def test_settings_saved_in_another_order_are_the_same(recipe: Recipe, tmp_path: Path) -> None:
    settings = SEQ2SEQ.settings_of(recipe, {})
    claim(tmp_path, recipe, settings)
    checkpoint = tmp_path / CHECKPOINTS / "checkpoint-1"
    (checkpoint / "weights").mkdir(parents=True)
    (checkpoint / "trainer_state.json").write_text("{}", encoding="utf-8")
    saved = tmp_path / SAVED
    text = saved.read_text(encoding="utf-8")
    saved.write_text(yaml.safe_dump(yaml.safe_load(text), sort_keys=True), encoding="utf-8")
    claim(tmp_path, recipe, settings)
    assert saved.read_text(encoding="utf-8") == text
    saved.write_text("{", encoding="utf-8")
    with pytest.raises(LongsumError, match="other settings"):
        claim(tmp_path, recipe, settings)


@pytest.mark.usefixtures("corpus")
def test_the_last_weights_are_kept_before_they_are_measured(
    recipe, tmp_path, prepared, monkeypatch
) -> None:
    settings = SEQ2SEQ.settings_of(recipe, {"data": {"prepared": str(prepared)}})
    # It is ended in the last measurement.
    sums = LongsumSeq2SeqTrainer.sums

    def ended(model, batch):
        if (tmp_path / "broken" / CHECKPOINTS / "checkpoint-6").exists():
            raise KeyboardInterrupt
        return sums(model, batch)

    with monkeypatch.context() as patched:
        patched.setattr(LongsumSeq2SeqTrainer, "sums", staticmethod(ended))
        with pytest.raises(KeyboardInterrupt):
            SEQ2SEQ.train(recipe, settings, tmp_path / "broken")
    steps: list[tuple[int, int]] = []
    told: list[tuple[int, int]] = []
    SEQ2SEQ.train(
        *(recipe, settings, tmp_path / "broken"),
        step=lambda *done: steps.append(done),
        measured=lambda *done: told.append(done),
    )
    assert steps == [(6, 6)]
    batches = told[0][1]
    assert told[-batches:] == [(number, batches) for number in range(1, batches + 1)]
