"""An encoder–decoder into which BART, LED, mBART, PEGASUS and LongT5 checkpoints are converted.

Letters in shapes: b sources, k beams (or returned sequences) of a source, h heads, n source tokens,
t target tokens, d head_dim, D the model's dimension, V vocabulary, s groups of heads of the
cross-attention, l source positions that a group reads, S sections, M segments.
"""

from longsum.models.networks.seq2seq.configuration_seq2seq import LongsumSeq2SeqConfig
from longsum.models.networks.seq2seq.modeling_seq2seq import LongsumForConditionalGeneration
from longsum.models.networks.seq2seq.seq2seq_files import from_checkpoint, load_seq2seq

__all__ = [
    "LongsumForConditionalGeneration",
    "LongsumSeq2SeqConfig",
    "from_checkpoint",
    "load_seq2seq",
]
