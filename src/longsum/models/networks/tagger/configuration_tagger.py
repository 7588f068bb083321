"""The settings of the tagger."""

from typing import Any

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig


class LongsumTaggerConfig(LongsumSeq2SeqConfig):
    """Those of the encoder–decoder whose encoder it is; what they say of a decoder is not used.

    Raises:
        LongsumError: As `LongsumSeq2SeqConfig`; or the encoder is to be told what it is to find.
    """

    model_type = "longsum_tagger"

    is_encoder_decoder: bool = False

    def __post_init__(self, **kwargs: Any) -> None:
        super().__post_init__(**kwargs)
        if self.reads_importance:
            raise LongsumError(
                "A tagger finds the importance of tokens, and so cannot pool by it; set "
                "top_down.pooling=average."
            )
