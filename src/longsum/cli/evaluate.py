"""`longsum evaluate`."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.bars import bar
from longsum.cli.options import FillOption, Force, Root, Seed, data_sets, ready_systems
from longsum.cli.streams import check_output, table, write_result

EXAMPLES = (
    "longsum evaluate --data pmc_jats --split validation --limit 50 -s stepwise -s lead",
    "longsum evaluate --data squality -s kernels -s graph --metrics rouge,copying -o scores.json",
)

if TYPE_CHECKING:
    from longsum.comparison import Results
    from longsum.datasets import Example
    from longsum.summaries import Summary

_MEAN = "reference"
_DECIMALS = 2


def evaluate(
    data: Annotated[
        str,
        typer.Option(
            "--data",
            metavar="SET",
            autocompletion=data_sets,
            help="The data set; 'longsum data' lists them.",
        ),
    ],
    system: Annotated[
        list[str],
        typer.Option(
            "--system",
            "-s",
            metavar="NAME",
            autocompletion=ready_systems,
            help="A system, or the folder of a model; repeat the option for each. The first is the "
            "one that the others are compared with.",
        ),
    ],
    split: Annotated[
        str, typer.Option("--split", metavar="NAME", help="The split.")
    ] = "validation",
    length: Annotated[
        str,
        typer.Option(
            "--length",
            "-l",
            metavar="LENGTH",
            help="As in summarize, or 'reference' for the mean length of the references.",
        ),
    ] = _MEAN,
    fill: FillOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Use at most N documents.")
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            "--metrics",
            metavar="NAMES",
            help="Any of rouge, meteor, copying, redundancy and representativeness, separated by "
            "commas.",
        ),
    ] = "rouge",
    as_written: Annotated[
        bool,
        typer.Option(
            "--as-written",
            help="Score what models write as it is, however short. Otherwise MLS brings it to the "
            "length asked for, as in summarize.",
        ),
    ] = False,
    at_once: Annotated[
        bool,
        typer.Option(
            "--at-once", help="Do not divide long texts; a model then reads only their beginning."
        ),
    ] = False,
    summaries: Annotated[
        Path | None,
        typer.Option(
            "--summaries",
            metavar="FILE",
            help="Write every summary with its sources to this file, a line of JSON each.",
        ),
    ] = None,
    root: Root = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the scores of every document to this file.",
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Compare systems on a data set, with confidence intervals and significance tests."""
    check_output(output, force)
    check_output(summaries, force)
    from longsum.comparison import compare, known_metrics, mean_reference_length
    from longsum.datasets import load
    from longsum.pipeline import Options
    from longsum.summaries import Budget
    from longsum.summaries.result_file import dump_json
    from longsum.systems.loading import load_system

    # Check all options before reading anything.
    budget = None if length == _MEAN else Budget.parse(length)
    wanted = known_metrics(metrics.split(","))
    examples = load(data, split, root=root, limit=limit)
    systems = [load_system(name) for name in system]
    kept: list[str] = []
    total = limit
    with bar(f"Reading {data}, {split}", "document") as show:
        if budget is None:
            lengths = _Counted(examples, lambda read: show(read, limit, f"Reading {data}, {split}"))
            budget = mean_reference_length(lengths)
            examples, total = load(data, split, root=root, limit=limit), lengths.count
        results = compare(
            examples,
            systems,
            budget,
            metrics=wanted,
            options=Options(
                seed=seed,
                as_written=as_written,
                at_once=at_once,
                fill=None if fill is None else fill.value,
            ),
            done=lambda documents: show(documents, total, f"Evaluating on {data}, {split}"),
            keep=lambda id, summary: kept.append(_line(id, summary)),
        )
    if summaries is not None:
        write_result("".join(kept), summaries)
    if output is not None:
        found = {"data": data, "split": split, "seed": seed, **results.to_json()}
        write_result(dump_json(found), output)
    write_result(format_results(results, f"{data}, {split}"), None)


def _line(document: str, summary: "Summary") -> str:
    """Return a summary as a line of JSON with the ids of its document and system."""
    named = {"id": document, "system": summary.system}
    return json.dumps({**named, "summary": summary.to_dict()}, ensure_ascii=False) + "\n"


class _Counted:
    """Counts examples as they are read, and reports the count."""

    def __init__(self, examples: "Iterable[Example]", progress: Callable[[int], None]) -> None:
        self._examples = examples
        self._progress = progress
        self.count = 0

    def __iter__(self) -> "Iterator[Example]":
        for example in self._examples:
            self.count += 1
            self._progress(self.count)
            yield example


def format_results(results: "Results", title: str) -> str:
    """Lay out a comparison as plain text."""
    names = list(results.systems[0].scores)
    rows = []
    for result in results.systems:
        intervals = [result.interval(name) for name in names]
        words = sum(result.words) / len(result.words)
        cells = [
            f"{found.mean:.{_DECIMALS}f} [{found.low:.{_DECIMALS}f}, {found.high:.{_DECIMALS}f}]"
            for found in intervals
        ]
        rows.append([result.system, *cells, f"{words:.0f}", f"{result.seconds:.1f}"])
    head = ["system", *names, "words", "seconds"]
    text = f"{title}: {len(results.ids)} documents, at most {results.budget} each\n\n"
    text += table(head, rows)
    differences = [
        [
            found.system,
            found.metric,
            f"{found.bootstrap.difference:+.{_DECIMALS}f}",
            f"[{found.bootstrap.low:+.{_DECIMALS}f}, {found.bootstrap.high:+.{_DECIMALS}f}]",
            f"{found.bootstrap.p_value:.4f}",
            f"{found.randomization_p:.4f}",
        ]
        for found in results.differences()
    ]
    if differences:
        against = f"less {results.systems[0].system}"
        text += "\n" + table(
            ["system", "metric", against, "95 % interval", "p bootstrap", "p randomization"],
            differences,
        )
    variants = "\n".join(f"  {variant}" for variant in results.variants)
    return text + f"\n95 % bootstrap intervals over documents. Variants:\n{variants}\n"
