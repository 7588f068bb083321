"""How many documents the shipped extractor reads in a second, in types and sizes of batch.

A part of `throughput.py`. The document is the example of the repository, so that sentences have
real lengths; `--documents` is the number of copies encoded together.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from check_attention import DEVICE
from measuring import Row, measure
from steps import DTYPES
from torch import Tensor

from longsum.core.encoder.encode_units import encode_document
from longsum.core.extractive.extractor_options import shipped_folder, shipped_tokenizer
from longsum.core.model_files.folders import check_model
from longsum.documents.readers import read
from longsum.language.words import count_words
from longsum.models.networks.extractive.extractor_files import load_extractor
from longsum.models.networks.extractive.extractor_layers import encode_sorted
from longsum.models.networks.extractive.hibert import Hibert
from longsum.models.networks.extractive.units import Units, join

EXAMPLE = Path(__file__).parents[1] / "examples" / "crypto-mining.md"
SENTENCE_TOKENS = 128


def encoding_rows(documents: int, dtypes: list[str], batches: list[int]) -> Iterator[Row]:
    """Yield the times of sentence and document encoder.

    Args:
        documents: Copies of the example.
        dtypes: Types of products, keys of `DTYPES`; weights are in fp32.
        batches: Tokens per batch of the sentence encoder, including padding.
    """
    model = load_extractor(check_model(shipped_folder()))
    assert isinstance(model, Hibert)
    model = model.to(DEVICE).eval()
    document = read(EXAMPLE)
    encoded = encode_document(document, shipped_tokenizer(), SENTENCE_TOKENS)
    units = join([encoded] * documents, 0).to(torch.device(DEVICE))
    sizes = {
        "documents": documents,
        "words": documents * count_words(document.text),
        "sentences": len(units.lengths),
        "tokens": int(units.lengths.sum()),
    }
    for dtype in dtypes:
        for batch in batches:
            row = {"part": "sentences", "dtype": dtype, "batch": batch, **sizes}
            yield row | measure(lambda: encode(model, units, dtype, batch))  # noqa: B023
        vectors = encode(model, units, dtype, batches[0])
        row = {"part": "documents", "dtype": dtype, "batch": documents, **sizes}
        yield row | measure(lambda: plan(model, units, vectors, dtype))  # noqa: B023


def encode(model: Hibert, units: Units, dtype: str, batch: int) -> Tensor:
    """Encode all sentences and headings, `[m, D]`."""
    with torch.inference_mode(), _autocast(dtype):
        return encode_sorted(model.sentence_encoder, units.tokens, units.lengths, batch)


def plan(model: Hibert, units: Units, vectors: Tensor, dtype: str) -> Any:
    """Read documents with encoded sentences, and score the candidates for the first choice."""
    empty = torch.full((len(units.sentences), 1, 1), -1, device=vectors.device)
    with torch.inference_mode(), _autocast(dtype):
        reading = model.read(replace(units, vectors=vectors))
        return model.logits(reading, empty)


def _autocast(dtype: str) -> torch.autocast:
    return torch.autocast(DEVICE, DTYPES[dtype], enabled=dtype != "fp32")
