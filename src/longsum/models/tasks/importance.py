"""Which tokens of a source matter to its summary (Pang et al. 2022, §2.3, AdaPool, Step 1)."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import simplemma
from numpy.typing import NDArray

from longsum.language.words import placed_terms, stop_words

Labels = NDArray[np.int8]


def content_lemmas(text: str) -> frozenset[str]:
    """Return the lemmas of a text's words, without stop words."""
    return frozenset(lemma(term) for *_, term in placed_terms(text)) - {""}


@cache
def lemma(term: str) -> str:
    """Return the lemma of a lower-case English word; an empty string for a stop word.

    A possessive has the lemma of its noun. The paper does not state its lemmatizer and stop words;
    here they are simplemma and `stop_words.txt`, applied to the word and to its lemma.
    """
    if term in stop_words():
        return ""
    found: str = simplemma.lemmatize(term.removesuffix("'s"), lang="en").lower()
    return "" if found in stop_words() else found


def token_labels(
    text: str, offsets: Sequence[tuple[int, int]], reference: frozenset[str]
) -> Labels:
    """Label the tokens of a text: 1 where the lemma of their word occurs in the reference.

    All tokens of a word share its label. Tokens outside words, such as punctuation, have 0.

    Args:
        text: The text.
        offsets: Start and end of each token; the space before a word may belong to it.
        reference: What `content_lemmas` returns of the reference summary.

    Returns:
        0 or 1, `[tokens]`.
    """
    important = np.zeros(len(text) + 1, dtype=np.int8)
    for start, end, term in placed_terms(text):
        important[start:end] = lemma(term) in reference
    # A token may begin with the space before its word, so its last character decides.
    return important[[max(start, end - 1) for start, end in offsets]]
