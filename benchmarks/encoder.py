"""Whole encoders against Hugging Face's LED, BART and LongT5 in the same run.

Run: python benchmarks/encoder.py [--quick] [--layers N] [--lengths N …] [--dtype …] [--json FILE]

Ours is converted from the same LED that it is compared with, with random weights from a fixed seed,
a window of 1,024, and the first token global. `--peers longsum "longsum LSH" "longsum Sinkhorn"`
compares the learned attentions with it, in the whole model and so with its layout of heads. A stack
of two layers is timed unless `--layers 12` requests the whole encoder (LED-base has 6); the tables
say which. Peers take turns, each in a process of its own, after one short text to warm up. The
table has the median time, tokens per second, a peer's time as a multiple of ours, the peak of
memory above the weights, the share of the rate that the feed-forward product alone reaches in the
same run, and the largest difference between LED's and our states at 64 positions. About 15 minutes
on two cores; `--quick` takes about 3.
"""

import argparse
import math
from pathlib import Path
from typing import Any

from peers import (
    ENCODERS,
    GEOMETRIES,
    LEARNED,
    LED,
    OURS,
    Geometry,
    Setting,
    build_encoder,
    build_product,
    build_training,
)
from workers import exponent, finish, take_turns, working

LENGTHS = [4096, 8192, 16384, 32768]
PRODUCT = "product alone"
# Tokens of the run that loads the libraries, and of the warm-up run.
SHORT, WARM_UP = 64, 1024
STANDARD = [peer for peer in ENCODERS if peer not in LEARNED]
LEARNER = Geometry(256, 4, 1024, 704, layers=4, window=256, vocabulary=8192)
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print the tables; with `--json FILE` write the figures as JSON as well."""
    options = parse(arguments)
    rows: list[Row] = []
    for geometry in options.geometry:
        for dtype in options.dtype:
            found = measure(options, geometry, dtype)
            show(found)
            rows += found
        compare_defaults([row for row in rows if row["geometry"] == geometry])
    steps = [row for dtype in options.dtype for row in train(options, dtype)]
    finish({"encoder": rows, "slopes": slopes(rows), "train": steps}, options.json)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="large, 4,096 and 8,192 tokens")
    parser.add_argument("--geometry", nargs="+", choices=[*GEOMETRIES])
    parser.add_argument("--layers", type=int, default=2, help="at most those of the geometry")
    parser.add_argument("--lengths", type=int, nargs="+")
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--peers", nargs="+", choices=[*ENCODERS], default=STANDARD)
    parser.add_argument("--repeat", type=int, default=3, help="runs; the median is reported")
    parser.add_argument(
        "--longest-full", type=int, default=8192, help="longest text for full attention"
    )
    parser.add_argument("--global-tokens", type=int, default=1, help="of ours and LED")
    parser.add_argument("--train-tokens", type=int, default=2048, help="0 to skip training")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    quick = options.quick
    options.geometry = options.geometry or (["large"] if quick else [*GEOMETRIES])
    options.lengths = sorted(options.lengths or ([4096, 8192] if quick else LENGTHS))
    return options


def measure(options: argparse.Namespace, name: str, dtype: str) -> list[Row]:
    """Measure all peers at one geometry and type."""
    geometry = GEOMETRIES[name]
    longest = max(*options.lengths, WARM_UP)
    layers = min(options.layers, geometry.layers)
    setting = Setting(geometry, layers, longest, options.global_tokens, dtype)
    subjects: dict[str, tuple[Any, ...]] = {PRODUCT: (build_product, setting)}
    subjects |= {peer: (build_encoder, peer, setting) for peer in options.peers}
    rows: list[Row] = []
    with working(subjects, SHORT) as workers:
        take_turns(workers, 1, min(WARM_UP, *options.lengths))
        for tokens in options.lengths:
            now = {
                peer: worker
                for peer, worker in workers.items()
                if peer != "HF BART" or tokens <= options.longest_full
            }
            found = take_turns(now, options.repeat, tokens)
            product = found.pop(PRODUCT)
            rate = product.reports[0]["flops"] / product.seconds
            for peer, reading in found.items():
                row = {"geometry": name, "layers": layers, "dtype": dtype, "tokens": tokens}
                row |= {"peer": peer, "seconds": reading.seconds, "mb": reading.megabytes}
                row["tokens_per_second"] = tokens / reading.seconds
                row["share_of_rate"] = reading.reports[0]["flops"] / reading.seconds / rate
                row["product_gflops"] = rate / 1e9
                if OURS in found:
                    row["times_ours"] = reading.seconds / found[OURS].seconds
                    row["times_our_mb"] = reading.memory_over(found[OURS])
                if peer == LED and OURS in found:
                    difference = reading.reports[0]["sample"] - found[OURS].reports[0]["sample"]
                    row["difference"] = float(abs(difference).max())
                rows.append(row)
    return rows


def show(rows: list[Row]) -> None:
    """Print a table, and how time per token grows."""
    first = rows[0]
    of = GEOMETRIES[first["geometry"]].layers
    print(f"\n{first['geometry']}, {first['layers']} of {of} layers, {first['dtype']}")
    heads = ("tokens", "seconds", "tokens/s", "× ours", "MB", "× ours", "of rate", "difference")
    print(f"{'':<12}" + "".join(f"{head:>12}" for head in heads))
    for row in rows:
        difference = f"{row['difference']:>12.1e}" if "difference" in row else ""
        print(
            f"{row['peer']:<12}{row['tokens']:>12,}{row['seconds']:>12.3f}"
            f"{row['tokens_per_second']:>12.0f}{row.get('times_ours', math.nan):>12.2f}"
            f"{row['mb']:>12.0f}{row.get('times_our_mb', math.nan):>12.2f}"
            f"{row['share_of_rate']:>12.2f}{difference}"
        )
    rates = sorted({row["product_gflops"] for row in rows})
    print(f"The product alone: {rates[0]:.0f} to {rates[-1]:.0f} GFLOP/s at these lengths.")
    for slope in slopes(rows):
        print(
            f"{slope['peer']}: time grows with length to the power {slope['exponent']:.2f}; "
            f"per token at {slope['to']:,} tokens {slope['per_token']:.2f} times that at "
            f"{slope['from']:,}."
        )


def slopes(rows: list[Row]) -> list[Row]:
    """Return how the time of each peer grows with length."""
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["geometry"], row["dtype"], row["peer"]), []).append(row)
    return [
        {
            **dict(zip(("geometry", "dtype", "peer"), key, strict=True)),
            "from": found[0]["tokens"],
            "to": found[-1]["tokens"],
            "per_token": found[0]["tokens_per_second"] / found[-1]["tokens_per_second"],
            "exponent": exponent(
                [row["tokens"] for row in found], [row["seconds"] for row in found]
            ),
        }
        for key, found in groups.items()
        if len(found) > 1
    ]


def compare_defaults(rows: list[Row]) -> None:
    """Print LED's time in fp32, its default, over ours in bf16; only where both were measured."""
    seconds = {(row["peer"], row["dtype"], row["tokens"]): row["seconds"] for row in rows}
    for (peer, dtype, tokens), time in seconds.items():
        ours = seconds.get((OURS, "bfloat16", tokens))
        if (peer, dtype) == (LED, "float32") and ours:
            print(
                f"{tokens:,} tokens: {LED} in float32 takes {time / ours:.1f} × ours in bfloat16."
            )


