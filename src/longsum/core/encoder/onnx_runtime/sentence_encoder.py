"""The sentence encoder on ONNX Runtime."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.common.threads import threads_at_hand
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.encoder.onnx_runtime.graph_check import unusual
from longsum.core.encoder.onnx_runtime.sentence_graph import (
    Initializers,
    Kind,
)
from longsum.core.encoder.onnx_runtime.session import Session, UnfitGraphError
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights

# Tokens that are encoded at once, padding included: their states stay in the processor's cache.
_AT_ONCE = 256


class SentenceEncoder:
    """Returns a vector for each text.

    Args:
        config: Its settings.
        stored: Its weights.
        graph: The file of its graph.
        kind: The kind of the graph.

    Raises:
        LongsumError: The graph cannot be read or does not fit the weights.
    """

    def __init__(
        self, config: SentenceEncoderConfig, stored: StoredWeights, graph: Path, kind: Kind
    ) -> None:
        self._size = config.size
        constants = Initializers(config, stored, kind).found
        try:
            content = graph.read_bytes()
        except OSError as error:
            raise LongsumError(f"'{graph}' cannot be read: {error.strerror}.") from None
        if reason := unusual(content):
            raise LongsumError(
                f"'{graph}' is not what 'longsum export' writes ({reason}); write it again."
            )
        try:
            self._session = Session(content, constants)
        except UnfitGraphError as error:
            raise LongsumError(
                f"'{graph}' does not fit the weights beside it ({error}); write it again with "
                "'longsum export'."
            ) from None

    def __call__(self, texts: Sequence[Ints]) -> Floats:
        """Return the vectors of texts as tokens, `[m, D]`."""
        lengths = np.array([len(text) for text in texts], dtype=np.int32)
        vectors = np.empty((len(texts), self._size), dtype=np.float32)

        def encode(rows: Places) -> None:
            width = int(lengths[rows].max())
            tokens = np.zeros((len(rows), width), dtype=np.int64)
            tokens[np.arange(width) < lengths[rows, None]] = np.concatenate(
                [texts[row] for row in rows]
            )
            vectors[rows] = self._session.run(tokens, lengths[rows])[0]

        with ThreadPoolExecutor(threads_at_hand()) as pool:
            # Its results are empty; to ask for them raises what went wrong.
            list(pool.map(encode, _groups(lengths)))
        return vectors


def _groups(lengths: Ints) -> Iterator[Places]:
    """Yield groups of texts of like length, so that little is padding."""
    order = np.argsort(lengths, kind="stable")
    start = 0
    while start < len(order):
        stop = start + 1
        while stop < len(order) and (stop + 1 - start) * lengths[order[stop]] <= _AT_ONCE:
            stop += 1
        yield order[start:stop]
        start = stop
