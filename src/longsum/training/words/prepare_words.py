"""From data sets to the ids of words, kept in a folder where the next run finds them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from longsum.datasets import Example
from longsum.errors import LongsumError
from longsum.files import new_folder
from longsum.models.words import STOP, Vocabulary, WordModelConfig, WordTokenizer
from longsum.tasks.prepared import Ints, PreparedSplit
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.task import Summarization
from longsum.training.documents import Tally, parts_of
from longsum.training.prepared_cache import Kept, fingerprint
from longsum.training.words.words_settings import WordModelSettings


class WordPreparation(Kept):
    """Makes the vocabulary and the splits that settings ask for, or finds them made.

    Args:
        settings: What is trained.
        folder: As of `Kept`.
        say: As of `Kept`.
    """

    def __init__(
        self, settings: WordModelSettings, folder: Path, say: Callable[[str], None]
    ) -> None:
        super().__init__(settings.data, folder, say)
        self.settings = settings

    def vocabulary(self, tokenizer: WordTokenizer) -> Vocabulary:
        """Return the most frequent words of the training documents and their summaries.

        Raises:
            LongsumError: The data are not there.
        """
        data, size = self.settings.data, self.settings.vocabulary
        tally = Tally(parts_of(replace(data, names=data.words or data.names), "train"))
        described = [tally.parts, size, tokenizer.lower_case]
        path = self.folder / f"words-{fingerprint(described)}"
        if not path.is_dir():
            self.say(f"counting words for a vocabulary of {size:,}")
            texts = (
                tokenizer.tokens(text)
                for example in tally.examples()
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
        lengths = config.max_source_tokens, config.max_target_tokens
        described = [lengths, config.lower_case, list(vocabulary.words)]

        def make(tally: Tally) -> PreparedSplit:
            self.say(f"encoding the {name} split of {self.settings.data.names}")
            return joined(tally.lessons(encode(tally.examples(), vocabulary, config)))

        tally = Tally(parts_of(self.settings.data, name))
        return PreparedSplit.load(self.kept(name, described, tally, make))


def encode(
    examples: Iterable[Example], vocabulary: Vocabulary, config: WordModelConfig
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Encode documents and their summaries as extended ids; a target ends with `STOP` if it fits.

    Yields:
        The source, the sentence of each of its words, and the target.
    """
    words = WordTokenizer(lower_case=config.lower_case)
    for example in examples:
        for pair in Summarization().pairs(example):
            texts = (sentence.text for sentence in pair.document.sentences)
            read = words.beginning(texts, config.max_source_tokens)
            if not read.tokens:
                continue
            source = vocabulary.source(read.tokens)
            target = (*vocabulary.target(words.tokens(pair.target), source), STOP)
            yield (
                np.array(source.extended, np.int32),
                np.array(read.sentence_of, np.int32),
                np.array(target[: config.max_target_tokens], np.int32),
            )


def joined(lessons: Iterable[tuple[Ints, Ints, Ints]]) -> PreparedSplit:
    """Join what `encode` yields.

    Raises:
        LongsumError: There is nothing to learn from.
    """
    sources: list[Ints] = []
    sentences: list[Ints] = []
    targets: list[Ints] = []
    for source, sentence_of, target in lessons:
        sources.append(source)
        sentences.append(sentence_of)
        targets.append(target)
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
