"""How fast models encode, write and learn: ours, LED, BART (fused attention), PEGASUS-X's blocks.

Run: PYTHONPATH=src python gpu/throughput.py [--parts encode write learn] [--lengths N …]
    [--dtypes bf16 …] [--systems NAME …] [--small] [--json FILE]

- `encode`: the shipped extractor on real sentences: sentences, tokens and words a second of its
  sentence encoder by tokens at once, and of its document encoder.
- `write`: four beams generate 200 tokens from a source; the time to the first token, which includes
  reading the source, that of a later step, and source tokens per second over the whole.
- `learn`: one update (forward, backward, Adafactor) with a target of 1,024 tokens, weights in fp32;
  source tokens per second.

Sizes are BART-large's and weights random (`peer_systems.py`). On a GPU each row also has the peak
of memory in MB, including weights. Systems that do not fit or fail say so in their row. `--small`
is a toy size, which also runs on a CPU.
"""

import argparse
import gc
import json
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from pathlib import Path
from statistics import median
from typing import Any

import torch
from check_attention import DEVICE
from encoding import encoding_rows
from measuring import Clock, Row, measure
from peer_systems import SIZES, SYSTEMS, build, sources
from steps import DTYPES, learn, new_optimizer, write

TARGET, WRITTEN, BEAMS = 1024, 200, 4


def main(arguments: list[str] | None = None) -> None:
    """Print a table for each part."""
    options = parse(arguments)
    on = torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU"
    print(f"{on}, torch {torch.__version__}")
    found: dict[str, list[Row]] = {}
    for part in options.parts:
        found[part] = []
        print(f"\n{part}")
        for row in PARTS[part](options):
            found[part].append(row)
            print(written(row), flush=True)
            if options.json:
                options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--parts", nargs="+", choices=[*PARTS], default=[*PARTS])
    parser.add_argument("--lengths", type=int, nargs="+", help="tokens of a source")
    parser.add_argument("--batch", type=int, default=1, help="sources of an update")
    parser.add_argument("--dtypes", nargs="+", choices=[*DTYPES])
    parser.add_argument("--systems", nargs="+", choices=[*SYSTEMS], default=[*SYSTEMS])
    parser.add_argument("--documents", type=int, help="documents encoded together")
    parser.add_argument("--tokens-at-once", type=int, nargs="+", help="of the sentence encoder")
    parser.add_argument("--small", action="store_true", help="toy size")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    small = options.small
    options.geometry = SIZES["small" if small else "large"]
    options.lengths = options.lengths or ([128] if small else [1024, 4096, 16_384])
    options.dtypes = options.dtypes or (["fp32"] if small else [*DTYPES])
    options.documents = options.documents or (1 if small else 64)
    options.tokens_at_once = options.tokens_at_once or (
        [1024] if small else [16_384, 65_536, 262_144]
    )
    return options


def encode_part(options: argparse.Namespace) -> Iterator[Row]:
    """Measure the shipped extractor."""
    for row in encoding_rows(options.documents, options.dtypes, options.tokens_at_once):
        yield row | {f"{of}_per_second": each for of, each in rates(row, "sentences", "words")}


def write_part(options: argparse.Namespace) -> Iterator[Row]:
    """Measure writing; the weights are in the type too."""
    steps = 8 if options.small else WRITTEN
    for tokens, dtype, name in product(options.lengths, options.dtypes, options.systems):
        row: Row = {"system": name, "source": tokens, "dtype": dtype}
        yield row | attempt(lambda: writing(name, tokens, dtype, steps, options))  # noqa: B023


def writing(name: str, tokens: int, dtype: str, steps: int, options: argparse.Namespace) -> Row:
    """Measure how one system writes."""
    model = made(name, tokens, options).to(DTYPES[dtype]).eval()
    with torch.device(DEVICE):
        source = sources(options.geometry, name, 1, tokens)
    clocks: list[tuple[Clock, Clock]] = []

    def work() -> None:
        began, clock = Clock(), Clock()
        began()
        write(model, source, steps, BEAMS, clock)
        clocks.append((began, clock))

    row = measure(work, runs=2) | {"tokens": source.shape[1]}
    if "seconds" in row:
        began, clock = clocks[-1]
        row["first_ms"] = 1000 * (clock.times[0] - began.times[0])
        row["step_ms"] = 1000 * median(two - one for one, two in pairwise(clock.times))
    return row | {f"{of}_per_second": each for of, each in rates(row, "tokens")}


def learn_part(options: argparse.Namespace) -> Iterator[Row]:
    """Measure updates."""
    for tokens, dtype, name in product(options.lengths, options.dtypes, options.systems):
        row: Row = {"system": name, "source": tokens, "dtype": dtype}
        yield row | attempt(lambda: learning(name, tokens, dtype, options))  # noqa: B023


def learning(name: str, tokens: int, dtype: str, options: argparse.Namespace) -> Row:
    """Measure how one system learns."""
    model = made(name, tokens, options)
    optimizer = new_optimizer(model)
    with torch.device(DEVICE):
        source = sources(options.geometry, name, options.batch, tokens)
        target = torch.randint(3, options.geometry.vocabulary, (options.batch, min(TARGET, tokens)))
    row = measure(lambda: learn(model, optimizer, source, target, dtype))
    row["tokens"] = source.numel()
    return row | {f"{of}_per_second": each for of, each in rates(row, "tokens")}


def made(name: str, tokens: int, options: argparse.Namespace) -> Any:
    """Make a system on the device."""
    with torch.device(DEVICE):
        return build(name, options.geometry, tokens)


def attempt(work: Callable[[], Row]) -> Row:
    """Return a measurement, or that its system cannot be made; then free memory."""
    try:
        return work()
    except torch.OutOfMemoryError:
        return {"error": "the model does not fit"}
    finally:
        if DEVICE == "cuda":
            gc.collect()
            torch.cuda.empty_cache()


def rates(row: Row, *counted: str) -> Iterator[tuple[str, float]]:
    """Yield the rate of each per second, if the time is known."""
    if "seconds" in row:
        yield from ((of, row[of] / row["seconds"]) for of in counted)


def written(row: Row) -> str:
    """Return a row as text."""
    cells = (f"{value:,.1f}" if isinstance(value, float) else str(value) for value in row.values())
    return "  ".join(f"{name} {cell}" for name, cell in zip(row, cells, strict=True))


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[Row]]] = {
    "encode": encode_part,
    "write": write_part,
    "learn": learn_part,
}


if __name__ == "__main__":
    main()
