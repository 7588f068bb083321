"""GovReport (Huang et al. 2021): reports of the CRS and the GAO with their official summaries.

Two forms are read. The authors' release is a folder `gov-report` with

- `split_ids/{crs,gao}_{train,valid,test}.ids`, an id on each line, and
- `{crs,gao}/<id>.json`; a section is `{"section_title", "paragraphs", "subsections"}`. A CRS report
  has `title`, `reports` (one section, often without a title, that holds all) and `summary`, a list
  of paragraphs; a GAO report has `title`, `report` (sections) and `highlight` (sections).

The flat forms are JSON lines named after the split, with the document and its summary in `input`
and `output` (SCROLLS, Shaham et al. 2022), `document` and `summary`, or `report` and `summary`.

GovReport-QS (Cao and Wang 2022, HIBRIDS, §4): questions and summaries in hierarchies.

An example is an annotated summary paragraph: the document is the sections of a report that were
aligned to it, `extra["questions"]` its hierarchy. Two forms are read, both JSON lines named after
the split (`train.jsonl`, `valid.jsonl`, `test.jsonl`), if need be in a folder `gov-report-qs`:

- what the authors' released reader takes (github:ShuyangCao/hibrids_summ): `sample_id`, `section`
  (one section, `{"section_title", "paragraphs", "subsections"}`, that holds all) and `questions`,
  each `{"question", "answer", "child_questions"}`;
- the records of the configuration `paragraph` of `launch/gov_report_qs`, exported as JSON lines:
  `doc_id`, `summary_paragraph_index`, `document_sections` (columns `title`, `paragraphs`, a string
  with a paragraph on each line, and `depth`) and `question_summary_pairs` (columns `question`,
  `summary` and `parent_pair_index`, −1 for none).

The files themselves were not at hand when this was written: the first form is known from that
reader, the second from the data set's card. Neither contains the annotated paragraph. Since all
answers are sentences of it (§4.1), the reference is the answers' sentences without repetitions, one
per line, in the order of the hierarchy, which need not be the paragraph's.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from longsum.evaluation.datasets.info import (
    LABELLED_SUMMARY,
    Dataset,
    DatasetInfo,
    Example,
    other_fields,
)
from longsum.evaluation.datasets.record_files import (
    first_folder,
    json_file,
    json_lines,
    require_split_file,
    text_file,
)
from longsum.language.sentences import sentence_texts

_INFO = DatasetInfo(
    name="govreport",
    description="Long reports of the U.S. CRS and GAO, in sections, with their official summaries",
    license="CC BY 4.0 (works of the U.S. government)",
    ships=True,
    source="gov-report-data.github.io",
    paper_or_url="https://aclanthology.org/2021.naacl-main.112",
    note="The SCROLLS form has no test summaries and no sections.",
    variable="LONGSUM_DATA_GOVREPORT",
)
_NOT_IN_SUMMARY = "what gao recommends"
_FLAT_FIELDS = (("input", "output"), ("document", "summary"), ("report", "summary"))


def read(root: Path, split: str) -> Iterator[Example]:
    """Yield the examples of a split, the CRS reports before the GAO reports."""
    folder = first_folder(root, "gov-report", "gov_report")
    if (folder / "split_ids").is_dir():
        for agency in ("crs", "gao"):
            ids = require_split_file(folder / "split_ids", split, f"{agency}_{{split}}.ids")
            for id in text_file(ids).split():
                yield _structured(json_file(folder / agency / f"{id}.json"), agency, id, split)
        return
    path = require_split_file(folder, split, "{split}.jsonl", "{split}.json")
    for number, record in enumerate(json_lines(path)):
        yield _flat(record, str(record.get("id", number)), split)


def _structured(report: Mapping[str, Any], agency: str, id: str, split: str) -> Example:
    body, summary = ("reports", "summary") if agency == "crs" else ("report", "highlight")
    sections = report[body] if isinstance(report[body], list) else [report[body]]
    return _INFO.example(
        {"title": report.get("title"), "sections": list(nested_sections(sections))},
        id=id,
        references=[_summary(report[summary])],
        split=split,
        extra=other_fields(report, "id", "title", body)
        | {"agency": agency, LABELLED_SUMMARY: _titled(report[summary])},
    )


def nested_sections(sections: Iterable[Any], level: int = 1) -> Iterator[dict[str, Any]]:
    """Yield the sections of the authors' releases in the form of records, in reading order.

    A section without a title is no level of its own.

    Args:
        sections: Nested `{"section_title", "paragraphs", "subsections"}`.
        level: Level of the outermost.
    """
    for section in sections:
        title = (section["section_title"] or "").strip()
        if title or section["paragraphs"]:
            yield {"level": level, "title": title, "paragraphs": section["paragraphs"]}
        yield from nested_sections(section["subsections"], level + 1 if title else level)


def _titled(summary: list[Any]) -> str:
    """Return a summary with its titles and all of its parts, one per line."""
    lines: list[str] = []
    for part in summary:
        if isinstance(part, str):
            lines.append(part)
        else:
            lines += [(part["section_title"] or "").strip(), *part["paragraphs"]]
    return "\n".join(lines)


def _summary(summary: list[Any]) -> str:
    """Join a summary's paragraphs; GAO's recommendations are excluded, as in the paper."""
    paragraphs: list[str] = []
    for part in summary:
        if isinstance(part, str):
            paragraphs.append(part)
        elif (part["section_title"] or "").strip().lower() != _NOT_IN_SUMMARY:
            paragraphs.extend(part["paragraphs"])
    return "\n".join(paragraphs)


def _flat(record: Mapping[str, Any], id: str, split: str) -> Example:
    text, summary = next((pair for pair in _FLAT_FIELDS if pair[0] in record), _FLAT_FIELDS[0])
    return _INFO.example(
        {"text": record[text]},
        id=id,
        references=[record[summary]],
        split=split,
        extra=other_fields(record, "id", text, summary),
    )


_QS = DatasetInfo(
    name="govreport_qs",
    description="Sections of U.S. government reports with hierarchies of questions and answers",
    license="CC BY 4.0 (annotations); works of the U.S. government",
    ships=True,
    source="gov-report-data.github.io",
    paper_or_url="https://aclanthology.org/2022.acl-long.58",
    note="Acknowledge GAO and CRS; an example is a summary paragraph, its reference the answers.",
    variable="LONGSUM_DATA_GOVREPORT_QS",
)


def read_paragraphs(root: Path, split: str) -> Iterator[Example]:
    """Yield the annotated paragraphs of a split; one report has several.

    An id is `sample_id` (or `doc_id` and the paragraph's number) and the line's number, from 0.
    """
    folder = first_folder(root, "gov-report-qs", "gov_report_qs")
    path = require_split_file(folder, split, "{split}.jsonl")
    for number, record in enumerate(json_lines(path)):
        yield (
            _of_columns(record, number, split)
            if "doc_id" in record
            else _of_sections(record, number, split)
        )


def _of_sections(record: Mapping[str, Any], number: int, split: str) -> Example:
    return _paragraph(
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


def _of_columns(record: Mapping[str, Any], number: int, split: str) -> Example:
    sections, pairs = record["document_sections"], record["question_summary_pairs"]
    columns = zip(sections["title"], sections["paragraphs"], sections["depth"], strict=True)
    return _paragraph(
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


def _paragraph(
    id: str,
    sections: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    split: str,
    extra: Mapping[str, Any],
) -> Example:
    return _QS.example(
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


DATASETS = (Dataset(_INFO, read), Dataset(_QS, read_paragraphs))
