"""Training of extractive models."""

from functools import partial

from torch import nn

from longsum.common.errors import LongsumError
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.modeling_extractive import LongsumExtractor
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit
from longsum.models.training.documents import PreparedCache, Tally, parts_of
from longsum.models.training.extraction.extraction_dataset import ExtractionDataset, collate
from longsum.models.training.extraction.extraction_settings import ExtractorSettings
from longsum.models.training.extraction.extraction_trainer import ExtractionTrainer, PlanScores
from longsum.models.training.extraction.prepare_extraction import (
    PrunedTokenizer,
    encoded_split,
    padding,
    read_documents,
    run_tokenizer,
    save_extractor,
)
from longsum.models.training.extraction.start import start_model
from longsum.models.training.extraction.vectors import TextVectors, text_vectors
from longsum.models.training.training_run import Run, Started

ExtractionRun = Started[ExtractorSettings, PrunedTokenizer, ExtractionSplit, LongsumExtractor]


def check_recomputed(settings: ExtractorSettings) -> None:
    """Refuse gradient checkpointing if there is nothing to recompute."""
    frozen = settings.architecture == "hibert" and not settings.training.sentence_encoder_rate
    if settings.training.gradient_checkpointing and frozen:
        raise LongsumError(
            "A frozen sentence encoder is run only once, and keeps nothing that could be computed "
            "again; set training.gradient_checkpointing=false."
        )


def build_extractor(settings: ExtractorSettings, tokens: PrunedTokenizer) -> LongsumExtractor:
    """Make the model that training starts from, with its loss."""
    extractor = start_model(settings, *tokens)
    return LongsumExtractor.of(extractor, positive_weight=settings.task.positive_weight)


def make_trainer(run: ExtractionRun) -> ExtractionTrainer:
    """Make the trainer."""
    settings, data = run.settings, run.data
    # Nothing reads the outputs of global tokens in ETC's last layer.
    run.arguments.ddp_find_unused_parameters = settings.architecture == "etc"
    nn.Module.to(run.model, run.arguments.device)
    with run.arguments.main_process_first(local=False):
        vectors = _vectors(run)
    stepwise = run.model.extractor.stepwise
    pad = padding(data.tokens.tokenizer)
    validation = ExtractionDataset(
        data.validation, settings.task, stepwise=stepwise, vectors=vectors[1]
    )
    return run.trainer(
        ExtractionTrainer,
        ExtractionDataset(
            data.train,
            settings.task,
            stepwise=stepwise,
            draws=run.passes(len(data.train)),
            seed=settings.training.seed,
            vectors=vectors[0],
        ),
        validation,
        partial(collate, pad=pad),
        extra=_rouge(run, validation, pad) if settings.rouge_documents else None,
    )


def _rouge(run: ExtractionRun, validation: ExtractionDataset, pad: int) -> PlanScores:
    """Return the scorer of the model's choices on the validation documents.

    Raises:
        LongsumError: The model makes no plans, or the documents are no longer those prepared.
    """
    if not run.model.extractor.stepwise:
        raise LongsumError(
            "A model that is not stepwise makes no plans to score; set rouge_documents to 0."
        )
    examples = list(read_documents(run.settings, Tally(parts_of(run.cache.data, "validation"))))
    if len(examples) != len(validation):
        raise LongsumError(
            "The validation data have changed since they were prepared; delete the prepared data."
        )
    return PlanScores(examples, validation, run.settings.rouge_documents, pad)


def _vectors(run: ExtractionRun) -> list[TextVectors] | tuple[None, None]:
    """Return the vectors of the texts of both splits, if the sentence encoder is frozen."""
    extractor = run.model.extractor
    if run.settings.training.sentence_encoder_rate or not isinstance(extractor, Hibert):
        return None, None
    return [
        text_vectors(
            extractor.sentence_encoder,
            split,
            run.cache.folder,
            bf16=run.arguments.bf16,
            say=run.cache.say,
        )
        for split in (run.data.train, run.data.validation)
    ]


def _split(
    settings: ExtractorSettings, tokens: PrunedTokenizer, name: str, cache: PreparedCache
) -> ExtractionSplit:
    """Return a split; only training documents are used a second time."""
    task = settings.task
    own_sections = task.own_sections if name == "train" else 0.0
    return encoded_split(settings, tokens, name, cache, task.history, own_sections)


EXTRACTION = Run(
    kind="extraction",
    form=ExtractorSettings,
    tokens=run_tokenizer,
    split=_split,
    build=build_extractor,
    trainer=make_trainer,
    save=save_extractor,
    best=lambda settings: "rouge" if settings.rouge_documents else None,
    check=check_recomputed,
)
