"""What the styles of a Word file say about its paragraphs, and the numbers of its lists."""

import pytest

from longsum.documents.readers.office.docx_styles import Numbering, Style, read_styles
from longsum.documents.readers.office.docx_type import Types
from longsum.documents.readers.structure.heading_inference import Type
from longsum.documents.readers.xml.xml_tree import parse_xml
from tables import rows


def style(name: str, properties: str = "", based_on: str = "") -> str:
    above = f"<basedOn val='{based_on}'/>" if based_on else ""
    return (
        f"<style type='paragraph' styleId='{name}'><name val='{name}'/>{above}{properties}</style>"
    )


def read(styles: str) -> dict[str, Style]:
    return read_styles(parse_xml(f"<styles>{styles}</styles>"))


@pytest.mark.parametrize(("name", "level"), rows(__file__, "the_levels_of_styles_by_their_names"))
def test_the_levels_of_styles_by_their_names(name: str, level: int | None) -> None:
    assert read(style(name))[name].level == level


@pytest.mark.parametrize(
    ("names", "kind"), rows(__file__, "what_paragraphs_are_by_the_names_of_their_styles")
)
def test_style_names_determine_the_kind_of_paragraphs(names, kind) -> None:
    assert Style(tuple(names)).kind == kind


def test_a_style_inherits_what_it_does_not_state() -> None:
    numbered = "<pPr><numPr><numId val='{}'/><ilvl val='{}'/></numPr></pPr>"
    found = read(
        style("A", "<pPr><outlineLvl val='2'/><numPr><numId val='7'/></numPr></pPr>")
        + style("B", numbered.format("", 1), "A")
        + style("C", "<pPr><outlineLvl val='9'/></pPr>", "A")
        + "<style type='character' styleId='D'><name val='D'/></style>"
        + "<style styleId='E'><name val='E'/></style>"
    )
    assert found == {
        "A": Style(("a",), 2, ("7", None)),
        "B": Style(("b", "a"), 2, ("7", "1")),
        "C": Style(("c", "a"), None, ("7", None)),
        "E": Style(("e",)),
    }


def test_of_fifty_styles_one_takes_from_the_last() -> None:
    chain = "".join(style(f"s{n}", based_on=f"s{n + 1}") for n in range(51))
    for last, level in ((49, 0), (50, None)):
        found = read(chain.replace(f"<name val='s{last}'", "<name val='heading 1'"))
        assert found["s0"].level == level


def numbering(levels: str, numbers: str = "<num numId='1'><abstractNumId val='a'/></num>"):
    return Numbering(
        parse_xml(f"<x><abstractNum abstractNumId='a'>{levels}</abstractNum>{numbers}</x>")
    )


def level(depth: int, form: str, text: str, start: int = 1, more: str = "") -> str:
    return (
        f"<lvl ilvl='{depth}'><numFmt val='{form}'/><lvlText val='{text}'/>"
        f"<start val='{start}'/>{more}</lvl>"
    )


@pytest.mark.parametrize(
    ("form", "labels"),
    [
        ("decimal", {1: "1", 12: "12"}),
        ("decimalZero", {1: "01", 12: "12"}),
        ("upperRoman", {4: "IV", 1994: "MCMXCIV", 3999: "MMMCMXCIX", 4000: "4000", 0: "0"}),
        ("lowerRoman", {49: "xlix", 90: "xc", 405: "cdv"}),
        ("upperLetter", {1: "A", 26: "Z", 27: "AA", 131: "A", 130: "ZZZZZ", 0: "0"}),
        ("lowerLetter", {28: "bb"}),
        ("bullet", {1: ""}),
        ("none", {1: ""}),
    ],
)
def test_how_numbers_are_written(form: str, labels: dict[int, str]) -> None:
    for number, label in labels.items():
        assert numbering(level(0, form, " %1 ", number)).next_label("1", 0) == label


def test_deeper_levels_start_again_and_lists_of_one_definition_count_on() -> None:
    levels = level(0, "upperRoman", "%1.") + level(1, "decimal", "%1.%2 %9", 3, "<pStyle val='S'/>")
    numbers = "".join(
        f"<num numId='{n}'><abstractNumId val='a'/>{more}</num>"
        for n, more in (
            (1, ""),
            (2, "<lvlOverride ilvl='1'><startOverride val='7'/></lvlOverride>"),
            (3, "<lvlOverride ilvl='0'/>"),
        )
    )
    lists = numbering(levels, numbers)
    steps = [("1", 1), ("1", 0), ("1", 1), ("1", 1), ("1", 0), ("1", 1), ("2", 1), ("2", 1)]
    steps += [("3", 0), ("2", 1), ("1", 2), ("9", 0)]
    assert [lists.next_label(*step) for step in steps] == [
        *("I.3 3", "I.", "I.3 3", "I.4 3", "II.", "II.3 3", "II.7 3", "II.8 3"),
        *("III.", "III.3 3", "", ""),
    ]
    assert (lists.level_of_style("S"), lists.level_of_style("T")) == (1, 0)
    assert Numbering(None).next_label("1", 0) == ""


@pytest.mark.parametrize(("properties", "expected"), rows(__file__, "the_type_of_words"))
def test_the_type_of_words(properties: str, expected: dict) -> None:
    types = Types(
        parse_xml(
            "<styles><docDefaults><rPrDefault><rPr><sz val='22'/></rPr></rPrDefault></docDefaults>"
            + style("A", "<rPr><i/></rPr>")
            + style("B", based_on="A")
            + style("C", "<rPr><b/><sz val='18'/></rPr>")
            + "</styles>"
        )
    )
    run = f"<r><rPr>{properties}</rPr><t>It rose.</t></r>" if properties else "<r><t>It</t></r>"
    boxed = "<r><t>.</t><box><p><r><rPr><sz val='99'/></rPr><t>A long aside</t></r></p></box></r>"
    found = types.of_paragraph(parse_xml(f"<p>{run}{boxed if properties else ''}</p>"), "B")
    assert found == Type(**expected)


def test_default_types_and_places() -> None:
    assert Types(None).of_paragraph(parse_xml("<p/>"), "A") == Type(10)
    styles = style("A", "<pPr><jc val='center'/></pPr>") + style("B", based_on="A")
    types = Types(parse_xml(f"<styles>{styles}{style('C')}</styles>"))
    plain, left = parse_xml("<p/>"), parse_xml("<p><pPr><jc val='left'/></pPr></p>")
    assert [types.is_centred(plain, name) for name in "ABCD"] == [True, True, False, False]
    assert not types.is_centred(left, "A")
