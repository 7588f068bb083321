"""What the page of a comparison shows: scores, tests and examples, ready to be laid out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from longsum.evaluation.metrics.significance import Interval

Better = Literal["higher", "lower", "neither"]
SIGNIFICANT = 0.05
"""The p-value from which on a difference is marked."""


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
        values: The values, `[systems][documents]`; nan where a document has none.
        estimates: Each system's mean.
        leads: Each system's lead over the first, whose own is None.
        letters: Each system's letters; systems that share one do not differ. Empty where no
            analysis of variance was made.
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
        level: How deep it lies in a tree, from 1; 0 where there is no tree.
    """

    sentences: Sequence[str]
    title: str = ""
    level: int = 0


Text = Sequence[Passage]


@dataclass(frozen=True, slots=True)
class ExampleView:
    """A document's title, its references, and what each system wrote; not its text."""

    title: str
    references: Sequence[Text]
    summaries: Sequence[Text]
    question: str = ""


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison of systems on documents.

    Attributes:
        title: What was compared on.
        unit: What was scored, in the singular.
        systems: The systems; differences are measured from the first.
        scores: The scores.
        lengths: The words of each document.
        examples: The first documents with their texts; scores are of the same positions.
        positions: Where in the documents their summaries' pairs of words first occur, by whose
            summaries they are: the share that has occurred by the end of each tenth.
        tests: Further tables of tests.
        card: What it takes to make the comparison again, as names and values.
        variants: How each metric is computed.
        left_out: Why each metric that was asked for is left out, by its name.
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
