"""PubMed and arXiv (Cohan et al. 2018): scientific papers with their abstracts.

The form is the authors' (github:armancohan/long-summarization, README): `train.txt`, `val.txt` and
`test.txt`, JSON lines with `article_id`, `abstract_text` (sentences, each within `<S>` and `</S>`),
`article_text` (sentences), `section_names` and `sections` (a list of sentences for each name).
"""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import (
    Dataset,
    DatasetInfo,
    Example,
    as_paragraphs,
    other_fields,
)
from longsum.evaluation.datasets.record_files import first_folder, json_lines, require_split_file

_PATTERNS = ("{split}.txt", "{split}.jsonl", "{split}.json")
_USED = ("article_id", "abstract_text", "article_text", "section_names", "sections")


def _info(name: str, description: str) -> DatasetInfo:
    return DatasetInfo(
        name=name,
        description=description,
        license="none stated",
        ships=False,
        source="github:armancohan/long-summarization",
        paper_or_url="https://aclanthology.org/N18-2097",
        note="Lower-cased and tokenised; sections have no levels; sentences as published.",
        variable=f"LONGSUM_DATA_{name.upper()}",
    )


def read(info: DatasetInfo, root: Path, split: str) -> Iterator[Example]:
    """Yield the papers of a split; those without text or abstract are left out by `load`."""
    folder = first_folder(root, f"{info.name}-dataset", f"{info.name}-release")
    path = require_split_file(folder, split, *_PATTERNS)
    for record in json_lines(path):
        yield _example(info, record, split)


def _example(info: DatasetInfo, record: Mapping[str, Any], split: str) -> Example:
    abstract = (
        sentence.replace("<S>", "").replace("</S>", "").strip()
        for sentence in record["abstract_text"]
    )
    return info.example(
        _document_record(record) | {"paragraph_unit": "sentence"},
        id=record["article_id"],
        references=["\n".join(abstract)],
        split=split,
        extra=other_fields(record, *_USED),
    )


def _document_record(record: Mapping[str, Any]) -> dict[str, Any]:
    if not any(record["sections"]):
        return as_paragraphs(record["article_text"])
    return {
        "sections": [
            {"level": 1, "title": name, "paragraphs": sentences}
            for name, sentences in zip(record["section_names"], record["sections"], strict=True)
        ]
    }


_INFOS = (
    _info("pubmed", "Biomedical papers in sections with their abstracts"),
    _info("arxiv", "Papers of arXiv in sections with their abstracts"),
)
DATASETS = tuple(Dataset(info, partial(read, info)) for info in _INFOS)
