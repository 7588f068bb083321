"""The tokenizer and the encoded splits of an extractive model."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import NamedTuple

from tokenizers import Tokenizer
from transformers import PreTrainedModel

from longsum.common.errors import LongsumError
from longsum.common.files import write_text
from longsum.core.encoder.encode_units import token_id
from longsum.core.model_files.folders import find_folder
from longsum.documents.sentence_features import PLACES
from longsum.documents.subset import subset
from longsum.evaluation.datasets import Example
from longsum.models.tasks.extraction.histories import HistoryConfig
from longsum.models.tasks.extraction.own_sections import with_own_sections
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit, make_examples
from longsum.models.tasks.extraction.pruned_vocabulary import shrink_vocabulary
from longsum.models.training.documents import PreparedCache, Tally
from longsum.models.training.extraction.extraction_settings import EncoderSettings

TOKENIZER = "tokenizer.json"
KEPT = "kept.json"


class PrunedTokenizer(NamedTuple):
    """A tokenizer, and the rows of the checkpoint's embedding it keeps; None for all."""

    tokenizer: Tokenizer
    kept: list[int] | None


def save_extractor(model: PreTrainedModel, tokens: PrunedTokenizer, unfinished: Path) -> None:
    """Write a model and its tokenizer to a folder that is renamed when it is complete."""
    model.save_pretrained(unfinished)
    tokens.tokenizer.save(str(unfinished / TOKENIZER))


def padding(tokenizer: Tokenizer) -> int:
    """Return the id of the padding token; 0 if the tokenizer has none."""
    return token_id(tokenizer, ("[PAD]", "<pad>")) or 0


def run_tokenizer(settings: EncoderSettings, cache: PreparedCache) -> PrunedTokenizer:
    """Return the tokenizer, with a reduced vocabulary if the settings say so.

    Raises:
        LongsumError: The tokenizer is missing, or its vocabulary cannot be reduced.
    """
    original = _original(settings)
    size = settings.vocabulary
    if size is None:
        return PrunedTokenizer(original, None)

    def make(tally: Tally, folder: Path) -> None:
        texts = (example.document.text for example in read_documents(settings, tally))
        smaller, kept = shrink_vocabulary(original, texts, size)
        write_text(folder / TOKENIZER, smaller.to_str(pretty=True))
        write_text(folder / KEPT, json.dumps(kept))

    work = f"choosing {size:,} pieces of the vocabulary"
    path = cache.vocabulary("vocabulary", [size, original.to_str()], make, work)
    kept = json.loads((path / KEPT).read_text(encoding="utf-8"))
    return PrunedTokenizer(Tokenizer.from_file(str(path / TOKENIZER)), kept)


def encoded_split(
    settings: EncoderSettings,
    tokens: PrunedTokenizer,
    name: str,
    cache: PreparedCache,
    history: HistoryConfig | None,
    own_sections: float = 0.0,
) -> ExtractionSplit:
    """Return the documents of a split.

    Args:
        settings: What is trained.
        tokens: What `run_tokenizer` returns.
        name: The split.
        cache: Where prepared splits are kept.
        history: How oracle plans are made; None makes none and includes documents without
            references.
        own_sections: See `ExtractionTaskConfig`.

    Raises:
        LongsumError: The data are missing, or hold nothing to select from.
    """
    task, tokenizer = settings.task, tokens.tokenizer
    plans = None if history is None else asdict(history)
    identity = hashlib.sha256(tokenizer.to_str().encode()).hexdigest()
    described = [PLACES, task.sentence_tokens, task.sentences, plans, own_sections, identity]

    def make(tally: Tally) -> ExtractionSplit:
        documents = with_own_sections(read_documents(settings, tally), own_sections)
        examples = make_examples(documents, tokenizer, task.sentence_tokens, history)
        return ExtractionSplit.of(tally.counted(examples))

    work = "encoding" if history is None else "finding the oracle plans of"
    return cache.split(ExtractionSplit, name, described, make, work)


def _original(settings: EncoderSettings) -> Tokenizer:
    source = settings.checkpoint or settings.tokenizer
    path = find_folder(source) / TOKENIZER if source else Path(TOKENIZER)
    if source is None or not path.is_file():
        raise LongsumError(
            f"There is no {TOKENIZER} in '{source}'; name the folder of a checkpoint or of a "
            "tokenizer that has one."
        )
    tokenizer = Tokenizer.from_file(str(path))
    # Sentences are truncated elsewhere, and both settings would be part of its fingerprint.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def read_documents(settings: EncoderSettings, tally: Tally) -> Iterator[Example]:
    """Yield the documents of a split, truncated to the maximum number of sentences."""
    limit = settings.task.sentences
    return (
        replace(example, document=subset(example.document, range(limit)))
        if limit is not None and len(example.document.sentences) > limit
        else example
        for example in tally.documents()
    )
