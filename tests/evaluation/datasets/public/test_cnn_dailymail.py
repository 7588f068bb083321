import hashlib

import pytest

from longsum.evaluation.datasets import load

_STORY = """(CNN) -- One thing happened.

Another did. It ended

@highlight

One thing

@highlight

It ended.
"""
_SENTENCES = ["(CNN) -- One thing happened.", "Another did.", "It ended"]


def _check(example) -> None:
    assert [sentence.text for sentence in example.document.sentences] == _SENTENCES
    assert len(list(example.document.paragraphs)) == 2
    assert example.references == ("One thing\nIt ended.",)


def test_stories_of_a_url_list(tmp_path, write_text) -> None:
    urls = ["http://example.org/b", "http://example.org/a", "http://example.org/not-kept"]
    hashes = [hashlib.sha1(url.encode()).hexdigest() for url in urls]
    write_text(tmp_path / "url_lists/all_val.txt", "\n".join(urls) + "\n")
    write_text(tmp_path / f"cnn/stories/{hashes[0]}.story", _STORY)
    write_text(tmp_path / f"dailymail/stories/{hashes[1]}.story", _STORY)
    write_text(tmp_path / "cnn/stories/0.story", "Of another split.\n@highlight\nx")
    examples = list(load("cnn_dailymail", "validation", root=tmp_path))
    assert [example.id for example in examples] == hashes[:2]
    _check(examples[0])


def test_stories_in_a_folder_a_split(tmp_path, write_text) -> None:
    write_text(tmp_path / "test/b.story", _STORY)
    write_text(tmp_path / "test/a.story", _STORY)
    examples = list(load("cnn_dailymail", "test", root=tmp_path))
    assert [example.id for example in examples] == ["a", "b"]
    _check(examples[0])


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_flat_forms(tmp_path, write_lines, write_csv, ending: str) -> None:
    article, _, _ = _STORY.partition("@highlight")
    write = write_csv if ending == "csv" else write_lines
    record = {"id": "1", "article": article, "highlights": "One thing\nIt ended."}
    write(tmp_path / f"train.{ending}", [record])
    (example,) = load("cnn_dailymail", "train", root=tmp_path)
    assert example.id == "1"
    _check(example)
