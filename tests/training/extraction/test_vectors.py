from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from longsum.models.extractive.extractor_layers import initialise
from longsum.models.extractive.extractor_settings import SentenceEncoderConfig
from longsum.models.extractive.sentence_encoder import SentenceEncoder
from longsum.tasks.extraction.prepared_units import ExtractionSplit
from longsum.training.extraction import vectors
from longsum.training.extraction.vectors import text_vectors


@pytest.fixture
def encoder(pieces: Tokenizer) -> SentenceEncoder:
    config = SentenceEncoderConfig(
        vocabulary=pieces.get_vocab_size(),
        size=8,
        layers=1,
        heads=2,
        feed_forward=8,
        positions=24,
        representation="mean",
    )
    torch.manual_seed(0)
    made = SentenceEncoder(config)
    initialise(made, 0.5)
    return made


def test_each_text_has_the_vector_that_it_has_alone(
    encoder: SentenceEncoder,
    split: ExtractionSplit,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(vectors, "tokens_at_once", lambda _: 100)
    found = text_vectors(encoder.train(), split, tmp_path, bf16=False)
    assert found.shape == (len(split.text_ends), 8)
    starts = np.concatenate([[0], split.text_ends[:-1]])
    with torch.no_grad():
        for row in range(0, len(starts), 9):
            text = split.tokens[starts[row] : split.text_ends[row]].astype(np.int64)
            alone = encoder.eval()(torch.from_numpy(text)[None], torch.tensor([len(text)]))
            assert found[row] == pytest.approx(alone[0].numpy(), abs=2e-3)


def test_vectors_are_kept_for_the_same_encoder_and_texts_alone(
    encoder: SentenceEncoder, split: ExtractionSplit, tmp_path: Path
) -> None:
    said: list[str] = []

    def vectors_of(texts: ExtractionSplit, bf16: bool = False) -> None:
        text_vectors(encoder, texts, tmp_path, bf16=bf16, say=said.append)

    vectors_of(split)
    assert said == [f"encoding {len(split.text_ends):,} sentences"]
    vectors_of(split)
    assert len(said) == 1
    vectors_of(replace(split, tokens=split.tokens[::-1].copy()))
    vectors_of(split, bf16=True)
    with torch.no_grad():
        encoder.embedding.norm.bias[0] += 1
    vectors_of(split)
    assert len(said) == 4
    assert not list(tmp_path.glob("*.part.npy"))
