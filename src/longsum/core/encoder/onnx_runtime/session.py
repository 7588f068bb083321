"""Sessions of ONNX Runtime, and what the processor can do."""

import platform
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.core.encoder.onnx_runtime.sentence_graph import LENGTHS, TOKENS, Values
from longsum.core.encoder.onnx_runtime.stored_weights import Floats

_CPUINFO = Path("/proc/cpuinfo")
# Both multiply bytes and add four products to 32 bits at once.
_EXACT = re.compile(r"\b(?:avx512_vnni|avx_vnni)\b")
_ARM = {"arm64", "aarch64"}


@cache
def multiplies_bytes() -> bool:
    """Return whether the processor adds products of bytes in 32 bits.

    Older ones for x86 add them in 16 bits, where they are cut off. Where the system does not tell
    which it is, the answer is no.
    """
    if platform.machine().lower() in _ARM:
        return True
    try:
        return _EXACT.search(_CPUINFO.read_text(encoding="ascii", errors="replace")) is not None
    except OSError:
        return False


class UnfitGraphError(Exception):
    """A graph that ONNX Runtime cannot read, or that does not fit its constants."""


class Session:
    """Runs a graph; several threads may do so at once.

    Args:
        graph: The graph, serialised.
        constants: Its constants by name.

    Raises:
        UnfitGraphError: The graph cannot be read or does not fit the constants.
    """

    def __init__(self, graph: bytes, constants: Mapping[str, Values]) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # Those who call have a thread each: to split every product among threads that do not spin
        # takes a fifth longer.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # The session reads from these arrays as long as it lives.
        self._constants = {
            name: onnxruntime.OrtValue.ortvalue_from_numpy(value)
            for name, value in constants.items()
        }
        options.add_external_initializers(list(self._constants), list(self._constants.values()))
        try:
            self._session: Any = onnxruntime.InferenceSession(
                graph, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime raises nothing narrower
            raise UnfitGraphError(str(error).splitlines()[0]) from None

    def run(self, tokens: Places, lengths: Ints) -> list[Floats]:
        """Return the outputs of a graph for texts, padded on the right: the vectors first.

        Args:
            tokens: `[m, t]`.
            lengths: `[m]`.

        Raises:
            LongsumError: The graph cannot compute them.
        """
        try:
            given = {TOKENS: tokens, LENGTHS: lengths.astype(np.int32)}
            return list(self._session.run(None, given))
        except Exception as error:  # ONNX Runtime raises nothing narrower
            raise LongsumError(
                "The model's graph does not fit its weights or its tokenizer; write it again with "
                "'longsum export', or fetch the model again."
            ) from error
