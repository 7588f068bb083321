import pytest
from lxml import etree

from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes
from longsum.documents.readers.xml.tei import _is_flat

_TEXT = "<p>The river rises in the hills and flows for a hundred miles.</p>"
_HEADER = """<teiHeader xml:lang="en"><fileDesc><titleStmt>
<title level="a" type="main">Rivers of the hills</title><title type="sub">A survey</title>
</titleStmt></fileDesc><profileDesc><abstract><div><p>We measured rivers.</p></div></abstract>
</profileDesc></teiHeader>"""


def _tei(body: str, back: str = "") -> bytes:
    return (
        '<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0">'
        f"{_HEADER}<text><body>{body}</body><back>{back}</back></text></TEI>"
    ).encode()


@pytest.mark.parametrize(
    "data",
    [b"<teiCorpus><TEI><text/></TEI><TEI><text/></TEI></teiCorpus>", b"<TEI><teiHeader/></TEI>"],
)
def test_several_texts_or_none_are_refused(data: bytes) -> None:
    with pytest.raises(LongsumError, match=r"contains [02] TEI texts"):
        read_bytes(data, "a.xml")


def test_a_page_number_that_no_document_has_is_counted() -> None:
    document = read_bytes(_tei(f'<pb n="7"/>{_TEXT}<pb n="{"9" * 5000}"/>{_TEXT}'), "a.xml")
    assert [sentence.page for sentence in document.sentences][-2:] == [7, 8]


@pytest.mark.parametrize(("number", "flat"), [("2.1", True), ("2.", False)])
def test_divisions_are_flat_if_only_numbers_show_their_levels(number: str, flat: bool) -> None:
    heads = ("<div><head n='1'>Rivers</head></div>", f"<div><head n='{number}'>Dams</head></div>")
    assert _is_flat(etree.fromstring(f"<body>{heads[0]}{heads[1]}</body>")) == flat


LEFT_OUT = {
    **{"note": "footnote", "table": "table", "formula": "formula", "fw": "running head"},
    **{"del": "deleted passage", "graphic": "picture", "code": "code block", "eg": "code block"},
    **dict.fromkeys(("titlePage", "gap", "figDesc", "facsimile", "teiHeader"), ""),
}


@pytest.mark.parametrize(("name", "kind"), LEFT_OUT.items())
def test_elements_that_are_not_text_are_left_out_by_name(name: str, kind: str) -> None:
    inner = f"<p>One.</p><{name}>Hidden words stand here.</{name}><p>Two.</p>"
    document = read_bytes(_tei(f"<div>{inner}</div>"), "a.xml")
    assert [each.text for each in document.sentences][-2:] == ["One.", "Two."]
    assert [part.kind for part in document.omitted] == [kind] * bool(kind)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((name, "prose") for name in ("p", "ab", "lg", "sp", "epigraph", "quote")),
        *((name, "fragment") for name in ("byline", "dateline", "salute", "signed")),
        *((name, "fragment") for name in ("trailer", "closer", "opener")),
        *(("item", "list_item"), ("stage", "stage_direction")),
    ],
)
def test_paragraph_elements_have_the_kind_of_their_name(name: str, kind: str) -> None:
    words = "The river rises in the hills and flows for miles."
    document = read_bytes(_tei(f"<div>{_TEXT}<{name}>{words}</{name}>{_TEXT}</div>"), "a.xml")
    found = [each for each in document.sentences if each.text == words]
    assert [each.kind for each in found] == [kind]


def test_a_quotation_within_a_sentence_is_part_of_it_and_one_of_its_own_is_not() -> None:
    said = "<quote>The <hi>dam</hi> held on</quote>"
    document = read_bytes(_tei(f"<p>They say {said} since.</p>{said}"), "a.xml")
    texts = [sentence.text for sentence in document.sentences]
    assert texts[-2:] == ["They say The dam held on since.", "The dam held on"]
