"""Blocks on Ray, with a stand-in that hands batches to one actor in this process."""

import json
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import pytest

from batch_runs import TEXT, made, rows_of
from longsum.batch.inspection import verify
from longsum.batch.ray_engine import RayEngine
from longsum.batch.run import BatchRun
from longsum.batch.summarizing import BlockSummarizer
from longsum.common.errors import LongsumError, UnwritableError


class RayError(Exception):
    pass


class Ray:
    """The part of Ray that `RayEngine` uses, and a record of its calls."""

    def __init__(self) -> None:
        self.begun = {}
        self.asked = {}
        self.ends = 0
        self.fails: Exception | None = None

    def init(self, **given) -> None:
        self.begun = given
        if given["address"] == "nowhere":
            raise ConnectionError("no route")

    def shutdown(self) -> None:
        self.ends += 1

    def from_items(self, lines: list[dict[str, str]], **_) -> "Ray":
        self.lines = lines
        return self

    def map_batches(self, actor, **asked) -> "Ray":
        self.actor, self.asked = actor(*asked.pop("fn_constructor_args")), asked
        return self

    def iter_rows(self) -> Iterator[dict]:
        for line in self.lines:
            if self.fails:
                raise self.fails
            for outcome in self.actor({"block": [line["block"]]})["outcome"]:
                yield {"outcome": outcome}


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> Ray:
    stand_in = Ray()
    module = ModuleType("ray")
    module.init, module.shutdown = stand_in.init, stand_in.shutdown
    context = SimpleNamespace(get_current=lambda: SimpleNamespace())
    pool = lambda **sizes: sizes  # noqa: E731
    parts = {
        "data": {
            "from_items": stand_in.from_items,
            "ActorPoolStrategy": pool,
            "DataContext": context,
        },
        "exceptions": {"RayError": RayError},
    }
    monkeypatch.setitem(sys.modules, "ray", module)
    # A frame is a dict of columns.
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    for name, members in parts.items():
        part = ModuleType(f"ray.{name}")
        vars(part).update(members)
        setattr(module, name, part)
        monkeypatch.setitem(sys.modules, f"ray.{name}", part)
    return stand_in


@pytest.fixture
def run(tmp_path) -> BatchRun:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": TEXT}) + "\n" for name in "abc"))
    run = made(path, tmp_path / "out")
    run.begin()
    return run


def resume(run: BatchRun, **options) -> list:
    reported = []
    given = {"workers": 3, "timeout": 9.0, **options}
    run.resume(lambda ledger, settings: RayEngine(ledger, settings, **given), reported.append)
    return reported


def test_every_block_is_committed_and_reported(run: BatchRun, ray: Ray) -> None:
    assert [(done.block, done.rows) for done in resume(run)] == [(0, 2), (1, 1)]
    assert verify(run).sound
    assert {row.summary for row in rows_of(run).values()} == {"Dams hold back the river in spring."}
    # A core for each actor and one for what feeds them.
    assert (ray.begun["num_cpus"], ray.begun["address"], ray.ends) == (4, None, 1)
    # A dashboard would listen on a port.
    assert ray.begun["include_dashboard"] is False
    assert ray.asked["compute"] == {"min_size": 1, "max_size": 3}
    assert (ray.asked["num_gpus"], ray.asked["batch_size"], ray.asked["num_cpus"]) == (None, 1, 1)
    # Nothing is left, and no cluster is asked for.
    assert resume(run) == []
    assert ray.ends == 1


def test_a_cluster_has_cores_of_its_own(run: BatchRun, ray: Ray) -> None:
    resume(run, address="auto", gpus=0.5)
    assert ray.asked["num_gpus"] == 0.5
    assert "num_cpus" not in ray.begun
    assert ray.begun["address"] == "auto"


def test_errors_that_end_a_run_are_reported(
    run: BatchRun, ray: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(LongsumError, match=r"reached at 'nowhere' \(no route\)"):
        resume(run, address="nowhere")
    ray.fails = RayError()
    with pytest.raises(LongsumError, match=r"Ray ended the run \(RayError\)"):
        resume(run)
    ray.fails = None
    for error in (UnwritableError("The disk is full."), LongsumError("No such system.")):

        def fail(*_, error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(BlockSummarizer, "of_run", fail)
        with pytest.raises(LongsumError, match=str(error)) as raised:
            resume(run)
        assert type(raised.value) is type(error)


def test_a_document_at_which_actors_end_is_given_up(run: BatchRun, ray: Ray) -> None:  # noqa: ARG001
    run.ledger.open()
    engine = RayEngine(run.ledger, run.settings, workers=1, timeout=9.0)
    block = next(run.ledger.plan.blocks())
    run.ledger.journal_file(block).write_text('null\n["a", "b"]\n' + 'null\n["b"]\n' * 2)
    engine.run(iter([block]), lambda _: None)
    assert [row.error_type for row in run.ledger.rows(block)] == [None, "crash"]
