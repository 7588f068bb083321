"""Neural extractors as systems: Stepwise HiBERT and related models (Stepwise, §4)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np
from tokenizers import Tokenizer

from longsum.common.arrays import Array, Ints, Mask, Places
from longsum.common.errors import LongsumError
from longsum.common.threads import side_by_side
from longsum.core.encoder.encode_units import (
    ROUGH_VECTORS,
    TextVectors,
    encode_document,
    encode_texts,
)
from longsum.core.encoder.network import Encoded, Network, Reading, texts_of
from longsum.core.encoder.networks import load_network
from longsum.core.extractive.copies import SelectionRules
from longsum.core.extractive.extractor_options import (
    LANGUAGE,
    ExtractorConfig,
    load_tokenizer,
    shipped_folder,
)
from longsum.core.extractive.network_ranking import (
    REASON,
    SALIENCE,
    EncodedDocument,
    SteadyRanking,
)
from longsum.core.extractive.selection import FixedRanking, Ranking
from longsum.core.extractive.summarizer import ExtractiveSummarizer, Ranked, focus_similarity
from longsum.core.model_files.folders import ModelFolder
from longsum.core.summaries import Fill, Notice
from longsum.core.systems.reading_load import load_of
from longsum.core.systems.system import Request, SystemKind
from longsum.documents.fitness.signposts import tells_outcome
from longsum.documents.model import BACK_MATTER, Document, Sentence
from longsum.language.centrality import centrality
from longsum.language.identify import is_language
from longsum.language.words import count_words

_MANY_BARE_ITEMS = 0.25
"""The share of the material from which bare items are what a document says: 0.28 to 0.77 in
minutes (docs/selection.md)."""


@dataclass(frozen=True, slots=True)
class _Tokenized:
    """A tokenized document, with the adjustments and levels of its sentences."""

    document: Document
    texts: Sequence[str]
    units: Encoded
    adjustments: Mapping[str, Array]
    preferred: Places


class NeuralExtractor(ExtractiveSummarizer[ExtractorConfig]):
    """Selects sentences by a network's probabilities, which may be conditioned on earlier choices.

    Sentences are chosen one at a time, and choices depend on the budget only through what fits, so
    lengths nest. With `ends`, `steps` or a beam size above 1, a complete plan is searched for the
    requested length; longer summaries add nothing to it.
    """

    neural = True

    def __init__(
        self,
        name: str,
        config: ExtractorConfig,
        network: Network | None = None,
        tokenizer: Tokenizer | None = None,
    ) -> None:
        """Make the system.

        By default, network and tokenizer are those of the folder.

        Raises:
            LongsumError: The folder contains no model or no tokenizer, or settings conflict with
                each other or with the model.
        """
        super().__init__(name, config)
        folder = ModelFolder.of(shipped_folder() if config.model is None else Path(config.model))
        self._folder = folder
        self.network = network or load_network(folder, config.precision, config.runtime)
        self._tokenizer = load_tokenizer(folder.path) if tokenizer is None else tokenizer
        self._vectors: TextVectors | None = None
        self._tokenized: tuple[_Tokenized, ...] = ()
        self.concurrent = self.network.concurrent
        self._check_redundancy()
        # Only a model with sentence vectors can compare them with a focus.
        self.takes_focus = self.network.compares and not config.searches
        self.ends = config.redundancy_weight is not None and not config.searches

    @property
    def identity(self) -> str:
        """The hash of the folder's weights, and of its rough vectors if it may skim."""
        weights, rough = self._folder.weights_sha256, self._folder.path / ROUGH_VECTORS
        if self.config.skim_words is None or not rough.is_file():
            return weights
        return hashlib.sha256(weights.encode() + rough.read_bytes()).hexdigest()

    @property
    def rules(self) -> SelectionRules:
        """The rules of the selection; a plan is followed without any."""
        config = self.config
        if config.searches:
            return SelectionRules()
        rules = {field.name: getattr(config, field.name) for field in fields(SelectionRules)}
        return SelectionRules(**rules)

    def with_fill(self, fill: Fill) -> Self:
        """Return the system with another way to fill a length.

        Raises:
            LongsumError: The system follows a plan by the model.
        """
        return super().with_fill(fill) if self.config.searches else self._with(fill=fill)

    def with_encodings(self, documents: Sequence[Document]) -> Self:
        """Return the system with the sentences of all given documents encoded together."""
        if not (self.network.compares and any(document.sentences for document in documents)):
            return self
        other = self._with()
        other._tokenized = tuple(self._tokenize(document) for document in documents)
        other._vectors = other._vectors_of(other._tokenized)
        return other

    def skimming(self, on: bool) -> Self:
        """Return a system that skims all documents, or none."""
        return self._with(skim_words=0 if on else None)

    def _with(self, **settings: Any) -> Self:
        """Return the system with other settings and the encodings that it has."""
        other = copy(self)
        other.config = replace(self.config, **settings)
        return other

    def skims(self, document: Document) -> bool:
        """Return whether the document is too long for all of it to be read closely."""
        most = self.config.skim_words
        if most is None or self.network.rough is None or self.config.searches:
            return False
        return load_of(document) > most

    def _vectors_of(self, documents: Sequence[_Tokenized]) -> TextVectors:
        """Return the vectors of documents, rough ones of sentences not worth reading closely."""
        close: list[Ints] = []
        skimmed: list[Ints] = []
        apply = side_by_side if self.concurrent else map
        for texts, worth in apply(self._worth_reading, documents):
            for place, text in enumerate(texts):
                (close if place >= len(worth) or worth[place] else skimmed).append(text)
        encode = self._vectors or self.network.encode
        return TextVectors(encode, close, skimmed, self.network.rough)

    def _worth_reading(self, tokenized: _Tokenized) -> tuple[list[Ints], Mask]:
        """Return a document's texts, and which of its sentences are worth reading closely."""
        texts = texts_of(tokenized.units)
        if not self.skims(tokenized.document):
            return texts, np.ones(len(tokenized.texts), dtype=bool)

        from longsum.core.extractive.skimming import worth_reading

        assert self.network.rough is not None
        reading = self.network.read(tokenized.units, self.network.rough(texts))
        lengths = np.array([len(text) for text in texts[: len(tokenized.texts)]])
        whole = lengths < self.config.sentence_tokens
        encoded = self._encoded(tokenized, reading)
        return texts, worth_reading(encoded, self.config.skim_share, whole)

    def rank(self, request: Request) -> Ranked:
        """Encode the document, and rank its sentences or search for a plan.

        Raises:
            LongsumError: The settings require a plan search, and the model is not stepwise.
        """
        read, document = self.encode(request), request.document
        if self.config.searches:
            from longsum.core.extractive.plan_ranking import planned

            ranked = planned(request, read, self.config, self.copies(document))
        else:
            ranked = self._ranked(request, read)
        notices = (*self._language_notices(document), *read.notices, *ranked.notices)
        return replace(ranked, coverage=read.coverage(document), notices=notices)

    def _ranked(self, request: Request, read: EncodedDocument) -> Ranked:
        """Rank the sentences one by one."""
        relevant, unlike = focus_similarity(request, partial(self._relevance, request, read))
        ranking, ended = self._ranking(read, focused=relevant is not None)
        if relevant is not None:
            from longsum.core.extractive.focus import FocusedRanking

            ranking = FocusedRanking(ranking, relevant, self.config.focus_weight)
        if self.config.blocking:
            from longsum.core.extractive.plan_ranking import BlockingRanking, Trigrams

            ranking = BlockingRanking(ranking, Trigrams(read.texts))
        return Ranked(
            ranking,
            candidates=read.known,
            preferred=read.preferred,
            notices=unlike,
            exhausted=read.exhausted,
            ended=ended,
        )

    def _ranking(
        self, read: EncodedDocument, *, focused: bool
    ) -> tuple[Ranking, Callable[[], bool] | None]:
        """Return the ranking of sentences, and what says whether it would rather end, if anything.

        With a focus, scores are logits, which can be weighed against relevance, whereas a softmax
        gives most of the probability to a single sentence. They are the logits before any choice,
        since the network was trained to condition on its own choices, not on answers.
        """
        weight = self.config.redundancy_weight
        if not self.network.stepwise:
            logits = read.unchosen[:-1] - read.penalties
            fixed = FixedRanking(logits, SALIENCE) if focused else FixedRanking(read.first, REASON)
            return fixed, None
        if weight is None and not focused:
            from longsum.core.extractive.plan_ranking import StepwiseRanking

            return StepwiseRanking(read), None
        assert read.reading.vectors is not None
        vectors = read.reading.vectors
        steps = 0 if focused else self.config.asked_steps
        steady = SteadyRanking(read, vectors, weight or 0.0, steps)
        return steady, None if weight is None else steady.ended

    def _language_notices(self, document: Document) -> Iterator[Notice]:
        """Warn if the document is in a language that the bundled extractor was not trained on."""
        language = document.language
        if self.config.model is None and language and not is_language(language, LANGUAGE):
            yield Notice(
                "language",
                f"The document is in another language ('{language}') than English, which "
                f"'{self.name}' was trained on; check what it chose.",
            )

    def _check_redundancy(self) -> None:
        config = self.config
        if config.redundancy_weight is None:
            if config.asked_steps is not None:
                raise LongsumError(
                    "Past asked_steps only the redundancy_weight ranks sentences; give one, or "
                    "leave out asked_steps."
                )
            return
        if not (self.network.stepwise and self.network.compares):
            raise LongsumError(
                "Only a stepwise HiBERT takes a redundancy_weight: other models have no vectors of "
                "sentences or no end. Set it to null."
            )
        if config.searches and not config.ends:
            raise LongsumError(
                "A plan that is searched for takes no redundancy_weight, as it is the model's "
                "alone. Set it to null, or leave out beams and steps."
            )

    def _relevance(self, request: Request, read: EncodedDocument, focus: str) -> Array:
        """Return the relevance of each sentence to a focus, `[n]`."""
        from longsum.core.extractive.focus import relevance

        tokens = encode_texts([focus], self._tokenizer, self.config.sentence_tokens)
        vector = self.network.encode(tokens)[0]
        assert read.reading.vectors is not None
        lengths = np.linalg.norm(read.reading.vectors, axis=1) * np.linalg.norm(vector)
        products = (read.reading.vectors @ vector).astype(np.float64)
        cosines = products / np.maximum(lengths, np.finfo(np.float32).tiny)
        return relevance(request.document, focus, cosines)

    def encode(self, request: Request) -> EncodedDocument:
        """Encode a document with the model; with a focus, every sentence is read closely."""
        tokenized = self._tokenize(request.document)
        skims = request.focus is None and self.skims(request.document)
        vectors = self._vectors or (self._vectors_of([tokenized]) if skims else None)
        if vectors is None:
            return self._encoded(tokenized, self.network.read(tokenized.units))
        texts = texts_of(tokenized.units)
        reading = self.network.read(tokenized.units, vectors(texts, rough=skims))
        read = self._encoded(tokenized, reading)
        if not skims:
            return read
        from longsum.core.extractive.skimming import SkimmedDocument

        return SkimmedDocument.of(read, vectors.is_close(texts)[: len(read.texts)])

    def _tokenize(self, document: Document) -> _Tokenized:
        """Tokenize a document, and compute what needs no network."""
        for tokenized in self._tokenized:
            if tokenized.document is document:
                return tokenized
        texts = [sentence.text for sentence in document.sentences]
        units = encode_document(document, self._tokenizer, self.config.sentence_tokens)
        return _Tokenized(
            document, texts, units, self._adjustments(document), self._preferred(document)
        )

    def _encoded(self, tokenized: _Tokenized, reading: Reading) -> EncodedDocument:
        return EncodedDocument(
            texts=tokenized.texts,
            network=self.network,
            reading=reading,
            adjustments=tokenized.adjustments,
            preferred=tokenized.preferred,
        )

    def _preferred(self, document: Document) -> Places:
        """Return each sentence's level: material above all else, back matter last."""
        sentences = document.sentences
        levels = np.zeros(len(sentences), dtype=np.int64)
        if self.config.prose_first:
            levels += 2 * np.array([sentence.is_material for sentence in sentences])
        if self.config.back_matter_last:
            levels += np.array([sentence.kind not in BACK_MATTER for sentence in sentences])
        return levels

    def _adjustments(self, document: Document) -> dict[str, Array]:
        """Return the fixed terms that are added to the logits: `[n]` by name.

        They are relative to the mean, so that a trait that all sentences share does not shift them
        against the end.
        """
        texts, adjustments = [sentence.text for sentence in document.sentences], dict[str, Array]()
        config, running = self.config, running_share(document)
        length = config.length_exponent + running * config.running_length_exponent
        central = config.centrality_exponent + running * config.running_centrality_exponent
        if length:
            words = np.array([max(count_words(text), 1) for text in texts])
            adjustments["length"] = -length * np.log(words / words.mean())
        if central:
            relative = centrality(texts) * len(texts)
            adjustments["centrality"] = central * np.log(relative)
        if config.outcome_weight:
            decides = np.array(
                [
                    not sentence.speaker and tells_outcome(sentence.text)
                    for sentence in document.sentences
                ]
            )
            if decides.any():
                adjustments["outcome"] = config.outcome_weight * (decides - decides.mean())
        if config.bare_item_weight:
            bare = np.array([_is_bare_item(sentence) for sentence in document.sentences])
            material = sum(sentence.is_material for sentence in document.sentences)
            if 0 < bare.sum() < _MANY_BARE_ITEMS * material:
                adjustments["bare_item"] = -config.bare_item_weight * (bare - bare.mean())
        return adjustments


def _is_bare_item(sentence: Sentence) -> bool:
    """Return whether a sentence is a list item that does not end as a sentence."""
    return sentence.kind == "list_item" and not sentence.text.rstrip('"”)').endswith((".", "!"))


def running_share(document: Document) -> float:
    """Return how far a document is running text: by how much prose under no heading prevails.

    Speech counts half, as the headings of a transcript do not reveal the role of a sentence.
    """
    count = max(len(document.sentences), 1)
    spoken = sum(bool(sentence.speaker) for sentence in document.sentences)
    running = sum(
        sentence.is_material and not (sentence.speaker or document.section_of(place).title)
        for place, sentence in enumerate(document.sentences)
    )
    return max(0.0, 2 * running / count - 1) + spoken / count / 2


EXTRACTOR = SystemKind(ExtractorConfig, NeuralExtractor)
