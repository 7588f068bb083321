"""`longsum data`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from longsum.cli.options import Form, ListFormat, Root
from longsum.cli.streams import progress, table, write_result

_CATALOGUE_COLUMNS: tuple[str, ...] = (
    "name",
    "kind",
    "splits",
    "ships",
    "license",
    "description",
)


def data(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Measure this set, split by split.")
    ] = None,
    root: Root = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Measure at most so many documents.")
    ] = None,
    form: Form = ListFormat.text,
) -> None:
    """List the data sets with their licences, or measure one of them.

    Shared sets are found in the folder that LONGSUM_DATA names, each public set in the folder that
    its own variable names (LONGSUM_DATA_GOVREPORT, …).
    """
    rows = _catalogue() if name is None else _statistics(name, root, limit)
    if form is ListFormat.json:
        from longsum.summaries.result_file import dump_json

        write_result(dump_json(rows), None)
        return
    shown = _CATALOGUE_COLUMNS if name is None else tuple(rows[0])
    write_result(table(shown, ([_cell(row[key]) for key in shown] for row in rows)), None)


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


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    return ", ".join(value) if isinstance(value, tuple) else str(value)
