"""What the service costs and withstands: first summaries, cancels, kills, load, memory.

Run: python benchmarks/service.py speed [--words N]
     python benchmarks/service.py cancel [--times N]
     python benchmarks/service.py kills [--times N] [--folder FOLDER]
     python benchmarks/service.py load [--seconds N] [--times-capacity N] [--queue N]
     python benchmarks/service.py memory [--jobs N]

Each starts its own servers on a free port of this machine, and stops them.
"""

import argparse
import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from running_service import RunningService, alive, below, memory, running
from speed import write_text

STAGES = ("queued", "starting", "reading", "loading", "summarizing", "writing")


def main(arguments: list[str] | None = None) -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("what", choices=["speed", "cancel", "kills", "load", "memory"])
    parser.add_argument("--words", type=int, help="words of each document")
    parser.add_argument("--times", type=int, help="repetitions")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--times-capacity", type=float, default=4)
    parser.add_argument("--queue", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="folder that is kept from run to run")
    options = parser.parse_args(arguments)
    with _folder(options.folder) as folder:
        MEASURES[options.what](options, folder)


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory() as made:
        yield Path(made) / "service"


def document(words: int) -> str:
    """Return a text of a number of words."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.txt"
        write_text(file, words)
        return file.read_text()


def percentile(values: list[float], share: float) -> float:
    """Return a percentile."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def processor_seconds(processes: Iterable[int]) -> float:
    """Return the processor time of processes, including children that they waited for."""
    ticks = 0
    for process in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def speed(options: argparse.Namespace, folder: Path) -> None:
    """Time from an upload to its summary, and to one of the same document at another length."""
    text = document(options.words or 10_000)
    with running(folder) as service:
        service.wait_until_ready()
        for number in range(options.times or 5):
            for length in ("250w", "100w"):
                tree = {service.process.pid, *below(service.process.pid)}
                start, before = time.monotonic(), processor_seconds(tree)
                files = {"file": ("report.txt", f"Report {number}\n\n{text}".encode())}
                answer = service.client.post("/v1/summaries", files=files, data={"length": length})
                seconds = time.monotonic() - start
                taken = processor_seconds(tree) - before
                print(
                    f"report {number}, {length}: {answer.status_code} after {seconds:.2f} s, ",
                    end="",
                )
                print(f"{taken:.2f} s of processor time")


def cancel(options: argparse.Namespace, folder: Path) -> None:
    """Cancel jobs at each stage, and time how long until their processes have ended."""
    texts = dict.fromkeys(STAGES, document(options.words or 6_000))
    chance = random.Random(options.seed)
    late, taken, at = 0, [], Counter[str]()
    with running(folder, "--workers", "1") as service:
        for number in range(options.times or 100):
            service.wait_until_ready()
            stage = STAGES[number % len(STAGES)]
            job = service.ask(f"<p>{number} {texts[stage]}", wait=0, length="9w").json()["job"][
                "id"
            ]
            _until_stage(service, job, stage)
            time.sleep(chance.uniform(0, 0.3))
            stage = service.job(job)["stage"]
            at[stage] += 1
            working = _working(service) if stage not in ("queued", "done") else set()
            start = time.monotonic()
            state = service.client.delete(f"/v1/jobs/{job}").json()["state"]
            while state == "cancelled" and alive(working) and time.monotonic() - start < 10:
                time.sleep(0.005)
            taken.append(time.monotonic() - start)
            late += taken[-1] > 2
    print(f"{len(taken)} cancelled at {dict(at)}: {late} took more than 2 s; ", end="")
    print(f"median {statistics.median(taken):.3f} s, longest {max(taken):.3f} s")


def _working(service: RunningService) -> set[int]:
    """Return the worker and its reading process, without those of the server."""
    tree = below(service.process.pid)
    return set().union(*(below(process) for process in tree))


def _until_stage(service: RunningService, job: str, stage: str) -> None:
    passed = STAGES.index(stage)
    while (found := service.job(job))["state"] in ("queued", "running"):
        if found["stage"] not in STAGES or STAGES.index(found["stage"]) >= passed:
            return
        time.sleep(0.002)


