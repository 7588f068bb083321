import json

import pytest

from scripted_server import Answer, serving


@pytest.fixture
def files(tmp_path):
    (tmp_path / "report.md").write_text("# Dam\n\nThe dam was built in 1931. It holds water.\n")
    (tmp_path / "right.txt").write_text("The dam was built in 1931.\n")
    (tmp_path / "wrong.txt").write_text("The dam was built in 1913.\n")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "fail_on", "status"),
    [
        ("right.txt", (), 0),
        ("wrong.txt", (), 0),
        ("right.txt", ("--fail-on", "differs", "--fail-on", "not_found"), 0),
        ("wrong.txt", ("--fail-on", "differs", "--fail-on", "not_found"), 1),
        ("missing.txt", (), 2),
    ],
)
def test_the_exit_status_follows_the_options(run, files, text, fail_on, status):
    found = run("check", files / text, "--against", files / "report.md", *fail_on)
    assert found[0] == status
    assert ("1931" in found[1]) == (status < 2)


@pytest.mark.parametrize(
    ("form", "opens"),
    [("text", "1 sentence: "), ("markdown", "1 sentence: "), ("html", "<!DOCTYPE html>")],
)
def test_every_format_is_written_to_the_requested_file(run, files, form, opens):
    place, target = files / "report.md", files / "found"
    arguments = ("check", files / "wrong.txt", "-a", place, "-f", form, "-o", target)
    assert run(*arguments)[:2] == (0, "")
    assert target.read_text().lower().startswith(opens.lower())
    assert run(*arguments)[0] == 2


def test_a_model_gives_its_opinion_beside_the_rules(run, files):
    with serving(lambda _: Answer("contradiction")) as server:
        asked = ("check", files / "right.txt", "-a", files / "report.md", "-f", "json")
        found = json.loads(run(*asked, "--judge", server.address)[1])
    assert found["sentences"][0]["verdict"] == "confirmed"
    assert found["sentences"][0]["opinion"]["label"] == "contradiction"


def test_several_documents_are_searched(run, files):
    (files / "note.txt").write_text("The lake froze in March. It snowed.")
    (files / "claim.txt").write_text("The lake froze in March.")
    places = ("-a", files / "report.md", "-a", files / "note.txt")
    found = json.loads(run("check", files / "claim.txt", *places, "-f", "json")[1])
    assert found["sentences"][0]["verdict"] == "confirmed"
