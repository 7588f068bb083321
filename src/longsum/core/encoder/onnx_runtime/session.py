"""ONNX Runtime sessions: their constants, processor features, and checks of graphs.

A graph comes from a model's folder, which may be someone else's. ONNX graphs can name files to read
constants from, define functions, and loop; graphs that do are not passed to ONNX Runtime
(`unusual`). The file is parsed in the wire format of protocol buffers, with the field numbers of
`onnx.proto`.
"""

import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights

_CPUINFO = Path("/proc/cpuinfo")
# Both features multiply bytes and add four products in 32 bits at once.
_EXACT = re.compile(r"\b(?:avx512_vnni|avx_vnni)\b")
_ARM = {"arm64", "aarch64"}


@cache
def multiplies_bytes() -> bool:
    """Return whether the processor adds products of bytes in 32 bits.

    Older x86 processors add them in 16 bits, where they saturate. If the system does not report the
    processor, the answer is no.
    """
    if platform.machine().lower() in _ARM:
        return True
    try:
        return _EXACT.search(_CPUINFO.read_text(encoding="ascii", errors="replace")) is not None
    except OSError:
        return False


class UnfitGraphError(Exception):
    """A graph that ONNX Runtime cannot read, or that does not fit its constants."""


Kind = Literal["fp32", "int8"]
TOKENS, LENGTHS, VECTORS = "tokens", "lengths", "vectors"


def graph_name(kind: Kind) -> str:
    """Return the file name of a graph."""
    return f"sentence_encoder.{kind}.onnx"


Values = np.ndarray[Any, np.dtype[Any]]

# GELU has its minimum of −0.16997 at −0.75.
LOWEST = 0.17


class Initializers:
    """The constants of a graph, from the weights and from the graph itself."""

    def __init__(self, config: SentenceEncoderConfig, stored: StoredWeights, kind: Kind) -> None:
        self._stored, self._kind = stored, kind
        self.values: dict[str, Values] = {}
        embedding = "embedding."
        positions = stored.floats(f"{embedding}positions.weight")[config.position_offset :]
        types = stored.floats(f"{embedding}types.weight")[0]
        self.values["embedding.tokens"] = stored.floats(f"{embedding}tokens.weight")
        self.values["embedding.positions"] = positions + types
        self._norm("embedding.norm", "embedding.norm")
        for number in range(config.layers):
            name = f"layers.{number}"
            attention, inner = f"{name}.attention", f"{name}.feed_forward"
            parts = [f"{attention}.{part}" for part in ("query", "key", "value")]
            self._linear(f"{name}.projected", parts)
            self._linear(f"{name}.output", [f"{attention}.output"])
            self._norm(f"{name}.attention.norm", f"{attention}.norm")
            self._linear(f"{name}.expand", [f"{inner}.expand"])
            self._linear(f"{name}.shrink", [f"{inner}.shrink"], shift=LOWEST)
            self._norm(f"{name}.feed_forward.norm", f"{inner}.norm")

    def _norm(self, name: str, source: str) -> None:
        self.values[f"{name}.weight"] = self._stored.floats(f"{source}.weight")
        self.values[f"{name}.bias"] = self._stored.floats(f"{source}.bias")

    def _linear(self, name: str, sources: Sequence[str], shift: float = 0.0) -> None:
        """Add a linear layer, or several side by side, with a shifted input."""
        bias = np.concatenate([self._stored.floats(f"{source}.bias") for source in sources])
        if self._kind == "fp32":
            weights = [self._stored.floats(f"{source}.weight") for source in sources]
            self.values[f"{name}.weight"] = np.ascontiguousarray(np.concatenate(weights).T)
        else:
            pairs = [self._stored.rows(f"{source}.weight") for source in sources]
            rows, scales = (np.concatenate(column) for column in zip(*pairs, strict=True))
            self.values[f"{name}.weight"] = np.ascontiguousarray(rows.T)
            self.values[f"{name}.scale"] = scales
            bias = bias - np.float32(shift) * scales * rows.sum(axis=1, dtype=np.float32)
        self.values[f"{name}.bias"] = bias


