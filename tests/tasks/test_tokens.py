from pathlib import Path

import pytest
from transformers import AutoTokenizer, PreTrainedTokenizerFast

from longsum.errors import LongsumError
from longsum.tasks.tokens import encode_target, ends, train_tokenizer


def test_any_text_comes_back(tokenizer: PreTrainedTokenizerFast) -> None:
    text = "Ünïcode 日本 🙂 and 1,234.5 % — all of it."
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert tokenizer.decode(ids) == text


def test_digits_stand_apart(tokenizer: PreTrainedTokenizerFast) -> None:
    tokens = tokenizer.tokenize("2026")
    assert [token.lstrip("Ġ") for token in tokens] == ["2", "0", "2", "6"]


def test_ends_are_what_the_tokenizer_adds(tokenizer: PreTrainedTokenizerFast) -> None:
    assert ends(tokenizer) == ([0], [2])


def test_a_target_that_is_cut_still_ends(tokenizer: PreTrainedTokenizerFast) -> None:
    ids = encode_target("One line.\nAnother </s> line of text.", tokenizer, 8)
    assert len(ids) == 8
    assert ids[-1] == tokenizer.eos_token_id
    assert ids.count(tokenizer.eos_token_id) == 1


def test_saved_and_loaded_it_is_the_same(
    tokenizer: PreTrainedTokenizerFast, tmp_path: Path
) -> None:
    tokenizer.save_pretrained(tmp_path)
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    text = "The same <depth1> text."
    assert loaded(text)["input_ids"] == tokenizer(text)["input_ids"]
    assert loaded.mask_token_id == tokenizer.mask_token_id == 4
    assert loaded.pad_token_id == 1


def test_too_small_a_vocabulary() -> None:
    with pytest.raises(LongsumError, match="at least 272"):
        train_tokenizer(["text"], 200)
