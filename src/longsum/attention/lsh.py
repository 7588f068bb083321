"""Locality-sensitive hashing: tokens attend within buckets (Kitaev et al. 2020; HEPOS, §2.3)."""

from functools import lru_cache

import torch
from torch import Tensor
from torch.nn.functional import normalize

from longsum.attention.encoder import EncoderAttention, Execution
from longsum.attention.reference import at_least_float32
from longsum.errors import LongsumError

_SELF = -1e5
"""Added to a token's score of itself: it attends there only where there is nothing else."""


class LshAttention(EncoderAttention):
    """Attention among tokens of one bucket, in several rounds of hashing: O(l·n·b), no parameters.

    In each round tokens are sorted by bucket and cut into chunks; a token sees the tokens of its
    own bucket in its own chunk and the one before (so of a bucket that is cut by a chunk's edge
    only the later part sees all, as in the original). The rounds' results are averaged by the
    weight of what each has seen. Queries and keys must be one: of BART's two projections the mean
    is taken, as in the released code, and keys are scaled to length 1 (Kitaev et al., §2).

    The released code draws its rotations at every forward pass, in evaluation too; here they depend
    on the seed alone. Padding gets a bucket of its own at the end, so it changes nothing.

    Args:
        head_dim: Size of a head.
        tokens: The longest source; it sets the number of buckets, twice the number of chunks.
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
        tokens: int,
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
        self.chunk = chunk
        self.rounds = rounds
        self.execution = execution
        half = max(1, 2 ** ((2 * tokens // chunk).bit_length() - 1) // 2)
        self.drawing = (seed, rounds, head_dim, half)

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, real: Tensor | None = None
    ) -> Tensor:
        """Attend; see `EncoderAttention.forward`."""
        shared = (query + key) / 2
        attend = self._sorted_round if self.execution == "fast" else self._dense_round
        outputs, weights = [], []
        for rotation in _rotations(*self.drawing).to(shared.device):
            order = self._order(shared, rotation, real)
            output, log_sum = attend(shared, value, real, *order)
            outputs.append(output)
            weights.append(log_sum)
        shares = torch.softmax(torch.stack(weights), dim=0).nan_to_num(0.0)
        return (torch.stack(outputs) * shares[..., None]).sum(dim=0).to(value.dtype)

    def _order(
        self, shared: Tensor, rotation: Tensor, real: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Return the tokens sorted by bucket, and the bucket of each: `[b, h, n]` both."""
        with torch.no_grad():
            turned = shared.float() @ rotation
            # The largest of [x; −x] is the largest or the smallest of x; no need to write both.
            top, bottom = turned.max(dim=-1), turned.min(dim=-1)
            down = bottom.indices + rotation.shape[1]
            bucket = torch.where(top.values >= -bottom.values, top.indices, down)
            if real is not None:
                bucket = bucket.masked_fill(~real[:, None, :], 2 * rotation.shape[1])
            return torch.sort(bucket, dim=-1, stable=True).indices, bucket

    def _dense_round(
        self, shared: Tensor, value: Tensor, real: Tensor | None, order: Tensor, bucket: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return a round's result and log-sum, from the full score matrix: the definition."""
        chunk_of = order.argsort(dim=-1) // self.chunk
        behind = chunk_of[..., :, None] - chunk_of[..., None, :]
        visible = (bucket[..., :, None] == bucket[..., None, :]) & ((behind == 0) | (behind == 1))
        if real is not None:
            visible = visible & real[:, None, None, :]
        scores = _scores(shared, shared)
        itself = torch.eye(shared.shape[2], dtype=torch.bool, device=shared.device)
        return _softmax(scores.masked_fill(itself, _SELF), visible, value)

    def _sorted_round(
        self, shared: Tensor, value: Tensor, real: Tensor | None, order: Tensor, bucket: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the same, chunk by chunk of the sorted tokens."""
        batch, heads, tokens, _ = shared.shape
        filling = -tokens % self.chunk
        # What fills the last chunk is no token: position −1, bucket −1.
        order = torch.nn.functional.pad(order, (0, filling), value=-1)
        index = order.clamp(min=0)
        shape = (batch, heads, -1, self.chunk)
        queries, values = (
            tensor.gather(2, index[..., None].expand(-1, -1, -1, tensor.shape[-1])).view(
                *shape, tensor.shape[-1]
            )
            for tensor in (shared, value)
        )
        positions = order.view(shape)
        buckets = bucket.gather(2, index).masked_fill(order < 0, -1).view(shape)
        hidden = (order < 0).view(shape)
        if real is not None:
            unreal = ~real[:, None, :].expand(-1, heads, -1).gather(2, index).view(shape)
            hidden = hidden | unreal
        seen_positions, seen_buckets = _with_previous(positions, -1), _with_previous(buckets, -2)
        visible = buckets[..., :, None] == seen_buckets[..., None, :]
        visible = visible & ~_with_previous(hidden, True)[..., None, :]
        scores = _scores(queries, _with_previous(queries, 0.0))
        itself = positions[..., :, None] == seen_positions[..., None, :]
        output, log_sum = _softmax(
            scores.masked_fill(itself, _SELF), visible, _with_previous(values, 0.0)
        )
        back = order[..., :tokens].argsort(dim=-1)
        output = output.view(batch, heads, -1, value.shape[-1])[:, :, :tokens]
        log_sum = log_sum.view(batch, heads, -1)[:, :, :tokens]
        return output.gather(2, back[..., None].expand_as(output)), log_sum.gather(2, back)


@lru_cache(maxsize=8)
def _rotations(seed: int, rounds: int, head_dim: int, half: int) -> Tensor:
    """Draw the rotations, `[rounds, d, buckets / 2]`; no buffer, as the seed says it all."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(rounds, head_dim, half, generator=generator)


def _scores(queries: Tensor, keys: Tensor) -> Tensor:
    scores = queries @ normalize(keys, dim=-1).transpose(-1, -2)
    scaled: Tensor = scores.to(at_least_float32(scores.dtype)) * queries.shape[-1] ** -0.5
    return scaled


def _softmax(scores: Tensor, visible: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    scores = scores.masked_fill(~visible, -torch.inf)
    blind = ~visible.any(dim=-1, keepdim=True)
    probabilities = torch.softmax(scores.masked_fill(blind, 0.0), dim=-1).masked_fill(blind, 0.0)
    log_sum = torch.logsumexp(scores.masked_fill(blind, 0.0), dim=-1)
    output: Tensor = (probabilities.to(value.dtype) @ value).to(scores.dtype)
    return output, log_sum.masked_fill(blind[..., 0], -torch.inf)


def _with_previous(chunks: Tensor, filling: float) -> Tensor:
    """Put the chunk before in front of each, `[b, h, c, t, …]` to `[b, h, c, 2t, …]`."""
    first = torch.full_like(chunks[:, :, :1], filling)
    return torch.cat([torch.cat([first, chunks[:, :, :-1]], dim=2), chunks], dim=3)
