"""Learned attentions against their papers' equations, recomputed number by number.

Nothing here is taken from the modules under test but their results and, where something is drawn or
learned, the numbers themselves. Rows are of odd lengths, filled up on the right.
"""

import math

import numpy as np
import pytest
import torch

from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention
from longsum.models.attention.learned.lsh import LshAttention
from longsum.models.attention.learned.sinkhorn import SinkhornAttention
from longsum.models.attention.patterns import GlobalTokens, Stride

HEADS, SIZE = 3, 6
EXECUTIONS = pytest.mark.parametrize("execution", ["fast", "reference"])


def draw(tokens, rows=2, seed=0):
    generator = torch.Generator().manual_seed(seed)
    shape = (rows, HEADS, tokens, SIZE)
    return [torch.randn(shape, generator=generator, dtype=torch.float64) for _ in range(3)]


def filled(lengths, tokens):
    return torch.arange(tokens) < torch.tensor(lengths)[:, None]


def alone(inputs, row, head, length):
    """Return what one head sees of one row, as lists of vectors."""
    return [each[row, head, :length].numpy() for each in inputs]


def averaged(scores, values, factors=None):
    """Return Σ_j f_j · exp(s_j) · v_j / Σ_j f_j · exp(s_j), and the logarithm of that sum."""
    factors = [1.0] * len(scores) if factors is None else factors
    top = max(scores)
    weights = [
        factor * math.exp(score - top) for factor, score in zip(factors, scores, strict=True)
    ]
    total = math.fsum(weights)
    result = sum(weight * value for weight, value in zip(weights, values, strict=True)) / total
    return result, top + math.log(total)


def compare(module, inputs, lengths, define):
    """Compare a module with the definition of one head's output for one row."""
    found = module(*inputs, filled(lengths, inputs[0].shape[2])).detach().numpy()
    for row, length in enumerate(lengths):
        for head in range(HEADS):
            expected = define(*alone(inputs, row, head, length), head)
            np.testing.assert_allclose(found[row, head, :length], expected, atol=1e-6, rtol=0)


# LSH: Kitaev et al. 2020, §2, and HEPOS' released code.


def number_of_buckets(length, chunk):
    """Return two per chunk, rounded down to a power of two; one for a single chunk."""
    return 1 if length <= chunk else 2 ** int(math.log2(2 * length / chunk))


def buckets_of(vectors, numbers, rotations):
    """Return the place of the largest of [xR; −xR] for each vector; pairs of places as one."""
    found = []
    for vector in vectors:
        bucket = 0
        for count, rotation in zip(numbers, rotations, strict=True):
            turned = [float(vector @ column) for column in rotation]
            places = turned + [-each for each in turned]
            assert len(places) == count
            bucket = bucket * count + places.index(max(places))
        found.append(bucket)
    return found


