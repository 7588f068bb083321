import json
import re

import pytest

from longsum.writers.tokens import TokenCount
from scripted_server import Answer, obedient, prompt_of

REPORT = "".join(
    f"# Part {number}\n\n"
    + f"The water of part {number} is cold and clear in winter. " * 9
    + "\n\n"
    for number in range(4)
)


@pytest.fixture
def report(tmp_path):
    file = tmp_path / "report.md"
    file.write_text(REPORT)
    return str(file)


def test_a_model_behind_an_endpoint_summarizes(run, server, report, tmp_path) -> None:
    options = ["--model", server.address, "--context", "900", "--parallel", "2", "-l", "40w"]
    made = ["--format", "json", "--work", str(tmp_path / "work"), "--unsupported", "drop"]
    status, out, told = run("summarize", report, *options, *made)
    assert status == 0, told
    made_json = json.loads(out)
    summary = made_json["summary"]
    methods = {source["method"] for each in summary["sentences"] for source in each["sources"]}
    assert methods <= {"cited", "copied"}
    assert made_json["settings"]["context"] == 900
    assert len([*(tmp_path / "work" / "replies").glob("*.json")]) == len(server.calls)
    assert "Nothing is kept" not in told


def test_an_estimate_calls_for_no_answer(run, server, report) -> None:
    arguments = ["summarize", report, "--model", server.address, "--context", "900", "-l", "40w"]
    status, out, _ = run(*arguments, "--estimate")
    assert status == 0
    assert server.calls == []
    calls, read = (int(each.replace(",", "")) for each in re.findall(r"[\d,]+", out)[:2])
    run(*arguments, "--as-written")
    assert calls == len(server.calls)
    asked = sum(TokenCount()(prompt_of(body)) for body in server.calls)
    assert read == pytest.approx(asked, rel=0.1)


def test_trees_are_estimated_and_kept(run, server, report, tmp_path) -> None:
    given = ["questions", report, "--model", server.address, "--work", str(tmp_path / "work")]
    server.answer = lambda body: (
        Answer("What is it?") if "one question" in prompt_of(body) else obedient(body)
    )
    status, out, _ = run(*given, "--estimate")
    assert (status, server.calls) == (0, [])
    assert run(*given)[0] == 0
    assert out.startswith(f"{len(server.calls)} calls with about ")
    server.calls.clear()
    assert run(*given)[0] == 0
    assert server.calls == []
    assert "take --estimate" in " ".join(run("questions", report, "--estimate")[2].split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--context", "900"], "Only language models take --context"),
        (["--model", "http://models.example/v1#m"], "sent to models.example"),
        (["--model", "http://a:b@models.example/v1#m"], "must not hold a key"),
        (["--model", "{server}", "--context", "200"], "too small"),
        (["--estimate"], "makes no calls that could be counted"),
    ],
)
def test_impossible_options_are_reported_in_a_sentence(
    run, server, report, arguments, says
) -> None:
    given = [each.format(server=server.address) for each in arguments]
    status, out, told = run("summarize", report, *given)
    assert (status, out) == (2, "")
    assert says in " ".join(told.split())
    assert server.calls == []


def test_writers_lists_the_named_ones_and_queries_a_server(
    run, server, tmp_path, monkeypatch
) -> None:
    file = tmp_path / "writers.yaml"
    monkeypatch.setenv("LONGSUM_WRITERS", str(file))
    status, out, _ = run("writers")
    assert status == 0
    assert f"No writer is named in {file}" in out
    file.write_text(f"local: {{url: '{server.address}'}}\n")
    (row,) = json.loads(run("writers", "--format", "json")[1])
    assert (row["name"], row["address"]) == ("local", server.address)
    server.answer = lambda _: Answer("It is.")
    found = " ".join(run("writers", "local")[1].split())
    assert "window 4,096 tokens (max_model_len) counts tokens no says what it read yes" in found
    assert len(server.calls) == 3
    assert run("writers", "remote")[0] == 2
