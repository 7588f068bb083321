"""Locality-sensitive hashing: tokens attend within buckets (Kitaev et al. 2020; HEPOS, §2.3)."""

from dataclasses import dataclass
from functools import lru_cache
from math import prod

import torch
from torch import Tensor
from torch.compiler import is_compiling
from torch.nn.functional import normalize

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_pairs import SectionPairs, by_sections
from longsum.models.attention.encoder_attention import EncoderAttention, Execution, Inputs
from longsum.models.attention.learned.compiled_chunks import compiled_in_chunks
from longsum.models.attention.learned.sorted_chunks import Sorting, attend_in_chunks
from longsum.models.attention.linear_layers import linear
from longsum.models.attention.patterns import dense_grid
from longsum.models.attention.softmax import at_least_float32, real_lengths

_SELF = -1e5
"""Added to a token's score for itself: it attends to itself only if there is nothing else."""


class LshAttention(EncoderAttention):
    """Attention among tokens of one bucket, in several rounds of hashing: O(l·n·b), no parameters.

    In each round tokens are sorted by bucket and cut into chunks; a token sees the tokens of its
    own bucket in its own chunk and the one before (so if a chunk's edge cuts a bucket, only the
    later part sees all of it, as in the original). The rounds' results are averaged by the weight
    of what each has seen. Queries and keys must be the same: the mean of BART's two projections is
    taken, as in the released code, and keys are scaled to length 1 (Kitaev et al., §2).

    A row has twice as many buckets as chunks, rounded down to a power of two; a row of one chunk
    has one, so that its tokens all see each other. (The released code gives every row the buckets
    of the longest source that the model takes: most tokens of a short row are alone in theirs.) If
    there are many, they are pairs of buckets; see `find_buckets`.

    The released code draws its rotations at every forward pass, in evaluation too; here they depend
    only on the seed and the row's length. Padding gets its own bucket at the end, so it changes
    nothing.

    Args:
        head_dim: Size of a head.
        chunk: Tokens of a chunk, the paper's bucket size b_l.
        rounds: Rounds of hashing, the paper's l.
        seed: Seed of the rotations.
        execution: `fast` or `reference`.

    Raises:
        LongsumError: The chunk or the number of rounds is not positive.
    """

    def __init__(
        self,
        head_dim: int,
        chunk: int = 64,
        rounds: int = 4,
        seed: int = 0,
        execution: Execution = "fast",
    ) -> None:
        super().__init__()
        if chunk < 1 or rounds < 1:
            raise LongsumError(
                "LSH needs a chunk and a number of rounds of at least 1; raise them."
            )
        self.head_dim = head_dim
        self.chunk = chunk
        self.rounds = rounds
        self.execution = execution
        self.seed = seed

    def attend(self, given: Inputs) -> Tensor:
        """Attend; see `EncoderAttention.attend`.

        A bias changes the weights among the tokens it sees, not which ones it sees.

        Raises:
            LongsumError: The bias is not one of sections.
        """
        query, key, value, real, bias, dropout = given
        pairs = None if bias is None else by_sections(bias)
        # A model's heads are side by side; hashing and gathering process one after another.
        shared = torch.lerp(query, key, 0.5).contiguous()
        with torch.no_grad():
            bucket, count = self._buckets(shared, real)
            order = _order(bucket, count + 1)
        hashed = _Hashed(shared, value, real, bucket, order, count)
        attend = self._dense if self.execution == "reference" else self._sorted
        return attend(hashed, pairs, dropout)

    def _buckets(self, shared: Tensor, real: Tensor | None) -> tuple[Tensor, int]:
        """Find every token's bucket, row by row; their number depends on the row's length."""
        settings = (self.seed, self.rounds, self.head_dim, self.chunk)
        if is_compiling():
            bucket, count = (
                _row_buckets(shared, real, *settings),
                _most(shared.shape[2], self.chunk),
            )
        else:
            bucket, count = row_buckets(shared, real, *settings)
        if real is not None:
            bucket = bucket.masked_fill(~real[:, None, :], count)
        return bucket, count

    def _sorted(self, hashed: "_Hashed", bias: SectionPairs | None, dropout: float) -> Tensor:
        """Attend chunk by chunk of the sorted tokens."""
        shared, value, real = hashed.shared, hashed.value, hashed.real
        if real is not None:
            # A token that sees no other gets its own value, padding zeros.
            value = value.masked_fill(~real[:, None, :, None], 0.0)
        sorting = Sorting(
            order=hashed.order.flatten(1, 2),
            bucket=hashed.bucket.gather(-1, hashed.order).flatten(1, 2),
            buckets=hashed.count,
            # The part of a chunk beyond the row is padding, and scored like tokens.
            chunk=min(self.chunk, shared.shape[2]),
        )
        rows, section_of = None, None
        if bias is not None:
            rows = bias.rows().flatten(0, 1).to(shared.dtype)
            section_of = bias.section_of.repeat_interleave(shared.shape[1], dim=0)
        states = shared.flatten(0, 1), value.flatten(0, 1)
        if is_compiling() and rows is None and not dropout:
            output = compiled_in_chunks(*states, sorting)
        else:
            output = attend_in_chunks(*states, sorting, rows, section_of, dropout)
        return output.view(*shared.shape[:2], *output.shape[1:])

    def _dense(self, hashed: "_Hashed", bias: SectionPairs | None, dropout: float) -> Tensor:
        """Attend from full score matrices, round by round: the definition."""
        scores = _scores(hashed.shared, hashed.shared)
        if bias is not None:
            batch, heads, tokens, _ = hashed.shared.shape
            lengths = real_lengths(None, batch, tokens, scores.device)
            scores = scores + bias.value(dense_grid(tokens, heads, lengths), bias.learned)
        rounds = [self._dense_round(scores, hashed, turn, dropout) for turn in range(self.rounds)]
        outputs, weights = map(torch.stack, zip(*rounds, strict=True))
        shares = torch.softmax(weights, dim=0).nan_to_num(0.0)
        return (outputs * shares[..., None]).sum(dim=0).to(hashed.value.dtype)

    def _dense_round(
        self, scores: Tensor, hashed: "_Hashed", turn: int, dropout: float
    ) -> tuple[Tensor, Tensor]:
        """Return a round's result and log-sum, from the full score matrix: the definition."""
        bucket, real = hashed.bucket[turn], hashed.real
        chunk_of = hashed.order[turn].argsort(dim=-1) // self.chunk
        behind = chunk_of[..., :, None] - chunk_of[..., None, :]
        visible = (bucket[..., :, None] == bucket[..., None, :]) & ((behind == 0) | (behind == 1))
        if real is not None:
            visible = visible & real[:, None, None, :]
        itself = torch.eye(scores.shape[-1], dtype=torch.bool, device=scores.device)
        return _softmax(scores.masked_fill(itself, _SELF), visible, hashed.value, dropout)


