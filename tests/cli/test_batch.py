"""`longsum batch`: the effect of its options, what it shows, and what it prints."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from batch_runs import TEXT, Here
from longsum.batch.corpora.corpus import Fields
from longsum.batch.plan import BlockSize
from longsum.batch.ray_engine import RayEngine
from longsum.batch.run import BatchRun
from longsum.batch.settings import BatchSettings
from longsum.batch.workers import LocalEngine
from longsum.core.pipeline import SystemOptions
from longsum.documents.readers.limits import ReadLimits

OPTIONS = [
    *("--length", "9s", "--system", "lead", "--focus", "mud", "--no-shorten", "--fill", "strict"),
    *("--as-written", "--seed", 3, "--format", "jsonl", "--full", "--id-field", "n"),
    *("--text-field", "t", "--title-field", "h", "--block", 9, "--read-limit", "pages=7"),
    *("--workers", 4, "--engine", "ray", "--address", "auto", "--gpus", 0.5, "--timeout", 8),
]
MEANT = {
    **{"length": "9s", "focus": "mud", "shorten": False, "fill": "strict", "as_written": True},
    **{"seed": 3, "form": "jsonl", "full": True, "fields": Fields(id="n", text="t", title="h")},
    **{"choice": SystemOptions(system="lead"), "limits": ReadLimits.parse(["pages=7"])},
}
RAY = {"workers": 4, "timeout": 8.0, "address": "auto", "gpus": 0.5}


def test_options_reach_the_run(run, monkeypatch, tmp_path: Path) -> None:
    seen = []
    monkeypatch.setattr(BatchRun, "begin", lambda begun: seen.append(begun))
    monkeypatch.setattr(SystemOptions, "check", lambda *_: None)
    monkeypatch.setattr("longsum.cli.batch._go_on", lambda _, engines: seen.append(engines))
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(5), raising=False)
    monkeypatch.chdir(tmp_path)
    for options in (["out"], ["-o", "out", *OPTIONS]):
        status, _, err = run("batch", "corpus", *options)
        assert (status, err) == (0, "")
    begun, local, other, ray = seen
    corpus = str(tmp_path / "corpus")
    assert begun == BatchRun(Path("out"), BatchSettings(corpus=corpus), BlockSize(64))
    assert other == BatchRun(Path("out"), BatchSettings(corpus=corpus, **MEANT), BlockSize(9))
    assert (local.func, local.keywords) == (LocalEngine, {"workers": 5, "timeout": 1800.0})
    assert (ray.func, ray.keywords) == (RayEngine, RAY)
    for options in (["--address", "auto"], ["--gpus", 1]):
        told = "longsum: --address and --gpus are for --engine ray; add it, or leave them out.\n"
        assert run("batch", "corpus", "out", *options) == (2, "", told)
    for options in ([], ["out", "-o", "out"]):
        told = "longsum: Give one folder for the rows: longsum batch INPUT OUTPUT.\n"
        assert run("batch", "corpus", *options) == (2, "", told)
    for seconds in ("nan", "inf", "1000001"):
        status, _, err = run("batch", "corpus", "out", "--timeout", seconds)
        assert (status, "at most 1,000,000" in err) == (2, True)


def test_progress_is_counted_and_results_are_reported(run, monkeypatch, tmp_path) -> None:
    shown = []

    @contextmanager
    def bar(*about: str) -> Iterator:
        shown.append(about)
        yield lambda *given: shown.append(given)

    monkeypatch.setattr("longsum.cli.batch.bar", bar)
    monkeypatch.setattr(
        LocalEngine, "run", lambda own, *to: Here(own.ledger, own.settings).run(*to)
    )
    corpus, out = tmp_path / "corpus.jsonl", tmp_path / "out"
    texts = [TEXT, TEXT, "", TEXT, TEXT]
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    options = ("--system", "lead", "--format", "jsonl", "--block", 2, "--length", "1s")
    told = [
        "5 of 5 documents done, in 3 of 3 blocks",
        "without a summary: 1 (1 unreadable); the rows say why",
        "28 words of summaries from 344 characters",
    ]
    lines = "".join(f"{line}\n" for line in told)
    assert run("batch", corpus, out, *options) == (0, "", lines)
    about = ("Summarizing 5 documents", "document")
    assert shown == [about, *((done, 5, "Summarizing") for done in (0, 2, 4, 5))]
    assert run("batch", "status", out) == (0, lines, "")
    sound = "5 documents planned, 5 rows found\nnothing is missing, and nothing duplicated\n"
    assert run("batch", "verify", out) == (0, sound, "")
    (out / "rows" / "block-000001.jsonl").unlink()
    status, found, _ = run("batch", "status", out)
    assert (status, found.splitlines()[0]) == (0, "3 of 5 documents done, in 2 of 3 blocks")
    assert "damaged, or no part of the run: done/block-000001.json; resume it" in found
    assert run("batch", "verify", out)[0] == 1
    shown.clear()
    assert run("batch", "resume", out) == (0, "", lines)
    assert shown == [about, *((done, 5, "Summarizing") for done in (3, 5))]
