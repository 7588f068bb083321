"""The user's own data: the name of a file or folder instead of a data set's.

A name may map fields like a URL query: `cases.csv?document=body&summary=gist`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from longsum.common.errors import LongsumError
from longsum.common.names import path_exists
from longsum.common.wording import choose_from, quote
from longsum.evaluation.datasets.info import (
    HASHED_SPLITS,
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    canonical_split,
    hash_split,
    other_fields,
)
from longsum.evaluation.datasets.record_files import ENDINGS, is_record_file, records

WHOLE = "all"
"""The split with all records of a file that has no splits."""

USUAL: Mapping[str, tuple[str, ...]] = {
    "document": (
        *("document", "text", "sections", "article", "report", "source", "transcript", "dialogue"),
        *("body", "content", "input", "context"),
    ),
    "summary": (
        *("summary", "summaries", "reference", "references", "highlights", "abstract", "target"),
        *("output", "answer", "answers"),
    ),
    "id": ("id", "uid", "doc_id", "document_id", "article_id", "key"),
    "title": ("title", "headline"),
    "question": ("question", "query"),
    "license": ("license", "licence"),
    "split": ("split",),
}
"""Usual field names by meaning; of those that a record has, the first one counts."""

_SAVED = ("dataset_dict.json", "dataset_info.json", "state.json")


@dataclass(frozen=True, slots=True)
class OwnData:
    """A file or folder of records, and the meaning of its fields.

    Attributes:
        path: The file, or the folder.
        given: Fields by meaning, as given by the user.
    """

    path: Path
    given: Mapping[str, str]

    @classmethod
    def parse(cls, name: str) -> "OwnData | None":
        """Return the data with a name; None if the name can only be that of a data set.

        Raises:
            LongsumError: The name is that of a missing file, or has an unknown meaning.
        """
        path, _, query = name.partition("?")
        given = dict(parse_qsl(query))
        if not path_exists(path) or not path:
            if Path(path).suffix and is_record_file(Path(path)):
                raise LongsumError(f"There is no file {quote(path)}; check the path of the data.")
            return None
        for meaning in given:
            if meaning not in USUAL:
                near = choose_from(meaning, USUAL)
                raise LongsumError(f"A field cannot be mapped to {quote(meaning)}; {near}")
        return cls(Path(path), given)

    @property
    def stamp(self) -> list[tuple[str, int, int]]:
        """The state of the files: names, sizes and modification times."""
        stats = {str(file): file.stat() for file in self._all_files()}
        return [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()]

    def _all_files(self) -> list[Path]:
        every = sorted(self.path.rglob("*")) if self.path.is_dir() else [self.path]
        return [file for file in every if file.is_file()]

    def files(self) -> dict[str, list[Path]]:
        """Return the files of each split; of `all` if there are no splits.

        Raises:
            LongsumError: There is no file of records.
        """
        by_split: dict[str, list[Path]] = {}
        for file in self._all_files():
            if is_record_file(file) and file.name not in _SAVED:
                inner = file.relative_to(self.path).parts or (file.name,)
                stated = filter(None, map(_stated_split, reversed(inner)))
                by_split.setdefault(next(stated, WHOLE), []).append(file)
        if not by_split:
            raise LongsumError(
                f"{quote(self.path)} holds no records; give JSON lines, CSV or Parquet "
                f"({', '.join(ENDINGS)}), a folder of them, or one that 'datasets' saved."
            )
        return by_split

    def fields(self) -> dict[str, str]:
        """Return the field of each meaning, as far as the first record has one.

        Raises:
            LongsumError: A named field is missing, or there is no field for the document or the
                summary.
        """
        first = self._first()
        known = ", ".join(map(str, first)) or "no fields"
        for field in self.given.values():
            if field not in first:
                near = choose_from(field, map(str, first))
                raise LongsumError(f"{self.path.name} has no field {quote(field)}; {near}")
        fields = dict(self.given)
        for meaning, usual in USUAL.items():
            free = [name for name in usual if name in first and name not in fields.values()]
            if meaning not in fields and free:
                fields[meaning] = free[0]
            elif meaning not in fields and meaning in ("document", "summary"):
                raise LongsumError(
                    f"It is not clear which field of {self.path.name} is the {meaning}: it has "
                    f"{known}. Name it with --map {meaning}=FIELD."
                )
        return fields

    def _first(self) -> Mapping[str, Any]:
        """Return the first record; an empty one if there is none."""
        every = (record for files in self.files().values() for record in records(files[0]))
        return next(every, {})

    @property
    def understood(self) -> str:
        """A sentence that says what each field means."""
        fields = self.fields()
        parts = [f"{quote(fields[name])} is the {name}" for name in USUAL if name in fields]
        unread = [quote(str(name)) for name in self._first() if name not in fields.values()]
        rest = f"; not read: {', '.join(unread)}" if unread else ""
        return f"{self.path.name}: {', '.join(parts)}{rest}."


def name_with_fields(name: str, fields: Mapping[str, str]) -> str:
    """Return the name of data with fields mapped to their meanings."""
    if not fields:
        return name
    return f"{name}{'&' if '?' in name else '?'}{urlencode(fields)}"


def own_dataset(name: str) -> Dataset | None:
    """Return the data set of a user's files; None if a name does not stand for any.

    Raises:
        LongsumError: The files cannot be read as a data set; see `OwnData`.
    """
    if (own := OwnData.parse(name)) is None:
        return None
    fields, files = own.fields(), own.files()
    splits: tuple[str, ...] = tuple(files)
    if splits == (WHOLE,) and "split" in fields:
        splits = _stated_splits(fields["split"], tuple(files[WHOLE]), repr(own.stamp))
    elif splits == (WHOLE,):
        splits = (WHOLE, *HASHED_SPLITS)
    info = DatasetInfo(
        name=own.path.name,
        description="Data of the user's own",
        license="not stated",
        ships="per record" if "license" in fields else False,
        source=str(own.path),
        splits=splits,
        variable="",
    )

    def read(_: Path, split: str) -> Iterator[Example]:
        of_files = chain.from_iterable(map(records, files.get(split, files.get(WHOLE, []))))
        for number, record in enumerate(of_files, start=1):
            id = str(record.get(fields["id"], number) if "id" in fields else number)
            if split not in files:
                stated = record[fields["split"]] if "split" in fields else hash_split(id)
                if canonical_split(str(stated)) != split:
                    continue
            try:
                yield _example(info, fields, record, id, split)
            except (TypeError, ValueError, AttributeError, KeyError):
                raise LongsumError(
                    f"Record {number} of {info.name} cannot be read: the document must be a text, "
                    "a list of paragraphs or of sections, the summary a text or a list of texts."
                ) from None

    return Dataset(info, read)


def _example(
    info: DatasetInfo, fields: Mapping[str, str], record: Mapping[str, Any], id: str, split: str
) -> Example:
    def text(meaning: str) -> str:
        # pandas writes row numbers under an empty name.
        return str(record.get(fields[meaning]) or "") if meaning in fields else ""

    body, summary = record[fields["document"]], record[fields["summary"]]
    document: Mapping[str, Any] = {"title": text("title"), "sections": body}
    if isinstance(body, str):
        document = {"title": text("title"), "text": body}
    elif all(isinstance(item, str) for item in body):
        document = as_paragraphs(body, text("title"))
    example = info.example(
        document,
        id=id,
        references=[summary] if isinstance(summary, str) else list(summary or ()),
        split=split,
        extra=other_fields(record, *fields.values()),
        license=text("license"),
    )
    return replace(example, question=text("question"))


@lru_cache(maxsize=16)
def _stated_splits(field: str, files: tuple[Path, ...], stamp: str) -> tuple[str, ...]:  # noqa: ARG001
    """Return the splits that a field of the records names, which takes reading all of them."""
    every = (record.get(field) for path in files for record in records(path))
    return tuple(dict.fromkeys(canonical_split(str(split)) for split in every))


def _stated_split(name: str) -> str | None:
    """Return the split that a name states: `train.jsonl`, `cases-dev.csv`."""
    words = name.partition(".")[0].replace("-", "_").split("_")
    stated = set(map(canonical_split, words))
    return next((split for split in HASHED_SPLITS if split in stated), None)
