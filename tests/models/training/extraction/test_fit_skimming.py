"""Rough vectors are fitted to an extractor's training texts."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.encoder.networks import load_network
from longsum.core.model_files.folders import ModelFolder
from longsum.documents import Document
from longsum.evaluation.datasets import Example
from longsum.models.networks.extractive.extractor_files import save_extractor
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.training.card import RECORD
from longsum.models.training.documents import DataPart, UsedData, save_used
from longsum.models.training.extraction import fit_skimming as fitting
from longsum.models.training.extraction.fit_skimming import fit_skimming

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", *(f"word{n}" for n in range(60))]
Loaded = list[DataPart]


@pytest.fixture
def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, "[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


@pytest.fixture
def folder(tmp_path) -> ModelFolder:
    torch.manual_seed(0)
    sentences = SentenceEncoderConfig(
        len(WORDS), 8, layers=1, heads=2, feed_forward=8, positions=64, representation="mean"
    )
    documents = DocumentEncoderConfig(1, 8, positions="none")
    save_extractor(Hibert(HibertConfig(True, sentences, documents)), tmp_path / "model")
    return ModelFolder.of(tmp_path / "model")


def a_document(seed: int) -> Document:
    random = np.random.default_rng(seed)
    said = (" ".join(random.choice(WORDS[4:], 7)).capitalize() for _ in range(60))
    return document_of(*(f"{each}." for each in said), title=f"Document {seed}")


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> Loaded:
    """Give each data set ten documents, and record the requests."""
    asked: Loaded = []

    def load(part: DataPart) -> Iterator[Example]:
        asked.append(part)
        for seed in range(10):
            yield Example(str(seed), a_document(seed), (), part.split, "", {})

    monkeypatch.setattr(fitting, "load_part", load)
    return asked


def record(folder: ModelFolder, **shippable: int) -> None:
    """Write down that an extractor learned from ten documents of each set."""
    used = [UsedData(name, "train", 10, 10, free) for name, free in shippable.items()]
    measured = UsedData("ami", "validation", 10, 10, 0)
    save_used([*used, measured], folder.path / RECORD)


def test_texts_of_all_training_sets_are_mapped_near_their_vectors(
    folder, tokenizer, loaded
) -> None:
    record(folder, qmsum=10, gov_reports_examples=10)
    assert load_network(folder, "fp32").rough is None
    fit_skimming(folder, tokenizer, texts=600)
    # Free documents alone were learned from; the second set has a split of another name.
    assert loaded == [
        DataPart("qmsum", "train", shippable=True),
        DataPart("gov_reports_examples", "examples", shippable=True),
    ]
    network = load_network(folder, "fp32")
    assert network.rough is not None
    random = np.random.default_rng(99)
    unseen = [np.array([1, *random.integers(4, 64, 8), 2], dtype=np.int32) for _ in range(50)]
    vectors, rough = network.encode(unseen), network.rough(unseen)
    apart = np.square(rough - vectors).sum()
    assert apart < 0.5 * np.square(vectors - vectors.mean(axis=0)).sum()


def test_a_model_trained_on_closed_documents_may_read_them_again(folder, tokenizer, loaded) -> None:
    record(folder, qmsum=9)
    fit_skimming(folder, tokenizer, texts=50)
    assert loaded == [DataPart("qmsum", "train")]


def test_without_training_documents_on_record_a_model_is_refused(folder, tokenizer) -> None:
    with pytest.raises(LongsumError, match=r"has no documents\.json"):
        fit_skimming(folder, tokenizer)
    record(folder)
    with pytest.raises(LongsumError, match="names no training documents"):
        fit_skimming(folder, tokenizer)


def test_few_texts_of_any_document(folder, tokenizer, loaded, monkeypatch) -> None:
    record(folder, qmsum=10)
    counts, taken = [], fitting.texts_of

    def texts_of(document: Document) -> list[np.ndarray]:
        counts.append(len(taken(document)))
        return taken(document)

    monkeypatch.setattr(fitting, "texts_of", texts_of)
    fit_skimming(folder, tokenizer, texts=100)
    # Forty of sixty sentences each, twice, and the rest of the hundred.
    assert counts == [60, 60, 60]
    assert loaded
