"""The settings of extractors, and reading them from a folder."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import TypeAdapter

from longsum.common.checked_settings import CLOSED, parse_settings
from longsum.common.errors import LongsumError
from longsum.core.model_files.folders import ModelFolder
from longsum.core.model_files.settings_file import CONFIG, check_settings

Representation = Literal["first", "mean"]
Positions = Literal["learned", "places", "none"]
End = Literal["unit", "decision"]
Counted = Literal["begin", "end"]


@dataclass(frozen=True, slots=True)
class SentenceEncoderConfig:
    """A BERT-shaped encoder that reads each sentence by itself.

    Attributes:
        vocabulary: Number of tokens.
        size: Features of a state.
        layers: Number of layers (L_sent).
        heads: Attention heads of a layer.
        feed_forward: Inner features of a layer's feed-forward network.
        positions: Maximum number of tokens in a sentence, including start and end.
        position_offset: Unused rows at the start of the position table (RoBERTa has 2).
        token_types: Rows of the token type table, of which all tokens use the first.
        norm_epsilon: Of the layer normalisations.
        dropout: Of states and attention weights, in training.
        representation: The vector of a sentence: the state of its first token, or the mean of all
            (§4; A.2 tries both).
    """

    __pydantic_config__ = CLOSED

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
        summary_layers: Number of top layers that read the partial summary; None for all, as in the
            paper. The layers below are computed once per document.
        positions: `learned`, a table of absolute positions as in the paper; `places`, tables of a
            sentence's place in document, section and paragraph, for documents of any length; or
            `none`, for entries of a table, which have no order (B.3).
        sentences: With `learned`, rows of the table; later sentences are not read.
        places: With `places`, rows of each table, in the order of `Units.places`.
        plan: Rows of the table of positions in the summary; later positions share the last row.
        counted: Whether positions in the summary are counted from its beginning, as in the paper,
            or back from its end, so that the latest choice always has the same position.
        headings: Whether a sentence is read together with the heading above it.
        owners: Whether an entry of a table is read together with the mean of those of its entity
            (`transition_scores.OWNER`). Not in the paper, like the next two.
        kinds: Number of kinds of entries for which transitions are learned
            (`transition_scores.Following`); 0 for none.
        points: Whether a sentence is also scored by its product with the state of the latest
            choice, as in pointer networks, in addition to the score of its own state.
        end: How a plan ends: by a `unit` that competes with the sentences, as in the paper (§4); or
            by a `decision` of its own, whose log-odds do not depend on how many sentences are as
            good as the best.
        dropout: Of states, in training.
        attention_dropout: Of attention weights, in training. On a CPU, memory is quadratic in the
            number of sentences unless it is 0.
    """

    __pydantic_config__ = CLOSED

    layers: int = 3
    feed_forward: int = 1536
    summary_layers: int | None = None
    positions: Positions = "learned"
    sentences: int = 128
    places: tuple[int, ...] = ()
    plan: int = 64
    counted: Counted = "begin"
    owners: bool = False
    kinds: int = 0
    points: bool = False
    headings: bool = False
    end: End = "unit"
    dropout: float = 0.1
    attention_dropout: float = 0.1

    @property
    def position_tables(self) -> tuple[int, ...]:
        """Number of rows of each position table."""
        tables = {"learned": (self.sentences,), "places": self.places, "none": ()}
        return tables[self.positions]


@dataclass(frozen=True, slots=True)
class HibertConfig:
    """HiBERT, stepwise or not (Stepwise, §4).

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, independent of the others.
        sentence_encoder: The encoder that reads each sentence.
        document_encoder: The encoder that reads the sentences' vectors.
    """

    __pydantic_config__ = CLOSED

    stepwise: bool = True
    sentence_encoder: SentenceEncoderConfig = field(default_factory=SentenceEncoderConfig)
    document_encoder: DocumentEncoderConfig = field(default_factory=DocumentEncoderConfig)


@dataclass(frozen=True, slots=True)
class FlatConfig:
    """BERTSum or RoBERTaSum, stepwise or not (Liu & Lapata 2019b; Stepwise, §6.1).

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, independent of the others.
        encoder: The encoder that reads the sentences of a document as one text; its `positions` are
            the most tokens of document and partial summary together, and its `representation` is
            `first`.
    """

    __pydantic_config__ = CLOSED

    stepwise: bool = True
    encoder: SentenceEncoderConfig = field(default_factory=SentenceEncoderConfig)


