from dataclasses import replace

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer

from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, initialise
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.extraction import vectors
from longsum.models.training.extraction.vectors import TextVectors, text_vectors


@pytest.fixture
def encoder(pieces: Tokenizer) -> SentenceEncoder:
    config = SentenceEncoderConfig(
        pieces.get_vocab_size(), 8, 1, 2, feed_forward=8, positions=24, representation="mean"
    )
    torch.manual_seed(0)
    made = SentenceEncoder(config)
    initialise(made, 0.5)
    return made


def test_each_text_has_the_vector_that_it_has_alone(encoder, split, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(vectors, "_AT_ONCE", 40)
    found = text_vectors(encoder.train(), split, tmp_path, bf16=False)
    assert found[:].shape == (len(found), 8) == (len(split.text_ends), 8)
    assert (found[5:99] == found[:][5:99]).all()
    starts = np.concatenate([[0], split.text_ends[:-1]])
    with torch.no_grad():
        for row in range(0, len(starts), 9):
            text = split.tokens[starts[row] : split.text_ends[row]].astype(np.int64)
            alone = encoder.eval()(torch.from_numpy(text)[None], torch.tensor([len(text)]))
            assert found[row : row + 1][0] == pytest.approx(alone[0].numpy(), abs=2e-3)


def test_only_texts_that_no_earlier_run_encoded_are_encoded(encoder, split, tmp_path) -> None:
    said: list[str] = []

    def vectors_of(texts: ExtractionSplit, bf16: bool = False) -> TextVectors:
        return text_vectors(encoder, texts, tmp_path, bf16=bf16, say=said.append)

    starts = [0, *split.text_ends[:-1]]
    texts = [split.tokens[a:b].tobytes() for a, b in zip(starts, split.text_ends, strict=True)]
    everything = f"encoding {len(set(texts)):,} texts"
    before = vectors_of(split)
    assert said == [everything]
    changed = split.tokens.copy()
    changed[starts[7] : split.text_ends[7]] = changed[starts[7] : split.text_ends[7]][::-1]
    after = vectors_of(replace(split, tokens=changed))
    assert said[1:] == ["encoding 1 text"]
    assert (after[8:] == before[8:]).all()
    assert (after[7:8] != before[7:8]).any()
    vectors_of(split)
    vectors_of(split, bf16=True)
    with torch.no_grad():
        encoder.embedding.norm.bias[0] += 1
    vectors_of(split)
    assert said[2:] == [everything, everything]


def test_a_shard_without_keys_is_encoded_again(encoder, split, tmp_path) -> None:
    found = text_vectors(encoder, split, tmp_path, bf16=False)[:]
    for keys in tmp_path.rglob("*.keys.npy"):
        keys.unlink()
    assert (text_vectors(encoder, split, tmp_path, bf16=False)[:] == found).all()