def hashed_attention(query, key, value, numbers, chunk, rounds, seed):
    tokens = (query + key) / 2
    length, size = tokens.shape
    generator = torch.Generator().manual_seed(seed)
    drawn = [torch.randn(rounds, count // 2, size, generator=generator) for count in numbers]
    norms = [math.sqrt(float(each @ each)) for each in tokens]
    every_round = []
    for turn in range(rounds):
        rotations = [each[turn].double().numpy() for each in drawn]
        bucket = buckets_of(tokens, numbers, rotations)
        place = {token: rank for rank, token in enumerate(np.lexsort((range(length), bucket)))}
        results = []
        for i in range(length):
            seen = [
                j
                for j in range(length)
                if bucket[j] == bucket[i] and place[i] // chunk - place[j] // chunk in (0, 1)
            ]
            scores = [
                -1e5 if i == j else float(tokens[i] @ tokens[j]) / norms[j] / math.sqrt(size)
                for j in seen
            ]
            results.append(averaged(scores, [value[j] for j in seen]))
        every_round.append(results)
    # Each round counts by what it has seen (Kitaev et al., Eq. 6).
    return [
        averaged([each[i][1] for each in every_round], [each[i][0] for each in every_round])[0]
        for i in range(length)
    ]


class TestLsh:
    @EXECUTIONS
    @pytest.mark.parametrize(
        ("buckets", "chunk", "rounds", "seed"),
        [
            ({41: [8], 18: [4]}, 8, 3, 0),
            # 64 and 32 buckets, more than twice the root of the number of chunks, are pairs.
            ({71: [8, 8], 33: [4, 8]}, 2, 2, 3),
            # A row of one chunk sees all but itself.
            ({20: [4], 8: []}, 8, 2, 0),
        ],
    )
    def test_it_is_kitaevs_attention(self, execution, buckets, chunk, rounds, seed):
        module = LshAttention(SIZE, chunk, rounds, seed, execution)

        def define(query, key, value, head):  # noqa: ARG001
            numbers = buckets[len(query)]
            assert math.prod(numbers) == number_of_buckets(len(query), chunk)
            return hashed_attention(query, key, value, numbers, chunk, rounds, seed)

        compare(module, draw(max(buckets)), tuple(buckets), define)


# Sinkhorn: Tay et al. 2020, §3; HEPOS, §2.3.


def doubly_stochastic(scores):
    """Return exp(scores) after dividing rows and columns by their sums seven times."""
    matrix = np.exp(scores - scores.max())
    for _ in range(7):
        matrix = matrix / matrix.sum(axis=1, keepdims=True)
        matrix = matrix / matrix.sum(axis=0, keepdims=True)
    return matrix


def sorted_attention(query, key, value, size, temperature, network=None):
    length = len(query)
    starts = range(0, length, size)
    blocks = [range(start, min(start + size, length)) for start in starts]
    count = len(blocks)
    pooled = [
        [sum(states[i] for i in block) / len(block) for block in blocks] for states in (query, key)
    ]
    scores = np.empty((count, count))
    for u in range(count):
        for v in range(count):
            if network is None:
                likeness = float(pooled[0][u] @ pooled[1][v]) / math.sqrt(query.shape[1])
                scores[u, v] = math.log(max(likeness, 1e-6))
            else:
                scores[u, v] = float(network[:, u] @ pooled[1][v])
    order = doubly_stochastic(scores / temperature)
    results = []
    for u, block in enumerate(blocks):
        best = int(order[u].argmax())
        keys, values = [], []
        # Where the block that weighs most ends, the sorted block does.
        for place in range(len(blocks[best])):
            shares = [
                (order[u, v], other[place]) for v, other in enumerate(blocks) if place < len(other)
            ]
            keys.append(sum(share * key[j] for share, j in shares))
            values.append(sum(share * value[j] for share, j in shares))
        keys += [key[j] for j in block]
        values += [value[j] for j in block]
        for i in block:
            dots = [float(query[i] @ each) / math.sqrt(query.shape[1]) for each in keys]
            results.append(averaged(dots, values)[0])
    return results


class TestSinkhorn:
    @EXECUTIONS
    @pytest.mark.parametrize(("sorting", "temperature"), [("free", 2.0), ("learned", 0.7)])
    def test_sorting_depends_on_the_pooled_states(self, execution, sorting, temperature):
        """By queries and keys, or by a network of keys."""
        torch.manual_seed(5)
        options = {"temperature": temperature, "execution": execution}
        module = SinkhornAttention(HEADS, SIZE, 64, 8, sorting, **options).double()
        network = module.sorter.detach().numpy() if sorting == "learned" else [None] * HEADS

        def define(query, key, value, head):
            return sorted_attention(query, key, value, 8, temperature, network[head])

        compare(module, draw(37, seed=1), (37, 20), define)


# Adaptive span: Sukhbaatar et al. 2019, §3, Eq. 2; joined as in HEPOS, §6.2.


def spanned_attention(query, key, value, span, ramp, window, whole):
    results = []
    for i in range(len(query)):
        factors, seen = [], []
        for j in range(len(query)):
            distance = abs(i - j)
            factor = min(max((ramp + span - distance) / ramp, 0.0), 1.0)
            factor = factor if distance <= window // 2 else 0.0
            factor = 1.0 if whole(i, j) else factor
            if factor > 0:
                factors.append(factor)
                seen.append(j)
        dots = [float(query[i] @ key[j]) / math.sqrt(query.shape[1]) for j in seen]
        results.append(averaged(dots, [value[j] for j in seen], factors)[0])
    return results


JOINED = {
    "alone": (None, lambda i, j: False),  # noqa: ARG005
    "global and stride": (
        GlobalTokens(2) | Stride(7),
        lambda i, j: i < 2 or j < 2 or (i - j) % 7 == 0,
    ),
}


class TestAdaptiveSpan:
    # Spans of 0, 6.6 and 11 tokens, the last cut short by the window.
    shares, window, ramp, lengths = (0.0, 0.6, 1.0), 22, 4, (45, 29)

    def module(self, execution, beside):
        made = AdaptiveSpanAttention(
            HEADS, self.window, self.ramp, execution=execution, beside=beside
        ).double()
        with torch.no_grad():
            made.span.copy_(torch.tensor(self.shares))
        return made

    @EXECUTIONS
    @pytest.mark.parametrize("name", JOINED)
    def test_the_softmax_is_multiplied_by_the_spans_mask(self, execution, name):
        beside, whole = JOINED[name]

        def define(query, key, value, head):
            span = self.shares[head] * (self.window // 2)
            return spanned_attention(query, key, value, span, self.ramp, self.window, whole)

        compare(self.module(execution, beside), draw(45, seed=3), self.lengths, define)
