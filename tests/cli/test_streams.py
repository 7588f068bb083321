"""Where results go, and the messages if they cannot be written."""

import errno
import io
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from longsum.cli import app
from longsum.cli.streams import OutputLost, check_outputs, progress, tell, write_json, write_result
from longsum.common.errors import LongsumError, UnwritableError


@pytest.fixture
def program(device):
    """Run the program in a separate process; its streams are files or their names."""

    def call(*arguments: object, out: Path | None = None, err: Path | None = None, **more: str):
        command = [sys.executable, "-m", "longsum", *map(str, arguments)]
        null = device("null")
        with (out or null).open("wb") as stdout, (err or null).open("wb") as stderr:
            done = subprocess.run(
                command,
                stdout=stdout,
                stderr=stderr if err else subprocess.PIPE,
                env={**os.environ, **more},
            )
        return done.returncode, (done.stderr or b"").decode()

    return call


@pytest.mark.parametrize(("command", "buffering"), [("systems", ""), ("--help", "1")])
def test_standard_output_on_a_full_disk_is_one_sentence(program, device, command, buffering):
    status, err = program(command, out=device("full"), PYTHONUNBUFFERED=buffering)
    assert status == 1
    assert err == "longsum: The output cannot be written: No space left on device.\n"


def test_standard_error_on_a_full_disk_leaves_the_status(program, device):
    assert program("--version", out=device("full"), err=device("full"))[0] == 1
    assert program("nothing", err=device("full"))[0] == 2


@pytest.mark.slow
def test_warnings_on_a_full_disk_do_not_prevent_a_result(program, device, tmp_path):
    text = tmp_path / "short.txt"
    text.write_text("One short sentence stands here alone.\n")
    out = tmp_path / "out"
    # Asked for more than there is, which is worth a warning.
    asked = ("summarize", text, "--system", "lead", "--levels")
    assert program(*asked, out=out, err=device("full"))[0] == 0
    assert "One short sentence" in out.read_text()
    assert "longsum: warning: " in program(*asked)[1]


def test_only_streams_that_are_closed_are_opened(monkeypatch) -> None:
    opened, fstat = [], os.fstat
    monkeypatch.setattr(os, "fstat", lambda number: fstat(999 if number == 1 else number))
    monkeypatch.setattr(os, "open", lambda *given: opened.append(given))
    app._open_closed_streams()
    monkeypatch.undo()
    assert opened == [(os.devnull, os.O_RDWR)]


@pytest.mark.slow
def test_closed_streams(example_path, tmp_path):
    def closed(stream: str, *words: object) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "longsum", *map(str, words)]
        shell = ["sh", "-c", f'exec "$@" {stream}>&-', "sh", *command]
        return subprocess.run(shell, capture_output=True)

    done = closed("1", "systems")
    assert (done.returncode, done.stderr.count(b"\n")) == (1, 1)
    assert b"cannot be written" in done.stderr
    target = tmp_path / "out.json"
    assert closed("1", "read", example_path, "-o", target).returncode == 0
    assert target.stat().st_size
    done = closed("0", "summarize", "-")
    assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
    assert b"Standard input is closed" in done.stderr
    assert closed("0", "read", example_path).stdout == target.read_bytes()
    done = closed("2", "read", example_path)
    assert done.returncode == 0
    assert done.stdout == target.read_bytes()


def test_a_closed_pipe_is_not_reported(example_path):
    command = [sys.executable, "-m", "longsum", "read", str(example_path)]
    ends = os.pipe()
    os.close(ends[0])
    with os.fdopen(ends[1], "wb") as stdout:
        done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_output_that_is_not_a_regular_file_is_not_replaced(
    run, example_path, tmp_path, device, force
):
    asked = ("summarize", example_path, "--system", "lead", "-l", "1s", *force)
    expected = run(*asked)[1]
    full, link = device("full"), tmp_path / "link"
    link.symlink_to(full)
    for target in (full, link):
        status, out, err = run(*asked, "-o", target)
        assert (status, out) == (1, "")
        assert err == f"longsum: '{target}' cannot be written: No space left on device.\n"
    assert link.is_symlink()
    assert stat.S_ISCHR(full.stat().st_mode)
    assert run(*asked, "-o", device("null")) == (0, "", "")
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    with subprocess.Popen(["cat", str(fifo)], stdout=subprocess.PIPE) as reader:
        assert run(*asked, "-o", fifo)[0] == 0
        assert reader.communicate()[0].decode() == expected
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (OSError(errno.EIO, "Input/output error", "x"), 1, "cannot be written: Input/output error"),
        *(
            (OSError(number, "No room left"), 1, "The output cannot be written: No room left.")
            for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
        ),
        (PermissionError(errno.EACCES, "Permission denied", "a b"), 2, "'a b' cannot be used (Per"),
        (UnwritableError("It is full."), 1, "It is full."),
        (LongsumError("It is empty."), 2, "It is empty."),
        (SystemExit(7), 7, ""),
    ],
)
def test_the_exit_status_shows_what_ended_the_program(run, monkeypatch, error, status, says):
    monkeypatch.setattr("longsum.documents.readers.read", Mock(side_effect=error))
    found = run("read", "x")
    assert found[:2] == (status, "")
    assert says in found[2]
    assert found[2].count("\n") == bool(says)


