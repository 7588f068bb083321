"""A split of a data set as arrays of tokens: prepared once, kept in a file, read by every run."""

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from transformers import PreTrainedTokenizerBase

from longsum.common.arrays import Ints, Places
from longsum.common.errors import LongsumError
from longsum.common.files import unfinished
from longsum.models.tasks.source import (
    EncodedSource,
    Overflow,
    SourceFormat,
    closed,
    encode_source,
    tokens_kept,
)
from longsum.models.tasks.task import Pair
from longsum.models.tasks.tokens import encode_pieces, encode_target, ends


class Columns:
    """Base of dataclasses whose fields are all arrays; saves and loads them."""

    __slots__ = ()

    def save(self, path: Path) -> None:
        """Write to a compressed file; an existing file is replaced atomically."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        with unfinished(path) as part, part.open("wb") as file:
            np.savez_compressed(file, **{name: getattr(self, name) for name in names})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote; a column with a default may be missing in an older file.

        Raises:
            LongsumError: The file is damaged or has another format.
        """
        try:
            with np.load(path, allow_pickle=False) as columns:
                return cls(**{name: columns[name] for name in _wanted(cls, columns.files)})
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise LongsumError(
                f"The prepared data in {path.name} cannot be read; delete the file and prepare "
                "the data again."
            ) from error


def joined(parts: Sequence[Any], name: str) -> tuple[Any, Places]:
    """Concatenate an array that each part has under a name; also return where each one ends."""
    arrays = [getattr(part, name) for part in parts]
    return np.concatenate(arrays), np.cumsum([len(array) for array in arrays])


def entry(ends: Places, index: int) -> slice:
    """Return the slice of one of several concatenated entries."""
    return slice(int(ends[index - 1]) if index else 0, int(ends[index]))


def _wanted(form: type[Columns], stored: Sequence[str]) -> list[str]:
    """Return the columns to read: those without a default, and the others that the file has."""
    return [
        field.name
        for field in fields(form)  # type: ignore[arg-type]
        if field.default_factory is MISSING or field.name in stored
    ]


