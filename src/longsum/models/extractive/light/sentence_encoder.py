"""The sentence encoder on ONNX Runtime."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from longsum.arrays import Ints, Places
from longsum.errors import LongsumError
from longsum.models.extractive.extractor_settings import SentenceEncoderConfig
from longsum.models.extractive.light.sentence_graph import (
    LENGTHS,
    TOKENS,
    VECTORS,
    Initializers,
    Kind,
)
from longsum.models.extractive.light.stored_weights import Floats, StoredWeights

# Tokens that are encoded at once, padding included: their states stay in the processor's cache.
_AT_ONCE = 1024


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
        import onnxruntime

        self._size = config.size
        constants = Initializers(config, stored, kind).found
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads()
        options.inter_op_num_threads = 1
        # Threads that wait in a loop slow down all that runs beside them.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        # The session reads from these arrays as long as it lives.
        self._constants = {
            name: onnxruntime.OrtValue.ortvalue_from_numpy(value)
            for name, value in constants.items()
        }
        options.add_external_initializers(list(self._constants), list(self._constants.values()))
        try:
            self._session = onnxruntime.InferenceSession(
                graph.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
        except OSError as error:
            raise LongsumError(f"'{graph}' cannot be read: {error.strerror}.") from None
        except Exception as error:  # ONNX Runtime raises nothing narrower
            reason = str(error).splitlines()[0]
            raise LongsumError(
                f"'{graph}' does not fit the weights beside it ({reason}); write it again with "
                "'longsum export'."
            ) from None

    def __call__(self, texts: Sequence[Ints]) -> Floats:
        """Return the vectors of texts as tokens, `[m, D]`."""
        lengths = np.array([len(text) for text in texts], dtype=np.int32)
        vectors = np.empty((len(texts), self._size), dtype=np.float32)
        for rows in _groups(lengths):
            width = int(lengths[rows].max())
            tokens = np.zeros((len(rows), width), dtype=np.int64)
            tokens[np.arange(width) < lengths[rows, None]] = np.concatenate(
                [texts[row] for row in rows]
            )
            given = {TOKENS: tokens, LENGTHS: lengths[rows]}
            vectors[rows] = self._session.run([VECTORS], given)[0]
        return vectors


def threads() -> int:
    """Return how many threads to compute with: as `OMP_NUM_THREADS` says, or one a core at hand."""
    asked = os.environ.get("OMP_NUM_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
