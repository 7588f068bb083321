"""The sentence encoder as a graph for ONNX Runtime, without its weights.

The weights stay in the model's own files and are passed in when a session starts, so that a graph
takes a few kilobytes. There are two: one in fp32, and one with integer products. The latter rounds
the states of each token to 8 bits relative to their largest value, and takes the weights as
`longsum.models.networks.weights` stores them, which are exactly those of the fp32 graph. The output
of GELU is never below −0.17; it is shifted up by that and rounded to unsigned 8 bits, which halves
the error. Outliers among the features of a token are split (`Split`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from longsum.common.arrays import Places
from longsum.core.encoder.extractor_settings import SentenceEncoderConfig
from longsum.core.encoder.onnx_runtime.session import (
    LENGTHS,
    LOWEST,
    TOKENS,
    VECTORS,
    WEIGHTS,
    Initializers,
    Kind,
    Values,
)
from longsum.core.encoder.onnx_runtime.stored_weights import Floats

OPSET, MICROSOFT, MICROSOFT_OPSET, IR_VERSION = 20, "com.microsoft", 1, 10


# A token's state is rounded to 8 bits by its largest feature. BERT-shaped encoders have a handful
# of features, the same for nearly every token, that are many times larger than the rest (Kovaleva
# et al. 2021; Dettmers et al. 2022), so that the rest would be rounded coarsely. Such a feature is
# divided by a whole number and enters the product that many times, with the same weights each time:
# outlier channel splitting (Zhao et al. 2019). Neither the product nor a weight changes.

# A feature is reduced to at most this many times the median of all features' largest values.
_WITHIN = 2.0
# How often a feature enters a product at most, and the size of the sample that reveals outliers.
_MOST_TIMES = 16
_SEQUENCES, _TOKENS = 64, 32


@dataclass(frozen=True, slots=True)
class Split:
    """How features enter a product.

    Attributes:
        divisors: `[D]`, the divisor of each feature.
        again: The features that are repeated, each as often as it is.
    """

    divisors: Floats
    again: Places

    @classmethod
    def of(cls, largest: Floats) -> "Split":
        """Decide from the largest absolute value of each feature, `[D]`."""
        level = _WITHIN * float(np.median(largest))
        # If most features are 0, none is an outlier.
        divisors = np.ceil(largest / level) if level else np.ones_like(largest)
        divisors = np.clip(divisors, 1, _MOST_TIMES)
        repeats = divisors.astype(np.int64) - 1
        return cls(divisors, np.repeat(np.arange(len(largest)), repeats))


def sample(config: SentenceEncoderConfig) -> Places:
    """Return texts for finding outliers, `[64, 32]`: random tokens, as any tokens reveal them."""
    width = min(_TOKENS, config.positions - config.position_offset)
    return np.random.default_rng(0).integers(config.vocabulary, size=(_SEQUENCES, width))


def sentence_graph(
    config: SentenceEncoderConfig,
    initializers: Initializers,
    kind: Kind,
    *,
    splits: Mapping[str, Split] = MappingProxyType({}),
    shown: Sequence[str] = (),
) -> bytes:
    """Return the serialised graph, which maps texts as tokens to vectors.

    Its inputs are `tokens`, `[m, t]` int64, padded on the right, and `lengths`, `[m]` int32; its
    output is `vectors`, `[m, D]`.

    Args:
        config: Settings of the encoder.
        initializers: Its constants, whose names, types and shapes the graph contains.
        kind: How products are computed.
        splits: How features enter the linear layers, by name, in int8.
        shown: Linear layers whose inputs, `[m · t, D]`, follow the vectors as outputs.
    """
    import onnx
    from onnx import TensorProto, helper

    graph = _Graph(config, kind, splits)
    graph.build()
    outer = [
        helper.make_tensor_value_info(TOKENS, TensorProto.INT64, ["m", "t"]),
        helper.make_tensor_value_info(LENGTHS, TensorProto.INT32, ["m"]),
    ]
    sizes = {VECTORS: "m"} | {graph.read[name]: "tokens" for name in shown}
    results = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [rows, config.size])
        for name, rows in sizes.items()
    ]
    constants = [onnx.numpy_helper.from_array(value, name) for name, value in graph.own.items()]
    constants += [_elsewhere(name, value) for name, value in initializers.values.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "sentence_encoder", outer, results, constants),
        producer_name="longsum",
        opset_imports=[
            helper.make_opsetid("", OPSET),
            helper.make_opsetid(MICROSOFT, MICROSOFT_OPSET),
        ],
    )
    model.ir_version = IR_VERSION
    serialised: bytes = model.SerializeToString(deterministic=True)
    return serialised


def _elsewhere(name: str, value: Values) -> Any:
    """Return a constant whose value is passed to the session."""
    from onnx import TensorProto, helper

    tensor = TensorProto(name=name, data_type=helper.np_dtype_to_tensor_dtype(value.dtype))
    tensor.dims.extend(value.shape)
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=WEIGHTS)
    return tensor


@dataclass
class _Graph:
    """Nodes in order of computation, the graph's own constants, and the inputs of linear layers."""

    config: SentenceEncoderConfig
    kind: Kind
    splits: Mapping[str, Split]
    nodes: list[Any] = field(default_factory=list)
    own: dict[str, Values] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)

    def build(self) -> None:
        """Add all nodes."""
        config = self.config
        self._constants()
        self.add("Shape", [TOKENS], "width", start=1, end=2)
        self.add("Shape", [TOKENS], "texts_and_width")
        self.add("Concat", ["texts_and_width", "size"], "by_text", axis=0)
        self.add("Slice", ["embedding.positions", "zero", "width", "zero"], "placed")
        self.add("Gather", ["embedding.tokens", TOKENS], "embedded")
        self.add("Add", ["embedded", "placed"], "summed")
        self.add("Reshape", ["summed", "by_token"], "unscaled")
        if self.kind == "int8":
            self.add("Shape", ["unscaled"], "count", start=0, end=1)
            self.add("Expand", ["middle", "count"], "middles")
            self.add("Expand", ["no_sign", "count"], "no_signs")
        states = self.norm("embedding.norm", "unscaled")
        for number in range(config.layers):
            states = self.layer(f"layers.{number}", states)
        self.pool(self.add("Reshape", [states, "by_text"], "states"))

    def layer(self, name: str, states: str) -> str:
        """Add a layer and return its states, `[m · t, D]` like those below it."""
        product = self.linear(f"{name}.output", self.attention(name, states))
        biased = self.add("Add", [product, f"{name}.output.bias"], f"{name}.output.sum")
        joined = self.add("Add", [biased, states], f"{name}.attention.residual")
        states = self.norm(f"{name}.attention.norm", joined)
        inner = self.linear(f"{name}.expand", states)
        bias = f"{name}.expand.bias"
        active = self.add("BiasGelu", [inner, bias], f"{name}.active", domain=MICROSOFT)
        product = self.linear(f"{name}.shrink", active, shifted=True)
        biased = self.add("Add", [product, f"{name}.shrink.bias"], f"{name}.shrink.sum")
        joined = self.add("Add", [biased, states], f"{name}.feed_forward.residual")
        return self.norm(f"{name}.feed_forward.norm", joined)

    def attention(self, name: str, states: str) -> str:
        """Add the attention within each text, without its output layer."""
        projected = self.linear(f"{name}.projected", states)
        biased = self.add("Add", [projected, f"{name}.projected.bias"], f"{name}.projected.sum")
        parts = [f"{name}.{part}" for part in ("query", "key", "value")]
        self.add("Split", [biased], *parts, axis=-1, num_outputs=3)
        whole = [self.add("Reshape", [part, "by_text"], f"{part}.by_text") for part in parts]
        self.add(
            "MultiHeadAttention",
            [*whole, "", LENGTHS],
            f"{name}.read.by_text",
            domain=MICROSOFT,
            num_heads=self.config.heads,
        )
        return self.add("Reshape", [f"{name}.read.by_text", "by_token"], f"{name}.read")

    def norm(self, name: str, states: str) -> str:
        """Add a layer normalisation in steps: the operator of that name is three times slower."""
        self.add("ReduceMean", [states, "last"], f"{name}.mean", keepdims=1)
        self.add("Sub", [states, f"{name}.mean"], f"{name}.centred")
        self.add("Mul", [f"{name}.centred", f"{name}.centred"], f"{name}.squares")
        self.add("ReduceMean", [f"{name}.squares", "last"], f"{name}.variance", keepdims=1)
        self.add("Add", [f"{name}.variance", "epsilon"], f"{name}.positive")
        self.add("Sqrt", [f"{name}.positive"], f"{name}.deviation")
        self.add("Reciprocal", [f"{name}.deviation"], f"{name}.inverse")
        self.add("Mul", [f"{name}.centred", f"{name}.inverse"], f"{name}.normal")
        self.add("Mul", [f"{name}.normal", f"{name}.weight"], f"{name}.weighted")
        return self.add("Add", [f"{name}.weighted", f"{name}.bias"], f"{name}.states")

    def linear(self, name: str, states: str, *, shifted: bool = False) -> str:
        """Add the product of a linear layer, without its bias."""
        weight, product = f"{name}.weight", f"{name}.product"
        self.read[name] = states
        if self.kind == "fp32":
            self.add("MatMul", [states, weight], product)
        else:
            split = self.splits.get(name)
            if split is not None:
                self.own[f"{name}.factors"] = 1 / split.divisors
                states = self.add("Mul", [states, f"{name}.factors"], f"{name}.narrowed")
            whole, scale = self.rounded(states, shifted)
            if split is not None and len(split.again):
                whole, weight = self.repeated(name, split, whole, weight)
            factors = [whole, weight, "one", f"{name}.scale", "no_sign" if shifted else "middle"]
            self.add("MatMulIntegerToFloat", factors, f"{name}.whole", domain=MICROSOFT)
            self.add("Mul", [f"{name}.whole", scale], product)
        return product

    def repeated(self, name: str, split: Split, whole: str, weight: str) -> tuple[str, str]:
        """Append repeated features, and the rows of the weight that they are multiplied by.

        The weight is extended once, when a session starts.
        """
        self.own[f"{name}.again"] = split.again
        self.add("Gather", [whole, f"{name}.again"], f"{name}.repeats", axis=1)
        longer = self.add("Concat", [whole, f"{name}.repeats"], f"{name}.longer", axis=1)
        self.own[f"{name}.rows"] = np.concatenate([np.arange(len(split.divisors)), split.again])
        return longer, self.add("Gather", [weight, f"{name}.rows"], f"{name}.higher", axis=0)

    def rounded(self, states: str, shifted: bool) -> tuple[str, str]:
        """Add the rounding of states to 8 bits; return them and the scale of each token."""
        name = f"{states}.rounded"
        scale = f"{name}.scale"
        if shifted:
            states = self.add("Add", [states, "lowest"], f"{name}.raised")
            sizes, most, zeros = states, "by_255", "no_signs"
        else:
            sizes, most, zeros = f"{name}.sizes", "by_127", "middles"
            self.add("Abs", [states], sizes)
        self.add("ReduceMax", [sizes, "last"], f"{name}.largest", keepdims=1)
        self.add("Mul", [f"{name}.largest", most], scale)
        self.add("Reshape", [scale, "all"], f"{name}.scales")
        self.add("QuantizeLinear", [states, f"{name}.scales", zeros], name, axis=0)
        return name, scale

    def pool(self, states: str) -> None:
        """Add the pooling of a sentence's states into one vector."""
        if self.config.representation == "first":
            self.add("Slice", [states, "zero", "first", "second_axis"], "first_states")
            self.add("Squeeze", ["first_states", "second_axis"], VECTORS)
            return
        self.add("Squeeze", ["width"], "scalar_width")
        self.add("Range", ["start", "scalar_width", "step"], "numbers")
        self.add("Cast", [LENGTHS], "long_lengths", to=7)
        self.add("Unsqueeze", ["long_lengths", "second_axis"], "row_lengths")
        self.add("Less", ["numbers", "row_lengths"], "real")
        self.add("Cast", ["real"], "weights", to=1)
        self.add("Unsqueeze", ["weights", "second_axis"], "rows")
        self.add("MatMul", ["rows", states], "sums")
        self.add("Squeeze", ["sums", "second_axis"], "totals")
        self.add("Cast", ["row_lengths"], "counts", to=1)
        self.add("Div", ["totals", "counts"], VECTORS)

    def add(self, operator: str, inputs: Sequence[str], *outputs: str, **attributes: Any) -> str:
        """Add a node and return its first output."""
        from onnx import helper

        self.nodes.append(helper.make_node(operator, list(inputs), list(outputs), **attributes))
        return outputs[0]

    def _constants(self) -> None:
        self.own |= {
            "zero": np.array([0], np.int64),
            "first": np.array([1], np.int64),
            "second_axis": np.array([1], np.int64),
            "start": np.array(0, np.int64),
            "step": np.array(1, np.int64),
            "last": np.array([-1], np.int64),
            "size": np.array([self.config.size], np.int64),
            "by_token": np.array([-1, self.config.size], np.int64),
            "epsilon": np.array(self.config.norm_epsilon, np.float32),
        }
        if self.kind == "int8":
            self.own |= {
                "all": np.array([-1], np.int64),
                "one": np.array(1, np.float32),
                "lowest": np.array(LOWEST, np.float32),
                "by_127": np.array(1 / 127, np.float32),
                "by_255": np.array(1 / 255, np.float32),
                "middle": np.array(128, np.uint8),
                "no_sign": np.array(0, np.uint8),
            }
