"""The benchmarks of models and attentions run at toy size; their figures are not checked."""

import importlib
import json
import math
import multiprocessing.dummy
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest
import torch

from longsum.common.errors import LongsumError

MODULES = (
    *("workers", "peers", "speed", "sumy_systems", "attention", "bias", "encoder", "generation"),
    *("extraction", "top_down"),
)


class Thread(multiprocessing.dummy.Process):
    """A worker that is prepared before the next one, since threads share one random state."""

    def start(self) -> None:
        made = threading.Event()
        connection, build, arguments, first = self._args

        def build_and_tell(*inputs):
            try:
                return build(*inputs)
            finally:
                made.set()

        self._args = (connection, build_and_tell, arguments, first)
        super().start()
        made.wait()


class Threads:
    Process, Pipe = Thread, staticmethod(multiprocessing.dummy.Pipe)


@pytest.fixture
def benchmark_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Import a benchmark with threads as workers and with a toy geometry."""
    for name in MODULES:
        monkeypatch.delitem(sys.modules, name, raising=False)
    workers, peers = (importlib.import_module(name) for name in ("workers", "peers"))
    monkeypatch.setattr(workers, "CONTEXT", Threads)
    # The tests' own process holds much that would be searched for garbage again and again.
    monkeypatch.setattr(workers, "gc", SimpleNamespace(collect=int))
    toy = peers.Geometry(16, 2, 24, 24, layers=2, window=4, vocabulary=61)
    monkeypatch.setitem(peers.GEOMETRIES, "toy", toy)
    return importlib.import_module


@pytest.fixture
def run(tmp_path) -> Callable:
    """Run a benchmark and read what it wrote."""

    def call(module: ModuleType, arguments: str) -> dict:
        file = tmp_path / "found.json"
        module.main([*arguments.split(), "--json", str(file)])
        found = json.loads(file.read_text(encoding="utf-8"))
        assert found["machine"]["threads"] >= 1
        return found

    return call


def test_encoder(benchmark_of, run, monkeypatch, capsys) -> None:
    encoder = benchmark_of("encoder")
    monkeypatch.setattr(encoder, "LEARNER", sys.modules["peers"].GEOMETRIES["toy"])
    found = run(encoder, "--geometry toy --lengths 8 20 --longest-full 8 --repeat 1 "
                "--train-tokens 16")  # fmt: skip
    rows = {(row["peer"], row["dtype"], row["tokens"]): row for row in found["encoder"]}
    assert len(rows) == 2 * (4 + 3)
    assert ("HF BART", "float32", 20) not in rows
    for tokens in (8, 20):
        assert rows["HF LED", "float32", tokens]["difference"] < 1e-5
    assert len(found["slopes"]) == 2 * 3
    assert all(math.isfinite(row["exponent"]) for row in found["slopes"])
    ours, led = (row["loss"] for row in found["train"] if row["dtype"] == "float32")
    assert math.isclose(ours, led, rel_tol=1e-4)
    assert "HF LED in float32 takes" in capsys.readouterr().out


def test_unmeasured_memory_has_no_share(benchmark_of) -> None:
    some, none = (benchmark_of("workers").Summary(1.0, mb, []) for mb in (3.0, 0.0))
    assert (some.memory_over(some), none.memory_over(some)) == (1, 0)
    assert math.isnan(some.memory_over(none))


def test_generation(benchmark_of, run, monkeypatch, capsys) -> None:
    generation = benchmark_of("generation")
    monkeypatch.setattr(generation, "READ_MB", 1)
    toy = sys.modules["peers"].Geometry(16, 4, 24, 24, layers=2, window=4, vocabulary=61)
    monkeypatch.setitem(sys.modules["peers"].GEOMETRIES, "toy", toy)
    settings = "--geometry toy --layers 2 --source 16 --tokens 5 --repeat 2"
    found = run(generation, f"{settings} --dtype float32")
    ours, hepos, led = (
        next(row for row in found["generation"] if row["system"] == system)
        for system in generation.SYSTEMS
    )
    assert ours["difference"] < 1e-5
    assert ours["same_tokens"] == 1
    assert led["cross_cache_mb"] == 4 * ours["cross_cache_mb"] == 16 * hepos["cross_cache_mb"]
    assert [row["steps_run"] for row in (ours, hepos, led)] == [5, 5, 5]

    quick = run(generation, f"{settings} --dtype float32 --quick")
    assert [row["steps_run"] for row in quick["generation"]] == [5, 5, 2]
    assert "HF LED generated 2 tokens; the whole is extrapolated" in capsys.readouterr().out


@pytest.mark.slow
def test_attention(benchmark_of, run) -> None:
    attention = benchmark_of("attention")
    attention.HEADS, attention.SIZE, attention.MOST = 4, 8, 1024
    found = run(attention, "--lengths 64 128 --dtype float32 --repeat 1")
    cells = {row["kind"]: row["cells"] for row in found["attention"]}
    assert set(cells) == {*attention.KINDS, *attention.CROSS}
    assert all(cell["ms"] > 0 for kind in cells if "LED" not in kind for cell in cells[kind])
    for whole, strided in zip(cells["cross full"], cells["cross HEPOS 4"], strict=True):
        assert all(strided[size] * 4 == whole[size] for size in attention.SIZES)


def test_bias(benchmark_of, run, monkeypatch) -> None:
    bias = benchmark_of("bias")
    for name, size in {"HEADS": 2, "SIZE": 8, "WINDOW": 16}.items():
        monkeypatch.setattr(bias, name, size)
    found = run(bias, "--tokens 300 --sections 9 --dtype float32 --repeat 1")
    assert [row["form"] for row in found["biases"]] == [*bias.FORMS, bias.REST]
    assert all(row[name]["seconds"] > 0 for row in found["biases"] for name in bias.PASSES)
    # What is compared computes the same.
    outputs = [
        bias.build(form, 300, 9, "float32", False).run()
        for form in ("hibrids", "id matrix", "none")
    ]
    torch.testing.assert_close(outputs[0], outputs[1], atol=1e-5, rtol=1e-5)
    assert not torch.equal(outputs[0], outputs[2])


@pytest.mark.slow
def test_extraction(benchmark_of, run, monkeypatch, capsys, tmp_path) -> None:
    extraction = benchmark_of("extraction")
    shape = extraction.SHAPE
    encoder = replace(shape.sentence_encoder, vocabulary=400, size=16, layers=1, heads=2)
    monkeypatch.setattr(extraction, "SHAPE", replace(shape, sentence_encoder=encoder))
    monkeypatch.setattr(extraction, "MOST_WORDS_FOR_PEERS", 400)
    monkeypatch.setattr(extraction, "installed", lambda package: package == "sumy")
    settings = "--words 150 600 --summary 40 --step-words 300 --steps 2 4 --repeat 1"
    found = run(extraction, f"{settings} --random")
    systems = [row["system"] for row in found["extraction"]]
    assert systems == ["longsum extractor", "sumy textrank", "sumy lexrank", "longsum extractor"]
    assert all(row["chosen"] for row in found["extraction"])
    assert [row["steps"] for row in found["steps"]] == [2, 4]
    assert "time grows with length to the power" in capsys.readouterr().out
    with pytest.raises(LongsumError):
        run(extraction, f"{settings} --model {tmp_path}")


@pytest.mark.parametrize("backward", ["", " --backward"])
def test_top_down(benchmark_of, run, capsys, backward) -> None:
    top_down = benchmark_of("top_down")
    settings = "--geometry toy --lengths 40 80 --longest-full 40 --repeat 1 --dtype float32"
    rows = run(top_down, settings + backward)["top_down"]
    assert [row["form"] for row in rows] == [*top_down.FORMS, *top_down.FORMS[1:]]
    assert all(row["seconds"] > 0 for row in rows)
    assert "top-down 256: time grows with length to the power" in capsys.readouterr().out


def test_counts_pairs_within_a_window(benchmark_of: Callable[[str], ModuleType]) -> None:
    pairs_within = benchmark_of("peers")._pairs_within
    for radius, tokens in ((0, 5), (2, 7), (9, 4)):
        expected = sum(abs(i - j) <= radius for i in range(tokens) for j in range(tokens))
        assert pairs_within(radius, tokens) == expected


def test_a_failure_in_a_process_is_raised_here(benchmark_of) -> None:
    workers = benchmark_of("workers")

    def fail() -> None:
        raise ValueError("no model")

    with pytest.raises(ValueError, match="no model"), workers.working({"one": (fail,)}):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from Linux's /proc")
def test_the_peak_of_memory_is_that_of_a_run(benchmark_of: Callable[[str], ModuleType]) -> None:
    workers = benchmark_of("workers")

    def allocate(megabytes: int) -> int:
        return len(b"x" * (megabytes * 2**20))

    subjects = {"one": (lambda: workers.Subject(allocate, lambda found: found),)}
    with workers.working(subjects, 1) as working:
        large = workers.take_turns(working, 2, 80)["one"]
        small = workers.take_turns(working, 1, 2)["one"]
    assert large.reports == [80 * 2**20] * 2
    assert 75 < large.megabytes < 130
    assert small.megabytes < 40
