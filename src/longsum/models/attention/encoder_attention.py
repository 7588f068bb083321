"""Encoder self-attention as modules behind one call."""

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling

from longsum.common.errors import LongsumError
from longsum.models.attention.backends.compiled import compiled_attention
from longsum.models.attention.backends.flex import flex_attention
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.backends.tiled import tiled_attention
from longsum.models.attention.biases.bias import ScoreBias, brought
from longsum.models.attention.biases.relative import (
    TokenDistance,
    TransientTokens,
    WithDistances,
    WithTransientTokens,
)
from longsum.models.attention.patterns import ChosenTokens, Full, GlobalTokens, Pattern, Union

Execution = Literal["fast", "tiled", "flex", "reference"]
"""How an attention is computed.

`fast`: under a fixed pattern by `flex` on CUDA and by `tiled` elsewhere, and full attention by
PyTorch's own; a learned attention by its own code on every device. `tiled` and `flex` force one of
the two, and `reference` is the dense definition.
"""

Chosen = ChosenTokens | TransientTokens


class Inputs(NamedTuple):
    """The inputs of self-attention.

    Attributes:
        query: `[b, h, n, d]`, not scaled.
        key: `[b, h, n, d]`.
        value: `[b, h, n, d]`.
        real: Boolean `[b, n]`, True for tokens, False for padding; None if all are real.
        bias: The bias of the scaled scores, with its parameters.
        dropout: Share of the attention weights that is dropped.
    """

    query: Tensor
    key: Tensor
    value: Tensor
    real: Tensor | None = None
    bias: ScoreBias | None = None
    dropout: float = 0.0

    def biases(self, pattern: Pattern) -> tuple[ScoreBias, ...]:
        """Return all biases of the scores under a pattern."""
        given = () if self.bias is None else (self.bias,)
        return (*given, *brought(pattern, self.query.device))


class EncoderAttention(nn.Module, ABC):
    """Self-attention of an encoder layer between its input and output projections.

    Attributes:
        execution: See `Execution`; it may be set between calls.
        dropout: Share of the attention weights that is dropped in training.
    """

    execution: Execution = "fast"
    dropout: float = 0.0

    def reset_parameters(self) -> None:
        """Initialize the parameters; a kind without parameters has nothing to do."""

    def forward(self, *inputs: Any, chosen: Chosen | None = None) -> Tensor:
        """Attend, `[b, h, n, d]`; for all inputs except the dropout see `Inputs`, and see `attend`.

        Args:
            *inputs: Fields of `Inputs`.
            chosen: The tokens that all see, instead of the first ones; None for the first ones.
                Transient tokens precede the source, and are seen in addition to the first ones.
        """
        dropout = self.dropout if self.training else 0.0
        given = Inputs(*inputs)._replace(dropout=dropout)
        return self.attend(given) if chosen is None else self.attend_chosen(given, chosen)

    @abstractmethod
    def attend(self, given: Inputs) -> Tensor:
        """Return the output of each head, `[b, h, n, d]`.

        Raises:
            LongsumError: This kind of attention cannot have such a bias.
        """

    def attend_chosen(self, given: Inputs, chosen: Chosen) -> Tensor:  # noqa: ARG002
        """Attend as `attend` does, with chosen tokens seen by all instead of the first ones.

        Raises:
            LongsumError: This kind of attention has no global tokens.
        """
        raise LongsumError(
            "Only full attention and fixed patterns take a global_attention_mask; leave it out, or "
            "give the encoder a window."
        )


class PatternAttention(EncoderAttention):
    """Attention under a fixed pattern; no parameters (HEPOS, Table 1).

    Args:
        pattern: Which key each query may see.
        execution: See `Execution`. What it does not support raises an error, without a fallback.
    """

    def __init__(self, pattern: Pattern, execution: Execution = "fast") -> None:
        super().__init__()
        self.pattern = pattern
        self.execution = execution

    def attend(self, given: Inputs) -> Tensor:
        """Attend; see `EncoderAttention.attend`.

        PyTorch's own full attention needs the bias as a matrix of all pairs of tokens, so full
        attention with a bias runs like other patterns. FlexAttention drops no weights, so with
        dropout `fast` is `tiled` on CUDA too.

        Raises:
            LongsumError: FlexAttention is to run, and cannot (see `flex_attention`), or is to drop
                weights.
        """
        query, key, value, real, bias, dropout = given
        if self.execution == "fast" and isinstance(self.pattern, Full) and bias is None:
            mask = None if real is None else real[:, None, None, :]
            return torch.nn.functional.scaled_dot_product_attention(
                query, key, value, attn_mask=mask, dropout_p=dropout
            )
        biases = given.biases(self.pattern)
        if self.execution == "flex" and (dropout or len(biases) > 1):
            raise LongsumError(
                "FlexAttention drops no attention weights and adds one bias alone; set "
                "attention_dropout to 0, or choose execution 'fast' or 'tiled'."
            )
        one = len(biases) < 2 and not dropout
        if self.execution == "flex" or (self.execution == "fast" and query.is_cuda and one):
            return flex_attention(query, key, value, self.pattern, real, *biases)
        if is_compiling() and one and self.execution != "reference":
            if bias is None:
                return compiled_attention(query, key, value, self.pattern, real)
            if isinstance(bias, TokenDistance):
                maker = WithDistances, bias.plain
                return compiled_attention(
                    query, key, value, self.pattern, real, bias.learned, maker
                )
        return self._in_pattern(given, self.pattern)

    def attend_chosen(self, given: Inputs, chosen: Chosen) -> Tensor:
        """Attend; see `EncoderAttention.attend_chosen`.

        Raises:
            LongsumError: FlexAttention is to run.
        """
        if isinstance(self.pattern, Full) and isinstance(chosen, ChosenTokens):
            return self.attend(given)
        if self.execution == "flex":
            raise LongsumError(
                "FlexAttention takes no global_attention_mask and no transient tokens here; choose "
                "execution 'fast' or 'tiled'."
            )
        if isinstance(chosen, TransientTokens):
            dense = self.execution == "reference"
            if is_compiling() and not given.dropout and not dense:
                query, key, value, real, bias, _ = given
                learned = None
                if bias is not None and chosen.table is not None:
                    learned = torch.cat([bias.learned, chosen.table])
                maker = WithTransientTokens, chosen.size
                return compiled_attention(query, key, value, self.pattern, real, learned, maker)
            return self._in_pattern(given, Union((chosen, *self.pattern.parts)))
        others = [part for part in self.pattern.parts if not isinstance(part, GlobalTokens)]
        return self._in_pattern(given, Union((*others, chosen)))

    def _in_pattern(self, given: Inputs, pattern: Pattern) -> Tensor:
        query, key, value, real, _, dropout = given
        attend = reference_attention if self.execution == "reference" else tiled_attention
        return attend(query, key, value, pattern, real, given.biases(pattern), dropout)
