import numpy as np
import pytest
import torch

from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, initialise
from longsum.models.training.extraction import vectors
from longsum.models.training.extraction.vectors import text_vectors


@pytest.fixture
def encoder(pieces) -> SentenceEncoder:
    config = SentenceEncoderConfig(
        pieces.get_vocab_size(), 8, 1, 2, feed_forward=8, positions=24, representation="mean"
    )
    torch.manual_seed(0)
    made = SentenceEncoder(config)
    initialise(made, 0.5)
    return made


def test_each_text_has_the_same_vector_as_alone(encoder, split, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(vectors, "_BLOCK", 40)
    found = text_vectors(encoder.train(), split, tmp_path, bf16=False)
    assert found[:].shape == (len(found), 8) == (len(split.text_ends), 8)
    assert (found[5:99] == found[:][5:99]).all()
    starts = np.concatenate([[0], split.text_ends[:-1]])
    with torch.no_grad():
        for row in range(0, len(starts), 9):
            text = split.tokens[starts[row] : split.text_ends[row]].astype(np.int64)
            alone = encoder.eval()(torch.from_numpy(text)[None], torch.tensor([len(text)]))
            assert found[row : row + 1][0] == pytest.approx(alone[0].numpy(), abs=2e-3)


def test_a_shard_without_keys_is_encoded_again(encoder, split, tmp_path) -> None:
    found = text_vectors(encoder, split, tmp_path, bf16=False)[:]
    for keys in tmp_path.rglob("*.keys.npy"):
        keys.unlink()
    assert (text_vectors(encoder, split, tmp_path, bf16=False)[:] == found).all()
