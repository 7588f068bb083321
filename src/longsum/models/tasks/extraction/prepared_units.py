"""A split as arrays for training an extractor: prepared once, read by every run."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from longsum.common.arrays import Ints, Mask, Places
from longsum.common.errors import LongsumError
from longsum.core.encoder.encode_units import EncodedDocument, encode_document
from longsum.documents.fitness.fitness import ContextDependence, fitness_of
from longsum.documents.model import Document
from longsum.evaluation.datasets.info import Example
from longsum.models.tasks.extraction.histories import (
    Histories,
    HistoryConfig,
    make_histories,
)
from longsum.models.tasks.prepared import Columns, entry, joined


@dataclass(frozen=True, slots=True)
class ExtractionExample:
    """One document with its histories."""

    document: EncodedDocument
    histories: Histories


@dataclass(frozen=True, slots=True)
class ExtractionSplit(Columns):
    """Training examples, concatenated in flat arrays.

    Attributes:
        tokens: Tokens of all texts of all documents.
        text_ends: Where each text ends in `tokens`.
        document_texts: Where each document's texts end in `text_ends`.
        headings: Index of the heading of each sentence among its document's texts; −1 for none.
        places: `[sentences, F]`.
        document_sentences: Where each document's sentences end in `headings` and `places`.
        plans: `[documents, p, steps]`.
        plan_lengths: `[documents, p]`.
        candidates: `[partial plans, c]`.
        gains: `[partial plans, c]`.
        ends: `[partial plans]`.
        document_beginnings: Where each document's partial plans end in `candidates`, `gains` and
            `ends`.
    """

    tokens: NDArray[np.uint16] | Ints
    text_ends: Places
    document_texts: Places
    headings: Ints
    places: NDArray[np.uint8]
    document_sentences: Places
    plans: Ints
    plan_lengths: Ints
    candidates: Ints
    gains: NDArray[np.float32]
    ends: NDArray[np.float32]
    document_beginnings: Places

    def __len__(self) -> int:
        return len(self.document_texts)

    def lengths(self) -> list[int]:
        """Return the number of tokens of each document."""
        lengths: list[int] = np.diff(self.text_ends[self.document_texts - 1], prepend=0).tolist()
        return lengths

    def sentence_counts(self) -> list[int]:
        """Return the number of sentences of each document."""
        counts: list[int] = np.diff(self.document_sentences, prepend=0).tolist()
        return counts

    def texts(self, index: int) -> slice:
        """Return the slice of a document's texts among those of all."""
        return entry(self.document_texts, index)

    def __getitem__(self, index: int) -> ExtractionExample:
        """Return a document with its histories."""
        texts = self.texts(index)
        ends = self.text_ends[texts]
        start = int(self.text_ends[texts.start - 1]) if texts.start else 0
        sentences = entry(self.document_sentences, index)
        beginnings = entry(self.document_beginnings, index)
        return ExtractionExample(
            EncodedDocument(
                tokens=self.tokens[start : ends[-1]].astype(np.int32),
                ends=ends - start,
                headings=self.headings[sentences],
                places=self.places[sentences].astype(np.int32),
            ),
            Histories(
                plans=self.plans[index],
                lengths=self.plan_lengths[index],
                candidates=self.candidates[beginnings],
                gains=self.gains[beginnings],
                ends=self.ends[beginnings],
            ),
        )

    @classmethod
    def of(cls, examples: Iterable[ExtractionExample]) -> "ExtractionSplit":
        """Join training examples.

        Raises:
            LongsumError: There are none.
        """
        pairs = list(examples)
        if not pairs:
            raise LongsumError(
                "There is nothing to learn from; choose a data set with documents and summaries."
            )
        documents = [example.document for example in pairs]
        histories = [example.histories for example in pairs]
        tokens, token_ends = joined(documents, "tokens")
        ends, document_texts = joined(documents, "ends")
        headings, document_sentences = joined(documents, "headings")
        candidates, document_beginnings = joined(histories, "candidates")
        texts = np.diff(document_texts, prepend=0)
        return cls(
            tokens=tokens.astype(np.uint16) if tokens.max() < 2**16 else tokens,
            text_ends=ends + np.repeat(np.append(0, token_ends[:-1]), texts),
            document_texts=document_texts,
            headings=headings,
            places=joined(documents, "places")[0].astype(np.uint8),
            document_sentences=document_sentences,
            plans=np.stack([history.plans for history in histories]),
            plan_lengths=np.stack([history.lengths for history in histories]),
            candidates=candidates,
            gains=joined(histories, "gains")[0],
            ends=joined(histories, "ends")[0],
            document_beginnings=document_beginnings,
        )


def choosable_sentences(
    document: Document, config: HistoryConfig
) -> tuple[Mask, ContextDependence]:
    """Return which sentences of a document a plan may contain, `[n]`, and what they depend on."""
    fitness = fitness_of(document)
    material = fitness.material
    if not config.self_contained:
        return material, ContextDependence.independent(len(material))
    return material, fitness.context(material.astype(np.int64))


def make_examples(
    examples: Iterable[Example],
    tokenizer: Tokenizer,
    sentence_tokens: int,
    config: HistoryConfig | None,
    seed: int = 0,
) -> Iterator[ExtractionExample]:
    """Yield a training example for each document that has sentences and a reference.

    Without histories, a document needs no reference.

    Args:
        examples: The documents with their references.
        tokenizer: The model's tokenizer.
        sentence_tokens: Maximum number of tokens of a sentence.
        config: How plans are made; None makes none, to learn from documents alone.
        seed: Seed of the perturbed plans.
    """
    for number, example in enumerate(examples):
        units = example.document.sentences
        sentences = [unit.text for unit in units]
        if not sentences or (config is not None and not example.references):
            continue
        histories = Histories()
        if config is not None:
            generator = np.random.default_rng((seed, number))
            choosable = choosable_sentences(example.document, config)
            histories = make_histories(sentences, example.references, config, generator, *choosable)
        yield ExtractionExample(
            encode_document(example.document, tokenizer, sentence_tokens), histories
        )
