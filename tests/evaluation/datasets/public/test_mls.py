import hashlib

import pytest

from longsum.evaluation.datasets import load

NAMES = ("msr_narrative", "thinking_machines")


def story(number: int) -> dict:
    return {
        "id": f"story-{number}",
        "title": "The wallet",
        "text": f"I found wallet {number}.\nIts owner shouted at me.",
        "summary": "I was fired over a wallet.",
        "writer": "a clerk",
    }


@pytest.mark.parametrize("name", NAMES)
def test_one_file_is_divided_as_in_the_paper(name: str, tmp_path, write_lines) -> None:
    write_lines(tmp_path / f"{name}.jsonl", [story(number) for number in range(400)])
    found = {split: list(load(name, split, root=tmp_path)) for split in ("train", "val", "test")}
    ids = [f"story-{number}" for number in range(400)]
    for split, remainders in (("train", range(5)), ("val", range(5, 7)), ("test", range(7, 20))):
        assert [each.id for each in found[split]] == [
            id
            for id in ids
            if int(hashlib.sha256(id.encode()).hexdigest()[:16], 16) % 20 in remainders
        ]


@pytest.mark.parametrize("name", NAMES)
def test_files_of_splits_are_used_as_they_are(name: str, tmp_path, write_lines) -> None:
    both = story(1) | {"summary": ["Fired over a wallet.", "A wallet cost a job."]}
    write_lines(tmp_path / name / "valid.jsonl", [both])
    (example,) = load(name, "validation", root=tmp_path)
    assert example.references == ("Fired over a wallet.", "A wallet cost a job.")
    assert example.document.title == "The wallet"
    assert [len(paragraph) for paragraph in example.document.paragraphs] == [1, 1]
    assert example.extra == {"writer": "a clerk"}
