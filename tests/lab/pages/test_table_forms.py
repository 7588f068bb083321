"""Tables as LaTeX, CSV and Markdown."""

from longsum.lab.pages.table_forms import FORMS, to_csv, to_latex, to_markdown

HEAD, ROWS = ["system", "R-1"], [["a_b & c", "48.3 ± 0.1"], ["d|e", "−1"]]


def test_latex_has_rules_and_no_signs_with_a_meaning():
    assert to_latex(HEAD, ROWS).splitlines() == [
        "\\begin{tabular}{lr}",
        "\\toprule",
        "system & R-1 \\\\",
        "\\midrule",
        "a\\_b \\& c & 48.3 $\\pm$ 0.1 \\\\",
        "d|e & $-$1 \\\\",
        "\\bottomrule",
        "\\end{tabular}",
    ]


def test_csv_and_markdown():
    assert to_csv(HEAD, [["a, b", "1"]]) == 'system,R-1\n"a, b",1\n'
    rows = [["lead", "1.5 [-2.0, 3.0]"], ["none", "–"]]
    assert to_csv(HEAD, rows).splitlines() == [
        *("system,R-1,R-1 low,R-1 high", "lead,1.5,-2.0,3.0", "none,–,,"),
    ]
    assert to_markdown(HEAD, ROWS).splitlines()[1:] == [
        *("| --- | --- |", "| a_b & c | 48.3 ± 0.1 |", "| d/e | −1 |"),
    ]
    assert set(FORMS) == {".tex", ".csv", ".md"}
