"""The settings of the extractive models, as plain data that loads without `transformers`."""

from dataclasses import dataclass, field
from typing import Literal

Representation = Literal["first", "mean"]
Positions = Literal["learned", "places"]


@dataclass(frozen=True, slots=True)
class SentenceEncoderConfig:
    """A BERT-shaped encoder that reads each sentence by itself.

    Attributes:
        vocabulary: Number of tokens.
        size: Features of a state.
        layers: Number of layers (L_sent).
        heads: Attention heads of a layer.
        feed_forward: Inner features of a layer's feed-forward network.
        positions: Maximum number of tokens of a sentence, its start and end included.
        position_offset: Unused rows at the head of the table of positions (RoBERTa has 2).
        token_types: Rows of the table of token types, of which all tokens take the first.
        norm_epsilon: Of the layer normalisations.
        dropout: Of states and attention weights, in training.
        representation: What stands for a sentence: the state of its first token, or the mean of
            all (§4; A.2 tries both).
    """

    vocabulary: int = 30522
    size: int = 384
    layers: int = 6
    heads: int = 12
    feed_forward: int = 1536
    positions: int = 512
    position_offset: int = 0
    token_types: int = 2
    norm_epsilon: float = 1e-12
    dropout: float = 0.1
    representation: Representation = "first"


@dataclass(frozen=True, slots=True)
class DocumentEncoderConfig:
    """The encoder over a document's sentences, of the sentence encoder's size.

    Attributes:
        layers: Number of layers (L_doc).
        feed_forward: Inner features of a layer's feed-forward network.
        summary_layers: How many of the layers, counted from the top, read the partial summary;
            None for all, as in the paper. What lies below them is computed once a document.
        positions: `learned`, a table of absolute positions as in the paper; or `places`, tables of
            a sentence's place in document, section and paragraph, which reach documents of any
            length.
        sentences: `learned`: rows of the table; later sentences are not read.
        places: `places`: rows of each table, in the order of `Units.places`.
        plan: Rows of the table of positions in the summary; later ones share the last.
        headings: Whether a sentence is read together with the heading that it stands under.
        dropout: Of states, in training.
        attention_dropout: Of attention weights, in training. On a CPU, memory is quadratic in the
            number of sentences unless it is 0.
    """

    layers: int = 3
    feed_forward: int = 1536
    summary_layers: int | None = None
    positions: Positions = "learned"
    sentences: int = 128
    places: tuple[int, ...] = ()
    plan: int = 64
    headings: bool = False
    dropout: float = 0.1
    attention_dropout: float = 0.1


@dataclass(frozen=True, slots=True)
class HibertConfig:
    """HiBERT, stepwise or not (Stepwise, §4).

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, and all are given at once.
        sentence_encoder: What reads the sentences.
        document_encoder: What reads the document.
    """

    stepwise: bool = True
    sentence_encoder: SentenceEncoderConfig = field(default_factory=SentenceEncoderConfig)
    document_encoder: DocumentEncoderConfig = field(default_factory=DocumentEncoderConfig)
