"""The fast execution on CPU: attention tile by tile, forward and backward.

Scores exist for one tile at a time, in both directions (Dao et al. 2022, FlashAttention, without
its hardware): memory is linear in length, and the time is that of the tiles' matrix products.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from longsum.attention.bias import ScoreBias
from longsum.attention.patterns.pattern import Grid, Part, Pattern, Tile, disjoint_parts
from longsum.attention.reference import at_least_float32, real_lengths

BLOCK = 128
"""Queries of a tile; of 64 to 512 the fastest for windows of 256 to 1,024 (benchmarks)."""


def tiled_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    pattern: Pattern,
    real: Tensor | None = None,
    bias: ScoreBias | None = None,
    block: int = BLOCK,
) -> Tensor:
    """Self-attention under a pattern; equal to `reference_attention`, which see for arguments.

    Args:
        query: `[b, h, n, d]`.
        key: `[b, h, n, d]`.
        value: `[b, h, n, d]`.
        pattern: Which key each query may see.
        real: Boolean `[b, n]`, True for tokens, False for padding.
        bias: What is added to the scores; its parameters get their gradients.
        block: Queries of a tile.

    Returns:
        `[b, h, n, d]`.
    """
    batch, heads, tokens, _ = query.shape
    lengths = real_lengths(real, batch, tokens, query.device)
    padded = real is not None and not bool(real.all())
    plan = _Plan(
        tiles=[
            (tile, part, place == 0)
            for place, part in enumerate(disjoint_parts(pattern))
            for tile in part.tiles(tokens, heads, lengths, block)
        ],
        lengths=lengths,
        real=real if padded else None,
        heads=heads,
        bias=bias,
    )
    parameters = bias.parameters if bias else ()
    output: Tensor = _TiledAttention.apply(query, key, value, plan, *parameters)  # type: ignore[no-untyped-call]
    return output


@dataclass(frozen=True, slots=True)
class _Plan:
    """What to go through.

    Attributes:
        tiles: Each tile with the part that masks it, and whether it stands alone so far.
        lengths: Real tokens of each row, `[b]`.
        real: Boolean `[b, n]`; None where nothing is padded.
        heads: Number of heads.
        bias: What is added to the scores.
    """

    tiles: list[tuple[Tile, Part, bool]]
    lengths: Tensor
    real: Tensor | None
    heads: int
    bias: ScoreBias | None

    def grid(self, tile: Tile) -> Grid:
        """Return the pairs of a tile."""
        keys = _positions(tile.keys, self.lengths.device)
        return Grid(
            query=_positions(tile.queries, self.lengths.device)[:, None],
            key=keys[..., None, :] if isinstance(tile.keys, Tensor) else keys,
            head=torch.arange(self.heads, device=self.lengths.device)[:, None, None],
            length=self.lengths[:, None, None, None],
        )

    def mask(self, tile: Tile, pattern: Part, tokens: int) -> Tensor | None:
        """Return 0 for the visible pairs of a tile and −∞ for others; None where all are visible.

        Added to scores rather than filled in: over many heads that is twice as fast.
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
        if visible is None:
            return None
        return torch.zeros(visible.shape, device=visible.device).masked_fill_(~visible, -torch.inf)

    def _real_at(self, keys: Tensor) -> Tensor:
        assert self.real is not None
        if keys.dim() == 1:
            return self.real[:, None, None, keys]
        real = self.real[:, None, :].expand(-1, self.heads, -1)
        return real.gather(2, keys.expand(real.shape[0], -1, -1))[..., None, :]


