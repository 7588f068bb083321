"""Global–local attention as defined: the reference for the fast execution."""

import torch
from torch import Tensor

from longsum.attention.backends.reference import dense_attention
from longsum.attention.global_local.inputs import GlobalLocal, Side, Structure


def global_local_reference(
    long: Side, auxiliary: Side, structure: Structure, pattern: GlobalLocal
) -> tuple[Tensor, Tensor]:
    """Attend densely over both inputs, the global one first.

    Args:
        long: What long tokens read.
        auxiliary: What global tokens read.
        structure: How they are linked.
        pattern: Who may see whom.

    Returns:
        For long tokens `[b, h, n, d]`, for global tokens `[b, h, g, d]`; padded ones get zeros.
    """
    count = structure.global_real.shape[1]
    real = torch.cat([structure.global_real, structure.real], dim=1)
    device, total = real.device, real.shape[1]
    offsets = torch.arange(total, device=device) - torch.arange(total, device=device)[:, None]
    held = structure.sentences[..., None] == torch.arange(count, device=device)
    labels = pattern.labels.of_distance(offsets).repeat(len(real), 1, 1)
    labels[:, count:, :count] = pattern.labels.of_membership(held)
    labels[:, :count, count:] = pattern.labels.of_membership(held).transpose(1, 2)
    visible = real[:, None].repeat(1, total, 1)
    visible[:, count:, count:] &= (offsets.abs() <= pattern.radius)[count:, count:]
    return (
        _attend_densely(
            long,
            torch.cat([long.other_key, long.key], dim=2),
            torch.cat([long.other_value, long.value], dim=2),
            labels[:, count:],
            visible[:, count:],
        ).masked_fill(~structure.real[:, None, :, None], 0.0),
        _attend_densely(
            auxiliary,
            torch.cat([auxiliary.key, auxiliary.other_key], dim=2),
            torch.cat([auxiliary.value, auxiliary.other_value], dim=2),
            labels[:, :count],
            visible[:, :count],
        ).masked_fill(~structure.global_real[:, None, :, None], 0.0),
    )


def _attend_densely(
    side: Side, key: Tensor, value: Tensor, labels: Tensor, visible: Tensor
) -> Tensor:
    """Attend under labels and a mask, both `[b, q, k]`: q · (k + r) / √d."""
    added = torch.einsum("bhqd,bqkhd->bhqk", side.query, side.labels[labels])
    bias = added * side.query.shape[-1] ** -0.5
    return dense_attention(side.query, key, value, visible[:, None], bias)
