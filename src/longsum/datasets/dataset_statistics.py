"""Statistics of a split: sizes, structure, compression."""

from array import array
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median

from longsum.datasets.catalogue import load
from longsum.datasets.example import Example
from longsum.language.words import count_words


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a split.

    Words are counted by `count_words`: those of a document's sentences, without title and headings;
    for a summary, the mean over the example's references.

    Attributes:
        documents: Number of examples.
        document_words_mean: Words of a document, mean.
        document_words_median: Words of a document, median.
        summary_words_mean: Words of a summary, mean.
        summary_words_median: Words of a summary, median.
        sections_mean: Sections with a heading in a document, mean.
        deepest_level: Level of the deepest section with a heading; 0 if there is none.
        compression: Words of the document per word of the summary, mean over the examples
            (Grusky et al. 2018, §4).
    """

    documents: int
    document_words_mean: float
    document_words_median: float
    summary_words_mean: float
    summary_words_median: float
    sections_mean: float
    deepest_level: int
    compression: float


def statistics(
    name: str, split: str, *, root: Path | None = None, limit: int | None = None
) -> Statistics:
    """Measure a split in one pass, keeping three numbers per example.

    Takes the arguments of `load`.

    Raises:
        LongsumError: As for `load`.
    """
    document_words, summary_words, sections = array("d"), array("d"), array("d")
    deepest = 0
    for example in load(name, split, root=root, limit=limit):
        levels = [section.level for section in example.document.walk() if section.title]
        document_words.append(_document_words(example))
        summary_words.append(fmean(count_words(text) for text in example.references))
        sections.append(len(levels))
        deepest = max(deepest, *levels, 0)
    return Statistics(
        documents=len(document_words),
        document_words_mean=fmean(document_words),
        document_words_median=median(document_words),
        summary_words_mean=fmean(summary_words),
        summary_words_median=median(summary_words),
        sections_mean=fmean(sections),
        deepest_level=deepest,
        compression=fmean(
            document / summary
            for document, summary in zip(document_words, summary_words, strict=True)
        ),
    )


def _document_words(example: Example) -> int:
    return sum(count_words(sentence.text) for sentence in example.document.sentences)
