"""`--read-limit`, which every command that reads a document takes."""

import pytest

from longsum.documents.readers import detect
from longsum.documents.readers.isolation import reading_process


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("The sea is wide. The river is long.\n")
    return file


@pytest.mark.parametrize("command", ["summarize", "questions", "read", "outline"])
def test_a_file_beyond_a_limit_and_a_limit_that_is_none_are_refused(refused, text, command):
    for limit, says in {
        "characters=9": "a.txt has more than 9 characters; ",
        "words=9": "'words=9' is not a limit; give one of size, characters, ",
    }.items():
        refused(f"longsum: {says}", command, text, "--read-limit", limit)


def test_the_option_may_be_repeated(run, text):
    limits = ["--read-limit", "characters=1k", "--read-limit", "size=36"]
    assert run("outline", text, *limits)[0] == 0
    assert run("outline", text, *limits, "--read-limit", "size=35")[0] == 2


@pytest.mark.parametrize(("given", "apart"), [((), 0), (("--isolation", "require"), 1)])
def test_a_plain_text_is_read_in_isolation_if_that_is_required(
    run, text, monkeypatch, given, apart
):
    asked = []

    def read(data, name, limits, *, isolated):
        asked.append(isolated)
        return detect.parse(data, name, limits=limits)

    monkeypatch.setattr(reading_process, "read_apart", read)
    assert run("read", text, *given)[0] == 0
    assert asked == [True] * apart


@pytest.mark.parametrize("command", ["outline", "read"])
def test_a_cache_folder_keeps_documents_that_were_read(command, run, text, tmp_path):
    folder = tmp_path / "kept"
    first = run(command, text, "--cache", folder)
    (entry,) = folder.iterdir()
    changed = entry.read_bytes()
    assert run(command, text, "--cache", folder) == first == run(command, text)
    assert first[0] == 0
    assert entry.read_bytes() == changed