class Session:
    """Runs a graph, in several threads at once if need be.

    Raises:
        UnfitGraphError: The graph cannot be read or does not fit the constants.
    """

    def __init__(self, graph: bytes, constants: Mapping[str, Values]) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # Callers run in parallel: splitting every product among threads instead, which do not
        # spin, takes a fifth longer.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # The session reads from these arrays throughout its life.
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

        The tokens are `[m, t]`, the lengths `[m]`.

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


OPERATORS = frozenset(
    (
        *("Abs", "Add", "Cast", "Concat", "Div", "Expand", "Gather", "Less", "MatMul", "Mul"),
        *("QuantizeLinear", "Range", "Reciprocal", "ReduceMax", "ReduceMean", "Reshape", "Shape"),
        *("Slice", "Split", "Sqrt", "Squeeze", "Sub", "Unsqueeze"),
        *("com.microsoft.BiasGelu", "com.microsoft.MatMulIntegerToFloat"),
        "com.microsoft.MultiHeadAttention",
    )
)
"""The operators of `sentence_graph`; those outside ONNX's own domain with theirs."""

WEIGHTS = "weights"
"""The location given for a constant whose value is passed to the session."""

# The graphs of the bundled extractor have 26,000 and 109,000 bytes; size grows with the layers.
_MOST_BYTES = 2**22
_GRAPH, _NODE, _INITIALIZER, _OPERATOR, _ATTRIBUTE, _DOMAIN, _EXTERNAL = 7, 1, 5, 4, 5, 7, 13
_MODEL_FIELDS = frozenset({1, 2, 3, 4, 5, 6, 7, 8})
_GRAPH_FIELDS = frozenset({1, 2, 5, 10, 11, 12, 13})
_ATTRIBUTE_FIELDS = frozenset({1, 2, 3, 4, 7, 8, 9, 20})
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

Field = tuple[int, bytes]
"""The number of a field and its content; empty for a number."""


def unusual(graph: bytes) -> str:
    """Return what a graph contains that `longsum export` never writes; empty if nothing."""
    if len(graph) > _MOST_BYTES:
        return f"it takes {len(graph):,} bytes"
    try:
        return next(_in_model(graph), "")
    except (IndexError, UnicodeDecodeError):
        return "it is no graph"


def _in_model(model: bytes) -> Iterator[str]:
    for number, content in _fields(model):
        if number not in _MODEL_FIELDS:
            yield "it defines more than a graph"
        elif number == _GRAPH:
            yield from _in_graph(content)


def _in_graph(graph: bytes) -> Iterator[str]:
    for number, content in _fields(graph):
        if number not in _GRAPH_FIELDS:
            yield "it holds constants of another kind"
        elif number == _NODE:
            yield from _in_node(content)
        elif number == _INITIALIZER:
            yield from _in_constant(content)


def _in_node(node: bytes) -> Iterator[str]:
    operator, domain = "", ""
    for number, content in _fields(node):
        if number == _OPERATOR:
            operator = content.decode()
        elif number == _DOMAIN:
            domain = content.decode()
        elif number == _ATTRIBUTE and any(
            field not in _ATTRIBUTE_FIELDS for field, _ in _fields(content)
        ):
            yield "it holds a graph within the graph"
    name = f"{domain}.{operator}" if domain else operator
    if name not in OPERATORS:
        yield f"it computes '{name}'"


def _in_constant(constant: bytes) -> Iterator[str]:
    for number, content in _fields(constant):
        if number == _EXTERNAL:
            entry = {field: value.decode() for field, value in _fields(content)}
            if entry != {1: "location", 2: WEIGHTS}:
                yield "it reads another file"


def _fields(message: bytes) -> Iterator[Field]:
    """Yield the fields of a message.

    Raises:
        IndexError: The bytes end within a field, or are no message.
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        kind, size = key & 7, 0
        if kind == _VARINT:
            _, at = _varint(message, at)
        elif kind == _BYTES:
            size, at = _varint(message, at)
        elif kind in (_EIGHT, _FOUR):
            at += 8 if kind == _EIGHT else 4
        else:
            raise IndexError
        if at + size > len(message):
            raise IndexError
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Return a whole number and where it ends."""
    value = 0
    for place in range(10):
        byte = message[at + place]
        value |= (byte & 127) << (7 * place)
        if byte < 128:
            return value, at + place + 1
    raise IndexError
