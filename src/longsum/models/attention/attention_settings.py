"""The settings of an encoder attention, and its construction from them."""

from dataclasses import dataclass, replace
from typing import Literal, get_args

from longsum.common.checked_settings import CLOSED, Count, Size, check_settings_of_kind
from longsum.common.errors import LongsumError
from longsum.models.attention.encoder_attention import EncoderAttention, Execution, PatternAttention
from longsum.models.attention.learned.adaptive_span import AdaptiveSpanAttention, Parametrization
from longsum.models.attention.learned.linformer import LinformerAttention
from longsum.models.attention.learned.lsh import LshAttention
from longsum.models.attention.learned.sinkhorn import SinkhornAttention, Sorting
from longsum.models.attention.patterns import (
    Blocks,
    Full,
    GlobalTokens,
    Pattern,
    RandomBlocks,
    SimplePattern,
    Stride,
    Window,
    union,
)
from longsum.models.attention.sparse_blocks import sparse_blocks

Kind = Literal["full", "pattern", "adaptive_span", "linformer", "lsh", "sinkhorn"]

_JOINED = {"global_tokens", "stride", "random_block", "local_block", "staggered", "seed"}
_FIELDS: dict[str, set[str]] = {
    "full": set(),
    "pattern": {"window", "sparse_block", "sparse_random", "transient_block", *_JOINED},
    "adaptive_span": {"window", "span_ramp", "span_parametrization", *_JOINED},
    "linformer": {"projected"},
    "lsh": {"chunk", "rounds", "seed"},
    "sinkhorn": {"block", "sorting"},
}
"""The settings that each kind has, besides its execution."""

_LAYER_SEEDS, _SEEDS = 1_000_003, 2**63
"""The distance between the seeds of a layer and the next, larger than between seeds that people
choose; and the number of seeds."""


