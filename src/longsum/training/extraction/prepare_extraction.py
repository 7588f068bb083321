"""From data sets to what an extractor learns from, kept in a folder where the next run finds it."""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

from tokenizers import Tokenizer

from longsum.datasets import Example
from longsum.documents.places import PLACES
from longsum.documents.subset import subset
from longsum.errors import LongsumError
from longsum.files import make_folder, write_text
from longsum.models.folders import find_folder
from longsum.tasks.extraction.histories import HistoryConfig
from longsum.tasks.extraction.prepared_units import ExtractionSplit, make_lessons
from longsum.tasks.extraction.pruned_vocabulary import shrink_vocabulary
from longsum.training.documents import Tally, parts_of
from longsum.training.extraction.extraction_settings import ExtractorSettings
from longsum.training.prepared_cache import Kept, fingerprint

TOKENIZER = "tokenizer.json"
KEPT = "kept.json"


class ExtractionPreparation(Kept):
    """Makes the tokenizer and the splits that settings ask for, or finds them made.

    Args:
        settings: What is trained.
        folder: As of `Kept`.
        say: As of `Kept`.
    """

    def __init__(
        self,
        settings: ExtractorSettings,
        folder: Path,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(settings.data, folder, say)
        self.settings = settings

    def tokenizer(self) -> tuple[Tokenizer, list[int] | None]:
        """Return the tokenizer, and which rows of the checkpoint's embedding are kept.

        Raises:
            LongsumError: There is none where there should be, or it cannot be made smaller.
        """
        original = self._original()
        size = self.settings.vocabulary
        if size is None:
            return original, None
        tally = Tally(parts_of(self.settings.data, "train"))
        path = self.folder / f"vocabulary-{fingerprint([tally.parts, size, original.to_str()])}"
        if not (path / KEPT).is_file():
            self.say(f"choosing {size:,} pieces of the vocabulary")
            texts = (example.document.text for example in self._read(tally))
            smaller, kept = shrink_vocabulary(original, texts, size)
            make_folder(path)
            write_text(path / TOKENIZER, smaller.to_str(pretty=True))
            write_text(path / KEPT, json.dumps(kept))
        kept = json.loads((path / KEPT).read_text(encoding="utf-8"))
        return Tokenizer.from_file(str(path / TOKENIZER)), kept

    def split(self, tokenizer: Tokenizer, name: str) -> ExtractionSplit:
        """Return the lessons of a split.

        Raises:
            LongsumError: The data are not there, or hold nothing to choose from.
        """
        return self._split(tokenizer, name, self.settings.task.history)

    def documents(self, tokenizer: Tokenizer, name: str) -> ExtractionSplit:
        """Return the documents of a split without histories, those without references too.

        Raises:
            LongsumError: The data are not there, or hold no sentences.
        """
        return self._split(tokenizer, name, None)

    def _split(
        self, tokenizer: Tokenizer, name: str, history: HistoryConfig | None
    ) -> ExtractionSplit:
        task = self.settings.task
        plans = None if history is None else asdict(history)
        identity = hashlib.sha256(tokenizer.to_str().encode()).hexdigest()
        described = [PLACES, task.sentence_tokens, task.sentences, plans, identity]

        def make(tally: Tally) -> ExtractionSplit:
            work = "encoding" if history is None else "searching the oracles of"
            self.say(f"{work} the {name} split")
            lessons = make_lessons(self._read(tally), tokenizer, task.sentence_tokens, history)
            return ExtractionSplit.of(tally.lessons(lessons))

        tally = Tally(parts_of(self.settings.data, name))
        return ExtractionSplit.load(self.kept(name, described, tally, make))

    def _original(self) -> Tokenizer:
        source = self.settings.checkpoint or self.settings.tokenizer
        path = find_folder(source) / TOKENIZER if source else Path(TOKENIZER)
        if source is None or not path.is_file():
            raise LongsumError(
                f"There is no {TOKENIZER} in '{source}'; name the folder of a checkpoint or of a "
                "tokenizer that has one."
            )
        tokenizer = Tokenizer.from_file(str(path))
        # Texts are cut by their sentences, and what a tokenizer does besides is part of its name.
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _read(self, tally: Tally) -> Iterator[Example]:
        most = self.settings.task.sentences
        return (
            replace(example, document=subset(example.document, range(most)))
            if most is not None and len(example.document.sentences) > most
            else example
            for example in tally.examples()
        )