class _TiledAttention(torch.autograd.Function):
    """Online softmax over tiles; the backward pass computes each tile's scores again."""

    @staticmethod
    def forward(
        ctx: Any, query: Tensor, key: Tensor, value: Tensor, plan: _Plan, *parameters: Tensor
    ) -> Tensor:
        tokens = query.shape[2]
        scaled = query * query.shape[-1] ** -0.5
        precise = at_least_float32(query.dtype)
        if not any(ctx.needs_input_grad) and all(alone for *_, alone in plan.tiles):
            return _without_sums(scaled, key, value, plan, parameters)
        output = torch.zeros_like(value, dtype=precise)
        log_sum = torch.full(query.shape[:3], -torch.inf, dtype=precise, device=query.device)
        for tile, pattern, first in plan.tiles:
            added = plan.bias.value(plan.grid(tile), *parameters) if plan.bias else None
            scores = _scores(scaled, key, tile, added, plan.mask(tile, pattern, tokens))
            top = scores.amax(dim=-1, keepdim=True)
            top.masked_fill_(top == -torch.inf, 0.0)
            weights = scores.sub_(top).exp_()
            total = weights.sum(dim=-1, keepdim=True)
            found = (weights.to(value.dtype) @ _take(value, tile.keys)).to(precise)
            found /= total.clamp_min(torch.finfo(precise).tiny)
            found_sum = (top + total.log()).squeeze(-1)
            if first:
                output[:, :, tile.queries] = found
                log_sum[:, :, tile.queries] = found_sum
            else:
                _merge(output[:, :, tile.queries], log_sum[:, :, tile.queries], found, found_sum)
        result = output.to(query.dtype)
        ctx.save_for_backward(query, key, value, result, log_sum, *parameters)
        ctx.plan = plan
        return result

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grad_outputs
        query, key, value, output, log_sum, *parameters = ctx.saved_tensors
        parameters = [parameter.detach().requires_grad_() for parameter in parameters]
        grad_parameters = [torch.zeros_like(parameter) for parameter in parameters]
        scale, tokens = query.shape[-1] ** -0.5, query.shape[2]
        scaled = query * scale
        precise = log_sum.dtype
        delta = (grad.to(precise) * output.to(precise)).sum(dim=-1, keepdim=True)
        # A query that saw nothing has no gradient: against infinity all its weights vanish.
        against = log_sum.masked_fill(log_sum == -torch.inf, torch.inf)[..., None]
        grad_query, grad_key, grad_value = (
            torch.zeros_like(tensor, dtype=precise) for tensor in (query, key, value)
        )
        for tile, pattern, _ in ctx.plan.tiles:
            mask = ctx.plan.mask(tile, pattern, tokens)
            added = None
            if parameters:
                with torch.enable_grad():
                    added = ctx.plan.bias.value(ctx.plan.grid(tile), *parameters)
            scores = _scores(scaled, key, tile, None if added is None else added.detach(), mask)
            weights = scores.sub_(against[:, :, tile.queries]).exp_()
            grad_tile = grad[:, :, tile.queries]
            tile_weights = weights.to(value.dtype)
            _add(grad_value, tile.keys, tile_weights.transpose(-1, -2) @ grad_tile)
            inner = (grad_tile @ _take(value, tile.keys).transpose(-1, -2)).to(precise)
            inner.sub_(delta[:, :, tile.queries]).mul_(weights)
            if added is not None:
                found = torch.autograd.grad(added, parameters, inner.sum_to_size(added.shape))
                for total, part in zip(grad_parameters, found, strict=True):
                    total += part
            inner = inner.to(query.dtype)
            grad_query[:, :, tile.queries] += inner @ _take(key, tile.keys)
            _add(grad_key, tile.keys, inner.transpose(-1, -2) @ scaled[:, :, tile.queries])
        return (
            (grad_query * scale).to(query.dtype),
            grad_key.to(key.dtype),
            grad_value.to(value.dtype),
            None,
            *grad_parameters,
        )


def _scores(
    scaled: Tensor, key: Tensor, tile: Tile, added: Tensor | None, mask: Tensor | None
) -> Tensor:
    scores = scaled[:, :, tile.queries] @ _take(key, tile.keys).transpose(-1, -2)
    scores = scores.to(at_least_float32(scores.dtype))
    if added is not None:
        scores += added
    if mask is not None:
        scores += mask
    return scores


def _without_sums(
    scaled: Tensor, key: Tensor, value: Tensor, plan: _Plan, parameters: tuple[Tensor, ...]
) -> Tensor:
    """Attend where each query has one tile and no gradient is wanted: one fused softmax a tile."""
    output = torch.zeros_like(value)
    for tile, pattern, _ in plan.tiles:
        added = plan.bias.value(plan.grid(tile), *parameters) if plan.bias else None
        scores = _scores(scaled, key, tile, added, plan.mask(tile, pattern, key.shape[2]))
        weights = torch.softmax(scores, dim=-1)
        if plan.real is not None:
            # A query that sees padding alone has no softmax; its result is zeros.
            weights.nan_to_num_(0.0)
        output[:, :, tile.queries] = weights.to(value.dtype) @ _take(value, tile.keys)
    return output


def _merge(output: Tensor, log_sum: Tensor, found: Tensor, found_sum: Tensor) -> None:
    """Fold a tile's result into what stands for its queries, in place."""
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
