"""A training run of an extractive model: a recipe, data and a folder in; a model out."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import nn

from longsum.files import filled_folder
from longsum.models.extractive.hibert import Hibert
from longsum.models.extractive.modeling_extractive import LongsumExtractor
from longsum.recipes.recipe import Recipe
from longsum.tasks.extraction.prepared_units import ExtractionSplit
from longsum.training.extraction.extraction_dataset import ExtractionLessons
from longsum.training.extraction.extraction_settings import ExtractorSettings
from longsum.training.extraction.extraction_trainer import ExtractionTrainer
from longsum.training.extraction.prepare_extraction import TOKENIZER, ExtractionPreparation
from longsum.training.extraction.start import start_model
from longsum.training.extraction.vectors import text_vectors
from longsum.training.run_seq2seq import PREPARED, begun, complete, recipe_settings
from longsum.training.trainer import METRICS

KIND = "extraction"


def settings_of(recipe: Recipe, overrides: Mapping[str, Any]) -> ExtractorSettings:
    """Return the settings of a recipe for an extractive model; see `recipe_settings`."""
    return recipe_settings(recipe, overrides, KIND, ExtractorSettings)


def train(
    recipe: Recipe,
    settings: ExtractorSettings,
    output: Path,
    *,
    say: Callable[[str], None] = lambda _: None,
    step: Callable[[int, int], None] = lambda *_: None,
) -> dict[str, float]:
    """Train an extractive model; see `longsum.training.run_seq2seq.train`."""
    with begun(recipe, settings, output) as arguments:
        preparation = ExtractionPreparation(settings, output / PREPARED, say)
        tokenizer, kept = preparation.tokenizer()
        train_split, validation = (
            preparation.split(tokenizer, split) for split in ("train", "validation")
        )
    # Nothing reads what global tokens become in ETC's last layer.
    arguments.ddp_find_unused_parameters = settings.architecture == "etc"
    model = LongsumExtractor.of(
        start_model(settings, tokenizer, kept),
        positive_weight=settings.task.positive_weight,
    )
    say(f"{model.num_parameters():,} parameters, {len(train_split):,} documents")
    nn.Module.to(model, arguments.device)
    with arguments.main_process_first(local=False):
        vectors = _vectors(model, settings, preparation, (train_split, validation), arguments.bf16)
    taken = settings.training.steps * settings.training.batch * settings.training.accumulate
    stepwise = model.extractor.stepwise
    trainer = ExtractionTrainer(
        model,
        arguments,
        train=ExtractionLessons(
            train_split,
            settings.task,
            stepwise=stepwise,
            draws=max(1, -(-taken // len(train_split))),
            seed=settings.training.seed,
            vectors=vectors[0],
        ),
        validation=ExtractionLessons(
            validation, settings.task, stepwise=stepwise, vectors=vectors[1]
        ),
        pad=padding(tokenizer),
        metrics=output / METRICS,
        settings=settings.training,
    )
    save = partial(save_to, model, tokenizer, output)
    return complete(trainer, save, output, say, step, recipe=recipe, taken=preparation.taken)


def save_to(model: LongsumExtractor, tokenizer: Tokenizer, output: Path) -> None:
    """Write a model and its tokenizer to a folder."""
    with filled_folder(output) as folder:
        model.save_pretrained(folder)
        tokenizer.save(str(folder / TOKENIZER))


def _vectors(
    model: LongsumExtractor,
    settings: ExtractorSettings,
    preparation: ExtractionPreparation,
    splits: tuple[ExtractionSplit, ExtractionSplit],
    bf16: bool,
) -> list[NDArray[np.float16]] | tuple[None, None]:
    """Return the vectors of each split's texts, if they never change."""
    extractor = model.extractor
    if settings.training.sentence_encoder_rate or not isinstance(extractor, Hibert):
        return None, None
    return [
        text_vectors(
            extractor.sentence_encoder, split, preparation.folder, bf16=bf16, say=preparation.say
        )
        for split in splits
    ]


def padding(tokenizer: Tokenizer) -> int:
    """Return the id of the token that fills up; 0 where the tokenizer names none."""
    for name in ("[PAD]", "<pad>"):
        found = tokenizer.token_to_id(name)
        if found is not None:
            return int(found)
    return 0
