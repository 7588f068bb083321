"""HiBERT as a network on ONNX Runtime and NumPy."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.common.threads import threads_at_hand
from longsum.core.encoder.encode_units import TOKENS, RoughVectors, TextVectors
from longsum.core.encoder.extractor_settings import PREFIX, HibertConfig, SentenceEncoderConfig
from longsum.core.encoder.network import Encoded, texts_of
from longsum.core.encoder.onnx_runtime.document_encoder import DocumentEncoder, LightReading
from longsum.core.encoder.onnx_runtime.session import (
    Initializers,
    Kind,
    Session,
    UnfitGraphError,
    graph_name,
    unusual,
)
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights, check_shapes
from longsum.core.model_files.folders import ModelFolder

# Tokens that are encoded together, including padding: their states stay in the processor's cache.
_AT_ONCE = 256


class SentenceEncoder:
    """Returns a vector for each text.

    Its session starts in another thread, mostly without the interpreter lock, while this one loads
    the rest and prepares the document. So a graph that does not fit the weights is noticed only
    with the first texts.

    Raises:
        LongsumError: The graph cannot be read.
    """

    def __init__(
        self, config: SentenceEncoderConfig, stored: StoredWeights, graph: Path, kind: Kind
    ) -> None:
        self._size, self._graph = config.size, graph
        constants = Initializers(config, stored, kind).values
        try:
            content = graph.read_bytes()
        except OSError as error:
            raise LongsumError(f"'{graph}' cannot be read: {error.strerror}.") from None
        if reason := unusual(content):
            raise LongsumError(
                f"'{graph}' is not what 'longsum export' writes ({reason}); write it again."
            )
        background = ThreadPoolExecutor(1)
        self._starting = background.submit(Session, content, constants)
        background.shutdown(wait=False)

    @property
    def _session(self) -> Session:
        try:
            return self._starting.result()
        except UnfitGraphError as error:
            raise LongsumError(
                f"'{self._graph}' does not fit the weights beside it ({error}); write it again "
                "with 'longsum export'."
            ) from None

    def __call__(self, texts: Sequence[Ints]) -> Floats:
        """Return the vectors of texts as tokens, `[m, D]`.

        Raises:
            LongsumError: The graph does not fit the weights.
        """
        session = self._session
        lengths = np.array([len(text) for text in texts], dtype=np.int32)
        vectors = np.empty((len(texts), self._size), dtype=np.float32)

        def encode(rows: Places) -> None:
            width = int(lengths[rows].max())
            tokens = np.zeros((len(rows), width), dtype=np.int64)
            tokens[np.arange(width) < lengths[rows, None]] = np.concatenate(
                [texts[row] for row in rows]
            )
            (vectors[rows],) = session.run(tokens, lengths[rows])

        with ThreadPoolExecutor(threads_at_hand()) as pool:
            # The results are empty; fetching them raises any error.
            list(pool.map(encode, _groups(lengths)))
        return vectors


def _groups(lengths: Ints) -> Iterator[Places]:
    """Yield groups of texts of similar length, to reduce padding."""
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= _AT_ONCE:
            stop += 1
        yield order[start:stop]
        start = stop


class LightNetwork:
    """HiBERT, stepwise or not.

    Args:
        config: Its settings.
        encoder: Returns the vectors of texts.
        stored: The weights of its document encoder.
        rough: Returns rough vectors of texts; None if documents cannot be skimmed.

    Raises:
        LongsumError: A weight is missing.
    """

    compares = True
    concurrent = True

    def __init__(
        self,
        config: HibertConfig,
        encoder: SentenceEncoder,
        stored: StoredWeights,
        rough: RoughVectors | None = None,
    ) -> None:
        self._reads_headings = config.document_encoder.headings
        self._encoder = encoder
        self.rough = rough
        self._document_encoder = DocumentEncoder(config, stored)
        self.stepwise = config.stepwise
        self.decides_end = self._document_encoder.decides_end

    @classmethod
    def of(cls, folder: ModelFolder, config: HibertConfig, kind: Kind) -> "LightNetwork":
        """Load the network in a folder; `kind` is that of the sentence encoder's graph.

        Raises:
            LongsumError: Files are missing or damaged, or do not fit each other.
        """
        stored = StoredWeights.of(folder).within(PREFIX)
        check_shapes(stored.shapes, config)
        below = stored.within("sentence_encoder.")
        graph = folder.path / graph_name(kind)
        encoder = SentenceEncoder(config.sentence_encoder, below, graph, kind)
        size = config.sentence_encoder.size
        rough = RoughVectors.of(folder.path, size, lambda: below.floats(TOKENS))
        return cls(config, encoder, stored.within("document_encoder."), rough)

    def read(self, document: Encoded, texts: Floats | None = None) -> LightReading:
        """Compute everything that does not depend on the choices; see `Network.read`."""
        if texts is None:
            # Equal texts are encoded once.
            tokens = texts_of(document)
            texts = TextVectors(self._encoder, tokens)(tokens)
        count = len(document.headings)
        headings = None
        if self._reads_headings:
            has_heading = document.headings >= 0
            headings = texts[np.maximum(document.headings, 0)] * has_heading[:, None]
        return self._document_encoder.read(texts[:count], headings, document.places)

    def encode(self, texts: Sequence[Ints]) -> Floats:
        """Return the vectors of texts as tokens, `[m, D]`."""
        return self._encoder(texts)