Importance = NDArray[np.int8] | NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PreparedSplit(Columns):
    """Training examples as tokens, concatenated in flat arrays.

    Attributes:
        ids: Tokens of all sources, start and end included.
        sentence_of: Sentence of each token of the sources, within its document.
        section_of: Section of each of these tokens, as a model sees it; see `EncodedSource`.
        source_ends: Where each source ends.
        section_parents: Parent of each section of all sources.
        section_ends: Where the sections of each source end.
        targets: Tokens of all targets, start and end included.
        target_ends: Where each target ends.
        special: Numbers of special tokens at the start and at the end of every source, `[2]`.
        importance: Of each token of all sources: the oracle's labels, 0 or 1, as integers; or a
            tagger's probabilities, as floats. Empty if the task has no importance.
    """

    ids: Ints
    sentence_of: Ints
    section_of: Ints
    source_ends: Places
    section_parents: Ints
    section_ends: Places
    targets: Ints
    target_ends: Places
    special: Places
    importance: Importance = field(default_factory=lambda: np.zeros(0, np.int8))

    @classmethod
    def of(
        cls,
        examples: Iterable[tuple[EncodedSource, Ints]],
        special: tuple[int, int] = (0, 0),
        importance: bool = False,
    ) -> "PreparedSplit":
        """Join encoded sources and their targets.

        Args:
            examples: Each source with its target.
            special: Numbers of special tokens at the start and at the end of every source.
            importance: Whether the sources have importance.

        Raises:
            LongsumError: There are none.
        """
        pairs = list(examples)
        if not pairs:
            raise LongsumError("There is nothing to learn from; choose a data set with summaries.")
        sources, targets = zip(*pairs, strict=True)
        ids, source_ends = joined(sources, "ids")
        parents, section_ends = joined(sources, "section_parents")
        return cls(
            ids=ids,
            sentence_of=joined(sources, "sentence_of")[0],
            section_of=joined(sources, "section_of")[0],
            source_ends=source_ends,
            section_parents=parents,
            section_ends=section_ends,
            targets=np.concatenate(targets),
            target_ends=np.cumsum([len(target) for target in targets]),
            special=np.array(special),
            importance=joined(sources, "important")[0][: len(ids) * importance],
        )

    def __len__(self) -> int:
        return len(self.source_ends)

    @property
    def labelled(self) -> bool:
        """Whether importance is the oracle's, which has read the targets."""
        return bool(len(self.importance)) and self.importance.dtype.kind == "i"

    def source(self, index: int) -> slice:
        """Return the slice of a source's tokens."""
        return entry(self.source_ends, index)

    def target(self, index: int) -> Ints:
        """Return the tokens of a target."""
        return self.targets[entry(self.target_ends, index)]

    def truncated(self, index: int, tokens: int, overflow: Overflow = "cut") -> Ints:
        """Return the tokens of a source; of one that is too long, the beginning and the end tokens.

        The beginning ends where `overflow` says; see `SourceFormat`.
        """
        body, close = self._parts(index, tokens, overflow)
        return np.concatenate([self.ids[body], self.ids[close]])

    def sections(self, index: int, tokens: int, overflow: Overflow = "cut") -> tuple[Ints, Ints]:
        """Return the section of each token that `truncated` returns, and each section's parent."""
        body, close = self._parts(index, tokens, overflow)
        parents = self.section_parents[entry(self.section_ends, index)]
        return closed(self.section_of[body], parents, close.stop - close.start)

    def weights(self, index: int, tokens: int, overflow: Overflow = "cut") -> Importance:
        """Return the importance of each token that `truncated` returns."""
        body, close = self._parts(index, tokens, overflow)
        return np.concatenate([self.importance[body], self.importance[close]])

    def _parts(self, index: int, tokens: int, overflow: Overflow) -> tuple[slice, slice]:
        """Return the slices of the beginning of a source and of its end tokens."""
        source, closing = self.source(index), int(self.special[1])
        body = slice(source.start, source.stop - closing)
        kept = tokens_kept(
            self.sentence_of[body], self.section_of[body], tokens - closing, overflow
        )
        return slice(body.start, body.start + kept), slice(body.stop, source.stop)

    def first(self, count: int | None) -> "PreparedSplit":
        """Return the first examples; None for all."""
        ends = (self.source_ends, self.section_ends, self.target_ends)
        source_ends, section_ends, target_ends = (array[:count] for array in ends)
        last = int(source_ends[-1])
        return replace(
            self,
            ids=self.ids[:last],
            sentence_of=self.sentence_of[:last],
            section_of=self.section_of[:last],
            source_ends=source_ends,
            section_parents=self.section_parents[: int(section_ends[-1])],
            section_ends=section_ends,
            targets=self.targets[: int(target_ends[-1])],
            target_ends=target_ends,
            importance=self.importance[:last],
        )


def prepare(
    pairs: Iterable[Pair],
    tokenizer: PreTrainedTokenizerBase,
    form: SourceFormat,
    target_tokens: int,
    *,
    importance: bool = False,
) -> PreparedSplit:
    """Encode training examples.

    With `importance`, tokens are labelled by their importance to the target.

    Raises:
        LongsumError: There are no examples, or the tokenizer lacks marks of the layout.
    """

    def encoded(pair: Pair) -> tuple[EncodedSource, Ints]:
        reference = pair.target if importance else None
        source = encode_source(pair.document, tokenizer, form, pair.question, reference)
        target = (
            encode_pieces(pair.pieces, tokenizer, target_tokens)
            if pair.pieces
            else encode_target(pair.target, tokenizer, target_tokens)
        )
        return source, np.array(target, np.int32)

    before, after = ends(tokenizer)
    return PreparedSplit.of(map(encoded, pairs), (len(before), len(after)), importance)
