"""The pointer-generator network as a system: it writes the prototype of MLS (§2.1)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from longsum.documents.builder import clean
from longsum.documents.model import Document
from longsum.errors import LongsumError
from longsum.language.sentences import split_sentences
from longsum.models.pointer import (
    START,
    LongsumPointerGenerator,
    SourceWords,
    Vocabulary,
    WordTokenizer,
    load_pointer,
)
from longsum.models.pointer.layers import DecoderState
from longsum.models.pointer.layers import EncodedSource as Encoded
from longsum.models.pointer.tokenizer import sentence_text
from longsum.models.weights import weights_sha256
from longsum.summaries import Budget
from longsum.systems.abstractive import AbstractiveSummarizer
from longsum.systems.budgeting import TokenRange
from longsum.systems.generating import Reading, Writer, Writing
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.source import EncodedSource, SourceFormat


class PointerSummarizer(AbstractiveSummarizer):
    """Lets a pointer-generator network read the first words of a document and write.

    Its texts are as long as it was trained to write them; a shorter budget cuts them after a
    sentence, and `LengthControlled` makes any length of them. The sources of a sentence are found
    by its words and by where the network copied them from.
    """

    def __init__(
        self,
        model: LongsumPointerGenerator,
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
        self.writer = PointerWriter(model, vocabulary)
        self.identity = dict(identity or {})

    @property
    def natural(self) -> Budget:
        """A length that no text of the network exceeds; see `LengthControlled`."""
        return Budget(self.writer.model.config.max_target_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerReading(Reading):
    """A document as the network has read it.

    Attributes:
        source: Its words as ids.
        encoded: What the decoder attends to.
        state: What the decoder starts from.
    """

    source: SourceWords
    encoded: Encoded
    state: DecoderState


class PointerWriter(Writer):
    """Reads and writes with a pointer-generator network and its vocabulary."""

    def __init__(self, model: LongsumPointerGenerator, vocabulary: Vocabulary) -> None:
        config = model.config
        self.model = model
        self.vocabulary = vocabulary
        self.words = WordTokenizer(lower_case=config.lower_case)
        self.form = SourceFormat(config.max_source_tokens, marks="none")
        self.limit = config.max_target_tokens
        self.prefix = ""

    @property
    def generation(self) -> dict[str, Any]:
        """The settings of the search, and whether attention is covered."""
        config = self.model.config
        names = ("beams", "min_target_tokens", "coverage", "lower_case")
        return {name: getattr(config, name) for name in names}

    def encode(self, document: Document, question: str = "") -> EncodedSource:  # noqa: ARG002
        """Lay out a document as words, without its headings, as far as the network reads."""
        tokens, sentence_of, read = self._tokens(document)
        return EncodedSource(
            ids=np.array(self.vocabulary.source(tokens).ids, dtype=np.int32),
            sentence_of=sentence_of,
            section_of=np.full(len(tokens), FIRST_SECTION, dtype=np.int32),
            section_parents=np.zeros(0, dtype=np.int32),
            sentences_read=read,
        )

    def read(self, document: Document, question: str = "") -> Reading:  # noqa: ARG002
        """Encode a document."""
        tokens, sentence_of, read = self._tokens(document)
        source = self.vocabulary.source(tokens)
        ids, extended = (
            torch.tensor([row], device=self.model.device) for row in (source.ids, source.extended)
        )
        with torch.inference_mode():
            encoded, state = self.model.read(ids, extended)
        return PointerReading(
            ids,
            encoded.states,
            sentence_of,
            read,
            source=source,
            encoded=encoded,
            state=state,
        )

    def write(self, reading: Reading, length: TokenRange, seed: int) -> Writing:  # noqa: ARG002
        """Write a text of the network's own length, at most as long as asked for.

        Nothing is random.
        """
        config = self.model.config
        found = _pointer(reading)
        most = min(length.most, config.max_target_tokens)
        best = self.model.search(
            found.encoded, found.state, least=min(config.min_target_tokens, most), most=most
        )
        return self._told(best.tokens, found.source, ended=best.ended)

    def mass(self, reading: Reading, sequence: torch.Tensor) -> NDArray[np.float64] | None:
        """Return how much of each word was copied from each sentence, `[t, sentences + 1]`.

        It is (1 − p_gen) a^t, added up by sentence; the last column, of no sentence, stays 0.
        """
        found = _pointer(reading)
        labels = sequence[None, 1:].to(self.model.device)
        with torch.inference_mode():
            steps = self.model.steps(found.encoded, found.state, labels)
        copied = steps.attention[0] * (1 - steps.generate[0].float().sigmoid())[:, None]
        mass = np.zeros((labels.shape[1], int(reading.sentence_of.max(initial=-1)) + 2))
        np.add.at(mass.T, reading.sentence_of, copied.T.double().cpu().numpy())
        return mass

    def _told(self, tokens: tuple[int, ...], source: SourceWords, *, ended: bool) -> Writing:
        joined = self.words.text(self.vocabulary.tokens(tokens, source))
        starts = [start for start, _ in joined.spans]
        spans = split_sentences(joined.text)
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

    def _tokens(self, document: Document) -> tuple[list[str], NDArray[np.int32], int]:
        """Return the words that are read, the sentence of each, and how many are read whole."""
        tokens: list[str] = []
        sentence_of: list[int] = []
        most = self.model.config.max_source_tokens
        read = 0
        for place, sentence in enumerate(document.sentences):
            own = self.words.tokens(sentence.text)
            if len(tokens) >= most:
                break
            read += len(tokens) + len(own) <= most
            tokens += own
            sentence_of += [place] * len(own)
        return tokens[:most], np.array(sentence_of[:most], dtype=np.int32), read


def _pointer(reading: Reading) -> PointerReading:
    assert isinstance(reading, PointerReading)
    return reading


def load_pointer_system(
    folder: str | Path,
    *,
    beams: int | None = None,
    device: str | None = None,
    name: str | None = None,
) -> PointerSummarizer:
    """Make a system of the folder of a pointer-generator network.

    Args:
        folder: What `longsum.models.pointer.save_pointer` wrote.
        beams: How many beams are searched; by default as the model says.
        device: Where to compute; by default on a GPU where there is one.
        name: What the system is called; by default as the folder.

    Raises:
        LongsumError: There is no such model, a file is damaged, or there are no beams.
    """
    model: Any
    model, vocabulary = load_pointer(Path(folder))
    if beams is not None:
        if beams < 1:
            raise LongsumError(f"A search cannot have {beams} beams; give 1 or more.")
        model.config.beams = beams
    model.to(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    called = Path(folder).resolve().name
    identity = {"model": called, "weights_sha256": weights_sha256(Path(folder))}
    return PointerSummarizer(model, vocabulary, name=name or called, identity=identity)
