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


@pytest.mark.parametrize(
    "folders", [("cnn/stories", "dailymail/stories"), ("cnn_stories", "dm_stories"), ("", "")]
)
def test_stories_of_a_url_list(tmp_path, write_text, folders) -> None:
    cnn, dailymail = folders
    urls = ["http://example.org/b", "http://example.org/a", "http://example.org/not-kept"]
    hashes = [hashlib.sha1(url.encode()).hexdigest() for url in urls]
    write_text(tmp_path / "url_lists/all_val.txt", "\n".join(urls) + "\n")
    write_text(tmp_path / cnn / f"{hashes[0]}.story", _STORY)
    write_text(tmp_path / dailymail / f"{hashes[1]}.story", _STORY)
    write_text(tmp_path / cnn / "0.story", "Of another split.\n@highlight\nx")
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
    record = {"article": article, "highlights": "One thing\nIt ended.", "url": "u"}
    write(tmp_path / f"train.{ending}", [record, record])
    assert [each.id for each in load("cnn_dailymail", "train", root=tmp_path)] == ["0", "1"]
    write(tmp_path / f"train.{ending}", [{"id": "a", **record}])
    (example,) = load("cnn_dailymail", "train", root=tmp_path)
    assert (example.id, example.extra) == ("a", {"url": "u"})
    _check(example)