@dataclass(frozen=True, slots=True)
class EtcConfig:
    """ETCSum, stepwise or not (Stepwise, §5, A.2; Ainslie et al. 2020). The defaults are A.2's.

    Attributes:
        stepwise: Whether sentences are chosen one at a time, conditioned on earlier choices;
            otherwise each has a probability of its own, independent of the others.
        vocabulary: Number of tokens.
        size: Features of a state.
        layers: Number of layers.
        heads: Attention heads of a layer.
        feed_forward: Inner features of a layer's feed-forward network.
        long_tokens: Tokens that are read, including those of the partial summary. Positions are
            relative, so a trained model may be given more.
        global_tokens: Sentences that are read, including those of the partial summary and the end
            of the plan.
        summary_tokens: Part of `long_tokens` that a stepwise model keeps for the partial summary,
            so that at each step, the same part of a document is read (2,048 in B.3).
        summary_sentences: Part of `global_tokens` kept likewise; not stated in the paper.
        radius: Tokens that each token sees on either side.
        relative: Distance from which on distances are not distinguished (12 or 24 in A.2).
        kinds: As in `DocumentEncoderConfig`.
        separate: Whether long and global tokens have projections of their own for each of the four
            parts of attention, which gives the 165.8 million parameters of A.2. Shared ones are
            those of a Transformer of the same size.
        segments: Whether a learned vector distinguishes the partial summary from the document. The
            paper relies on the order alone, which relative positions show only near the boundary.
        representation: The vector of a sentence: the state of its first token, or the mean of all
            (A.2 tries both).
        norm_epsilon: Of the layer normalisations.
        dropout: Of states and attention weights, in training.

    Raises:
        LongsumError: The room kept for the partial summary leaves none for a document.
    """

    __pydantic_config__ = CLOSED

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
    kinds: int = 0
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
        """Number of tokens of a document that are read; a stepwise model's end symbol takes one."""
        return self.long_tokens - (self.summary_tokens + 1 if self.stepwise else 0)

    @property
    def document_sentences(self) -> int:
        """Number of sentences of a document that are read."""
        return self.global_tokens - (self.summary_sentences + 1 if self.stepwise else 0)


MODEL_TYPE = "longsum_extractor"
PREFIX = "extractor."
"""Prefix of the names of the weights."""

SETTINGS: Mapping[str, type[Any]] = {"hibert": HibertConfig, "etc": EtcConfig, "flat": FlatConfig}
"""The dataclass of the settings of each architecture."""


def folder_settings(folder: ModelFolder) -> Any:
    """Return the settings of the extractive model in a folder, an instance from `SETTINGS`.

    Raises:
        LongsumError: It contains none, or its settings are invalid.
    """
    if folder.model_type != MODEL_TYPE:
        raise LongsumError(
            f"'{folder}' holds no extractive model of longsum; give the folder of one."
        )
    check_settings(folder.settings, folder.path / CONFIG)
    return read_settings(str(folder.settings.get("architecture")), folder.settings.get("settings"))


def read_settings(architecture: str, values: Any) -> Any:
    """Make a model's settings from nested plain data; missing fields have their defaults.

    Args:
        architecture: A key of `SETTINGS`.
        values: A mapping of fields; nested settings are mappings themselves.

    Raises:
        LongsumError: The architecture or a field is unknown, or a value is of the wrong type.
    """
    kind = SETTINGS[known_architecture(architecture)]
    return parse_settings(kind, values, "settings")


def write_settings(settings: Any) -> dict[str, Any]:
    """Return settings as nested JSON values."""
    values: dict[str, Any] = TypeAdapter(type(settings)).dump_python(settings, mode="json")
    return values


def known_architecture(name: str) -> str:
    """Check and return the name of an architecture.

    Raises:
        LongsumError: There is no architecture of that name.
    """
    if name not in SETTINGS:
        raise LongsumError(
            f"There is no extractive model '{name}'; choose one of {', '.join(SETTINGS)}."
        )
    return name
