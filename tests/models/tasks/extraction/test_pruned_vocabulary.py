import pytest
from tokenizers import Tokenizer
from tokenizers.processors import BertProcessing

from longsum.common.errors import LongsumError
from longsum.models.tasks.extraction import pruned_vocabulary
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


@pytest.mark.parametrize("batch", [1, 2, 5, 6])
def test_texts_are_counted_some_at_a_time(pieces: Tokenizer, example, monkeypatch, batch) -> None:
    texts = [sentence.text for sentence in example.sentences][:5]
    together = shrink_vocabulary(pieces, [" ".join(texts)], 300)[1]
    monkeypatch.setattr(pruned_vocabulary, "_BLOCK", batch)
    assert shrink_vocabulary(pieces, iter(texts), 300)[1] == together


def test_ends_are_renumbered_in_any_kind_of_processor(pieces: Tokenizer, example) -> None:
    made = Tokenizer.from_str(pieces.to_str())
    ends = [(name, made.token_to_id(name)) for name in ("[SEP]", "[CLS]")]
    for processor, named in ((BertProcessing(*ends), True), (None, False)):
        made.post_processor = processor
        smaller, _ = shrink_vocabulary(made, [example.text], 400)
        ids = smaller.encode("The river").ids
        assert ([ids[0], ids[-1]] == [smaller.token_to_id(n) for n in ("[CLS]", "[SEP]")]) is named


def test_the_most_frequent_tokens_are_kept(pieces: Tokenizer, least: int) -> None:
    words = [word for word in pieces.get_vocab() if len(word) > 3 and word.isalpha()][:2]
    smaller, _ = shrink_vocabulary(pieces, [f"{words[0]} {words[0]} {words[1]}"], least + 1)
    assert smaller.token_to_id(words[0]) is not None
    assert smaller.token_to_id(words[1]) is None


def test_impossible_sizes_are_refused(pieces: Tokenizer, least: int) -> None:
    with pytest.raises(LongsumError, match=f"at least {least}"):
        shrink_vocabulary(pieces, [], least - 1)
    assert shrink_vocabulary(pieces, [], least)[0].get_vocab_size() == least
    from tokenizers import models

    with pytest.raises(LongsumError, match="WordPiece"):
        shrink_vocabulary(Tokenizer(models.BPE()), [], 10)
