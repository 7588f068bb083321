"""Attention by PyTorch's own function, between projections."""

import torch
from torch import Tensor, nn

from longsum.models.blocks import Linear
from longsum.models.seq2seq.configuration import LongsumSeq2SeqConfig

_FEW = 16
"""Queries up to which two products are no slower than fused attention (8,192 keys, two cores)."""


class ProjectedAttention(nn.Module):
    """Projections around PyTorch's own attention: in the decoder, and from tokens to segments."""

    def __init__(self, config: LongsumSeq2SeqConfig, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.dropout = config.attention_dropout
        self.q_proj = Linear(config.d_model, config.d_model)
        self.k_proj = Linear(config.d_model, config.d_model)
        self.v_proj = Linear(config.d_model, config.d_model)
        self.out_proj = Linear(config.d_model, config.d_model)

    def attend(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, causal: bool = False
    ) -> Tensor:
        """Attend; all `[b, h, …, d]`, the mask boolean, True where a query may see a key."""
        alone = not (causal or self.training or torch.is_grad_enabled())
        if alone and mask is None and query.device.type == "cpu" and query.shape[2] <= _FEW:
            # Few queries on many keys: PyTorch's fused attention takes twice as long in bf16 here.
            scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
            return torch.softmax(scores, dim=-1) @ value
        return nn.functional.scaled_dot_product_attention(
            query,
            key,
            value,
            attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0,
            is_causal=causal,
        )


class ZeroLinear(Linear):
    """A linear layer that starts as the function that is zero everywhere."""

    def reset_parameters(self) -> None:
        """Give the weights their first values, which are zeros."""
        nn.init.zeros_(self.weight)
        nn.init.zeros_(self.bias)
