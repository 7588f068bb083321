from types import SimpleNamespace

import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.normalizers import Replace
from transformers import PreTrainedTokenizerFast

from longsum.common.errors import LongsumError
from longsum.core.questions.linearisation import Mark, parse_pieces, pieces
from longsum.core.questions.question_tree import Question, QuestionTree
from longsum.models.tasks.tokens import (
    STRUCTURE_TOKENS,
    check_offsets,
    decode_pieces,
    encode_pieces,
    encode_target,
    ends,
    train_tokenizer,
)

TREE = QuestionTree(
    (
        Question(
            "Why <up>?",
            "It rose </s> by 4%.",
            (Question("How?", "Slowly \\<hold> so."), Question("When?", "In May.")),
        ),
        Question("What then?", "It fell."),
    )
)


def test_a_tokenizer_that_does_not_tell_places_is_refused(tokenizer) -> None:
    check_offsets(tokenizer)
    with pytest.raises(LongsumError, match="cannot tell where its tokens are in a text"):
        check_offsets(SimpleNamespace(is_fast=False))


def test_any_text_comes_back(tokenizer: PreTrainedTokenizerFast) -> None:
    text = "Ünïcode 日本 🙂 and 1,234.5 % — all of it."
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert tokenizer.decode(ids) == text


def test_digits_stand_apart(tokenizer: PreTrainedTokenizerFast) -> None:
    tokens = tokenizer.tokenize("2026")
    assert [token.lstrip("Ġ") for token in tokens] == ["2", "0", "2", "6"]


def test_ends_are_the_tokens_that_the_tokenizer_adds(tokenizer: PreTrainedTokenizerFast) -> None:
    assert ends(tokenizer) == ([0], [2])
    bare = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel({"b": 0}, "b")))
    bare.backend_tokenizer.normalizer = Replace("a", "")
    with pytest.raises(LongsumError, match="letter a"):
        ends(bare)


def test_too_small_a_vocabulary() -> None:
    with pytest.raises(LongsumError, match="at least 273"):
        train_tokenizer(["text"], 200)


@pytest.mark.parametrize("written", [True, False])
def test_a_tree_survives_encoding_and_decoding(
    tokenizer: PreTrainedTokenizerFast, written: bool
) -> None:
    ids = encode_pieces(pieces(TREE, written), tokenizer, 500)
    found = decode_pieces(ids, tokenizer)
    assert found == list(pieces(TREE, written))
    parsed = parse_pieces(found, None if written else TREE.questions[0].question)
    assert (parsed.tree, parsed.repairs) == (TREE, ())


def test_only_pieces_that_are_marks_become_special_tokens(tokenizer) -> None:
    ids = encode_pieces(["<down> it", Mark.LEVEL_DOWN, "</s>"], tokenizer, 100)
    special = [token for token in ids if token in tokenizer.all_special_ids]
    assert tokenizer.convert_ids_to_tokens(special) == ["<s>", "<down>", "</s>"]


def test_pieces_that_are_cut_still_end(tokenizer: PreTrainedTokenizerFast) -> None:
    whole, cut = (encode_pieces(pieces(TREE), tokenizer, most) for most in (500, 20))
    assert cut == [*whole[:19], tokenizer.eos_token_id]
    # A text alone is encoded the same either way, and none of it ends the target.
    text = "One line.\nAnother </s> line of text."
    for most in (50, 8):
        ids = encode_target(text, tokenizer, most)
        assert ids == encode_pieces([text], tokenizer, most)
        assert ids.count(tokenizer.eos_token_id) == 1


def test_tokens_that_came_later_leave_the_others_their_ids(tokenizer) -> None:
    found = tokenizer.convert_tokens_to_ids(list(STRUCTURE_TOKENS))
    assert found == list(range(5, 5 + len(STRUCTURE_TOKENS)))
    assert tokenizer.convert_tokens_to_ids("<down>") == 15
