"""Word-level models as writers: the pointer-generator network (MLS, §2.1), and convolutions."""

from abc import abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.summaries import Budget
from longsum.documents.model import Document
from longsum.language.characters import clean
from longsum.models.networks.convolutional import LongsumConvolutional
from longsum.models.networks.pointer import LongsumPointerGenerator
from longsum.models.networks.words.vocabulary import (
    START,
    Beginning,
    SourceWords,
    Vocabulary,
    WordTokenizer,
    sentence_text,
)
from longsum.models.networks.words.word_model_files import load_word_model
from longsum.models.tasks.source import START as FIRST_SECTION
from longsum.models.tasks.source import EncodedSource, SourceFormat
from longsum.models.writing.budgeting import MIN_SHARE, TokenRange
from longsum.models.writing.writer import ReadSource, Writer, Writing, sentence_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class WordReading(ReadSource):
    """A document as encoded by a word-level model.

    Attributes:
        source: Its words as ids.
        encoded: The encoder output that the decoder attends to.
        state: Initial state of the decoder; None if it depends on the length alone.
    """

    source: SourceWords
    encoded: Any
    state: Any


class WordWriter(Writer[WordReading]):
    """Reads and writes with a word-level model and its vocabulary."""

    model_class: ClassVar[type[PreTrainedModel]]

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        config = model.config
        self.model = model
        self.vocabulary = vocabulary
        self.words = WordTokenizer(lower_case=config.lower_case)
        self.form = SourceFormat(config.max_source_tokens, marks="none")
        self.limit = config.max_target_tokens

    @classmethod
    def load(
        cls,
        folder: Path | ModelFolder,
        *,
        beams: int | None = None,
        device: str | None = None,
        name: str | None = None,
    ) -> Self:
        """Load a writer from a folder that `save_word_model` wrote.

        Args:
            folder: The folder.
            beams: Beam size; by default the model's own.
            device: Device to run on; by default a GPU if there is one.
            name: Name of the model; by default that of the folder.

        Raises:
            LongsumError: There is no such model, a file is damaged, or `beams` is below 1.
        """
        model: Any
        model, vocabulary = load_word_model(folder, cls.model_class)
        if beams is not None:
            if beams < 1:
                raise LongsumError(f"A search cannot have {beams} beams; give 1 or more.")
            model.config.beams = beams
        model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        writer = cls(model, vocabulary)
        writer.folder = ModelFolder.of(folder)
        writer.name = name or writer.folder.name
        return writer

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of the search."""
        config = self.model.config
        return {name: getattr(config, name) for name in ("beams", "lower_case")}

    def count(self, text: str) -> int:
        """Return the number of tokens in a text."""
        return len(self.words.tokens(text))

    def encode(self, document: Document, question: str = "") -> EncodedSource:  # noqa: ARG002
        """Encode a document as word ids, without its headings, truncated to the source limit."""
        words = self._beginning(document)
        return EncodedSource(
            ids=np.array(self.vocabulary.source(words.tokens).ids, dtype=np.int32),
            sentence_of=np.array(words.sentence_of, dtype=np.int32),
            section_of=np.full(len(words.tokens), FIRST_SECTION, dtype=np.int32),
            section_parents=np.zeros(0, dtype=np.int32),
            sentences_read=words.whole,
        )

    def read(self, document: Document, question: str = "") -> WordReading:  # noqa: ARG002
        """Encode a document with the model."""
        words = self._beginning(document)
        source = self.vocabulary.source(words.tokens)
        ids, extended = (
            torch.tensor([row], device=self.model.device) for row in (source.ids, source.extended)
        )
        with torch.inference_mode():
            states, encoded, state = self.encoded(ids, extended)
        return WordReading(
            ids,
            states,
            np.array(words.sentence_of, dtype=np.int32),
            words.whole,
            source=source,
            encoded=encoded,
            state=state,
        )

    @abstractmethod
    def encoded(self, ids: torch.Tensor, extended: torch.Tensor) -> tuple[torch.Tensor, Any, Any]:
        """Return the encoder states `[1, n, D]`, the encoder output, and the decoder's state.

        Both inputs are `[1, n]`; extended ids include words outside the vocabulary.
        """

    def _beginning(self, document: Document) -> Beginning:
        texts = (sentence.text for sentence in document.sentences)
        return self.words.beginning(texts, self.model.config.max_source_tokens)

    def writing(self, tokens: tuple[int, ...], source: SourceWords, *, ended: bool) -> Writing:
        """Return generated ids as sentences."""
        joined = self.words.text(self.vocabulary.tokens(tokens, source))
        starts = [start for start, _ in joined.spans]
        spans = sentence_spans(joined.text)
        sentences = [clean(joined.text[slice(*span)]) for span in spans]
        if self.words.lower_case:
            sentences = [sentence_text(sentence) for sentence in sentences]
        return Writing(
            sequence=torch.tensor([START, *tokens]),
            sentences=tuple(sentences),
            tokens=tuple(
                (int(np.searchsorted(starts, start)), int(np.searchsorted(starts, end)))
                for start, end in spans
            ),
            unfinished=not ended,
        )


def by_sentence(attention: torch.Tensor, sentence_of: NDArray[np.int32]) -> NDArray[np.float64]:
    """Sum attention to words, `[t, n]`, by sentence: `[t, sentences + 1]`.

    The last column, for words outside any sentence, stays 0.
    """
    mass = np.zeros((len(attention), int(sentence_of.max(initial=-1)) + 2))
    np.add.at(mass.T, sentence_of, attention.T.double().cpu().numpy())
    return mass


class PointerWriter(WordWriter):
    """Reads and writes with a pointer-generator network and its vocabulary.

    Its texts have the length that it was trained to write; a shorter budget truncates them after a
    sentence, and `LengthControlled` brings them to any length. The sources of a sentence are found
    by its words and by where the network copied them from.
    """

    model_class = LongsumPointerGenerator

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        super().__init__(model, vocabulary)
        self.own_length = Budget(model.config.max_target_tokens)

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of the search, and whether attention coverage is used."""
        config = self.model.config
        more = {name: getattr(config, name) for name in ("min_target_tokens", "coverage")}
        return {**super().generation, **more}

    def encoded(self, ids: torch.Tensor, extended: torch.Tensor) -> tuple[torch.Tensor, Any, Any]:
        """Encode a source; the decoder starts from the encoder's final state."""
        encoded, state = self.model.read(ids, extended)
        return encoded.states, encoded, state

    def write(self, reading: WordReading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of the network's own length, truncated to the maximum; deterministic."""
        config = self.model.config
        maximum = min(length.maximum, config.max_target_tokens)
        best = self.model.search(
            reading.encoded,
            reading.state,
            min_tokens=min(config.min_target_tokens, maximum),
            max_tokens=maximum,
        )
        return self.writing(best.tokens, reading.source, ended=best.ended)

    def mass(self, reading: WordReading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return how much of each word was copied from each sentence, `[t, sentences + 1]`.

        It is (1 − p_gen) a^t, summed by sentence.
        """
        labels = sequence[None, 1:].to(self.model.device)
        with torch.inference_mode():
            steps = self.model.steps(reading.encoded, reading.state, labels)
        copied = steps.attention[0] * (1 - steps.generate[0].float().sigmoid())[:, None]
        return by_sentence(copied, reading.sentence_of)


class ConvolutionalWriter(WordWriter):
    """Reads and writes with a convolutional encoder–decoder and its vocabulary.

    The network is conditioned on the budget's length and ends its texts itself; longer texts are
    truncated after a sentence. It writes no word outside its vocabulary.
    """

    model_class = LongsumConvolutional

    def encoded(
        self,
        ids: torch.Tensor,
        extended: torch.Tensor,  # noqa: ARG002
    ) -> tuple[torch.Tensor, Any, Any]:
        """Encode a source; the decoder's initial state depends on the length alone."""
        encoded = self.model.encoder(ids)
        return encoded.values, encoded, None

    def write(self, reading: WordReading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of about the requested length, recovered from the range; deterministic."""
        maximum = min(length.maximum, self.model.config.max_target_tokens)
        target = min(max(round(length.minimum / MIN_SHARE), 1), maximum)
        best = self.model.search(
            reading.encoded,
            self._start(target),
            min_tokens=min(length.minimum, maximum),
            max_tokens=maximum,
        )
        return self.writing(best.tokens, reading.source, ended=best.ended)

    def mass(self, reading: WordReading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return the attention from each word to each source sentence, over all layers.

        It is recomputed for the actual length of `sequence`, not for the length requested of it.
        """
        labels = sequence[None, 1:].to(self.model.device)
        state = self._start(labels.shape[1])
        with torch.inference_mode():
            _, attention = self.model.steps(reading.encoded, state, labels)
        return by_sentence(attention[0], reading.sentence_of)

    def _start(self, length: int) -> Any:
        return self.model.decoder.start(torch.tensor([length], device=self.model.device))
