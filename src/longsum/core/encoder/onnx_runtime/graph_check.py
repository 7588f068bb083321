"""Checks that a graph holds what `longsum export` writes and nothing else.

A graph stands in a model's folder, which somebody else may have written. ONNX graphs can name files
to read constants from, define functions, and loop; none of that is handed to ONNX Runtime. The file
is walked as the wire format of protocol buffers, with the field numbers of `onnx.proto`.
"""

from collections.abc import Iterator

OPERATORS = frozenset(
    (
        *("Abs", "Add", "Cast", "Concat", "Div", "Expand", "Gather", "Less", "MatMul", "Mul"),
        *("QuantizeLinear", "Range", "Reciprocal", "ReduceMax", "ReduceMean", "Reshape", "Shape"),
        *("Slice", "Split", "Sqrt", "Squeeze", "Sub", "Unsqueeze"),
        *("com.microsoft.BiasGelu", "com.microsoft.MatMulIntegerToFloat"),
        "com.microsoft.MultiHeadAttention",
    )
)
"""The operators of `sentence_graph`; those that are not ONNX's own with their domain."""

WEIGHTS = "weights"
"""Where a constant says it is stored whose value is handed over with the session."""

_MOST_BYTES = 2**22
_GRAPH, _NODE, _INITIALIZER, _OPERATOR, _ATTRIBUTE, _DOMAIN, _EXTERNAL = 7, 1, 5, 4, 5, 7, 13
_MODEL_FIELDS = frozenset({1, 2, 3, 4, 5, 6, 7, 8})
_GRAPH_FIELDS = frozenset({1, 2, 5, 10, 11, 12, 13})
_ATTRIBUTE_FIELDS = frozenset({1, 2, 3, 4, 7, 8, 9, 20})
_VARINT, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5

Field = tuple[int, bytes]
"""The number of a field and its content; empty for a number."""


def unusual(graph: bytes) -> str:
    """Say what a graph holds that `longsum export` never writes; empty if nothing."""
    if len(graph) > _MOST_BYTES:
        return f"it takes {len(graph):,} bytes"
    try:
        return next(_found(graph), "")
    except (IndexError, UnicodeDecodeError):
        return "it is no graph"


def _found(model: bytes) -> Iterator[str]:
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
        IndexError: It ends within a field, or is no message.
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
