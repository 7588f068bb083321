import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.core.encoder.encode_units import encode_document, encode_texts
from longsum.documents.sentence_features import bucket


def test_each_sentence_and_heading_is_a_text_between_start_and_end(small, pieces) -> None:
    encoded = encode_document(small, pieces, 64)
    texts = np.split(encoded.tokens, encoded.ends[:-1])
    assert len(texts) == len(small.sentences) + 3
    for sentence, text in zip(small.sentences, texts, strict=False):
        assert text.tolist() == pieces.encode(sentence.text).ids
    for at in range(len(small.sentences)):
        heading = texts[encoded.headings[at]]
        expected = "Rivers / Floods" if small.section_of(at).title == "Floods" else None
        expected = expected or small.section_of(at).title
        assert heading.tolist() == pieces.encode(expected).ids
    # Text before any heading has none.
    document = document_of("The river rises. It falls again.", title="Title")
    assert encode_document(document, pieces, 64).headings.tolist() == [-1, -1]


@given(
    words=st.lists(
        st.sampled_from(["the", "rivers", "\x02", "\u200b", "§§", "Meer-es"]), max_size=30
    ),
    gap=st.sampled_from([" ", "  ", "\u2003", "\n"]),
    most=st.integers(3, 20),
)
def test_long_sentences_are_cut_but_keep_their_end_token(pieces, words, gap, most) -> None:
    text = gap.join(["", *words])
    whole = pieces.encode(text).ids
    assert encode_texts([text], pieces, most)[0].tolist() == [*whole[:-1][: most - 1], whole[-1]]


def test_truncation_and_padding_set_in_a_tokenizer_are_ignored(small, pieces) -> None:
    cutting = Tokenizer.from_str(pieces.to_str())
    cutting.enable_padding(length=90)
    cutting.enable_truncation(5)
    found, expected = (encode_document(small, each, 64).tokens for each in (cutting, pieces))
    assert found.tolist() == expected.tolist()


def test_a_tokenizer_without_special_tokens_is_refused(small) -> None:
    with pytest.raises(LongsumError, match=r"\[CLS\]"):
        encode_document(small, Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]")), 64)


def test_buckets_are_monotonic_and_bounded() -> None:
    found = [bucket(value, 32) for value in range(100_000)]
    assert found[:16] == list(range(16))
    assert found == sorted(found)
    assert found[-1] == 31
    assert bucket(32, 32) == 18
