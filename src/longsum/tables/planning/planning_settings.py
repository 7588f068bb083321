"""Settings of training runs of content planners."""

from dataclasses import dataclass, field

from longsum.models.training.extraction.extraction_settings import (
    ExtractionTaskConfig,
    ExtractorSettings,
    Target,
)
from longsum.models.training.run_settings import DataConfig
from longsum.tables.linearization import MOST_ENTRIES


@dataclass(frozen=True, slots=True)
class PlanningTaskConfig(ExtractionTaskConfig):
    """What is read of a table, and what is learned of its plan.

    Attributes:
        sentence_tokens: Maximum number of tokens of an entry.
        entries: Maximum number of entries of a table (B.3).
        target: The plan's next entry; nothing else is learned.
        beginnings: Number of prefixes of each plan in a batch; None for all, which costs little
            more where only the top layer reads the plan.
        strayed: 0: plans are learned as they are.
    """

    sentence_tokens: int = 32
    entries: int = MOST_ENTRIES
    target: Target = "selection"
    beginnings: int | None = None
    strayed: float = 0.0


@dataclass(frozen=True, slots=True)
class PlannerSettings(ExtractorSettings):
    """A trained content planner.

    Attributes:
        vocabulary: Pieces of the vocabulary that is learned from the strings of the training
            games; a checkpoint brings its own.
        data: What is learned from: data sets of games.
    """

    vocabulary: int | None = 1500
    data: DataConfig = field(default_factory=lambda: DataConfig(names="generated_games"))
    task: PlanningTaskConfig = field(default_factory=PlanningTaskConfig)
