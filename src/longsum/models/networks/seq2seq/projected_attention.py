"""Attention by PyTorch's own function, between projections."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from longsum.models.attention.layers.linear_layers import project, split_heads
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig

_FEW = 16
"""Queries up to which two products are no slower than fused attention (8,192 keys, two cores)."""


class Projections(nn.Module):
    """The projections around an attention: of queries, keys, values and what was read."""

    def __init__(self, config: LongsumSeq2SeqConfig, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(config.d_model, config.d_model)
        self.k_proj = nn.Linear(config.d_model, config.d_model)
        self.v_proj = nn.Linear(config.d_model, config.d_model)
        self.out_proj = nn.Linear(config.d_model, config.d_model)

    def project_heads(self, states: Tensor, memory: Tensor) -> Iterator[Tensor]:
        """Yield queries of states, keys and values of a memory, `[b, n, D]` to `[b, h, n, d]`."""
        for layer, given in ((self.q_proj, states), (self.k_proj, memory), (self.v_proj, memory)):
            yield split_heads(project(layer, given), self.heads)


class ProjectedAttention(Projections):
    """Projections around PyTorch's own attention: in the decoder, and from tokens to segments."""

    def __init__(self, config: LongsumSeq2SeqConfig, heads: int) -> None:
        super().__init__(config, heads)
        self.dropout = config.attention_dropout

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


def linear_of_zeros(inputs: int, outputs: int) -> nn.Linear:
    """Make a linear layer that starts as the function that is zero everywhere.

    It says so of itself, and is of no class of its own: what replaces or quantizes linear layers
    looks for `nn.Linear` and nothing else.
    """
    made = nn.Linear(inputs, outputs)
    made.begins_as_zero = True  # type: ignore[assignment]
    begin(made)
    return made


def begin(layer: nn.Module) -> None:
    """Give a layer of `linear_of_zeros` its first weights; leave any other."""
    if isinstance(layer, nn.Linear) and getattr(layer, "begins_as_zero", False):
        nn.init.zeros_(layer.weight)
        nn.init.zeros_(layer.bias)
