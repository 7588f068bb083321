"""Tables in the forms that papers and spreadsheets take: LaTeX, CSV, Markdown."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence

Rows = Sequence[Sequence[str]]
_SPECIAL = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
        "\\": "\\textbackslash{}",
        "~": "\\textasciitilde{}",
        "^": "\\textasciicircum{}",
        "−": "$-$",
        "±": "$\\pm$",
        "Δ": "$\\Delta$",
        "<": "$<$",
        ">": "$>$",
    }
)


def to_latex(head: Sequence[str], rows: Rows) -> str:
    """Return a table as LaTeX, with rules of the package booktabs; numbers stand right."""
    columns = "l" + "r" * (len(head) - 1)
    lines = [
        f"\\begin{{tabular}}{{{columns}}}",
        "\\toprule",
        _latex_row(head),
        "\\midrule",
        *map(_latex_row, rows),
        "\\bottomrule",
        "\\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(cell.translate(_SPECIAL) for cell in cells) + " \\\\"


def to_csv(head: Sequence[str], rows: Rows) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([head, *rows])
    return text.getvalue()


def to_markdown(head: Sequence[str], rows: Rows) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(each.replace('|', '/') for each in line)} |\n" for line in lines)


FORMS: Mapping[str, Callable[[Sequence[str], Rows], str]] = {
    ".tex": to_latex,
    ".csv": to_csv,
    ".md": to_markdown,
}
"""What makes a table for a file, by its ending."""
