import pytest

from longsum.documents.readers.plain.plain_layout import (
    Layout,
    _is_aligned,
    definitions_of,
    hanging_term,
    is_centred,
    is_code,
    is_table,
    layout_of,
    parts_by_indent,
    tabbed,
)

PROSE = [
    "   The river rose for the first time in that year",
    "   and took",
    "   the bridge with it.",
]
RFC = Layout(body=3, width=72)
OPTIONS = """
 -w, --wet     print what is known of the water that flowed
               in the year before
 -d, --dry     print nothing"""


def test_the_layout_is_that_of_running_text() -> None:
    wide = ["   The river rose for the first time in that year and took", *PROSE[1:]]
    assert layout_of([wide, ["x"], ["            code();"] * 3]) == Layout(3, 58)
    assert layout_of([]).body == 0


@pytest.mark.parametrize(
    "text",
    [
        "year     rain   floods\n1990      812        3\n1991      640        1",
        "conffile    Issues with configuration files.\nsymlink     Issues with links.",
        "+----+-----+\n| a  |  b  |\n+----+-----+",
        "Name | Age\n-----|----\nAnn  | 44\n----------",
    ],
)
def test_tables(text: str) -> None:
    assert is_table(text.split("\n"))
    assert not definitions_of(text.split("\n"))


def test_definitions_stand_beside_their_terms_and_no_comments_beside_code() -> None:
    lines = OPTIONS.strip("\n").split("\n")
    text = "print what is known of the water that flowed in the year before"
    assert definitions_of(lines) == [("-w, --wet", text), ("-d, --dry", "print nothing")]
    assert not definitions_of([line.replace("print", "# print") for line in lines])
    assert not definitions_of([line[:25] for line in lines])


@pytest.mark.parametrize(
    "text",
    [
        "The river rose.  It took the bridge.\nThe dam held.  It was built\nin a dry year.",
        "- nets     and rods\n- boats    and oars",
        "A line with   a gap",
        "I wandered lonely as a cloud\nThat floats on high o'er vales and hills,",
    ],
)
def test_text_is_no_table(text: str) -> None:
    assert not is_table(text.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "      $ ./configure && make",
        '      quoted-pair    = "\\" CHAR',
        "       OPTIONS * HTTP/1.1",
        "      for (i = 0; i < n; i++) {\n          rise(river);\n      }",
        "       tar {A|c|d|r|t|u|x}[GnSkUW] [ARG...]",
        "make install PREFIX=/usr\nldconfig --verbose",
    ],
)
def test_code(text: str) -> None:
    assert is_code(text.split("\n"), RFC)


@pytest.mark.parametrize(
    "text",
    [
        '   Use "make check" to see whether the program was built right (see make(1)).',
        "      The value of x = 3 was chosen after long debates in the village.",
        "      Fielding, UC Irvine",
        "- - x.",
        "      x = f(1);\n      It rose at last.\n      She saw it fall.",
        "      [12] Effects of dose and weight (p = 0.03)",
        "See http://example.org/rivers for more.",
        "      <signature of the owner>, 1 April 1989\n      The owner, President of Vice",
    ],
)
def test_text_is_no_code(text: str) -> None:
    assert not is_code(text.split("\n"), RFC)


def test_centred_lines() -> None:
    assert is_centred("                Hypertext Transfer Protocol -- HTTP/1.1", RFC)
    assert not is_centred("         (a) You must give all others a copy;", RFC)
    assert not is_centred("   The river rose for the first time in that year", RFC)
    for off in range(20):
        # As many columns more before the line as after it.
        line = " " * (21 + off) + "x" * (30 - off)
        assert is_centred(line, RFC) is (off <= 10)


def test_a_term_over_its_definition() -> None:
    assert hanging_term(["   connection", "      A circuit between", "      two programs."])
    assert hanging_term(["   The river rose.", "      It fell."]) is None
    assert hanging_term(PROSE) is None


def test_deeper_lines_after_a_colon_are_a_part_of_their_own() -> None:
    lines = ["To build it:", "  $ make", "  $ make install", "It takes a day."]
    assert list(parts_by_indent(lines)) == [lines[:1], lines[1:3], lines[3:]]


def test_indentation_becomes_tabs() -> None:
    assert tabbed("if x:\n    y\n        z") == "if x:\n\ty\n\t\tz"


def test_a_sentence_in_brackets_is_no_code() -> None:
    layout = Layout(body=0, width=72)
    assert not is_code(["      [_Exit_ PARKER _C._]"], layout)
    assert is_code(["      [file ...]"], layout)


@pytest.mark.parametrize(("long", "short", "aligned"), [(1, 1, False), (1, 2, True), (2, 3, True)])
def test_rows_with_long_cells_are_fewer_than_the_others(long, short, aligned) -> None:
    rows = ["1990    the river rose for the first time that year"] * long
    assert _is_aligned([*rows, *["1991    it fell once more"] * short]) is aligned
    assert _is_aligned(["1991    the river rose for the first time then"] * 2)
