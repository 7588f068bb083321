"""From data sets to arrays of tokens, kept in a folder where the next run finds them."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerBase

from longsum.datasets import Example, dataset_info, load, may_ship
from longsum.files import new_folder
from longsum.models.folders import TOKENIZER_FILES, find_folder
from longsum.models.hugging_face import load_tokenizer
from longsum.tasks.prepared import PreparedSplit, prepare
from longsum.tasks.settings import TaskConfig
from longsum.tasks.tokens import check_offsets, train_tokenizer
from longsum.training.marks import add_marks
from longsum.training.settings import DataConfig, ReaderSettings

Part = tuple[str, str, int | None, bool]
"""What is taken of a data set: its name, the split, the most documents, and whether only those
whose licence lets the result be handed on."""

FORM = 2
"""Changes whenever the columns of `PreparedSplit` do, so that older files are not taken."""

WHOLE = 32_768
"""Tokens of a source that are kept where gap sentences are drawn from all of it."""


class Preparation:
    """Makes the tokenizer and the splits that settings ask for, or finds them made.

    What is kept is named by a fingerprint of all that it depends on, so that settings that differ
    elsewhere share it.

    Args:
        settings: What is trained.
        folder: Where to keep what is made, unless the settings name another place.
        say: Is told in a sentence what begins.
    """

    def __init__(
        self, settings: ReaderSettings, folder: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self.settings = settings
        given = settings.data.prepared
        self.folder = Path(given) if given is not None else folder
        self.say = say

    def tokenizer(self) -> PreTrainedTokenizerBase:
        """Return the checkpoint's tokenizer, the one that the settings name, or a trained one.

        It gets the marks that the task needs, where it lacks them.

        Raises:
            LongsumError: There is none where there should be, or there are no data to train it on.
        """
        source = self.settings.checkpoint or self.settings.tokenizer.path
        if source is None:
            source = str(self._trained_tokenizer())
        tokenizer = load_tokenizer(find_folder(source, TOKENIZER_FILES))
        add_marks(tokenizer, self.settings.task)
        return tokenizer

    def split(self, tokenizer: PreTrainedTokenizerBase, name: str) -> PreparedSplit:
        """Return the lessons of a split as tokens.

        Raises:
            LongsumError: The data are not there, or hold nothing for the task.
        """
        task = self.settings.task
        if name == "train" and self.settings.whole_sources:
            task = replace(task, source_tokens=max(task.source_tokens, WHOLE))
        # The labels are the oracle's, whosever are read when a summary is written.
        task = replace(task, importance="oracle" if task.importance else None, tagger=None)
        parts = parts_of(self.settings.data, name)
        described = [FORM, parts, _unlike_default(task), _identity(tokenizer)]
        path = self.folder / f"{name}-{fingerprint(described)}.npz"
        if not path.is_file():
            self.say(f"encoding the {name} split of {self.settings.data.names}")
            build = self.settings.task.build()
            lessons = (pair for example in self._examples(parts) for pair in build.pairs(example))
            prepare(
                lessons,
                tokenizer,
                task.source_format(),
                task.target_tokens,
                importance=task.importance is not None,
            ).save(path)
        return PreparedSplit.load(path)

    def _trained_tokenizer(self) -> Path:
        parts, size = parts_of(self.settings.data, "train"), self.settings.tokenizer.size
        path = self.folder / f"tokenizer-{fingerprint([parts, size])}"
        if not path.is_dir():
            self.say(f"training a tokenizer of {size:,} tokens")
            texts = (example.document.text for example in self._examples(parts))
            trained = train_tokenizer(texts, size)
            with new_folder(path) as folder:
                trained.save_pretrained(folder)
        return path

    def _examples(self, parts: list[Part]) -> Iterator[Example]:
        return chain.from_iterable(load_part(*part) for part in parts)


def parts_of(data: DataConfig, split: str) -> list[Part]:
    """Return which data sets a split takes: name, split, limit, and whether it must ship."""
    names = data.names.split("+")
    if split == "train":
        return [(name, split, data.limit, data.shippable) for name in names]
    measured = (data.validation or names[0]).split("+")
    return [(name, split, data.validation_limit, False) for name in measured]


def load_part(name: str, split: str, limit: int | None, shippable: bool) -> Iterator[Example]:
    """Yield the examples of a part; see `parts_of`."""
    info = dataset_info(name)
    return (
        example
        for example in load(name, split, limit=limit)
        if not shippable or may_ship(info, example)
    )


def _identity(tokenizer: PreTrainedTokenizerBase) -> str:
    """Return what a tokenizer does with text, as a string.

    Raises:
        LongsumError: It is of the slow kind.
    """
    check_offsets(tokenizer)
    text: str = tokenizer.backend_tokenizer.to_str()
    return hashlib.sha256(text.encode()).hexdigest()


def _unlike_default(task: TaskConfig) -> dict[str, Any]:
    """Return what is set, so that a setting added to the program leaves kept data valid."""
    defaults = asdict(TaskConfig())
    return {name: value for name, value in asdict(task).items() if value != defaults[name]}


def fingerprint(described: Any) -> str:
    """Return a short name for whatever JSON can say."""
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()[:16]
