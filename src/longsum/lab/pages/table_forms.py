"""Tables in the formats of papers and spreadsheets: LaTeX, CSV, Markdown."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence

Rows = Sequence[Sequence[str]]
_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {"−": "$-$", "±": "$\\pm$", "Δ": "$\\Delta$", "<": "$<$", ">": "$>$"}
)
_INTERVAL = re.compile(r"(\S+) \[(\S+), (\S+)\]")


def to_latex(head: Sequence[str], rows: Rows) -> str:
    """Return a table as LaTeX, with booktabs rules; all columns but the first are right-aligned."""
    first, *others = (
        " & ".join(cell.translate(_SPECIAL) for cell in row) + " \\\\\n" for row in (head, *rows)
    )
    return (
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}\n\\toprule\n"
        f"{first}\\midrule\n{''.join(others)}\\bottomrule\n\\end{{tabular}}\n"
    )


def to_csv(head: Sequence[str], rows: Rows) -> str:
    """Return a table as CSV; the ends of intervals have columns of their own, as numbers."""
    columns: list[list[str]] = []
    for name, *cells in zip(head, *rows, strict=True):
        found = [_INTERVAL.fullmatch(cell) for cell in cells]
        means = [each[1] if each else cell for each, cell in zip(found, cells, strict=True)]
        columns.append([name, *means])
        if any(found):
            for end, group in (("low", 2), ("high", 3)):
                columns.append([f"{name} {end}", *(each[group] if each else "" for each in found)])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(zip(*columns, strict=True))
    return text.getvalue()


def to_markdown(head: Sequence[str], rows: Rows) -> str:
    """Return a table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


FORMS: Mapping[str, Callable[[Sequence[str], Rows], str]] = {
    ".tex": to_latex,
    ".csv": to_csv,
    ".md": to_markdown,
}
"""The function that formats a table, by the suffix of its file."""
