"""The settings of what stands beside the biases and reads sections: HIBRIDS's comparisons."""

from dataclasses import dataclass

from longsum.attention.biases.section_bias import EncoderBiasConfig, Start
from longsum.errors import LongsumError


@dataclass(frozen=True, slots=True)
class SectionEncoderConfig:
    """An encoder of sections above that of tokens (HierEnc of HIBRIDS, §5.2; Rohde et al. 2021).

    Attributes:
        layers: Its layers. HIBRIDS has 12: with as many attentions in the decoder they are the
            202 M weights by which its model outgrows LED-large. Rohde et al. have one.
        bias: What its layers add to their scores (HIBRIDS, §7.3, Table 5); None for nothing.
        start: How the decoder's attentions to sections start: drawn as other weights are, as in the
            paper; or with `zeros` before the sum, so that a converted model is at first what it
            was. A norm after the sum would change it even so, so with zeros there is one before
            instead, whatever `normalize_before` says.

    Raises:
        LongsumError: The bias is not one of sections, or its reach is too short.
    """

    layers: int = 12
    bias: EncoderBiasConfig | None = None
    start: Start = "normal"

    def __post_init__(self) -> None:
        if self.bias is not None:
            self.bias.labelling()


@dataclass(frozen=True, slots=True)
class SectionRelationsConfig:
    """Relations of sections, predicted beside the summary (MultiTask of HIBRIDS, §5.2).

    Attributes:
        weight: Of the loss of relations, where that of the summary has 1; so in the paper.

    Raises:
        LongsumError: The weight is no positive number.
    """

    weight: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.weight < float("inf"):
            raise LongsumError(
                f"section_relations.weight cannot be {self.weight}; give a number above 0."
            )
