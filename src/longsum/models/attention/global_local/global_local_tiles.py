"""Global–local attention, tile by tile."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from longsum.models.attention.biases.relative import RelativeLabels, label_scores, score_pairs
from longsum.models.attention.global_local.inputs import GlobalLocal, Side, Structure
from longsum.models.attention.patterns.pattern import blocks

BLOCK = 128
"""Queries of a tile; the scores of one tile exist at a time."""


def global_local_attention(
    long: Side,
    auxiliary: Side,
    structure: Structure,
    pattern: GlobalLocal,
    dropout: float = 0.0,
    block: int = BLOCK,
) -> tuple[Tensor, Tensor]:
    """Attend tile by tile.

    Time is that of the visible pairs, and no tensor grows with the square of the long input.

    Args:
        long: What long tokens read.
        auxiliary: What global tokens read.
        structure: How they are linked.
        pattern: Who may see whom.
        dropout: Of the attention weights.
        block: Queries of a tile.

    Returns:
        For long tokens `[b, h, n, d]`, for global tokens `[b, h, g, d]`; padded ones get zeros.
    """
    real, global_real, sentences = structure.real, structure.global_real, structure.sentences
    numbers = torch.arange(global_real.shape[1], device=real.device).expand(len(real), -1)
    tokens = _Input(sentences, real, pattern.radius)
    units = _Input(numbers, global_real, None)
    return (
        _attend_in_tiles(long, tokens, units, pattern.labels, dropout, block),
        _attend_in_tiles(auxiliary, units, tokens, pattern.labels, dropout, block),
    )


@dataclass(frozen=True, slots=True)
class _Input:
    """One of the two inputs.

    Attributes:
        numbers: `[b, q]`, which sentence each token belongs to, or stands for.
        real: Boolean `[b, q]`, True for tokens, False for padding.
        radius: Tokens of the same input that each sees on either side; None for all.
    """

    numbers: Tensor
    real: Tensor
    radius: int | None


def _attend_in_tiles(
    side: Side, own: _Input, other: _Input, labels: RelativeLabels, dropout: float, block: int
) -> Tensor:
    """Let the queries of one input read it and the other."""
    count = own.real.shape[1]
    vectors = side.labels.to(side.query.dtype)
    scored = label_scores(side.query, vectors)
    # Most pairs of a token and a sentence are outside: their label goes into the key once, and only
    # what sets the others apart is left to add.
    other_key = side.other_key + vectors[labels.outside, :, None]
    inside = (scored[..., labels.inside] - scored[..., labels.outside]).unsqueeze(-1)
    own_hidden, other_hidden = _hidden(own.real), _hidden(other.real)
    places = torch.arange(count, device=own.real.device)
    found = []
    for queries in blocks(count, block):
        window = _window(queries, own.radius, count)
        offsets = places[window] - places[queries, None]
        near = score_pairs(scored[:, :, queries], labels.of_distance(offsets))
        if own.radius is not None:
            near = _hide(near, offsets.abs() > own.radius)
        if own_hidden is not None:
            near = _hide(near, own_hidden[..., window])
        held = own.numbers[:, queries, None] == other.numbers[:, None]
        far = torch.where(held[:, None], inside[:, :, queries], 0.0)
        if other_hidden is not None:
            far = _hide(far, other_hidden)
        found.append(
            scaled_dot_product_attention(
                side.query[:, :, queries],
                torch.cat([other_key, side.key[:, :, window]], dim=2),
                torch.cat([side.other_value, side.value[:, :, window]], dim=2),
                attn_mask=torch.cat([far, near], dim=-1),
                dropout_p=dropout,
            )
        )
    return torch.cat(found, dim=2).masked_fill(~own.real[:, None, :, None], 0.0)


def _window(queries: slice, radius: int | None, count: int) -> slice:
    """Return what a block of queries may see of its own input."""
    if radius is None:
        return slice(0, count)
    return slice(max(queries.start - radius, 0), min(queries.stop + radius, count))


def _hidden(real: Tensor) -> Tensor | None:
    """Return where keys are padding, Boolean `[b, 1, 1, k]`; None where nothing is."""
    return None if bool(real.all()) else ~real[:, None, None]


def _hide(scores: Tensor, hidden: Tensor) -> Tensor:
    """Hide scores behind the smallest number: −∞ would make NaN of padded rows and gradients."""
    return scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
