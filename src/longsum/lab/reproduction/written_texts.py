"""Scores of a trained model's output, such as follow-up questions, against its targets."""

from longsum.core.summaries import Budget
from longsum.evaluation.metrics.reference_scores import BLEU_VARIANT, bleu4, rouge, rouge_variant
from longsum.lab.comparison.comparison_results import Results, SystemResult
from longsum.lab.reproduction.row_runs import Training
from longsum.language.words import count_words
from longsum.models.networks.hugging_face import load_model, load_tokenizer
from longsum.models.networks.seq2seq import LongsumForConditionalGeneration
from longsum.models.tasks.source import reads_sections
from longsum.models.training.documents import PreparedCache
from longsum.models.training.measure import outputs_with_targets
from longsum.models.training.prepare_tokens import tokenized_split
from longsum.models.training.run_seq2seq import SEQ2SEQ
from longsum.models.training.training_dataset import TrainingDataset


def compare_texts(trained: Training, split: str) -> Results:
    """Generate an output for every input of a split, and score it against the target.

    Raises:
        LongsumError: The data are missing.
    """
    settings = SEQ2SEQ.settings_of(trained.recipe, trained.overrides)
    tokenizer = load_tokenizer(trained.folder)
    model = load_model(LongsumForConditionalGeneration, trained.folder)
    cache = PreparedCache(settings.data, trained.folder)
    prepared = tokenized_split(settings, tokenizer, split, cache)
    dataset = TrainingDataset(
        prepared,
        settings.task.source_tokens,
        start=model.config.decoder_start_token_id,
        structure=reads_sections(model.config),
        overflow=settings.task.overflow,
    )
    pairs = outputs_with_targets(model, tokenizer, dataset, batch=settings.training.batch)
    measured = SystemResult(trained.name)
    for text, target in pairs:
        scores = {name: 100 * score.fmeasure for name, score in rouge(text, [target]).items()}
        scores["bleu4"] = 100 * bleu4(text, target)
        measured.add(scores, count_words(text), 0.0)
    ids = [str(number) for number in range(len(pairs))]
    return Results(ids, Budget(1), [rouge_variant(), BLEU_VARIANT], [measured])
