"""The progress bar: units, rate and remaining time, only on a terminal."""

import importlib
import io
import pkgutil
import sys
from contextlib import contextmanager

import pytest
from rich.console import Console

from longsum.cli.streams import _in_bars, bar, filled, pace

RECIPE = """\
name: parts
title: Parts of at most 500 words
paper: none
kind: recursive
settings: {chapters: lead, whole: lead, undivided: 500, part_words: 500, least_words: 50}
"""


@pytest.mark.parametrize(
    ("speed", "said"),
    [
        *((None, ""), (0.0, ""), (3.21, "3.21 steps/s"), (1234.5, "1,234 steps/s")),
        *((1.0, "1 steps/s"), (0.25, "4 s per step")),
    ],
)
def test_a_pace_is_shown_in_the_most_readable_unit(speed, said):
    assert pace(speed, "step") == said


def test_words_with_hyphens_are_not_broken():
    assert filled("long- " * 15 + "well-kept-things", 2)[1] == "  well-kept-things"


@pytest.mark.parametrize(
    ("steps", "said", "unsaid"),
    [
        (
            [(done, 8, "Scoring") for done in range(1, 5)],
            ["Scoring", "4/8 documents", "documents/s", "0:00:0"],
            [],
        ),
        # Without an end.
        ([(done, None, "Scoring") for done in (1, 2, 1234)], ["1,234 documents"], ["/1,234"]),
        # Before there is anything to count.
        ([], ["Reading"], ["document"]),
    ],
)
def test_it_shows_what_is_done_and_the_time_left(steps, said, unsaid):
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=120, color_system=None)
    with bar("Reading", "document", console) as show:
        for step in steps:
            show(*step)
    shown = written.getvalue()
    assert [part for part in said if part not in shown] == []
    assert [part for part in unsaid if part in shown] == []


def test_a_new_message_takes_the_place_of_the_last():
    from rich.progress import Progress

    progress = Progress(console=Console(file=io.StringIO()))
    show = _in_bars(progress, "Reading")
    for message in ("Scoring", "Writing"):
        show(1, 2, message)
        assert [task.description for task in progress.tasks] == [message]


def test_parts_of_a_long_text_are_counted_on_a_terminal_and_not_in_a_pipe(
    run, example_path, tmp_path, monkeypatch
):
    recipe = tmp_path / "parts.yaml"
    recipe.write_text(RECIPE)
    arguments = ("summarize", example_path, "--system", recipe, "-l", "60w")
    status, piped, err = run(*arguments)
    assert (status, "Summarizing" in err) == (0, False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    status, out, seen = run(*arguments)
    assert (status, out) == (0, piped)
    assert "Summarizing parts, level 1" in seen


def test_without_a_terminal_a_line_reports_progress_once_a_minute(monkeypatch, capsys):
    from longsum.cli import streams

    clock = [0.0]
    monkeypatch.setattr(streams, "monotonic", lambda: clock[0])
    with streams.bar("Reading", "document") as show:
        for done in range(1, 5):
            clock[0] += 25.0
            show(done, 2_000, "Evaluating")
    assert capsys.readouterr().err == "Evaluating: 3 of 2,000 documents\n"


def test_commands_show_on_a_terminal_what_they_do(run, monkeypatch, tmp_path):
    import longsum.cli

    said = []

    @contextmanager
    def noted(message):
        said.append(message)
        yield

    for each in pkgutil.iter_modules(longsum.cli.__path__, "longsum.cli."):
        module = importlib.import_module(each.name)
        if hasattr(module, "progress"):
            monkeypatch.setattr(module, "progress", noted)
    text = (
        "# Dams\n\nThe dam of 1932 holds the river back. It is old.\n\n# Fish\n\nTrout swim there."
    )
    report, claim = tmp_path / "report.md", tmp_path / "claim.txt"
    report.write_text(text)
    claim.write_text("The dam is of 1932. It is old.")
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("name,sales\nA,1\nB,2\n")
    stages = {
        ("summarize", report, "-l", "5w"): "Reading, Loading",
        ("questions", report, "-l", "9w"): "Reading, Loading, Summarizing 2 sections",
        ("outline", report, "--summaries"): "Reading, Summarizing 2 sections",
        ("check", claim, "--against", report): "Reading, Reading, Checking 2 sentences",
        ("table", numbers): "Reading",
    }
    for command, told in stages.items():
        assert run(*command)[0] == 0, command
        assert ", ".join(said) == told
        said.clear()
