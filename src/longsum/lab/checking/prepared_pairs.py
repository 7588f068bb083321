"""Pairs of texts as tokens, with their targets."""

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
        segments: 0 for those of the first text and 1 for those of the second, `[n]`.
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
        targets: The targets of each, `[pairs, k]`.
        left_out: How many were left out because nothing can be learned from them, `[1]`.
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
        found: list[int] = np.diff(self.ends, prepend=0).tolist()
        return found


def encode_spans(
    items: Iterable[SpanItem | None],
    tokenizer: PreTrainedTokenizerBase,
    tokens: int,
    stride: int,
) -> Iterable[EncodedPair | None]:
    """Yield questions with their contexts; None if the answer is lost.

    A context that does not fit is split, and the part with the most context on both sides of the
    answer is taken, as for SQuAD in the released code of BERT.

    Two parts of a context share `stride` tokens.

    Raises:
        LongsumError: The tokenizer does not know the offsets of tokens.
    """
    check_offsets(tokenizer)
    for item in items:
        if item is None:
            yield None
            continue
        # A question alone leaves no room for a context only if it is no sentence.
        if len(tokenizer(item.question)["input_ids"]) > tokens // 2:
            yield None
            continue
        yield _window(tokenizer, item, tokens, stride)


def _window(
    tokenizer: PreTrainedTokenizerBase, item: SpanItem, tokens: int, stride: int
) -> EncodedPair | None:
    read = _read(
        tokenizer,
        item.question,
        item.context,
        "only_second",
        tokens,
        stride=stride,
        return_overflowing_tokens=True,
    )
    found: list[tuple[int, int, int, int]] = []
    for number, ids in enumerate(read["input_ids"]):
        first = read.char_to_token(number, item.start, sequence_index=1)
        last = read.char_to_token(number, item.end - 1, sequence_index=1)
        if first is not None and last is not None:
            before = first - read.sequence_ids(number).index(1)
            found.append((min(before, len(ids) - last), number, first, last))
    if not found:
        return None
    _, number, first, last = max(found, key=lambda each: (each[0], -each[1]))
    return _pair({name: read[name][number] for name in _COLUMNS}, [first, last])


def encode_claims(
    items: Iterable[ClaimItem], tokenizer: PreTrainedTokenizerBase, tokens: int
) -> Iterable[EncodedPair]:
    """Yield contexts with their claims, cut to a number of tokens."""
    for item in items:
        read = _read(tokenizer, item.context, item.claim, "longest_first", tokens)
        yield _pair(read, [CLAIM_KINDS.index(item.kind)])


def _read(
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


def _pair(read: Any, targets: Sequence[int]) -> EncodedPair:
    return EncodedPair(
        np.array(read["input_ids"], np.int32),
        np.array(read["token_type_ids"], np.int32),
        np.array(targets, np.int32),
    )
