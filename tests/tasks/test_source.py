from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from transformers import PreTrainedTokenizerFast

from longsum.documents import Document, DocumentBuilder
from longsum.errors import LongsumError
from longsum.tasks.source import NOWHERE, SourceFormat, encode_source
from longsum.tasks.tokens import DEPTH_TOKENS, PARAGRAPH_TOKEN, train_tokenizer

WHOLE = SourceFormat(100_000)


def test_tokens_of_a_sentence_spell_it(
    example: Document, tokenizer: PreTrainedTokenizerFast
) -> None:
    source = encode_source(example, tokenizer, WHOLE)
    for number, sentence in enumerate(example.sentences):
        spelled = tokenizer.decode(source.ids[source.sentence_of == number])
        assert spelled.strip() == sentence.text
    assert source.sentences_read == len(example.sentences)


def test_tokens_of_a_section_are_its_own(
    small: Document, tokenizer: PreTrainedTokenizerFast
) -> None:
    source = encode_source(small, tokenizer, WHOLE)
    for token_sentence, token_section in zip(source.sentence_of, source.section_of, strict=True):
        if token_sentence != NOWHERE:
            assert small.section_of(int(token_sentence)).number == token_section
    assert source.section_of[0] == source.section_of[-1] == NOWHERE


def test_marks_show_depth_and_paragraphs(
    small: Document, tokenizer: PreTrainedTokenizerFast
) -> None:
    written = tokenizer.convert_ids_to_tokens(encode_source(small, tokenizer, WHOLE).ids)
    marks = [token for token in written if token in (*DEPTH_TOKENS, PARAGRAPH_TOKEN)]
    depths = ["<depth0>", "<depth1>", "<depth2>", "<depth1>"]
    assert [mark for mark in marks if mark != PARAGRAPH_TOKEN] == depths
    assert marks.count(PARAGRAPH_TOKEN) == 3
    # A section's mark stands directly before its heading, a paragraph's before its text.
    assert marks[1:3] == ["<depth1>", PARAGRAPH_TOKEN]


@pytest.mark.parametrize(("marks", "shown"), [("titles", True), ("none", False)])
def test_headings_as_text(
    small: Document, tokenizer: PreTrainedTokenizerFast, marks: str, shown: bool
) -> None:
    source = encode_source(small, tokenizer, replace(WHOLE, marks=marks))  # type: ignore[arg-type]
    text = tokenizer.decode(source.ids)
    assert ("Floods Floods of" in text) == shown
    assert text.startswith("<s>The valley" if shown else "<s>The river")
    assert not any(mark in text for mark in DEPTH_TOKENS)


@given(tokens=st.integers(5, 400))
def test_reads_as_much_as_fits_and_says_how_much(
    example: Document, tokenizer: PreTrainedTokenizerFast, tokens: int
) -> None:
    whole = encode_source(example, tokenizer, WHOLE)
    cut = encode_source(example, tokenizer, SourceFormat(tokens))
    assert len(cut.ids) == min(tokens, len(whole.ids))
    assert list(cut.ids[:-1]) == list(whole.ids[: len(cut.ids) - 1])
    assert cut.ids[-1] == tokenizer.eos_token_id
    complete = [
        number
        for number in range(len(example.sentences))
        if (cut.sentence_of == number).sum() == (whole.sentence_of == number).sum()
    ]
    assert cut.sentences_read == len(complete)


def test_text_is_never_a_special_token(tokenizer: PreTrainedTokenizerFast) -> None:
    builder = DocumentBuilder()
    builder.heading(1, "A </s> title <depth3>")
    builder.paragraph("This text ends </s> here, and <mask> hides <s> nothing.")
    document = builder.build("<pad>")
    source = encode_source(document, tokenizer, WHOLE)
    special = [token for token in source.ids if token in tokenizer.all_special_ids]
    written = tokenizer.convert_ids_to_tokens(special)
    assert written == ["<s>", "<depth0>", "<depth1>", PARAGRAPH_TOKEN, "</s>"]


def test_without_room_or_marks(small: Document, tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(LongsumError, match="holds no text"):
        encode_source(small, tokenizer, SourceFormat(2))
    plain = train_tokenizer([small.text], 300)
    plain_vocabulary = {
        name: place for name, place in plain.get_vocab().items() if name != PARAGRAPH_TOKEN
    }
    plain.get_vocab = lambda: plain_vocabulary  # type: ignore[method-assign]
    with pytest.raises(LongsumError, match="no tokens for sections"):
        encode_source(small, plain, SourceFormat(50, "tokens"))
    assert encode_source(small, plain, SourceFormat(150, "auto")).sentences_read >= 1
