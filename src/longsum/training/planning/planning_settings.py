"""Settings of training runs of content planners."""

from dataclasses import dataclass, field

from longsum.tables.filtering import MOST_ENTRIES
from longsum.tasks.planning.games import GENERATED
from longsum.training.extraction.extraction_settings import (
    ExtractionTaskConfig,
    ExtractorSettings,
    Target,
)
from longsum.training.run_settings import DataConfig


@dataclass(frozen=True, slots=True)
class PlanningTaskConfig(ExtractionTaskConfig):
    """What is read of a table, and what is learned of its plan.

    Attributes:
        sentence_tokens: Maximum number of tokens of an entry.
        entries: Maximum number of entries of a table (B.3).
        target: The plan's next entry, in the order of the `selection`.
        beginnings: Number of prefixes of each plan in a batch.
        strayed: None: plans are learned as they are.
        fold: Which games of each real source are held out of training and measured: of the folds
            below the one of this number, from 0; None to learn from all, and to measure on those
            of the data's `validation`.
        folds: Into how many parts real games are divided, by their places.
    """

    sentence_tokens: int = 32
    entries: int = MOST_ENTRIES
    target: Target = "selection"
    beginnings: int = 32
    strayed: float = 0.0
    fold: int | None = None
    folds: int = 5


@dataclass(frozen=True, slots=True)
class PlannerSettings(ExtractorSettings):
    """A trained content planner.

    Attributes:
        vocabulary: Pieces of the vocabulary that is learned from the strings of the training
            games; a checkpoint brings its own.
        data: What is learned from: sources of games joined by `+`
            (`longsum.tasks.planning.games`), with limits in games.
    """

    vocabulary: int | None = 1500
    data: DataConfig = field(default_factory=lambda: DataConfig(names=GENERATED, limit=1230))
    task: PlanningTaskConfig = field(default_factory=PlanningTaskConfig)
