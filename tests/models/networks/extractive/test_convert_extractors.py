"""Weights of BERT and RoBERTa in extractors, and those of an extractor as a BERT."""

import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from torch import Tensor
from transformers import (
    AutoTokenizer,
    BertConfig,
    BertForMaskedLM,
    BertModel,
    PreTrainedModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaModel,
)

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    FlatConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.extractive.convert_extractors import (
    convert_state_dict,
    sentence_encoder_config,
    start_encoder,
    start_flat,
    start_hibert,
    write_bert,
)
from longsum.models.networks.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder
from longsum.models.networks.extractive.flat import FlatSum
from longsum.models.networks.extractive.hibert import Hibert
from tiny_sizes import bert_sizes

from .conftest import randomised

LAYERS, PAD = 4, 1
SIZES = {
    "vocab_size": 31,
    "max_position_embeddings": 22,
    **bert_sizes(24, LAYERS, heads=4),
}
FAMILIES = {
    "bert": (BertConfig, BertModel, {}),
    "bert with a head": (BertConfig, BertForMaskedLM, {}),
    "roberta": (RobertaConfig, RobertaModel, {"type_vocab_size": 1, "layer_norm_eps": 1e-5}),
    "roberta with a head": (RobertaConfig, RobertaForMaskedLM, {"type_vocab_size": 1}),
}


def peer(family: str) -> PreTrainedModel:
    """Make the tiny random model of a family as `transformers` has it."""
    config, model, settings = FAMILIES[family]
    made: PreTrainedModel = randomised(lambda: model(config(**SIZES, **settings)))
    return made


def config_of(model: PreTrainedModel, **changes):
    return replace(sentence_encoder_config(model.config.to_dict()), **changes)


def weights_of(model: PreTrainedModel) -> dict[str, Tensor]:
    return convert_state_dict(model.state_dict())


def sentences(lengths: list[int]) -> Tensor:
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(PAD + 1, 31, (len(lengths), max(lengths)), generator=generator)
    return tokens.masked_fill(torch.arange(max(lengths)) >= torch.tensor(lengths)[:, None], PAD)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_encoder_equals_its_peer(family: str) -> None:
    model, lengths = peer(family), [2, 20, 1, 13]
    encoder = SentenceEncoder(config_of(model)).eval()
    start_encoder(encoder, weights_of(model))
    tokens, real = sentences(lengths), torch.tensor(lengths)
    mask = torch.arange(max(lengths)) < real[:, None]
    expected = model.base_model(tokens, attention_mask=mask.long()).last_hidden_state
    found = encoder.states(tokens, real)
    torch.testing.assert_close(found[mask], expected[mask], atol=1e-5, rtol=0)
    torch.testing.assert_close(encoder(tokens, real), expected[:, 0], atol=1e-5, rtol=0)


@pytest.mark.parametrize("stepwise", [True, False])
def test_hibert_takes_bottom_and_top(stepwise: bool) -> None:
    source = peer("roberta")
    config = HibertConfig(
        stepwise,
        config_of(source, layers=3),
        DocumentEncoderConfig(layers=2, feed_forward=24, summary_layers=1, sentences=9),
    )
    model = Hibert(config)
    before = {name: each.clone() for name, each in model.state_dict().items()}
    start_hibert(model, weights_of(source))
    after, weights = model.state_dict(), weights_of(source)
    for number in range(3):
        name = f"layers.{number}.feed_forward.expand.weight"
        assert torch.equal(after[f"sentence_encoder.{name}"], weights[name])
    for ours, theirs in ((0, 2), (1, 3)):
        for part in ("attention.query.weight", "attention.norm.bias", "feed_forward.shrink.bias"):
            found = after[f"document_encoder.layers.{ours}.{part}"]
            assert torch.equal(found, weights[f"layers.{theirs}.{part}"])
    own = "document_encoder.layers.1.attention."
    copies = [name for name in after if "summary_attention" in name]
    assert len(copies) == (10 if stepwise else 0)
    for name in copies:
        assert torch.equal(after[name], after[own + name.split("summary_attention.")[1]])
    untouched = [name for name in after if name.startswith("document_encoder.")]
    for name in (name for name in untouched if ".layers." not in name):
        assert torch.equal(after[name], before[name]), name


def test_the_flat_extractor_takes_all() -> None:
    source = peer("bert")
    model = FlatSum(FlatConfig(True, config_of(source))).eval()
    start_flat(model, weights_of(source))
    tokens = sentences([5])
    found = model.encoder.states(tokens, torch.tensor([5]))
    expected = source(tokens).last_hidden_state
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)
    fewer = FlatSum(FlatConfig(True, config_of(source, layers=3)))
    with pytest.raises(LongsumError, match="has 4 layers and the model 3"):
        start_flat(fewer, weights_of(source))


