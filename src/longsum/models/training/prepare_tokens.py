"""The tokenizer, its marks and the tokenized splits of an encoder–decoder or a tagger."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch
from transformers import AddedToken, PreTrainedModel, PreTrainedTokenizerBase

from longsum.core.model_files.folders import TOKENIZER_FILES, find_folder
from longsum.core.questions.linearisation import Mark
from longsum.models.networks.hugging_face import load_tokenizer
from longsum.models.tasks.prepared import PreparedSplit, prepare
from longsum.models.tasks.question_generation import QUESTION_KINDS
from longsum.models.tasks.source import MARK_TOKENS
from longsum.models.tasks.task_settings import TaskConfig
from longsum.models.tasks.tokens import check_offsets, lacking, train_tokenizer
from longsum.models.training.documents import PreparedCache, Tally, fingerprint
from longsum.models.training.run_settings import ReaderSettings, TokenizerConfig

FORMAT = 2
"""Changes whenever the columns of `PreparedSplit` do, so that older files are not used."""

WHOLE = 32_768
"""Source tokens to keep if gap sentences are drawn from the whole document."""


def save_tokens(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, unfinished: Path
) -> None:
    """Write a model and its tokenizer to a folder that is renamed when it is complete."""
    model.save_pretrained(unfinished)
    tokenizer.save_pretrained(unfinished)


def run_tokenizer(settings: ReaderSettings, cache: PreparedCache) -> PreTrainedTokenizerBase:
    """Return the tokenizer of the checkpoint or of the settings, or one that is trained.

    Marks that the task needs and the tokenizer lacks are added.

    Raises:
        LongsumError: The tokenizer is missing, or there are no data to train one on.
    """
    source = settings.checkpoint or settings.tokenizer.path
    if source is None:
        source = str(trained_tokenizer(settings.tokenizer, cache))
    tokenizer = load_tokenizer(find_folder(source, TOKENIZER_FILES))
    add_marks(tokenizer, settings.task)
    return tokenizer


def tokenized_split(
    settings: ReaderSettings, tokenizer: PreTrainedTokenizerBase, name: str, cache: PreparedCache
) -> PreparedSplit:
    """Return the examples of a split as tokens.

    Raises:
        LongsumError: The data are missing, or hold nothing for the task.
    """
    task = settings.task
    if name == "train" and settings.whole_sources:
        task = replace(task, source_tokens=max(task.source_tokens, WHOLE))
    # Labels are always the oracle's; a tagger's are read only when a summary is written.
    task = replace(task, importance="oracle" if task.importance else None, tagger=None)

    def make(tally: Tally) -> PreparedSplit:
        build = settings.task.build()
        pairs = (pair for example in tally.documents() for pair in build.pairs(example))
        return prepare(
            tally.counted(pairs),
            tokenizer,
            task.source_format(),
            task.target_tokens,
            importance=task.importance is not None,
        )

    described = [FORMAT, _non_defaults(task), identity(tokenizer)]
    return cache.split(PreparedSplit, name, described, make)


def trained_tokenizer(settings: TokenizerConfig, cache: PreparedCache) -> Path:
    """Return the folder of a tokenizer that is trained on the documents.

    Raises:
        LongsumError: The data are missing.
    """
    size = settings.size

    def make(tally: Tally, unfinished: Path) -> None:
        texts = (
            text
            for example in tally.documents()
            for text in (example.document.text, *example.references[: int(settings.references)])
        )
        train_tokenizer(texts, size).save_pretrained(unfinished)

    described = [size, *(["references"] if settings.references else [])]
    return cache.vocabulary(
        "tokenizer", described, make, f"training a tokenizer of {size:,} tokens"
    )


def identity(tokenizer: PreTrainedTokenizerBase) -> str:
    """Return a fingerprint of what a tokenizer does with text.

    Its last truncation and padding are left out: `transformers` keeps them in the tokenizer.

    Raises:
        LongsumError: It is not a fast tokenizer.
    """
    check_offsets(tokenizer)
    state = json.loads(tokenizer.backend_tokenizer.to_str())
    return fingerprint(state | {"truncation": None, "padding": None})


def _non_defaults(task: TaskConfig) -> dict[str, Any]:
    """Return what differs from the defaults, so that a new setting leaves cached data valid."""
    defaults = asdict(TaskConfig())
    return {name: value for name, value in asdict(task).items() if value != defaults[name]}


def marks_of(task: TaskConfig) -> tuple[str, ...]:
    """Return the special tokens that a task needs, each once."""
    question_marks = tuple(mark.value for mark in Mark) if task.kind in QUESTION_KINDS else ()
    return (*MARK_TOKENS.get(task.marks, ()), *question_marks)


def add_marks(tokenizer: PreTrainedTokenizerBase, task: TaskConfig) -> None:
    """Append the special tokens that a task needs and a tokenizer lacks."""
    missing = [
        AddedToken(mark, normalized=False, special=True)
        for mark in lacking(tokenizer, marks_of(task))
    ]
    if missing:
        tokenizer.add_special_tokens(
            {"additional_special_tokens": missing}, replace_extra_special_tokens=False
        )


@torch.no_grad()
def embed_marks(model: Any, tokenizer: PreTrainedTokenizerBase, seed: int) -> None:
    """Add embeddings for tokens that were added to a model's tokenizer.

    A new row is the mean of the others, so that a new token is not likelier than they are (Hewitt
    2021), plus noise with the standard deviation of initial weights, so that rows differ. The
    released code of HIBRIDS reuses rare tokens of the vocabulary instead.

    A model that has a row for each token stays as it is; the seed is that of the noise.
    """
    present, needed = model.config.vocab_size, max(tokenizer.get_vocab().values()) + 1
    if needed <= present:
        return
    rows = model.resize_token_embeddings(needed, mean_resizing=False).weight
    noise = torch.randn(
        needed - present, rows.shape[1], generator=torch.Generator().manual_seed(seed)
    )
    rows[present:] = rows[:present].mean(dim=0) + model.config.init_std * noise.to(rows)
