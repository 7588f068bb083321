"""The settings of the extractor of relations."""

from dataclasses import field
from typing import Any

from transformers import PreTrainedConfig

from longsum.common.errors import LongsumError

NONE = "NONE"
"""The label of a name and a number that are not related."""

_SIZES = (
    "vocab_size",
    "word_size",
    "distance_size",
    "furthest",
    "filters",
    "convolutional_units",
    "recurrent_units",
)


class LongsumRelationsConfig(PreTrainedConfig):
    """Sizes of the extractor; the defaults are those of the code of Wiseman et al.

    Attributes:
        vocab_size: Words of the vocabulary, including the four special tokens.
        labels: What may relate a name to a number: record types and `NONE`. A label's id is its
            index here.
        word_size: Features of a word.
        distance_size: Features of its distance to the name, and of that to the number.
        furthest: Distances beyond this one are clipped to it.
        convolutional: How many convolutional networks the ensemble has.
        recurrent: How many recurrent ones.
        kernels: Widths of the convolutions.
        filters: Filters of each width.
        convolutional_units: Units of a convolutional network's hidden layer.
        recurrent_units: Units of a recurrent network's hidden layer.
        dropout: Dropout rate, before and after the hidden layer of a convolutional network, and
            after that of a recurrent one.
        uniform: Initial weights are drawn between this and its negative.

    Raises:
        LongsumError: A size is not positive, there is no network, or a label is missing or
            repeated.
    """

    model_type = "longsum_relations"

    vocab_size: int = 10_000
    labels: list[str] = field(default_factory=lambda: [NONE])
    word_size: int = 200
    distance_size: int = 100
    furthest: int = 50
    convolutional: int = 3
    recurrent: int = 3
    kernels: list[int] = field(default_factory=lambda: [2, 3, 5])
    filters: int = 200
    convolutional_units: int = 500
    recurrent_units: int = 700
    dropout: float = 0.5
    uniform: float = 0.1

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        for name in _SIZES:
            if getattr(self, name) < 1:
                raise LongsumError(f"An extractor of relations needs a positive '{name}'.")
        if min(self.convolutional, self.recurrent) < 0 or not self.convolutional + self.recurrent:
            raise LongsumError(
                "An extractor of relations needs at least one network; set 'convolutional' or "
                "'recurrent'."
            )
        if not self.kernels or min(self.kernels) < 1:
            raise LongsumError("An extractor of relations needs 'kernels' of at least one word.")
        if NONE not in self.labels or len(set(self.labels)) < len(self.labels):
            raise LongsumError(
                f"The labels of an extractor of relations must each occur once, with {NONE} among "
                "them."
            )

    @property
    def none(self) -> int:
        """The id of `NONE`."""
        return self.labels.index(NONE)
