"""Tables in the formats of papers and spreadsheets: LaTeX, CSV, Markdown."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence

Rows = Sequence[Sequence[str]]
_SPECIAL = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%$#_{}"}
    | {"\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}"}
    | {"−": "$-$", "±": "$\\pm$", "Δ": "$\\Delta$", "<": "$<$", ">": "$>$"}
)


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
    """Return a table as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
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
