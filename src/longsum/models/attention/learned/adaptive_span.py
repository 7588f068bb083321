"""Adaptive span: windows whose width each head learns (Sukhbaatar et al. 2019; HEPOS, §2.1)."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.compiler import is_compiling

from longsum.common.errors import LongsumError
from longsum.models.attention.backends.compiled import compiled_attention
from longsum.models.attention.backends.reference import reference_attention
from longsum.models.attention.backends.tiled import tiled_attention
from longsum.models.attention.biases.bias import DistanceTiles, ScoreBias
from longsum.models.attention.encoder_attention import EncoderAttention, Execution, Inputs
from longsum.models.attention.patterns import Grid, Pattern, SimplePattern, Window

Parametrization = Literal["clamp", "sigmoid"]

_SMALLEST = 1e-30


@dataclass(frozen=True, slots=True, eq=False)
class SoftWindow(ScoreBias):
    """log m(x), with m(x) = min(max((ramp + span − x) / ramp, 0), 1) at distance x (Eq. 2 there).

    Multiplying the softmax by m and renormalizing, as the paper does, equals adding log m to the
    scores.

    Attributes:
        learned: Each head's span in tokens, `[h]`.
        ramp: Over how many tokens beyond the span the mask falls to 0.
        beside: A pattern whose pairs are fully visible, whatever their distance; None for none.
    """

    learned: Tensor
    ramp: int
    beside: Pattern | None = None

    def value(self, grid: Grid, learned: Tensor) -> Tensor:
        """Return log m for each pair, `[h, q, k]`, and 0 for fully visible ones."""
        log_mask = self._mask(grid, learned).clamp(_SMALLEST, 1.0).log()
        if self.beside is None:
            return log_mask
        return log_mask.masked_fill(self.beside.visible(grid), 0.0)

    def differentiate(self, grid: Grid, learned: Tensor, grad: Tensor) -> Tensor:
        """Return what autograd would, which cannot run within an operator of a compiled graph."""
        mask = self._mask(grid, learned)
        grad = grad.sum_to_size(mask.shape) / (self.ramp * mask)
        return grad.masked_fill_((mask < _SMALLEST) | (mask > 1.0), 0.0).sum(dim=(-2, -1))

    def _mask(self, grid: Grid, learned: Tensor) -> Tensor:
        distance = (grid.query - grid.key).abs()
        return (self.ramp + learned[:, None, None] - distance) / self.ramp

    def on_tiles(self, learned: Tensor) -> DistanceTiles:
        """Return an object that adds it to tiles of the window, without fully visible pairs."""
        return DistanceTiles(replace(self, beside=None), learned)

    def adds_to(self, part: SimplePattern) -> bool:
        """Tell whether the part is the window."""
        return self.beside is None or part.whole not in self.beside.parts


@dataclass(frozen=True, slots=True)
class SpannedWindow:
    """The pattern and bias of spans, which decide the window's width and the biases in it.

    Its fields are those of `AdaptiveSpanAttention`.
    """

    window: int
    ramp: int
    beside: Pattern | None = None

    def of(self, learned: Tensor | None, tokens: int) -> tuple[Pattern, tuple[ScoreBias, ...]]:  # noqa: ARG002
        """Return the other patterns with a window as wide as necessary, and its bias.

        It is trimmed to the widest span that a head has now: tokens beyond span and ramp have no
        weight, so that changes nothing. It comes last: a pair in both belongs to the other.
        """
        assert learned is not None
        reach = math.ceil(float(learned.detach().max())) + self.ramp
        window = Window(2 * min(max(reach, 0), self.window // 2))
        pattern = window if self.beside is None else self.beside | window
        return pattern, (SoftWindow(learned, self.ramp, self.beside),)


class AdaptiveSpanAttention(EncoderAttention):
    """Window attention with a learned span for each head, alone or joined with fixed patterns.

    A pair of a joined pattern is fully visible, within the window too; the softmax runs over all
    (HEPOS, §6.2, combines spans with global tokens, strides and random blocks, and does not say
    what happens to a pair in both).

    One new parameter per head (HEPOS, Table 1: O(1)). It runs tile by tile on CUDA too: its spans
    add to the scores and learn from them, which the FlexAttention execution does not support.

    Args:
        heads: Number of heads.
        window: The widest window ŵ, both sides together; a span is at most half of it.
        ramp: Softness of the edge, in tokens.
        parametrization: `clamp`, the original: the parameter is the span over its largest value,
            kept in [0, 1] by `clamp_`, which the trainer calls after each step, and starts at 0.
            `sigmoid`, of HEPOS' released code: the sigmoid of a parameter that starts at 1.
        execution: `fast` or `tiled`, which are the same here, or `reference`.
        beside: Pattern of other tokens that each token sees; None for none.

    Raises:
        LongsumError: The window is not even, the ramp is not positive, or the execution is `flex`.
    """

    def __init__(
        self,
        heads: int,
        window: int,
        ramp: int = 32,
        parametrization: Parametrization = "clamp",
        execution: Execution = "fast",
        beside: Pattern | None = None,
    ) -> None:
        super().__init__()
        if window < 2 or window % 2 or ramp < 1:
            raise LongsumError(
                f"Adaptive span got a window of {window} and a ramp of {ramp}; give an even window "
                "and a ramp of at least 1."
            )
        if execution == "flex":
            raise LongsumError(
                "Adaptive span adds to the scores, which FlexAttention does not do here; choose "
                "execution 'fast', 'tiled' or 'reference'."
            )
        self.spanned = SpannedWindow(window, ramp, beside)
        self.parametrization = parametrization
        self.execution = execution
        self.span = nn.Parameter(torch.empty(heads))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set every span to where its parametrization starts."""
        nn.init.constant_(self.span, 1.0 if self.parametrization == "sigmoid" else 0.0)

    def spans(self) -> Tensor:
        """Return each head's span in tokens, `[h]`."""
        share = self.span.sigmoid() if self.parametrization == "sigmoid" else self.span
        return share * (self.spanned.window // 2)

    def span_loss(self, coefficient: float) -> Tensor:
        """Return the L1 loss that keeps spans short: coefficient × mean span in tokens."""
        return coefficient * self.spans().mean()

    @torch.no_grad()
    def clamp_(self) -> None:
        """Bring the parameter back into [0, 1] after a step of the optimizer."""
        if self.parametrization == "clamp":
            self.span.clamp_(0.0, 1.0)

    def attend(self, given: Inputs) -> Tensor:
        """Attend; see `EncoderAttention.attend`."""
        query, key, value, real, bias, dropout = given
        spans = self.spans()
        reference = self.execution == "reference"
        if is_compiling() and bias is None and not dropout and not reference:
            return compiled_attention(query, key, value, self.spanned, real, spans)
        pattern, biases = self.spanned.of(spans, query.shape[2])
        attend = reference_attention if reference else tiled_attention
        biases = biases if bias is None else (*biases, bias)
        return attend(query, key, value, pattern, real, biases, dropout)
