"""Training of taggers of important tokens (Pang et al. 2022, §2.3, AdaPool, Step 2)."""

from functools import partial

from transformers import PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.models.networks.tagger import LongsumTagger
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import reads_sections
from longsum.models.training.prepare_tokens import run_tokenizer, save_tokens, tokenized_split
from longsum.models.training.run_seq2seq import start_model
from longsum.models.training.run_settings import ReaderSettings
from longsum.models.training.tagging_trainer import TaggingTrainer, collate_labels
from longsum.models.training.training_dataset import TrainingDataset
from longsum.models.training.training_run import Run, Started


def check_labels(settings: ReaderSettings) -> None:
    """Check that the task has labels to learn.

    Raises:
        LongsumError: It has none.
    """
    if settings.task.importance != "oracle":
        raise LongsumError("A tagger learns an oracle's labels; set task.importance=oracle.")


def make_trainer(
    run: Started[ReaderSettings, PreTrainedTokenizerBase, PreparedSplit, LongsumTagger],
) -> TaggingTrainer:
    """Make the trainer."""
    dataset = partial(
        TrainingDataset,
        source_tokens=run.settings.task.source_tokens,
        structure=reads_sections(run.model.config),
        overflow=run.settings.task.overflow,
        importance="oracle",
    )
    pad = int(run.model.config.pad_token_id or 0)
    return run.trainer(
        TaggingTrainer,
        dataset(run.data.train),
        dataset(run.data.validation),
        partial(collate_labels, pad=pad),
    )


TAGGER = Run(
    kind="tagger",
    form=ReaderSettings,
    tokens=run_tokenizer,
    split=tokenized_split,
    build=lambda settings, tokenizer: LongsumTagger.of(start_model(settings, tokenizer)),
    trainer=make_trainer,
    save=save_tokens,
    check=check_labels,
)