@dataclass(frozen=True, slots=True)
class _Hashed:
    """Tokens, and the results of hashing them.

    Attributes:
        shared: Queries that are keys too, `[b, h, n, d]`.
        value: `[b, h, n, d]`.
        real: Boolean `[b, n]`; None if nothing is padded.
        bucket: The bucket of each token in each round, `[rounds, b, h, n]`.
        order: The tokens sorted by bucket, in the same shape.
        count: Buckets of the row with most; the bucket with this number is that of padding.
    """

    shared: Tensor
    value: Tensor
    real: Tensor | None
    bucket: Tensor
    order: Tensor
    count: int


def bucket_factors(tokens: int, chunk: int) -> tuple[int, ...]:
    """Return the numbers whose product is the number of buckets of a row; none for one bucket.

    Two above twice the larger of the chunk and the root of the number of chunks, as in
    `transformers`' Reformer: hashing then costs O(n √buckets). The released code of HEPOS has one
    number.

    Args:
        tokens: The row's length, without padding.
        chunk: Tokens of a chunk.
    """
    if tokens <= chunk:
        return ()
    power = (2 * tokens // chunk).bit_length() - 1
    if 2**power <= 2 * max(int((tokens // chunk) ** 0.5), chunk):
        return (2**power,)
    return (2 ** (power // 2), 2 ** (power - power // 2))


def row_buckets(
    shared: Tensor, real: Tensor | None, seed: int, rounds: int, size: int, chunk: int
) -> tuple[Tensor, int]:
    """Return each token's bucket, `[rounds, b, h, n]`, arbitrary for padding, and their number."""
    batch, _, tokens, _ = shared.shape
    lengths = [tokens] * batch if real is None else real.sum(dim=1).tolist()
    factors = [bucket_factors(length, chunk) for length in lengths]
    rows = [
        find_buckets(states[None], drawn_rotations(seed, rounds, size, row_factors))
        if row_factors
        else states.new_zeros(rounds, 1, *states.shape[:2], dtype=torch.int32)
        for states, row_factors in zip(shared, factors, strict=True)
    ]
    return torch.cat(rows, dim=1), max(map(prod, factors))


@torch.library.custom_op("longsum::lsh_buckets", mutates_args=())
def _row_buckets(
    shared: Tensor, real: Tensor | None, seed: int, rounds: int, size: int, chunk: int
) -> Tensor:
    return row_buckets(shared, real, seed, rounds, size, chunk)[0]


@_row_buckets.register_fake
def _(shared: Tensor, _real: Tensor | None, _seed: int, rounds: int, *_: int) -> Tensor:
    return shared.new_empty((rounds, *shared.shape[:3]), dtype=torch.int32)


def _most(tokens: int, chunk: int) -> int:
    """Return a number above all buckets'; in a compiled graph the rows' lengths are not known."""
    return 2 * tokens // chunk + 1


@lru_cache(maxsize=128)
def drawn_rotations(
    seed: int, rounds: int, head_dim: int, factors: tuple[int, ...]
) -> tuple[Tensor, ...]:
    """Draw the rotations, `[rounds, factor / 2, d]` for each factor; the seed determines them.

    Args:
        seed: Seed of the drawing.
        rounds: Rounds of hashing.
        head_dim: Size of a head, d.
        factors: Numbers whose product is the number of buckets.
    """
    generator = torch.Generator().manual_seed(seed)
    return tuple(
        torch.randn(rounds, factor // 2, head_dim, generator=generator) for factor in factors
    )


def find_buckets(shared: Tensor, rotations: tuple[Tensor, ...]) -> Tensor:
    """Return each token's bucket in each round, `[rounds, b, h, n]`, in 32 bits.

    The hashing is angular (Kitaev et al., §2).

    Args:
        shared: Queries that are keys too, `[b, h, n, d]`.
        rotations: For each factor of the number of buckets `[rounds, factor / 2, d]`; with more
            than one a bucket is a pair of buckets, each from its own rotations.
    """
    by_head = []
    # Head by head: rotated states are twice as large as their inputs, and soon discarded.
    for states in shared.flatten(0, 1):
        bucket = torch.zeros((), dtype=torch.int32, device=shared.device)
        for rotation in rotations:
            rounds, half, size = rotation.shape
            turned = linear(rotation.to(states).view(-1, size), states).float()
            bucket = bucket * (2 * half) + _largest(turned.view(rounds, half, -1))
        by_head.append(bucket)
    buckets = torch.stack(by_head, dim=1)
    return buckets.view(len(buckets), *shared.shape[:3])


def _largest(turned: Tensor) -> Tensor:
    """Return where [x; −x] is largest along the second dimension, `[rounds, half, n]`.

    That is where x is largest or smallest, whichever is further from 0, without storing both. A
    maximum is found many times faster than its position, so each number carries its position in its
    last bits, which also break ties between otherwise equal ones. `turned` is overwritten.
    """
    half = turned.shape[1]
    places = 2 ** (half - 1).bit_length() - 1
    number = torch.arange(half, dtype=torch.int32, device=turned.device)[:, None]
    marked = turned.view(torch.int32).bitwise_and_(~places).bitwise_or_(number).view(torch.float32)
    top, bottom = marked.amax(dim=1), marked.amin(dim=1)
    upper = top >= -bottom
    place = torch.where(upper, top, bottom).view(torch.int32).bitwise_and_(places)
    return place + half * (~upper).to(torch.int32)


def _order(bucket: Tensor, buckets: int) -> Tensor:
    """Return the tokens sorted by bucket, those of a bucket by position, `[…, n]`."""
    tokens = bucket.shape[-1]
    rows = bucket.reshape(-1, tokens)
    number = torch.arange(len(rows), dtype=torch.int32, device=bucket.device)[:, None]
    # A single sort of small numbers, which PyTorch does digit by digit and in parallel.
    line = (rows + number * buckets).flatten()
    return torch.sort(line, stable=True).indices.remainder_(tokens).view_as(bucket)


def _scores(queries: Tensor, keys: Tensor) -> Tensor:
    scores = queries @ normalize(keys, dim=-1).transpose(-1, -2)
    scaled: Tensor = scores.to(at_least_float32(scores.dtype)) * queries.shape[-1] ** -0.5
    return scaled


def _softmax(
    scores: Tensor, visible: Tensor, value: Tensor, dropout: float
) -> tuple[Tensor, Tensor]:
    blind = ~visible.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~visible, -torch.inf).masked_fill(blind, 0.0)
    probabilities = torch.softmax(scores, dim=-1).masked_fill(blind, 0.0)
    log_sum = torch.logsumexp(scores, dim=-1)
    # A token that sees only itself keeps its value.
    alone = torch.eye(scores.shape[-1], dtype=torch.bool, device=scores.device)
    dropped = torch.nn.functional.dropout(probabilities, dropout)
    probabilities = torch.where(alone, probabilities, dropped)
    output: Tensor = (probabilities.to(value.dtype) @ value).to(scores.dtype)
    return output, log_sum.masked_fill(blind[..., 0], -torch.inf)
