"""Training of taggers of important tokens (Pang et al. 2022, §2.3, AdaPool, Step 2)."""

from functools import partial

from longsum.errors import LongsumError
from longsum.models.tagger import LongsumTagger
from longsum.tasks.source import reads_sections
from longsum.training.frame import Run, Started
from longsum.training.prepare_tokens import TokenizedData, prepare_tokens
from longsum.training.run_seq2seq import start_model
from longsum.training.run_settings import ReaderSettings
from longsum.training.tagging_trainer import TaggingTrainer
from longsum.training.training_dataset import TrainingDataset


def check_labels(settings: ReaderSettings) -> None:
    """Check that the task has labels to learn.

    Raises:
        LongsumError: It has none.
    """
    if settings.task.importance != "oracle":
        raise LongsumError("A tagger learns an oracle's labels; set task.importance=oracle.")


def build_tagger(settings: ReaderSettings, data: TokenizedData) -> LongsumTagger:
    """Make the tagger, from the encoder of what `start_model` makes."""
    return LongsumTagger.of(start_model(settings, data.tokenizer))


def make_trainer(run: Started[ReaderSettings, TokenizedData, LongsumTagger]) -> TaggingTrainer:
    """Make the trainer."""
    dataset = partial(
        TrainingDataset,
        source_tokens=run.settings.task.source_tokens,
        structure=reads_sections(run.model.config),
        overflow=run.settings.task.overflow,
        importance="oracle",
    )
    return TaggingTrainer(
        run.model,
        run.arguments,
        train=dataset(run.data.train),
        validation=dataset(run.data.validation),
        pad=int(run.model.config.pad_token_id or 0),
        metrics=run.metrics,
    )


TAGGER = Run(
    kind="tagger",
    form=ReaderSettings,
    prepare=prepare_tokens,
    build=build_tagger,
    trainer=make_trainer,
    check=check_labels,
)
