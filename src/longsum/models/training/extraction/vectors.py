"""Vectors of texts by a frozen sentence encoder, each computed once and kept on disk."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from longsum.common.arrays import Places, Vectors
from longsum.common.files import unfinished
from longsum.common.wording import counted
from longsum.models.networks.extractive.extractor_layers import SentenceEncoder, encode_sorted
from longsum.models.tasks.extraction.prepared_units import ExtractionSplit

_BLOCK = 16_384
"""Texts of a shard: an interrupted run loses no more than one."""
_SUFFIX = ".npy"

Keys = NDArray[np.uint64]


class TextVectors:
    """The vectors of a split's texts, gathered from shards on disk.

    Args:
        shards: `[texts, D]` each, memory-mapped.
        rows: `[texts of the split]`, the index of each text among the rows of all shards.
    """

    def __init__(self, shards: Sequence[Vectors], rows: Places) -> None:
        self._shards = shards
        self._ends = np.cumsum([len(shard) for shard in shards])
        self._rows = rows

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, texts: slice) -> Vectors:
        """Return the vectors of consecutive texts, `[m, D]`."""
        rows = self._rows[texts]
        shard_of = np.searchsorted(self._ends, rows, side="right")
        vectors = np.empty((len(rows), self._shards[0].shape[1]), self._shards[0].dtype)
        for number in np.unique(shard_of).tolist():
            inside = shard_of == number
            shard = self._shards[number]
            vectors[inside] = shard[rows[inside] - int(self._ends[number]) + len(shard)]
        return vectors


def text_vectors(
    encoder: SentenceEncoder,
    split: ExtractionSplit,
    folder: Path,
    *,
    bf16: bool,
    say: Callable[[str], None] = lambda _: None,
) -> TextVectors:
    """Return the vectors of all texts of a split, encoding those that no earlier run has encoded.

    Texts are identified by their tokens, so that for a split with a few more documents, or with
    other targets, only new texts are encoded.

    The vectors are kept in the folder; `say` is called with a sentence when encoding begins.
    """
    home = folder / f"vectors-{_fingerprint(encoder, bf16)}"
    keys = _keys(split)
    _, first = np.unique(keys, return_index=True)
    lengths = np.diff(split.text_ends, prepend=0)
    new = first[~np.isin(keys[first], _known(home))]
    if len(new):
        say(f"encoding {counted(len(new), 'text')}")
        # Texts of similar length in one shard, so that little is padding.
        new = new[np.lexsort((keys[new], lengths[new]))]
        for start in range(0, len(new), _BLOCK):
            texts = new[start : start + _BLOCK]
            _write(home, keys[texts], _encode(encoder, split, texts, bf16))
    names = sorted(home.glob(f"*.keys{_SUFFIX}"))
    known = np.concatenate([np.load(name) for name in names])
    order = np.argsort(known, kind="stable")
    rows = order[np.searchsorted(known, keys, sorter=order)]
    files = [name.with_name(name.name.replace(".keys", "")) for name in names]
    shards = [np.load(file, mmap_mode="r") for file in files]
    return TextVectors(shards, rows)


def _known(home: Path) -> Keys:
    """Return the keys of all texts that have a vector."""
    shards = [np.load(name) for name in sorted(home.glob(f"*.keys{_SUFFIX}"))]
    return np.concatenate([*shards, np.zeros(0, np.uint64)])


def _write(home: Path, keys: Keys, vectors: Vectors) -> None:
    """Write a shard; its keys come last, so that they never refer to missing vectors."""
    name = hashlib.sha256(keys.tobytes()).hexdigest()[:16]
    for suffix, values in (("", vectors), (".keys", keys)):
        # Several runs may share the folder and start at the same time.
        with unfinished(home / f"{name}{suffix}{_SUFFIX}") as file, file.open("wb") as stream:
            np.save(stream, values)


@torch.inference_mode()
def _encode(encoder: SentenceEncoder, split: ExtractionSplit, texts: Places, bf16: bool) -> Vectors:
    """Return the vectors of texts, `[m, D]`."""
    device = next(encoder.parameters()).device
    encoder.eval()
    tokens, lengths = _padded(split, texts)
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        encoded = encode_sorted(encoder, tokens.to(device), lengths.to(device))
    vectors: Vectors = encoded.half().cpu().numpy()
    return vectors


def _padded(split: ExtractionSplit, texts: Places) -> tuple[Tensor, Tensor]:
    """Return the tokens of texts, `[m, t]`, and their lengths, `[m]`."""
    starts = np.concatenate([[0], split.text_ends[:-1]])[texts]
    lengths = split.text_ends[texts] - starts
    places = starts[:, None] + np.arange(int(lengths.max()))
    tokens = split.tokens[np.minimum(places, len(split.tokens) - 1)].astype(np.int64)
    return torch.from_numpy(tokens), torch.from_numpy(lengths)


def _keys(split: ExtractionSplit) -> Keys:
    """Return a hash of the tokens of each text."""
    starts = [0, *split.text_ends[:-1].tolist()]
    tokens = np.asarray(split.tokens, dtype=np.int32)
    digests = [
        hashlib.blake2b(tokens[start:end].tobytes(), digest_size=8).digest()
        for start, end in zip(starts, split.text_ends.tolist(), strict=True)
    ]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


def _fingerprint(encoder: SentenceEncoder, bf16: bool) -> str:
    digest = hashlib.sha256(f"{bf16} {encoder.config.representation}".encode())
    for tensor in encoder.state_dict().values():
        digest.update(tensor.float().cpu().numpy().tobytes())
    return digest.hexdigest()[:16]
