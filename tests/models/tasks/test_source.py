from dataclasses import replace

import numpy as np
import pytest
from transformers import PreTrainedTokenizerFast

from document_views import document_of
from longsum.common.errors import LongsumError
from longsum.documents import Document, DocumentBuilder
from longsum.documents.subset import subset
from longsum.models.tasks.source import NOWHERE, START, SourceFormat, encode_source
from longsum.models.tasks.tokens import (
    DEPTH_TOKENS,
    PARAGRAPH_TOKEN,
    QUESTION_TOKEN,
    SECTION_TOKEN,
    train_tokenizer,
)

WHOLE = SourceFormat(100_000)


def test_tokens_of_a_sentence_spell_it(example, tokenizer) -> None:
    source = encode_source(example, tokenizer, WHOLE)
    for number, sentence in enumerate(example.sentences):
        spelled = tokenizer.decode(source.ids[source.sentence_of == number])
        assert spelled.strip() == sentence.text
    assert source.sentences_read == len(example.sentences)


def test_marks_show_depth_and_paragraphs(small, tokenizer) -> None:
    written = tokenizer.convert_ids_to_tokens(encode_source(small, tokenizer, WHOLE).ids)
    marks = [token for token in written if token in (*DEPTH_TOKENS, PARAGRAPH_TOKEN)]
    depths = ["<depth0>", "<depth1>", "<depth2>", "<depth1>"]
    assert [mark for mark in marks if mark != PARAGRAPH_TOKEN] == depths
    assert marks.count(PARAGRAPH_TOKEN) == 3
    # A section's mark stands directly before its heading, a paragraph's before its text.
    assert marks[1:3] == ["<depth1>", PARAGRAPH_TOKEN]


def test_one_mark_for_all_depths(small: Document, tokenizer: PreTrainedTokenizerFast) -> None:
    one, apart = (
        encode_source(small, tokenizer, replace(WHOLE, marks=marks))
        for marks in ("sections", "tokens")
    )
    depths = tokenizer.convert_tokens_to_ids(list(DEPTH_TOKENS))
    mark = tokenizer.convert_tokens_to_ids(SECTION_TOKEN)
    assert list(one.ids) == [mark if token in depths else token for token in apart.ids]
    assert np.array_equal(one.section_of, apart.section_of)
    assert list(one.ids).count(mark) == 4


def test_a_question_precedes_the_document(small, tokenizer) -> None:
    plain = encode_source(small, tokenizer, WHOLE)
    asked = encode_source(small, tokenizer, WHOLE, " What is\nthe <down> valley? ")
    added = len(asked.ids) - len(plain.ids)
    question = tokenizer.decode(asked.ids[1 : 1 + added])
    assert question == f"{QUESTION_TOKEN} What is the <down> valley?"
    assert [token for token in asked.ids[1 : 1 + added] if token in tokenizer.all_special_ids] == [
        tokenizer.convert_tokens_to_ids(QUESTION_TOKEN)
    ]
    assert list(asked.ids[1 + added :]) == list(plain.ids[1:])
    assert set(asked.sentence_of[: 1 + added]) == {NOWHERE}
    assert list(asked.section_of[:2]) == [START, START + 1]
    assert asked.sentences_read == plain.sentences_read == 9
    with pytest.raises(LongsumError, match="no room for text besides its question"):
        encode_source(small, tokenizer, SourceFormat(10), "What is a long question? " * 9)


def test_titles_of_ancestors_are_read_or_not(small, tokenizer) -> None:
    # Only a sentence on floods, which are a section of rivers.
    part = subset(small, [4])
    with_titles, without = (
        encode_source(part, tokenizer, replace(WHOLE, ancestors=ancestors))
        for ancestors in (True, False)
    )
    shown, hidden = (tokenizer.decode(source.ids) for source in (with_titles, without))
    assert "<depth1> Rivers<depth2> Floods" in shown
    assert "Rivers" not in hidden
    assert "<depth2> Floods" in hidden
    assert np.array_equal(with_titles.section_parents, without.section_parents)


def test_a_sentence_longer_than_the_source_is_cut(tokenizer: PreTrainedTokenizerFast) -> None:
    document = document_of("# Numbers", [" ".join(map(str, range(100)))], title="")
    for overflow in ("cut", "split", "whole"):
        source = encode_source(document, tokenizer, SourceFormat(40, overflow=overflow))
        assert (len(source.ids), source.sentences_read) == (40, 0)


@pytest.mark.parametrize(("marks", "shown"), [("titles", True), ("none", False)])
def test_headings_as_text(small, tokenizer, marks, shown) -> None:
    source = encode_source(small, tokenizer, replace(WHOLE, marks=marks))  # type: ignore[arg-type]
    text = tokenizer.decode(source.ids)
    assert ("Floods Floods of" in text) == shown
    assert text.startswith("<s>The valley" if shown else "<s>The river")
    assert not any(mark in text for mark in DEPTH_TOKENS)


def test_text_is_never_a_special_token(tokenizer: PreTrainedTokenizerFast) -> None:
    builder = DocumentBuilder()
    builder.heading(1, "A </s> title <depth3>")
    builder.paragraph("This text ends </s> here, and <mask> hides <s> nothing.")
    document = builder.build("<pad>")
    source = encode_source(document, tokenizer, WHOLE)
    special = [token for token in source.ids if token in tokenizer.all_special_ids]
    written = tokenizer.convert_ids_to_tokens(special)
    assert written == ["<s>", "<depth0>", "<depth1>", PARAGRAPH_TOKEN, "</s>"]


def without(mark: str) -> PreTrainedTokenizerFast:
    """Return a tokenizer that does not know a mark."""
    plain = train_tokenizer(["A text."], 300)
    known = {name: place for name, place in plain.get_vocab().items() if name != mark}
    plain.get_vocab = lambda: known  # type: ignore[method-assign]
    return plain


def test_without_room_or_marks(small: Document, tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(LongsumError, match="has no room for text"):
        encode_source(small, tokenizer, SourceFormat(2))
    assert encode_source(small, without(PARAGRAPH_TOKEN), SourceFormat(150)).sentences_read >= 1
    for marks in ("tokens", "sections"):
        with pytest.raises(LongsumError, match="no token <paragraph>; choose marks"):
            encode_source(small, without(PARAGRAPH_TOKEN), SourceFormat(50, marks))
    # One from before a mark reads as it did.
    earlier = without(SECTION_TOKEN)
    assert encode_source(small, earlier, SourceFormat(99)).ids[1] == 5
    with pytest.raises(LongsumError, match="no token <section>; choose marks"):
        encode_source(small, earlier, SourceFormat(99, "sections"))
    with pytest.raises(LongsumError, match="no token <question>; choose a task"):
        encode_source(small, without(QUESTION_TOKEN), SourceFormat(99), "Why?")
