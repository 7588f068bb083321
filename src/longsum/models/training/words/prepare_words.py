"""The vocabulary and the encoded splits of a word-level model."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from longsum.common.arrays import Ints
from longsum.evaluation.datasets import Example
from longsum.models.networks.words.configuration_words import WordModelConfig
from longsum.models.networks.words.vocabulary import STOP, Vocabulary
from longsum.models.networks.words.word_tokenizer import WordTokenizer
from longsum.models.tasks.prepared import PreparedSplit
from longsum.models.tasks.source import START as FIRST_SECTION
from longsum.models.tasks.source import EncodedSource
from longsum.models.tasks.task import Summarization
from longsum.models.training.documents import Tally
from longsum.models.training.prepared_cache import PreparedCache
from longsum.models.training.words.words_settings import WordModelSettings


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
        return PreparedSplit.of(tally.counted(encode(tally.documents(), vocabulary, config)))

    described = [lengths, config.lower_case, list(vocabulary.words)]
    return cache.split(PreparedSplit, name, described, make)


def encode(
    examples: Iterable[Example], vocabulary: Vocabulary, config: WordModelConfig
) -> Iterator[tuple[EncodedSource, Ints]]:
    """Yield sources and targets as extended ids; a target ends with `STOP` if it fits."""
    words = WordTokenizer(lower_case=config.lower_case)
    for example in examples:
        for pair in Summarization().pairs(example):
            texts = (sentence.text for sentence in pair.document.sentences)
            read = words.beginning(texts, config.max_source_tokens)
            if not read.tokens:
                continue
            source = vocabulary.source(read.tokens)
            target = (*vocabulary.target(words.tokens(pair.target), source), STOP)
            encoded = EncodedSource(
                ids=np.array(source.extended, np.int32),
                sentence_of=np.array(read.sentence_of, np.int32),
                section_of=np.full(len(read.tokens), FIRST_SECTION, np.int32),
                section_parents=np.zeros(0, np.int32),
                sentences_read=read.whole,
            )
            yield encoded, np.array(target[: config.max_target_tokens], np.int32)
