"""BookSum (Kryściński et al. 2022): paragraphs, chapters and whole books with summaries.

Two forms are read. The authors' (github:salesforce/booksum, README) is the repository with the
chapterised books in it or beside it, and with the summaries that its scripts collected:

- `alignments/chapter-level-summary-alignments/chapter_summary_aligned_{split}_split.jsonl` with
  `bid`, `book_id`, `source`, `chapter_path`, `summary_path` and more;
- `alignments/book-level-summary-alignments/book_summaries_aligned_{split}.jsonl` with `bid`,
  `title`, `source`, `book_path`, `summary_path`;
- `alignments/paragraph-level-summary-alignments/…{split}_split.jsonl.gathered.stable.`
  `bi_encoder_paraphrase.aggregated` with `title`, `text` and `summary` (sentences);
- `all_chapterized_books/` holds the texts; `scripts/finished_summaries/` the summaries, each a JSON
  object with `summary` (paragraphs).

A book has summaries of its chapters in `extra["section_summaries"]`, `{"section", "text"}` each:
those of the guide that summarizes the book or, if it has none, of the one with most chapters.

The processed chapters are JSON lines or CSV named after the split, with `chapter`, `summary_text`,
`book_id`, `summary_path` and more.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example, other_fields
from longsum.evaluation.datasets.record_files import (
    first_folder,
    json_file,
    json_lines,
    no_split_file,
    records,
    require_split_file,
    split_file,
    text_file,
)

_CHAPTER = DatasetInfo(
    name="booksum_chapter",
    description="Chapters of novels, plays and stories with summaries of study guides",
    license="BSD-3-Clause (scripts); research use only, none stated for the summaries",
    ships=False,
    source="github:salesforce/booksum",
    paper_or_url="https://aclanthology.org/2022.findings-emnlp.488",
    note="A chapter occurs once for each guide; those whose files are missing are left out.",
    variable="LONGSUM_DATA_BOOKSUM",
)
_BOOK = replace(
    _CHAPTER,
    name="booksum_book",
    description="Whole novels, plays and stories with summaries of study guides",
    note="A book occurs once for each guide; those whose files are missing are left out.",
)
_PARAGRAPH = replace(
    _CHAPTER,
    name="booksum_paragraph",
    description="Paragraphs of novels with the summary sentences aligned to them",
    note="The alignment is a model's (the authors' bi-encoder).",
)
_ALIGNMENTS = {
    "chapter": "chapter-level-summary-alignments/chapter_summary_aligned_{split}_split.jsonl",
    "book": "book-level-summary-alignments/book_summaries_aligned_{split}.jsonl",
    "paragraph": (
        "paragraph-level-summary-alignments/chapter_summary_aligned_{split}_split.jsonl"
        ".gathered.stable.bi_encoder_paraphrase.aggregated"
    ),
}
_TEXTS = "all_chapterized_books"
_SUMMARIES = "finished_summaries"


def read_aligned(info: DatasetInfo, level: str, root: Path, split: str) -> Iterator[Example]:
    """Yield the chapters or books of a split whose text and summary are both on disk."""
    repository = first_folder(root, "booksum")
    path = split_file(repository / "alignments", split, _ALIGNMENTS[level])
    processed = split_file(root, split, "{split}.jsonl", "{split}.csv", "{split}.json")
    if path is not None:
        chapters = _chapters(repository, split) if level == "book" else {}
        for record in json_lines(path):
            text = _under(_TEXTS, record[f"{level}_path"], root, repository)
            summary = _summary(record, repository)
            if text is not None and summary is not None:
                if level == "book":
                    guides = chapters.get(record["bid"], {})
                    most = max(guides.values(), key=len, default=[])
                    parts = guides.get(record["source"], most)
                    record = {**record, "section_summaries": parts}
                yield _example(info, record, text_file(text), summary, split)
    elif level == "chapter" and processed is not None:
        for record in records(processed):
            yield _example(info, record, record["chapter"], record["summary_text"], split)
    else:
        raise no_split_file(repository, split, f"alignments/{_ALIGNMENTS[level]}")


def read_paragraphs(info: DatasetInfo, root: Path, split: str) -> Iterator[Example]:
    """Yield the paragraphs of a split."""
    folder = first_folder(root, "booksum/alignments", "alignments")
    path = require_split_file(folder, split, _ALIGNMENTS["paragraph"])
    for number, record in enumerate(json_lines(path)):
        yield info.example(
            {"text": record["text"]},
            id=f"{record['title']}#{number}",
            references=["\n".join(record["summary"])],
            split=split,
            extra=other_fields(record, "text", "summary"),
        )


def _example(
    info: DatasetInfo, record: Mapping[str, Any], text: str, reference: str, split: str
) -> Example:
    summary = Path(_after(_SUMMARIES, record["summary_path"]))
    return info.example(
        {"title": record.get("title") or record.get("book_id"), "text": text},
        id=str(summary.with_suffix("")),
        references=[reference],
        split=split,
        extra=other_fields(record, "chapter", "summary_text", "summary"),
    )


def _chapters(repository: Path, split: str) -> Mapping[str, dict[str, list[dict[str, str]]]]:
    """Return the chapter summaries on disk, in order, by book and guide."""
    by_book: dict[str, dict[str, list[dict[str, str]]]] = defaultdict(lambda: defaultdict(list))
    path = split_file(repository / "alignments", split, _ALIGNMENTS["chapter"])
    for record in json_lines(path) if path is not None else ():
        if (text := _summary(record, repository)) is not None:
            part = {"section": record["summary_id"], "text": text}
            by_book[record["bid"]][record["source"]].append(part)
    return by_book


def _summary(record: Mapping[str, Any], repository: Path) -> str | None:
    """Return the text of a summary, one paragraph per line; None if its file is missing."""
    path = _under(_SUMMARIES, record["summary_path"], repository / "scripts", repository)
    return None if path is None else "\n".join(json_file(path)["summary"])


def _under(marker: str, path: str, *folders: Path) -> Path | None:
    """Return the local file for a path on the authors' machine; None if there is none."""
    candidates = (folder / marker / _after(marker, path) for folder in folders)
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _after(marker: str, path: str) -> str:
    return path.rpartition(f"{marker}/")[2]


DATASETS = (
    Dataset(_CHAPTER, partial(read_aligned, _CHAPTER, "chapter")),
    Dataset(_BOOK, partial(read_aligned, _BOOK, "book")),
    Dataset(_PARAGRAPH, partial(read_paragraphs, _PARAGRAPH)),
)
