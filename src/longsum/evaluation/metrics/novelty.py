"""Novel and repeated n-grams of a summary."""

from longsum.common.errors import LongsumError
from longsum.language.words import ngrams, terms


def novel_ngrams(summary: str, document: str, n: int) -> float:
    """Return the share of the summary's n-grams that do not occur in its document, in [0, 1].

    The abstractiveness of MLS (§3, question c) for any n. Each occurrence counts; n-grams cross
    sentence boundaries; tokens are `longsum.language.words.terms`. A summary of fewer than `n`
    tokens gets 0.

    Raises:
        LongsumError: `n` is less than 1.
    """
    own = _ngrams(summary, n)
    if not own:
        return 0.0
    known = set(_ngrams(document, n))
    return sum(ngram not in known for ngram in own) / len(own)


def repeated_ngrams(summary: str, n: int) -> float:
    """Return the share of the summary's n-grams that occurred in it before, in [0, 1].

    N-grams and tokens are as in `novel_ngrams`. A summary of fewer than `n` tokens gets 0.

    Raises:
        LongsumError: `n` is less than 1.
    """
    own = _ngrams(summary, n)
    return 1 - len(set(own)) / len(own) if own else 0.0


def _ngrams(text: str, n: int) -> list[tuple[str, ...]]:
    if n < 1:
        raise LongsumError(f"There are no n-grams of {n} tokens; give n as 1 or more.")
    return list(ngrams(terms(text), n))
