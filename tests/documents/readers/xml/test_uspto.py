"""A patent in the USPTO's current format, and in those of applications and grants of 2001."""

import pytest

from document_views import CheckDocument, outline, texts
from longsum.documents.readers.detect import parse

_NOW = """<us-patent-grant lang="EN"><us-bibliographic-data-grant><kind>B2</kind>
<invention-title>A weir</invention-title></us-bibliographic-data-grant>
<abstract><p>The weir holds CO<sub>2</sub>.</p></abstract>
<description><heading level="1">FIELD</heading><p num="0001">It is <b>wide</b>, see <figref>FIG.
1</figref>, to 10<sup>5</sup> m.<maths><math>x</math></maths></p>
<heading level="2">The Gate</heading><p>It is of oak.</p></description>
<claims><claim><claim-text>1. A weir that has:<claim-text>a gate; and</claim-text>
<claim-text>a hinge.</claim-text></claim-text></claim></claims></us-patent-grant>"""
_APPLICATION = """<patent-application-publication><subdoc-bibliographic-information>
<title-of-invention>A weir</title-of-invention></subdoc-bibliographic-information>
<subdoc-abstract><paragraph>The weir holds CO<subscript>2</subscript>.</paragraph></subdoc-abstract>
<subdoc-description><summary-of-invention><section><heading lvl="1">FIELD</heading>
<paragraph><number>[0001]</number> It is <highlight><bold>wide</bold></highlight>, see
<cross-reference>FIG. 1</cross-reference>, to 10<superscript>5</superscript> m.
<math-cwu>x</math-cwu></paragraph><heading lvl="2">The Gate</heading>
<paragraph>It is of oak.</paragraph></section>
</summary-of-invention></subdoc-description><subdoc-claims><claim><claim-text>1. A weir that has:
</claim-text><claim-text>a gate; and</claim-text><claim-text>a hinge.</claim-text></claim>
</subdoc-claims></patent-application-publication>"""
_GRANT = """<PATDOC><SDOBI><B540><STEXT><PDAT>A weir</PDAT></STEXT></B540></SDOBI>
<SDOAB><PARA><PTEXT><PDAT>The weir holds CO</PDAT><HIL><SB><PDAT>2</PDAT></SB></HIL><PDAT>.</PDAT>
</PTEXT></PARA></SDOAB><SDODE><H LVL="1"><STEXT><PDAT>FIELD</PDAT></STEXT></H><PARA><PTEXT>
<PDAT>It is </PDAT><HIL><BOLD><PDAT>wide</PDAT></BOLD></HIL><PDAT>, see </PDAT><FGREF><PDAT>FIG. 1
</PDAT></FGREF><PDAT>, to 10</PDAT><HIL><SP><PDAT>5</PDAT></SP></HIL><PDAT> m.</PDAT>
<MATH-US>x</MATH-US></PTEXT></PARA><H LVL="2"><STEXT><PDAT>The Gate</PDAT></STEXT></H>
<PARA><PTEXT><PDAT>It is of oak.</PDAT></PTEXT></PARA></SDODE><SDOCL><CL><CLM><PARA><PTEXT>
<PDAT>1. A weir that has:</PDAT></PTEXT></PARA><CLMSTEP><PTEXT><PDAT>a gate; and</PDAT></PTEXT>
</CLMSTEP><CLMSTEP><PTEXT><PDAT>a hinge.</PDAT></PTEXT></CLMSTEP></CLM></CL></SDOCL></PATDOC>"""


@pytest.mark.parametrize("text", [_NOW, _APPLICATION, _GRANT], ids=["now", "application", "grant"])
def test_a_patent_is_the_same_in_every_form(check_document: CheckDocument, text: str) -> None:
    document = parse(text.encode(), "a.xml")
    check_document(document)
    assert (document.title, document.source.format) == ("A weir", "patent")
    assert outline(document) == [(1, "Abstract"), (1, "FIELD"), (2, "The Gate"), (1, "Claims")]
    said = [" ".join(each.split()).replace(" ,", ",") for each in texts(document)]
    assert said == [
        *("The weir holds CO₂.", "It is wide, see FIG. 1, to 10⁵ m.", "It is of oak."),
        *("A weir that has:", "a gate; and", "a hinge."),
    ]
    assert [(part.kind, part.text) for part in document.omitted] == [("formula", "x")]


def test_a_description_without_headings_is_not_part_of_the_abstract() -> None:
    text = _NOW.replace('<heading level="1">FIELD</heading>', "")
    assert [title for _, title in outline(parse(text.encode(), "a.xml"))][:2] == ["Abstract", ""]


LEFT_OUT = {
    **dict.fromkeys(("tables", "table-cwu", "table", "TABLE-US", "TABLE-CWU"), "table"),
    **dict.fromkeys(("maths", "math-cwu", "math", "MATH-US", "MATH-CWU"), "formula"),
    **dict.fromkeys(("chemistry", "chemistry-cwu", "CHEM-US", "CHEM-CWU"), "formula"),
    **dict.fromkeys(("img", "image", "EMI"), "picture"),
}


@pytest.mark.parametrize(("name", "kind"), LEFT_OUT.items())
def test_elements_that_are_not_text_are_left_out_by_name(name: str, kind: str) -> None:
    part = f"<{name}>Hidden words stand here.</{name}>"
    document = parse(_NOW.replace("<maths><math>x</math></maths>", part).encode(), "a.xml")
    assert "Hidden" not in document.text
    assert [part.kind for part in document.omitted] == [kind]
