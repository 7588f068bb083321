from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import load_file

from longsum.core.recipes import Recipe
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.networks.seq2seq.convert_checkpoints import is_new
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.training import measure
from longsum.models.training.run_seq2seq import SEQ2SEQ, LongsumSeq2SeqTrainer, build_model
from longsum.models.training.run_settings import OptimizationConfig
from longsum.models.training.trainer import training_arguments
from longsum.models.training.training_dataset import TrainingDataset, collate


def trainer_of(
    model,
    settings,
    split: PreparedSplit,
    folder: Path,
    *,
    evaluate_every: int = 99,
    best: str | None = None,
    **more,
) -> LongsumSeq2SeqTrainer:
    arguments = training_arguments(
        folder, settings.training, save_every=99, evaluate_every=evaluate_every, best=best
    )
    return LongsumSeq2SeqTrainer(
        *(model, arguments, TrainingDataset(split, 96), TrainingDataset(split, 96)),
        settings=settings.training,
        collate=partial(collate, pad=1),
        metrics=folder / "metrics.jsonl",
        **more,
    )


def spans_after_training(
    recipe: Recipe, split: PreparedSplit, tokenizer, folder: Path, span_loss: float
) -> torch.Tensor:
    model = {"encoder_attention": {"kind": "adaptive_span", "window": 32, "span_ramp": 4}}
    training = {"steps": 3, "precision": "fp32", "clip": 0, "span_loss": span_loss}
    settings = SEQ2SEQ.settings_of(recipe, {"model": model, "training": training})
    torch.manual_seed(0)
    model = build_model(settings, tokenizer)
    attentions = [part for part in model.modules() if isinstance(part, AdaptiveSpanAttention)]
    with torch.no_grad():
        for part in attentions:
            part.span.fill_(0.015)
    trainer_of(model, settings, split, folder).train()
    return torch.cat([part.span.detach() for part in attentions])


def test_settings_are_those_of_the_trainer(tmp_path: Path) -> None:
    settings = OptimizationConfig(
        *(400, 3, 5, "adamw", 0.02, "cosine", 7, 0.3, (0.8, 0.95), 0.7),
        precision="fp32",
        workers=2,
        seed=11,
    )
    given = training_arguments(tmp_path, settings, save_every=40, evaluate_every=30)
    assert (given.max_steps, given.warmup_steps, given.seed) == (400, 7, 11)
    assert (given.per_device_train_batch_size, given.per_device_eval_batch_size) == (3, 3)
    assert (given.gradient_accumulation_steps, given.dataloader_num_workers) == (5, 2)
    assert (given.optim, given.lr_scheduler_type) == ("adamw_torch", "cosine")
    assert (given.learning_rate, given.weight_decay, given.max_grad_norm) == (0.02, 0.3, 0.7)
    assert (given.adam_beta1, given.adam_beta2) == (0.8, 0.95)
    assert (given.eval_strategy, given.eval_steps, given.save_steps) == ("steps", 30, 40)
    assert (given.bf16, given.report_to, given.save_total_limit) == (False, [], 2)
    # Twenty lines of the log, but no fewer than one in 50 updates.
    assert given.logging_steps == 20
    few, many = (replace(settings, steps=steps) for steps in (9, 4000))
    assert training_arguments(tmp_path, few, save_every=1, evaluate_every=1).logging_steps == 1
    best = training_arguments(tmp_path, many, save_every=40, evaluate_every=30, best="rouge2")
    assert (best.logging_steps, best.save_steps, best.metric_for_best_model) == (50, 30, "rouge2")
    assert best.load_best_model_at_end
    assert not given.load_best_model_at_end


def test_spans_stay_in_their_bounds_and_shrink_when_they_cost(
    recipe, split, tokenizer, tmp_path
) -> None:
    free = spans_after_training(recipe, split, tokenizer, tmp_path / "free", 0.0)
    dear = spans_after_training(recipe, split, tokenizer, tmp_path / "dear", 100.0)
    for spans in (free, dear):
        assert ((spans >= 0) & (spans <= 1)).all()
    # Three updates of 0.01 take 0.015 below 0, where it is held.
    assert (dear == 0).all()
    assert (free > 0).any()


def test_new_parts_learn_at_a_rate_of_their_own(recipe, split, tokenizer, tmp_path) -> None:
    overrides = {"model": {"encoder_bias": {"kind": "hibrids"}}, "training": {"new_rate": 30}}
    settings = SEQ2SEQ.settings_of(recipe, overrides)
    model = build_model(settings, tokenizer)
    optimizer = trainer_of(model, settings, split, tmp_path).create_optimizer()
    rates = {id(each): group["lr"] for group in optimizer.param_groups for each in group["params"]}
    named = dict(model.named_parameters())
    assert rates.keys() == {id(each) for each in named.values()}
    assert {rates[id(each)] for name, each in named.items() if is_new(name)} == {0.3}
    assert {rates[id(each)] for name, each in named.items() if not is_new(name)} == {0.01}


def test_the_weights_with_the_best_rouge_are_kept(recipe, split, tokenizer, tmp_path) -> None:
    training = {"steps": 4, "precision": "fp32", "optimizer": "adafactor"}
    settings = SEQ2SEQ.settings_of(recipe, {"training": training})
    model = build_model(settings, tokenizer)
    scores = iter([0.1, 0.4, 0.4, 0.0])
    how = {"evaluate_every": 1, "best": "rouge2", "extra": lambda _: {"rouge2": next(scores)}}
    trainer = trainer_of(model, settings, split, tmp_path, **how)
    trainer.train()
    assert trainer.accelerator.even_batches
    best, last = (
        load_file(next((tmp_path / f"checkpoint-{number}" / "weights").iterdir()))
        for number in (2, 4)
    )
    kept = model.state_dict()
    assert all(torch.equal(kept[name], weight) for name, weight in best.items())
    assert not all(torch.equal(kept[name], weight) for name, weight in last.items())


def test_rouge_is_a_mean_over_documents(recipe, split, tokenizer, monkeypatch) -> None:
    model = build_model(SEQ2SEQ.settings_of(recipe, {}), tokenizer)
    dataset = TrainingDataset(split, 96)
    written = ["Rivers and railways.", "Nothing of it"]
    monkeypatch.setattr(measure, "write_all", lambda *_args, **_settings: written)
    assert measure.mean_rouge2(model, tokenizer, dataset, batch=2) == {"rouge2": 0.5}
