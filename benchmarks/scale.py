"""What a corpus of any size takes: core-hours, storage, files and money, from measured rates.

Run: python benchmarks/scale.py RATES [--documents N] [--mix WORDS:SHARE …] [--system NAME]
    [--cores N] [--gpu-words N] [--pdf SHARE] …

RATES is the output of `scale_rates.py`. Seconds are interpolated linearly between the measured
lengths, and beyond them are proportional to the words of the nearest. A cluster's cores are assumed
to be as fast as the measured one, times `--speed`, and busy for `--busy` of the time. With
`--gpu-words`, the words a second at which one GPU runs both encoders (`gpu/throughput.py --parts
encode`), the encoders move to GPUs, and the rest stays on the cores. Prices are arguments; the
defaults are no offers.
"""

import argparse
import json
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from longsum.batch.plan import BlockSize

HOUR = 3600
GB, TB = 10**9, 10**12
ENCODERS = "both encoders"
LARGEST = BlockSize().size
"""Bytes of the largest block of more than one document."""
A_DOCUMENT, A_BLOCK = 2, 6
"""Requests of storage: a document is read, and noted in the journal, which Ray's actors keep; of a
block the journal is begun and removed, and the rows are written, linked, read back and recorded."""


def main(arguments: list[str] | None = None) -> None:
    """Print the projection."""
    options = parse(arguments)
    rates = json.loads(options.rates.read_text(encoding="utf-8"))
    for name, value in project(rates, options).items():
        print(f"{name:<44}{value:>18,.4g}" if value < 100 else f"{name:<44}{value:>18,.0f}")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("rates", type=Path, help="file that scale_rates.py wrote")
    parser.add_argument("--documents", type=float, default=1e9)
    parser.add_argument("--mix", type=share_of, nargs="+", default=[(1_000, 1.0)],
                        help="lengths in words and their shares")  # fmt: skip
    parser.add_argument("--system", default="stepwise", help="as measured, such as lead")
    parser.add_argument(
        "--seconds", type=float, help="CPU seconds a document, for any other system"
    )
    parser.add_argument("--pdf", type=float, default=0.0, help="share that are PDF files")
    parser.add_argument("--cores", type=int, default=10_000)
    parser.add_argument("--speed", type=float, default=1.0, help="of a core, as times of this one")
    parser.add_argument("--busy", type=float, default=0.9, help="share of the time that cores work")
    parser.add_argument("--gpu-words", type=float, help="words a second of a GPU")
    parser.add_argument(
        "--block", type=int, default=BlockSize().documents, help="documents of a block"
    )
    parser.add_argument(
        "--run", type=float, default=1e6, help="documents of a run of longsum batch"
    )
    parser.add_argument("--bytes-a-word", type=float, default=6.5, help="of the corpus")
    parser.add_argument("--core-hour", type=float, default=0.0, help="price")
    parser.add_argument("--gpu-hour", type=float, default=0.0, help="price")
    parser.add_argument("--million-requests", type=float, default=0.0, help="price")
    return parser.parse_args(arguments)


def share_of(text: str) -> tuple[float, float]:
    """Read `WORDS:SHARE`."""
    words, share = map(float, text.split(":"))
    return words, share


def project(rates: dict[str, Any], options: argparse.Namespace) -> dict[str, float]:
    """Return the resources that the corpus takes, by name."""
    total = math.fsum(share for _, share in options.mix)
    mix = [(words, share / total) for words, share in options.mix]
    words = mean(mix, lambda length: length)
    cost = document_cost(rates, mix, options)
    documents = options.documents
    blocks, runs = documents / options.block, documents / options.run
    core_hours = documents * cost.cpu / HOUR / options.speed
    gpu_hours = documents * cost.gpu / HOUR
    found = {
        "words a document": words,
        "CPU seconds a document": cost.cpu,
        "CPU seconds a thousand words": 1000 * cost.cpu / words,
        "core-hours": core_hours,
        f"hours on {options.cores:,} cores": core_hours / options.cores / options.busy,
        "corpus, TB": documents * words * options.bytes_a_word / TB,
        "rows, TB": documents * rates["block"]["bytes_a_row"] / TB,
        "runs of longsum batch": runs,
        "blocks a run": blocks / runs,
        "files a run, in each of two folders": blocks / runs,
        "requests of storage, million": (documents * A_DOCUMENT + blocks * A_BLOCK) / 1e6,
        "writing rows, core-hours": blocks * rates["block"]["commit"] / HOUR,
        "finding what is done of a run, s": blocks / runs * rates["block"]["listing"],
        "largest block of many documents, minutes": largest_block(rates, options) / 60,
        "planning a run, s": options.run * rates["plan"]["seconds"],
        "memory of a run's plan, GB": options.run * rates["plan"]["memory"] / GB,
        "memory if all were one run, GB": documents * rates["plan"]["memory"] / GB,
    }
    if options.gpu_words:
        found["GPU-hours"] = gpu_hours
        found["cores that keep a GPU busy"] = cost.cpu / options.speed / cost.gpu
    if options.core_hour or options.gpu_hour or options.million_requests:
        found["cost"] = (
            core_hours / options.busy * options.core_hour
            + gpu_hours / options.busy * options.gpu_hour
            + found["requests of storage, million"] * options.million_requests
        )
    return found


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of a document, on a core and on a GPU."""

    cpu: float
    gpu: float = 0.0


def document_cost(
    rates: dict[str, Any], mix: list[tuple[float, float]], options: argparse.Namespace
) -> Cost:
    """Return the cost of a document, including its share of a block."""

    def step(name: str) -> float:
        return mean(mix, lambda length: between(rates["documents"], name, length))

    words = mean(mix, lambda length: length)
    cpu = step(options.system) if options.seconds is None else options.seconds
    cpu += rates["block"]["commit"] / options.block
    if options.pdf:
        pdf = rates["pdf"]
        pages = words / pdf["words_a_page"]
        # Replaces reading as many words of plain text.
        cpu += options.pdf * (pages * pdf["seconds_a_page"] - step("reading"))
    if not options.gpu_words:
        return Cost(cpu)
    return Cost(max(cpu - step(ENCODERS), 0.0), words / options.gpu_words)


def largest_block(rates: dict[str, Any], options: argparse.Namespace) -> float:
    """Return the seconds of a block of long documents, at the size that `longsum batch` uses."""
    longest = rates["documents"][-1]
    words = LARGEST / options.bytes_a_word
    each = longest[options.system] if options.seconds is None else options.seconds
    seconds: float = words / longest["words"] * each / options.speed
    return seconds


def mean(mix: list[tuple[float, float]], of: Any) -> float:
    """Return the mean of a function of the length over a mix of lengths."""
    return math.fsum(share * of(length) for length, share in mix)


def between(rows: list[dict[str, float]], name: str, words: float) -> float:
    """Return the seconds that a length takes, from measured lengths in rising order."""
    first, last = rows[0], rows[-1]
    if words <= first["words"]:
        return first[name] * words / first["words"]
    for low, high in pairwise(rows):
        if words <= high["words"]:
            share = (words - low["words"]) / (high["words"] - low["words"])
            return low[name] + share * (high[name] - low[name])
    return last[name] * words / last["words"]


if __name__ == "__main__":
    main()
