"""Tiny models with random weights, in folders like those of users."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.documents.sentence_features import PLACES
from longsum.language.words import terms
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration, LongsumSeq2SeqConfig
from tiny_sizes import tiny_sizes

SIZES: dict[str, Any] = {
    **tiny_sizes(16, 4, 16, positions=(192, 160)),
    # Wide enough that the text varies.
    "init_std": 0.4,
}


@pytest.fixture(scope="session")
def words(small) -> Tokenizer:
    """A tokenizer of the document's words."""
    known = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *sorted(set(terms(small.text)))]
    vocabulary = {word: number for number, word in enumerate(known)}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, "[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def tiny_hibert(vocabulary: int, stepwise: bool = True, summary_layers: int = 1) -> Hibert:
    """Make a HiBERT of random weights, for a vocabulary of the given size."""
    torch.manual_seed(3)
    sentence_encoder = SentenceEncoderConfig(
        vocabulary, 16, layers=1, heads=2, feed_forward=16, positions=64, representation="mean"
    )
    document_encoder = DocumentEncoderConfig(
        2,
        16,
        summary_layers=summary_layers,
        positions="places",
        places=tuple(PLACES.values()),
        headings=True,
    )
    model = Hibert(HibertConfig(stepwise, sentence_encoder, document_encoder))
    for weight in model.parameters():
        # Wide enough that choices differ and depend on those before.
        torch.nn.init.normal_(weight, std=0.5)
    return model


@pytest.fixture(scope="session")
def tiny_network() -> Callable[..., Hibert]:
    return tiny_hibert


def special(tokenizer: PreTrainedTokenizerFast) -> dict[str, Any]:
    return {
        "vocab_size": len(tokenizer),
        "pad_token_id": tokenizer.pad_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "decoder_start_token_id": tokenizer.bos_token_id,
    }


@pytest.fixture(scope="session")
def make_model(
    tokenizer: PreTrainedTokenizerFast,
) -> Callable[..., LongsumForConditionalGeneration]:
    def make(**changes: Any) -> LongsumForConditionalGeneration:
        torch.manual_seed(1)
        ids = {**special(tokenizer), "bos_token_id": 0, "forced_eos_token_id": None}
        model = LongsumForConditionalGeneration(LongsumSeq2SeqConfig(**{**SIZES, **ids, **changes}))
        return model.eval()

    return make


def generated(model: Any, reading: Any, beams: int) -> list[int]:
    """Return what a model generates from a source, 5 to 12 tokens, without a cached encoding."""
    found: list[int] = model.generate(
        input_ids=reading.ids,
        attention_mask=torch.ones_like(reading.ids),
        num_beams=beams,
        min_new_tokens=5,
        max_new_tokens=12,
        **reading.sections,
    )[0].tolist()
    return found


@pytest.fixture(scope="session")
def folder(make_model, tokenizer, tmp_path_factory) -> Path:
    """A model whose heads read every other token."""
    path = tmp_path_factory.mktemp("models") / "tiny"
    make_model(cross_attention={"kind": "hepos", "stride": 2}).save_pretrained(path)
    tokenizer.save_pretrained(path)
    return path


def trained(path: Path, recipe: str = "mine", **task: Any) -> Path:
    """Write the training settings beside a model."""
    settings = {"checkpoint": None, "task": task}
    (path / "training.yaml").write_text(yaml.safe_dump({"recipe": recipe, "settings": settings}))
    return path


@pytest.fixture(scope="session")
def t5_folder(tokenizer, tmp_path_factory) -> Path:
    """A T5 that names its prefix and beams for summaries, as the public ones do."""
    torch.manual_seed(2)
    sizes = {"d_model": 16, "d_kv": 4, "d_ff": 16, "num_layers": 2, "num_heads": 4}
    model = T5ForConditionalGeneration(
        T5Config(**sizes, **special(tokenizer), initializer_factor=2.0)
    )
    path = tmp_path_factory.mktemp("models") / "t5"
    model.save_pretrained(path)
    tokenizer.save_pretrained(path)
    config = json.loads((path / "config.json").read_text())
    config["task_specific_params"] = {
        "summarization": {"prefix": "summarize: ", "num_beams": 2, "max_length": 200}
    }
    (path / "config.json").write_text(json.dumps(config))
    return path
