"""The fast execution of LSH: sorted tokens, chunk by chunk, forward and backward.

A few heads at a time, so that what is gathered, scored and merged stays in the processor's cache.
The average of the rounds, weighted by what each has seen, equals one softmax over everything seen,
so that the backward pass needs only the logarithm of its sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import pad

from longsum.models.attention.dropout import Factors, WeightDropout
from longsum.models.attention.softmax import at_least_float32

_GROUP, _BLOCK = 2**21, 2**19
"""Scores of the heads, and of the chunks, that are processed together; 8 and 2 MB in fp32."""

_CUDA = 32
"""The factor for both on CUDA, where many small kernels cost more than the cache saves."""

_HIDDEN = -1e9
"""Added to the score of a pair in different buckets; finite, as it may be multiplied by 0."""

_SMALLEST = 1e-12


@dataclass(frozen=True, slots=True)
class Sorting:
    """The tokens of one sequence and head after another, by bucket.

    Attributes:
        order: Positions of the tokens in the order of their buckets, `[rounds, b·h, n]`.
        bucket: The bucket of each, in that order, `[rounds, b·h, n]`.
        buckets: Number of buckets; the bucket with this number is that of padding.
        chunk: Tokens of a chunk.
    """

    order: Tensor
    bucket: Tensor
    buckets: int
    chunk: int


def attend_in_chunks(
    shared: Tensor,
    value: Tensor,
    sorting: Sorting,
    biases: Tensor | None = None,
    section_of: Tensor | None = None,
    dropout: float = 0.0,
) -> Tensor:
    """Attend to the others of the same bucket in the same sorted chunk and the one before.

    Args:
        shared: The queries, and scaled to length 1 the keys, `[b·h, n, d]`.
        value: `[b·h, n, v]`.
        sorting: The rounds of hashing.
        biases: Bias of each token as a query for each section, `[b·h, n, S]`.
        section_of: The section of each token as a key, `[b·h, n]`; only with biases.
        dropout: Share of the weights that is dropped.

    Returns:
        `[b·h, n, v]`. A token that sees no other in any round gets its own value.
    """
    if biases is None or section_of is None:
        biases, section_of = shared[..., :0], sorting.order[0]
    drops = WeightDropout.drawn(dropout)
    output: Tensor = _SortedAttention.apply(shared, value, biases, section_of, sorting, drops)  # type: ignore[no-untyped-call]
    return output


class _SortedAttention(torch.autograd.Function):
    """Softmax over all rounds; the backward pass recomputes the scores."""

    @staticmethod
    def forward(
        ctx: Any,
        shared: Tensor,
        value: Tensor,
        biases: Tensor,
        section_of: Tensor,
        sorting: Sorting,
        dropout: WeightDropout | None,
    ) -> Tensor:
        inputs = (shared, value, biases, section_of)
        output, log_sum = attend_sorted(*inputs, sorting, dropout)
        if any(ctx.needs_input_grad):
            ctx.save_for_backward(*inputs, output, log_sum)
            ctx.sorting, ctx.dropout = sorting, dropout
        return output

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grad_outputs
        shared, value, biases, section_of, output, log_sum = ctx.saved_tensors
        saved = (shared, value, biases, section_of, output, log_sum)
        grads = learn_sorted(grad, *saved, ctx.sorting, ctx.dropout)
        return *grads, None, None, None


def attend_sorted(
    shared: Tensor,
    value: Tensor,
    biases: Tensor,
    section_of: Tensor,
    sorting: Sorting,
    dropout: WeightDropout | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the output, `[b·h, n, v]`, and the logarithms of the sums of all weights."""
    factors = None if dropout is None else dropout.on(shared.device)
    output = torch.empty_like(value, memory_format=torch.contiguous_format)
    log_sum = value.new_empty(value.shape[:2], dtype=at_least_float32(value.dtype))
    for heads in _groups(sorting):
        states = _States(shared[heads], value[heads], biases[heads], section_of[heads])
        averages, sums = [], []
        for line in _lines(sorting, heads):
            average = states.value.new_empty(line.places, value.shape[-1])
            block_sums = log_sum.new_empty(line.places)
            for block in line.blocks():
                block_sums[block.own] = _attend(states, block, average[block.own], factors)
            averages.append(average.index_select(0, line.back))
            sums.append(block_sums.index_select(0, line.back))
        log_sums = torch.stack(sums)
        total = log_sums.logsumexp(dim=0)
        lonely = total == -torch.inf
        shares = (log_sums - total.masked_fill(lonely, 0.0)).exp_().to(value.dtype)
        joint = torch.mul(states.value, lonely[:, None], out=output[heads].flatten(0, 1))
        for average, share in zip(averages, shares, strict=True):
            joint.addcmul_(average, share[:, None])
        log_sum[heads] = total.view_as(log_sum[heads])
    return output, log_sum


