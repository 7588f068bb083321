"""The settings of parts beyond plain layers: those that read sections (HIBRIDS), and segments."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from longsum.common.checked_settings import CLOSED, Size
from longsum.common.errors import LongsumError
from longsum.models.attention.biases.section_bias import EncoderBiasConfig, Start

Pooling = Literal["average", "adaptive"]
Update = Literal["cross", "concat", "none"]


@dataclass(frozen=True, slots=True)
class SectionEncoderConfig:
    """An encoder of sections over that of tokens (HierEnc of HIBRIDS, §5.2; Rohde et al. 2021).

    Attributes:
        layers: Its layers. HIBRIDS has 12: with as many attentions in the decoder they are the
            202 M weights by which its model exceeds LED-large. Rohde et al. have one.
        bias: The bias that its layers add to their scores (HIBRIDS, §7.3, Table 5); None for none.
        start: How the decoder's attentions to sections start: random like other weights, as in the
            paper; or with `zeros` before the sum, so that a converted model is at first unchanged.
            A norm after the sum would still change it, so with zeros there is one before instead,
            whatever `normalize_before` says.

    Raises:
        LongsumError: The bias is not one of sections, or its reach is too short.
    """

    __pydantic_config__ = CLOSED

    layers: Size = 12
    bias: EncoderBiasConfig | None = None
    start: Start = "normal"

    def __post_init__(self) -> None:
        if self.bias is not None:
            self.bias.labelling()


@dataclass(frozen=True, slots=True)
class SectionRelationsConfig:
    """Relations of sections, predicted in addition to the summary (MultiTask of HIBRIDS, §5.2).

    Attributes:
        weight: Weight of the loss of relations; that of the summary is 1, as in the paper.
    """

    __pydantic_config__ = CLOSED

    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0


@dataclass(frozen=True, slots=True)
class TopDownConfig:
    """Segments of tokens, and how the last encoder layers read them (Pang et al. 2022, §2).

    The defaults are the paper's (§3, Appendix B).

    Attributes:
        layers: Number of last encoder layers, which read segments (top-down); those before are
            bottom-up.
        segment_layers: Layers of full self-attention among the segments, for each level.
        levels: Levels of segments. Each further one pools the segments of the one below.
        kernel: Tokens of a segment (of a further level, segments).
        stride: Tokens from the start of a segment to that of the next.
        pooling: `average`, or `adaptive`, by the importance of tokens, which the model then needs
            as an input (AvgPool and AdaPool, §2.3).
        update: What a top-down layer does with segments: attend to them (`cross`), use the mean of
            those that a token is in (`concat`), or nothing (`none`, Appendix C).
        start: How the added parts start: random like other weights, as in the paper; or with
            `zeros`, so that a converted model is at first unchanged.

    Raises:
        LongsumError: Segments would leave tokens out.
    """

    __pydantic_config__ = CLOSED

    layers: Size = 4
    segment_layers: Size = 2
    levels: Size = 1
    kernel: Size = 32
    stride: Size = 24
    pooling: Pooling = "average"
    update: Update = "cross"
    start: Start = "normal"

    def __post_init__(self) -> None:
        if self.stride > self.kernel:
            raise LongsumError(
                f"Segments of {self.kernel} tokens, one every {self.stride}, leave tokens out; "
                "give top_down a stride of at most its kernel."
            )
