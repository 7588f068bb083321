"""GovReport-QS (Cao and Wang 2022, HIBRIDS, §4): questions and summaries in hierarchies.

An example is an annotated summary paragraph: the document is the sections of a report that were
aligned to it, `extra["questions"]` its hierarchy. Two forms are read, both JSON lines named after
the split (`train.jsonl`, `valid.jsonl`, `test.jsonl`), if need be in a folder `gov-report-qs`:

- what the authors' released reader takes (github:ShuyangCao/hibrids_summ): `sample_id`, `section`
  (one section, `{"section_title", "paragraphs", "subsections"}`, that holds all) and `questions`,
  each `{"question", "answer", "child_questions"}`;
- the records of the configuration `paragraph` of `launch/gov_report_qs`, exported as JSON lines:
  `doc_id`, `summary_paragraph_index`, `document_sections` (columns `title`, `paragraphs`, a string
  with a paragraph a line, and `depth`) and `question_summary_pairs` (columns `question`, `summary`
  and `parent_pair_index`, −1 for none).

The files themselves were not at hand when this was written: the first form is known from that
reader, the second from the data set's card. Neither holds the annotated paragraph. As all answers
are sentences of it (§4.1), the reference is the answers' sentences, each once, a line each; they
stand in the order of the hierarchy, which need not be the paragraph's.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import Dataset, DatasetInfo, Example, other_fields
from longsum.evaluation.datasets.public.govreport import nested_sections
from longsum.evaluation.datasets.record_files import first_folder, json_lines, require_split_file
from longsum.language.sentences import sentence_texts

_INFO = DatasetInfo(
    name="govreport_qs",
    description="Sections of U.S. government reports with hierarchies of questions and answers",
    license="CC BY 4.0 (annotations); works of the U.S. government",
    ships=True,
    source="gov-report-data.github.io",
    paper_or_url="https://aclanthology.org/2022.acl-long.58",
    note="Acknowledge GAO and CRS; an example is a summary paragraph, its reference the answers.",
    variable="LONGSUM_DATA_GOVREPORT_QS",
)


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the annotated paragraphs of a split; one report has several.

    An id is `sample_id` (or `doc_id` and the paragraph's number) and the line's number, from 0.
    """
    folder = first_folder(root, "gov-report-qs", "gov_report_qs")
    path = require_split_file(folder, split, "{split}.jsonl")
    for number, record in enumerate(json_lines(path)):
        yield (
            _columns(record, number, split)
            if "doc_id" in record
            else _nested(record, number, split)
        )


def _nested(record: Mapping[str, Any], number: int, split: str) -> Example:
    return _example(
        f"{record['sample_id']}_{number}",
        list(nested_sections([record["section"]])),
        [_question(question) for question in record["questions"]],
        split,
        other_fields(record, "section"),
    )


def _question(question: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "question": question["question"],
        "answer": question["answer"],
        "children": [_question(child) for child in question["child_questions"]],
    }


def _columns(record: Mapping[str, Any], number: int, split: str) -> Example:
    sections, pairs = record["document_sections"], record["question_summary_pairs"]
    columns = zip(sections["title"], sections["paragraphs"], sections["depth"], strict=True)
    return _example(
        f"{record['doc_id']}_{record['summary_paragraph_index']}_{number}",
        [
            {"level": depth, "title": title, "paragraphs": paragraphs.splitlines()}
            for title, paragraphs, depth in columns
        ],
        _trees(pairs["question"], pairs["summary"], pairs["parent_pair_index"]),
        split,
        other_fields(record, "document_sections", "question_summary_pairs"),
    )


def _trees(
    questions: Sequence[str], answers: Sequence[str], parents: Sequence[int]
) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = [
        {"question": question, "answer": answer, "children": []}
        for question, answer in zip(questions, answers, strict=True)
    ]
    roots: list[dict[str, Any]] = []
    for place, (node, parent) in enumerate(zip(nodes, parents, strict=True)):
        if parent >= place:
            raise ValueError(f"question {place} follows from a later one")
        (roots if parent < 0 else nodes[parent]["children"]).append(node)
    return roots


def _example(
    id: str,
    sections: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    split: str,
    extra: Mapping[str, Any],
) -> Example:
    return _INFO.example(
        {"sections": sections},
        id=id,
        references=["\n".join(dict.fromkeys(_sentences(questions)))],
        split=split,
        extra={**extra, "questions": questions},
    )


def _sentences(questions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for question in questions:
        yield from sentence_texts(question["answer"])
        yield from _sentences(question["children"])


DATASETS = (Dataset(_INFO, read),)
