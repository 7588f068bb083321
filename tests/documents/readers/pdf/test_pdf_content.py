"""How the fonts of a PDF look by what it says of them, and how most of its lines are set."""

import pytest

from longsum.documents.readers.pdf.pdf_content import PLAIN, Font, Line, Usual, usual_setting


@pytest.mark.parametrize(
    ("described", "font"),
    [
        (("ABCDEF+Times-Bold", 400, 0, 0), Font("times", bold=True)),
        (("Abcdef+Sans", 0, 0, 0), Font("abcdef+sans")),
        (("Helvetica-Light", 700, 1 << 18, 0), Font("helvetica")),
        (("Sans", 600, 0, 0), Font("sans", bold=True)),
        (("Sans", 599, 0, 0), Font("sans")),
        (("Sans", 0, 1 << 18, 0), Font("sans", bold=True)),
        (("Sans", 0, 1 << 6, 0), Font("sans", italic=True)),
        (("Sans", 0, 0, -12), Font("sans", italic=True)),
        (("Sans", 0, 1, 0), Font("sans")),
        (("Sans Mono", 0, 1, 0), Font("sans mono", mono=True)),
        (("LMRoman10-Regular", 0, 0, 0), Font("lmroman")),
        (("CMTT10", 0, 0, 0), Font("cmtt", mono=True)),
        (("CMCSC10", 0, 0, 0), Font("cmcsc", small_caps=True)),
        (("CMBX12", 0, 0, 0), Font("cmbx", bold=True)),
        (("CMTI10", 0, 0, 0), Font("cmti", italic=True)),
        (("GaramondItalic", 0, 0, 0), Font("garamond", italic=True)),
        (("Courier,Bold", 0, 0, 0), Font("courier", bold=True, mono=True)),
    ],
)
def test_fonts(described: tuple[str, int, int, int], font: Font) -> None:
    assert Font.described(*described) == font


def line(text: str, baseline: float, right: float = 400, size: float = 10, column: int = 0) -> Line:
    return Line(text, 1, 0, right, baseline, size, column=column, edges=(0, 400))


@pytest.mark.parametrize(
    ("lines", "usual"),
    [
        ([], Usual()),
        ([line("x", 100, 100)], Usual(10, PLAIN, 12, 100)),
        ([line("x", 100, 100), line("x", 86, 100)], Usual(10, PLAIN, 14, 100)),
        # Neither larger lines, short ones, nor the step to another column say how far lines stand.
        ([line(9 * "x", 100), line(9 * "x", 88), line("x", 74), line(17 * "T", 60, size=14),
          line("y", 300, column=1), line("y", 288, 100, column=1), line("y", 200, 100, column=1)],
         Usual(10, PLAIN, 13, 400, is_spaced=True)),
        *(([*(line("x", 1000 - 12 * n) for n in range(9)), line("x", 904 - step)],
           Usual(10, PLAIN, 12, 400, is_spaced=step > 14.4)) for step in (14.4, 14.5)),
    ],
)  # fmt: skip
def test_how_most_lines_are_set(lines: list[Line], usual: Usual) -> None:
    assert usual_setting(lines) == usual


@pytest.mark.parametrize(
    ("left", "right", "centred"),
    [(21, 379, True), (20, 380, False), (30, 359, False), (30, 360, True), (99, 317, True),
     (99, 322, False)],
)  # fmt: skip
def test_lines_between_even_margins_are_centred(left: float, right: float, centred: bool) -> None:
    assert Line("x", 1, left, right, 0, 10, edges=(0, 400)).is_centred is centred
