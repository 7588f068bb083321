"""The files of an outcome: a page, a table in three forms, and JSON."""

import json
from pathlib import Path

from longsum.common.files import make_folder, write_text
from longsum.lab.pages.table_forms import FORMS
from longsum.lab.reproduction.reproduction import Outcome
from longsum.lab.reproduction.reproduction_page import render_outcome, score_table, to_text


def write_outcome(outcome: Outcome, folder: Path) -> None:
    """Write `page.html`, `table.md` and `result.json`, and each column as LaTeX and CSV.

    Raises:
        UnwritableError: They cannot be written.
    """
    make_folder(folder)
    write_text(folder / "page.html", render_outcome(outcome))
    write_text(folder / "table.md", to_text(outcome))
    write_text(folder / "result.json", json.dumps(outcome.to_json(), ensure_ascii=False, indent=1))
    for column in outcome.documents:
        for ending in (".tex", ".csv"):
            name = column.replace("/", "-").replace(" ", "-")
            text = FORMS[ending](*score_table(outcome, column))
            write_text(folder / f"{name}{ending}", text)
