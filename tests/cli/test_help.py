"""Help texts and completion: every command with examples that can be run."""

import importlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from longsum.common.registry import registered

COMMANDS = {
    name: importlib.import_module(f"longsum.cli.{name}")
    for name in (
        *("agreement", "annotate", "biases", "convert", "data", "evaluate", "metrics", "outline"),
        *("questions", "read", "summarize", "systems", "table", "train"),
    )
}
EXAMPLES = [example for module in COMMANDS.values() for example in module.EXAMPLES]
# What they need is not at hand in a test: data sets, tables, public weights, time, a network.
NOT_HERE = (
    *("--model", "--data", "longsum annotate", "longsum data ", "longsum table", "ratings.csv"),
    *("biases", "convert", "train", "curl", "longsum mcp"),
)


def test_every_command_is_listed_with_a_whole_sentence(run):
    listed = run("--help")[1].partition("Commands:")[2]
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z].*\.$", listed, re.MULTILINE)


@pytest.mark.parametrize("name", registered("commands"))
def test_help_explains_what_a_command_does(run, name):
    status, out, _ = run(name, "--help")
    assert status == 0
    assert re.match(rf"Usage: longsum {name} .*\n\n  [A-Z]", out)


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_examples_line_by_line_within_100_columns(run, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "250")
    status, out, _ = run(name, "--help")
    assert status == 0
    below = out.partition("Examples:\n")[2]
    assert [line.strip() for line in below.splitlines()] == [
        line.strip() for example in COMMANDS[name].EXAMPLES for line in example.splitlines()
    ]
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_use_only_existing_options(run, example):
    words = shlex.split(example.partition("longsum ")[2].partition(" | ")[0])
    group = words[:1] if words[0] != "annotate" else words[:2]
    known = run(*group, "--help")[1].partition("Examples:")[0]
    for word in words[1:]:
        if re.fullmatch("-[a-z]|--[a-z-]+", word):
            assert re.search(rf"(^| ){word}[ ,]", known, re.MULTILINE), word


@pytest.mark.parametrize(
    "example", [each for each in EXAMPLES if not any(word in each for word in NOT_HERE)]
)
def test_examples_run(run, example, opening_path, tmp_path, monkeypatch):
    given = opening_path.read_bytes()
    files = ("report.pdf", "book.epub", "annex.docx", "minutes.html")
    for name in files:
        (tmp_path / name).write_bytes(given)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(example.partition("longsum ")[2])
    status, out, _ = run(*words, stdin=given)
    written = out or "".join(
        path.read_text(encoding="utf-8") for path in Path().iterdir() if path.name not in files
    )
    assert status == 0
    assert len(written) > 200
    if "json" in words:
        json.loads(written)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sum"], {"summarize"}),
        (["summarize", "--len"], {"--length"}),
        (["summarize", "x", "--format", "j"], {"json"}),
        (["summarize", "--system", "gr"], {"graph"}),
        (["summarize", "--system", "hepos"], set()),
        (["train", "hepos-s"], {"hepos-sinkhorn"}),
        (["train", "stepwise-s"], {"stepwise-small"}),
        (["evaluate", "--data", "squality"], {"squality", "squality_questions"}),
    ],
)
def test_a_shell_completes(run, monkeypatch, words, found):
    monkeypatch.setenv("_LONGSUM_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(("longsum", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    _, out, err = run()
    assert (set(out.split()), err) == (found, "")


@pytest.mark.parametrize("start", ["-m longsum", "-c 'import longsum.cli as c; c.main()'"])
def test_the_program_shows_its_completion_by_its_own_name(start):
    done = subprocess.run(
        [sys.executable, *shlex.split(start), "--show-completion", "bash"],
        capture_output=True,
        env={
            **os.environ,
            "SHELL": "/bin/bash",
            "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
        },
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "_LONGSUM_COMPLETE=complete_bash" in done.stdout.decode()


def test_no_plural_verb_follows_a_number_that_may_be_one():
    counts = re.compile(r"counted\([^}]*\)\}[^\"]{0,20}\b(?:are|were|have|come|do)\b")
    for path in (Path(__file__).parents[2] / "src").rglob("*.py"):
        assert not counts.search(path.read_text(encoding="utf-8")), path
