"""What section biases cost an encoder attention, compared with a label for each pair of tokens.

Run: python benchmarks/bias.py [--tokens N] [--sections S] [--dtype float32 bfloat16] [--json FILE]

A window of 1,024 at large geometry (16 heads of 64), inputs already projected: without biases; with
those of HIBRIDS, and of token distances, as longsum computes them; and with a label of 64 bits for
each pair of tokens, from which those of a tile are looked up, as the released code keeps them. All
take turns, each in a process of its own: the median time of several runs, of the forward pass alone
and with the backward pass, and the peak of memory above the inputs. The labels, which the released
code makes for each document before the model sees it, count as memory and not as time. The share of
an encoder is what the biases add to the time of a layer of BART-large: projections and feed-forward
network beside the attention.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workers import Subject, finish, take_turns, working

HEADS, SIZE, WINDOW = 16, 64, 1024
FORMS = ("none", "hibrids", "token distance", "id matrix")
PASSES = ("forward", "both")
REST = "rest of a layer"
Row = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print tables; with `--json FILE` write the figures as JSON as well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--tokens", type=int, default=16_384)
    parser.add_argument("--sections", type=int, default=40)
    parser.add_argument("--dtype", nargs="+", default=["float32", "bfloat16"])
    parser.add_argument("--forms", nargs="+", choices=FORMS, default=FORMS)
    parser.add_argument("--repeat", type=int, default=3, help="runs; the median is reported")
    parser.add_argument("--json", type=Path, help="output file for the results")
    options = parser.parse_args(arguments)
    rows: list[Row] = []
    for dtype in options.dtype:
        found = measure(options, dtype)
        show(found, options, dtype)
        rows += found
    finish({"tokens": options.tokens, "sections": options.sections, "biases": rows}, options.json)


def measure(options: argparse.Namespace, dtype: str) -> list[Row]:
    """Measure all forms in one type: a row each."""
    subjects: dict[str, tuple[Any, ...]] = {}
    for name in PASSES:
        backward = name == "both"
        for form in options.forms:
            arguments = (form, options.tokens, options.sections, dtype, backward)
            subjects[f"{form}, {name}"] = (build, *arguments)
        subjects[f"{REST}, {name}"] = (build_rest, options.tokens, dtype, backward)
    with working(subjects) as workers:
        found = take_turns(workers, options.repeat)
    rows = []
    for form in (*options.forms, REST):
        row: Row = {"form": form, "dtype": dtype}
        for name in PASSES:
            summary = found[f"{form}, {name}"]
            megabytes = summary.megabytes + (summary.reports[0] or 0.0)
            row[name] = {"seconds": summary.seconds, "mb": megabytes}
        rows.append(row)
    return rows


def show(rows: list[Row], options: argparse.Namespace, dtype: str) -> None:
    """Print times and memory, and what biases add to them."""
    print(
        f"\n{dtype}, {options.tokens} tokens in {options.sections} sections: s (MB); added to the"
    )
    print(f"{'':<18}{'forward':>18}{'both':>18}   attention; the layer, forward and both")
    by_form = {row["form"]: row for row in rows}
    for row in rows:
        shown = "".join(
            f"{row[name]['seconds']:>9.2f} ({row[name]['mb']:>6.0f})" for name in PASSES
        )
        if "none" in by_form and row["form"] not in ("none", REST):
            for rest in (0.0, 1.0):
                for name in PASSES:
                    plain = by_form["none"][name]["seconds"]
                    whole = plain + rest * by_form[REST][name]["seconds"]
                    shown += f"{(row[name]['seconds'] - plain) / whole:>8.1%}"
        print(f"{row['form']:<18}{shown}")


def build(form: str, tokens: int, sections: int, dtype: str, backward: bool) -> Subject:
    """Make an attention with a form of biases."""
    import torch

    from longsum.models.attention.backends.tiled import tiled_attention
    from longsum.models.attention.biases.section_bias import EncoderBias, EncoderBiasConfig
    from longsum.models.attention.biases.section_tree import ROOT, SectionTree
    from longsum.models.attention.linear_layers import split_heads
    from longsum.models.attention.patterns import Window

    torch.manual_seed(0)
    precision = getattr(torch, dtype)
    projected = [
        torch.randn(1, tokens, HEADS * SIZE, dtype=precision, requires_grad=backward)
        for _ in range(3)
    ]
    # Heads side by side, as a model has them.
    inputs = [split_heads(states, HEADS) for states in projected]
    # Every sixth section starts a part of three levels; sections have uneven lengths.
    above = [
        ROOT if number % 6 == 0 else number - number % 6 + (number % 6 - 1) // 2 * 2
        for number in range(sections)
    ]
    section_of = torch.randint(sections, (1, tokens)).sort().values
    config = EncoderBiasConfig(kind="token_distance" if form == "token distance" else "hibrids")
    module = EncoderBias(config, HEADS)
    labels = None
    if config.by_sections:
        labels = config.labels(SectionTree(section_of, torch.tensor([above])))
    matrix = None
    if form == "id matrix":
        assert labels is not None
        matrix = labels.pairs[0][section_of[0]][:, section_of[0]]

    def run() -> Any:
        with torch.set_grad_enabled(backward):
            biases: list[Any] = []
            if matrix is not None:
                biases = [_Matrix(module.table, matrix)]
            elif form != "none":
                biases = [module(labels)]
            output = tiled_attention(*inputs, Window(WINDOW), None, biases)
            if backward:
                output.sum().backward()
            return output.detach()

    size = 0.0 if matrix is None else matrix.nbytes / 2**20
    return Subject(run, lambda _: size)


def build_rest(tokens: int, dtype: str, backward: bool) -> Subject:
    """Make the rest of a layer of BART-large, without norms."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    precision, width = getattr(torch, dtype), HEADS * SIZE
    projections = [nn.Linear(width, width).to(precision) for _ in range(4)]
    network = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
    network = network.to(precision)
    states = torch.randn(1, tokens, width, dtype=precision, requires_grad=backward)

    def run() -> Any:
        with torch.set_grad_enabled(backward):
            found = network(states)
            for project in projections:
                found = found + project(states)
            if backward:
                found.sum().backward()
            return found.detach()

    return Subject(run)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """A bias whose labels are kept for all pairs of tokens, `[n, n]`."""

    learned: Any
    ids: Any

    def on_tiles(self, learned: Any) -> "_MatrixTiles":
        return _MatrixTiles(self.ids, learned)

    def adds_to(self, part: Any) -> bool:  # noqa: ARG002
        return True


class _MatrixTiles:
    """Looks up the labels of each tile in the table, and adds gradients to their entries."""

    def __init__(self, ids: Any, learned: Any) -> None:
        import torch

        self._ids, self._learned = ids, learned
        self._total = torch.zeros_like(learned)

    def add(self, scores: Any, tile: Any, grid: Any) -> None:  # noqa: ARG002
        from torch.nn.functional import embedding

        found = embedding(self._ids[tile.queries, tile.keys], self._learned)
        scores += found.movedim(-1, 0)

    def learn(self, grad: Any, tile: Any, grid: Any) -> None:  # noqa: ARG002
        ids = self._ids[tile.queries, tile.keys].flatten()
        self._total.index_add_(0, ids, grad.sum(dim=0).movedim(0, -1).flatten(0, 1))

    def gradient(self) -> Any:
        return self._total


if __name__ == "__main__":
    main()
