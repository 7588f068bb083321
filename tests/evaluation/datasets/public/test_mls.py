from collections import Counter

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
    sizes = Counter({split: len(examples) for split, examples in found.items()})
    assert sizes.total() == len({e.id for examples in found.values() for e in examples}) == 400
    for split, share in (("train", 0.25), ("val", 0.10), ("test", 0.65)):
        assert sizes[split] / 400 == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_files_of_splits_hold_as_they_are(name: str, tmp_path, write_lines) -> None:
    both = story(1) | {"summary": ["Fired over a wallet.", "A wallet cost a job."]}
    write_lines(tmp_path / name / "valid.jsonl", [both])
    (example,) = load(name, "validation", root=tmp_path)
    assert example.references == ("Fired over a wallet.", "A wallet cost a job.")
    assert example.document.title == "The wallet"
    assert [len(paragraph) for paragraph in example.document.paragraphs] == [1, 1]
    assert example.extra == {"writer": "a clerk"}