def test_old_names_and_the_ids_of_positions_are_understood() -> None:
    state = peer("bert").state_dict()
    olden = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    old = {
        "bert." + re.sub(r"LayerNorm\.\w+", lambda found: olden[found[0]], name): each
        for name, each in state.items()
    } | {"embeddings.position_ids": torch.arange(22), "cls.predictions.bias": torch.zeros(31)}
    found, expected = convert_state_dict(old), convert_state_dict(state)
    assert found.keys() == expected.keys()
    assert all(torch.equal(found[name], expected[name]) for name in expected)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"model_type": None}, "kind None"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'"),
        ({"position_embedding_type": "relative_key"}, "position_embedding_type"),
        ({"is_decoder": True}, "is_decoder is True"),
    ],
)
def test_settings_that_do_not_fit_are_refused(changes, problem) -> None:
    with pytest.raises(LongsumError, match=problem):
        sentence_encoder_config(peer("bert").config.to_dict() | changes)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"layers": LAYERS + 1}, r"lacks layers\.4\."),
        ({"size": 20}, "has the size"),
        ({"positions": 23}, r"positions.weight has the size \(22, 16\)"),
    ],
)
def test_weights_that_do_not_fit_are_refused(changes, problem) -> None:
    model = peer("bert")
    with pytest.raises(LongsumError, match=problem):
        start_encoder(SentenceEncoder(config_of(model, **changes)), weights_of(model))


def test_documents_encoders_that_do_not_fit_are_refused() -> None:
    source = peer("bert")
    for settings, problem in (
        ({"layers": 5, "feed_forward": 24}, "has 4 layers, too few"),
        ({"layers": 2, "feed_forward": 20}, "has the size"),
    ):
        config = HibertConfig(True, config_of(source), DocumentEncoderConfig(**settings))
        with pytest.raises(LongsumError, match=problem):
            start_hibert(Hibert(config), weights_of(source))


def test_weights_of_other_models_and_incomplete_settings_are_refused() -> None:
    for name in ("encoder.rel_embeddings.weight", "transformer.layer.0.q_lin.weight"):
        with pytest.raises(LongsumError, match="is not a weight of a BERT or RoBERTa"):
            convert_state_dict({name: torch.zeros(2)})
    with pytest.raises(LongsumError, match="lacks vocab_size"):
        sentence_encoder_config({"model_type": "bert"})


PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rain", "falls"]


def saved(folder: Path, *, offset: int = 0) -> ModelFolder:
    torch.manual_seed(0)
    sentences = SentenceEncoderConfig(7, 12, 2, 3, 20, positions=9, position_offset=offset)
    save_extractor(Hibert(HibertConfig(False, sentences, DocumentEncoderConfig())), folder)
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    Tokenizer(WordPiece(vocabulary, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    return ModelFolder.of(folder)


def test_an_extractor_as_a_bert_computes_the_same_and_converts_back(tmp_path: Path) -> None:
    folder = saved(tmp_path / "extractor")
    count = write_bert(folder, tmp_path / "bert")
    encoder = load_extractor(folder).sentence_encoder.eval()  # type: ignore[union-attr]
    bert = BertModel.from_pretrained(tmp_path / "bert", add_pooling_layer=False).eval()
    assert count == bert.num_parameters()
    tokens = torch.tensor([[2, 5, 6, 3]])
    with torch.no_grad():
        states = encoder.states(tokens, torch.tensor([4]))
        assert torch.allclose(bert(tokens).last_hidden_state, states, atol=1e-6)
    back = convert_state_dict(bert.state_dict())
    assert all(back[name].equal(weight) for name, weight in encoder.state_dict().items())
    config = asdict(sentence_encoder_config(bert.config.to_dict()))
    assert config == {**asdict(encoder.config), "representation": config["representation"]}
    # Its tokenizer tells the texts of a pair apart.
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "bert")
    assert "token_type_ids" in tokenizer("rain", "falls")
    assert tokenizer.pad_token_id == 0


def test_other_models_and_folders_with_content_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LongsumError, match="began as another model"):
        write_bert(saved(tmp_path / "other", offset=2), tmp_path / "bert")
    with pytest.raises(LongsumError, match="not an empty folder"):
        write_bert(saved(tmp_path / "extractor"), tmp_path / "extractor")
