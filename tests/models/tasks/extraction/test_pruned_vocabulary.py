import pytest
from tokenizers import Tokenizer

from longsum.common.errors import LongsumError
from longsum.models.tasks.extraction.pruned_vocabulary import shrink_vocabulary


@pytest.fixture(scope="module")
def least(pieces: Tokenizer) -> int:
    """Special tokens and single characters."""
    return sum(len(each.removeprefix("##")) == 1 or each[0] == "[" for each in pieces.get_vocab())


def test_nothing_becomes_unknown(pieces: Tokenizer, example, least: int) -> None:
    smaller, kept = shrink_vocabulary(pieces, [example.text], least + 50)
    assert smaller.get_vocab_size() == len(kept) == least + 50
    unknown = smaller.token_to_id("[UNK]")
    for sentence in example.sentences:
        before, after = (each.encode(sentence.text).tokens for each in (pieces, smaller))
        if "[UNK]" not in before:
            assert unknown not in smaller.encode(sentence.text).ids
        assert "".join(after).replace("##", "") == "".join(before).replace("##", "")


def test_each_kept_row_is_that_of_the_same_piece(pieces: Tokenizer, example) -> None:
    smaller, kept = shrink_vocabulary(pieces, [example.text], 400)
    for piece, number in smaller.get_vocab().items():
        assert pieces.token_to_id(piece) == kept[number]
    ids = smaller.encode("The river").ids
    assert (ids[0], ids[-1]) == (smaller.token_to_id("[CLS]"), smaller.token_to_id("[SEP]"))


def test_what_occurs_most_stays(pieces: Tokenizer, least: int) -> None:
    words = [word for word in pieces.get_vocab() if len(word) > 3 and word.isalpha()][:2]
    smaller, _ = shrink_vocabulary(pieces, [f"{words[0]} {words[0]} {words[1]}"], least + 1)
    assert smaller.token_to_id(words[0]) is not None
    assert smaller.token_to_id(words[1]) is None


def test_what_cannot_be_done_is_refused(pieces: Tokenizer, least: int) -> None:
    with pytest.raises(LongsumError, match=f"at least {least}"):
        shrink_vocabulary(pieces, [], least - 1)
    assert shrink_vocabulary(pieces, [], least)[0].get_vocab_size() == least
    from tokenizers import models

    with pytest.raises(LongsumError, match="WordPiece"):
        shrink_vocabulary(Tokenizer(models.BPE()), [], 10)
