"""Tokenized pairs of texts, with their targets."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from transformers import PreTrainedTokenizerBase

from longsum.common.arrays import Ints, Places
from longsum.lab.checking.check_items import CLAIM_KINDS, ClaimItem, SpanItem
from longsum.models.tasks.prepared import Columns, entry, joined
from longsum.models.tasks.tokens import check_offsets

_COLUMNS = ("input_ids", "token_type_ids")


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """A pair of texts as a model reads it.

    Attributes:
        ids: Tokens of both, with special tokens, `[n]`.
        segments: 0 for tokens of the first text and 1 for those of the second, `[n]`.
        targets: First and last token of the answer; or the kind of a claim, an index into
            `CLAIM_KINDS`.
    """

    ids: Ints
    segments: Ints
    targets: Ints


@dataclass(frozen=True, slots=True)
class PreparedPairs(Columns):
    """The pairs of a split.

    Attributes:
        ids: Tokens of all pairs, concatenated.
        segments: Their segments.
        ends: Where each pair ends among them, `[pairs]`.
        targets: The targets of each pair, `[pairs, k]`.
        left_out: How many pairs were left out because nothing can be learned from them, `[1]`.
    """

    ids: Ints
    segments: Ints
    ends: Places
    targets: Ints
    left_out: Ints

    @classmethod
    def of(cls, pairs: Sequence[EncodedPair], left_out: int = 0) -> "PreparedPairs":
        """Join pairs; there must be at least one."""
        ids, ends = joined(pairs, "ids")
        segments, _ = joined(pairs, "segments")
        targets = np.stack([pair.targets for pair in pairs])
        return cls(ids, segments, ends, targets, np.array([left_out], np.int32))

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> dict[str, Ints]:
        """Return the ids, segments and targets of a pair.

        Raises:
            IndexError: There are fewer pairs.
        """
        if not 0 <= index < len(self):
            raise IndexError(index)
        place = entry(self.ends, index)
        return {
            "input_ids": self.ids[place],
            "token_type_ids": self.segments[place],
            "targets": self.targets[index],
        }

    def lengths(self) -> list[int]:
        """Return the number of tokens of each pair."""
        lengths: list[int] = np.diff(self.ends, prepend=0).tolist()
        return lengths


def encode_spans(
    items: Iterable[SpanItem | None],
    tokenizer: PreTrainedTokenizerBase,
    tokens: int,
    stride: int,
) -> Iterable[EncodedPair | None]:
    """Yield questions with their contexts; None if the context does not have the whole answer.

    A context that does not fit is split into windows that overlap by `stride` tokens, and the one
    with the most context on both sides of the answer is taken, as for SQuAD in the released code of
    BERT.

    Raises:
        LongsumError: The tokenizer does not report the offsets of tokens.
    """
    check_offsets(tokenizer)
    for item in items:
        if item is None:
            yield None
            continue
        # A question that leaves too little room for its context is no ordinary sentence.
        if len(tokenizer(item.question)["input_ids"]) > tokens // 2:
            yield None
            continue
        yield _window(tokenizer, item, tokens, stride)


def _window(
    tokenizer: PreTrainedTokenizerBase, item: SpanItem, tokens: int, stride: int
) -> EncodedPair | None:
    encoded = _encode(
        tokenizer,
        item.question,
        item.context,
        "only_second",
        tokens,
        stride=stride,
        return_overflowing_tokens=True,
    )
    windows: list[tuple[int, int, int, int]] = []
    for number, ids in enumerate(encoded["input_ids"]):
        first = encoded.char_to_token(number, item.start, sequence_index=1)
        last = encoded.char_to_token(number, item.end - 1, sequence_index=1)
        if first is not None and last is not None:
            before = first - encoded.sequence_ids(number).index(1)
            windows.append((min(before, len(ids) - last), number, first, last))
    if not windows:
        return None
    _, number, first, last = max(windows, key=lambda window: (window[0], -window[1]))
    return _pair({name: encoded[name][number] for name in _COLUMNS}, [first, last])


def encode_claims(
    items: Iterable[ClaimItem], tokenizer: PreTrainedTokenizerBase, tokens: int
) -> Iterable[EncodedPair]:
    """Yield contexts with their claims, truncated to a number of tokens."""
    for item in items:
        encoded = _encode(tokenizer, item.context, item.claim, "longest_first", tokens)
        yield _pair(encoded, [CLAIM_KINDS.index(item.kind)])


def _encode(
    tokenizer: PreTrainedTokenizerBase,
    one: str,
    other: str,
    truncation: str,
    tokens: int,
    **more: Any,
) -> Any:
    return tokenizer(
        one,
        other,
        truncation=truncation,
        max_length=tokens,
        return_token_type_ids=True,
        split_special_tokens=True,
        **more,
    )


def _pair(encoded: Any, targets: Sequence[int]) -> EncodedPair:
    return EncodedPair(
        np.array(encoded["input_ids"], np.int32),
        np.array(encoded["token_type_ids"], np.int32),
        np.array(targets, np.int32),
    )
