"""From data sets to arrays of tokens, kept in a folder where the next run finds them."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerBase

from longsum.files import new_folder
from longsum.models.folders import TOKENIZER_FILES, find_folder
from longsum.models.hugging_face import load_tokenizer
from longsum.tasks.columns import Columns
from longsum.tasks.prepared import PreparedSplit, prepare
from longsum.tasks.task_settings import TaskConfig
from longsum.tasks.tokens import check_offsets, train_tokenizer
from longsum.training.documents import Taken, Tally, load_taken, parts_of, save_taken
from longsum.training.marks import add_marks
from longsum.training.run_settings import DataConfig, ReaderSettings

FORM = 2
"""Changes whenever the columns of `PreparedSplit` do, so that older files are not taken."""

WHOLE = 32_768
"""Tokens of a source that are kept where gap sentences are drawn from all of it."""


class Kept:
    """Keeps the splits of a run in a folder, each beside the record of the documents in it.

    What is kept is named by a fingerprint of all that it depends on, so that settings that differ
    elsewhere share it.

    Args:
        data: What is learned from.
        folder: Where to keep what is made, unless the settings name another place.
        say: Is told in a sentence what begins.

    Attributes:
        taken: What each split that was asked for has of each data set.
    """

    def __init__(
        self, data: DataConfig, folder: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        self.folder = folder if data.prepared is None else Path(data.prepared)
        self.say = say
        self.taken: dict[str, list[Taken]] = {}

    def kept(
        self, name: str, described: Any, tally: Tally, make: Callable[[Tally], Columns]
    ) -> Path:
        """Return the file of a split, which is made where it is not there with its record.

        Args:
            name: The split.
            described: All that it depends on, as `fingerprint` takes it.
            tally: What is read.
            make: Makes the split of what the tally reads.
        """
        path = self.folder / f"{name}-{fingerprint([tally.parts, described])}.npz"
        record = path.with_suffix(".json")
        if not (path.is_file() and record.is_file()):
            make(tally).save(path)
            save_taken(tally.taken(), record)
        self.taken[name] = load_taken(record)
        return path


class Preparation(Kept):
    """Makes the tokenizer and the splits that settings ask for, or finds them made.

    Args:
        settings: What is trained.
        folder: As of `Kept`.
        say: As of `Kept`.
    """

    def __init__(
        self, settings: ReaderSettings, folder: Path, say: Callable[[str], None] = lambda _: None
    ) -> None:
        super().__init__(settings.data, folder, say)
        self.settings = settings

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
        described = [FORM, _unlike_default(task), _identity(tokenizer)]

        def make(tally: Tally) -> PreparedSplit:
            self.say(f"encoding the {name} split of {self.settings.data.names}")
            build = self.settings.task.build()
            pairs = (pair for example in tally.examples() for pair in build.pairs(example))
            return prepare(
                tally.lessons(pairs),
                tokenizer,
                task.source_format(),
                task.target_tokens,
                importance=task.importance is not None,
            )

        tally = Tally(parts_of(self.settings.data, name))
        return PreparedSplit.load(self.kept(name, described, tally, make))

    def _trained_tokenizer(self) -> Path:
        tally = Tally(parts_of(self.settings.data, "train"))
        size = self.settings.tokenizer.size
        path = self.folder / f"tokenizer-{fingerprint([tally.parts, size])}"
        if not path.is_dir():
            self.say(f"training a tokenizer of {size:,} tokens")
            texts = (example.document.text for example in tally.examples())
            trained = train_tokenizer(texts, size)
            with new_folder(path) as folder:
                trained.save_pretrained(folder)
        return path


def _identity(tokenizer: PreTrainedTokenizerBase) -> str:
    """Return what a tokenizer does with text, as a string.

    Where it last cut and padded is no part of it: `transformers` leaves that in the tokenizer.

    Raises:
        LongsumError: It is of the slow kind.
    """
    check_offsets(tokenizer)
    state = json.loads(tokenizer.backend_tokenizer.to_str())
    return fingerprint(state | {"truncation": None, "padding": None})


def _unlike_default(task: TaskConfig) -> dict[str, Any]:
    """Return what is set, so that a setting added to the program leaves kept data valid."""
    defaults = asdict(TaskConfig())
    return {name: value for name, value in asdict(task).items() if value != defaults[name]}


def fingerprint(described: Any) -> str:
    """Return a short name for whatever JSON can say, and dataclasses of it."""
    return hashlib.sha256(json.dumps(described, default=asdict).encode()).hexdigest()[:16]
