"""The vocabulary and the encoded splits of a word-level model."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from longsum.datasets import Example
from longsum.errors import LongsumError
from longsum.models.words import STOP, Vocabulary, WordModelConfig, WordTokenizer
from longsum.tasks.prepared import Ints, PreparedSplit
from longsum.tasks.source import START as FIRST_SECTION
from longsum.tasks.task import Summarization
from longsum.training.documents import Tally
from longsum.training.prepared_cache import PreparedCache
from longsum.training.words.words_settings import WordModelSettings


def counted_vocabulary(
    settings: WordModelSettings, tokenizer: WordTokenizer, cache: PreparedCache
) -> Vocabulary:
    """Return the most frequent words of the training documents and their summaries.

    Raises:
        LongsumError: The data are missing.
    """
    size = settings.vocabulary

    def make(tally: Tally, folder: Path) -> None:
        texts = (
            tokenizer.tokens(text)
            for example in tally.documents()
            for text in (example.document.text, *example.references[:1])
        )
        Vocabulary.of(texts, size).save(folder)

    described, work = [size, tokenizer.lower_case], f"counting words for a vocabulary of {size:,}"
    return Vocabulary.load(cache.vocabulary("words", described, make, work, settings.data.words))


def encoded_split(
    vocabulary: Vocabulary, config: WordModelConfig, name: str, cache: PreparedCache
) -> PreparedSplit:
    """Return the examples of a split as extended ids, truncated to the model's lengths.

    Raises:
        LongsumError: The data are missing, or hold no summaries.
    """
    lengths = config.max_source_tokens, config.max_target_tokens

    def make(tally: Tally) -> PreparedSplit:
        return joined(tally.counted(encode(tally.documents(), vocabulary, config)))

    described = [lengths, config.lower_case, list(vocabulary.words)]
    return cache.split(PreparedSplit, name, described, make)


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


def joined(examples: Iterable[tuple[Ints, Ints, Ints]]) -> PreparedSplit:
    """Join what `encode` yields.

    Raises:
        LongsumError: There is nothing to learn from.
    """
    sources: list[Ints] = []
    sentences: list[Ints] = []
    targets: list[Ints] = []
    for source, sentence_of, target in examples:
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
