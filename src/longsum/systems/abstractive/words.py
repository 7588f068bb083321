"""Writers with a word-level model: what the pointer-generator and the convolutional one share."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from longsum.documents.builder import clean
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.sentences import split_sentences
from longsum.models.folders import ModelFolder
from longsum.models.words.vocabulary import START, SourceWords, Vocabulary
from longsum.models.words.word_model_files import load_word_model
from longsum.models.words.word_tokenizer import Beginning, WordTokenizer, sentence_text
from longsum.systems.abstractive.writer import Reading, Writer, Writing
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.source import EncodedSource, SourceFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class WordReading(Reading):
    """A document as words.

    Attributes:
        source: Its words as ids.
    """

    source: SourceWords


class WordWriter(Writer):
    """Reads and writes with a word-level model and its vocabulary.

    Attributes:
        model_class: The model.
    """

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
        """Make a writer of a folder that `save_word_model` wrote.

        Args:
            folder: The folder.
            beams: How many beams are searched; by default as the model says.
            device: Where to compute; by default on a GPU where there is one.
            name: What the model is called; by default as the folder.

        Raises:
            LongsumError: There is no such model, a file is damaged, or there are no beams.
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
        """Return how many tokens a text takes."""
        return len(self.words.tokens(text))

    def encode(self, document: Document, question: str = "") -> EncodedSource:  # noqa: ARG002
        """Lay out a document as words, without its headings, as far as the network reads."""
        read = self.beginning(document)
        return EncodedSource(
            ids=np.array(self.vocabulary.source(read.tokens).ids, dtype=np.int32),
            sentence_of=np.array(read.sentence_of, dtype=np.int32),
            section_of=np.full(len(read.tokens), FIRST_SECTION, dtype=np.int32),
            section_parents=np.zeros(0, dtype=np.int32),
            sentences_read=read.whole,
        )

    def beginning(self, document: Document) -> Beginning:
        """Return the words that are read."""
        texts = (sentence.text for sentence in document.sentences)
        return self.words.beginning(texts, self.model.config.max_source_tokens)

    def row(self, ids: tuple[int, ...]) -> torch.Tensor:
        """Return ids as a batch of one, where the model computes."""
        return torch.tensor([ids], device=self.model.device)

    def told(self, tokens: tuple[int, ...], source: SourceWords, *, ended: bool) -> Writing:
        """Return written ids as sentences."""
        joined = self.words.text(self.vocabulary.tokens(tokens, source))
        starts = [start for start, _ in joined.spans]
        spans = [span for span in split_sentences(joined.text) if clean(joined.text[slice(*span)])]
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
    """Add up attention to words, `[t, n]`, by sentence: `[t, sentences + 1]`.

    The last column, of no sentence, stays 0.
    """
    mass = np.zeros((len(attention), int(sentence_of.max(initial=-1)) + 2))
    np.add.at(mass.T, sentence_of, attention.T.double().cpu().numpy())
    return mass
