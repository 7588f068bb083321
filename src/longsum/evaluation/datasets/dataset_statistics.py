"""Statistics of a split: sizes, structure, aspects, and the positions of salient content."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

import numpy as np

from longsum.common.arrays import Array
from longsum.common.errors import LongsumError
from longsum.documents import Document
from longsum.evaluation.aspects import Scheme, section_aspects
from longsum.evaluation.datasets.catalogue import load
from longsum.evaluation.datasets.info import Example, labelled_references
from longsum.evaluation.metrics.fragments import extractiveness
from longsum.evaluation.metrics.significance import Interval, bootstrap_interval
from longsum.language.sentences import sentence_texts
from longsum.language.words import count_words, ngrams, terms


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a split, including those of HEPOS's Table 2.

    Words are counted by `count_words`: in the document's sentences, without title and headings; for
    a summary, the mean over the example's references.

    Attributes:
        documents: Number of examples.
        document_words_mean: Words of a document, mean.
        document_words_median: Words of a document, median.
        summary_words_mean: Words of a summary, mean.
        summary_words_median: Words of a summary, median.
        summary_sentences_mean: Sentences of a summary, mean.
        sections_mean: Sections with a heading in a document, mean.
        deepest_level: Level of the deepest section with a heading; 0 if there is none.
        compression: Words of the document per word of the summary, mean over the examples
            (Grusky et al. 2018, §4).
        coverage: Share of a summary's tokens in fragments of its document, in [0, 1], mean
            (`longsum.evaluation.metrics.fragments`).
        density: Mean length, over a summary's tokens, of the fragment that contains the token, in
            tokens, mean.
    """

    documents: int
    document_words_mean: float
    document_words_median: float
    summary_words_mean: float
    summary_words_median: float
    summary_sentences_mean: float
    sections_mean: float
    deepest_level: int
    compression: float
    coverage: float
    density: float


def statistics(
    name: str, split: str, *, root: Path | None = None, limit: int | None = None
) -> Statistics:
    """Measure a split in one pass, keeping a few numbers per example.

    The arguments are those of `load`.

    Raises:
        LongsumError: As for `load`.
    """
    measured = [_measure(example) for example in load(name, split, root=root, limit=limit)]
    documents = [example.document_words for example in measured]
    summaries = [example.summary_words for example in measured]
    return Statistics(
        documents=len(measured),
        document_words_mean=fmean(documents),
        document_words_median=median(documents),
        summary_words_mean=fmean(summaries),
        summary_words_median=median(summaries),
        summary_sentences_mean=fmean(example.summary_sentences for example in measured),
        sections_mean=fmean(example.sections for example in measured),
        deepest_level=max(example.deepest_level for example in measured),
        compression=fmean(example.document_words / example.summary_words for example in measured),
        coverage=fmean(example.coverage for example in measured),
        density=fmean(example.density for example in measured),
    )


@dataclass(frozen=True, slots=True)
class _Measured:
    """An example's numbers; those of its references are means."""

    document_words: float
    summary_words: float
    summary_sentences: float
    sections: int
    deepest_level: int
    coverage: float
    density: float


def _measure(example: Example) -> _Measured:
    levels = [section.level for section in example.document.walk() if section.title]
    body = " ".join(sentence.text for sentence in example.document.sentences)
    copied = [extractiveness(text, body) for text in example.references]
    return _Measured(
        document_words=count_words(body),
        summary_words=fmean(count_words(text) for text in example.references),
        summary_sentences=fmean(len(sentence_texts(text)) for text in example.references),
        sections=len(levels),
        deepest_level=max(levels, default=0),
        coverage=fmean(statistic.coverage for statistic in copied),
        density=fmean(statistic.density for statistic in copied),
    )


@dataclass(frozen=True, slots=True)
class AspectStatistics:
    """One aspect in a split (HEPOS §4).

    Attributes:
        scheme: Whose aspect it is: `report` or `paper`.
        aspect: Its name.
        documents: Examples whose reference has aspects of the scheme.
        summaries: Share of these whose reference has this one, in [0, 1].
        summary_words: Its words in these references, mean over those that have it.
        document: Share of a document's words in sections of this aspect, in [0, 1], mean over all
            examples counted.
    """

    scheme: str
    aspect: str
    documents: int
    summaries: float
    summary_words: float
    document: float


