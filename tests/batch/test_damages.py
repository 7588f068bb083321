"""Damage to the files of a run is noticed, and repaired or refused."""

import errno
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from batch_runs import TEXT, Here, finished, nobody, rows_of
from longsum.batch.inspection import status, verify
from longsum.batch.run import BatchRun
from longsum.batch.stored import hash_of
from longsum.common.errors import LongsumError

ROWS, RECORD = "rows/block-000001.jsonl", "done/block-000001.json"
PLAN, MANIFEST = "plan.jsonl", "manifest.json"
OF_A_FILE: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "of equal size": lambda path: path.write_bytes(path.read_bytes().swapcase()),
    "with a line twice": lambda path: path.write_bytes(2 * path.read_bytes()),
    "binary": lambda path: path.write_bytes(b"\xff\x00" * 99),
    "a list": lambda path: path.write_text("[]"),
    "deep": lambda path: path.write_text("[" * 99_999),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
    "a FIFO": lambda path: (path.unlink(), os.mkfifo(path)),
    "a link to itself": lambda path: (path.unlink(), path.symlink_to(path.name)),
    "endless": lambda path: (path.unlink(), path.symlink_to("/dev/zero")),
}
DAMAGES: dict[str, Callable[[Path, Path], object]] = {
    **{
        f"{file} {name}": lambda out, _, file=file, damage=damage: damage(out / file)
        for place, (name, damage) in enumerate(OF_A_FILE.items())
        for file in (ROWS, (RECORD, PLAN, MANIFEST)[place % 3])
    },
    f"{PLAN} with its last line gone": lambda out, _: (out / PLAN).write_text(
        "".join((out / PLAN).read_text().splitlines(keepends=True)[:-1])
    ),
    f"{MANIFEST} of another run": lambda out, other: shutil.copy(other / MANIFEST, out / MANIFEST),
    f"{MANIFEST} edited": lambda out, _: edit(out / MANIFEST, '"seed": 0', '"seed": 1'),
    "rows of another run": lambda out, other: shutil.copy(other / ROWS, out / ROWS),
    "rows and record of another run": lambda out, other: [
        shutil.copy(other / file, out / file) for file in (ROWS, RECORD)
    ],
    "rows swapped": lambda out, _: swap(out / ROWS),
    "rows and records swapped": lambda out, _: (swap(out / ROWS), swap(out / RECORD)),
    "more rows": lambda out, _: shutil.copy(out / ROWS, out / "rows/block-000009.jsonl"),
    "no rows at all": lambda out, _: shutil.rmtree(out / "rows"),
    "a file for a folder": lambda out, _: (shutil.rmtree(out / "done"), (out / "done").touch()),
    "a field of a wrong type": lambda out, _: edit(out / RECORD, '"failures": {}', '"failures": 3'),
}


def edit(path: Path, before: str, after: str) -> None:
    path.write_text(path.read_text().replace(before, after, 1))


def swap(path: Path) -> None:
    first, content = path.with_name(path.name.replace("1", "0")), path.read_bytes()
    path.write_bytes(first.read_bytes())
    first.write_bytes(content)


@pytest.fixture(scope="module")
def made_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a finished run, a half-finished one, and one with other settings."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "corpus").mkdir()
    for name in "abcde":
        (folder / "corpus" / f"{name}.txt").write_text(f"{TEXT} This is {name}.")
    for name, length in (("finished", "1s"), ("other", "2s")):
        finished(folder / "corpus", folder / name, length=length)
    shutil.copytree(folder / "finished", folder / "half")
    for path in (folder / "half").glob("*/block-000002.*"):
        path.unlink()
    return folder


@pytest.fixture
def runs(made_before: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made_before, tmp_path / "runs"))


# What a run that is half done does otherwise: it has rows to make where its files are damaged.
CASES = [(damage, "finished") for damage in DAMAGES] + [
    (damage, "half") for damage in DAMAGES if "gone" in damage or "." not in damage
]


def resume(run: BatchRun) -> None:
    run.resume(Here, nobody)


def refused(run: BatchRun, told: str, *ways: Callable[[BatchRun], object]) -> None:
    for way in ways:
        with pytest.raises(LongsumError, match=told):
            way(run)


@pytest.mark.parametrize(("damage", "state"), CASES)
def test_damage_is_noticed_and_repaired(damage: str, state: str, runs: Path) -> None:
    run = BatchRun.open(runs / state)
    whole = status(run).done
    DAMAGES[damage](run.folder, runs / "other")
    if MANIFEST in damage:
        told = "holds no run|copy in its place|different runs"
        refused(run, told, status, verify, BatchRun.renew_plan, resume)
        assert not (run.folder / "aside").exists()
        return
    if PLAN in damage:
        refused(run, "batch resume", status, verify)
    else:
        assert status(run).damaged or status(run).done < whole
        assert verify(run).lines[-1] == "the run is incomplete; resume it"
    reported = []
    assert bool(run.renew_plan().lines) == (PLAN in damage)
    run.resume(Here, reported.append)
    # A plan that is made again comes out as before, and costs no rows.
    assert len(reported) == (state == "half") or PLAN not in damage
    assert verify(run).sound
    assert not status(run).damaged
    assert {name: row.summary for name, row in rows_of(run).items()} == {
        f"{name}.txt": "Dams hold back the river in spring." for name in "abcde"
    }


def test_a_plan_is_not_made_again_from_no_corpus(runs: Path) -> None:
    run = BatchRun.open(runs / "finished")
    (run.folder / PLAN).unlink()
    (runs / "empty").mkdir()
    for name, told in (("gone", "no folder"), ("empty", "no document")):
        settings = replace(run.settings, corpus=str(runs / name))
        refused(replace(run, settings=settings), told, BatchRun.renew_plan)


def refuse_to_open(
    which: Callable[[str, int], object], problem: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(path, flags: int, *rest) -> int:
        if which(str(path), flags):
            raise OSError(problem, os.strerror(problem))
        return opened(path, flags, *rest)

    opened = os.open
    monkeypatch.setattr(os, "open", refusing)


def test_unreadable_files_do_not_count_as_damaged(runs, monkeypatch) -> None:
    refuse_to_open(lambda path, _: path.endswith(ROWS), errno.EIO, monkeypatch)
    refused(BatchRun.open(runs / "finished"), "cannot be read", status, verify, resume)
    assert not (runs / "finished" / "aside").exists()


def test_a_finished_run_is_looked_at_on_a_disk_that_is_read_only(runs, monkeypatch) -> None:
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    refuse_to_open(lambda _, flags: flags & writing, errno.EROFS, monkeypatch)
    run = BatchRun.open(runs / "finished")
    assert not status(run).running
    assert verify(run).sound
    refused(run, "Read-only", resume)


@pytest.mark.parametrize(
    "number",
    [errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENXIO, errno.ENODEV, errno.EIO],
)
def test_a_path_that_is_not_a_file_counts_as_missing_but_an_unreadable_one_may_be_whole(
    number, monkeypatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, "not so")

    monkeypatch.setattr(os, "open", fail)
    kind, said = (
        (LongsumError, "cannot be read") if number == errno.EIO else (ValueError, "no file")
    )
    with pytest.raises(kind, match=said):
        hash_of(Path("a"))
