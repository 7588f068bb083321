import json
from functools import partial

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    AutoModelForSeq2SeqLM,
    AutoTokenizer,
    BartConfig,
    BartForConditionalGeneration,
    LEDConfig,
    LEDForConditionalGeneration,
)

from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, load_seq2seq
from tiny_sizes import tiny_sizes

SIZES = {"vocab_size": 61, **tiny_sizes(16, 4, 8)}
WORDS = ("<s>", "<pad>", "</s>", "<unk>", "rivers", "run")


@pytest.fixture(scope="module")
def bart(tmp_path_factory):
    """Make a BART like public ones: without tokenizer_config.json, and with unwanted code."""
    folder = tmp_path_factory.mktemp("bart")
    torch.manual_seed(0)
    model = BartForConditionalGeneration(BartConfig(**SIZES, max_position_embeddings=24))
    model.generation_config.num_beams = 3
    model.save_pretrained(folder)
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, "<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "modeling_bart.py").write_text("raise SystemExit('run')")
    return folder


@pytest.fixture(scope="module")
def led(tmp_path_factory):
    folder = tmp_path_factory.mktemp("led")
    torch.manual_seed(0)
    config = LEDConfig(
        **SIZES,
        attention_window=[4, 8],
        max_encoder_position_embeddings=32,
        max_decoder_position_embeddings=16,
    )
    LEDForConditionalGeneration(config).save_pretrained(folder)
    return folder


@pytest.fixture
def run(run):
    return partial(run, "convert")


def settings(folder):
    return json.loads((folder / "config.json").read_text(encoding="utf-8"))


def test_a_bart_learns_to_read_long(run, bart, tmp_path):
    target = tmp_path / "long"
    status, out, err = run(
        bart,
        target,
        "max_source_positions=96",
        "encoder_attention.window=8",
        "cross_attention.kind=hepos",
    )
    assert (status, err) == (0, "")
    assert out.splitlines()[0].split() == ["written", "to", str(target)]
    assert "96 tokens" in out
    assert "encoder attention 2 × pattern window 8" in " ".join(out.split())
    assert [entry.name for entry in tmp_path.iterdir()] == ["long"]
    ids = torch.randint(4, 61, (1, 90), generator=torch.Generator().manual_seed(1))
    target_ids = torch.full((1, 4), 5)
    with torch.no_grad():
        found = load_seq2seq(target)(ids, decoder_input_ids=target_ids).logits
        auto = AutoModelForSeq2SeqLM.from_pretrained(target).eval()
        expected = load_seq2seq(
            bart,
            max_source_positions=96,
            encoder_attention={"kind": "pattern", "window": 8},
            cross_attention={"kind": "hepos"},
        )(ids, decoder_input_ids=target_ids).logits
        assert torch.equal(auto(ids, decoder_input_ids=target_ids).logits, found)
    assert isinstance(auto, LongsumForConditionalGeneration)
    assert torch.equal(found, expected)
    assert auto.generation_config.num_beams == 3


def test_data_travels_and_programs_do_not(run, bart, tmp_path):
    assert run(bart, tmp_path, "max_source_positions=96")[0] == 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    theirs, ours = AutoTokenizer.from_pretrained(bart), AutoTokenizer.from_pretrained(tmp_path)
    assert type(ours) is type(theirs)
    assert ours("rivers run").input_ids == theirs("rivers run").input_ids
    assert ours.pad_token == "<pad>"
    # Else it would go on cutting sources where the old model ended.
    assert ours.model_max_length == 96


@pytest.mark.parametrize(
    ("word", "attention"),
    [
        ("encoder_attention.window=2", {"kind": "pattern", "window": 2, "global_tokens": 1}),
        ("encoder_attention.kind=full", {"kind": "full"}),
        ('encoder_attention={"kind": "lsh", "chunk": 4}', {"kind": "lsh", "chunk": 4}),
    ],
)
def test_changes_of_an_attention(run, led, tmp_path, word, attention):
    assert run(led, tmp_path, word)[0] == 0
    assert settings(tmp_path)["encoder_attention"] in (attention, [attention] * 2)


def test_our_own_model_again_and_the_same_seed_twice(run, led, tmp_path):
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    assert run(led, first)[0] == 0
    words = ["cross_attention.kind=linformer", "cross_attention.projected=4", "--seed", 7]
    assert run(first, second, *words)[0] == 0
    assert run(led, third, *words)[0] == 0
    assert settings(second) == settings(third)
    weights = [(folder / "model.safetensors").read_bytes() for folder in (second, third)]
    assert weights[0] == weights[1]


def test_special_tokens_reach_generation(run, bart, tmp_path):
    assert run(bart, tmp_path, "forced_eos_token_id=null", "decoder_start_token_id=4")[0] == 0
    found = load_seq2seq(tmp_path).generation_config
    assert (found.forced_eos_token_id, found.decoder_start_token_id) == (None, 4)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["window=4"], "no setting 'window'"),
        (["encoder_attention.window=3"], "no two equal sides"),
        (["encoder_attention.kind=magic"], "encoder_attention.kind cannot be 'magic'"),
        (["position_extension=stretch", "max_source_positions=99"], "extended by 'stretch'"),
        (["max_source_positions"], "write key=value"),
    ],
)
def test_errors_that_users_can_correct(refused, bart, tmp_path, words, says):
    refused(says, bart, tmp_path / "new", *words)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(run, bart, tmp_path):
    (tmp_path / "mine").write_text("precious")
    for target, says in (
        (tmp_path, "not empty"),
        (tmp_path / "mine", "is a file"),
        (tmp_path / "no" / "where", "does not exist"),
    ):
        status, _, err = run(bart, target)
        assert (status, says in err) == (2, True), err
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine"]
    assert (tmp_path / "mine").read_text() == "precious"


def test_contradictory_settings_of_generation(run, bart, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    for name in ("config.json", "model.safetensors"):
        (source / name).write_bytes((bart / name).read_bytes())
    text = json.dumps({"num_beams": 1, "length_penalty": 2.0})
    (source / "generation_config.json").write_text(text)
    status, _, err = run(source, tmp_path / "new")
    assert status == 2
    assert "settings for generation contradict each other" in err
    assert [entry.name for entry in tmp_path.iterdir()] == ["source"]
