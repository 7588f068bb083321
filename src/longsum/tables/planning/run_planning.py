"""Training of content planners: extractive models over the entries of tables."""

from typing import cast

from longsum.common.errors import LongsumError
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.extraction.extraction_trainer import ExtractionTrainer
from longsum.models.training.extraction.prepare_extraction import KeptTokenizer, save_extractor
from longsum.models.training.extraction.run_extraction import (
    ExtractionRun,
    check_recomputed,
    make_trainer,
)
from longsum.models.training.training_run import Run, Started
from longsum.tables.planning.prepare_planning import (
    PlannerSettings,
    build_planner,
    planned_split,
    planner_tokenizer,
)

PlanningRun = Started[PlannerSettings, KeptTokenizer, ExtractionSplit, LongsumExtractor]


def check_planner(settings: PlannerSettings) -> None:
    """Refuse settings of extractors that mean nothing to planners.

    Raises:
        LongsumError: One is set.
    """
    if settings.rouge_documents or settings.task.target != "selection" or settings.task.strayed:
        raise LongsumError(
            "A planner learns plans as they are: leave out rouge_documents, task.target and "
            "task.strayed."
        )
    check_recomputed(settings)


def planner_trainer(run: PlanningRun) -> ExtractionTrainer:
    """Make the trainer: that of extractors, whose settings a planner's are."""
    return make_trainer(cast(ExtractionRun, run))


PLANNING = Run(
    kind="planning",
    form=PlannerSettings,
    tokens=planner_tokenizer,
    split=planned_split,
    build=build_planner,
    trainer=planner_trainer,
    save=save_extractor,
    check=check_planner,
)
