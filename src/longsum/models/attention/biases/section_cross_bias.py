"""Biases of a cross-attention by sections: where it reads depends on where it has just read.

The bias of a source token is Eq. 3 of HIBRIDS, §3.2, and depends only on sections. Let P `[q, l]`
be the weights of an earlier layer, Z `[l, S]` tell which section each key is in, and B `[S, S]` be
the table's values of all pairs of sections. Then A = P · Z is the attention to each section,
A · B the bias of each section, and A · B · Zᵀ that of each key. Mixtures of keys (Linformer) have
mixtures of the rows of Z; nothing else changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import torch
from torch import Tensor
from torch.nn.functional import pad, scaled_dot_product_attention

from longsum.models.attention.biases.section_bias import BiasTable, SectionBiasConfig
from longsum.models.attention.biases.section_tree import SectionTree, label_values
from longsum.models.attention.cross import CrossPattern, FoldedSource
from longsum.models.attention.patterns import blocks
from longsum.models.attention.softmax import at_least_float32, masked_softmax

SectionBiasKind = Literal["hibrids", "hibrids_selected", "section_distance"]

_FEW = 64
"""Maximum number of queries with a number for each query and key, as in decoding steps.

For one query, wider keys would first have to be copied: many times the work of the attention itself
(measured with 2,048 and 8,192 keys, 40 and 200 sections, one core; at 64 queries both are equally
fast). For a whole target, wider keys take no longer than a bias for each key, and memory stays
linear: 1,024 queries of 16 heads on 16,384 keys would have biases of 0.5 GiB a source in bf16, and
gradients of as much.
"""
_NUMBERS = 2**20
"""Numbers of a matrix of biases that exist at a time; 4 MB in fp32."""
_ALIGNED = 8
"""Fused attention on CUDA needs widths that are multiples of this."""


@dataclass(frozen=True, slots=True)
class DecoderBiasConfig(SectionBiasConfig):
    """The biases that the last cross-attention of a decoder learns (HIBRIDS-DEC).

    Attributes:
        kind: As for all biases of sections, except `token_distance`, since a generated token has no
            position among those of the source.
        shared: Whether all heads share their biases, as in the released code. In the paper each
            head has its own.
        average: Whether the attention to each section is averaged over heads. The paper does not
            say; fairseq, on which the released code is based, passes on averages. Otherwise each
            head uses the attention of the same head in the previous layer.
    """

    kind: SectionBiasKind = "hibrids"
    shared: bool = False
    average: bool = True


class DecoderBias(BiasTable):
    """The table of biases, and the biases of a source's sections by the attention to each.

    Gradients flow through that attention into the layer that computes it, as the equation implies;
    the paper does not say otherwise.

    A random table has the standard deviation `std`.

    Raises:
        LongsumError: The settings are impossible.
    """

    def __init__(self, config: DecoderBiasConfig, heads: int, std: float = 0.02) -> None:
        labelling = config.labelling()
        super().__init__(labelling.count, 1 if config.shared else heads, config.start, std)
        self.labelling = labelling
        self.average = config.average

    def forward(self, weights: Tensor, tree: SectionTree) -> Tensor:
        """Return the bias of each section: A · B, `[b, h or 1, q, S]`.

        A is `[b, h, q, S]`, from `section_weights`; the tree has b rows.
        """
        if self.average:
            weights = weights.mean(dim=1, keepdim=True)
        return labelled_product(weights, self.table, self.labelling.of(tree))


def labelled_product(weights: Tensor, table: Tensor, labels: Tensor) -> Tensor:
    """Return A · B, where B contains a table's values of labelled pairs.

    A few columns of B exist at a time, forward and backward: as a whole, it would have a number for
    each head and pair of sections.

    Args:
        weights: A, `[b, h or 1, q, S]`.
        table: `[labels, h or 1]`.
        labels: `[b, S, S]`.

    Returns:
        `[b, h, q, S]`; `[b, 1, q, S]` if both have one head.
    """
    product: Tensor = _LabelledProduct.apply(weights, table, labels)  # type: ignore[no-untyped-call]
    return product


class _LabelledProduct(torch.autograd.Function):
    """See `labelled_product`; the backward pass looks B up again."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, table: Tensor, labels: Tensor) -> Tensor:
        ctx.save_for_backward(weights, table, labels)
        return torch.cat(
            [
                weights @ label_values(table, labels[..., columns]).to(weights.dtype)
                for columns in _columns(table, labels)
            ],
            dim=-1,
        )

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grad_outputs
        weights, table, labels = ctx.saved_tensors
        precise = at_least_float32(table.dtype)
        grad_weights = torch.zeros_like(weights, dtype=at_least_float32(weights.dtype))
        # The row after the last collects the gradients of pairs without a label.
        total = table.new_zeros(len(table) + 1, table.shape[1], dtype=precise)
        for columns in _columns(table, labels):
            named, upstream = labels[..., columns], grad[..., columns]
            values = label_values(table, named)
            grad_weights += (upstream @ values.mT.to(grad.dtype)).sum_to_size(weights.shape)
            grads = (weights.mT @ upstream).to(precise).sum_to_size(values.shape)
            total.index_add_(
                0, named.remainder(len(total)).flatten(), grads.movedim(1, -1).flatten(0, 2)
            )
        return grad_weights.to(weights.dtype), total[:-1].to(table.dtype), None


