"""Structure marks for tokenizers and models that were trained without them."""

import json

import pytest
import torch
from transformers import (
    AutoTokenizer,
    BartConfig,
    BartForConditionalGeneration,
    LEDConfig,
    LEDForConditionalGeneration,
    PreTrainedTokenizerFast,
)

from longsum.core.recipes import Recipe
from longsum.core.summaries import Budget
from longsum.core.systems.system import TreeOptions
from longsum.core.tree_makers import load_tree_maker
from longsum.models.networks.seq2seq import from_checkpoint, load_seq2seq
from longsum.models.tasks import tokens
from longsum.models.tasks.source import encode_source
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import STRUCTURE_TOKENS, train_tokenizer
from longsum.models.training.prepare_tokens import add_marks, embed_marks, marks_of
from longsum.models.training.run_seq2seq import SEQ2SEQ
from tiny_sizes import tiny_sizes

SIZES = {**tiny_sizes(16, 4, 16)}
QUESTIONS = {"<question>", "<up>", "<hold>", "<down>"}


@pytest.fixture
def plain(example, monkeypatch: pytest.MonkeyPatch) -> PreTrainedTokenizerFast:
    """A tokenizer with BART's control tokens alone."""
    with monkeypatch.context() as patched:
        patched.setattr(tokens, "STRUCTURE_TOKENS", ())
        return train_tokenizer([example.text], 500)


@pytest.mark.parametrize(
    ("task", "needed"),
    [
        ({"marks": "titles"}, set()),
        ({"marks": "sections"}, {"<section>", "<paragraph>"}),
        ({"marks": "tokens"}, {f"<depth{depth}>" for depth in range(6)} | {"<paragraph>"}),
        ({"kind": "question_hierarchy", "marks": "sections"}, QUESTIONS | {"<section>"}),
    ],
)
def test_marks_that_a_task_needs_are_added_at_the_end(plain, small, task, needed) -> None:
    before, settings = plain.get_vocab(), TaskConfig(source_tokens=200, **task)
    add_marks(plain, settings)
    after = plain.get_vocab()
    assert {mark: after[mark] for mark in before} == before
    assert set(after) - set(before) == set(marks_of(settings)) >= needed
    assert sorted(after.values()) == list(range(len(after)))
    assert plain.pad_token_id == 1
    question = "What is a <up>?" if "question" in settings.kind else ""
    ids = encode_source(small, plain, settings.source_format(), question).ids
    # A mark that stands in a text is text.
    assert after.get("<up>", -1) not in ids
    assert (max(ids) >= len(before)) == bool(needed)


def test_marks_that_are_there_stay_as_they_are(tokenizer: PreTrainedTokenizerFast) -> None:
    before = tokenizer.backend_tokenizer.to_str()
    add_marks(tokenizer, TaskConfig(kind="question_hierarchy", marks="tokens"))
    assert tokenizer.backend_tokenizer.to_str() == before


def bart(tokenizer: PreTrainedTokenizerFast):
    torch.manual_seed(0)
    config = BartConfig(**SIZES, vocab_size=len(tokenizer), max_position_embeddings=64)
    return from_checkpoint(BartForConditionalGeneration(config))


def test_new_embeddings_stand_behind_those_that_are_there(plain: PreTrainedTokenizerFast) -> None:
    held = len(plain)
    model, other = bart(plain), bart(plain)
    ids = torch.tensor([[0, 30, 40, 2]])
    labels = torch.tensor([[50, 60, 2]])
    old = model.get_input_embeddings().weight.detach().clone()
    before = model(input_ids=ids, labels=labels).logits
    add_marks(plain, TaskConfig(kind="question_hierarchy", marks="tokens"))
    embed_marks(model, plain, seed=3)
    torch.randn(5)
    embed_marks(other, plain, seed=3)
    rows = model.get_input_embeddings().weight
    assert rows.shape[0] == model.config.vocab_size == len(plain) == held + 11
    assert model.lm_head.weight is rows
    assert model.model.encoder.embed_tokens is model.model.decoder.embed_tokens
    assert torch.equal(rows[:held], old)
    assert torch.equal(rows, other.get_input_embeddings().weight)
    assert (rows[held:].mean(dim=0) - old.mean(dim=0)).abs().max() < 0.03
    assert len(rows[held:].unique(dim=0)) == 11
    after = model(input_ids=ids, labels=labels).logits
    torch.testing.assert_close(after[..., :held], before)
    assert model.generation_config.pad_token_id == 1


def test_a_model_with_a_row_for_each_token_stays_as_it_is(plain: PreTrainedTokenizerFast) -> None:
    model = bart(plain)
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    embed_marks(model, plain, seed=0)
    assert all(torch.equal(before[name], each) for name, each in model.state_dict().items())


def test_a_checkpoint_without_marks_learns_trees_and_questions(
    plain, small, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("LONGSUM_DATA_GOVREPORT_QS", str(tmp_path))
    why, where, above = (
        {"question": asked, "answer": answer, "child_questions": []}
        for asked, answer in (("Why?", "Coal."), ("Where?", "Here."), ("Do prices rise?", "Yes."))
    )
    above["child_questions"] = [why, where]
    section = {"section_title": "Prices", "paragraphs": ["They rose."], "subsections": []}
    record = {"sample_id": "a", "section": section, "questions": [above]}
    for split in ("train", "valid"):
        (tmp_path / f"{split}.jsonl").write_text(json.dumps(record), encoding="utf-8")
    start, result = tmp_path / "start", tmp_path / "result"
    places = dict.fromkeys(
        ("max_encoder_position_embeddings", "max_decoder_position_embeddings"), 64
    )
    config = LEDConfig(**SIZES, vocab_size=len(plain), attention_window=16, **places)
    LEDForConditionalGeneration(config).save_pretrained(start)
    plain.save_pretrained(start)
    task = {"kind": "question_hierarchy", "marks": "tokens", "overflow": "split"}
    settings = {
        "checkpoint": str(start),
        "model": {"encoder_bias": {"kind": "hibrids", "start": "zeros"}},
        "task": {**task, "source_tokens": 96, "target_tokens": 48},
        "data": {"names": "govreport_qs"},
        "training": {"steps": 40, "batch": 1, "optimizer": "adamw", "learning_rate": 0.03},
        **dict.fromkeys(("save_every", "evaluate_every"), 40),
    }
    recipe = Recipe("trees", "For tests", "none", "seq2seq", settings, state="train first")
    SEQ2SEQ.train(recipe, SEQ2SEQ.settings_of(recipe, {}), result)
    tokenizer = AutoTokenizer.from_pretrained(result)
    assert set(tokenizer.get_vocab()) - set(plain.get_vocab()) == {*STRUCTURE_TOKENS[:-1]}
    trained = load_seq2seq(result)
    assert trained.config.vocab_size == len(tokenizer)
    assert trained.config.pad_token_id == tokenizer.pad_token_id == 1
    options = TreeOptions(Budget(50), question="Do prices rise?")
    tree = load_tree_maker(str(result)).make(small, options)
    assert (tree.root.title, tree.root.text) == ("Do prices rise?", "Yes.")
    assert [node.title for node in tree.root.children] == ["Why?", "Where?"]
