"""How the styles of an OpenDocument text set words and place paragraphs."""

import pytest

from longsum.documents.readers.office.odt_styles import Styles, spans
from longsum.documents.readers.structure.heading_inference import Type
from longsum.documents.readers.xml.xml_tree import parse_xml
from tables import rows


def read(styles: str, default: str = "") -> Styles:
    own = f"<default-style family='paragraph'><text-properties {default}/></default-style>"
    return Styles([parse_xml(f"<styles>{own * bool(default)}{styles}</styles>")])


def style(name: str, properties: str = "", parent: str = "", family: str = "paragraph") -> str:
    above = f"parent-style-name='{parent}'" if parent else ""
    return f"<style name='{name}' family='{family}' {above}><text-properties {properties}/></style>"


@pytest.mark.parametrize(("properties", "expected"), rows(__file__, "the_type_that_a_style_states"))
def test_the_type_that_a_style_states(properties: str, expected) -> None:
    styles = read(style("A", properties))
    assert styles.type_of(parse_xml("<p style-name='A'>It rose.</p>")) == Type(**expected)


def test_styles_take_from_those_they_are_based_on_and_words_from_spans() -> None:
    styles = read(
        style("Base", "font-size='20pt' font-weight='bold'")
        + style("Low", "font-size='50%'", "Base")
        + style("Slant", "font-style='italic' font-weight='normal'", family="text"),
        "font-size='11pt' language='de' country='AT'",
    )
    assert styles.language == "de-AT"
    words = {
        "<p style-name='Low'>It rose.</p>": Type(10, bold=True),
        "<p style-name='Other'>It rose.</p>": Type(11),
        "<p style-name='Low'>...</p>": Type(10, bold=True),
        "<p style-name='Low'><span style-name='Slant'>It</span></p>": Type(10, italic=True),
        "<p style-name='Low'><span style-name='Slant'>It</span> rose</p>": Type(10),
        "<p style-name='Low'>It <note><p>rose</p></note></p>": Type(10, bold=True),
    }
    for written, expected in words.items():
        assert styles.type_of(parse_xml(written)) == expected
    assert styles.names("Low") == ["low", "base"]
    assert styles.names("Other") == ["other"]
    assert styles.names(None) == []


@pytest.mark.parametrize(("stated", "language"), rows(__file__, "the_language_of_a_text"))
def test_the_language_of_a_text(stated: str, language: str | None) -> None:
    assert read("", stated).language == language


def test_where_a_style_places_paragraphs() -> None:
    place = "<paragraph-properties text-align='center' margin-top='12pt'/>"
    styles = read(
        f"<style name='A' family='paragraph'>{place}</style>"
        "<style name='B' family='paragraph' parent-style-name='A'>"
        "<paragraph-properties margin-top='1pc'/></style>"
        "<style name='C' family='paragraph' parent-style-name='A'>"
        "<paragraph-properties text-align='start'/></style>"
    )
    assert [styles.is_centred(name) for name in ("A", "B", "C", "D", None)] == [
        *(True, True, False, False, False)
    ]
    assert [styles.space_above(name) for name in ("A", "B", "C", "D")] == [12.0, 12.0, 12.0, 0.0]


def test_the_texts_of_a_paragraph_with_the_innermost_span_around_each() -> None:
    paragraph = parse_xml(
        "<p>a<span n='1'>b<span n='2'>c<s/>d</span>e</span>f"
        "<note>g<span>h</span></note>i<frame>j</frame><annotation>k</annotation></p>"
    )
    found = [(text, None if span is None else span.get("n")) for text, span in spans(paragraph)]
    assert sorted(found) == [
        *(("a", None), ("b", "1"), ("c", "2"), ("d", "2"), ("e", "1"), ("f", None), ("i", None))
    ]
