"""A training run: a recipe, a data set and a folder in; a model in that folder out."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import yaml
from transformers import (
    GenerationConfig,
    PreTrainedTokenizerBase,
    Seq2SeqTrainingArguments,
    Trainer,
    set_seed,
)

from longsum.errors import LongsumError
from longsum.files import filled_folder, make_folder, write_text
from longsum.models.seq2seq import (
    LongsumForConditionalGeneration,
    LongsumSeq2SeqConfig,
    load_seq2seq,
)
from longsum.recipes.recipe import Recipe, check, merged
from longsum.tasks.gap_sentences import GapSentences
from longsum.tasks.source import reads_importance, reads_sections
from longsum.training.card import write_card
from longsum.training.documents import Taken
from longsum.training.marks import embed_marks
from longsum.training.measure import mean_rouge2
from longsum.training.prepared_cache import Preparation
from longsum.training.run_settings import (
    DataConfig,
    OptimizationConfig,
    ReaderSettings,
    Seq2SeqSettings,
)
from longsum.training.tagged import as_tested, needed_tagger
from longsum.training.trainer import METRICS, LongsumTrainer, StepsTold, training_arguments
from longsum.training.training_dataset import Lessons

KIND = "seq2seq"
SAVED = "training.yaml"
CHECKPOINTS = "checkpoints"
PREPARED = "prepared"
SHORTHANDS = {"data": "names"}
"""Tables of settings that may be given as a word, and the entry that it then is."""
T = TypeVar("T")


def settings_of(recipe: Recipe, overrides: Mapping[str, Any]) -> Seq2SeqSettings:
    """Return the settings of a recipe for an encoder–decoder; see `recipe_settings`."""
    return recipe_settings(recipe, overrides, KIND, Seq2SeqSettings)


def recipe_settings(recipe: Recipe, overrides: Mapping[str, Any], kind: str, form: type[T]) -> T:
    """Return the settings of a recipe, for a data set, with what the user sets otherwise.

    Args:
        recipe: A recipe of the kind named next.
        overrides: Settings by name, nested as they are; `data` may be the name of a set.
        kind: The kind of system that is trained.
        form: The dataclass of its settings.

    Raises:
        LongsumError: The recipe is of another kind, or a setting is unknown or impossible.
    """
    if recipe.kind != kind:
        raise LongsumError(
            f"'{recipe.name}' is ready to use and has nothing to train; "
            "'longsum systems' tells which systems are trained first."
        )
    given = {
        name: {SHORTHANDS[name]: value} if name in SHORTHANDS and isinstance(value, str) else value
        for name, value in overrides.items()
    }
    names = merged(recipe.settings, given).get("data", {}).get("names", DataConfig().names)
    for_data = merged(recipe.settings, recipe.data.get(names, {}))
    return check(form, merged(for_data, given), f"The system '{recipe.name}'")


def train(
    recipe: Recipe,
    settings: Seq2SeqSettings,
    output: Path,
    *,
    say: Callable[[str], None] = lambda _: None,
    step: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """Train a system, or go on where an earlier run with the same settings was broken off.

    Args:
        recipe: The recipe, which is saved with the result.
        settings: What `settings_of` returns.
        output: Folder of the result: the model, its tokenizer, `metrics.jsonl`, the checkpoints,
            the record of the documents (`documents.json`), and a card that tells of them.
        say: Is told in a sentence what begins.
        step: Is told how many steps are done, of how many.

    Returns:
        The last measurement on the validation data.

    Raises:
        LongsumError: The folder holds a run with other settings, or something else; the data are
            not there; or the settings do not fit each other.
    """
    if settings.rouge_documents and settings.task.importance == "tagger":
        needed_tagger(settings.task)
    with begun(recipe, settings, output, best_rouge2=settings.rouge_documents > 0) as arguments:
        preparation = Preparation(settings, output / PREPARED, say)
        tokenizer = preparation.tokenizer()
        train_split, validation = (
            preparation.split(tokenizer, split) for split in ("train", "validation")
        )
    model = build_model(settings, tokenizer)
    say(f"{model.num_parameters():,} parameters, {len(train_split):,} documents")
    if reads_importance(model.config) and settings.task.importance is None:
        raise LongsumError(
            "The model is told the importance of tokens; set task.importance to tagger or oracle."
        )
    if settings.training.gradient_checkpointing:
        model.gradient_checkpointing_enable({"use_reentrant": False})
    lessons = partial(
        Lessons,
        source_tokens=settings.task.source_tokens,
        start=model.config.decoder_start_token_id,
        structure=reads_sections(model.config),
        overflow=settings.task.overflow,
        importance=settings.task.importance,
    )
    trainer = LongsumTrainer(
        model,
        arguments,
        train=lessons(
            train_split,
            gaps=_gap_sentences(settings, tokenizer),
            gap_ratio=settings.training.gap_sentences,
            draws=_draws(settings, len(train_split)),
        ),
        validation=lessons(validation),
        pad=int(model.config.pad_token_id or 0),
        metrics=output / METRICS,
        span_loss=settings.training.span_loss,
        new_rate=settings.training.new_rate,
        rouge2=partial(
            mean_rouge2,
            tokenizer=tokenizer,
            lessons=lessons(
                as_tested(
                    validation.first(settings.rouge_documents),
                    settings.task,
                    tokenizer,
                    batch=settings.training.batch,
                )
            ),
            batch=settings.training.batch,
        )
        if settings.rouge_documents
        else None,
    )

    def save() -> None:
        with filled_folder(output) as folder:
            model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)

    return complete(trainer, save, output, say, step, recipe=recipe, taken=preparation.taken)


class RunSettings(Protocol):
    """What the settings of every run hold."""

    @property
    def training(self) -> OptimizationConfig: ...  # noqa: D102

    @property
    def save_every(self) -> int: ...  # noqa: D102

    @property
    def evaluate_every(self) -> int: ...  # noqa: D102


@contextmanager
def begun(
    recipe: Recipe, settings: RunSettings, output: Path, *, best_rouge2: bool = False
) -> Iterator[Seq2SeqTrainingArguments]:
    """Claim the folder of a run, set the seed, and give time to prepare the data.

    Of several processes the first prepares them, and the others find them.

    Args:
        recipe: The recipe.
        settings: Its settings.
        output: Folder of the result.
        best_rouge2: As of `training_arguments`.

    Yields:
        The arguments of the trainer.

    Raises:
        LongsumError: The folder holds a run with other settings, or something else.
    """
    arguments = training_arguments(
        output / CHECKPOINTS,
        settings.training,
        save_every=settings.save_every,
        evaluate_every=settings.evaluate_every,
        best_rouge2=best_rouge2,
    )
    set_seed(settings.training.seed)
    with arguments.main_process_first(local=False):
        claim(output, recipe, settings)
        yield arguments


def complete(
    trainer: Trainer,
    save: Callable[[], None],
    output: Path,
    say: Callable[[str], None],
    step: Callable[[int, int], None] = lambda *_: None,
    *,
    recipe: Recipe,
    taken: Mapping[str, Sequence[Taken]],
) -> dict[str, float]:
    """Train to the end, from the last checkpoint if there is one; measure, and save the result.

    Args:
        trainer: What trains.
        save: Writes the result.
        output: Folder of the result.
        say: Is told in a sentence what begins.
        step: Is told how many steps are done, of how many.
        recipe: The recipe.
        taken: What each split has of each data set (`Kept.taken`), for the card of the result.

    Returns:
        The last measurement on the validation data.
    """
    checkpoints = any((output / CHECKPOINTS).glob("checkpoint-*"))
    trainer.add_callback(StepsTold(step))
    say("going on from the last checkpoint" if checkpoints else "training begins")
    trainer.train(resume_from_checkpoint=checkpoints or None)
    metrics: dict[str, float] = trainer.evaluate()
    if trainer.is_world_process_zero():
        save()
        write_card(output, f"{recipe.name}: {recipe.title}", taken, metrics)
    # Processes that leave with their group open abort, and one that closes it early stops the rest.
    trainer.accelerator.wait_for_everyone()
    trainer.accelerator.end_training()
    return metrics


def build_model(
    settings: Seq2SeqSettings, tokenizer: PreTrainedTokenizerBase
) -> LongsumForConditionalGeneration:
    """Make the model that the settings describe, from a checkpoint or from nothing."""
    smoothing = settings.training.label_smoothing
    model = start_model(settings, tokenizer, label_smoothing=smoothing)
    if settings.generation:
        given = {**model.generation_config.to_dict(), **settings.generation}
        model.generation_config = GenerationConfig.from_dict(given)
    return model


def start_model(
    settings: ReaderSettings, tokenizer: PreTrainedTokenizerBase, **more: Any
) -> LongsumForConditionalGeneration:
    """Make the encoder–decoder that a system starts from.

    Args:
        settings: What the system reads, and its model.
        tokenizer: Its tokenizer.
        **more: Further fields of `LongsumSeq2SeqConfig`, where the settings do not have them.
    """
    fields = {"max_source_positions": settings.task.source_tokens, **more, **settings.model}
    if settings.checkpoint is not None:
        model = load_seq2seq(
            settings.checkpoint, position_extension=settings.position_extension, **fields
        )
        embed_marks(model, tokenizer, settings.training.seed)
    else:
        special = {
            name: getattr(tokenizer, name)
            for name in ("pad_token_id", "bos_token_id", "eos_token_id")
        }
        config = LongsumSeq2SeqConfig(
            vocab_size=len(tokenizer),
            decoder_start_token_id=tokenizer.bos_token_id,
            forced_eos_token_id=None,
            **special,
            **{"max_target_positions": settings.task.target_tokens, **fields},
        )
        model = LongsumForConditionalGeneration(config)
    return model


def claim(output: Path, recipe: Recipe, settings: Any) -> None:
    """Write down what is trained in the folder, or check that it is what was begun there.

    Args:
        output: The folder of the result.
        recipe: The recipe.
        settings: Its settings, a dataclass.

    Raises:
        LongsumError: The folder holds a run with other settings, or something else.
    """
    text = yaml.safe_dump(
        json.loads(json.dumps({"recipe": recipe.name, "settings": asdict(settings)})),
        sort_keys=False,
        allow_unicode=True,
    )
    saved = output / SAVED
    if saved.is_file():
        begun = any((output / CHECKPOINTS).glob("checkpoint-*"))
        if begun and saved.read_text(encoding="utf-8") != text:
            raise LongsumError(
                f"The folder '{output}' holds a run with other settings; name a new folder, or "
                "give the same settings to go on with it."
            )
    elif output.exists() and not (output.is_dir() and not any(output.iterdir())):
        raise LongsumError(f"'{output}' is not an empty folder; name a new one.")
    make_folder(output)
    write_text(saved, text)


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


def _draws(settings: Seq2SeqSettings, documents: int) -> int:
    """Return how many passes over the documents the run makes, so that no gaps come twice."""
    training = settings.training
    if not training.gap_sentences:
        return 1
    taken = training.steps * training.batch * training.accumulate
    return max(1, -(-taken // round(documents * (1 + training.gap_sentences))))
