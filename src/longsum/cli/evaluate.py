"""`longsum evaluate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from longsum.cli.options import Force, Root, Seed
from longsum.cli.streams import check_output, progress, table, write_result

if TYPE_CHECKING:
    from longsum.comparison import Results

_MEAN = "reference"
_DECIMALS = 2


def evaluate(
    data: Annotated[str, typer.Option("--data", help="A data set; 'longsum data' lists them.")],
    system: Annotated[
        list[str],
        typer.Option("--system", "-s", help="A system; repeat it. The first is compared with."),
    ],
    split: Annotated[str, typer.Option("--split", help="Which split.")] = "validation",
    length: Annotated[
        str,
        typer.Option(
            "--length", "-l", help="As in summarize, or 'reference': the references' mean length."
        ),
    ] = _MEAN,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Take at most so many documents.")
    ] = None,
    metrics: Annotated[
        str,
        typer.Option(
            "--metrics",
            help="Any of rouge,meteor,copying,redundancy,representativeness, with commas.",
        ),
    ] = "rouge",
    root: Root = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write every score to this JSON file.")
    ] = None,
    force: Force = False,
) -> None:
    """Compare systems on a data set, with confidence intervals and tests of the differences."""
    check_output(output, force)
    from longsum.comparison import compare, mean_reference_length
    from longsum.datasets import load
    from longsum.summaries import Budget
    from longsum.summaries.result_file import dump_json
    from longsum.systems import load_system

    systems = [load_system(name) for name in system]
    with progress(f"Reading {data}, {split}") as show:
        if length == _MEAN:
            budget = mean_reference_length(load(data, split, root=root, limit=limit))
        else:
            budget = Budget.parse(length)
        results = compare(
            load(data, split, root=root, limit=limit),
            systems,
            budget,
            metrics=[name.strip() for name in metrics.split(",")],
            seed=seed,
            done=lambda documents: show(f"Evaluating on {data}, {split}: {documents} documents"),
        )
    if output is not None:
        found = {"data": data, "split": split, "seed": seed, **results.to_json()}
        write_result(dump_json(found), output)
    write_result(format_results(results, f"{data}, {split}"), None)


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
