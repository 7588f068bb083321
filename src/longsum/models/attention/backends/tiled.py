"""The fast execution on CPU: attention tile by tile, forward and backward.

Scores exist for one tile at a time, in both directions (Dao et al. 2022, FlashAttention, without
its hardware): memory is linear in length, and the time is that of the tiles' matrix products.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from longsum.models.attention.biases.bias import ScoreBias, TileBias
from longsum.models.attention.dropout import WeightDropout
from longsum.models.attention.patterns import (
    Grid,
    Pattern,
    SimplePattern,
    Tile,
    disjoint_parts,
)
from longsum.models.attention.softmax import at_least_float32, real_lengths

BLOCK = 128
"""Queries per tile; of 64, 128, 256 and 512 the fastest for a window of 1,024 on two cores."""


def tiled_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    pattern: Pattern,
    real: Tensor | None = None,
    biases: Sequence[ScoreBias] = (),
    dropout: float = 0.0,
    block: int = BLOCK,
) -> Tensor:
    """Self-attention under a pattern; equal to `reference_attention`, which see for arguments.

    A tile has `block` queries. The biases' parameters get their gradients. Dropout draws other
    weights than the reference, from the same distribution.
    """
    plan = planned(query, pattern, real, biases, dropout, block)
    # Tiles are cut from these repeatedly; a product of strided pieces would copy each.
    query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
    learned = [bias.learned for bias in plan.biases]
    output: Tensor = _TiledAttention.apply(query, key, value, plan, *learned)  # type: ignore[no-untyped-call]
    return output


def planned(
    query: Tensor,
    pattern: Pattern,
    real: Tensor | None,
    biases: Sequence[ScoreBias] = (),
    dropout: float = 0.0,
    block: int = BLOCK,
) -> "Plan":
    """Lay out the tiles for `tiled_attention`, with the same arguments."""
    batch, heads, tokens, _ = query.shape
    lengths = real_lengths(real, batch, tokens, query.device)
    padded = real is not None and not bool(real.all())
    return Plan(
        groups=_groups(
            tokens,
            [
                (tile, part)
                for part in disjoint_parts(pattern)
                for tile in part.tiles(tokens, heads, lengths, block)
            ],
        ),
        lengths=lengths,
        real=real if padded else None,
        heads=heads,
        biases=tuple(biases),
        dropout=WeightDropout.drawn(dropout),
    )


@dataclass(frozen=True, slots=True)
class _Group:
    """Tiles over the same queries, which share a softmax.

    Each tile has the part that masks it; a group is `alone` if no other contains any of its
    queries.
    """

    queries: slice
    tiles: list[tuple[Tile, SimplePattern]]
    alone: bool


def _groups(tokens: int, tiles: list[tuple[Tile, SimplePattern]]) -> list[_Group]:
    by_queries: dict[tuple[int, int, int], list[tuple[Tile, SimplePattern]]] = {}
    for tile, part in tiles:
        place = (tile.queries.start, tile.queries.stop, tile.queries.step or 1)
        by_queries.setdefault(place, []).append((tile, part))
    counts = torch.zeros(tokens, dtype=torch.int32)
    for place in by_queries:
        counts[slice(*place)] += 1
    return [
        _Group(slice(*place), members, bool((counts[slice(*place)] == 1).all()))
        for place, members in by_queries.items()
    ]


@dataclass(frozen=True, slots=True)
class Plan:
    """The tiles of an attention, and what is applied to them.

    Attributes:
        groups: The tiles, by their queries.
        lengths: Real tokens of each row, `[b]`.
        real: Boolean `[b, n]`; None if nothing is padded.
        heads: Number of heads.
        biases: Biases that are added to the scores.
        dropout: The dropout of the weights.
    """

    groups: list[_Group]
    lengths: Tensor
    real: Tensor | None
    heads: int
    biases: tuple[ScoreBias, ...]
    dropout: WeightDropout | None

    def on_tiles(self, learned: Sequence[Tensor]) -> list[TileBias]:
        """Return the objects that add the biases to tiles, for one pass."""
        return [bias.on_tiles(table) for bias, table in zip(self.biases, learned, strict=True)]

    def adding(self, added: Sequence[TileBias], part: SimplePattern) -> list[TileBias]:
        """Return the biases that add to a part's pairs."""
        pairs = zip(self.biases, added, strict=True)
        return [on_tiles for bias, on_tiles in pairs if bias.adds_to(part)]

    def grid(self, tile: Tile) -> Grid:
        """Return the pairs of a tile."""
        keys = _positions(tile.keys, self.lengths.device)
        keys = keys[..., None, :] if isinstance(tile.keys, Tensor) else keys
        queries = _positions(tile.queries, self.lengths.device)[:, None]
        return Grid.of(queries, keys, self.heads, self.lengths)

    def mask(self, tile: Tile, pattern: SimplePattern, tokens: int) -> Tensor | None:
        """Return 0 for the visible pairs of a tile and −∞ for others; None if all are visible.

        It is added to scores rather than filled in, which is slower if a mask serves many heads.
        """
        keys = _positions(tile.keys, self.lengths.device)
        gathered = isinstance(tile.keys, Tensor)
        visible: Tensor | None = None
        if tile.masked:
            visible = pattern.visible(self.grid(tile))
            if gathered:
                visible = visible & (keys < tokens)[..., None, :]
        if self.real is not None:
            shown = self._real_at(keys.clamp(max=tokens - 1))
            visible = shown if visible is None else visible & shown
        # Pairs cut out of a part are mostly elsewhere; checking costs less than adding nothing.
        if visible is None or bool(visible.all()):
            return None
        return torch.zeros(visible.shape, device=visible.device).masked_fill_(~visible, -torch.inf)

    def _real_at(self, keys: Tensor) -> Tensor:
        assert self.real is not None
        if keys.dim() == 1:
            return self.real[:, None, None, keys]
        real = self.real[:, None, :].expand(-1, self.heads, -1)
        return real.gather(2, keys.expand(real.shape[0], -1, -1))[..., None, :]