def _columns(table: Tensor, labels: Tensor) -> Iterator[slice]:
    """Split the columns of B, so that few of its numbers exist at a time."""
    rows, sections, _ = labels.shape
    return blocks(sections, max(1, _NUMBERS // (rows * sections * table.shape[1])))


def fold_sections(
    tree: SectionTree, pattern: CrossPattern, real: Tensor | None, states: Tensor
) -> FoldedSource:
    """Lay out one-hot sections by groups of heads, like the source itself: Z, `[b, s, l, S]`.

    Args:
        tree: The sections.
        pattern: The positions that the heads read.
        real: As for `CrossPattern.fold`.
        states: Any tensor with the type and device for the result.
    """
    folded = pattern.fold(tree.section_of[..., None], real)
    sections = torch.arange(tree.parents.shape[1], device=tree.parents.device)
    return replace(folded, hidden=(folded.hidden == sections).to(states))


def section_weights(query: Tensor, key: Tensor, mask: Tensor | None, shares: Tensor) -> Tensor:
    """Return the share of its attention that each query gives to each section: A.

    Dropout does not apply: the weights say where a layer reads, not what a step keeps of it.

    Args:
        query: `[b, h, q, d]`, not scaled.
        key: `[b, h, l, d]`.
        mask: Boolean, broadcasts to `[b, h, q, l]`, True where a query may see a key; None if all
            are seen.
        shares: `[b, s, l, S]`, the section of each key that group s of the heads reads: one-hot, or
            a mixture of such rows. Head i belongs to group i mod s.

    Returns:
        `[b, h, q, S]`. A query that sees no key gets zeros.
    """
    heads, width, sections = query.shape[1], query.shape[-1], shares.shape[-1]
    shares = shares.to(query.dtype)
    if query.shape[2] <= _FEW:
        scores = (query @ key.mT) * width**-0.5
        weights = masked_softmax(scores, mask).to(query.dtype)
        return _by_heads(_by_groups(weights, shares.shape[1]) @ shares, heads)
    # Sections take the place of values. PyTorch's fused attention needs all three of one width.
    common = _aligned(max(width, sections))
    weights = scaled_dot_product_attention(
        _widened(query, common),
        _widened(key, common),
        _for_heads(_widened(shares, common), heads),
        attn_mask=mask,
        scale=width**-0.5,
    )
    return weights[..., :sections]


def section_biased_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor,
    shares: Tensor,
    dropout: float = 0.0,
) -> Tensor:
    """Attend with a bias for each section added to the scaled scores of its keys, `[b, h, q, d]`.

    Args:
        query: `[b, h, q, d]`, not scaled.
        key: `[b, h, l, d]`.
        value: `[b, h, l, d]`.
        mask: As for `section_weights`.
        bias: `[b, h or 1, q, S]`.
        shares: As for `section_weights`.
        dropout: Share of the weights that is dropped.
    """
    heads, width = query.shape[1], query.shape[-1]
    # Under autocast both may be finer than queries and keys.
    shares = shares.to(query.dtype)
    bias = bias.to(query.dtype).expand(-1, heads, -1, -1)
    if query.shape[2] <= _FEW:
        added = _by_heads(_by_groups(bias, shares.shape[1]) @ shares.mT, heads)
        if mask is not None:
            added = added.masked_fill(~mask, -torch.inf)
        return scaled_dot_product_attention(query, key, value, attn_mask=added, dropout_p=dropout)
    # q · k / √d + b · z is a single product, of queries and keys extended by the sections.
    common = _aligned(max(width + shares.shape[-1], value.shape[-1]))
    output = scaled_dot_product_attention(
        _widened(torch.cat([query, bias * width**0.5], dim=-1), common),
        torch.cat([key, _for_heads(_widened(shares, common - width), heads)], dim=-1),
        _widened(value, common),
        attn_mask=mask,
        dropout_p=dropout,
        scale=width**-0.5,
    )
    return output[..., : value.shape[-1]]


def _by_groups(rows: Tensor, groups: int) -> Tensor:
    """Lay out `[b, h, q, …]` as `[b, s, (h / s) · q, …]`: a product for each group."""
    batch, heads, queries, size = rows.shape
    apart = rows.view(batch, heads // groups, groups, queries, size)
    return apart.transpose(1, 2).reshape(batch, groups, -1, size)


def _by_heads(rows: Tensor, heads: int) -> Tensor:
    """Lay out `[b, s, (h / s) · q, …]` as `[b, h, q, …]`."""
    batch, groups, _, size = rows.shape
    apart = rows.view(batch, groups, heads // groups, -1, size)
    return apart.transpose(1, 2).reshape(batch, heads, -1, size)


def _for_heads(shares: Tensor, heads: int) -> Tensor:
    """Give each head its group's part, `[b, h, l, …]`; for a single group, without a copy."""
    per_group = heads // shares.shape[1]
    return shares[:, None].expand(-1, per_group, -1, -1, -1).flatten(1, 2)


def _widened(rows: Tensor, width: int) -> Tensor:
    return pad(rows, (0, width - rows.shape[-1]))


def _aligned(width: int) -> int:
    return -(-width // _ALIGNED) * _ALIGNED
