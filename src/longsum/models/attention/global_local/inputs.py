"""Global–local attention: a long input read locally, and a short one that sees and is seen by all.

Ainslie et al. 2020 (ETC), §2; Stepwise, §5. Four parts: long-to-long, within a radius; long-to-
global, global-to-long and global-to-global, unrestricted. The softmax of a query runs over both
inputs. Relative position labels tell distances within an input, and between inputs whether the
token belongs to the sentence that the global token stands for.

Letters in shapes: n long tokens, g global tokens; for others see `longsum.models.attention`.
"""

from dataclasses import dataclass

from torch import Tensor

from longsum.common.errors import LongsumError
from longsum.models.attention.biases.relative import RelativeLabels


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
    """How the two inputs are linked, and what of them is padding.

    Attributes:
        sentences: `[b, n]`, which global token stands for the sentence of each long token; −1 for
            none.
        real: Boolean `[b, n]`, True for long tokens, False for padding.
        global_real: Boolean `[b, g]`, the same for global tokens.
    """

    sentences: Tensor
    real: Tensor
    global_real: Tensor


@dataclass(frozen=True, slots=True)
class Side:
    """What the queries of one input read.

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
