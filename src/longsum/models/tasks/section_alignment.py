"""The sections of a document that a paragraph of its summary is based on (HIBRIDS, §4.2, A)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from longsum.common.arrays import Array
from longsum.documents.model import Document
from longsum.language.embeddings import Embed, LatentSemanticAnalysis
from longsum.language.entities import entities
from longsum.language.sentences import split_sentences
from longsum.language.words import terms

# Appendix A.
COSINE_WEIGHT = 0.4
BIGRAM_WEIGHT = 1.0
ENTITY_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a summary, its distinct bigrams, and its distinct entities as terms."""

    text: str
    bigrams: set[tuple[str, str]]
    entities: set[str]


def aligned_sentences(summary: str, document: Document) -> tuple[int, ...]:
    """Return the positions of the sentences of `aligned_sections`, in order.

    A model reads these, under the titles of the sections above them, to generate the questions
    about a summary paragraph (§4.2).
    """
    sections = set(aligned_sections(summary, document))
    places = range(len(document.sentences))
    return tuple(place for place in places if document.section_of(place).number in sections)


def aligned_sections(summary: str, document: Document) -> tuple[int, ...]:
    """Return the numbers of the sections that contain the best paragraph of a sentence, in order.

    Each sentence is aligned with the most similar paragraph, the first on ties; one that has
    nothing in common with any is left out, which cannot happen with Sentence-BERT.

    The summary may be one paragraph of a longer one.
    """
    section_of = [section.number for section in document.walk() for _ in section.paragraphs]
    scores = similarities(summary, document)
    if not scores.size:
        return ()
    best = scores.argmax(axis=1)[scores.max(axis=1) > 0]
    return tuple(sorted({section_of[place] for place in best.tolist()}))


def similarities(summary: str, document: Document, encode: Embed | None = None) -> Array:
    """Return the similarity of each sentence of a summary to each paragraph of its document.

    0.4 · the cosine of their embeddings + 1.0 · the share of the sentence's distinct bigrams that
    occur in the paragraph + 0.2 · the share of its distinct named entities that do (Appendix A). A
    sentence without bigrams or without entities has a share of 0.

    Entities are those of `longsum.language.entities` (the paper's are spaCy's, of the same kinds:
    names, dates, sums, quantities, numbers) and occur where their words occur consecutively.

    Args:
        summary: One paragraph of a summary, or all of it.
        document: The document it summarizes.
        encode: Sentence encoder for sentences and paragraphs alike, Sentence-BERT in the paper; a
            vector of zeros has a cosine of 0. By default latent semantic analysis of the document,
            which needs no model.

    Returns:
        `[sentences, paragraphs]`, the sentences by `split_sentences`, the paragraphs in the order
        of `Document.paragraphs`; in [−0.4, 1.6].
    """
    sentences = _sentences(summary)
    paragraphs = [" ".join(sentence.text for sentence in part) for part in document.paragraphs]
    if not sentences or not paragraphs:
        return np.zeros((len(sentences), len(paragraphs)))
    encode = encode or LatentSemanticAnalysis.fit(
        [sentence.text for sentence in document.sentences]
    )
    cosine = _unit(encode([sentence.text for sentence in sentences])) @ _unit(encode(paragraphs)).T
    tokens = [terms(paragraph) for paragraph in paragraphs]
    bigrams = [set(pairwise(words)) for words in tokens]
    padded = [f" {' '.join(words)} " for words in tokens]
    shared_bigrams = [
        [_share(len(sentence.bigrams & others), len(sentence.bigrams)) for others in bigrams]
        for sentence in sentences
    ]
    shared_entities = [
        [
            _share(sum(entity in text for entity in sentence.entities), len(sentence.entities))
            for text in padded
        ]
        for sentence in sentences
    ]
    return (
        COSINE_WEIGHT * cosine
        + BIGRAM_WEIGHT * np.array(shared_bigrams)
        + ENTITY_WEIGHT * np.array(shared_entities)
    )


def _sentences(summary: str) -> list[_Sentence]:
    """Split a summary; entities are found in the whole, to tell names from sentence starts."""
    all_entities = entities(summary)
    return [
        _Sentence(
            summary[start:end],
            set(pairwise(terms(summary[start:end]))),
            {
                f" {' '.join(words)} "
                for entity in all_entities
                if start <= entity.start < end and (words := terms(entity.text))
            },
        )
        for start, end in split_sentences(summary)
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _unit(vectors: NDArray[np.floating[Any]] | Sequence[Sequence[float]]) -> Array:
    rows = np.asarray(vectors, dtype=np.float64)
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, 1.0)
