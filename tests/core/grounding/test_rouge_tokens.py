from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from rouge_score.tokenize import tokenize

from longsum.core.grounding.rouge_tokens import rouge_tokens

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.text("aeiousydnlgt'-é5 ", max_size=12), max_size=8).map(" ".join),
)


@given(texts, st.booleans())
def test_equal_to_rouge_score(text: str, stemmer: bool) -> None:
    expected = tokenize(text, PorterStemmer() if stemmer else None)
    assert rouge_tokens(text, stemmer) == expected
