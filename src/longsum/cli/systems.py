"""`longsum systems`."""

from typing import Annotated, Any

import typer

from longsum.cli.options import Form, ListFormat
from longsum.cli.streams import table, write_result


def systems(
    published: Annotated[
        bool,
        typer.Option(
            "--published",
            help="List the scores that papers print instead, of these systems and of others.",
        ),
    ] = False,
    form: Form = ListFormat.text,
) -> None:
    """List every system: its name, state, title, paper and recipe.

    A system whose state is 'train first' is made with 'longsum train'.
    """
    rows = _published() if published else _systems()
    if form is ListFormat.json:
        from longsum.summaries.result_file import dump_json

        write_result(dump_json(rows), None)
        return
    write_result(table(rows[0], ([_cell(value) for value in row.values()] for row in rows)), None)


def _systems() -> list[dict[str, Any]]:
    from longsum.recipes import recipes

    return [
        {
            "name": recipe.name,
            "state": recipe.state,
            "title": recipe.title,
            "paper": recipe.paper,
            "recipe": f"recipes/{recipe.name}.yaml",
        }
        for recipe in recipes()
    ]


def _published() -> list[dict[str, Any]]:
    from longsum.recipes.published import all_published

    found = sorted(all_published(), key=lambda row: row.data)
    return [
        {
            "data": row.data,
            "system": row.system,
            "rouge1": row.scores.get("rouge1"),
            "rouge2": row.scores.get("rouge2"),
            "rougeLsum": row.scores.get("rougeLsum"),
            "rougeL": row.scores.get("rougeL"),
            "source": row.source,
        }
        for row in found
    ]


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else value
