"""Pruning a WordPiece vocabulary to the pieces that occur in a kind of text."""

import json
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

from tokenizers import Tokenizer

from longsum.common.errors import LongsumError

_BLOCK = 256


def shrink_vocabulary(
    tokenizer: Tokenizer, texts: Iterable[str], size: int
) -> tuple[Tokenizer, list[int]]:
    """Keep the most frequent pieces; words whose piece is dropped are split into smaller ones.

    Special tokens and single characters are always kept, so every text that could be encoded still
    can be.

    The tokenizer must be of WordPiece, such as BERT's; pieces are counted in the texts, and `size`
    of them are kept.

    Returns:
        The tokenizer, and the old id of each of its ids: the rows of an embedding to keep.

    Raises:
        LongsumError: The tokenizer is of another kind, or `size` is smaller than the number of
            pieces that are always kept.
    """
    data = json.loads(tokenizer.to_str())
    if data["model"]["type"] != "WordPiece":
        raise LongsumError("Only a WordPiece vocabulary can be reduced; use that of BERT.")
    vocabulary: dict[str, int] = data["model"]["vocab"]
    counts = _count(tokenizer, texts)
    special = {token["id"] for token in data["added_tokens"]}
    prefix = data["model"]["continuing_subword_prefix"]
    always = {
        number
        for piece, number in vocabulary.items()
        if number in special or len(piece.removeprefix(prefix)) == 1
    }
    if len(always) > size:
        raise LongsumError(f"A vocabulary of {size} is too small; give at least {len(always)}.")
    others = (number for number, _ in counts.most_common() if number not in always)
    kept = sorted([*always, *islice(others, size - len(always))])
    renumbered = {number: place for place, number in enumerate(kept)}
    data["model"]["vocab"] = {
        piece: renumbered[number] for piece, number in vocabulary.items() if number in renumbered
    }
    for token in data["added_tokens"]:
        token["id"] = renumbered[token["id"]]
    _renumber(data["post_processor"], renumbered)
    data["padding"] = data["truncation"] = None
    return Tokenizer.from_str(json.dumps(data)), kept


def _count(tokenizer: Tokenizer, texts: Iterable[str]) -> Counter[int]:
    counts: Counter[int] = Counter()
    batch: list[str] = []

    def add() -> None:
        for encoding in tokenizer.encode_batch_fast(batch, add_special_tokens=False):
            counts.update(encoding.ids)
        batch.clear()

    tokenizer.no_truncation()
    tokenizer.no_padding()
    for text in texts:
        batch.append(text)
        if len(batch) == _BLOCK:
            add()
    add()
    return counts


def _renumber(processor: dict[str, Any] | None, renumbered: dict[int, int]) -> None:
    """Renumber the ids in the post-processor, which adds start and end tokens."""
    if processor is None:
        return
    for token in processor.get("special_tokens", {}).values():
        token["ids"] = [renumbered[number] for number in token["ids"]]
    for name in ("sep", "cls"):
        if name in processor:
            processor[name][1] = renumbered[processor[name][1]]
