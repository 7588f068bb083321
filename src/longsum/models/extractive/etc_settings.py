"""The settings of ETCSum, as plain data that loads without `transformers`."""

from dataclasses import dataclass

from longsum.errors import LongsumError
from longsum.models.extractive.extractor_settings import Representation


@dataclass(frozen=True, slots=True)
class EtcConfig:
    """ETCSum, stepwise or not (Stepwise, §5, A.2; Ainslie et al. 2020). The defaults are A.2's.

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, and all are given at once.
        vocabulary: Number of tokens.
        size: Features of a state.
        layers: Number of layers.
        heads: Attention heads of a layer.
        feed_forward: Inner features of a layer's feed-forward network.
        long_tokens: Tokens that are read, those of the partial summary included. Positions are
            relative, so that a trained model may be given more.
        global_tokens: Sentences that are read, those of the partial summary and the end of the plan
            included.
        summary_tokens: Part of `long_tokens` that a stepwise model keeps for the partial summary,
            so that a document is read as far at each step (2,048 in B.3).
        summary_sentences: Part of `global_tokens` kept likewise; not stated in the paper.
        radius: Tokens that each token sees on either side.
        relative: Distance from which all further ones count alike (12 or 24 in A.2).
        separate: Whether long and global tokens have projections of their own for each of the four
            parts of attention, which gives the 165.8 million parameters of A.2. Shared ones are
            those of a Transformer of the same size.
        segments: Whether a learned vector tells the partial summary from the document. The paper
            relies on the order alone, which relative positions show only near the seam.
        representation: What stands for a sentence: the state of its first token, or the mean of
            all (A.2 tries both).
        norm_epsilon: Of the layer normalisations.
        dropout: Of states and attention weights, in training.

    Raises:
        LongsumError: What is kept for the partial summary leaves no room for a document.
    """

    stepwise: bool = True
    vocabulary: int = 30522
    size: int = 768
    layers: int = 12
    heads: int = 12
    feed_forward: int = 3072
    long_tokens: int = 8192
    global_tokens: int = 512
    summary_tokens: int = 2048
    summary_sentences: int = 64
    radius: int = 84
    relative: int = 12
    separate: bool = True
    segments: bool = True
    representation: Representation = "first"
    norm_epsilon: float = 1e-12
    dropout: float = 0.1

    def __post_init__(self) -> None:
        if self.document_tokens < 1 or self.document_sentences < 1:
            raise LongsumError(
                f"{self.long_tokens:,} long and {self.global_tokens:,} global tokens leave no room "
                f"for a document beside a summary of {self.summary_tokens:,} tokens in "
                f"{self.summary_sentences:,} sentences; raise the former or lower the latter."
            )

    @property
    def document_tokens(self) -> int:
        """Tokens of a document that are read; a stepwise model's end of the plan takes one."""
        return self.long_tokens - (self.summary_tokens + 1 if self.stepwise else 0)

    @property
    def document_sentences(self) -> int:
        """Sentences of a document that are read."""
        return self.global_tokens - (self.summary_sentences + 1 if self.stepwise else 0)
