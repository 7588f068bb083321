"""Files of public data sets, checked against their published checksums."""

import hashlib
import re
import subprocess
from shutil import which

import pytest

from longsum.common.errors import LongsumError
from longsum.evaluation.datasets import dataset_info
from longsum.evaluation.datasets import downloads as module
from longsum.evaluation.datasets.downloads import check_downloads, describe_downloads, downloads

TEXT = b"a line\n"


@pytest.fixture
def published(tmp_path, monkeypatch):
    """Return a function that makes a data set of one file with a checksum."""

    def make(checksum):
        held = {"any": {"published": "a page", "files": {"lists/a.txt": [len(TEXT), checksum]}}}
        monkeypatch.setattr(module, "downloads", lambda: held)
        (tmp_path / "data" / "lists").mkdir(parents=True, exist_ok=True)
        (tmp_path / "data" / "lists" / "a.txt").write_bytes(TEXT)
        return tmp_path

    return make


def test_records_of_published_files_are_complete():
    for name, each in downloads().items():
        assert dataset_info(name).name == name
        assert "/" in each["published"]
        for file, (size, checksum) in each["files"].items():
            assert re.fullmatch(r"sha256:[0-9a-f]{64}|git:[0-9a-f]{40}", checksum), file
            assert size is None or size > 0
    assert "no published hash" in (
        describe_downloads("wikibiosum"),
        describe_downloads("msr_narrative"),
    )
    assert "158,577,824 bytes, sha256:e8fbc002" in describe_downloads("cnn_dailymail")


def test_each_file_is_listed_with_its_size_if_known(monkeypatch):
    files = {"a": [1234, "git:0"], "b": [None, "git:1"]}
    held = {"any": {"published": "a page", "files": files}}
    monkeypatch.setattr(module, "downloads", lambda: held)
    assert describe_downloads("any") == "a (1,234 bytes, git:0), b (git:1), published in a page"


def test_a_file_that_is_another_is_refused(published):
    folder = published(f"sha256:{hashlib.sha256(TEXT).hexdigest()}")
    check_downloads("any", folder / "data")
    check_downloads("any", folder)
    check_downloads("other", folder)
    (folder / "data" / "lists" / "a.txt").write_bytes(TEXT + TEXT)
    sums = [f"sha256:{hashlib.sha256(text).hexdigest()}" for text in (TEXT + TEXT, TEXT)]
    for root in (folder / "data" / "lists" / "..", folder):
        with pytest.raises(
            LongsumError,
            match=r"a\.txt is not the file that was published: its checksum is "
            f"{sums[0]}, not {sums[1]}; download it again",
        ):
            check_downloads("any", root)


@pytest.mark.skipif(which("git") is None, reason="needs git")
def test_ids_of_git_are_those_of_git(published):
    folder = published("git:0")
    file = folder / "data" / "lists" / "a.txt"
    made = subprocess.run(["git", "hash-object", file], capture_output=True, check=True, text=True)
    with pytest.raises(LongsumError, match=f"git:{made.stdout.strip()}, not git:0"):
        check_downloads("any", folder)