class _TiledAttention(torch.autograd.Function):
    """Online softmax over groups of tiles; the backward pass recomputes their scores."""

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, key: Tensor, value: Tensor, plan: Plan, *learned: Tensor
    ) -> Tensor:
        learning = any(ctx.needs_input_grad)
        result, log_sum = attend_in_tiles(query, key, value, plan, learned, learning=learning)
        if learning:
            ctx.save_for_backward(query, key, value, result, log_sum, *learned)
            ctx.plan = plan
        return result

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grad_outputs
        query, key, value, output, log_sum, *learned = ctx.saved_tensors
        states, biases = learn_in_tiles(grad, query, key, value, output, log_sum, ctx.plan, learned)
        return *states, None, *biases


def attend_in_tiles(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    plan: Plan,
    learned: Sequence[Tensor] = (),
    *,
    learning: bool,
) -> tuple[Tensor, Tensor]:
    """Return the attention's output, and with `learning` the logarithms of its softmax sums."""
    scaled = query * query.shape[-1] ** -0.5
    precise = at_least_float32(query.dtype)
    shared = learning or not all(group.alone for group in plan.groups)
    output = torch.zeros_like(value, dtype=precise if shared else value.dtype)
    added = plan.on_tiles(learned)
    log_sum = torch.full(query.shape[:3], -torch.inf, dtype=precise, device=query.device)
    factors = None if plan.dropout is None else plan.dropout.on(query.device)
    for group in plan.groups:
        fused = group.alone and not learning and factors is None
        scores = _scores(scaled, key, plan, group, added, exact=not fused)
        if fused:
            output[:, :, group.queries] = _average(_softmax(scores, plan), value, group)
            continue
        top = scores.amax(dim=-1, keepdim=True)
        top.masked_fill_(top == -torch.inf, 0.0)
        weights = scores.sub_(top).exp_()
        total = weights.sum(dim=-1, keepdim=True)
        if factors is not None:
            weights *= factors(weights)
        found = _average(weights, value, group).to(precise)
        found /= total.clamp_min(torch.finfo(precise).tiny)
        found_sum = (top + total.log()).squeeze(-1)
        if group.alone:
            output[:, :, group.queries] = found
            log_sum[:, :, group.queries] = found_sum
        else:
            _merge(output[:, :, group.queries], log_sum[:, :, group.queries], found, found_sum)
    return output.to(query.dtype), log_sum


