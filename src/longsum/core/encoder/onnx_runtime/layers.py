"""Layers in NumPy."""

from collections import deque
from dataclasses import dataclass

import numpy as np

from longsum.common.threads import side_by_side
from longsum.core.encoder.onnx_runtime.stored_weights import Floats, StoredWeights

# Numbers that are computed together: a megabyte stays in a core's cache, where each pass of a
# softmax or GELU takes about half as long as in main memory.
_AT_ONCE = 2**18
# Coefficients of the error function, from the highest power (Abramowitz and Stegun 1964, 7.1.26).
_ERF = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))
_ERF_SLOPE = np.float32(0.3275911 / np.sqrt(2))

Memory = tuple[Floats, Floats]
"""Keys and values, `[heads, m, head_dim]` each."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear layer; `weight` is `[in, out]`, as it enters the product."""

    weight: Floats
    bias: Floats | None

    @classmethod
    def of(cls, stored: StoredWeights, name: str) -> "Linear":
        """Read the layer with a name."""
        bias = f"{name}.bias"
        weight = np.ascontiguousarray(stored.floats(f"{name}.weight").T)
        return cls(weight, stored.floats(bias) if bias in stored else None)

    def __call__(self, states: Floats) -> Floats:
        """Return `[…, out]` of `[…, in]`."""
        products: Floats = states @ self.weight
        if self.bias is not None:
            products += self.bias
        return products


@dataclass(frozen=True, slots=True)
class Norm:
    """Layer normalisation."""

    weight: Floats
    bias: Floats
    epsilon: float

    @classmethod
    def of(cls, stored: StoredWeights, name: str, epsilon: float) -> "Norm":
        """Read the normalisation with a name."""
        return cls(stored.floats(f"{name}.weight"), stored.floats(f"{name}.bias"), epsilon)

    def __call__(self, states: Floats) -> Floats:
        """Return normalised states, `[…, D]`."""
        centred: Floats = states - states.mean(axis=-1, keepdims=True)
        variance = np.square(centred).mean(axis=-1, keepdims=True)
        centred /= np.sqrt(variance + np.float32(self.epsilon))
        centred *= self.weight
        centred += self.bias
        return centred


