"""Proposals become records whose summaries are their own, and whose licences decide."""

import json
import sys
from pathlib import Path

import collect_proposals
import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import load

SUMMARY = " ".join(["Gates of the dam open by night, so that boats may pass it unseen."] * 2)
REST = "\n\n".join(f"The board heard engineer {number} on gates and locks." for number in range(60))


def proposal(title: str = "Abstract", summary: str = SUMMARY, rest: str = REST) -> str:
    return f"# Gates\n\n## {title}\n\n{summary}\n\n## Reasons\n\n{rest}\n\n```\nopen gate\n```\n"


def test_sections_without_the_summary_and_without_code(tmp_path, monkeypatch):
    folder = tmp_path / "dams"
    folder.mkdir()
    (folder / "1.md").write_text(proposal())
    (folder / "2.md").write_text(proposal(title="Motivation"))
    (folder / "3.md").write_text(proposal(rest="The board agreed."))
    (folder / "template.md").write_text(proposal())
    output = tmp_path / "proposals.jsonl"
    monkeypatch.setattr(sys, "argv", ["", str(output), f"{folder}:Apache-2.0"])
    collect_proposals.main()
    (record,) = map(json.loads, output.read_text().splitlines())
    assert record["id"] == "dams/1.md"
    assert record["summary"] == SUMMARY
    texts = [text for section in record["sections"] for text in section["paragraphs"]]
    assert texts == REST.split("\n\n")
    (example,) = load(str(output), "all", shippable=True)
    assert example.references == (SUMMARY,)
    assert example.license == "Apache-2.0"


@pytest.mark.parametrize("licence", ["CC-BY-SA-4.0", ""])
def test_licences_that_do_not_let_models_be_shared(licence: str, tmp_path: Path) -> None:
    record = {"text": REST, "summary": SUMMARY, "license": licence}
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps(record))
    assert len(list(load(str(path), "all"))) == 1
    with pytest.raises(LongsumError, match="do not allow"):
        next(load(str(path), "all", shippable=True))
