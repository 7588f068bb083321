"""Systems that write with a model of words: what they have in common."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import PreTrainedModel

from longsum.documents.builder import clean
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.sentences import split_sentences
from longsum.models.weights import weights_sha256
from longsum.models.words import START, SourceWords, Vocabulary, WordTokenizer, load_word_model
from longsum.models.words.word_tokenizer import Beginning, sentence_text
from longsum.systems.abstractive.summarizer import AbstractiveSummarizer
from longsum.systems.abstractive.writer import Reading, Writer, Writing
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.source import EncodedSource, SourceFormat

System = TypeVar("System", bound="WordSummarizer")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordReading(Reading):
    """A document as words.

    Attributes:
        source: Its words as ids.
    """

    source: SourceWords


class WordWriter(Writer):
    """Reads and writes with a model of words and its vocabulary."""

    def __init__(self, model: Any, vocabulary: Vocabulary) -> None:
        config = model.config
        self.model = model
        self.vocabulary = vocabulary
        self.words = WordTokenizer(lower_case=config.lower_case)
        self.form = SourceFormat(config.max_source_tokens, marks="none")
        self.limit = config.max_target_tokens
        self.prefix = ""
        self.weigher = None

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


class WordSummarizer(AbstractiveSummarizer):
    """Lets a model of words read the first words of a document and write.

    Attributes:
        model_class: The model.
        writer_class: What reads and writes with it.
    """

    model_class: ClassVar[type[PreTrainedModel]]
    writer_class: ClassVar[type[WordWriter]]

    def __init__(
        self,
        model: PreTrainedModel,
        vocabulary: Vocabulary,
        *,
        name: str,
        identity: dict[str, Any] | None = None,
    ) -> None:
        """Make the system.

        Args:
            model: The network, in evaluation mode.
            vocabulary: Its words.
            name: What the system is called.
            identity: What else the settings should tell, such as a hash of the weights.
        """
        self.name = name
        self.writer = self.writer_class(model, vocabulary)
        self.identity = dict(identity or {})


def load_word_system(
    folder: str | Path,
    kind: type[System],
    *,
    beams: int | None = None,
    device: str | None = None,
    name: str | None = None,
) -> System:
    """Make a system of the folder of a model of words.

    Args:
        folder: What `longsum.models.words.save_word_model` wrote.
        kind: The system's class.
        beams: How many beams are searched; by default as the model says.
        device: Where to compute; by default on a GPU where there is one.
        name: What the system is called; by default as the folder.

    Raises:
        LongsumError: There is no such model, a file is damaged, or there are no beams.
    """
    model: Any
    model, vocabulary = load_word_model(Path(folder), kind.model_class)
    if beams is not None:
        if beams < 1:
            raise LongsumError(f"A search cannot have {beams} beams; give 1 or more.")
        model.config.beams = beams
    model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    called = Path(folder).resolve().name
    identity = {"model": called, "weights_sha256": weights_sha256(Path(folder))}
    return kind(model, vocabulary, name=name or called, identity=identity)
