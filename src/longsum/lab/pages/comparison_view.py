"""What the page of a comparison shows: scores, tests and examples, ready for layout."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from longsum.evaluation.metrics.metric_info import Better
from longsum.evaluation.metrics.significance import Interval

SIGNIFICANT = 0.05
"""The p-value below which a difference is marked."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A system's lead over the first one, and the p-value of approximate randomization."""

    difference: float
    p_value: float


@dataclass(frozen=True, slots=True)
class ScoreView:
    """One score of all systems.

    Attributes:
        name: Its name, such as `rouge1`.
        metric: The metric that it belongs to.
        measures: What it measures, with its range.
        better: Which values are better.
        values: The values, `[systems][documents]`; nan if a document has none.
        estimates: Each system's mean.
        leads: Each system's lead over the first; None for the first itself.
        letters: Each system's letters; systems that share one do not differ. Empty if no analysis
            of variance was made.
    """

    name: str
    metric: str
    measures: str
    better: Better
    values: Sequence[Sequence[float]]
    estimates: Sequence[Interval]
    leads: Sequence[Lead | None]
    letters: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of text."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences that stand together.

    Attributes:
        sentences: The sentences.
        title: The question or heading above them, if any.
        level: Its depth in a tree, from 1; 0 outside a tree.
    """

    sentences: Sequence[str]
    title: str = ""
    level: int = 0


Text = Sequence[Passage]


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A document's title, its references and each system's summary, without its text."""

    title: str
    references: Sequence[Text]
    summaries: Sequence[Text]
    question: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison of systems on documents.

    Attributes:
        title: The data that systems were compared on.
        unit: What was scored, in the singular.
        systems: The systems; differences are measured from the first.
        scores: The scores.
        lengths: The words of each document.
        examples: The first documents with their texts, in the order of the scores.
        positions: Where in the documents the bigrams of each system's summaries first occur, by
            its name: the share that has occurred by the end of each tenth.
        tests: Further tables of tests.
        card: What is needed to repeat the comparison, as names and values.
        variants: How each metric is computed.
        left_out: Why a requested metric is left out, by its name.
    """

    title: str
    unit: str
    systems: Sequence[str]
    scores: Sequence[ScoreView]
    lengths: Sequence[int]
    examples: Sequence[ExampleView]
    positions: Mapping[str, Sequence[Interval]]
    tests: Sequence[Grid]
    card: Sequence[tuple[str, str]]
    variants: Sequence[str]
    left_out: Mapping[str, str] = field(default_factory=dict)
