"""GovReport (Huang et al. 2021): reports of the CRS and the GAO with their official summaries.

Two forms are read. The authors' release is a folder `gov-report` with

- `split_ids/{crs,gao}_{train,valid,test}.ids`, an id a line, and
- `{crs,gao}/<id>.json`; a section is `{"section_title", "paragraphs", "subsections"}`. A CRS report
  has `title`, `reports` (one section, often without a title, that holds all) and `summary`, a list
  of paragraphs; a GAO report has `title`, `report` (sections) and `highlight` (sections).

The flat forms are JSON lines named after the split, with the document and its summary in `input`
and `output` (SCROLLS, Shaham et al. 2022), `document` and `summary`, or `report` and `summary`.
"""

from collections.abc import Iterable, Iterator, Mapping
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
    """Yield the sections of the authors' releases as a record has them, in reading order.

    One without a title takes no level of its own.

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
    """Return a summary with its titles and all of its parts, a line each."""
    lines: list[str] = []
    for part in summary:
        if isinstance(part, str):
            lines.append(part)
        else:
            lines += [(part["section_title"] or "").strip(), *part["paragraphs"]]
    return "\n".join(lines)


def _summary(summary: list[Any]) -> str:
    """Join a summary's paragraphs; GAO's recommendations are no part of it, as in the paper."""
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


DATASETS = (Dataset(_INFO, read),)
