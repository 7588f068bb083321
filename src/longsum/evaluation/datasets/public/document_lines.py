"""Sets of JSON lines, one document per line: papers, patents, bills and biographies.

PubMed and arXiv (Cohan et al. 2018): scientific papers with their abstracts.

The form is the authors' (github:armancohan/long-summarization, README): `train.txt`, `val.txt` and
`test.txt`, JSON lines with `article_id`, `abstract_text` (sentences, each within `<S>` and `</S>`),
`article_text` (sentences), `section_names` and `sections` (a list of sentences for each name).

BIGPATENT (Sharma et al. 2019): U.S. patents with their abstracts.

The form is the authors' archive `bigPatentData`, unpacked: folders `train`, `val` and `test`; in
them, a folder for each letter of the patent classification (a to h, and y); in these, gzipped JSON
lines with `publication_number`, `description`, `abstract` and more. Missing letters are left out,
so a user may keep a single one.

BillSum (Kornilova and Eidelman 2019): bills of the U.S. Congress and of California.

The form is the authors' (github:FiscalNote/BillSum, README): JSON lines
`us_train_data_final_OFFICIAL.jsonl`, `us_test_data_final_OFFICIAL.jsonl` and
`ca_test_data_final_OFFICIAL.jsonl` with `text`, `summary`, `title` and `bill_id` (in the
Californian file `external_id`). Files named after the split alone are read too.

WikiBioSum (Cao and Wang 2022, HIBRIDS, §5.1): biographies of Wikipedia with their leads.

The form is what the authors' released reader takes (github:ShuyangCao/hibrids_summ): a folder
`wikibiosum` with `train.jsonl`, `valid.jsonl` and `test.jsonl`; a line has `id`, `report` (one
section, `{"section_title", "paragraphs", "subsections"}`, that holds all) and `summary`, a list of
paragraphs. The files themselves were not at hand when this was written.
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
    split_names,
)
from longsum.evaluation.datasets.public.govreport import nested_sections
from longsum.evaluation.datasets.record_files import (
    first_folder,
    json_lines,
    no_split_file,
    require_split_file,
)

_PAPER_FILES = ("{split}.txt", "{split}.jsonl", "{split}.json")
_USED = ("article_id", "abstract_text", "article_text", "section_names", "sections")


def _paper_info(name: str, description: str) -> DatasetInfo:
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


def read_papers(info: DatasetInfo, root: Path, split: str) -> Iterator[Example]:
    """Yield the papers of a split; those without text or abstract are left out by `load`."""
    folder = first_folder(root, f"{info.name}-dataset", f"{info.name}-release")
    path = require_split_file(folder, split, *_PAPER_FILES)
    for record in json_lines(path):
        abstract = (
            sentence.replace("<S>", "").replace("</S>", "").strip()
            for sentence in record["abstract_text"]
        )
        yield info.example(
            _sections(record) | {"paragraph_unit": "sentence"},
            id=record["article_id"],
            references=["\n".join(abstract)],
            split=split,
            extra=other_fields(record, *_USED),
        )


def _sections(record: Mapping[str, Any]) -> dict[str, Any]:
    if not any(record["sections"]):
        return as_paragraphs(record["article_text"])
    return {
        "sections": [
            {"level": 1, "title": name, "paragraphs": sentences}
            for name, sentences in zip(record["section_names"], record["sections"], strict=True)
        ]
    }


_PAPERS = (
    _paper_info("pubmed", "Biomedical papers in sections with their abstracts"),
    _paper_info("arxiv", "Papers of arXiv in sections with their abstracts"),
)


_BIGPATENT = DatasetInfo(
    name="bigpatent",
    description="1.3 million U.S. patents: the description with the abstract as its summary",
    license="CC BY 4.0",
    ships=True,
    source="evasharma.github.io/bigpatent",
    paper_or_url="https://aclanthology.org/P19-1212",
    note="The first release is lower-cased and tokenised, the second as filed.",
    variable="LONGSUM_DATA_BIGPATENT",
)


def read_patents(root: Path, split: str) -> Iterator[Example]:
    """Yield the patents of a split, by class and then by file name."""
    folder = first_folder(root, "bigPatentData", "bigPatentDataNonTokenized")
    split_folder = first_folder(folder, *split_names(split))
    if split_folder == folder:
        raise no_split_file(folder, split, "{split}/<class>/*.gz")
    for path in sorted(split_folder.glob("[a-z]/*")):
        for record in json_lines(path):
            others = other_fields(record, "publication_number", "description", "abstract")
            yield _BIGPATENT.example(
                # In the second release each line is a paragraph or a separate heading.
                {"text": "\n\n".join(record["description"].splitlines())},
                id=record["publication_number"],
                references=[record["abstract"]],
                split=split,
                extra={**others, "class": path.parent.name},
            )


_BILLSUM = DatasetInfo(
    name="billsum",
    description="Bills of the U.S. Congress and of California with their official summaries",
    license="none stated (works of the U.S. and Californian governments)",
    ships=False,
    splits=("train", "test", "ca_test"),
    source="github:FiscalNote/BillSum",
    paper_or_url="https://aclanthology.org/D19-5406",
    note="No validation split; 'us_train' and 'us_test' are read as 'train' and 'test'.",
    variable="LONGSUM_DATA_BILLSUM",
)
_BILL_FILES = ("us_{split}_data_final_OFFICIAL.jsonl", "{split}_data_final_OFFICIAL.jsonl")


def read_bills(root: Path, split: str) -> Iterator[Example]:
    """Yield the bills of a split."""
    named = _BILL_FILES[1:] if split == "ca_test" else _BILL_FILES
    path = require_split_file(root, split, *named, "{split}.jsonl")
    for number, record in enumerate(json_lines(path)):
        id = record.get("bill_id") or record.get("external_id") or f"{split}_{number}"
        yield _BILLSUM.example(
            {"title": record.get("title"), "text": record["text"]},
            id=str(id),
            references=[record["summary"]],
            split=split,
            extra=other_fields(record, "title", "text", "summary"),
        )


_WIKIBIOSUM = DatasetInfo(
    name="wikibiosum",
    description="Biographies of Wikipedia in nested sections with their lead paragraphs",
    license="CC BY-SA 3.0 (Wikipedia)",
    ships=False,
    source="github:ShuyangCao/hibrids_summ",
    paper_or_url="https://aclanthology.org/2022.acl-long.58",
    note="Share-alike; the lead is the summary, and is not part of the document.",
    variable="LONGSUM_DATA_WIKIBIOSUM",
)


def read_biographies(root: Path, split: str) -> Iterator[Example]:
    """Yield the biographies of a split."""
    folder = first_folder(root, "wikibiosum")
    path = require_split_file(folder, split, "{split}.jsonl")
    for record in json_lines(path):
        yield _WIKIBIOSUM.example(
            {"sections": list(nested_sections([record["report"]]))},
            id=str(record["id"]),
            references=["\n".join(record["summary"])],
            split=split,
            extra=other_fields(record, "id", "report", "summary"),
        )


DATASETS = (
    Dataset(_WIKIBIOSUM, read_biographies),
    *(Dataset(info, partial(read_papers, info)) for info in _PAPERS),
    Dataset(_BILLSUM, read_bills),
    Dataset(_BIGPATENT, read_patents),
)
