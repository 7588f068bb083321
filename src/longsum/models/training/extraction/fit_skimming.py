"""Fits the rough vectors by which a trained extractor skims long documents."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from longsum.common.arrays import Ints
from longsum.common.errors import LongsumError
from longsum.core.encoder.encode_units import TOKENS, RoughVectors, encode_document
from longsum.core.encoder.extractor_settings import PREFIX, HibertConfig, folder_settings
from longsum.core.encoder.network import texts_of
from longsum.core.encoder.networks import load_network
from longsum.core.encoder.onnx_runtime.stored_weights import StoredWeights
from longsum.core.model_files.folders import ModelFolder
from longsum.evaluation.datasets import dataset_info
from longsum.models.training.card import RECORD
from longsum.models.training.documents import DataPart, load_part, load_used

TEXTS = 24_000
"""Texts that the projection is fitted to, over all data sets."""

_TEXTS_OF_DOCUMENT = 40
_TOKENS = 128


def fit_skimming(folder: ModelFolder, tokenizer: Tokenizer, texts: int = TEXTS) -> Path:
    """Fit rough vectors on documents that an extractor learned from; return the file beside it.

    If all documents that it learned from may be redistributed, so may all that are read here.

    Args:
        folder: The folder of a HiBERT, with the record of its training documents.
        tokenizer: Its tokenizer.
        texts: Number of sentences and headings to encode, equally many of each data set.

    Raises:
        LongsumError: The folder holds another model or no record, or its data are not at hand.
    """
    if not isinstance(folder_settings(folder), HibertConfig):
        raise LongsumError(
            f"Only a HiBERT can skim, and '{folder}' holds another model; leave out --skim."
        )
    if not (folder.path / RECORD).is_file():
        raise LongsumError(
            f"'{folder}' has no {RECORD} that says what it learned from; give one that 'longsum "
            "train' wrote."
        )
    used = [data for data in load_used(folder.path / RECORD) if data.split == "train"]
    free = all(data.shippable == data.documents for data in used)
    parts = [DataPart(data.name, _split(data.name), shippable=free) for data in used]
    sample = list(_texts(parts, tokenizer, texts // max(len(parts), 1)))
    if not sample:
        raise LongsumError(f"The {RECORD} of '{folder}' names no training documents.")
    vectors = load_network(folder, "auto").encode(sample)
    stored = StoredWeights.of(folder).within(PREFIX).within("sentence_encoder.")
    return RoughVectors.fit(stored.floats(TOKENS), sample, vectors).write(folder.path)


def _split(name: str) -> str:
    """Return the split to read: `train`, or the only one of a data set without it."""
    splits = dataset_info(name).splits
    return "train" if "train" in splits else splits[0]


def _texts(parts: Sequence[DataPart], tokenizer: Tokenizer, count: int) -> Iterator[Ints]:
    """Yield sentences and headings as tokens, `count` of each part, a few of each document."""
    random = np.random.default_rng(0)
    for part in parts:
        left = count
        for example in load_part(part):
            if left <= 0:
                break
            if not example.document.sentences:
                continue
            document = example.document
            texts = texts_of(encode_document(document, tokenizer, _TOKENS))
            chosen = random.permutation(len(texts))[: min(_TEXTS_OF_DOCUMENT, left)]
            yield from (texts[place] for place in chosen.tolist())
            left -= len(chosen)
