"""Words, punctuation and ids survive the round trip."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from effort import examples
from longsum import LongsumError
from longsum.models.networks.words.vocabulary import UNK, Vocabulary, WordTokenizer

KEPT = WordTokenizer(lower_case=False)


@settings(max_examples=examples(40))
@given(st.text(max_size=60))
def test_text_put_together_has_the_same_tokens(text):
    tokens = KEPT.tokens(text)
    joined = KEPT.text(tokens)
    assert [joined.text[slice(*span)] for span in joined.spans] == tokens
    assert [token for token in tokens if not token.isspace()] == tokens
    assert "".join(text.split()) == "".join("".join(tokens).split())


WORDS = ["Rivers", "don't", "3.5", "1,000", "U.S.", "16", "f-16", "1990", "th", *"s年。(),.-/'\""]


@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_tokens_survive_the_way_through_text(words):
    tokens = KEPT.tokens(" ".join(words))
    assert KEPT.tokens(KEPT.text(tokens).text) == tokens


@pytest.mark.parametrize(
    "text",
    [
        "It cost $3,000 (or 5.5%), they said; no one knew why.",
        'He said: "the well-known dam broke," and left.',
        "Don’t ask “why” at 12:30!",
        "A 16-year-old won the 5th race of the 1990s.",
        "He said: \"The 'old' dam broke,\" and left.",
        "Cafe\u0301 ☀\ufe0f 1\ufe0f\u20e3",
        "می\u200cخواهم بروم.",
    ],
)
def test_ordinary_text_comes_back(text):
    assert KEPT.text(KEPT.tokens(text)).text == text


def test_marks_stand_at_their_words():
    # A single quotation mark leaves double ones as they are.
    text = KEPT.text(KEPT.tokens('The dogs\' owner said "go" and left.')).text
    assert text.endswith(' said "go" and left.')
    text = KEPT.text(KEPT.tokens("「東京は晴れ」、明日は雨。")).text
    assert text == "「東京は晴れ」、 明日は雨。"


def test_small_letters_are_a_setting():
    assert WordTokenizer().tokens("The U.S. Dam") == ["the", "u.s", ".", "dam"]
    assert KEPT.tokens("The Dam") == ["The", "Dam"]


def test_words_of_the_source_extend_the_vocabulary():
    vocabulary = Vocabulary.of([["the", "dam", "the"], ["river", "[PAD]"]], 6)
    assert vocabulary.words[4:] == ("the", "dam")
    source = vocabulary.source(["the", "old", "dam", "river", "old"])
    assert source.ids == (4, UNK, 5, UNK, UNK)
    assert source.extended == (4, 6, 5, 7, 6)
    assert source.unknown == ("old", "river")
    assert vocabulary.target(["river", "new", "dam"], source) == (7, UNK, 5)
    assert vocabulary.tokens([7, 5, UNK], source) == ["river", "dam", "[UNK]"]


def test_text_is_never_taken_for_a_special_token():
    source = Vocabulary(["the"]).source(["[STOP]", "the"])
    assert source.ids == (UNK, 4)
    assert source.unknown == ("[STOP]",)


@given(st.lists(st.text("abcdé’-\u2028\x85", min_size=1, max_size=4), unique=True))
def test_a_vocabulary_is_saved_as_it_is(tmp_path_factory, words):
    words = [word for word in words if word.split() == [word]]
    folder = tmp_path_factory.mktemp("vocabulary")
    Vocabulary(words).save(folder)
    assert Vocabulary.load(folder).words == Vocabulary(words).words


@pytest.mark.parametrize("words", [["a", "a"], [""], ["a b"], ["[PAD]"]])
def test_impossible_vocabularies(words):
    with pytest.raises(LongsumError, match="has a word twice"):
        Vocabulary(words)
