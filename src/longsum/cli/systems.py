"""`longsum systems`."""

from longsum.cli.options import Form, ListFormat
from longsum.cli.streams import table, write_result


def systems(
    form: Form = ListFormat.text,
) -> None:
    """List every system: its name, paper, recipe and state."""
    from longsum.recipes import recipes

    rows = [
        {
            "name": recipe.name,
            "title": recipe.title,
            "paper": recipe.paper,
            "recipe": f"recipes/{recipe.name}.yaml",
            "state": recipe.state,
        }
        for recipe in recipes()
    ]
    if form is ListFormat.json:
        from longsum.summaries.result_file import dump_json

        write_result(dump_json(rows), None)
        return
    write_result(table(rows[0].keys(), (row.values() for row in rows)), None)
