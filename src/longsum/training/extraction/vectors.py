"""Vectors of a split's texts by a frozen sentence encoder, computed once and kept."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from longsum.arrays import Places, Vectors
from longsum.files import unfinished
from longsum.models.extractive.sentence_encoder import SentenceEncoder, tokens_at_once
from longsum.tasks.extraction.prepared_units import ExtractionSplit


def text_vectors(
    encoder: SentenceEncoder,
    split: ExtractionSplit,
    folder: Path,
    *,
    bf16: bool,
    say: Callable[[str], None] = lambda _: None,
) -> Vectors:
    """Return the vectors of all texts of a split, from the file of an earlier run if there is one.

    Args:
        encoder: The encoder, on its device.
        split: The texts.
        folder: Where to keep them.
        bf16: Whether to compute in bf16.
        say: Called with a sentence when encoding begins.

    Returns:
        `[texts, D]`, memory-mapped from the file.
    """
    path = folder / f"vectors-{_fingerprint(encoder, split, bf16)}.npy"
    if not path.is_file():
        say(f"encoding {len(split.text_ends):,} sentences")
        # Several runs may share the folder and start at the same time.
        with unfinished(path) as file:
            found = np.lib.format.open_memmap(
                file, "w+", np.float16, (len(split.text_ends), encoder.config.size)
            )
            _encode(encoder, split, found, bf16)
            found.flush()
    kept: Vectors = np.load(path, mmap_mode="r")
    return kept


@torch.inference_mode()
def _encode(encoder: SentenceEncoder, split: ExtractionSplit, found: Vectors, bf16: bool) -> None:
    """Fill in the vector of each text, `[texts, D]`."""
    device = next(encoder.parameters()).device
    encoder.eval()
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        for rows, tokens, lengths in _groups(split, tokens_at_once(device)):
            found[rows] = encoder(tokens.to(device), lengths.to(device)).float().cpu().numpy()


def _groups(split: ExtractionSplit, max_tokens: int) -> Iterator[tuple[Places, Tensor, Tensor]]:
    """Yield batches of texts of similar length: rows, tokens `[m, t]`, lengths `[m]`."""
    starts = np.concatenate([[0], split.text_ends[:-1]])
    lengths = split.text_ends - starts
    order = np.argsort(lengths, kind="stable")
    first = 0
    while first < len(order):
        last = first + 1
        while last < len(order) and (last + 1 - first) * lengths[order[last]] <= max_tokens:
            last += 1
        rows = order[first:last]
        longest = int(lengths[rows[-1]])
        places = starts[rows, None] + np.arange(longest)
        tokens = split.tokens[np.minimum(places, len(split.tokens) - 1)].astype(np.int64)
        yield rows, torch.from_numpy(tokens), torch.from_numpy(lengths[rows])
        first = last


def _fingerprint(encoder: SentenceEncoder, split: ExtractionSplit, bf16: bool) -> str:
    digest = hashlib.sha256(f"{bf16} {encoder.config.representation}".encode())
    for tensor in encoder.state_dict().values():
        digest.update(tensor.float().cpu().numpy().tobytes())
    digest.update(split.tokens.tobytes())
    return digest.hexdigest()[:16]