def learn_sorted(
    grad: Tensor,
    shared: Tensor,
    value: Tensor,
    biases: Tensor,
    section_of: Tensor,
    output: Tensor,
    log_sum: Tensor,
    sorting: Sorting,
    dropout: WeightDropout | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of the shared states, the values and the biases."""
    delta = (grad.to(log_sum.dtype) * output.to(log_sum.dtype)).sum(dim=-1, keepdim=True)
    lonely = (log_sum == -torch.inf)[..., None]
    # For a token that sees no other, all weights vanish relative to infinity.
    against = log_sum[..., None].masked_fill(lonely, torch.inf)
    grads = [torch.empty_like(tensor) for tensor in (shared, value, biases)]
    grad_shared, grad_value, grad_biases = grads
    factors = None if dropout is None else dropout.on(shared.device)
    for heads in _groups(sorting):
        states = _States(shared[heads], value[heads], biases[heads], section_of[heads])
        upstream = _Upstream(*(rows[heads].flatten(0, 1) for rows in (grad, against, delta)))
        totals = [
            torch.zeros_like(rows, dtype=log_sum.dtype)
            for rows in (states.query, states.shared, states.value)
        ]
        for line in _lines(sorting, heads):
            learned = _learn(states, upstream, line, factors)
            for total, line_grad in zip(totals, learned, strict=True):
                total += line_grad.index_select(0, line.back)
        from_queries, from_keys, from_values = totals
        size = shared.shape[-1]
        from_shared = from_queries[:, :size] + states.through_keys(from_keys)
        grad_biases[heads] = from_queries[:, size:].view_as(grad_biases[heads])
        grad_shared[heads] = from_shared.view_as(grad_shared[heads])
        from_values += upstream.grad * lonely[heads].flatten(0, 1)
        grad_value[heads] = from_values.view_as(grad_value[heads])
    return grad_shared, grad_value, grad_biases


class _States:
    """The tokens of a group of heads, one head after another.

    Attributes:
        shared: `[tokens, d]`.
        query: The shared states with each token's biases of sections appended, `[tokens, d + S]`.
        value: `[tokens, v]`.
        scale: The factor from a token's shared state to its key: one over its length and √d,
            `[tokens]`.
    """

    def __init__(self, shared: Tensor, value: Tensor, biases: Tensor, section_of: Tensor) -> None:
        self.shared, self.value = shared.flatten(0, 1), value.flatten(0, 1)
        self.query = self.shared
        if biases.shape[-1]:
            self.query = torch.cat([self.shared, biases.flatten(0, 1)], dim=-1)
        self._section_of = section_of.flatten()
        precise = at_least_float32(shared.dtype)
        self.length = torch.linalg.vector_norm(self.shared, dim=-1, keepdim=True, dtype=precise)
        self.length.clamp_min_(_SMALLEST)
        self.scale = (shared.shape[-1] ** -0.5 / self.length).to(shared.dtype)
        self.rows = torch.cat([self.query, self.value, self.scale], dim=-1)

    def take(self, index: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values of some tokens.

        With biases, a key has a one appended at the position of its section, so that the product of
        a query and a key includes the bias.
        """
        rows = self.rows.index_select(0, index)
        sizes = [self.query.shape[-1], self.value.shape[-1], 1]
        query, value, scale = torch.split(rows, sizes, dim=-1)
        size = self.shared.shape[-1]
        key = query[:, :size] * scale
        if query.shape[-1] == size:
            return query, key, value
        sections = torch.arange(query.shape[-1] - size, device=index.device)
        in_section = self._section_of.index_select(0, index)[:, None] == sections
        return query, torch.cat([key, in_section.to(key.dtype)], dim=-1), value

    def through_keys(self, grad: Tensor) -> Tensor:
        """Return the gradient of the shared states from that of the keys, `[tokens, d]`."""
        along = (self.shared * grad).sum(dim=-1, keepdim=True) / self.length.square()
        grad_shared: Tensor = (grad - self.shared * along) * self.scale
        return grad_shared


@dataclass(frozen=True, slots=True)
class _Upstream:
    """The backward pass's inputs for each token of a group of heads.

    Attributes:
        grad: Gradient of its result, `[tokens, v]`.
        against: Logarithm of the sum of its weights in all rounds, `[tokens, 1]`.
        delta: Product of its result and the result's gradient, `[tokens, 1]`.
    """

    grad: Tensor
    against: Tensor
    delta: Tensor


@dataclass(frozen=True, slots=True)
class _Block:
    """Some chunks of a line.

    Attributes:
        index: The token at each place of the chunk before them and of theirs.
        mark: Mark of their own places, `[chunks, t, 1]`.
        seen: Marks of the keys that each chunk sees, `[chunks, 1, 2t]`.
        own: Their own places in the line.
    """

    index: Tensor
    mark: Tensor
    seen: Tensor
    own: slice


@dataclass(frozen=True, slots=True)
class _Round:
    """One round of a few heads: their sorted tokens in a line, a chunk of filling before it.

    Attributes:
        index: The token at each place, as a row of the heads' tokens, `[t + places]`.
        back: The place of each token after the filling, `[tokens]`.
        mark: The bucket at each place as a number that heads do not share, `[places]`.
        seen: The same of places as keys, where −1 is hidden, `[t + places]`.
        chunk: Tokens of a chunk, t.
    """

    index: Tensor
    back: Tensor
    mark: Tensor
    seen: Tensor
    chunk: int

    @property
    def places(self) -> int:
        """Number of places after the filling."""
        return len(self.mark)

    def blocks(self) -> Iterator[_Block]:
        """Cut the line."""
        chunk = self.chunk
        scores = _BLOCK * _CUDA if self.index.is_cuda else _BLOCK
        step = max(1, scores // (2 * chunk**2)) * chunk
        for start in range(0, self.places, step):
            stop = min(start + step, self.places)
            yield _Block(
                index=self.index[start : stop + chunk],
                mark=self.mark[start:stop].view(-1, chunk, 1),
                seen=self.seen[start : stop + chunk].unfold(0, 2 * chunk, chunk)[:, None],
                own=slice(start, stop),
            )


def _groups(sorting: Sorting) -> Iterator[slice]:
    """Cut the heads of all sequences into groups."""
    _, heads, tokens = sorting.order.shape
    scores = _GROUP * _CUDA if sorting.order.is_cuda else _GROUP
    count = max(1, scores // (tokens * 2 * sorting.chunk))
    for start in range(0, heads, count):
        yield slice(start, min(start + count, heads))


def _lines(sorting: Sorting, heads: slice) -> Iterator[_Round]:
    """Lay out each round of a group of heads."""
    chunk = sorting.chunk
    order, bucket = sorting.order[:, heads], sorting.bucket[:, heads]
    rounds, count, tokens = order.shape
    filling = -tokens % chunk
    number = torch.arange(count, device=order.device)[:, None]
    # Filling may hold any token: its mark, −2, matches no key, and as a key it is hidden.
    index = pad(pad(order + number * tokens, (0, filling)).flatten(1), (chunk, 0))
    marks = (bucket + number * (sorting.buckets + 1)).to(torch.float32)
    seen = pad(marks.masked_fill(bucket == sorting.buckets, -1.0), (0, filling), value=-1.0)
    seen = pad(seen.flatten(1), (chunk, 0), value=-1.0)
    mark = pad(marks, (0, filling), value=-2.0).flatten(1)
    places = torch.arange(tokens, device=order.device) + number * (tokens + filling)
    back = torch.empty_like(order).scatter_(2, order, places.expand_as(order)).flatten(1)
    for turn in range(rounds):
        yield _Round(index[turn], back[turn], mark[turn], seen[turn], chunk)


def _scores(queries: Tensor, keys: Tensor, block: _Block) -> Tensor:
    """Return the scores of each chunk's tokens for those they see, `[chunks, t, 2t]`."""
    scores = queries @ keys.transpose(-1, -2)
    scores = scores.to(at_least_float32(scores.dtype))
    different = block.mark - block.seen
    scores.addcmul_(different, different, value=_HIDDEN)
    scores.diagonal(scores.shape[1], 1, 2).fill_(_HIDDEN)
    return scores


def _chunks(rows: Tensor, block: _Block) -> Tensor:
    """Return the tokens of each chunk, `[chunks, t, …]`."""
    chunk = block.mark.shape[1]
    return rows[chunk:].view(-1, chunk, rows.shape[-1])


def _neighbours(rows: Tensor, block: _Block) -> Tensor:
    """Return the tokens that each chunk sees, `[chunks, 2t, …]`; a view, in which they overlap."""
    chunk = block.mark.shape[1]
    return rows.unfold(0, 2 * chunk, chunk).transpose(-1, -2)


def _attend(states: _States, block: _Block, average: Tensor, factors: Factors | None) -> Tensor:
    """Write the averages, `[places, v]`; return the logarithms of the sums of their weights."""
    query, key, value = states.take(block.index)
    scores = _scores(_chunks(query, block), _neighbours(key, block), block)
    top = scores.amax(dim=-1)
    weights = torch.softmax(scores, dim=-1)
    # A row of hidden keys alone has an average too, which gets no weight.
    log_sum = (top - weights.amax(dim=-1).log_()).masked_fill_(top < _HIDDEN / 2, -torch.inf)
    chunks, chunk, _ = scores.shape
    if factors is not None:
        weights *= factors(weights)
    torch.bmm(
        weights.to(value.dtype),
        _neighbours(value, block),
        out=average.view(chunks, chunk, value.shape[-1]),
    )
    return log_sum.flatten()


def _learn(
    states: _States, upstream: _Upstream, line: _Round, factors: Factors | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the gradients of a line's queries and their biases, keys and values, `[places, …]`."""
    chunk = line.chunk
    grads = [
        upstream.against.new_zeros(len(line.index), tensor.shape[-1])
        for tensor in (states.query, states.shared, states.value)
    ]
    size = states.shared.shape[-1]
    grad_query, grad_key, grad_value = grads
    for block in line.blocks():
        query, key, value = states.take(block.index)
        queries, keys = _chunks(query, block), _neighbours(key, block)
        grad, against, delta = (
            _chunks(tensor.index_select(0, block.index), block)
            for tensor in (upstream.grad, upstream.against, upstream.delta)
        )
        weights = _scores(queries, keys, block).sub_(against).exp_()
        inner = (grad @ _neighbours(value, block).transpose(-1, -2)).to(weights.dtype)
        read = weights
        if factors is not None:
            kept = factors(weights)
            inner *= kept
            read = weights * kept
        inner = inner.sub_(delta).mul_(weights).to(query.dtype)
        before = block.own
        within = slice(before.start + chunk, before.stop + chunk)
        grad_query[within] = (inner @ keys).flatten(0, 1).to(grad_query.dtype)
        for total, chunk_grad in (
            (grad_key, inner.transpose(-1, -2) @ queries[..., :size]),
            (grad_value, read.to(value.dtype).transpose(-1, -2) @ grad),
        ):
            total[before] += chunk_grad[:, :chunk].flatten(0, 1)
            total[within] += chunk_grad[:, chunk:].flatten(0, 1)
    return grad_query[chunk:], grad_key[chunk:], grad_value[chunk:]
