"""Which paragraphs of a summary are worth a hierarchy of questions (HIBRIDS, §4.1)."""

from collections.abc import Iterator

from longsum.datasets.example import Example
from longsum.evaluation.fragments import extractiveness
from longsum.language.sentences import split_sentences
from longsum.language.words import count_words, terms

MIN_SENTENCES = 3
MIN_WORDS = 70
MAX_DENSITY = 0.15


def paragraphs_to_annotate(example: Example) -> Iterator[str]:
    """Yield the paragraphs of the first reference that are worth annotating, in their order.

    A paragraph is a line, as the data set `govreport` has them.
    """
    document = " ".join(sentence.text for sentence in example.document.sentences)
    for paragraph in example.references[0].splitlines():
        if worth_annotating(paragraph, document):
            yield paragraph


def worth_annotating(paragraph: str, document: str) -> bool:
    """Return whether a paragraph is long and abstractive enough.

    It has at least 3 sentences and 70 words, and a `normalized_density` below 0.15. The paper gives
    the threshold and asks for "an adequate level of abstractiveness", so lower values are kept.
    """
    return (
        len(split_sentences(paragraph)) >= MIN_SENTENCES
        and count_words(paragraph) >= MIN_WORDS
        and normalized_density(paragraph, document) < MAX_DENSITY
    )


def normalized_density(summary: str, document: str) -> float:
    """Return the density of extractive fragments over the summary's length, in [0, 1].

    Density (Grusky et al. 2018, §4) is the mean length of the fragment that a token is part of;
    divided by the number of tokens it is the sum of the squared shares of the fragments: 1 for a
    summary copied in one piece, 1/n for one copied in n equal pieces, 0 for one without shared
    words. The paper does not state how it is normalized; only this matches the threshold's range.
    """
    tokens = len(terms(summary))
    return extractiveness(summary, document).density / tokens if tokens else 0.0
