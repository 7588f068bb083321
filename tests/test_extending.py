"""Another package adds a system, a reader, a metric and a command, and hides none of ours."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import dedent

import pytest

EXTENSION = Path(__file__).parents[1] / "examples" / "extension"
MODULE = "longsum_riddles"
RIDDLES = """\
What has keys but opens no door of any house? | A piano has keys, and no door is opened by it.
What gets wetter the more it dries the dishes? | A towel is the answer to the riddle.
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pip makes of the package: its module, and the names that it registers."""
    place = tmp_path_factory.mktemp("installed")
    stated = tomllib.loads((EXTENSION / "pyproject.toml").read_text())["project"]
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {what}\n" for name, what in entries.items())
        for group, entries in stated["entry-points"].items()
    ]
    info = place / f"{MODULE}-{stated['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: {stated['name']}\nVersion: {stated['version']}\n")
    (info / "entry_points.txt").write_text("".join(groups))
    (place / f"{MODULE}.py").write_text((EXTENSION / f"{MODULE}.py").read_text())
    (place / "three.riddle").write_text(RIDDLES)
    return place


def run(place: Path, *arguments: str, code: str = "") -> subprocess.CompletedProcess[str]:
    paths = [str(place), os.environ.get("PYTHONPATH", "")]
    return subprocess.run(
        [sys.executable, *(["-c", code] if code else ["-m", "longsum"]), *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
    )


def test_its_system_summarizes_what_its_reader_reads(installed: Path) -> None:
    """In the process for untrusted files too, which opens no file once it reads."""
    done = run(installed, "summarize", "three.riddle", "-s", "questions-first", "-l", "19w")
    questions = [line.split(" | ")[0] for line in RIDDLES.splitlines()]
    assert (done.stdout.strip(), done.returncode) == (" ".join(questions), 0), done.stderr


def test_its_command_and_names_are_listed_and_its_reader_refuses(installed: Path) -> None:
    (installed / "bad.riddle").write_text("What has an eye and cannot see?")
    asked = """
        import sys
        from longsum.cli import main
        for words in ("count three.riddle", "--help", "systems", "metrics", "count bad.riddle"):
            sys.argv[1:] = words.split()
            try:
                main()
            except SystemExit as end:
                assert (end.code or 0) == 2 * ("bad" in words)
    """
    done = run(installed, code=dedent(asked))
    assert done.stderr == "longsum: bad.riddle has a line without an answer; add '| answer'.\n"
    told = done.stdout
    assert told.startswith("4\n")
    assert "Count the sentences of a document." in told
    assert "questions-first" in told
    assert "asked: questions, 0 and above" in told


def test_a_package_that_cannot_be_imported_is_told_in_one_sentence(installed: Path) -> None:
    file = installed / f"{MODULE}.py"
    whole = file.read_text()
    file.write_text("import there_is_no_such_module\n")
    try:
        done = run(installed, "summarize", "three.riddle", "-s", "questions-first")
    finally:
        file.write_text(whole)
    assert done.returncode == 2
    assert "of the package longsum-riddles cannot be loaded" in done.stderr
    assert len(done.stderr.splitlines()) == 1