def train(options: argparse.Namespace, dtype: str) -> list[Row]:
    """Measure a step of training at a small geometry; bf16 by autocast."""
    tokens = options.train_tokens
    peers = [peer for peer in (OURS, LED) if peer in options.peers]
    if not tokens or not peers:
        return []
    longest = max(tokens, SHORT)
    setting = Setting(LEARNER, LEARNER.layers, longest, options.global_tokens, dtype)
    with working({peer: (build_training, peer, setting) for peer in peers}, SHORT) as workers:
        take_turns(workers, 1, tokens)
        found = take_turns(workers, options.repeat, tokens)
    print(
        f"\nA step of training, {dtype}: {LEARNER.layers} + {LEARNER.layers} layers of size "
        f"{LEARNER.size}, window {LEARNER.window}, {tokens:,} tokens to {max(tokens // 8, 1)}"
    )
    rows = []
    for peer, reading in found.items():
        row = {"peer": peer, "dtype": dtype, "tokens": tokens, "seconds": reading.seconds}
        row |= {"mb": reading.megabytes, "loss": reading.reports[-1]}
        row["times_ours"] = reading.seconds / found[peers[0]].seconds
        rows.append(row)
        print(
            f"{peer:<12}{reading.seconds:>10.3f} s {row['times_ours']:>8.2f} × ours "
            f"{reading.megabytes:>8.0f} MB   loss {row['loss']:.5f}"
        )
    return rows


if __name__ == "__main__":
    main()
