import pytest

from longsum.documents.readers.plain.plain_layout import (
    Layout,
    _is_aligned,
    _is_prose,
    definitions_of,
    hanging_term,
    is_centred,
    is_code,
    is_masthead,
    is_table,
    layout_of,
    parts_by_indent,
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
    assert layout_of([[" a", "  b", "  c d."]]) == Layout(2, 50)
    assert layout_of([[" a", "  b d."]]) == Layout(0, 50)
    for width, page in ((49, 50), (51, 51), (100, 100), (101, 100)):
        assert layout_of([[f"{(width - 1) * 'x'}."] * 3]).width == page


@pytest.mark.parametrize(
    "text",
    [
        "year     rain   floods\n1990      812        3\n1991      640        1",
        "conffile    Issues with configuration files.\nsymlink     Issues with links.",
        "+----+-----+\n| a  |  b  |\n+----+-----+",
        "Name | Age\n-----|----\nAnn  | 44\n----------",
        "----\na | b\nc\nd\n----",
    ],
)
def test_tables(text: str) -> None:
    assert is_table(text.split("\n"))
    assert not definitions_of(text.split("\n"))


def test_definitions_beside_terms_are_found_but_not_comments_beside_code() -> None:
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
        "----\na | b\nc\nd\ne\n----",
        "----",
    ],
)
def test_text_is_no_table(text: str) -> None:
    assert not is_table(text.split("\n"))


def rows(*, prose: int = 0, code: int = 0, words: int = 0) -> str:
    line = "      The river rose in that year for long"
    return "\n".join(
        [*[line] * prose, *["      x = f(1);"] * code, *["      rain or snow"] * words]
    )


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        *(("The river rose in that year", False), ("The river rose in that year again", True)),
        *(("It rose.", False), ("It rose at last.", True), ("rose at last again.", False)),
        *(("1234 56 89 12 rose in that", False), ("ab 1 ab 1 abcd 1 abcdef", True)),
    ],
)
def test_lines_of_prose(text: str, prose: bool) -> None:
    assert _is_prose(text) is prose


@pytest.mark.parametrize(
    ("text", "masthead"),
    [
        *(("A      B\nC      D\ne f", True), ("A      B\nC      D\ne f\ng", False)),
        *(("A     B\nC     D", False), ("A      B", False)),
        *((f"{n * ' '}A\n{n * ' '}B", n == 24) for n in (23, 24)),
    ],
)
def test_mastheads(text: str, masthead: bool) -> None:
    assert is_masthead(text.split("\n")) is masthead


@pytest.mark.parametrize(
    "text",
    [
        "      $ ./configure && make",
        '      quoted-pair    = "\\" CHAR',
        "       OPTIONS * HTTP/1.1",
        "      for (i = 0; i < n; i++) {\n          rise(river);\n      }",
        "       tar {A|c|d|r|t|u|x}[GnSkUW] [ARG...]",
        "make install PREFIX=/usr\nldconfig --verbose",
        *("$ make", "      abc 123"),
        *(rows(prose=3, code=7), rows(code=1, words=1)),
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
        *("   x = f(1);", "- $ make", "      abc 12", "", "   "),
        *(rows(prose=4, code=6), rows(code=1, words=2)),
    ],
)
def test_text_is_no_code(text: str) -> None:
    assert not is_code(text.split("\n"), RFC)


def test_centred_lines() -> None:
    assert is_centred("                Hypertext Transfer Protocol -- HTTP/1.1", RFC)
    assert not is_centred("         (a) You must give all others a copy;", RFC)
    assert not is_centred("   The river rose for the first time in that year", RFC)
    for place, body, centred in ((8, 0, True), (7, 0, False), (10, 8, True), (9, 8, False)):
        assert is_centred(f"{place * ' '}Title of the thing", Layout(body, 40)) is centred
    for text in ("Title of the thing,", "Title of the thing;", "- Title of it", "x = 3", "12 13"):
        assert not is_centred(f"{9 * ' '}{text}", Layout(0, 40))
    for words in (14, 15):
        assert is_centred(f"{9 * ' '}{words * 'Rain '}", Layout(0, 84)) is (words == 14)
    for off in range(20):
        # As many columns more before the line as after it.
        line = " " * (21 + off) + "x" * (30 - off)
        assert is_centred(line, RFC) is (off <= 10)


def test_a_term_over_its_definition() -> None:
    assert hanging_term(["   connection", "      A circuit between", "      two programs."])
    assert hanging_term(["   The river rose.", "      It fell."]) is None
    assert hanging_term(PROSE) is None
    for term, named in ((44 * "x", True), (45 * "x", False), ("a b c d e f", True)):
        assert (hanging_term([term, "  a"]) == term) is named
    for lines in (["a b c d e f g", "  a"], ["a", "  a", "   b"], ["a", "a"], ["- a", "   b"]):
        assert hanging_term(lines) is None


def test_indented_lines_after_a_colon_are_a_separate_part() -> None:
    lines = ["To build it:", "  $ make", "  $ make install", "It takes a day."]
    assert list(parts_by_indent(lines)) == [lines[:1], lines[1:3], lines[3:]]


def test_a_sentence_in_brackets_is_no_code() -> None:
    layout = Layout(body=0, width=72)
    assert not is_code(["      [_Exit_ PARKER _C._]"], layout)
    assert is_code(["      [file ...]"], layout)


@pytest.mark.parametrize(("long", "short", "aligned"), [(1, 1, False), (1, 2, True), (2, 3, True)])
def test_rows_with_long_cells_are_fewer_than_the_others(long, short, aligned) -> None:
    rows = ["1990    the river rose for the first time that year"] * long
    assert _is_aligned([*rows, *["1991    it fell once more"] * short]) is aligned
    assert _is_aligned(["1991    the river rose for the first time then"] * 2)
