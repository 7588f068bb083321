"""The sentence encoder of an extractor as a BERT."""

from dataclasses import asdict
from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from transformers import AutoTokenizer, BertModel

from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import (
    DocumentEncoderConfig,
    HibertConfig,
    SentenceEncoderConfig,
)
from longsum.core.model_files.folders import ModelFolder
from longsum.models.networks.extractive.bert_checkpoint import write_bert
from longsum.models.networks.extractive.convert_extractors import (
    convert_state_dict,
    sentence_encoder_config,
)
from longsum.models.networks.extractive.extractor_files import load_extractor, save_extractor
from longsum.models.networks.extractive.hibert import Hibert

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rain", "falls"]


def saved(folder: Path, *, offset: int = 0) -> ModelFolder:
    torch.manual_seed(0)
    sentences = SentenceEncoderConfig(7, 12, 2, 3, 20, positions=9, position_offset=offset)
    save_extractor(Hibert(HibertConfig(False, sentences, DocumentEncoderConfig())), folder)
    vocabulary = {piece: number for number, piece in enumerate(PIECES)}
    Tokenizer(WordPiece(vocabulary, unk_token="[UNK]")).save(str(folder / "tokenizer.json"))
    return ModelFolder.of(folder)


def test_it_computes_the_same_and_converts_back(tmp_path: Path) -> None:
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


def test_its_tokenizer_tells_the_texts_of_a_pair_apart(tmp_path: Path) -> None:
    write_bert(saved(tmp_path / "extractor"), tmp_path / "bert")
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "bert")
    assert "token_type_ids" in tokenizer("rain", "falls")
    assert tokenizer.pad_token_id == 0


def test_what_is_no_bert_and_folders_that_hold_something_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LongsumError, match="began as another model"):
        write_bert(saved(tmp_path / "other", offset=2), tmp_path / "bert")
    with pytest.raises(LongsumError, match="not an empty folder"):
        write_bert(saved(tmp_path / "extractor"), tmp_path / "extractor")