@dataclass(frozen=True, slots=True)
class Attention:
    """Multi-head attention with its residual connection and normalisation."""

    heads: int
    query: Linear
    key: Linear
    value: Linear
    output: Linear
    norm: Norm

    @classmethod
    def of(cls, stored: StoredWeights, name: str, heads: int, epsilon: float) -> "Attention":
        """Read the attention with a name."""
        query, key, value, output = (
            Linear.of(stored, f"{name}.{part}") for part in ("query", "key", "value", "output")
        )
        norm = Norm.of(stored, f"{name}.norm", epsilon)
        return cls(heads, query, key, value, output, norm)

    def __call__(self, states: Floats, memory: Floats) -> Floats:
        """Let states `[n, D]` read a memory, `[m, D]`."""
        return self.look(states, self.remember(memory))

    def remember(self, memory: Floats) -> Memory:
        """Return the keys and values of a memory, `[m, D]`."""
        return self._split(self.key(memory)), self._split(self.value(memory))

    def ask(self, states: Floats) -> Floats:
        """Return the queries of states `[n, D]`: `[heads, n, head_dim]`."""
        queries = self._split(self.query(states))
        queries *= np.float32(1 / np.sqrt(queries.shape[-1]))
        return queries

    def look(self, states: Floats, memory: Memory, queries: Floats | None = None) -> Floats:
        """Attend like a call, given `remember` of the memory and possibly `ask` of the states."""
        if queries is None:
            queries = self.ask(states)
        heads, count, size = memory[0].shape
        # If the memory is small, it is cheaper to apply the output layer to its values than to what
        # the states read of them.
        few = heads * count * (len(states) + size) < states.size
        read = self._read_few(queries, memory) if few else self._read(queries, memory)
        return self.norm(states + read)

    def _read(self, queries: Floats, memory: Memory) -> Floats:
        keys, values = memory[0].transpose(0, 2, 1), memory[1]
        count = queries.shape[1]
        rows = max(1, min(count, _AT_ONCE // keys.shape[-1]))
        heads = max(1, _AT_ONCE // (rows * keys.shape[-1]))
        attended = np.empty_like(queries)

        def attend(first: int) -> None:
            block = slice(first, first + heads)
            for start in range(0, count, rows):
                chunk = slice(start, start + rows)
                weights = _exponentials(queries[block, chunk] @ keys[block])
                # After the product, there are fewer numbers to divide.
                sums = weights.sum(axis=-1, keepdims=True)
                np.divide(weights @ values[block], sums, out=attended[block, chunk])

        deque(side_by_side(attend, range(0, self.heads, heads)), maxlen=0)
        return self.output(attended.transpose(1, 0, 2).reshape(count, -1))

    def _read_few(self, queries: Floats, memory: Memory) -> Floats:
        keys, values = memory[0].transpose(0, 2, 1), memory[1]
        heads, size = self.heads, values.shape[-1]
        weights = _exponentials(queries @ keys)
        weights /= weights.sum(axis=-1, keepdims=True)
        outputs = values @ self.output.weight.reshape(heads, size, -1)
        merged = Linear(outputs.reshape(-1, outputs.shape[-1]), self.output.bias)
        return merged(weights.transpose(1, 0, 2).reshape(queries.shape[1], -1))

    def _split(self, states: Floats) -> Floats:
        """Return `[n, D]` as `[heads, n, head_dim]`."""
        by_head = states.reshape(len(states), self.heads, -1).transpose(1, 0, 2)
        return np.ascontiguousarray(by_head)


def _exponentials(weights: Floats) -> Floats:
    """Return exponentials `[…, m]` relative to the greatest of each row, in place."""
    weights -= weights.max(axis=-1, keepdims=True)
    return np.exp(weights, out=weights)


@dataclass(frozen=True, slots=True)
class FeedForward:
    """Two linear layers around GELU, with residual connection and normalisation."""

    expand: Linear
    shrink: Linear
    norm: Norm

    @classmethod
    def of(cls, stored: StoredWeights, name: str, epsilon: float) -> "FeedForward":
        """Read the network with a name."""
        expand, shrink = (Linear.of(stored, f"{name}.{part}") for part in ("expand", "shrink"))
        return cls(expand, shrink, Norm.of(stored, f"{name}.norm", epsilon))

    def __call__(self, states: Floats) -> Floats:
        """Return new states, `[n, D]`."""
        rows = _AT_ONCE // self.expand.weight.shape[1] + 1
        # With an even number of equal blocks, two threads wait for each other the least.
        pairs = -(-len(states) // (2 * rows))
        blocks = np.array_split(states, 2 * pairs if len(states) > rows // 2 else 1)
        return np.concatenate([*side_by_side(self._transform, blocks)])

    def _transform(self, states: Floats) -> Floats:
        return self.norm(states + self.shrink(gelu(self.expand(states))))


def gelu(values: Floats) -> Floats:
    """Return `x Φ(x)`, `[…]`, within 4e-7.

    SciPy has the error function, but its import takes longer than encoding all sentences of a short
    document. Each step overwrites an earlier result: new memory for every step takes several times
    as long as the arithmetic.
    """
    sizes = np.abs(values)
    step = sizes * _ERF_SLOPE
    step += np.float32(1)
    np.reciprocal(step, out=step)
    tail = np.full_like(step, _ERF[0])
    for coefficient in _ERF[1:]:
        tail *= step
        tail += coefficient
    tail *= step
    np.square(sizes, out=step)
    step *= np.float32(-0.5)
    tail *= np.exp(step, out=step)
    # Half of this is the probability beyond the value, on its side of 0.
    tail *= np.float32(0.5)
    tail *= sizes
    result: Floats = np.maximum(values, np.float32(0), out=sizes)
    result -= tail
    return result
