"""Where in a document its summary's words first occur (HEPOS §4, Figure 2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.evaluation.datasets.catalogue import load
from longsum.evaluation.metrics.significance import Interval, bootstrap_interval
from longsum.language.words import ngrams, terms

TENTHS = 10
SIZES = {"unigrams": 1, "bigrams": 2}
"""The n-grams that are followed, by name."""


@dataclass(frozen=True, slots=True)
class SalientPositions:
    """How much of what is salient has been said by each tenth of the documents.

    Attributes:
        documents: Documents that share a bigram with a reference; no others count.
        shares: For `unigrams` and `bigrams`, the share of the distinct salient n-grams that occur
            up to the end of each tenth: the mean over documents, in [0, 1], with its 95 % bootstrap
            interval. The last is 1.
    """

    documents: int
    shares: dict[str, tuple[Interval, ...]]


def salient_positions(
    name: str, split: str, *, root: Path | None = None, limit: int | None = None
) -> SalientPositions:
    """Follow the salient n-grams of a split through its documents.

    Takes the arguments of `load`.

    Raises:
        LongsumError: As for `load`, or no document shares a bigram with its references.
    """
    found: dict[str, list[Array]] = {size: [] for size in SIZES}
    for example in load(name, split, root=root, limit=limit):
        tokens = document_terms(example.document)
        curves = {size: salient_curve(tokens, example.references, n) for size, n in SIZES.items()}
        # Who shares a bigram shares its words.
        if curves["bigrams"] is not None:
            for size, curve in curves.items():
                assert curve is not None
                found[size].append(curve)
    documents = len(found["bigrams"])
    if not documents:
        raise LongsumError(
            f"No document of {name}, {split}, shares two words in a row with its summary; choose "
            "another set."
        )
    return SalientPositions(
        documents,
        {
            size: tuple(
                bootstrap_interval([curve[tenth] for curve in curves]) for tenth in range(TENTHS)
            )
            for size, curves in found.items()
        },
    )


def document_terms(document: Document) -> list[str]:
    """Return the tokens whose positions count."""
    return terms(" ".join(sentence.text for sentence in document.sentences))


def salient_curve(document: Sequence[str], summaries: Iterable[str], n: int) -> Array | None:
    """Return the mean of `cumulative_shares` over the summaries of a document.

    Args:
        document: Its tokens; see `document_terms`.
        summaries: References, or what a system wrote.
        n: Size of the n-grams.

    Returns:
        Shares, `[10]`; None if no summary shares an n-gram with the document.
    """
    curves = [
        curve
        for summary in summaries
        if (curve := cumulative_shares(document, terms(summary), n)) is not None
    ]
    return np.mean(curves, axis=0) if curves else None


def cumulative_shares(document: Sequence[str], reference: Sequence[str], n: int) -> Array | None:
    """Return the share of the salient n-grams that a document has said by each tenth of it.

    Salient are the distinct n-grams of the document that also occur in the reference; function
    words count. An n-gram belongs to the tenth in which its first occurrence ends. The paper states
    neither its tokens nor how its partitions are rounded: here a tenth ends before the first token
    whose position, counted from 0, is at least that many tenths of the length.

    Args:
        document: Tokens of the document.
        reference: Tokens of the reference.
        n: Size of the n-grams.

    Returns:
        Shares in [0, 1], `[10]`, the last of them 1; None if nothing is salient.
    """
    wanted = set(ngrams(reference, n))
    first: dict[tuple[str, ...], int] = {}
    for place, ngram in enumerate(ngrams(document, n)):
        if ngram in wanted:
            first.setdefault(ngram, place + n - 1)
    if not first:
        return None
    tenths = np.array(list(first.values())) * TENTHS // len(document)
    return np.cumsum(np.bincount(tenths, minlength=TENTHS)) / len(first)