def learn_in_tiles(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    output: Tensor,
    log_sum: Tensor,
    plan: Plan,
    learned: Sequence[Tensor] = (),
) -> tuple[tuple[Tensor, Tensor, Tensor], list[Tensor]]:
    """Return the gradients of query, key and value, and those of the biases' parameters."""
    added = plan.on_tiles(learned)
    scale, precise = query.shape[-1] ** -0.5, log_sum.dtype
    scaled = query * scale
    delta = (grad.to(precise) * output.to(precise)).sum(dim=-1, keepdim=True)
    # A query that saw nothing has no gradient: relative to infinity all its weights vanish.
    against = log_sum.masked_fill(log_sum == -torch.inf, torch.inf)[..., None]
    grad_query, grad_key, grad_value = (
        torch.zeros_like(tensor, dtype=precise) for tensor in (query, key, value)
    )
    factors = None if plan.dropout is None else plan.dropout.on(query.device)
    for group in plan.groups:
        queries = scaled[:, :, group.queries]
        upstream = grad[:, :, group.queries]
        scores = _scores(scaled, key, plan, group, added, exact=True)
        weights = scores.sub_(against[:, :, group.queries]).exp_()
        kept = weights if factors is None else factors(weights)
        for ((tile, part), share), (_, left) in zip(
            _by_tile(weights, group), _by_tile(kept, group), strict=True
        ):
            inner = (upstream @ _take(value, tile.keys).transpose(-1, -2)).to(precise)
            read = share
            if factors is not None:
                inner *= left
                read = share * left
            _add(grad_value, tile.keys, read.to(value.dtype).transpose(-1, -2) @ upstream)
            inner.sub_(delta[:, :, group.queries]).mul_(share)
            for bias in plan.adding(added, part):
                bias.learn(inner, tile, plan.grid(tile))
            inner = inner.to(query.dtype)
            grad_query[:, :, group.queries] += inner @ _take(key, tile.keys)
            _add(grad_key, tile.keys, inner.transpose(-1, -2) @ queries)
    states = (
        (grad_query * scale).to(query.dtype),
        grad_key.to(key.dtype),
        grad_value.to(value.dtype),
    )
    return states, [bias.gradient() for bias in added]


def _scores(
    scaled: Tensor,
    key: Tensor,
    plan: Plan,
    group: _Group,
    added: Sequence[TileBias],
    *,
    exact: bool,
) -> Tensor:
    """Return the scores of a group, its tiles side by side.

    With `exact` they are in fp32 or finer. Else they stay in the type of the
    product: the fused softmax computes in fp32 internally, so a copy in fp32 would add nothing.
    """
    scores = scaled[:, :, group.queries] @ _joined(key, group).transpose(-1, -2)
    if exact:
        scores = scores.to(at_least_float32(scores.dtype))
    for (tile, part), columns in _by_tile(scores, group):
        for bias in plan.adding(added, part):
            bias.add(columns, tile, plan.grid(tile))
        mask = plan.mask(tile, part, key.shape[2])
        if mask is not None:
            columns += mask.to(columns.dtype)
    return scores


def _softmax(scores: Tensor, plan: Plan) -> Tensor:
    weights = torch.softmax(scores, dim=-1)
    # A query that sees only padding has no softmax; its result is zeros.
    return weights if plan.real is None else weights.nan_to_num_(0.0)


def _average(weights: Tensor, value: Tensor, group: _Group) -> Tensor:
    """Return the weighted sum of the values of a group's keys, `[b, h, q, d]`."""
    return weights.to(value.dtype) @ _joined(value, group)


def _joined(tensor: Tensor, group: _Group) -> Tensor:
    """Return keys or values of a group's tiles side by side, so that its scores are one tensor."""
    parts = [_take(tensor, tile.keys) for tile, _ in group.tiles]
    return parts[0] if len(parts) == 1 else torch.cat(parts, dim=2)


def _by_tile(weights: Tensor, group: _Group) -> Iterator[tuple[tuple[Tile, SimplePattern], Tensor]]:
    """Yield each tile of a group with its own columns."""
    widths = [_width(tile.keys) for tile, _ in group.tiles]
    yield from zip(group.tiles, torch.split(weights, widths, dim=-1), strict=True)


def _merge(output: Tensor, log_sum: Tensor, found: Tensor, found_sum: Tensor) -> None:
    """Merge a tile's result into that of its queries, in place."""
    joint = torch.logaddexp(log_sum, found_sum)
    safe = joint.masked_fill(joint == -torch.inf, 0.0)
    output.mul_((log_sum - safe).exp_()[..., None]).add_(
        found * (found_sum - safe).exp_()[..., None]
    )
    log_sum.copy_(joint)


def _positions(places: slice | Tensor, device: torch.device) -> Tensor:
    if isinstance(places, Tensor):
        return places
    return torch.arange(places.start, places.stop, places.step or 1, device=device)


def _width(keys: slice | Tensor) -> int:
    if isinstance(keys, Tensor):
        return keys.shape[-1]
    return len(range(keys.start, keys.stop, keys.step or 1))


def _take(tensor: Tensor, keys: slice | Tensor) -> Tensor:
    if isinstance(keys, slice):
        return tensor[:, :, keys]
    return tensor.gather(2, _gather_index(tensor, keys))


def _add(total: Tensor, keys: slice | Tensor, found: Tensor) -> None:
    if isinstance(keys, slice):
        total[:, :, keys] += found
    else:
        total.scatter_add_(2, _gather_index(total, keys), found.to(total.dtype))


def _gather_index(tensor: Tensor, keys: Tensor) -> Tensor:
    batch, heads, tokens, size = tensor.shape
    return keys.clamp(max=tokens - 1).expand(batch, heads, -1)[..., None].expand(-1, -1, -1, size)
