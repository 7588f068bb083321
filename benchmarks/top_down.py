"""The top-down encoder compared with full attention, plain windows and Hugging Face's LED.

Run: python benchmarks/top_down.py [--lengths N …] [--layers N] [--backward] [--json FILE]

Encoders of BART-large's sizes with random weights: full attention; windows of 1,024 and of 256; the
same with the last third of the layers top-down, two layers above segments of 32 tokens, one every
24; and LED, whose window is 1,024. All take turns, each in a process of its own: the median time of
several runs, the peak of memory above the weights, and both as multiples of the plain window of
1,024. With `--backward`, a run includes the backward pass, which takes many times the memory: give
shorter `--lengths`. Full attention and LED are skipped at lengths beyond `--longest-full` and
`--longest-led`.
"""

import argparse
from pathlib import Path
from typing import Any

from peers import ENCODERS, GEOMETRIES, LED, Setting
from workers import Subject, exponent, finish, take_turns, working

LENGTHS = [1024 * 2**power for power in range(8)]
FULL, BASE = "full", "window 1024"
# The window of each form, and whether it has segments; windows are for the large geometry.
OURS: dict[str, tuple[int | None, bool]] = {
    FULL: (None, False),
    BASE: (1024, False),
    "window 256": (256, False),
    "top-down 1024": (1024, True),
    "top-down 256": (256, True),
}
FORMS = (*OURS, LED)
# Tokens of the run that loads the libraries.
SHORT = 64
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print a table for each type; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--geometry", choices=[*GEOMETRIES], default="large")
    parser.add_argument("--layers", type=int, help="by default those of the geometry")
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--backward", action="store_true", help="forward and backward")
    parser.add_argument("--longest-full", type=int, default=16_384)
    parser.add_argument("--longest-led", type=int, default=32_768)
    parser.add_argument("--repeat", type=int, default=3, help="runs; the median is reported")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for dtype in options.dtype:
        found = measure(options, dtype)
        show(found, dtype)
        rows += found
    finish({"backward": options.backward, "top_down": rows}, options.json)


def measure(options: argparse.Namespace, dtype: str) -> list[Row]:
    """Measure all forms in one type: a row for each form and length."""
    geometry, lengths = GEOMETRIES[options.geometry], sorted(options.lengths)
    layers = options.layers or geometry.layers
    setting = Setting(geometry, layers, max(*lengths, SHORT), 0, dtype)
    most = {FULL: options.longest_full, LED: options.longest_led}
    subjects = {form: (build, form, setting, options.backward) for form in options.forms}
    rows = []
    with working(subjects, SHORT) as workers:
        for tokens in lengths:
            now = {form: work for form, work in workers.items() if tokens <= most.get(form, tokens)}
            found = take_turns(now, options.repeat, tokens)
            for form, summary in found.items():
                row: Row = {"form": form, "layers": layers, "dtype": dtype, "tokens": tokens}
                row |= {"seconds": summary.seconds, "mb": summary.megabytes}
                if BASE in found:
                    row["times_window"] = summary.seconds / found[BASE].seconds
                    row["times_window_mb"] = summary.megabytes / found[BASE].megabytes
                rows.append(row)
    return rows


def show(rows: list[Row], dtype: str) -> None:
    """Print times and memory, and how they grow."""
    print(f"\n{dtype}, {rows[0]['layers']} layers; × is that of a plain window of 1,024")
    heads = ("tokens", "seconds", "×", "MB", "×")
    print(f"{'':<16}" + "".join(f"{head:>10}" for head in heads))
    for row in rows:
        print(
            f"{row['form']:<16}{row['tokens']:>10,}{row['seconds']:>10.3f}"
            f"{row.get('times_window', float('nan')):>10.2f}{row['mb']:>10.0f}"
            f"{row.get('times_window_mb', float('nan')):>10.2f}"
        )
    for form in dict.fromkeys(row["form"] for row in rows):
        own = [row for row in rows if row["form"] == form]
        lengths = [row["tokens"] for row in own]
        time, memory = (exponent(lengths, [row[name] for row in own]) for name in ("seconds", "mb"))
        print(f"{form}: time grows with length to the power {time:.2f}, memory {memory:.2f}.")


def build(form: str, setting: Setting, backward: bool) -> Subject:
    """Make an encoder that reads this many random tokens."""
    import torch

    torch.manual_seed(0)
    encoder = ENCODERS[LED](setting)[0] if form == LED else build_ours(*OURS[form], setting)
    encoder = encoder.to(getattr(torch, setting.dtype)).eval()

    def run(tokens: int) -> Any:
        ids = torch.randint(3, setting.geometry.vocabulary, (1, tokens))
        with torch.set_grad_enabled(backward):
            states = encoder(ids).last_hidden_state
            if backward:
                states.sum().backward()
                encoder.zero_grad()
        return states.detach()

    return Subject(run)


def build_ours(window: int | None, segments: bool, setting: Setting) -> Any:
    """Make an encoder of this package."""
    from longsum.models.networks.seq2seq import LongsumSeq2SeqConfig
    from longsum.models.networks.seq2seq.encoder import LongsumEncoder

    geometry = setting.geometry
    config = LongsumSeq2SeqConfig(
        vocab_size=geometry.vocabulary,
        d_model=geometry.size,
        encoder_layers=setting.layers,
        encoder_attention_heads=geometry.heads,
        encoder_ffn_dim=geometry.inner,
        decoder_attention_heads=geometry.heads,
        max_source_positions=setting.longest,
        encoder_attention=None if window is None else {"window": window},
        top_down={"layers": max(setting.layers // 3, 1)} if segments else None,
    )
    return LongsumEncoder(config)


if __name__ == "__main__":
    main()
