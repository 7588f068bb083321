"""Results: a row for every document, whether summarized or not; and row files."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args, get_origin, get_type_hints

from longsum.common.errors import LongsumError
from longsum.common.extras import missing_extras_explained, require
from longsum.common.files import write_text
from longsum.common.structured_text import encodable, parse_json
from longsum.core.summaries import Summary
from longsum.core.summaries.result_file import dump_json, summary_to_json
from longsum.documents.model import Document

if TYPE_CHECKING:
    from pyarrow import Schema

Failure = Literal["unreadable", "refused", "fault", "crash", "timeout"]
"""Why there is no summary: the document could not be read; the system refused it; the program has a
bug; the process died twice on this document; or it exceeded the time limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSentence:
    """A sentence of a summary with its place in the document.

    Attributes:
        text: The sentence.
        start: Offset of its first source in the document's text; None if no source was found.
        end: Offset after it.
        page: Page of that source, if the format has pages.
        section: Title of its section.
        doubts: Doubts that checks raised, if a model wrote it.
    """

    text: str
    start: int | None = None
    end: int | None = None
    page: int | None = None
    section: str = ""
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The result for a document.

    Attributes:
        id: The document's id.
        status: `ok` or `failed`.
        summary: The text; empty if there is none.
        sentences: Its sentences with their sources.
        words: Its words.
        title: The document's title.
        sha256: Hash of the document's text.
        characters: Length of the document's text.
        sentences_read: Number of its sentences that the system read.
        sentences_total: Number of its sentences.
        finish_reason: Why the summary is not longer.
        notices: Notices for the reader.
        seconds: Seconds that the system took, without reading, and without encoding if documents
            are encoded together.
        error_type: Why there is no summary; None if there is one.
        error: The same in a sentence.
        result: The whole result as `longsum summarize --format json` prints it, if asked for.
    """

    id: str
    status: Literal["ok", "failed"]
    summary: str = ""
    sentences: tuple[RowSentence, ...] = ()
    words: int = 0
    title: str = ""
    sha256: str = ""
    characters: int = 0
    sentences_read: int = 0
    sentences_total: int = 0
    finish_reason: str = ""
    notices: tuple[str, ...] = ()
    seconds: float = 0.0
    error_type: Failure | None = None
    error: str = ""
    result: str = ""

    @classmethod
    def of(cls, id: str, summary: Summary, seconds: float, *, full: bool) -> "Row":
        """Return the row of a summary.

        `seconds` is the time taken; if `full`, the row contains the whole result.
        """
        document = summary.document
        return cls(
            id=id,
            status="ok",
            summary=summary.text,
            sentences=_sentences(summary),
            words=summary.words,
            title=document.title,
            sha256=document.sha256,
            characters=len(document.text),
            sentences_read=summary.coverage.sentences_read,
            sentences_total=summary.coverage.sentences_total,
            finish_reason=summary.finish_reason,
            notices=summary.warnings,
            seconds=round(seconds, 4),
            result=dump_json(summary_to_json(summary)) if full else "",
        )

    @classmethod
    def failed(cls, id: str, why: Failure, error: str, document: Document | None = None) -> "Row":
        """Return the row of a document without a summary."""
        known: dict[str, Any] = {}
        if document is not None:
            known = {
                "title": document.title,
                "sha256": document.sha256,
                "characters": len(document.text),
                "sentences_total": len(document.sentences),
            }
        return cls(id=id, status="failed", error_type=why, error=error, **known)

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> "Row":
        """Return the row for JSON values made by `asdict`.

        Raises:
            KeyError, TypeError: They are not a row.
        """
        known = {field.name: value[field.name] for field in fields(cls)}
        known["sentences"] = tuple(
            RowSentence(**{**sentence, "doubts": tuple(sentence["doubts"])})
            for sentence in known["sentences"]
        )
        known["notices"] = tuple(known["notices"])
        return cls(**known)


def _sentences(summary: Summary) -> tuple[RowSentence, ...]:
    rows = []
    for sentence in summary.sentences:
        place: dict[str, Any] = {}
        if sentence.sources:
            source = sentence.sources[0]
            section = summary.document.section_of(source.sentence).title
            place = {"start": source.start, "end": source.end, "page": source.page}
            place["section"] = section
        doubts = tuple(map(str, sentence.doubts))
        rows.append(RowSentence(text=sentence.text, doubts=doubts, **place))
    return tuple(rows)


RowFormat = Literal["parquet", "jsonl"]


def check_format(form: RowFormat) -> None:
    """Reject a format that cannot be written because a package is missing."""
    if form == "parquet":
        try:
            require("pyarrow")
        except LongsumError as error:
            raise LongsumError(f"{error} Or give --format jsonl.") from None


def write_rows(path: Path, rows: Sequence[Row], form: RowFormat) -> None:
    """Write rows into a file.

    Raises:
        LongsumError: It cannot be written, or a package is missing.
    """
    values = [asdict(row) for row in rows]
    if form == "jsonl":
        # Escaped, since a document may contain lone surrogates.
        write_text(path, "".join(f"{json.dumps(value)}\n" for value in values))
        return
    with missing_extras_explained():
        import pyarrow as pa
        from pyarrow import parquet
    table = pa.Table.from_pylist([encodable(value) for value in values], schema=_schema())
    parquet.write_table(table, path, compression="zstd")


def read_rows(path: Path, form: RowFormat) -> Iterator[Row]:
    """Yield the rows of a file.

    Raises:
        LongsumError: It is missing or damaged, or a package is missing.
    """
    try:
        for value in _values(path, form):
            yield Row.from_dict(value)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LongsumError(
            f"'{path}' cannot be read as rows of results ({error}); resume the run, which makes "
            "them again."
        ) from None


def _values(path: Path, form: RowFormat) -> Iterator[dict[str, Any]]:
    if form == "jsonl":
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield parse_json(line)
        return
    with missing_extras_explained():
        from pyarrow.parquet import read_table
    # Of this file only: folder names are not columns.
    yield from read_table(path, partitioning=None).to_pylist()


def _schema() -> "Schema":
    """Return the columns of a row, by the types of its fields."""
    import pyarrow as pa

    plain = {int: pa.int64(), float: pa.float64()}

    def columns(kind: type) -> dict[str, Any]:
        return {name: column(hint) for name, hint in get_type_hints(kind).items()}

    def column(hint: Any) -> Any:
        if get_origin(hint) is tuple:
            return pa.list_(column(get_args(hint)[0]))
        if is_dataclass(hint):
            return pa.struct(columns(cast(type, hint)))
        known = (plain[each] for each in (hint, *get_args(hint)) if each in plain)
        return next(known, pa.string())

    return pa.schema(columns(Row))
