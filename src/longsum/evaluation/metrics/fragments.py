"""Copied fragments, and new and repeated n-grams."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from longsum.common.errors import LongsumError
from longsum.language.words import ngrams, terms


@dataclass(frozen=True, slots=True)
class Fragment:
    """A run of tokens that both texts share.

    `summary` and `document` are the positions of its first token in each.
    """

    summary: int
    document: int
    length: int


@dataclass(frozen=True, slots=True)
class Extractiveness:
    """Statistics of Grusky et al. 2018, "Newsroom", §4; HEPOS (§4) reports the first two.

    Attributes:
        coverage: Share of the summary's tokens in fragments, in [0, 1].
        density: Mean length, over the summary's tokens, of the fragment that contains the token.
        compression: Tokens of the document per token of the summary.
    """

    coverage: float
    density: float
    compression: float


def extractiveness(summary: str, document: str) -> Extractiveness:
    """Measure how much of a summary is copied from its document.

    Tokens are `longsum.language.words.terms`: lower case, no punctuation (the paper's tokens keep
    punctuation, which raises coverage). All three are 0 for a summary without tokens.
    """
    summary_terms, document_terms = terms(summary), terms(document)
    size = len(summary_terms)
    if not size:
        return Extractiveness(0.0, 0.0, 0.0)
    lengths = [fragment.length for fragment in fragments(summary_terms, document_terms)]
    return Extractiveness(
        coverage=sum(lengths) / size,
        density=sum(length * length for length in lengths) / size,
        compression=len(document_terms) / size,
    )


def fragments(summary: Sequence[str], document: Sequence[str]) -> list[Fragment]:
    """Find the shared fragments greedily, as the procedure F(A, S) of Grusky et al. (Figure 3).

    From each position of the summary, the longest match in the document is taken, the earliest of
    equal ones, and the search continues after it. As published, the scan of the document continues
    *after* a match that it has seen, so that a longer match which starts inside an earlier, shorter
    one is missed; we keep that, so that numbers are comparable.

    Time grows with the occurrences of the summary's bigrams in the document, in practice with the
    lengths of the two texts. A match of one token advances the published scan by only one token, so
    scanning the occurrences of a bigram rather than those of its first token changes nothing.
    """
    first_place, bigram_places = _index(document)
    shared = []
    start = 0
    while start < len(summary):
        fragment = _longest(summary, start, document, first_place, bigram_places)
        if fragment:
            shared.append(fragment)
        start += fragment.length if fragment else 1
    return shared


_Bigram = tuple[str, str]


def _index(document: Sequence[str]) -> tuple[dict[str, int], dict[_Bigram, list[int]]]:
    first_place: dict[str, int] = {}
    bigram_places: dict[_Bigram, list[int]] = defaultdict(list)
    for place, token in enumerate(document):
        first_place.setdefault(token, place)
    for place, bigram in enumerate(pairwise(document)):
        bigram_places[bigram].append(place)
    return first_place, bigram_places


def _longest(
    summary: Sequence[str],
    start: int,
    document: Sequence[str],
    first_place: dict[str, int],
    bigram_places: dict[_Bigram, list[int]],
) -> Fragment | None:
    if (first := first_place.get(summary[start])) is None:
        return None
    best = Fragment(start, first, 1)
    if start + 1 == len(summary):
        return best
    scanned = 0
    for place in bigram_places.get((summary[start], summary[start + 1]), ()):
        if place < scanned:
            continue
        length = _common(summary, start, document, place)
        scanned = place + length
        if length > best.length:
            best = Fragment(start, place, length)
    return best


def _common(summary: Sequence[str], start: int, document: Sequence[str], place: int) -> int:
    limit = min(len(summary) - start, len(document) - place)
    length = 0
    while length < limit and summary[start + length] == document[place + length]:
        length += 1
    return length


def novel_ngrams(summary: str, document: str, n: int) -> float:
    """Return the share of the summary's n-grams that do not occur in its document, in [0, 1].

    The abstractiveness of MLS (§3, question c) for any n. Each occurrence counts; n-grams cross
    sentence boundaries; tokens are `longsum.language.words.terms`. A summary of fewer than `n`
    tokens gets 0.

    Raises:
        LongsumError: `n` is less than 1.
    """
    of_summary = _ngrams(summary, n)
    if not of_summary:
        return 0.0
    known = set(_ngrams(document, n))
    return sum(ngram not in known for ngram in of_summary) / len(of_summary)


def repeated_ngrams(summary: str, n: int) -> float:
    """Return the share of the summary's n-grams that already occurred in it, in [0, 1].

    N-grams and tokens are as in `novel_ngrams`. A summary of fewer than `n` tokens gets 0.

    Raises:
        LongsumError: `n` is less than 1.
    """
    occurrences = _ngrams(summary, n)
    return 1 - len(set(occurrences)) / len(occurrences) if occurrences else 0.0


def _ngrams(text: str, n: int) -> list[tuple[str, ...]]:
    if n < 1:
        raise LongsumError(f"There are no n-grams of {n} tokens; give n as 1 or more.")
    return list(ngrams(terms(text), n))
