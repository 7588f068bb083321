import pytest

from document_views import outline
from longsum.common.errors import LongsumError
from longsum.documents.readers import read_bytes

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


def test_flat_divisions_have_the_levels_of_their_numbers() -> None:
    heads = [("1", "Aims"), ("1.1", "Scope"), ("2.", "Means"), ("2.1.3", "Ways")]
    body = "".join(f'<div><head n="{n}">{title}</head>{_TEXT}</div>' for n, title in heads)
    document = read_bytes(_tei(body + f"<div><head>Thanks</head>{_TEXT}</div>"), "a.xml")
    assert outline(document)[1:] == [
        (1, "1 Aims"),
        (2, "1.1 Scope"),
        (1, "2. Means"),
        (2, "2.1.3 Ways"),
        (1, "Thanks"),
    ]


_LEFT_OUT = {
    "footnote": "note",
    "table": "table",
    "formula": "formula",
    "running head": "fw",
    "deleted passage": "del",
    "picture": "graphic",
    "code block": "code eg",
    "": "titlePage speaker gap figDesc teiHeader facsimile",
}


@pytest.mark.parametrize("kind", _LEFT_OUT)
def test_elements_are_left_out_as_what_they_are(kind: str) -> None:
    for name in _LEFT_OUT[kind].split():
        body = f"<div>{_TEXT}<{name}>It was never read.</{name}>{_TEXT}</div>"
        document = read_bytes(_tei(body), "a.xml")
        assert [part.kind for part in document.omitted] == [kind] * bool(kind), name
        assert len(document.sentences) == 3, name


def test_elements_are_blocks_of_their_kinds() -> None:
    kinds = {"item": "list_item", "stage": "stage_direction"}
    kinds |= dict.fromkeys(
        ["byline", "dateline", "salute", "signed", "trailer", "closer", "opener"], "fragment"
    )
    kinds |= dict.fromkeys(["p", "ab", "lg", "epigraph", "quote"], "prose")
    for name, kind in kinds.items():
        body = f"<div>{_TEXT}<{name}>The river rose again at last.</{name}>{_TEXT}</div>"
        sentences = read_bytes(_tei(body), "a.xml").sentences
        assert [each.kind for each in sentences] == ["prose", "prose", kind, "prose"], name


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
