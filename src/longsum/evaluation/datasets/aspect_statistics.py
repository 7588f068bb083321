"""Aspects of the references of a split, and of their documents."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from longsum.evaluation.aspects import Scheme, section_aspects
from longsum.evaluation.datasets.catalogue import load
from longsum.evaluation.datasets.example import Example, labelled_references
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class AspectStatistics:
    """One aspect in a split (HEPOS §4).

    Attributes:
        scheme: Whose aspect it is: `report` or `paper`.
        aspect: Its name.
        documents: Examples whose reference has aspects of the scheme.
        summaries: Share of these whose reference has this one, in [0, 1].
        summary_words: Words of it in these references, mean over those that have it.
        document: Share of the words of their documents that stands in its sections, in [0, 1], mean
            over all examples counted.
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
    """Measure the aspects of a split; of several references, the first that has any.

    Takes the arguments of `load`.

    Returns:
        The aspects of each scheme that occurs, in its order; empty if no reference has any.

    Raises:
        LongsumError: As for `load`.
    """
    words: dict[tuple[str, str], list[int]] = defaultdict(list)
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for example in load(name, split, root=root, limit=limit):
        references = labelled_references(example)
        if not references:
            continue
        scheme = references[0].scheme
        for aspect, text in references[0].texts().items():
            words[scheme.name, aspect].append(count_words(text))
        for aspect, share in _document_shares(example, scheme).items():
            shares[scheme.name, aspect].append(share)
    return [
        AspectStatistics(
            scheme=scheme,
            aspect=aspect,
            documents=len(found),
            summaries=len(words[scheme, aspect]) / len(found),
            summary_words=fmean(words[scheme, aspect] or [0]),
            document=fmean(found),
        )
        for (scheme, aspect), found in shares.items()
    ]


def _document_shares(example: Example, scheme: Scheme) -> dict[str, float]:
    """Return the share of a document's words under headings of each aspect."""
    counts = dict.fromkeys(scheme.keywords, 0)
    total = 0
    of = section_aspects(example.document, scheme)
    for section in example.document.walk():
        words = sum(count_words(sentence.text) for sentence in section.sentences)
        total += words
        if (aspect := of[section.number]) is not None:
            counts[aspect] += words
    return {aspect: count / max(total, 1) for aspect, count in counts.items()}
