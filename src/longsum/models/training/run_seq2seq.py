"""Training of encoder–decoders."""

from functools import partial
from typing import Any

from transformers import GenerationConfig, PreTrainedTokenizerBase

from longsum.common.errors import LongsumError
from longsum.models.networks.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    load_seq2seq,
)
from longsum.models.tasks.gap_sentences import GapSentences
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import reads_importance, reads_sections
from longsum.models.training.measure import mean_rouge2
from longsum.models.training.prepare_tokens import (
    embed_marks,
    run_tokenizer,
    save_tokens,
    tokenized_split,
)
from longsum.models.training.run_settings import ReaderSettings, Seq2SeqSettings
from longsum.models.training.seq2seq_trainer import LongsumSeq2SeqTrainer
from longsum.models.training.tagged import tagger_folder, with_test_importance
from longsum.models.training.training_dataset import TrainingDataset, collate
from longsum.models.training.training_run import Run, Started


def check_tagger(settings: Seq2SeqSettings) -> None:
    """Check that there is a tagger for a model that writes while it is trained.

    Raises:
        LongsumError: There is none.
    """
    if settings.rouge_documents and settings.task.importance == "tagger":
        tagger_folder(settings.task)


def build_model(
    settings: Seq2SeqSettings, tokenizer: PreTrainedTokenizerBase
) -> LongsumForConditionalGeneration:
    """Make the model that the settings describe, from a checkpoint or from scratch.

    Raises:
        LongsumError: The model reads the importance of tokens, and the task provides none.
    """
    smoothing = settings.training.label_smoothing
    model = start_model(settings, tokenizer, label_smoothing=smoothing)
    if reads_importance(model.config) and settings.task.importance is None:
        raise LongsumError(
            "The model reads the importance of tokens; set task.importance to tagger or oracle."
        )
    if settings.generation:
        given = {**model.generation_config.to_dict(), **settings.generation}
        model.generation_config = GenerationConfig.from_dict(given)
    return model


def start_model(
    settings: ReaderSettings, tokenizer: PreTrainedTokenizerBase, **more: Any
) -> LongsumForConditionalGeneration:
    """Make the encoder–decoder that training starts from.

    Args:
        settings: What the system reads, and its model.
        tokenizer: Its tokenizer.
        **more: Further fields of `LongsumSeq2SeqConfig`, unless the settings set them.
    """
    fields = {"max_source_positions": settings.task.source_tokens, **more, **settings.model}
    if settings.checkpoint is not None:
        model = load_seq2seq(
            settings.checkpoint, position_extension=settings.position_extension, **fields
        )
        embed_marks(model, tokenizer, settings.training.seed)
        return model
    special = {
        name: getattr(tokenizer, name) for name in ("pad_token_id", "bos_token_id", "eos_token_id")
    }
    config = LongsumSeq2SeqConfig(
        vocab_size=len(tokenizer),
        decoder_start_token_id=tokenizer.bos_token_id,
        forced_eos_token_id=None,
        **special,
        **{"max_target_positions": settings.task.target_tokens, **fields},
    )
    return LongsumForConditionalGeneration(config)


def make_trainer(
    run: Started[
        Seq2SeqSettings, PreTrainedTokenizerBase, PreparedSplit, LongsumForConditionalGeneration
    ],
) -> LongsumSeq2SeqTrainer:
    """Make the trainer; gap sentences and ROUGE are added where the settings ask for them."""
    settings, tokenizer = run.settings, run.data.tokens
    task, training, config = settings.task, settings.training, run.model.config
    dataset = partial(
        TrainingDataset,
        source_tokens=task.source_tokens,
        start=config.decoder_start_token_id,
        structure=reads_sections(config),
        overflow=task.overflow,
        importance=task.importance,
    )
    rouge2 = None
    if settings.rouge_documents:
        written = run.data.validation.first(settings.rouge_documents)
        written = with_test_importance(written, task, tokenizer, batch=training.batch)
        rouge2 = partial(
            mean_rouge2, tokenizer=tokenizer, dataset=dataset(written), batch=training.batch
        )
    return run.trainer(
        LongsumSeq2SeqTrainer,
        dataset(
            run.data.train,
            gaps=_gap_sentences(settings, tokenizer),
            gap_ratio=training.gap_sentences,
            draws=_draws(run),
        ),
        dataset(run.data.validation),
        partial(collate, pad=int(config.pad_token_id or 0)),
        rouge2=rouge2,
    )


def _gap_sentences(
    settings: Seq2SeqSettings, tokenizer: PreTrainedTokenizerBase
) -> GapSentences | None:
    """Return how gap sentences are made, if there are to be any.

    Raises:
        LongsumError: The tokenizer has no mask.
    """
    if not settings.training.gap_sentences:
        return None
    if tokenizer.mask_token_id is None:
        raise LongsumError(
            "Gap sentences need a tokenizer with a mask token; set training.gap_sentences=0."
        )
    return GapSentences(
        source_tokens=settings.task.source_tokens,
        target_tokens=settings.task.target_tokens,
        mask=tokenizer.mask_token_id,
        share=settings.training.gap_share,
        seed=settings.training.seed,
    )


def _draws(
    run: Started[
        Seq2SeqSettings, PreTrainedTokenizerBase, PreparedSplit, LongsumForConditionalGeneration
    ],
) -> int:
    """Return how many passes over the documents a run makes, so that no gaps repeat."""
    ratio = run.settings.training.gap_sentences
    return run.passes(round(len(run.data.train) * (1 + ratio))) if ratio else 1


SEQ2SEQ = Run(
    kind="seq2seq",
    form=Seq2SeqSettings,
    tokens=run_tokenizer,
    split=tokenized_split,
    build=build_model,
    trainer=make_trainer,
    save=save_tokens,
    best=lambda settings: "rouge2" if settings.rouge_documents else None,
    check=check_tagger,
)
