"""How fast whole corpora are summarized, and what the machinery of `longsum batch` costs.

Run: LONGSUM_DATA=… python benchmarks/batch.py [--data D …] [--documents N] [--repeat N] [--ray]
[--sumy]

Documents of free training splits are written as JSON lines and summarized, in 250 words each,

- by a loop in one process with one thread and the system already loaded: the bare loop;
- by `longsum batch` in one process with one thread, and in two. Starting processes and loading the
  system is counted separately: it is what a run over a single document takes;
- by `longsum batch --engine ray` with two workers, if asked for;
- by sumy's TextRank in one process, if asked for.

It also prints the share of padding among the encoder's input tokens.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

from longsum.batch.ledger import Ledger
from longsum.batch.plan import BlockSize
from longsum.batch.ray_engine import RayEngine
from longsum.batch.run import BatchRun, Engine
from longsum.batch.settings import BatchSettings
from longsum.batch.workers import LocalEngine
from longsum.core.encoder.onnx_runtime.session import Session
from longsum.core.library import summarize_all
from longsum.core.recipes import DEFAULT
from longsum.core.systems.system import Summarizer
from longsum.evaluation.datasets import load
from longsum.language.words import count_words
from sumy_systems import Sumy

DATA = ("pmc_jats", "scisummnet", "openstax_sections")
LENGTH = "250w"


def main() -> None:
    """Print a line for each way."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--data", nargs="+", default=DATA, help="data sets")
    parser.add_argument("--documents", type=int, default=120, help="documents of all sets")
    parser.add_argument("--repeat", type=int, default=3, help="runs; the medians are printed")
    parser.add_argument("--ray", action="store_true", help="with Ray too")
    parser.add_argument("--sumy", action="store_true", help="with sumy's TextRank too")
    options = parser.parse_args()
    texts = texts_of(options.data, options.documents)
    words = sum(map(count_words, texts))
    print(f"{len(texts)} documents, {words:,} words; medians of {options.repeat}")
    ways: dict[str, Callable[[], float]] = {"bare loop": lambda: _loop(texts)}
    with tempfile.TemporaryDirectory() as folder:
        corpus, single = Path(folder) / "corpus.jsonl", Path(folder) / "single.jsonl"
        _write(corpus, texts)
        _write(single, ["A sentence. Another sentence."] * 2)
        engines: dict[str, tuple[Path, Callable[[Ledger, BatchSettings], Engine]]] = {
            "starting one process": (single, _local(1)),
            "batch, one process": (corpus, _local(1)),
            "batch, two processes": (corpus, _local(2)),
        }
        if options.ray:
            engines["starting Ray"] = (single, _on_ray)
            engines["batch, Ray, two workers"] = (corpus, _on_ray)
        for name, (path, engine) in engines.items():
            ways[name] = lambda path=path, engine=engine: _batch(path, engine)  # type: ignore[misc]
        if options.sumy:
            ways["sumy's TextRank"] = lambda: _loop(texts, Sumy("textrank"))
        # In turns, so that other load on the machine affects all alike.
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(options.repeat):
            for name, way in ways.items():
                taken[name].append(way())
    for name, seconds in taken.items():
        took = median(seconds)
        print(f"{name:26} {took:8.1f} s {words / took:10,.0f} words/s", flush=True)
    print(f"padding: {_padding(texts):.1%} of the encoder's tokens")


def texts_of(data: Sequence[str], documents: int) -> list[str]:
    """Return the texts of training documents, about as many of each data set."""
    each = -(-documents // len(data))
    return [example.document.text for name in data for example in load(name, "train", limit=each)]


def _write(path: Path, texts: list[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "text": text}) + "\n")


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _loop(texts: list[str], system: Summarizer | str = DEFAULT) -> float:
    list(summarize_all(["A sentence. Another sentence."], LENGTH, system))
    return _seconds(lambda: [made.text for made in summarize_all(texts, LENGTH, system)])


def _local(workers: int) -> Callable[[Ledger, BatchSettings], Engine]:
    return lambda ledger, settings: LocalEngine(ledger, settings, workers=workers, timeout=900)


def _on_ray(ledger: Ledger, settings: BatchSettings) -> Engine:
    return RayEngine(ledger, settings, workers=2, timeout=900)


def _batch(corpus: Path, engine: Callable[[Ledger, BatchSettings], Engine]) -> float:
    settings = BatchSettings(corpus=str(corpus), length=LENGTH, form="jsonl")
    with tempfile.TemporaryDirectory() as folder:
        run = BatchRun(Path(folder) / "out", settings, BlockSize(8))
        run.begin()
        return _seconds(lambda: run.resume(engine, lambda _: None))


def _padding(texts: list[str]) -> float:
    """Return the share of padding among the encoder's input tokens."""
    given = own = 0
    run = Session.run

    def counted(self: Session, tokens: Any, lengths: Any) -> Any:
        nonlocal given, own
        given += tokens.size
        own += int(lengths.sum())
        return run(self, tokens, lengths)

    Session.run = counted  # type: ignore[method-assign]
    try:
        list(summarize_all(texts, LENGTH))
    finally:
        Session.run = run  # type: ignore[method-assign]
    return 1 - own / given


if __name__ == "__main__":
    main()
