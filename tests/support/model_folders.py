"""Tiny models of every kind, in folders of their own."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    T5Config,
    T5ForConditionalGeneration,
)

from longsum.core.encoder.extractor_settings import read_settings
from longsum.core.loading import load_model
from longsum.models.networks.convolutional import LongsumConvolutional, LongsumConvolutionalConfig
from longsum.models.networks.extractive.extractor_files import build, load_extractor, save_extractor
from longsum.models.networks.pointer import LongsumPointerConfig, LongsumPointerGenerator
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    load_seq2seq,
)
from longsum.models.networks.tagger import LongsumTagger, load_tagger
from longsum.models.networks.words.vocabulary import Vocabulary
from longsum.models.networks.words.word_model_files import load_word_model, save_word_model
from tiny_sizes import tiny_sizes

SIZES = {"vocab_size": 31, **tiny_sizes(8, 2, 8)}


def seq2seq(path: Path) -> None:
    lengths = dict.fromkeys(("max_source_positions", "max_target_positions"), 16)
    config = LongsumSeq2SeqConfig(**SIZES, **lengths, top_down={"layers": 1, "segment_layers": 1})
    LongsumForConditionalGeneration(config).save_pretrained(path)


def tagger(path: Path) -> None:
    config = LongsumSeq2SeqConfig(**SIZES, max_source_positions=16)
    LongsumTagger.of(LongsumForConditionalGeneration(config)).save_pretrained(path)


def bart(path: Path) -> None:
    BartForConditionalGeneration(BartConfig(**SIZES, max_position_embeddings=16)).save_pretrained(
        path
    )


def t5(path: Path) -> None:
    sizes = {"vocab_size": 31, "d_model": 8, "d_kv": 4, "d_ff": 8, "num_layers": 2, "num_heads": 2}
    T5ForConditionalGeneration(T5Config(**sizes)).save_pretrained(path)


def words(kind: Any, config: Any) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        sizes = {"vocab_size": 9, "embedding_size": 4, "hidden_size": 4}
        save_word_model(kind(config(**sizes)), Vocabulary("abcde"), path)

    return make


def extractor(architecture: str, settings: dict[str, Any]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        save_extractor(build(architecture, read_settings(architecture, settings)), path)

    return make


SMALL = {"vocabulary": 31, "size": 8, "layers": 1, "heads": 2, "feed_forward": 8}
MAKERS: dict[str, Callable[[Path], None]] = {
    "seq2seq": seq2seq,
    "tagger": tagger,
    "bart": bart,
    "t5": t5,
    "pointer": words(LongsumPointerGenerator, LongsumPointerConfig),
    "convolutional": words(LongsumConvolutional, LongsumConvolutionalConfig),
    "hibert": extractor(
        "hibert",
        {
            "sentence_encoder": {**SMALL, "positions": 16},
            "document_encoder": {"layers": 1, "feed_forward": 8, "sentences": 16, "plan": 4},
        },
    ),
    "etc": extractor("etc", {**SMALL, "radius": 4}),
    "flat": extractor("flat", {"encoder": {**SMALL, "positions": 16}}),
}
LOADERS: dict[str, Callable[[Path], object]] = {
    "seq2seq": load_seq2seq,
    "tagger": load_tagger,
    "bart": load_seq2seq,
    "t5": load_model,
    "pointer": lambda path: load_word_model(path, LongsumPointerGenerator),
    "convolutional": lambda path: load_word_model(path, LongsumConvolutional),
    **dict.fromkeys(("hibert", "etc", "flat"), load_extractor),
}


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str], Path]:
    """Make the folder of a tiny model of a kind."""

    def make(kind: str) -> Path:
        path = tmp_path / kind
        path.mkdir()
        for name, content in _files(kind).items():
            (path / name).write_bytes(content)
        return path

    return make


@cache
def _files(kind: str) -> dict[str, bytes]:
    with TemporaryDirectory() as folder:
        torch.manual_seed(0)
        MAKERS[kind](Path(folder))
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.fixture
def load() -> Callable[[str, Path], object]:
    """Load the model of a kind from a folder."""
    return lambda kind, path: LOADERS[kind](path)