@dataclass(frozen=True, slots=True)
class EncoderAttentionConfig:
    """The encoder attention of a layer. The default sizes are those of HEPOS, §6.

    Attributes:
        kind: `full`; `pattern`, the union of what the next four fields switch on; `adaptive_span`,
            the same with a window that learns its width; or one of the other learned kinds, each
            with the fields that follow.
        window: `pattern`, `adaptive_span`: tokens that each token sees, both sides together (w, ŵ);
            0 is no window.
        global_tokens: `pattern`, `adaptive_span`: the first tokens that see all and are seen by all
            (g).
        stride: `pattern`, `adaptive_span`: each token sees every s-th token; 0 is no stride.
        random_block: `pattern`, `adaptive_span`: tokens of the block that each block draws (r); 0
            is none.
        local_block: `pattern`, `adaptive_span`: size of the blocks, after the global tokens, whose
            tokens see each other; 0 is none (PEGASUS-X).
        staggered: `pattern`, `adaptive_span`: whether the first of these blocks is half as long.
        sparse_block: `pattern`: size of BigBird's blocks, each of which sees itself
            and its neighbours, and the first and the last, which see all; 0 is none.
        sparse_random: `pattern`: number of random blocks of each of BigBird's blocks; see
            `sparse_blocks`.
        transient_block: `pattern`: size of the blocks whose sums all tokens see too (LongT5's
            transient global tokens); 0 is none.
        span_ramp: `adaptive_span`: softness of a span's edge, in tokens.
        span_parametrization: `adaptive_span`: the original's `clamp`, or the released `sigmoid`.
        projected: `linformer`: number of mixtures (k).
        chunk: `lsh`: tokens of a chunk (b_l).
        rounds: `lsh`: rounds of hashing (l).
        block: `sinkhorn`: tokens of a block (b_s).
        sorting: `sinkhorn`: sorting without parameters, `free`, or `learned`.
        seed: `pattern`, `adaptive_span`, `lsh`: seed of whatever is random; each layer of an
            encoder has its own draws (`of_layer`).
        execution: How it is computed: `fast`, the best for the device; `tiled` or `flex`, which
            force the CPU's or CUDA's code for fixed patterns; or `reference`, the definition.

    Raises:
        LongsumError: A field is set that the kind does not have.
    """

    __pydantic_config__ = CLOSED

    kind: Kind = "full"
    window: Count = 0
    global_tokens: Count = 0
    stride: Count = 0
    random_block: Count = 0
    local_block: Count = 0
    staggered: bool = False
    sparse_block: Count = 0
    sparse_random: Count = 0
    transient_block: Count = 0
    span_ramp: Size = 32
    span_parametrization: Parametrization = "clamp"
    projected: Size = 256
    chunk: Size = 64
    rounds: Size = 4
    block: Size = 128
    sorting: Sorting = "free"
    seed: int = 0
    execution: Execution = "fast"

    def __post_init__(self) -> None:
        check_settings_of_kind(self, _FIELDS, {"execution"}, "An encoder attention")

    def of_layer(self, number: int) -> "EncoderAttentionConfig":
        """Return the settings of a layer, from 0, with its own random draws.

        With equal draws, all layers would see the same blocks, and miss the same pairs.
        """
        if "seed" not in _FIELDS.get(self.kind, ()):
            return self
        return replace(self, seed=(self.seed + _LAYER_SEEDS * number) % _SEEDS)

    def pattern(self) -> Pattern:
        """Return the fixed pattern that the settings describe.

        Raises:
            LongsumError: Nothing is switched on.
        """
        window = (Window(self.window),) if self.window else ()
        pattern = union((*window, *self._joined()))
        if pattern is None:
            raise LongsumError(
                "An encoder attention of kind 'pattern' needs a window, global tokens, a stride, a "
                "random block, a local block or a sparse block; set one of them."
            )
        return pattern

    def beside_window(self) -> Pattern | None:
        """Return the patterns that the settings join with a window; None for nothing."""
        return union(self._joined())

    def _joined(self) -> tuple[SimplePattern, ...]:
        parts: list[SimplePattern] = []
        if self.global_tokens:
            parts.append(GlobalTokens(self.global_tokens))
        if self.stride:
            parts.append(Stride(self.stride))
        if self.random_block:
            parts.append(RandomBlocks(self.random_block, self.seed))
        if self.local_block:
            half = self.local_block // 2 if self.staggered else 0
            parts.append(Blocks(self.local_block, self.global_tokens - half))
        if self.sparse_block:
            parts += sparse_blocks(self.sparse_block, self.sparse_random)
        return tuple(parts)


def build_encoder_attention(
    config: EncoderAttentionConfig, *, heads: int, head_dim: int, tokens: int
) -> EncoderAttention:
    """Make the attention that the settings describe.

    `tokens` is the length of the longest source.

    Raises:
        LongsumError: The kind is unknown, or its settings are impossible.
    """
    execution = config.execution
    _check_execution(config.kind, execution)
    match config.kind:
        case "full":
            return PatternAttention(Full(), execution)
        case "pattern":
            return PatternAttention(config.pattern(), execution)
        case "adaptive_span":
            return AdaptiveSpanAttention(
                heads,
                config.window,
                config.span_ramp,
                config.span_parametrization,
                execution,
                config.beside_window(),
            )
        case "linformer":
            return LinformerAttention(tokens, config.projected)
        case "lsh":
            return LshAttention(head_dim, config.chunk, config.rounds, config.seed, execution)
        case "sinkhorn":
            return SinkhornAttention(
                heads, head_dim, tokens, config.block, config.sorting, execution=execution
            )
        case _:
            raise LongsumError(
                f"There is no encoder attention of kind {config.kind!r}; choose full, pattern, "
                "adaptive_span, linformer, lsh or sinkhorn."
            )


def _check_execution(kind: Kind, execution: Execution) -> None:
    """Check that the kind has such an execution."""
    if execution not in get_args(Execution):
        raise LongsumError(
            f"There is no execution {execution!r} of an attention; choose fast, tiled, flex or "
            "reference."
        )
    if execution in ("tiled", "flex") and kind in ("linformer", "lsh", "sinkhorn"):
        raise LongsumError(
            f"Attention of kind {kind!r} runs its own code on every device and has no execution "
            f"{execution!r}; choose fast or reference."
        )
