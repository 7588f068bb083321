import json

import pytest

from document_views import sentences
from longsum.evaluation.datasets import load

_TOKENISED = {
    "filename": "show-01x02.json",
    "Recap": ["they meet .", "they part ."],
    "Transcript": ["[ a bar ]", "ann : hello . bye ."],
}
_RAW = {
    "Show Title": "The Show",
    "Episode Title": "Pilot",
    "Episode Number": "01x02",
    "Recap": ["They meet."],
    "Transcript": ["[A bar]", "Ann: Hello. Bye."],
}


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("summscreen_fd", "SummScreen/ForeverDreaming/fd_dev.json"),
        ("summscreen_tms", "SummScreen/TVMegaSite/tms_dev.json"),
        ("summscreen_fd", "fd_dev.json"),
    ],
)
def test_tokenised_archive(tmp_path, write_lines, name: str, file: str) -> None:
    write_lines(tmp_path / file, [_TOKENISED])
    (example,) = load(name, "dev", root=tmp_path)
    assert example.id == "show-01x02"
    assert len(list(example.document.paragraphs)) == 2
    assert example.references == ("they meet .\nthey part .",)
    assert (example.extra, example.document.title) == ({}, "")
    unnamed = {key: value for key, value in _TOKENISED.items() if key != "filename"}
    write_lines(tmp_path / file, [unnamed, unnamed | {"Show Title": "The Show"}])
    first, second = load(name, "dev", root=tmp_path)
    site = name.removeprefix("summscreen_")
    assert (first.id, second.id) == (f"{site}_validation_0", f"{site}_validation_1")
    assert second.document.title == "The Show"


def test_untokenised_archive_gives_the_text(tmp_path, write_lines, write_text) -> None:
    write_lines(tmp_path / "SummScreen/ForeverDreaming/fd_test.json", [_TOKENISED])
    write_text(tmp_path / "SummScreen_raw/fd/show-01x02.json", json.dumps(_RAW))
    (example,) = load("summscreen_fd", "test", root=tmp_path)
    assert example.document.title == "The Show: Pilot"
    assert sentences(example.document) == ["[A bar]", "Ann: Hello.", "Bye."]
    assert example.references == ("They meet.",)
    kept = ("Show Title", "Episode Title", "Episode Number")
    assert example.extra == {name: _RAW[name] for name in kept}
