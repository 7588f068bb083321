"""`longsum data`."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from longsum.cli.lists import entries
from longsum.cli.options import Form, ListFormat, Root
from longsum.cli.streams import progress, table, write_json, write_result

EXAMPLES = (
    "longsum data",
    "longsum data --format json",
    "longsum data pmc_jats --limit 100",
)
_SHIPS = {
    True: "may be shipped",
    False: "may not be shipped",
    "per record": "may be shipped where the record's licence allows it",
}


def data(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Measure this data set, split by split.")
    ] = None,
    root: Root = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="Measure at most N documents of each split."
        ),
    ] = None,
    form: Form = ListFormat.text,
) -> None:
    """List the data sets with their licences, or measure one of them.

    Shared sets are found in the folder that the environment variable LONGSUM_DATA names, each
    public set in the folder that a variable of its own names (LONGSUM_DATA_GOVREPORT, …).
    """
    rows = _catalogue() if name is None else _statistics(name, root, limit)
    if form is ListFormat.json:
        write_json(rows)
        return
    if name is None:
        write_result(entries((row["name"], list(_described(row))) for row in rows), None)
        return
    write_result(table(rows[0], ([_cell(value) for value in row.values()] for row in rows)), None)


def _catalogue() -> list[dict[str, Any]]:
    from longsum.datasets import datasets

    return [asdict(info) for info in datasets()]


def _statistics(name: str, root: Path | None, limit: int | None) -> list[dict[str, Any]]:
    from longsum.datasets import dataset_info, statistics

    rows = []
    for split in dataset_info(name).splits:
        with progress(f"Measuring {name}, {split}"):
            rows.append({"split": split, **asdict(statistics(name, split, root=root, limit=limit))})
    return rows


def _described(row: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that describe a data set."""
    yield row["description"]
    yield f"{row['kind']}: {_cell(row['splits'])}"
    yield f"Licence: {row['license']}; what is trained on it {_SHIPS[row['ships']]}"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