def test_unexpected_errors_are_raised(run, monkeypatch):
    for error in (OSError("odd"), ZeroDivisionError("odd")):
        monkeypatch.setattr("longsum.documents.readers.read", Mock(side_effect=error))
        with pytest.raises(type(error), match="odd"):
            run("read", "x")


def test_no_folder_is_left_and_no_stream_needed(run, monkeypatch, tmp_path):
    def read(*_, **__):
        (tmp_path / "made").mkdir()
        monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "made"))
        raise LongsumError("It is empty.")

    monkeypatch.delenv("TORCHINDUCTOR_CACHE_DIR", raising=False)
    monkeypatch.setattr("longsum.documents.readers.read", read)
    monkeypatch.setattr(sys, "stderr", None)
    assert run("read", "x")[0] == 2
    assert not any(tmp_path.iterdir())


def test_no_result_commands_a_terminal(capsys, monkeypatch, tmp_path):
    for output in (None, tmp_path / "out.json"):
        write_result('"a\x1b[2J\x9b\x7f\r\ttitle"\n', output)
    shown = capsys.readouterr().out
    assert shown == (tmp_path / "out.json").read_text()
    assert shown == '"a\\u001b[2J\\u009b\\u007f\\u000d\ttitle"\n'
    write_json({"a": "\udcff"}, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text()) == {"a": "\udcff"}
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(OutputLost):
        write_result("It is closed.", None)


def test_two_outputs_are_two_files(run, device, tmp_path):
    one, link = tmp_path / "one", tmp_path / "link"
    one.write_text("mine")
    link.symlink_to(one)
    outputs = ("--summaries", one, "--report", link, "--force")
    status, _, err = run("evaluate", "--data", "squality", "-s", "lead", *outputs)
    assert (status, one.read_text()) == (2, "mine")
    assert err == f"longsum: '{link}' is given for two outputs; give each a file of its own.\n"
    check_outputs((device("null"), device("null"), None), force=False)


@pytest.mark.parametrize(("option", "expected"), [("-o", 1), ("--model", 2), ("--work", 1)])
def test_a_name_that_no_file_can_have_is_one_sentence(run, example_path, option, expected):
    status, out, err = run("summarize", example_path, option, "a" * 999)
    assert (status, out) == (expected, "")
    assert re.fullmatch(r"longsum: .*File name too long.*\n", err)


def test_a_file_that_cannot_be_written(run, example_path, tmp_path: Path):
    target = tmp_path / "out.json"
    target.write_text("mine")
    status, _, err = run("read", example_path, "-o", target)
    assert (status, "--force" in err) == (2, True)
    assert target.read_text() == "mine"
    target.chmod(0o600)
    assert run("read", example_path, "-o", target, "--force")[:2] == (0, "")
    assert target.read_text().startswith("{")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    status, _, err = run("read", example_path, "-o", tmp_path / "nowhere" / "out.json")
    assert (status, "does not exist; make it first" in err) == (2, True)


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_is_shown_only_on_a_terminal(monkeypatch, terminal) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with progress("Reading"):
        pass
    assert ("Reading" in stream.getvalue()) == terminal


def test_control_sequences_in_messages_are_shown_and_not_obeyed(capsys):
    tell("a\x1b[31m.txt \u202egnp was left out")
    assert capsys.readouterr().err == "a\\x1b[31m.txt \\u202egnp was left out\n"