def aspect_statistics(
    name: str, split: str, *, root: Path | None = None, limit: int | None = None
) -> list[AspectStatistics]:
    """Measure the aspects of a split; with several references, in the first that has any.

    The arguments are those of `load`.

    Returns:
        The aspects of each scheme that occurs, in its order; empty if no reference has any.

    Raises:
        LongsumError: As for `load`.
    """
    words: dict[tuple[str, str], list[int]] = defaultdict(list)
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for example in load(name, split, root=root, limit=limit):
        reference = next(iter(labelled_references(example)), None)
        if reference is None:
            continue
        scheme = reference.scheme
        for aspect, text in reference.texts().items():
            words[scheme.name, aspect].append(count_words(text))
        for aspect, share in _document_shares(example, scheme).items():
            shares[scheme.name, aspect].append(share)
    return [
        AspectStatistics(
            scheme=scheme,
            aspect=aspect,
            documents=len(of_documents),
            summaries=len(words[scheme, aspect]) / len(of_documents),
            summary_words=fmean(words[scheme, aspect] or [0]),
            document=fmean(of_documents),
        )
        for (scheme, aspect), of_documents in shares.items()
    ]


def _document_shares(example: Example, scheme: Scheme) -> dict[str, float]:
    """Return the share of a document's words under headings of each aspect."""
    counts = dict.fromkeys(scheme.keywords, 0)
    total = 0
    aspects = section_aspects(example.document, scheme)
    for section in example.document.walk():
        words = sum(count_words(sentence.text) for sentence in section.sentences)
        total += words
        if (aspect := aspects[section.number]) is not None:
            counts[aspect] += words
    return {aspect: count / max(total, 1) for aspect, count in counts.items()}


TENTHS = 10
SIZES = {"unigrams": 1, "bigrams": 2}
"""The n-grams that are tracked, by name."""


@dataclass(frozen=True, slots=True)
class SalientPositions:
    """How much of the salient content has appeared by each tenth of the documents.

    Attributes:
        documents: Number of documents that share a bigram with a reference; others do not count.
        shares: For `unigrams` and `bigrams`, the share of the distinct salient n-grams that occur
            up to the end of each tenth: the mean over documents, in [0, 1], with its 95 % bootstrap
            interval. The last is 1.
    """

    documents: int
    shares: dict[str, tuple[Interval, ...]]


def salient_positions(
    name: str, split: str, *, root: Path | None = None, limit: int | None = None
) -> SalientPositions:
    """Track the salient n-grams of a split through its documents.

    The arguments are those of `load`.

    Raises:
        LongsumError: As for `load`, or no document shares a bigram with its references.
    """
    curves_by_size: dict[str, list[Array]] = {size: [] for size in SIZES}
    for example in load(name, split, root=root, limit=limit):
        tokens = document_terms(example.document)
        curves = {size: salient_curve(tokens, example.references, n) for size, n in SIZES.items()}
        # Sharing a bigram implies sharing its words.
        if curves["bigrams"] is not None:
            for size, curve in curves.items():
                assert curve is not None
                curves_by_size[size].append(curve)
    documents = len(curves_by_size["bigrams"])
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
            for size, curves in curves_by_size.items()
        },
    )


def document_terms(document: Document) -> list[str]:
    """Return the tokens of a document's sentences, as `salient_curve` takes them."""
    return terms(" ".join(sentence.text for sentence in document.sentences))


def salient_curve(document: Sequence[str], summaries: Iterable[str], n: int) -> Array | None:
    """Return the mean of `cumulative_shares` over the summaries of a document.

    Args:
        document: Its tokens; see `document_terms`.
        summaries: References, or summaries by a system.
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
    """Return the share of the salient n-grams that have appeared by each tenth of a document.

    Salient n-grams are the distinct ones that also occur in the reference; function words count. An
    n-gram belongs to the tenth in which its first occurrence ends. The paper states neither its
    tokens nor how its partitions are rounded: here, a tenth ends before the first token whose
    position, counted from 0, is at least that many tenths of the length.

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
