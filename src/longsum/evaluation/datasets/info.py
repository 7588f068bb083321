"""Examples of data sets, their catalogue entries and splits, and what their licences allow."""

import hashlib
import re
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal

from longsum.common.wording import quote
from longsum.documents.model import Document, Source
from longsum.documents.readers.json.json import document_from_record
from longsum.evaluation.aspects import Labelled, labelled


@dataclass(frozen=True, slots=True)
class Example:
    """A document and its reference summaries.

    Attributes:
        id: Identifier in the data set, unique within a split.
        document: The document.
        references: The reference summaries, in the set's order; the set's paper scores against the
            first. If the set marks the sentences of a summary, each has a line of its own.
        split: `train`, `validation`, `test`, or another name that the set uses.
        license: Licence of this example as stated by its source.
        extra: Further fields of the set: questions, queries, section summaries, labels.
        question: The question that the references answer; empty if they summarize the document.
    """

    id: str
    document: Document
    references: tuple[str, ...]
    split: str
    license: str
    extra: Mapping[str, Any]
    question: str = ""

    def __repr__(self) -> str:
        return f"<Example {quote(self.id)} of the split {quote(self.split)}: {self.document!r}>"


def other_fields(record: Mapping[str, Any], *used: str) -> dict[str, Any]:
    """Return all fields of a record except those used, unchanged."""
    return {key: value for key, value in record.items() if key not in used}


def as_paragraphs(lines: Iterable[str], title: str = "") -> dict[str, Any]:
    """Return a record without headings, with one paragraph per line."""
    return {"title": title, "sections": [{"title": "", "paragraphs": list(lines)}]}


LABELLED_SUMMARY = "labelled_summary"
"""The extra field with a summary including its titles, if the reference leaves them out."""


def labelled_references(example: Example) -> list[Labelled]:
    """Return the references that have aspects, from their labels or from titles kept by the set."""
    titled = example.extra.get(LABELLED_SUMMARY)
    texts = example.references if titled is None else (str(titled),)
    return [reference for text in texts if (reference := labelled(text)) is not None]


_NAMES = {
    "train": ("train", "training", "us_train"),
    "validation": ("validation", "val", "valid", "dev"),
    "test": ("test", "us_test"),
    "examples": ("examples", "example"),
}
HASHED_SPLITS = ("train", "validation", "test")
"""The splits that `hash_split` makes."""


def canonical_split(name: str) -> str:
    """Return the name that longsum uses: `val`, `valid` and `dev` mean `validation`.

    An unknown name is returned unchanged.
    """
    for canonical, names in _NAMES.items():
        if name in names:
            return canonical
    return name


def split_names(split: str) -> tuple[str, ...]:
    """Return the names that releases use for a canonical split."""
    return _NAMES.get(split, (split,))


def hash_split(id: str, shares: tuple[int, int, int] = (8, 1, 1)) -> str:
    """Return the split of an example in a set that was published without splits: 80 : 10 : 10.

    The first eight bytes of the SHA-256 of the id in UTF-8, read as a big-endian number, modulo 10:
    0 to 7 is `train`, 8 is `validation`, 9 is `test`. It depends only on the id, so it is stable
    when the set grows.

    Args:
        id: The example's identifier.
        shares: Other shares of the three splits, whose sum is then the modulus.
    """
    number = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big") % sum(shares)
    return HASHED_SPLITS[bisect(list(accumulate(shares)), number)]


Kind = Literal["text", "table", "ratings"]
SHARED_VARIABLE = "LONGSUM_DATA"
"""Environment variable with the folder of the shared sets, one subfolder each."""

# CC BY, CC0 and public domain, as PubMed Central spells them and as licence URLs; permissive
# licences of software.
_FREE = re.compile(
    r"(?:cc-)+(?:by|zero)(?:-\d\.\d)?"
    r"|cc0(?:-1\.0)?"
    r"|public-domain|apache-2\.0|mit|isc|bsd-[23]-clause"
    r"|https?://creativecommons\.org/(?:licenses/by|publicdomain/zero)/\d\.\d/?"
)


@dataclass(frozen=True, slots=True)
class DatasetInfo:
    """The catalogue entry of a data set.

    Attributes:
        name: Name of the set for `load`.
        description: Its content, in one line.
        license: Licence as stated by its source.
        ships: Whether the licence allows models trained on the set to be redistributed, including
            for commercial use and with changes; `per record` if each example has its own licence.
            Share-alike licences count as no, since models would have to carry the same licence.
        source: Where it comes from.
        kind: `text` for documents with summaries; `table` and `ratings` are listed but cannot be
            read as examples.
        splits: Names of its splits.
        paper_or_url: Paper or home page.
        note: Caveats for users; often empty.
        variable: Environment variable that names its folder; empty if none is needed.
    """

    name: str
    description: str
    license: str
    ships: bool | Literal["per record"]
    source: str
    kind: Kind = "text"
    splits: tuple[str, ...] = HASHED_SPLITS
    paper_or_url: str = ""
    note: str = ""
    variable: str = SHARED_VARIABLE

    def example(
        self,
        record: Mapping[str, Any],
        *,
        id: str,
        references: Iterable[str | None],
        split: str,
        extra: Mapping[str, Any],
        license: str = "",
    ) -> Example:
        """Make an example of this set from a record of the form that `document_from_record` reads.

        References that are None or blank are left out; the default licence is that of the set.

        Raises:
            TypeError, AttributeError, ValueError: The record has another form.
        """
        return Example(
            id=id,
            document=document_from_record(record, Source(id, self.name)),
            references=tuple(text.strip() for text in references if text and text.strip()),
            split=split,
            license=license or self.license,
            extra=extra,
        )


Reader = Callable[[Path, str], Iterator[Example]]


@dataclass(frozen=True, slots=True)
class Dataset:
    """A catalogue entry with its reader, a function of a folder and a canonical split."""

    info: DatasetInfo
    read: Reader


def may_ship(info: DatasetInfo, example: Example) -> bool:
    """Return whether models trained on this example may be redistributed.

    If it depends on the example, only CC BY, CC0, the public domain and permissive licences of
    software count (Apache 2.0, MIT, ISC, BSD); a licence that is not recognised verbatim counts as
    no.
    """
    if info.ships == "per record":
        return _FREE.fullmatch(example.license.strip().lower()) is not None
    return info.ships
