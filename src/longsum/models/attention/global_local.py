"""Global–local attention: a long input read locally, and a short one that sees and is seen by all.

Ainslie et al. 2020 (ETC), §2; Stepwise, §5. Four parts: long-to-long, within a radius; long-to-
global, global-to-long and global-to-global, unrestricted. The softmax of a query runs over both
inputs. Relative position labels give distances within an input, and between inputs whether the
token belongs to the sentence that the global token represents.

Letters in shapes: n long tokens, g global tokens; for others see `longsum.models.attention`.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.relative import RelativeLabels, label_scores, score_pairs
from longsum.models.attention.patterns import blocks


@dataclass(frozen=True, slots=True)
class GlobalLocal:
    """Who may see whom, and by which labels.

    Attributes:
        radius: Long tokens that a long token sees on either side (84 in ETC's base model).
        labels: The relative position labels.

    Raises:
        LongsumError: The radius is negative.
    """

    radius: int
    labels: RelativeLabels

    def __post_init__(self) -> None:
        if self.radius < 0:
            raise LongsumError(f"A radius of {self.radius} is below 0; give 0 or more.")


@dataclass(frozen=True, slots=True)
class Structure:
    """How the two inputs are linked, and which of their tokens are padding.

    Attributes:
        sentences: `[b, n]`, which global token represents the sentence of each long token; −1 for
            none.
        real: Boolean `[b, n]`, True for long tokens, False for padding.
        global_real: Boolean `[b, g]`, the same for global tokens.
    """

    sentences: Tensor
    real: Tensor
    global_real: Tensor


@dataclass(frozen=True, slots=True)
class Side:
    """The queries of one input, and the keys and values of both.

    Attributes:
        query: `[b, h, q, d]`, not scaled.
        key: `[b, h, q, d]`, of the same input.
        value: `[b, h, q, d]`, of the same input.
        other_key: `[b, h, k, d]`, of the other input.
        other_value: `[b, h, k, d]`, of the other input.
        labels: `[labels, h, d]`, the vectors of the labels, which are added to keys.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    other_key: Tensor
    other_value: Tensor
    labels: Tensor


BLOCK = 128
"""Queries per tile; the scores of only one tile exist at a time."""


def global_local_attention(
    long: Side,
    auxiliary: Side,
    structure: Structure,
    pattern: GlobalLocal,
    dropout: float = 0.0,
    block: int = BLOCK,
) -> tuple[Tensor, Tensor]:
    """Attend tile by tile, `[b, h, n, d]` and `[b, h, g, d]`; padded tokens get zeros.

    Time is proportional to the visible pairs, and no tensor grows with the square of the long
    input.

    Args:
        long: The side of long tokens.
        auxiliary: The side of global tokens.
        structure: How they are linked.
        pattern: Who may see whom.
        dropout: Dropout of the attention weights.
        block: Queries of a tile.
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
        numbers: `[b, q]`, the sentence that each token belongs to, or represents.
        real: Boolean `[b, q]`, True for tokens, False for padding.
        radius: Tokens of the same input that each sees on either side; None for all.
    """

    numbers: Tensor
    real: Tensor
    radius: int | None


def _attend_in_tiles(
    side: Side, own: _Input, other: _Input, labels: RelativeLabels, dropout: float, block: int
) -> Tensor:
    """Let the queries of one input read both inputs."""
    count = own.real.shape[1]
    vectors = side.labels.to(side.query.dtype)
    scored = label_scores(side.query, vectors)
    # Most pairs of a token and a sentence are outside: their label is added to the key once, and
    # only the difference for the others remains to be added.
    other_key = side.other_key + vectors[labels.outside, :, None]
    inside = (scored[..., labels.inside] - scored[..., labels.outside]).unsqueeze(-1)
    own_hidden, other_hidden = _hidden(own.real), _hidden(other.real)
    places = torch.arange(count, device=own.real.device)
    outputs = []
    for queries in blocks(count, block):
        window = _window(queries, own.radius, count)
        offsets = places[window] - places[queries, None]
        near = score_pairs(scored[:, :, queries], labels.of_distance(offsets))
        if own.radius is not None:
            near = _hide(near, offsets.abs() > own.radius)
        if own_hidden is not None:
            near = _hide(near, own_hidden[..., window])
        belongs = own.numbers[:, queries, None] == other.numbers[:, None]
        far = torch.where(belongs[:, None], inside[:, :, queries], 0.0)
        if other_hidden is not None:
            far = _hide(far, other_hidden)
        outputs.append(
            scaled_dot_product_attention(
                side.query[:, :, queries],
                torch.cat([other_key, side.key[:, :, window]], dim=2),
                torch.cat([side.other_value, side.value[:, :, window]], dim=2),
                attn_mask=torch.cat([far, near], dim=-1),
                dropout_p=dropout,
            )
        )
    return torch.cat(outputs, dim=2).masked_fill(~own.real[:, None, :, None], 0.0)


def _window(queries: slice, radius: int | None, count: int) -> slice:
    """Return which tokens of its own input a block of queries may see."""
    if radius is None:
        return slice(0, count)
    return slice(max(queries.start - radius, 0), min(queries.stop + radius, count))


def _hidden(real: Tensor) -> Tensor | None:
    """Return where keys are padding, Boolean `[b, 1, 1, k]`; None if there is none."""
    return None if bool(real.all()) else ~real[:, None, None]


def _hide(scores: Tensor, hidden: Tensor) -> Tensor:
    """Fill hidden scores with the smallest number: −∞ would make padded rows and gradients NaN."""
    return scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
