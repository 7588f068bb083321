"""`longsum systems`."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

import typer

from longsum.cli.command import Command
from longsum.cli.options import Form
from longsum.cli.streams import entries, filled, table, write_json, write_result

EXAMPLES = (
    "longsum systems",
    "longsum systems --published",
    "longsum systems --format json",
)
_GROUPS = {
    "ready": "Ready to use: longsum summarize FILE --system NAME",
    "train first": "Needs training: longsum train NAME -o FOLDER, then --model FOLDER",
    "evaluation only": "For comparison: longsum evaluate --data SET --system NAME",
}
"""The heading of the systems in each state, in the order in which they are listed."""
_TABLES = "Reports of tables: longsum table INPUT"
_TASKS = "Other tasks: longsum train NAME -o FOLDER, and"


def systems(
    published: Annotated[
        bool,
        typer.Option(
            "--published",
            help="List scores published in the papers instead, of these and other systems.",
        ),
    ] = False,
    form: Form = "text",
) -> None:
    """List every system: what it does, and which paper it comes from.

    Some are ready to use, some have to be trained, and some are only for comparison. The list says
    what has to be installed for each.
    """
    rows = _published() if published else _systems()
    if form == "json":
        write_json(rows if published else [*rows, *_table_systems()])
        return
    write_result(_scores(rows) if published else _grouped(rows) + _for_tables(), None)


def _systems() -> list[dict[str, Any]]:
    from longsum.core import loading
    from longsum.core.loading import needs
    from longsum.core.recipes import is_recipe, recipe_file

    return [
        {
            "name": recipe.name,
            "state": recipe.state,
            "title": recipe.title,
            "paper": recipe.paper,
            "recipe": f"recipes/{recipe_file(recipe.name)}" if is_recipe(recipe.name) else None,
            "needs": asdict(needs(recipe)),
            "tasks": dict(recipe.tasks),
        }
        for recipe in loading.systems()
    ]


def _table_systems() -> list[dict[str, Any]]:
    from longsum.tables.planning.table_systems import TABLE_SYSTEMS

    return [
        {
            "name": each.name,
            "state": "ready",
            "title": each.title,
            "paper": each.paper,
            "recipe": None,
            "needs": asdict(each.needs),
            "tasks": {},
        }
        for each in TABLE_SYSTEMS
    ]


def _published() -> list[dict[str, Any]]:
    from longsum.core.recipes.published import all_published

    published = sorted(all_published(), key=lambda row: row.data)
    return [
        {
            "data": row.data,
            "system": row.system,
            **{name: row.scores.get(name) for name in ("rouge1", "rouge2", "rougeLsum", "rougeL")},
            "source": row.source,
        }
        for row in published
    ]


def _grouped(rows: list[dict[str, Any]]) -> str:
    """Lay out systems by their state and needs, each with its title and its paper."""
    from longsum.core.recipes import DEFAULT

    groups: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for row in sorted(rows, key=lambda row: list(_GROUPS).index(row["state"])):
        heading = f"{_GROUPS[row['state']]}\n{_installed(**row['needs'])}"
        name = f"{row['name']} (default)" if row["name"] == DEFAULT else row["name"]
        also = (f"Also {', '.join(row['tasks'])} (see below)",) if row["tasks"] else ()
        groups.setdefault(heading, []).append((name, (row["title"], row["paper"], *also)))
    parts = [f"{heading}\n\n{entries(listed)}" for heading, listed in groups.items()]
    tasks = {task: (said,) for row in rows for task, said in row["tasks"].items()}
    if tasks:
        parts.append(f"{_TASKS}\n\n{entries(tasks.items())}")
    return "\n".join(parts)


def _for_tables() -> str:
    """Lay out the ready planners, realizers and readers of table reports by their option."""
    from longsum.tables.planning.table_systems import TABLE_SYSTEMS

    groups: dict[str, list[tuple[str, Sequence[str]]]] = {}
    for each in TABLE_SYSTEMS:
        heading = f"{_TABLES} {each.option} NAME\n{_installed(**asdict(each.needs))}"
        groups.setdefault(heading, []).append((each.name, (each.title, each.paper)))
    return "".join(f"\n{heading}\n\n{entries(listed)}" for heading, listed in groups.items())


def _installed(to_train: str | None, to_run: str | None) -> str:
    """Say what has to be installed for a system."""
    extras = [
        f"'{extra}' to {what}" for extra, what in ((to_train, "train"), (to_run, "run")) if extra
    ]
    return f"(pip install {', '.join(extras)})" if extras else "(nothing else to install)"


def _scores(rows: list[dict[str, Any]]) -> str:
    """Lay out published scores by data set, with sources wrapped to the remaining width."""
    parts = []
    columns = [name for name in rows[0] if name not in ("data", "source")]
    cells = [[_cell(row[name]) for name in columns] for row in rows]
    head, *lines = table(columns, cells).splitlines()
    indent = max(len(line) for line in (head, *lines)) + 2
    for line, row, before in zip(lines, rows, [None, *rows], strict=False):
        if before is None or before["data"] != row["data"]:
            parts.append(f"\n{row['data']}\n\n{head.ljust(indent)}source\n")
        first, *others = filled(row["source"], indent)
        parts.append("\n".join([line.ljust(indent) + first[indent:], *others, ""]))
    return "".join(parts).removeprefix("\n")


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else value


COMMAND = Command(systems, "List the systems that summarize, or published scores.", EXAMPLES)