def kills(options: argparse.Namespace, folder: Path) -> None:
    """Kill the server at random points; every job has to end exactly once."""
    chance, text = random.Random(options.seed), document(options.words or 3_000)
    accepted: list[str] = []
    orphans, longest = 0, 0.0
    for turn in range(options.times or 50):
        service = RunningService(folder)
        stop = threading.Event()

        def send(service: RunningService = service, stop: Any = stop, turn: int = turn) -> None:
            number = 0
            with suppress(httpx2.HTTPError):
                while not stop.is_set() and number < 3:
                    number += 1
                    answer = service.ask(f"{options.seed} {turn} {number}\n\n{text}", wait=0)
                    if answer.status_code in (200, 202):
                        accepted.append(answer.json()["job"]["id"])
                    time.sleep(chance.uniform(0, 0.5))

        sender = threading.Thread(target=send)
        sender.start()
        time.sleep(chance.uniform(0, 10))
        started = below(service.process.pid)
        service.kill()
        stop.set()
        sender.join()
        killed = time.monotonic()
        while alive(started) and time.monotonic() - killed < 30:
            time.sleep(0.05)
        longest = max(longest, time.monotonic() - killed)
        orphans += len(alive(started))
    with running(folder) as service:
        states = Counter(service.ended(job)["state"] for job in accepted)
        while 'state="queued"} 0.0' not in (told := service.client.get("/metrics").text) or (
            'state="running"} 0.0' not in told
        ):
            time.sleep(0.2)
    with sqlite3.connect(folder / "service.sqlite") as database:
        (integrity,) = database.execute("PRAGMA integrity_check").fetchone()
        ends = "SELECT job, count(*) FROM events WHERE data ->> 'state' = ? GROUP BY job"
        ended = Counter[str]()
        for state in ("done", "failed"):
            ended.update(dict(database.execute(ends, (state,)).fetchall()))
        jobs = [job for (job,) in database.execute("SELECT id FROM jobs")]
        results = dict(database.execute("SELECT job, count(*) FROM results GROUP BY job"))
    lost = [job for job in {*jobs, *accepted} if ended[job] != 1]
    print(f"{options.times or 50} kills: {len(accepted)} jobs accepted, {dict(states)}; ", end="")
    print(f"{len(jobs)} known to the folder, ", end="")
    print(f"lost or ended twice: {len(lost)}; results of {len(results)}; ", end="")
    print(f"processes that stayed: {orphans}, the others ended within {longest:.1f} s; ", end="")
    print(f"integrity {integrity}")


def load(options: argparse.Namespace, folder: Path) -> None:
    """Send several times the capacity, and time the accepted jobs."""
    text = document(options.words or 2_000)
    count = iter(range(10**9))

    def ask(client: httpx2.Client) -> tuple[int, float]:
        start = time.monotonic()
        body = {"text": f"{next(count)}\n\n{text}", "length": "50w"}
        answer = client.post("/v1/summaries", json=body)
        return answer.status_code, time.monotonic() - start

    settings = ("--workers", str(options.workers), "--queue", str(options.queue))
    with running(folder, *settings) as service:
        service.wait_until_ready()
        while service.client.get("/metrics").text.find(f'do="idle"}} {options.workers}.0') < 0:
            time.sleep(0.1)
        for _ in range(4):
            ask(service.client)
        alone = [ask(service.client)[1] for _ in range(40)]
        rate = options.times_capacity * options.workers / statistics.mean(alone)
        with ThreadPoolExecutor(64) as pool:
            start, sent = time.monotonic(), []
            while (passed := time.monotonic() - start) < options.seconds:
                sent.append(pool.submit(ask, service.client))
                time.sleep(max(0.0, len(sent) / rate - passed))
            answers = [each.result() for each in sent]
        alive_now = service.client.get("/livez").status_code
    statuses = Counter(status for status, _ in answers)
    done = [seconds for status, seconds in answers if status == 200]
    refused = [seconds for status, seconds in answers if status == 429]
    for name, values in (("alone", alone), ("accepted", done), ("refused", refused or [0.0])):
        shown = [f"{percentile(values, share):.3f}" for share in (0.5, 0.99)]
        print(f"{name}: {len(values)}, p50 {shown[0]} s, p99 {shown[1]} s")
    ratio = percentile(done, 0.99) / percentile(alone, 0.99)
    print(f"{rate:.1f} requests/s for {options.seconds:g} s: {dict(statuses)}, livez {alive_now}; ")
    print(f"{len(done) / options.seconds:.2f} done a second; p99 is {ratio:.2f} times that alone")


def memory_of(service: RunningService) -> int:
    """Return the bytes held by the server process itself."""
    return memory(service.process.pid)


def memory_growth(options: argparse.Namespace, folder: Path) -> None:
    """Run jobs, and measure the memory of the server and its workers."""
    text = document(options.words or 1_000)
    with running(folder) as service:
        service.wait_until_ready()
        held = []
        for number in range(options.jobs + 1):
            if number % 100 == 0:
                workers = sum(map(memory, alive(below(service.process.pid))))
                held.append(memory_of(service))
                print(
                    f"{number} jobs: server {held[-1] / 1e6:.1f} MB, workers {workers / 1e6:.0f} MB"
                )
            answer = service.ask(f"{number}\n\n{text}", length="30w")
            assert answer.status_code == 200, answer.text
    growth = (held[-1] - held[1]) / max(len(held) - 2, 1)
    print(json.dumps({"MB per 100 jobs after the first 100": round(growth / 1e6, 3)}))


MEASURES = {"speed": speed, "cancel": cancel, "kills": kills, "load": load, "memory": memory_growth}

if __name__ == "__main__":
    main()
