"""From data sets to the ids of words, kept in a folder where the next run finds them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np

from longsum.datasets import Example
from longsum.errors import LongsumError
from longsum.files import new_folder
from longsum.models.pointer import STOP, Vocabulary, WordModelConfig, WordTokenizer
from longsum.tasks.prepared import Ints, PreparedSplit
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.task import Summarization
from longsum.training.pointer.settings import WordModelSettings
from longsum.training.preparation import Part, fingerprint, load_part, parts_of


class WordPreparation:
    """Makes the vocabulary and the splits that settings ask for, or finds them made.

    Args:
        settings: What is trained.
        folder: Where to keep what is made, unless the settings name another place.
        say: Is told in a sentence what begins.
    """

    def __init__(
        self, settings: WordModelSettings, folder: Path, say: Callable[[str], None]
    ) -> None:
        self.settings = settings
        given = settings.data.prepared
        self.folder = Path(given) if given is not None else folder
        self.say = say

    def vocabulary(self, tokenizer: WordTokenizer) -> Vocabulary:
        """Return the most frequent words of the training documents and their summaries.

        Raises:
            LongsumError: The data are not there.
        """
        data, size = self.settings.data, self.settings.vocabulary
        parts = parts_of(replace(data, names=data.words or data.names), "train")
        described = [parts, size, tokenizer.lower_case]
        path = self.folder / f"words-{fingerprint(described)}"
        if not path.is_dir():
            self.say(f"counting words for a vocabulary of {size:,}")
            texts = (
                tokenizer.tokens(text)
                for example in self._examples(parts)
                for text in (example.document.text, *example.references[:1])
            )
            vocabulary = Vocabulary.of(texts, size)
            with new_folder(path) as folder:
                vocabulary.save(folder)
        return Vocabulary.load(path)

    def split(self, name: str, vocabulary: Vocabulary, config: WordModelConfig) -> PreparedSplit:
        """Return the lessons of a split as extended ids, as long as the model reads and writes.

        Raises:
            LongsumError: The data are not there, or hold no summaries.
        """
        parts = parts_of(self.settings.data, name)
        lengths = config.max_source_tokens, config.max_target_tokens
        described = [parts, lengths, config.lower_case, list(vocabulary.words)]
        path = self.folder / f"{name}-{fingerprint(described)}.npz"
        if not path.is_file():
            self.say(f"encoding the {name} split of {self.settings.data.names}")
            encode(self._examples(parts), vocabulary, config).save(path)
        return PreparedSplit.load(path)

    def _examples(self, parts: list[Part]) -> Iterator[Example]:
        return chain.from_iterable(load_part(*part) for part in parts)


def encode(
    examples: Iterable[Example], vocabulary: Vocabulary, config: WordModelConfig
) -> PreparedSplit:
    """Encode documents and their summaries as extended ids; a target ends with `STOP` if it fits.

    Raises:
        LongsumError: There is nothing to learn from.
    """
    words = WordTokenizer(lower_case=config.lower_case)
    sources: list[Ints] = []
    sentences: list[Ints] = []
    targets: list[Ints] = []
    for pair in chain.from_iterable(map(Summarization().pairs, examples)):
        texts = (sentence.text for sentence in pair.document.sentences)
        read = words.beginning(texts, config.max_source_tokens)
        if not read.tokens:
            continue
        source = vocabulary.source(read.tokens)
        target = (*vocabulary.target(words.tokens(pair.target), source), STOP)
        sources.append(np.array(source.extended, np.int32))
        sentences.append(np.array(read.sentence_of, np.int32))
        targets.append(np.array(target[: config.max_target_tokens], np.int32))
    if not sources:
        raise LongsumError("There is nothing to learn from; choose a data set with summaries.")
    ids = np.concatenate(sources)
    return PreparedSplit(
        ids=ids,
        sentence_of=np.concatenate(sentences),
        section_of=np.full(len(ids), FIRST_SECTION, np.int32),
        source_ends=np.cumsum([len(source) for source in sources]),
        section_parents=np.zeros(0, np.int32),
        section_ends=np.zeros(len(sources), np.int64),
        targets=np.concatenate(targets),
        target_ends=np.cumsum([len(target) for target in targets]),
        special=np.zeros(2, np.int64),
    )
