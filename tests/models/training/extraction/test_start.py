from collections.abc import Callable

import pytest
import torch
from tokenizers import Tokenizer
from transformers import BertModel

from longsum.common.errors import LongsumError
from longsum.models.networks.extractive.convert_extractors import convert_state_dict
from longsum.models.networks.extractive.extractor_files import save_extractor
from longsum.models.networks.weights import load_weights
from longsum.models.tasks.extraction.pruned_vocabulary import shrink_vocabulary
from longsum.models.training.extraction.extraction_settings import ExtractorSettings
from longsum.models.training.extraction.start import EMBEDDING, start_model

from .conftest import toy

Toy = Callable[..., ExtractorSettings]


@pytest.fixture
def begun(bert, pieces: Tokenizer, tmp_path) -> Callable:
    """Save a model that starts from a checkpoint."""

    def make(architecture: str):
        model = start_model(toy(architecture, checkpoint=str(bert)), pieces, None)
        save_extractor(model, tmp_path)
        return model

    return make


@pytest.fixture
def smaller(pieces: Tokenizer, small) -> tuple[Tokenizer, list[int]]:
    return shrink_vocabulary(pieces, [small.text], 200)


def test_a_checkpoint_gives_its_sizes_and_its_weights(bert, pieces) -> None:
    theirs = BertModel.from_pretrained(bert).eval()
    settings = toy("hibert", {"sentence_encoder": {"layers": 3}}, checkpoint=str(bert))
    encoder = start_model(settings, pieces, None).sentence_encoder.eval()
    assert encoder.config.size == 16
    assert encoder.config.positions == 128
    tokens = torch.tensor([[2, 40, 41, 42, 3]])
    with torch.no_grad():
        expected = theirs(tokens).last_hidden_state
        torch.testing.assert_close(encoder.states(tokens, torch.tensor([5])), expected)


@pytest.mark.parametrize("start", ["whole", "sentences"])
def test_the_document_encoder_can_start_from_the_top_layers(bert, pieces, start) -> None:
    weights = convert_state_dict(load_weights(bert))
    model = start_model(toy("hibert", checkpoint=str(bert), start=start), pieces, None)
    top = model.document_encoder.layers[1]
    for attention in (top.attention, top.summary_attention):
        same = torch.equal(attention.query.weight, weights["layers.2.attention.query.weight"])
        assert same == (start == "whole")


@pytest.mark.parametrize("architecture", ["hibert", "etc", "flat"])
def test_rows_of_the_vocabulary_that_stay(bert, smaller, architecture) -> None:
    tokenizer, kept = smaller
    weights = convert_state_dict(load_weights(bert))["embedding.tokens.weight"]
    model = start_model(toy(architecture, checkpoint=str(bert)), tokenizer, kept)
    (table,) = (
        parameter
        for name, parameter in model.named_parameters()
        if name.endswith(("embedding.tokens.weight", "encoder.tokens.weight"))
    )
    assert torch.equal(table[: len(kept)], weights[kept])


@pytest.mark.parametrize("architecture", ["hibert", "etc", "flat"])
def test_from_nothing(bert, pieces: Tokenizer, architecture: str) -> None:
    sizes = {"size": 8, "heads": 2, "layers": 1, "feed_forward": 8}
    inner = {"hibert": {"sentence_encoder": sizes}, "flat": {"encoder": sizes}, "etc": sizes}
    settings = toy(architecture, inner[architecture], tokenizer=str(bert))
    model = start_model(settings, pieces, None)
    tables = [part for part in model.modules() if isinstance(part, torch.nn.Embedding)]
    assert max(table.num_embeddings for table in tables) - pieces.get_vocab_size() in (0, 1)


@pytest.mark.parametrize("architecture", ["hibert", "etc", "flat"])
def test_training_can_continue_from_a_trained_model(begun, pieces, tmp_path, architecture) -> None:
    before = begun(architecture)
    settings = ExtractorSettings(architecture=architecture, checkpoint=str(tmp_path))
    model = start_model(settings, pieces, None)
    assert model.config == before.config
    expected = before.state_dict()
    assert all(torch.equal(each, expected[name]) for name, each in model.state_dict().items())


def test_a_trained_model_gives_its_sentence_encoder(begun, pieces, smaller, tmp_path) -> None:
    before = begun("hibert")
    other = {"document_encoder": {"layers": 3, "summary_layers": 2, "end": "decision"}}
    settings = toy("hibert", other, checkpoint=str(tmp_path), start="sentences")
    model = start_model(settings, pieces, None)
    assert len(model.document_encoder.layers) == 3
    expected = before.sentence_encoder.state_dict()
    found = model.sentence_encoder.state_dict()
    assert all(torch.equal(each, expected[name]) for name, each in found.items())
    fewer = start_model(settings, *smaller).sentence_encoder.state_dict()
    assert torch.equal(fewer[EMBEDDING], expected[EMBEDDING][smaller[1]])


def test_settings_replace_those_of_a_trained_model(begun, pieces, tmp_path) -> None:
    begun("etc")
    change = {"stepwise": False, "long_tokens": 999}
    settings = ExtractorSettings(architecture="etc", model=change, checkpoint=str(tmp_path))
    config = start_model(settings, pieces, None).config
    assert (config.stepwise, config.long_tokens, config.size) == (False, 999, 16)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"architecture": "flat"}, "architecture 'etc'"),
        ({"vocabulary": 50}, "leave out 'vocabulary'"),
        ({"model": {"layers": 2}}, "lacks encoder.layers.1"),
        ({"architecture": "hibert", "start": "sentences"}, "no sentence encoder"),
    ],
)
def test_a_trained_model_that_does_not_fit(begun, pieces, tmp_path, changes, says) -> None:
    begun("etc")
    settings = {"architecture": "etc", "checkpoint": str(tmp_path), **changes}
    with pytest.raises(LongsumError, match=says):
        start_model(ExtractorSettings(**settings), pieces, None)


def test_no_checkpoint_at_all(pieces: Tokenizer, tmp_path) -> None:
    with pytest.raises(LongsumError, match=r"no readable config\.json"):
        start_model(toy("flat", checkpoint=str(tmp_path)), pieces, None)
